"""The house keeps its own rules: short functions, short files, and a heart that works alone."""

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def lengths() -> list[int]:
    trees = (ast.walk(ast.parse(file.read_text(encoding="utf-8"))) for file in SOURCES)
    functions = (n for tree in trees for n in tree if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return sorted((n.end_lineno or n.lineno) - n.lineno + 1 for n in functions)


def test_functions_and_files_are_short():
    found = lengths()
    assert found[len(found) // 2] <= 10
    assert found[int(len(found) * 0.95)] <= 40
    assert found[-1] <= 60
    assert {f.name: n for f in SOURCES if (n := len(f.read_text(encoding="utf-8").splitlines())) > 400} == {}


ALONE = """
import sys
from astroresearch.context import Engine, Policy
history = [{"role": "user", "content": "What is H0?"}]
for k in range(60):
    call = {"id": f"c{k}", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    history += [{"role": "assistant", "content": None, "tool_calls": [call]}]
    history += [{"role": "tool", "tool_call_id": f"c{k}", "content": f"paper {k} " + "word " * 400}]
fitted = Engine(policy=Policy.adaptive(), window=16_000).fit(history)
assert fitted.applied and fitted.tokens < 8_000, fitted.tokens
foreign = {m.partition(".")[0] for m in sys.modules} - set(sys.stdlib_module_names) - {"astroresearch", "__main__"}
assert not {m for m in foreign if not m.startswith("_")}, foreign
print("alone")
"""


def test_the_wheel_alone_runs_the_engine_in_an_empty_environment(tmp_path):
    uv = Path(sys.executable).with_name("uv")
    command = [str(uv) if uv.exists() else "uv", "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(ROOT)]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no wheel can be built here: {getattr(error, 'stderr', error)}")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "empty")], check=True)
    site = next((tmp_path / "empty").rglob("site-packages"))
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    python = tmp_path / "empty" / "bin" / "python"
    done = subprocess.run([str(python), "-I", "-c", ALONE], capture_output=True, text=True)
    assert done.stdout == "alone\n", done.stderr
