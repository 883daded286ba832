"""``python docs/adapters/check.py``: runs every adapter in its framework's own environment and says what happened."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import environments  # noqa: E402  (the repository is not on the path of a script in docs/)

RUN = """
from example import run
from script import WINDOW
told = run().told(WINDOW)
print("\\n".join(("  ok    " if good else "  WRONG ") + line for line, good in told))
raise SystemExit(not all(good for _, good in told))
"""


def main() -> int:
    """Return 0 if every adapter that could be installed did what it should."""
    wrong = 0
    for folder in sorted(path.parent for path in HERE.glob("*/example.py")):
        requirements = folder / "requirements.txt"
        print(f"{folder.name} ({requirements.read_text().strip()})")
        try:
            environments.make(f"adapter_{folder.name}", requirements)
        except environments.Unavailable as error:
            print(f"  skipped: {error}")
            continue
        wrong += _run(folder)
    return 1 if wrong else 0


def _run(folder: Path) -> bool:
    paths = os.pathsep.join(map(str, (folder, HERE, ROOT / "src")))
    python = environments.python_of(f"adapter_{folder.name}")
    run = subprocess.run(
        [str(python), "-c", RUN], env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True
    )
    print(run.stdout.rstrip() or f"  WRONG {run.stderr.strip().splitlines()[-1]}")
    return bool(run.returncode)


if __name__ == "__main__":
    raise SystemExit(main())
