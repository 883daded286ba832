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
}
