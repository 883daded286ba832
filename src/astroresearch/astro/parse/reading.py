"""What a parse knows besides the text: who asks for which language, which files are at hand, what could not be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...locales import Locale, say


class UnreadablePaper(ValueError):
    """Nothing can be read from these bytes; the message is one line for the user."""


@dataclass(slots=True)
class Reading:
    """Collects, while one paper is parsed, what it has to say about itself. *files*: name -> bytes of ``\\input``."""

    locale: Locale = "en"
    files: Mapping[str, bytes] = field(default_factory=dict)
    notices: dict[str, None] = field(default_factory=dict)
    unknown_macros: dict[str, int] = field(default_factory=dict)
    absent_values: dict[str, None] = field(default_factory=dict)
    absent_files: dict[str, None] = field(default_factory=dict)

    def say(self, key: str, **values: object) -> str:
        return say(self.locale, f"astro.{key}", **values)

    def notice(self, key: str, **values: object) -> None:
        """Say once that something could not be read."""
        self.notices[self.say(key, **values)] = None

    def all_notices(self) -> tuple[str, ...]:
        """Return every notice, those that were counted last."""
        if self.absent_values:
            self.notice("values_absent", count=len(self.absent_values), names=some(self.absent_values))
        if self.absent_files:
            self.notice("files_absent", names=some(self.absent_files))
        if self.unknown_macros:
            self.notice("macros_unknown", names=some(self.unknown_macros))
        return tuple(self.notices)


def some(names: Mapping[str, object], most: int = 8) -> str:
    """Return the first names in a row, and how many more there are."""
    shown = ", ".join(list(names)[:most])
    return f"{shown}, … (+{len(names) - most})" if len(names) > most else shown
