# The one front door. `make` alone lists what there is.
#   JOBS=N         compile N files at once (all cores)
#   CTEST_ARGS=…   more for ctest, as in: make test CTEST_ARGS='-LE engine'
JOBS ?= $(shell nproc)
export JOBS
SOURCES = find src probes tests bench \( -name '*.cpp' -o -name '*.hpp' \) -print0

.PHONY: help quickstart build torch test bench format lint clean deps configure

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 20

quickstart: configure ## install what is missing, build, measure the built-in endpoint, print the report
	cmake --build build/release -j $(JOBS) --target scoville
	./build/release/scoville quickstart

build: configure ## build everything into build/release
	cmake --build build/release -j $(JOBS)

torch: ## build scoville-torch against your own torch: make torch TORCH=/path/to/site-packages/torch
	@test -n "$(TORCH)" || { echo 'make torch TORCH=FOLDER: a libtorch folder, or site-packages/torch of a Python' >&2; exit 2; }
	cmake --preset release -B build/torch -DTORCH=$(TORCH) -DSCOVILLE_TESTS=OFF -DSCOVILLE_BENCH=OFF
	cmake --build build/torch -j $(JOBS) --target scoville-torch
	@echo 'build/torch/scoville-torch: use it with --probe build/torch/scoville-torch'

test: build ## build and run every test, those against a real engine too
	ctest --test-dir build/release --output-on-failure $(CTEST_ARGS)

bench: build ## run the measurements of docs/overhead.md
	bench/run.sh

format: ## lay out the sources with clang-format
	@scripts/install_deps.sh --lint
	$(SOURCES) | xargs -0 clang-format -i

lint: configure ## check layout and layers, change nothing
	@scripts/install_deps.sh --lint
	$(SOURCES) | xargs -0 clang-format --dry-run -Werror
	python3 scripts/check_layers.py . build/release/layers.txt

clean: ## remove what was built (the engine in .engine stays)
	rm -rf build

deps:
	@scripts/install_deps.sh

configure: deps
	cmake --preset release
