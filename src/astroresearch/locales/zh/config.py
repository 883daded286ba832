TEXTS = {
    "environment": "环境变量 {name}",
    "flag": "命令行",
    "default": "默认值",
    "hidden": "（不显示）",
    "bad_value": "{name} 的值是 {value}（来自 {source}），应为{wanted}",
    "limits": "AGENT_TOKEN_HARD_LIMIT（{hard}）不能小于 AGENT_TOKEN_SOFT_LIMIT（{soft}）",
    "unreadable": "无法读取 {file}：{why}",
    "unknown": "{file} 中的 {name} 不是设置项；`astroresearch config show` 会列出全部设置",
    "unknown_close": "{file} 中的 {name} 不是设置项；是否想写 {close}？",
    "not_a_value": "{file} 中的 {name} 必须是文本或数字",
    "only_environment": "已忽略 {file} 中的 {name}：它只能通过环境变量设置",
    "not_from_folder": (
        "已忽略 {file} 中的 {name}：随文件夹带来的文件只能设置限额和语言；请改用环境变量或 AGENT_HOME 中"
        "的 astroresearch.toml"
    ),
    "bad_policy": "AGENT_CONTEXT_POLICY：{file} 不能使用：{why}",
    "want_whole": "{low} 到 {high} 之间的整数",
    "want_seconds": "{low} 到 {high} 之间的秒数",
    "want_choice": "以下之一：{choices}",
    "want_model": " local、openai/NAME 或 anthropic/NAME",
    "want_policy": " document、adaptive，或一个 .toml 或 .json 文件",
    "want_database": " sqlite:////folder/file.db 或 postgresql://user@host/name",
    "want_http": "以 http:// 或 https:// 开头的地址",
    "want_folder": "文件夹",
    "want_text": "文本",
}
