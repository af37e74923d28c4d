# The front door. CMake does the work (CMakePresets.json); this file names what people do with it. `make help` lists it.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
KILLS ?= 20000
BENCH_SECONDS ?= 2
SEEDS ?= 10000
FIRST_SEED ?= 1
BENCH_ROUNDS ?= 5
DATA ?= pawl-data
LISTEN ?= 127.0.0.1:8083

# So that a second clone, wherever it lies, finds what the first one compiled.
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1

.DEFAULT_GOAL := help
.PHONY: help deps build run test crash sim sanitize bench lint format fuzz install clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps:  ## install the Debian packages that building needs, if any is missing
	@tools/install-deps build

build: deps  ## build the release into build/: the command, the library and the examples
	@tools/build release product

run: deps  ## build, start the server, run an execution of each example, and serve until Ctrl-C (DATA=, LISTEN=)
	@tools/build release pawl order
	@tools/demo build/bin/pawl --data $(DATA) --listen $(LISTEN)

test:  ## build the release and run every test
	@tools/install-deps build test
	@tools/build release
	@tools/run-tests release

crash: deps  ## kill the server KILLS (20000) times under load and judge what came of everything it acknowledged
	@tools/build release pawl
	@python3 -B tests/crash/crash_test.py build/bin/pawl --kills $(KILLS)

sim: deps  ## simulate SEEDS (10000) worlds from FIRST_SEED (1): crashes, torn writes, full disks, set clocks
	@tools/build release simulation
	@build/bin/simulation --seeds $(SEEDS) --first $(FIRST_SEED)

sanitize:  ## run every test under ASan and UBSan, then those with threads under TSan
	@tools/install-deps build test
	@tools/build debug
	@tools/run-tests debug
	@tools/build tsan
	@tools/run-tests tsan

bench:  ## micro-benchmarks, then side by side with peers where npm is at hand (BENCH_SECONDS=, BENCH_ROUNDS=)
	@tools/install-deps build bench
	@tools/build release
	@bench/run --seconds $(BENCH_SECONDS) --rounds $(BENCH_ROUNDS)
	@bench/durable --seconds $(BENCH_SECONDS) --rounds $(BENCH_ROUNDS)

lint:  ## clang-format and clang-tidy on what differs from main; ALL=1 for every file
	@tools/install-deps build test lint
	@tools/build release --configure-only
	@tools/lint $(if $(ALL),--all)

format:  ## rewrite every source file with clang-format
	@tools/install-deps lint
	@tools/lint --fix-format

fuzz:  ## run each fuzzer for FUZZ_SECONDS (60)
	@tools/install-deps build fuzz
	@tools/build fuzz
	@tools/fuzz $(FUZZ_SECONDS)

install: build  ## install the command with its service and completions, the library and its headers under PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

clean:  ## remove every build folder
	rm -rf build build-debug build-tsan build-fuzz
