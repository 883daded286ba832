TEXTS = {
    "environment": "environment variable {name}",
    "flag": "command line",
    "default": "default",
    "hidden": "(hidden)",
    "bad_value": "{name} is {value} ({source}), but it must be {wanted}",
    "limits": "AGENT_TOKEN_HARD_LIMIT ({hard}) must not be below AGENT_TOKEN_SOFT_LIMIT ({soft})",
    "unreadable": "{file} cannot be read: {why}",
    "unknown": "{name} in {file} is not a setting; `astroresearch config show` lists them all",
    "unknown_close": "{name} in {file} is not a setting; did you mean {close}?",
    "not_a_value": "{name} in {file} must be a text or a number",
    "only_environment": "ignored {name} in {file}: it can only be set in the environment",
    "not_from_folder": (
        "ignored {name} in {file}: a file that comes with a folder may set limits and language only;"
        " use the environment or astroresearch.toml in AGENT_HOME"
    ),
    "bad_policy": "AGENT_CONTEXT_POLICY: {file} cannot be used: {why}",
    "want_whole": "a whole number from {low} to {high}",
    "want_seconds": "a number of seconds from {low} to {high}",
    "want_choice": "one of {choices}",
    "want_model": "local, openai/NAME or anthropic/NAME",
    "want_policy": "document, adaptive, or a .toml or .json file",
    "want_database": "sqlite:////folder/file.db or postgresql://user@host/name",
    "want_http": "an address that begins with http:// or https://",
    "want_folder": "a folder",
    "want_text": "a text",
}
