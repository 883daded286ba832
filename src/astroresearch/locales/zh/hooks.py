"""与钩子有关的文字。"""

TEXTS = {
    "failed_closed": "负责此事的钩子 {name} 没有作出答复",
    "nobody_to_ask": "此操作需要许可，但当前没有人可以批准",
    "bad_file": "无法使用 {path}：{why}",
    "not_trusted": (
        "{path} 随此文件夹而来，其当前内容尚未被信任，因此其中的钩子不会运行。查看并信任它：astroresearch trust"
    ),
    "blocked": "{tool} 被钩子阻止：{reason}",
    "compaction_blocked": "钩子推迟了压缩：{reason}",
    "compaction_needed": "钩子想推迟压缩，但不压缩请求就放不下：{reason}",
}
