"""What is said of files that cannot be read."""

TEXTS = {
    "missing": "{path} is not there",
    "cannot_read": "{path} cannot be read: {why}",
    "not_a_file": "{path} is not a plain file",
    "too_long": "{path} has more than {most:,} bytes",
    "not_utf8": "{path} is not UTF-8 text",
    "too_many": "{path} holds more than {most:,} files",
}
