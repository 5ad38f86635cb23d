# The house in eight words: run, test, programs, postgres, oracle, walk, check, bench.
#   make run [PORT=8000] [DATA=var]     make bench [ONLY=name] [LONG=1]

PORT ?= 8000
DATA ?= var
export PORT DATA

BIN := .venv/bin
RUN := .venv/.requirements
DEV := .venv/.requirements-dev
SCAN := .venv-scan/.requirements-scan

.PHONY: run test programs postgres oracle walk check bench chaos fuzz scan

run: $(RUN)
	@exec $(BIN)/python manage.py up

FAST := not process and not browser and not oracle

test: $(DEV)
	$(BIN)/pytest -n 2 --dist loadfile -m "$(FAST) and not programs"

programs: $(DEV)
	$(BIN)/pytest -n 2 --dist loadfile -m "$(FAST) and programs"

postgres: $(DEV)
	$(BIN)/python scripts/with_postgres.py \
		$(BIN)/pytest -n 2 --dist loadfile -m "django_db and $(FAST)"

oracle: $(DEV)
	$(BIN)/pytest -n 2 --dist loadfile -m oracle

walk: $(DEV)
	scripts/install-for-walk
	$(BIN)/pytest -n 2 --dist loadfile -m "process or browser"

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet templates
	scripts/settings-for-check $(BIN)/python manage.py check
	scripts/settings-for-check $(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m scripts.audit

fuzz: $(DEV)
	$(BIN)/python -m scripts.fuzz
	$(BIN)/python scripts/fuzz_bundles.py

scan: $(DEV) $(SCAN)
	$(BIN)/python -m scripts.scan

bench: $(DEV)
	$(BIN)/python -m bench $(if $(ONLY),--only $(ONLY)) $(if $(LONG),--long)

# Processes of a site on two hosts killed for a minute; ends and clears away by itself.
chaos: $(DEV)
	$(BIN)/python -m bench.chaos $(if $(SEED),--seed $(SEED))

$(RUN): requirements.lock
	scripts/install requirements.lock
	@touch $@

# The second lock holds the first: who tests can also run.
$(DEV): requirements-dev.lock
	scripts/install requirements-dev.lock
	@touch $@ $(RUN)

$(SCAN): requirements-scan.lock
	scripts/install requirements-scan.lock .venv-scan
	@touch $@
