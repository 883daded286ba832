"""Markdown (with the YAML front matter of JOSS) and plain text -> Paper."""

import re
from collections.abc import Iterator, Mapping

from ..papers import Block, Paper, Reference, Section
from . import bibliography
from .frontyaml import FrontYaml, front_yaml
from .reading import Reading, some
from .source import LONGEST, balanced, decode

_FENCE = re.compile(r"^(```|~~~)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_DISPLAY = re.compile(r"^\s*\$\$(.*)")
_CITE = re.compile(r"(?<![\w@])-?@\{?([\w][\w:.#$%&+?<>~/\-]*[\w/])\}?")
_YEAR = re.compile(r"(?<!\d)(19[5-9]\d|20[0-4]\d)(?!\d)")
_TABLE_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?")
_NOTE = re.compile(r"^\[\^[^\]]+\]:\s*")


def parse_markdown(data: bytes, name: str, files: Mapping[str, bytes], reading: Reading) -> Paper:
    """Return the paper of a Markdown text. Equations between ``$$`` are blocks; ``[@key]`` are citations."""
    text = _text(data, reading)
    front, body = front_yaml(text)
    sections = list(_sections(body))
    title, sections = (front.title, sections) if front.title else _title(sections, name)
    cited = dict.fromkeys(key for section in sections for block in section.blocks for key in block.cites)
    references = _references(front, cited, files, reading)
    year = _YEAR.search(front.date)
    return Paper("", title, front.authors, int(year[1]) if year else None, doi=front.doi, abstract=front.abstract,
                 sections=tuple(sections), references=references, format="markdown",
                 notices=reading.all_notices())  # fmt: skip


def _text(data: bytes, reading: Reading) -> str:
    text = decode(data, reading).replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > LONGEST:
        reading.notice("source_cut", kept=LONGEST, total=len(text))
    return text[:LONGEST]


def _title(sections: list[Section], name: str) -> tuple[str, list[Section]]:
    """Without front matter a single first heading is the title; else the file's name is."""
    if sections and sections[0].level == 1 and sections[0].title:
        first, rest = sections[0], sections[1:]
        body = [Section("", 1, first.blocks)] if first.blocks else []
        lifted = (
            [Section(s.title, max(1, s.level - 1), s.blocks) for s in rest] if all(s.level > 1 for s in rest) else rest
        )
        return first.title, body + lifted
    return name.rpartition("/")[2].rpartition(".")[0] or name, sections


def _references(front: FrontYaml, cited: dict[str, None], files: Mapping[str, bytes],
                reading: Reading) -> tuple[Reference, ...]:  # fmt: skip
    known: dict[str, Reference] = {}
    for file in front.bibliography:
        if file in files:
            text = balanced(decode(files[file], reading))[0]
            entries = bibliography.from_bib(text, lambda raw: " ".join(re.sub(r"[{}\\]", "", raw).split()))
            known.update((entry.reference.key, entry.reference) for entry in entries)
        else:
            reading.absent_files[file] = None
    missing = dict.fromkeys(key for key in cited if key not in known)
    if missing:
        reading.notice("references_missing", count=len(missing), keys=some(missing))
    return tuple(known.values()) + tuple(Reference(key) for key in missing)


def _sections(body: str) -> Iterator[Section]:
    title, level, lines = "", 1, list[str]()
    fenced = False
    for row in body.split("\n"):
        fenced ^= bool(_FENCE.match(row))
        heading = None if fenced else _HEADING.match(row)
        if heading is None:
            lines.append(row)
            continue
        if title or any(map(str.strip, lines)):
            yield Section(title, level, tuple(_blocks(lines)))
        title, level, lines = heading[2].strip().rstrip("#").strip(), len(heading[1]), []
    if title or any(map(str.strip, lines)):
        yield Section(title, level, tuple(_blocks(lines)))


def _blocks(lines: list[str]) -> Iterator[Block]:
    """Cut at blank lines; code and displayed mathematics are kept whole, whatever blank lines they hold."""
    part: list[str] = []
    closing = ""
    for row in lines:
        if closing:
            part.append(row)
            if row.strip().endswith(closing):
                yield from _block(part)
                part, closing = [], ""
        elif opening := _FENCE.match(row) or _DISPLAY.match(row):
            yield from _block(part)
            part = [row]
            closing = "$$" if "$$" in opening[0] else opening[1]
            if closing == "$$" and row.strip().endswith("$$") and len(row.strip()) > 3:
                yield from _block(part)
                part, closing = [], ""
        elif row.strip():
            part.append(row)
        else:
            yield from _block(part)
            part = []
    yield from _block(part)


def _block(lines: list[str]) -> Iterator[Block]:
    text = "\n".join(lines).strip()
    if not text:
        return
    if fence := _FENCE.match(text):
        inside = text.split("\n", 1)[1] if "\n" in text else ""
        yield Block("code", inside.rstrip().removesuffix(fence[1]).rstrip("\n"))
    elif text.startswith("$$"):
        yield _equation(text)
    elif len(lines) > 1 and _TABLE_RULE.fullmatch(lines[1].strip()) and "|" in lines[0]:
        yield Block("table", "\n".join(row.strip() for row in lines))
    else:
        note = _NOTE.match(text)
        flat = text if re.search(r"^\s*(?:[-*+]|\d+\.)\s", text, re.MULTILINE) else " ".join(text.split())
        flat = _NOTE.sub("", flat)
        yield Block("note" if note else "text", flat, cites=tuple(dict.fromkeys(_CITE.findall(text))))


def _equation(text: str) -> Block:
    inside = text.removeprefix("$$")
    body, _, after = inside.rpartition("$$")
    body = (body or inside).strip()
    label = re.search(r"\{#([\w:.\-]+)\}", after) or re.search(r"\\label\{([^{}]*)\}", body)
    return Block("equation", re.sub(r"\\label\{[^{}]*\}", "", body).strip(), label=label[1] if label else "")


def parse_text(data: bytes, name: str, reading: Reading) -> Paper:
    """Return a plain text as a paper: its first line is the title, blank lines part paragraphs."""
    text = _text(data, reading)
    parts = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]
    title = name.rpartition("/")[2].rpartition(".")[0] or name
    if parts and len(parts) > 1 and len(parts[0]) <= 200:
        title, parts = parts[0], parts[1:]
    blocks = tuple(Block("text", part) for part in parts)
    return Paper("", title, sections=(Section("", 1, blocks),), format="text", notices=reading.all_notices())
