"""English texts of the papers, the library and its tools."""

TEXTS = {
    "search_library.summary": "find passages in the library of papers, with the place to cite",
    "search_library.description": (
        "Full-text search over the papers of the library (English and Chinese questions in plain words, object names, "
        "identifiers). Each row is a paper with its key; below it the sentences found, each with its place. 'match' is "
        "the share of the question's informative words that was found: below about 0.5 the library probably has no "
        "answer. limit: number of papers (1-20)."
    ),
    "read_paper.summary": "read a paper of the library: outline, then a section, a page or the hits of a query",
    "read_paper.description": (
        "Open a paper by key, bibcode, arXiv id, DOI or words of its title. Without section, page and query: abstract "
        "and outline (short entries whole). section: a number ('3.2', 'A'), a title, 'abstract' or 'references'. page: "
        "a page of text. query: only the passages about it. Long results come in pages: call again with the offset "
        "that the last line gives. Cite the key with the place of each '## ' block."
    ),
    "no_results": "0 results for “{query}” in the library ({papers} papers). Try other words, or add a paper.",
    "no_hits": "0 results for “{query}” in {paper}. Open it without query for its outline.",
    "no_such_paper": "No paper “{name}” in the library. search_library finds papers by words.",
    "no_such_paper_near": "No paper “{name}” in the library. Did you mean: {near}?",
    "no_such_section": "No section or page “{wanted}”. There are: {outline}",
    "past_the_end": "offset={offset} is past the end; the last is {last}.",
    "continues": "(continues: offset={offset})",
    "not_read": "Not read: {notice}",
    "outline_entry": "{place} ({size:,} characters)",
    "outline_references": "references ({count})",
    "read_on": "(read on with section=… or query=…)",
    "empty": "the file is empty",
    "too_large": "the file is larger than 20 MB: give the paper's own source",
    "is_pdf": "PDF is not read by this version: give the LaTeX source, Markdown or text of the paper",
    "is_archive": "this is an archive: unpack it and give the main .tex file",
    "is_html": "this is a web page, not a paper's source: give LaTeX, Markdown or text",
    "is_binary": "these are not the bytes of a text: give LaTeX, Markdown or text",
    "nothing_found": "no title, abstract or text was found in this LaTeX source",
    "decoded_latin1": "the source is not UTF-8 and was read as Latin-1; accented letters may be wrong",
    "source_cut": "the source is too large: its first {kept:,} of {total:,} characters were read",
    "nested_too_deep": "{count:,} braces or environments nested deeper than {deepest} were levelled",
    "input_recursive": "\\input of “{name}” was left out: it repeats or goes too deep",
    "macros_unbounded": "the macro \\{name} expands without end and was left out",
    "environment_skipped": "a drawing ({name}) was left out",
    "section_unparsed": "section “{section}” could not be parsed ({reason}); its bare words are kept",
    "values_absent": "{count} values are computed by the authors' workflow and are not in the source, shown as "
    "\\variable{{…}}: {names}",
    "files_absent": "not at hand: {names}",
    "macros_unknown": "commands that are not known were kept as written or left out: {names}",
    "references_missing": "{count} cited keys have no entry in a bibliography at hand: {keys}",
    "labels_missing": "{count} references point to labels that are not in the source: {labels}",
}
