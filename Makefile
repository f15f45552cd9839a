# Easel Studio: everything that a newcomer types. The work behind `install` is in tools/setup/.

.DEFAULT_GOAL := help
.PHONY: help install run test test-train check bench tasks pins clean

PY := .venv/bin/python
SETUP := sh tools/setup/python.sh -m tools.setup.install
export PYTHON

# PORT and DATA_DIR count when given to make itself; from the environment only EASEL_PORT and EASEL_DATA_DIR do
given = $(filter command,$(origin $(1)))
SERVE_OPTIONS = $(if $(call given,PORT),--port "$(PORT)") $(if $(call given,DATA_DIR),--data-dir "$(DATA_DIR)")

help: ## Show what can be made
	@sed -n 's/^\([a-z-]*\):.* ## /  make \1|/p' Makefile | awk -F'|' '{ printf "%-17s %s\n", $$1, $$2 }'

install: ## Set up .venv with the pinned packages and compile the kernels
	@$(SETUP)

run: install ## Serve the studio (PORT=7860 DATA_DIR=.easel; PYTHON=python3.12 chooses the Python)
	@exec $(PY) -m easel_app.cli serve $(SERVE_OPTIONS)

# a file's tests stay together, since they share servers; in this order the long ones, the browser's, come first
TOGETHER := --numprocesses=logical --maxprocesses=4 --dist=loadfile --no-loadscope-reorder

test: check ## Run the linter, the type checker, the import rules and all tests, browser and sandbox included
	@$(PY) -m tools.setup.sandbox
	@EASEL_CHROMIUM="$$($(PY) -m tools.setup.browser)" && export EASEL_CHROMIUM && $(PY) -m pytest $(TOGETHER)

test-train: ## Run the tests of training and of clusters in an environment of their own, .venv-train (7 GB)
	@EASEL_VENV=.venv-train $(SETUP) --train
	@.venv-train/bin/python -m pytest $(TOGETHER) --timeout=900 tests_train
	@.venv-train/bin/python -m pytest tests/trajectories/engines/test_ray.py

check: ## Run the linter, the type checker and the import rules
	@$(SETUP) --dev
	$(PY) -m ruff check .
	$(PY) -m mypy
	.venv/bin/lint-imports

bench: ## Print the measured numbers
	@$(SETUP) --dev
	@$(PY) -m benchmarks

tasks: ## Build data/tasks anew from packages and seeds
	@$(SETUP) --dev
	@$(PY) -m tools.build_tasks

pins: ## Choose package versions anew and write constraints.txt
	@sh tools/setup/python.sh -m tools.setup.pin

clean: ## Remove .venv and every cache (never the data folder)
	rm -rf .venv .venv-train .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .numba_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
