"""What was read from files, as values: an LRU by entries and bytes, and what to show again after a compaction (S4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..locales import Locale, say

MAX_ENTRIES = 100
MAX_CACHE_SIZE_BYTES = 25 * 1024 * 1024
POST_COMPACT_MAX_FILES_TO_RESTORE = 5
POST_COMPACT_MAX_CHARS_PER_FILE = 4_000


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file as it was read. *clock* orders the uses; *edited*: the agent changed it, so it is restored first."""

    path: str
    text: str
    mtime: float
    digest: str
    clock: int
    edited: bool = False

    @property
    def size(self) -> int:
        return len(self.text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class FileCache:
    """The files that are in the view or may be put back into it. A sub-agent has its own."""

    files: Mapping[str, CachedFile] = field(default_factory=dict)  # oldest use first
    clock: int = 0
    size: int = 0
    max_entries: int = MAX_ENTRIES
    max_bytes: int = MAX_CACHE_SIZE_BYTES

    def read(self, path: str, text: str, mtime: float, digest: str, *, edited: bool = False) -> "FileCache":
        """Return the cache after *path* was read or written; the least recently used leave when it is too full."""
        new = CachedFile(path, text, mtime, digest, self.clock + 1, edited)
        others = {p: f for p, f in self.files.items() if p != path}
        old = self.files.get(path)
        cache = replace(
            self,
            files={**others, path: new},
            clock=self.clock + 1,
            size=self.size - (old.size if old else 0) + new.size,
        )
        return cache._bounded()

    def _bounded(self) -> "FileCache":
        files, size = dict(self.files), self.size
        while files and (len(files) > self.max_entries or size > self.max_bytes):
            size -= files.pop(next(iter(files))).size
        return replace(self, files=files, size=size)

    def unchanged(self, path: str, mtime: float, digest: str) -> bool:
        """Whether *path* is just what was last read, by time and hash, so that a stub is enough."""
        known = self.files.get(path)
        return known is not None and known.mtime == mtime and known.digest == digest

    def to_snapshot(self) -> tuple[CachedFile, ...]:
        """Return all files, edited ones first, then the most recently used."""
        return tuple(sorted(self.files.values(), key=lambda f: (not f.edited, -f.clock)))

    def clear(self) -> "FileCache":
        return replace(self, files={}, size=0)

    def restore_from_snapshot(
        self, snapshot: tuple[CachedFile, ...], most: int = POST_COMPACT_MAX_FILES_TO_RESTORE
    ) -> "FileCache":
        """Return a cache that holds the first *most* files of *snapshot*: stubs for all others are invalid now."""
        cache = self.clear()
        for file in reversed(snapshot[:most]):
            cache = cache.read(file.path, file.text, file.mtime, file.digest, edited=file.edited)
        return cache


def restore_context(
    snapshot: tuple[CachedFile, ...],
    shown: str,
    locale: Locale,
    most: int = POST_COMPACT_MAX_FILES_TO_RESTORE,
    chars: int = POST_COMPACT_MAX_CHARS_PER_FILE,
) -> tuple[str, ...]:
    """Return the `[压缩后恢复: {path}]` blocks of the first *most* files, not again what *shown* (the view) holds."""
    blocks = []
    for file in snapshot[:most]:
        if not file.text or file.text in shown:
            continue
        text = file.text[:chars]
        if left := len(file.text) - len(text):
            text += say(locale, "context.restored_cut", left=left)
        blocks.append(say(locale, "context.restored", path=file.path, text=text))
    return tuple(blocks)
