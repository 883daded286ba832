"""The settings as a command gets them."""

from collections.abc import Mapping

from ..config import Settings, load_settings
from .output import hint
from .words import language, t


def settings_for(flags: Mapping[str, object] | None = None) -> Settings:
    """Return the settings with *flags* from the command line on top; what was not followed is said on stderr."""
    loaded = load_settings(locale=language(), flags=flags)
    for notice in loaded.notices:
        hint(t("notice", text=notice))
    return loaded.settings
