"""The library: every paper that was read, kept once, and found again by a question in words.

``Library.open(path)``; ``add``, ``papers``, ``paper``, ``search``, ``outline``, ``remove``.
"""

from .shelf import Added, Library, NoSuchPaper, Outline, PaperHead

__all__ = ["Added", "Library", "NoSuchPaper", "Outline", "PaperHead"]
