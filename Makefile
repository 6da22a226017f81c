# `make demo` and `make test` set up what they need; `make check` is `make test` without the setting up.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo demo-rag demo-month test check setup browser qpdf redis systemd lock example picture clean

demo: setup
	$(BIN)/reportgen demo --out out/demo

# The other example: answers from passages, by two metrics that stand alone.
demo-rag: setup
	$(BIN)/reportgen demo --example rag --out out/demo-rag

# Two months of the first example, published for every audience; with a correction, a withdrawal, an erasure, and sites.
demo-month: setup
	tools/demo-month out/demo-month

test: setup browser qpdf redis systemd check

check:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n auto --dist worksteal

setup: .venv/complete

.venv/complete: requirements.lock pyproject.toml tools/setup tools/packages
	PYTHON=$(PYTHON) tools/setup

browser:
	tools/browser

# The tests check each PDF with it.
qpdf:
	command -v qpdf >/dev/null || tools/packages qpdf

# The tests of the queue start a server of their own.
redis:
	command -v redis-server >/dev/null || tools/packages redis-server

# The tests have it read the units in deploy.
systemd:
	command -v systemd-analyze >/dev/null || tools/packages systemd

# The lock pins every package with its digests; it names no registry.
lock:
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --quiet --output-file requirements.lock

# The example turns, from real SQL on a real database and from a real search; the verdicts that were written on them;
# the example run.
example:
	$(BIN)/python examples/sql/make_turns.py
	$(BIN)/python examples/sql/record_verdicts.py
	$(BIN)/python examples/rag/make_turns.py
	$(BIN)/python examples/rag/record_verdicts.py
	$(BIN)/reportgen demo --out build/example --format json --quiet
	rm -rf runs/*-example-verdicts
	cp -r build/example/runs/. runs

# The picture in the README, from the PDF of `make demo`.
picture: demo
	pdftoppm -f 2 -l 2 -r 80 -png -singlefile out/demo/report.pdf docs/report-page

clean:
	rm -rf .venv out dist build
