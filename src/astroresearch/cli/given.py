"""The settings as a command gets them."""

from collections.abc import Mapping

import typer

from ..config import Settings, load_settings
from .words import language, t


def settings_for(flags: Mapping[str, object] | None = None) -> Settings:
    """Return the settings with *flags* from the command line on top; what was not followed is said on stderr."""
    loaded = load_settings(locale=language(), flags=flags)
    for notice in loaded.notices:
        typer.echo(t("notice", text=notice), err=True)
    return loaded.settings
