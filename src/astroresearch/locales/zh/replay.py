"""重放：对会话记录的警告、错误、表格和报告。"""

TEXTS = {
    "place_line": "第 {number} 行",
    "place_message": "第 {number} 条消息",
    "bad_record": "{where}：已跳过，不是可用的记录（{why}）",
    "unreadable": "{where}：已跳过，不是有效的 JSON",
    "torn": "{where}：已跳过，最后一条记录不完整",
    "nul": "{where}：跳过了 {count} 个 NUL 字节",
    "fused": "{where}：跳过残缺的开头，保留其后的完整记录",
    "cut_document": "第 {line} 行：文档在此中断；使用之前的 {count} 条完整消息",
    "surrogate": "{where}：损坏的 Unicode 字符已替换为 U+FFFD",
    "sidechains": "{count} 条子智能体（sidechain）记录未重放",
    "other_agents": "{agent} 以外的智能体的 {count} 条消息未重放",
    "client_error": "{where}：已跳过，由客户端而非模型写下的错误",
    "bad_tools": "跳过 {count} 个工具：既不是 OpenAI 也不是 Anthropic 的格式",
    "unreadable_file": "{name}：{why}",
    "empty_file": "{name}：文件为空",
    "no_transcript": '{name}：不是会话记录（可读：OpenAI 聊天 JSON 或 JSONL、{{"messages": [...]}}、'
    "Anthropic 消息、Claude Code 会话、astroresearch 轨迹）",
}
