# Every target does its own set-up: python3 with venv and make are all a fresh machine needs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed

.PHONY: demo sample demo-nvlink demo-gdr demo-pfc demo-mixed test fuzz kills softroce lint docs lock clean

demo: $(STAMP)
	@$(BIN)/python -m tests.demo $(BIN)/fabric-audit

# The production cases, one each: the report begins with the case, at the right component.
demo-nvlink demo-gdr demo-pfc demo-mixed: $(STAMP)
	@$(BIN)/python -m tests.demo $(BIN)/fabric-audit $(@:demo-%=%)

test: $(STAMP)
	$(BIN)/pytest -q

# Texts that parsers are given, harmed in 100,000 ways; `make test` has 5,000 of them.
fuzz: $(STAMP)
	$(BIN)/pytest -q tests/platforms/test_mangler.py --mangled 100000

# The controller ended at 50 random moments; `make test` has six of them.
kills: $(STAMP)
	KILLS=50 $(BIN)/pytest -q tests/end_to_end/test_safeguards.py -k any_moment

# SOFTROCE_HOSTS=8 makes it four times as long.
softroce: $(STAMP)
	tests/softroce/install.sh
	SOFTROCE_HEALTHY_RUNS=5 $(BIN)/pytest -q --softroce tests/softroce

# The report of the demonstration, as it is committed; its capture is left out.
sample: $(STAMP)
	rm -rf reports/sample
	$(BIN)/fabric-audit run inventories/demo.yaml --yes --quiet --output reports/sample --format html,certificate,line; \
		test $$? -eq 1
	rm -rf reports/sample/capture

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Pages that are made of the code; tests tell when they are stale.
docs: $(STAMP)
	$(BIN)/python -m tests.docs.write_checks

$(STAMP): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

# Written again after a change of dependencies: every package with its hashes, for every Python from 3.11 on.
lock: $(STAMP)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --generate-hashes --extra sim --group dev pyproject.toml \
		--output-file requirements.lock --no-header --quiet

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
