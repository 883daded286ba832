"""LaTeX source -> Paper. Sections are found in the text and rendered one by one: one that fails costs no other."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from pylatexenc.latexwalker import LatexWalker, LatexWalkerError

from ..papers import Block, Paper, Section
from . import bibliography, frontmatter, vocabulary
from .blocks import REF, REF_END, Blocks, Shared
from .cites import Cites
from .macros import Macros
from .numbering import Numbering
from .reading import Reading, UnreadablePaper, some
from .source import arguments, balanced, bounded, decode, prepare

_CLASS = re.compile(r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{\s*([^{}]*?)\s*\}")
_DOCUMENT = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)
_BIBLIOGRAPHY = re.compile(r"\\begin\s*\{thebibliography\}(.*?)(?:\\end\s*\{thebibliography\}|\Z)", re.DOTALL)
_BIB_FILES = re.compile(r"\\(?:bibliography|addbibresource)\s*\{([^{}]*)\}")
_TITLED = "|".join(vocabulary.TITLED)
_HEADING = re.compile(
    rf"\\(?:(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)(\*?)\s*(?=[\[{{])"
    rf"|(appendix|appendices)(?![A-Za-z])|begin\s*\{{(appendix|appendices)\}}"
    rf"|(?:begin\s*\{{|)({_TITLED})(?:\}}|(?![A-Za-z}}])))"
)
_ENDS = re.compile(rf"\\end\s*\{{(?:{_TITLED}|appendix|appendices)\}}")
_REF = re.compile(f"{REF}([a-z]*):([^{REF_END}]*){REF_END}")
HEADINGS = 2_000  # a book has 500; what follows the last of them stays its text
_LETTERED = ("aastex", "aastex6", "aastex61", "aastex62", "emulateapj")


@dataclass(frozen=True, slots=True)
class Heading:
    title: str = ""  # LaTeX source
    level: int = 1
    numbered: bool = False
    appendix: bool = False  # from here on sections have letters


def parse_latex(data: bytes, name: str, files: Mapping[str, bytes], reading: Reading) -> Paper:
    """Return the paper of a LaTeX source; raises ``UnreadablePaper`` if nothing in it can be read."""
    text, verbatim = prepare(decode(data, reading), reading)
    macros = Macros(vocabulary.standard_macros(), vocabulary.standard_environments(), reading)
    text = bounded(macros.expand(macros.collect(text)), reading)
    numbering = Numbering(letters=_letters(text))
    numbering.within_section = bool(re.search(r"\\numberwithin\s*\{equation\}\s*\{section\}", text))
    shared = Shared("", reading, numbering, Cites(), verbatim)
    document = _DOCUMENT.search(text)
    front = frontmatter.take(text if document is None else text[: document.end()], lambda raw: line(shared, raw))
    body = _DOCUMENT.search(front.rest)
    source = body[1] if body else front.rest
    source = _read_bibliography(source, name, files, shared)
    abstract = " ".join(block.text for block in _blocks(front.abstract, "abstract", shared))
    sections = tuple(_sections(source, shared))
    paper = Paper("", front.title, front.authors, front.year, abstract=abstract, sections=sections, format="latex")
    return replace(_resolved(paper, shared), references=shared.cites.references(), notices=_notices(shared, paper))


def _letters(text: str) -> bool:
    """Whether figures and equations of an appendix are numbered A1: AASTeX before 6.3, and later ones when told to."""
    found = _CLASS.search(text)
    return "\\restartappendixnumbering" in text or bool(found and found[1] in _LETTERED)


def _notices(shared: Shared, paper: Paper) -> tuple[str, ...]:
    reading, missing = shared.reading, shared.cites.missing
    if not paper.title and not paper.sections and not paper.abstract:
        raise UnreadablePaper(reading.say("nothing_found"))
    if missing:
        reading.notice("references_missing", count=len(missing), keys=some(dict.fromkeys(missing)))
    return reading.all_notices()


def line(shared: Shared, raw: str) -> str:
    """Return a piece of LaTeX as one line of text: a title, a name, an entry of the bibliography."""
    found = _walk(raw, shared, plain=True)
    text = " ".join(f"${block.text}$" if block.kind == "equation" else block.text for block in found)
    return " ".join(text.split())


def _walk(raw: str, shared: Shared, plain: bool = False) -> tuple[Block, ...]:
    source = balanced(raw)[0]
    walker = LatexWalker(source, latex_context=vocabulary.context(), tolerant_parsing=True)
    nodes, _, _ = walker.get_latex_nodes()
    outer, shared.source = shared.source, source
    try:
        blocks = Blocks(shared, plain)
        blocks.walk(nodes)
        return blocks.finish()
    finally:
        shared.source = outer


def _blocks(raw: str, place: str, shared: Shared) -> tuple[Block, ...]:
    """Render one section; where that fails its bare words are kept, and the paper says so."""
    try:
        return _walk(_ENDS.sub("\n\n", raw), shared)
    except (LatexWalkerError, RecursionError, ValueError, IndexError, TypeError, AttributeError) as error:
        shared.reading.notice("section_unparsed", section=place, reason=type(error).__name__)
        words = re.sub(r"\\[A-Za-z@]+\*?|[{}]", " ", raw)
        return tuple(Block("text", " ".join(part.split())) for part in re.split(r"\n\s*\n", words) if part.strip())


def _sections(source: str, shared: Shared) -> Iterator[Section]:
    for heading, text in _split(source):
        number = ""
        if heading.appendix:
            shared.numbering.start_appendix()
        title = line(shared, heading.title)
        shared.numbering.here = ("Section", title)
        if heading.numbered and 1 <= heading.level <= 3:
            number = shared.numbering.next_section(heading.level)
        blocks = _blocks(text, f"{number} {title}".strip(), shared)
        if heading.title or blocks:
            yield Section(title, max(heading.level, 1), blocks, number)


def _split(source: str) -> Iterator[tuple[Heading, str]]:
    """Cut the body at its headings. A heading inside a group is one too: authors wrap whole passages in macros."""
    heading, at = Heading(), 0
    appendix = False
    for match in islice(_HEADING.finditer(source), HEADINGS):
        if match.start() < at:
            continue
        text = source[at : match.start()]
        if match[3] or match[4]:
            appendix = True
            yield heading, text
            heading, at = Heading(), match.end()
            continue
        yield heading, text
        heading, at = _heading(source, match, appendix)
        appendix = appendix and not heading.appendix
    yield heading, source[at:]


def _heading(source: str, match: re.Match[str], appendix: bool) -> tuple[Heading, int]:
    if match[5]:
        return Heading(vocabulary.TITLED[match[5]]), match.end()
    found, end = arguments(source, match.end(), "[{")
    level = vocabulary.SECTIONS[match[1]]
    numbered = not match[2]
    return Heading(found[1] or "", level, numbered, appendix and numbered and level == 1), end


def _read_bibliography(source: str, name: str, files: Mapping[str, bytes], shared: Shared) -> str:
    entries: list[bibliography.Entry] = []

    def render(raw: str) -> str:
        return line(shared, raw)

    match = _BIBLIOGRAPHY.search(source)
    if match:
        entries.extend(bibliography.from_items(match[1], render))
        source = source[: match.start()] + source[match.end() :]
    else:
        entries.extend(_from_files(source, name, files, shared))
    for entry in entries:
        shared.cites.known.setdefault(entry.reference.key, entry.reference)
        if entry.author and entry.year:
            shared.cites.names.setdefault(entry.reference.key, (entry.author, entry.year))
    return source


def _from_files(source: str, name: str, files: Mapping[str, bytes], shared: Shared) -> Iterator[bibliography.Entry]:
    compiled = f"{name.rpartition('/')[2].removesuffix('.tex')}.bbl"
    if compiled in files:
        inside = _BIBLIOGRAPHY.search(decode(files[compiled], shared.reading))
        yield from bibliography.from_items(inside[1] if inside else "", lambda raw: line(shared, raw))
        return
    for match in _BIB_FILES.finditer(source):
        for wanted in match[1].split(","):
            file = f"{wanted.strip().removesuffix('.bib')}.bib"
            if file in files:
                text = balanced(decode(files[file], shared.reading))[0]
                yield from bibliography.from_bib(text, lambda raw: line(shared, raw))
            else:
                shared.reading.absent_files[file] = None


def _resolved(paper: Paper, shared: Shared) -> Paper:
    """Put numbers where labels are pointed to; what no label answers keeps the label's name."""
    lost: dict[str, object] = {}

    def number(match: re.Match[str]) -> str:
        kind, found = shared.numbering.labels.get(match[2], ("", ""))
        if not found:
            lost[match[2]] = None
            return f"[{match[2]}]"
        return f"{kind} {found}" if match[1] == "full" else f"({found})" if match[1] == "eq" else found

    def resolve(text: str) -> str:
        return _REF.sub(number, text) if REF in text else text

    sections = tuple(
        replace(section, title=resolve(section.title),
                blocks=tuple(replace(block, text=resolve(block.text)) for block in section.blocks))
        for section in paper.sections
    )  # fmt: skip
    resolved = replace(paper, title=resolve(paper.title), abstract=resolve(paper.abstract), sections=sections)
    if lost:
        shared.reading.notice("labels_missing", count=len(lost), labels=some(lost))
    return resolved
