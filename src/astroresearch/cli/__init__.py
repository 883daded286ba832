"""The command line: ``main`` is the ``astroresearch`` script; nothing heavy is imported before it is needed."""

import sys


def main() -> None:
    """Run one command and exit with its code (interface.md "Command line")."""
    try:
        from .app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
