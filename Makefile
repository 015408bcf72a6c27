# Everything happens in .venv; only python3 (3.11 or newer), a C++20 compiler and make must be there.
PYTHON ?= python3
BIN := .venv/bin
NATIVE := pyproject.toml CMakeLists.txt $(wildcard csrc/* tables/* src/paohuzi/*.px?)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test bench lint docs
demo: .venv/.package ; $(BIN)/paohuzi analyse examples/hands.csv -o build/demo.parquet
test: .venv/.test ; $(BIN)/python -m pytest -n auto --maxprocesses 8
bench: .venv/.test ; $(BIN)/paohuzi bench --sets build/bench && $(BIN)/python -m pytest -o addopts= $(wildcard bench/bench_*.py) --benchmark-only
lint: .venv/.lint ; $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && PATH="$(BIN):$$PATH" cython-lint src && $(BIN)/clang-format --dry-run -Werror $(wildcard csrc/*.?pp tables/*.?pp)
docs: .venv/.docs ; $(BIN)/sphinx-build -q -W docs docs/_build/html

# The stamps: a step runs again only when what it installs has changed. The package is installed editable, so
# that a change of Python code needs no new build.
.venv/.pip: ; $(PYTHON) -m venv .venv && $(BIN)/pip install -q 'pip>=25.1' && touch $@
.venv/.package: $(NATIVE) | .venv/.pip ; $(BIN)/pip install -q -e '.[files]' && touch $@
.venv/.%: .venv/.package ; $(BIN)/pip install -q --group $* 'paohuzi[files,numba,plot,zst]' && touch $@
