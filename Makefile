# docs/development.md says when to run each target and how long it takes.
#   make run [PORT=8000] [DATA=var]     make bench [ONLY=name] [LONG=1]

PORT ?= 8000
DATA ?= var
export PORT DATA
# Seconds for which `make chaos` sends requests of slow clients to each of three servers.
SLOW ?= 60
# Without its bytecode cache, pytest would compile all tests in each run, which takes ten seconds.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
RUN := .venv/.requirements
DEV := .venv/.requirements-dev
SCAN := .venv-scan/.requirements-scan
MUTATION := .venv-mutation/.requirements-mutation

.PHONY: run test programs oracle slow full postgres walk check lint types audit nightly bench chaos \
	fuzz scan mutation

run: $(RUN)
	@exec $(BIN)/python manage.py up

# Tests are chosen by folder, so that pytest collects only tests that it runs. `make test` leaves out
# tests marked `slow` and tries 25 examples of each property. `.ci/run` also runs the slow tests.
# `make nightly` tries all examples and runs the tests marked `nightly`.
PYTEST := $(BIN)/pytest -n 2 --dist worksteal -q
REPORT = $(if $(RESULTS),--junitxml $(RESULTS)/$@.xml)
PROGRAMS := tests/api tests/actas tests/events tests/security tests/tools/scripts/test_check_acta.py \
	$(wildcard $(addprefix tests/*/,acta api archive exchange webhooks pages/exchange pages/webhooks)) \
	tests/core/spreadsheets tests/corridas/roster
ORACLE := $(wildcard tests/*/oracle tests/*/test_*oracle*.py tests/*/test_fuzzed_*.py)
WALK := tests/e2e $(addprefix tests/deployment/test_,apart.py proxy_logs.py queues.py up.py upgrade.py) \
	$(wildcard tests/*/*/test_*in_a_browser.py tests/*/*/*/test_*in_a_browser.py)
DAILY := not slow and not nightly and not postgres

test: $(DEV)
	$(PYTEST) tests $(PROGRAMS:%=--ignore=%) $(ORACLE:%=--ignore=%) $(WALK:%=--ignore=%) \
		-m "$(DAILY)" $(REPORT) $(ARGS)

programs: $(DEV)
	$(PYTEST) $(PROGRAMS) $(WALK:%=--ignore=%) -m "$(DAILY)" $(REPORT) $(ARGS)

oracle: $(DEV)
	$(PYTEST) $(ORACLE) -m "not nightly" $(REPORT) $(ARGS)

# Tests that `make test`, `make programs` and `make oracle` leave out.
slow: $(DEV)
	$(PYTEST) tests $(ORACLE:%=--ignore=%) $(WALK:%=--ignore=%) \
		-m "slow and not nightly and not postgres" $(REPORT) $(ARGS)

# All tests of the targets above, with all examples of each property test. Part of `make nightly`.
full: $(DEV)
	FULL=1 $(PYTEST) tests $(WALK:%=--ignore=%) -m "not nightly and not postgres" $(REPORT) $(ARGS)

# Tests that start their own PostgreSQL, and tests whose result may depend on the database.
POSTGRES := tests/accounts tests/api tests/core tests/server tests/events tests/search tests/leagues \
	tests/config/test_addresses.py tests/eltoro/admin \
	tests/corridas/test_permissions.py tests/security/test_big_numbers.py \
	$(addprefix tests/corridas/,admin circuits pages/lists pages/roster roster season simulation tabletop)

PART := (postgres or databases) and not nightly

postgres: $(DEV)
	$(BIN)/python tools/scripts/with_postgres.py $(PYTEST) $(POSTGRES) -m "$(PART)" $(REPORT) $(ARGS)

# Three tests run at the same time, because sites and browsers wait much of the time.
walk: $(DEV)
	tools/scripts/install-for-walk nginx
	$(PYTEST) -n 3 --dist loadfile $(WALK) -m "not nightly" $(REPORT) $(ARGS)

check: $(DEV)
	@$(MAKE) --no-print-directory --jobs 3 --output-sync lint types audit

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/python -m tools.scripts.format_static --check
	$(BIN)/python -m tools.scripts.check_words
	tools/scripts/settings-for-check $(BIN)/python manage.py check
	tools/scripts/settings-for-check $(BIN)/python manage.py makemigrations --check --dry-run

types:
	tools/scripts/settings-for-check $(BIN)/mypy .

audit:
	$(BIN)/python -m tools.scripts.audit

nightly: $(DEV) $(SCAN)
	tools/scripts/install-for-walk nginx firefox-esr
	$(BIN)/python -m tools.scripts.nightly $(ARGS)

fuzz: $(DEV)
	$(BIN)/python -m tools.scripts.fuzz
	DAMAGED=500 $(BIN)/pytest -q tests/corridas/archive/test_hostile.py -k damaged -m ""

scan: $(DEV) $(SCAN)
	$(BIN)/python -m tools.scripts.scan

# Inserts sixty faults, one at a time, in a copy of the last commit, and reports which of them no test
# notices.
MUTANTS := .venv-mutation/tree
IN_MUTANTS := cd $(MUTANTS) && PATH=$(CURDIR)/.venv/bin:$$PATH
COSMIC := $(CURDIR)/.venv-mutation/bin
mutation: $(DEV) $(MUTATION)
	-git worktree remove --force $(MUTANTS)
	git worktree add --detach $(MUTANTS)
	$(IN_MUTANTS) $(PYTEST:$(BIN)/%=%) tests $(WALK:%=--ignore=%) -m "not nightly and not postgres" \
		--cov --cov-context=test --cov-report= --profile profile.json
	$(IN_MUTANTS) $(COSMIC)/cosmic-ray init tools/cosmic-ray.toml faults.sqlite
	$(IN_MUTANTS) $(COSMIC)/python -m tools.scripts.sample_mutants faults.sqlite tools/cosmic-ray.toml
	$(IN_MUTANTS) $(COSMIC)/cosmic-ray exec tools/cosmic-ray.toml faults.sqlite
	$(COSMIC)/cr-report --surviving-only --show-diff $(MUTANTS)/faults.sqlite

bench: $(DEV)
	$(BIN)/python -m tools.bench $(if $(ONLY),--only $(ONLY)) $(if $(LONG),--long)

# Kills processes of a site on two hosts for a minute, and of a site started by `make run` for five
# minutes; fills a disk; adds hundreds of slow visitors; sends more requests than the limits allow.
# It ends and cleans up by itself.
chaos: $(DEV)
	tools/scripts/install-for-walk nginx
	$(BIN)/python -m tools.bench.chaos $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tools.bench.chaos --embedded $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tools.bench.chaos --full-disk
	$(BIN)/python -m tools.bench.slow_clients --seconds $(SLOW)
	$(BIN)/python -m tools.bench.rates

$(RUN): requirements.lock
	tools/scripts/install requirements.lock
	@touch $@

# The lock file for development includes the packages that the site needs.
$(DEV): requirements-dev.lock
	tools/scripts/install requirements-dev.lock
	@touch $@ $(RUN)

$(SCAN): tools/requirements-scan.lock
	tools/scripts/install tools/requirements-scan.lock .venv-scan
	@touch $@

$(MUTATION): tools/requirements-mutation.lock
	tools/scripts/install tools/requirements-mutation.lock .venv-mutation
	@touch $@
