"""What a person or a program sees of a turn: answers on stdout, progress on stderr (interface.md)."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from ..agent.events import (
    Compacted,
    Event,
    Failed,
    Finished,
    Notice,
    TextDelta,
    Thought,
    ToolCalled,
    ToolReturned,
    UsageReported,
)
from ..agent.journal import Published
from ..agent.session import Session
from ..locales import Locale, say
from .output import harmless, hint, plain_ascii, tell

QUIET = frozenset({"near_soft", "over_soft", "todo", "repetition"})  # notices that are meant for the model
SHOWN = 120  # characters of a call's arguments or a result
THOUGHT = 300


class Screen(Protocol):
    def show(self, published: Published) -> None: ...

    def end(self, session: Session, done: Finished) -> None: ...


class JsonLines:
    """One event a line."""

    def __init__(self) -> None:
        self._ascii = plain_ascii()

    def show(self, published: Published) -> None:
        tell(json.dumps(published.json, ensure_ascii=self._ascii), flush=True)

    def end(self, session: Session, done: Finished) -> None:
        return None


class Progress:
    """Lines on stderr, the answer on stdout once it is whole."""

    def __init__(self, locale: Locale) -> None:
        self._locale = locale
        self._compactions: list[Compacted] = []
        self._usage: UsageReported | None = None

    def show(self, published: Published) -> None:
        event = published.event
        if isinstance(event, Compacted):
            self._compactions.append(event)
        if isinstance(event, UsageReported):
            self._usage = event
        if line := self._line(event):
            agent = getattr(event, "agent", None)
            self.tell(f"  {agent} {line}" if agent else line)

    def tell(self, line: str) -> None:
        hint(line)

    def answer(self, text: str) -> None:
        tell(text)

    def end(self, session: Session, done: Finished) -> None:
        if done.answer:
            self.answer(done.answer)
        if done.status == "cancelled":
            self.tell(self._t("cancelled"))
        for citation in done.citations:
            year = citation.get("year") or "n.d."
            self.tell(self._t("source", id=citation["id"], title=citation["title"], year=year, place=citation["place"]))
        self.tell(self._t("session_line", id=session.id))
        self.tell(self._context_line())

    def _context_line(self) -> str:
        usage = self._usage
        if usage is None:
            return ""
        share = 100 * usage.context_tokens / usage.window
        line = self._t("context_line", tokens=usage.context_tokens, window=usage.window, share=share)
        if not self._compactions:
            return line + self._t("nothing_compacted")
        return line + "; ".join(compaction_line(done, self._locale) for done in self._compactions)

    def _line(self, event: Event) -> str:
        match event:
            case Thought(text=text):
                return self._t("thought", text=_one_line(text, THOUGHT))
            case ToolCalled(name=name, arguments=arguments):
                return self._t("tool_call", name=name, arguments=_short(arguments))
            case ToolReturned(name=name, status=status, preview=preview, ref=ref):
                key = "tool_ok" if status == "ok" else "tool_not_ok"
                return self._t(key, name=name, status=status, preview=_one_line(preview, SHOWN), ref=ref or "")
            case Compacted():
                return self._t("compaction", what=compaction_line(event, self._locale))
            case Notice(kind=kind, text=text) if kind not in QUIET:
                return self._t("notice", text=text)
            case Failed(message=message, advice=advice):
                return self._t("error", text=f"{message.rstrip('.')}. {advice}")
        return ""

    def _t(self, key: str, **values: object) -> str:
        return say(self._locale, f"cli.{key}", **values)


class Terminal(Progress):
    """As ``Progress``, on terminals: a live line of what goes on, text as it comes, Markdown for the answer."""

    def __init__(self, locale: Locale, live: Any, console: Any, render: Callable[[str], Any]) -> None:
        super().__init__(locale)
        self._live, self._console, self._render = live, console, render
        self._idle = live.renderable
        self._text, self._attempt = "", None  # type: tuple[str, int | None]

    def show(self, published: Published) -> None:
        event = published.event
        if isinstance(event, TextDelta):
            kept = self._text if event.attempt == self._attempt else ""
            self._text, self._attempt = kept + event.text, event.attempt
            self._live.update(self._render(self._tail()))
        elif isinstance(event, ToolCalled) and not event.agent:
            self._text = ""
            self._live.update(self._idle)
        elif isinstance(event, Notice) and event.seconds:
            self._live.update(Countdown(event.seconds, self._locale))
        super().show(published)

    def _tail(self) -> str:
        """Return what of the text fits the screen: a live region that is taller can't be redrawn."""
        return "\n".join(self._text.splitlines()[-max(self._live.console.height - 4, 3) :])

    def tell(self, line: str) -> None:
        self._live.console.print(harmless(line), markup=False, highlight=False, style="dim", soft_wrap=True)

    def answer(self, text: str) -> None:
        self._live.stop()
        if sys.stdout.isatty():
            self._console.print(self._render(text))
        else:
            tell(text)


class Countdown:
    """What a wait for the provider looks like on a terminal: the seconds that are left, each time it is drawn."""

    def __init__(self, seconds: float, locale: Locale) -> None:
        self._until, self._locale = time.monotonic() + seconds, locale

    def __rich__(self) -> Any:
        from rich.text import Text

        return Text(say(self._locale, "cli.waiting", seconds=max(self._until - time.monotonic(), 0.0)))


@contextmanager
def screen_for(locale: Locale, json_lines: bool) -> Iterator[Screen]:
    """Give the screen that fits where stdout and stderr go; Rich is only loaded for a terminal."""
    if json_lines:
        yield JsonLines()
    elif not sys.stderr.isatty():
        yield Progress(locale)
    else:
        yield from _terminal(locale)


def _terminal(locale: Locale) -> Iterator[Screen]:
    from rich.console import Console
    from rich.live import Live
    from rich.markdown import Markdown
    from rich.spinner import Spinner

    spinner = Spinner("dots", text=say(locale, "cli.working"))
    with Live(spinner, console=Console(stderr=True), transient=True, refresh_per_second=8) as live:
        yield Terminal(locale, live, Console(), lambda text: Markdown(harmless(text), hyperlinks=False))


def compaction_line(done: Compacted, locale: Locale) -> str:
    """Say what one compaction did."""
    references = ", ".join(done.references[:6]) + (" …" if len(done.references) > 6 else "")
    values = {"layers": " + ".join(done.layers), "before": done.before_tokens, "after": done.after_tokens}
    return say(locale, "cli.compacted", references=references, **values)


def _short(arguments: object) -> str:
    return _one_line(arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False), SHOWN)


def _one_line(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
