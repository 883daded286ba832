"""What the embedded researcher says, which has no language model."""

TEXTS = {
    "who": "No language model is at work here: sentences are searched in the library and quoted as they stand.",
    "plan_search": "Search the library",
    "plan_read": "Read the best papers",
    "plan_paper": "Read {key}",
    "plan_paper_about": "Read {key} about: {about}",
    "plan_answer": "Answer with quotations",
    "think_search": "Searching the library for: {query}",
    "think_again": "That search failed; trying once more with: {query}",
    "think_read": "Reading {key}: {title}",
    "think_recall": "Fetching back what was read earlier ({refs}).",
    "think_answer": "Enough was read: {count} sentences answer the question.",
    "think_nothing": "What was read does not answer the question.",
    "answer": "The library says:",
    "answer_equation": "The library gives this equation:",
    "quote": "- “{text}” — [{key}] {place}",
    "quote_table": "- {head}\n  {text} — [{key}] {place}",
    "side": "**{name}**",
    "side_none": "- not found in the library",
    "not_found": "The answer was not found in the library: none of its papers covers this question.",
    "closest": "Closest to it, but without the answer: {papers}.",
    "failed": "The library could not be searched: {reason}",
    "no_library": (
        "There is no library tool in this session, and without a language model nothing can be answered from memory."
    ),
    "stopped": "Nothing was read before the answer was due, so nothing can be quoted: not found in the library.",
    "greeting": (
        "Hello. Ask a question about astronomy, in English or Chinese, for example: What is the Hubble constant from "
        "Planck? The answer quotes the papers of the library, each with its source."
    ),
    "no_terms": "Please ask about something by name: an object, a quantity, a paper. This has no word to search for.",
    "summary_none": "Nothing was quoted yet.",
}
