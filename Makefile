# A bare machine needs Python 3.11 or newer and make, nothing else.
PYTHON ?= python3
# On a machine without a GPU, the CPU build is smaller:
#   make setup TORCH="torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu"
TORCH ?= torch==2.13.0

BIN := .venv/bin
READY := .venv/.ready
PROFILES := $(if $(XDG_CONFIG_HOME),$(XDG_CONFIG_HOME),$(HOME)/.config)/snakemake

.PHONY: help setup rehearsal test lint format profiles lock clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup: $(READY) ## make .venv with the locked environment

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is %d.%d; use make PYTHON=python3.11" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet $(TORCH)
	$(BIN)/pip install --quiet --no-deps --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

rehearsal: $(READY) ## run the whole experiment on a laptop: CPU, no Lean, no download
	@$(BIN)/snakemake --workflow-profile rehearsal

test: lint ## lint, type check and test
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

lint: $(READY) ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile rules
	$(BIN)/codespell

format: $(READY) ## put sources into the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile rules

profiles: ## link the profiles so that `snakemake --profile runpod` works anywhere
	@mkdir -p "$(PROFILES)"
	@for profile in profiles/*/; do \
	  name=$$(basename $$profile); link="$(PROFILES)/$$name"; \
	  if [ -e "$$link" ] && [ ! -L "$$link" ]; then echo "$$link exists and is no link: left alone"; continue; fi; \
	  ln -sfn "$(CURDIR)/profiles/$$name" "$$link" && echo "$$link -> profiles/$$name"; \
	done

lock: ## renew requirements.lock (needs uv); torch is left out: its builds differ between machines
	uv lock --upgrade
	uv export --quiet --no-emit-project --extra dev --extra slurm --extra s3 --extra qlora --prune torch --no-header --no-annotate -o .lock.tmp
	{ echo "# All dependencies but torch, with hashes; made by make lock."; cat .lock.tmp; } > requirements.lock
	rm uv.lock .lock.tmp

clean: ## remove the environment and caches; results stay
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
