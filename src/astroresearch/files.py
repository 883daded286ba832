"""Small files that people edit too: written whole or not at all, read without following links, told apart by content.

Shared by the rooms that keep such files (memory, skills, hooks, permissions, trust), so that each promise is kept once.
"""

import fcntl
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

LOCK = ".lock"


class Unreadable(Exception):
    """A file that is not read: missing, a link, no plain file, too long, or not UTF-8. *key* is a text of ours."""

    def __init__(self, key: str, path: Path, **details: object) -> None:
        super().__init__(key, path)
        self.key, self.path, self.details = f"files.{key}", path, {"path": path, **details}


def read_text(path: Path, most: int) -> str:
    """Return the text of a plain file of at most *most* bytes; raises ``Unreadable``."""
    data = read_bytes(path, most)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("not_utf8", path) from None


def read_bytes(path: Path, most: int) -> bytes:
    """Return the bytes of a plain file; its last part is never followed if it is a link. Raises ``Unreadable``."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise Unreadable("missing", path) from None
    except OSError as error:
        raise Unreadable("cannot_read", path, why=error.strerror) from None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unreadable("not_a_file", path)
        data = file.read(most + 1)
    if len(data) > most:
        raise Unreadable("too_long", path, most=most)
    return data


def write_text(path: Path, text: str) -> None:
    """Replace *path* by *text*, durably: whoever reads sees the old file or the new one. Raises ``OSError``."""
    temporary = path.with_name(f".{path.name}.{token_hex(6)}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make what was renamed or removed in *folder* durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock against every other process and thread; the system frees it when its holder dies."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def digest(root: Path, files: Iterable[Path], most: int) -> str:
    """Return the SHA-256 over names below *root* and contents of *files*; raises ``Unreadable``, for a link too."""
    whole = hashlib.sha256()
    for path in sorted(files):
        content = hashlib.sha256(read_bytes(path, most)).hexdigest()
        whole.update(f"{path.relative_to(root)}\0{content}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def files_below(folder: Path, most: int = 500) -> tuple[Path, ...]:
    """Return the files below *folder*, links included but not followed; ``Unreadable`` if more than *most*."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        linked = (name for name in folders if Path(place, name).is_symlink())
        found += [Path(place, name) for name in (*sorted(names), *linked)]
        if len(found) > most:
            raise Unreadable("too_many", folder, most=most)
    return tuple(found)
