"""``astroresearch config show``: every setting, its value, and where that comes from; secrets are never shown."""

import typer

from .output import hint, tell
from .sessions import Json
from .words import t


def register(app: typer.Typer) -> None:
    group = typer.Typer(help=t("help_config"), no_args_is_help=True, rich_markup_mode=None)
    group.command("show", help=t("help_config_show"))(show)

    @group.callback()
    def several() -> None: ...  # keeps ``show`` a command of its own while it is the only one

    app.add_typer(group, name="config")


def show(as_json: Json = False) -> None:
    from ..config import FIELDS, is_secret, load_settings
    from .output import as_json_text
    from .words import language

    loaded = load_settings(locale=language())
    rows = {}
    for name, field in FIELDS.items():
        value = getattr(loaded.settings, field)
        shown = t("set" if value else "not_set") if is_secret(name) else value
        rows[name] = ("" if shown is None else str(shown), loaded.sources.get(name, t("default")))
    for notice in loaded.notices:
        hint(t("notice", text=notice))
    if as_json:
        tell(as_json_text({name: {"value": value, "source": source} for name, (value, source) in rows.items()}))
        return
    width = max(map(len, rows))
    for name, (value, source) in rows.items():
        tell(f"{name:<{width}}  {value or '-'}  ({source})")
