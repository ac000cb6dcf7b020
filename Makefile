# `make run` and `make test` are all a fresh machine needs: Python >= 3.11 with venv, and make.
# What is installed is noted in stamp files in .venv, so a second `make` installs nothing.

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip -qq --no-input --disable-pip-version-check
# Only ready-made packages, in the versions that were tested: nothing is compiled on the way.
INSTALL := $(PIP) install --only-binary=:all: --constraint constraints.txt
RUNTIME := .venv/installed-runtime
TOOLS := .venv/installed-tools

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test lint format bench install install-tools clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | awk -F '\t' '{printf "  make %-15s %s\n", $$1, $$2}'

run: $(RUNTIME) ## install what is needed, then: at how many points to stay?
	@$(BIN)/flip7sim run experiments/stay_thresholds.toml $(ARGS)

test: $(TOOLS) ## install the test tools too, then the whole suite (ARGS="-k word" for less)
	@$(BIN)/python -m pytest $(ARGS)

lint: $(TOOLS) ## ruff (rules and format) and mypy --strict
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy

format: $(TOOLS) ## lay the sources out as `make lint` wants them
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(RUNTIME) ## rounds per second beside the same work in plain C (bench/rounds.c)
	@$(BIN)/flip7sim bench $(ARGS)

install: $(RUNTIME) ## only install
install-tools: $(TOOLS) ## only install, with the tools for tests and lint

clean: ## remove caches and build output (.venv stays; `rm -r .venv` to start anew)
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .coverage htmlcov
	@find . -name .venv -prune -o -name .git -prune -o \
	    \( -name __pycache__ -o -name .ipynb_checkpoints \) -type d -prune -exec rm -rf {} +

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	    { echo "flip7sim needs Python 3.11 or newer, and $(PYTHON) is not: try make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	    { echo "$(PYTHON) lacks the module venv: install it (python3-venv on Debian and Ubuntu)" >&2; exit 1; }
	@$(PYTHON) -m venv .venv

# The backend first, in the tested version, so that pip need not fetch one of its own.
$(RUNTIME): pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing flip7sim into .venv, once ..." >&2
	@$(INSTALL) hatchling
	@$(INSTALL) --no-build-isolation --editable .
	@touch $@

$(TOOLS): $(RUNTIME)
	@echo "Installing the tools for tests into .venv, once ..." >&2
	@$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@
