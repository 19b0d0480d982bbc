# Everything a person types; `make` alone prints the help.
# The first target that needs it sets up .venv, and apt packages if root or sudo allows it.

# The program starts hundreds of times in the tests; compiling it each time would take longer.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
PYTHON := $(VENV)/bin/python
READY := $(VENV)/ready

# The same project on the oldest OpenCV and NumPy that it supports.
VENV4 := .venv4
READY4 := $(VENV4)/ready

# The folder of the Debian that `make picamera` builds; 1.4 GB, removed by `make clean`.
PICAMERA_ROOT := build/picamera-root

# The folder of the arm64 Debian that `make arm64-test` builds; 1 GB, removed by `make clean`.
ARM64_ROOT := build/arm64-root

# What the virtual machines boot, and all that it is built from; removed by `make clean`.
MACHINE := build/machine

# Without a terminal no password can be typed, so sudo is used only if it needs none.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo -n)
APT = $(SUDO) sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $(1)'

define MAKE_VENV
@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
|| { echo 'make: expected Python 3.11 or newer as python3, found:' "$$(python3 --version 2>&1)"; exit 2; }
@python3 -c 'import ensurepip, venv' 2>/dev/null || $(call APT,python3-venv) \
|| { echo 'make: expected python3-venv; as root: apt-get install python3-venv'; exit 2; }
python3 -m venv $(1)
endef

.DEFAULT_GOAL := help
.PHONY: help demo test test-pages test-played-pages test-programs test-parts test-reading test-some test-long test-long-tables test-long-others fuzz mutate test-opencv4 lint bench bench-table train train-coach picamera picamera-root pictures chromium mosquitto nginx postgresql espeak-ng debootstrap install-root-test arm64-test image emulator machine-gpio machine-test messages hashes clean

help: ## print this help
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

demo: $(READY) ## play at a simulated tray; the kiosk is at http://127.0.0.1:8080
	$(VENV)/bin/dicebell demo $(ARGS)

test: $(READY) chromium mosquitto nginx postgresql espeak-ng ## lint, types and the tests
	$(MAKE) --no-print-directory $(TESTS)

# Tests of pages and of whole programs mostly wait, for throws that take real time among others:
# five jobs keep two processors busy.
TESTS := $(if $(ARGS),lint test-some,--jobs=5 --output-sync=target lint test-pages test-played-pages test-programs test-parts test-reading)
PLAYED := $(patsubst %,tests/whole_table/test_%.py,calibrate_page dome event_kiosk_page games_page kiosk kiosk_play_page \
	long_texts phone_page programs review_page setup_page)
PROGRAMS := tests/bench tests/controller/cli tests/appliance
READING := tests/vision tests/hardware tests/controller/runtime/calibration tests/docs tests/fuzz tests/webui

test-pages: $(READY)
	$(PYTHON) -m pytest tests/whole_table -m 'browser and not long' $(patsubst %,--ignore=%,$(PLAYED))

test-played-pages: $(READY) # of tables that are set up, or play, beside the pages
	$(PYTHON) -m pytest $(PLAYED) -m 'browser and not long'

test-programs: $(READY)
	$(PYTHON) -m pytest tests/whole_table $(PROGRAMS) -m 'not browser and not long'

test-parts: $(READY)
	$(PYTHON) -m pytest -m 'not long' $(patsubst %,--ignore=%,tests/whole_table $(PROGRAMS) $(READING))

test-reading: $(READY)
	$(PYTHON) -m pytest -m 'not long' $(READING)

test-long: $(READY) ## the tests that take half a minute or so, after `make test`
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-long-tables test-long-others

test-long-tables: $(READY)
	$(PYTHON) -m pytest -m long tests/whole_table

test-long-others: $(READY)
	$(PYTHON) -m pytest -m long --ignore=tests/whole_table

test-some: $(READY)
	$(PYTHON) -m pytest $(ARGS)

fuzz: $(READY) ## run the random tests until one fails; INPUT=journal MINUTES=10: search one input
	$(if $(INPUT),$(PYTHON) -m tests.fuzz $(INPUT) --minutes $(or $(MINUTES),10) $(ARGS),\
	while $(PYTHON) -m pytest -q -m hypothesis --hypothesis-profile=search $(ARGS); do :; done)

mutate: $(READY) ## see which changes of the product no test notices (ARGS="journal --mutants 20")
	$(PYTHON) -m tests.mutation $(ARGS)

test-opencv4: $(READY4) ## test everything that uses pictures on the oldest supported OpenCV
	$(VENV4)/bin/python -m pytest -m 'not long' tests/vision tests/hardware tests/bench $(ARGS)

lint: $(READY) ## ruff (lint and format), plain English and mypy --strict
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(PYTHON) -m tests.plain_english
	$(VENV)/bin/mypy

picamera-root: debootstrap
	tests/picamera/make_root.sh $(PICAMERA_ROOT) constraints.txt

picamera: debootstrap ## test the Pi camera driver with the real picamera2, in its own Debian 13 (root)
	tests/picamera/run.sh $(PICAMERA_ROOT) $(ARGS)

bench: $(READY) ## measure how fast this machine reads (ARGS=accuracy: how well)
	$(VENV)/bin/dicebell bench $(ARGS)

bench-table: $(READY) ## measure whole tables and desks (ARGS="soak --minutes 5"; ARGS=--help lists all)
	$(PYTHON) -m tests.bench $(ARGS)

train: $(READY) ## rebuild the nets' weights from a seed (ARGS="--out DIR --work DIR"; PHOTOS=DIR; many hours)
	$(PYTHON) -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[training]'
	$(PYTHON) -m vision.training $(if $(PHOTOS),--photos "$(PHOTOS)") $(ARGS)

train-coach: $(READY) ## rebuild what the coaches know from a seed (ARGS="--out DIR --seed N"; hours)
	$(PYTHON) -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[training]'
	OMP_NUM_THREADS=1 $(PYTHON) -m controller.coach.training $(ARGS)

pictures: chromium $(READY) ## draw the pictures of the documents again
	$(PYTHON) -m docs.generate.pictures docs/pictures

debootstrap: # for the Debians that tests build; they report if it is missing
	@command -v debootstrap >/dev/null || $(call APT,debootstrap) || true

# The tests use the one without windows, if the system has it: it is quicker.
chromium: # for the browser tests; without it they are skipped
	@command -v chromium >/dev/null || $(call APT,chromium chromium-headless-shell) || $(call APT,chromium) \
	|| echo 'make: no chromium, and neither root nor sudo to install it: the browser tests will be skipped'

# Debian starts a broker for the whole machine at once; the tests start their own.
mosquitto: # for the tests of MQTT; without it they are skipped
	@PATH="$$PATH:/usr/sbin" command -v mosquitto >/dev/null || { $(call APT,mosquitto) \
	&& { $(SUDO) systemctl disable --now mosquitto || $(SUDO) service mosquitto stop || true; } >/dev/null 2>&1; } \
	|| echo 'make: no mosquitto, and neither root nor sudo to install it: the tests of MQTT will be skipped'

nginx: # for the test of TLS; without it that is skipped
	@PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null || { $(call APT,nginx) \
	&& { $(SUDO) systemctl disable --now nginx || $(SUDO) service nginx stop || true; } >/dev/null 2>&1; } \
	|| echo 'make: no nginx, and neither root nor sudo to install it: the test of TLS will be skipped'

# Debian would make a cluster for the whole machine and start it; the tests start their own.
CLUSTERS := /etc/postgresql-common/createcluster.d
postgresql: # for the tests of PostgreSQL; without it they are skipped
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	$(SUDO) sh -c 'mkdir -p $(CLUSTERS) && echo "create_main_cluster = false" >$(CLUSTERS)/dicebell.conf' \
	&& $(call APT,postgresql); failed=$$?; $(SUDO) rm -f $(CLUSTERS)/dicebell.conf; [ $$failed = 0 ]; } \
	|| echo 'make: no PostgreSQL, and neither root nor sudo to install it: its tests will be skipped'

espeak-ng: # for the test of calling aloud; without it that is skipped
	@command -v espeak-ng >/dev/null || $(call APT,espeak-ng) || true

install-root-test: debootstrap ## test the installer in a fresh Debian 13 in build/ (root; some minutes)
	tests/appliance/install_root.sh build/install-root

arm64-test: debootstrap emulator $(READY) ## test the product on an arm64 Debian 13 under qemu (root; long)
	tests/arm64/run.sh $(ARM64_ROOT) $(PYTHON)

image: emulator ## make an image of what arm64-test has installed, and boot it in QEMU (root; long)
	tests/arm64/image.sh $(ARM64_ROOT) build/arm64-image

emulator: # for the programs of arm64; the test reports if it is missing
	@[ "$$(dpkg --print-architecture)" = arm64 ] || [ -e /usr/lib/binfmt.d/qemu-aarch64.conf ] \
	|| $(call APT,qemu-user-static) || true

machine-gpio: $(READY) ## test buttons and lamps on the kernel's simulated pins, in a small machine (root; minutes)
	tests/machine/gpio/run.sh $(MACHINE) $(PYTHON) $(ARGS)

machine-test: $(READY) ## play at the whole appliance in a virtual machine (root; long; QUICK=1: the most important)
	tests/machine/run.sh $(MACHINE) $(PYTHON) $(ARGS)

messages: $(READY) ## bring the languages' files up to date with the texts of the code
	$(PYTHON) -m tests.message_catalogues

hashes: $(READY) ## list the digests of the libraries of an installed table again
	$(PYTHON) tests/appliance/write_hashes.py

clean: ## remove everything that was set up or cached
	rm -rf $(VENV) $(VENV4) .mypy_cache .pytest_cache .ruff_cache .hypothesis build *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	$(call MAKE_VENV,$(VENV))
	$(PYTHON) -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

$(READY4): pyproject.toml constraints.txt constraints-opencv4.txt
	$(call MAKE_VENV,$(VENV4))
	grep -v -E '^(numpy|opencv-python-headless)==' constraints.txt > $(VENV4)/constraints.txt
	cat constraints-opencv4.txt >> $(VENV4)/constraints.txt
	$(VENV4)/bin/python -m pip install -q --disable-pip-version-check -c $(VENV4)/constraints.txt \
		-e . pytest hypothesis gpiozero
	touch $@
