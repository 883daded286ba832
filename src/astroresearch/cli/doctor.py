"""``astroresearch doctor``: is everything in place, and what to do where it is not."""

import typer

from .output import tell
from .words import t


def register(app: typer.Typer) -> None:
    app.command(help=t("help_doctor"))(doctor)


def doctor() -> int:
    import asyncio

    from .checkup import checks

    worst = 0
    for check in asyncio.run(checks()):
        tell(t(f"check_{check.state}", name=check.name, text=check.text))
        worst = max(worst, 3 if check.state == "fail" else 0)
    return worst
