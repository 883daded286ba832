"""Chinese texts of the papers, the library and its tools."""

TEXTS = {
    "search_library.summary": "在论文库中查找段落，并给出可引用的位置",
    "search_library.description": (
        "对论文库做全文检索（可用中文或英文的自然语言问题、天体名称、文献编号）。"
        "每行是一篇论文及其编号，下面是找到的句子及其位置。"
        "match 是问题中有信息量的词被找到的比例：低于约 0.5 时，库中很可能没有答案。limit：论文数（1-20）。"
    ),
    "read_paper.summary": "阅读论文库中的论文：先看大纲，再读某节、某页或查询命中的段落",
    "read_paper.description": (
        "用编号、bibcode、arXiv 号、DOI 或标题中的词打开论文。"
        "不给 section、page、query 时返回摘要和大纲（短条目返回全文）。"
        "section：编号（“3.2”“A”）、标题、“abstract”或“references”。page：第几页文字。query：只返回相关段落。"
        "长结果分页返回：用最后一行给出的 offset 再次调用。引用时写编号和各“## ”块的位置。"
    ),
    "no_results": "0 条结果：论文库（{papers} 篇）中没有找到“{query}”。请换个说法，或添加论文。",
    "no_hits": "0 条结果：{paper} 中没有找到“{query}”。不带 query 打开可看大纲。",
    "no_such_paper": "论文库中没有“{name}”。可用 search_library 按词查找论文。",
    "no_such_paper_near": "论文库中没有“{name}”。您要找的是：{near}？",
    "no_such_section": "没有“{wanted}”这一节或页。现有：{outline}",
    "past_the_end": "offset={offset} 超出结尾；最后一个是 {last}。",
    "continues": "(continues: offset={offset})",
    "not_read": "未能读取：{notice}",
    "outline_entry": "{place}（{size:,} 字符）",
    "outline_references": "references（{count}）",
    "read_on": "（用 section=… 或 query=… 继续阅读）",
    "empty": "文件是空的",
    "too_large": "文件超过 20 MB：请给出论文自己的源文件",
    "is_pdf": "本版本不读取 PDF：请给出论文的 LaTeX 源文件、Markdown 或文本",
    "is_archive": "这是压缩包：请解包后给出主 .tex 文件",
    "is_html": "这是网页，不是论文源文件：请给出 LaTeX、Markdown 或文本",
    "is_binary": "这不是文本文件：请给出 LaTeX、Markdown 或文本",
    "nothing_found": "在此 LaTeX 源文件中没有找到标题、摘要或正文",
    "decoded_latin1": "源文件不是 UTF-8，已按 Latin-1 读取；带重音的字母可能有误",
    "source_cut": "源文件太大：共 {total:,} 字符，只读取了前 {kept:,} 字符",
    "nested_too_deep": "有 {count:,} 处花括号或环境嵌套超过 {deepest} 层，已展平",
    "input_recursive": "略去了 \\input“{name}”：重复包含或嵌套过深",
    "macros_unbounded": "宏 \\{name} 无限展开，已略去",
    "environment_skipped": "略去了一幅绘图（{name}）",
    "section_unparsed": "“{section}”一节无法解析（{reason}），只保留了文字",
    "values_absent": "有 {count} 个数值由作者的流程计算，源文件中没有，显示为 \\variable{{…}}：{names}",
    "files_absent": "缺少文件：{names}",
    "macros_unknown": "未知命令按原样保留或略去：{names}",
    "references_missing": "有 {count} 个引用键在现有文献表中没有条目：{keys}",
    "labels_missing": "有 {count} 处引用指向源文件中没有的标签：{labels}",
}
