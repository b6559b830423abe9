# Two commands matter: `make up` starts the box, `make test` proves it.
# PORT, HOST and HEARTHBOOK_HOME are honoured, HTTPS=1 serves TLS; PYTHON names an interpreter other than the first that fits.

.DEFAULT_GOAL := help
.PHONY: help up venv install update uninstall dev browser test test-long check peers bench screenshots

VENV := .venv/bin

help: ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

# What Python compiled is kept, whatever the environment says: to do it again takes as long as all the rest of a start.
up: venv ## install what is missing and start the box
	@PYTHONDONTWRITEBYTECODE= exec $(VENV)/python -m household.box $(if $(HTTPS),--https)

venv:
	@python=$$(sh tools/python.sh) && exec $$python tools/install.py runtime

install: ## make this machine a box: a user, a service of systemd, started with the machine (as root)
	@python=$$(sh tools/python.sh) && exec $$python tools/service.py install

update: ## put this version in place of the installed one, after a backup; back again if it is not well (as root)
	@python=$$(sh tools/python.sh) && exec $$python tools/service.py update

uninstall: ## take service and programs away; the data stays, unless PURGE=1 (as root)
	@python=$$(sh tools/python.sh) && exec $$python tools/service.py uninstall $(if $(PURGE),--purge)

dev:
	@python=$$(sh tools/python.sh) && exec $$python tools/install.py dev

browser:
	@sh tools/browser.sh

tesseract:
	@sh tools/tesseract.sh

# Here it is half of collecting the tests.
test: dev browser tesseract ## every test, long ones as a seeded slice
	@PYTHONDONTWRITEBYTECODE= $(VENV)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not long" $(ARGS)

test-long: dev browser tesseract ## every test in its full form
	@PYTHONDONTWRITEBYTECODE= HEARTHBOOK_LONG=1 $(VENV)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

check: dev ## what CI runs before the tests: lint, types, imports, migrations, words
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy --strict household twin memory voice
	$(VENV)/lint-imports
	$(VENV)/python manage.py makemigrations --check --dry-run
	$(VENV)/python manage.py words --check

screenshots: dev browser ## the gallery of docs/screens, taken from the demo household
	@$(VENV)/python -m tests.browser.gallery

peers: dev ## what `make bench` measures beside, in environments of their own (.peers)
	@sh tools/espeak.sh
	@python=$$(sh tools/python.sh) && exec $$python tests/bench/peers/install.py

bench: peers ## every figure of the measures, as a table and as bench.json; ARGS=--quick in two minutes, or names
	@PYTHONDONTWRITEBYTECODE= $(VENV)/python -m tests.bench $(ARGS)
