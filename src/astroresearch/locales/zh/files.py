"""对无法读取的文件的说明。"""

TEXTS = {
    "missing": "{path} 不存在",
    "cannot_read": "无法读取 {path}：{why}",
    "not_a_file": "{path} 不是普通文件",
    "too_long": "{path} 超过 {most:,} 字节",
    "not_utf8": "{path} 不是 UTF-8 文本",
    "too_many": "{path} 中的文件超过 {most:,} 个",
}
