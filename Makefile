# Atoll's commands. `make run` and `make test` are each enough on a fresh Debian 12 machine, as root or with
# sudo: they install what is missing, build toolchain and libraries once into the user's cache, and go on.
# What happens is in packaging/*.sh; this file only names it.

p := packaging
unexport CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH

.PHONY: help run test build musl asan tsan bench fuzz islands format lint dist clean

help:
	@echo 'make run      build the static binary and serve the demo site (build/demo) in the foreground'
	@echo 'make test     build and run every test: static binary, ASan + UBSan, TSan'
	@echo 'make build    build/musl/atoll, the static binary'
	@echo 'make asan     only the tests under ASan and UBSan; make tsan: under TSan; make musl: static'
	@echo 'make bench    compare with nginx, Apache and lighttpd on this machine'
	@echo 'make fuzz     run every fuzz target for a while (FUZZ_SECONDS=60 each)'
	@echo 'make islands  install Go and Rust and build the demo islands written in them'
	@echo 'make format   lay out the C++ sources; make lint: check layout and clang-tidy'
	@echo 'make dist     dist/: stripped binary, its SHA-256, the licences of all that is linked in'
	@echo 'make clean    remove build/ and dist/ (the cache of toolchain and libraries stays)'

build:
	@$(p)/packages.sh build
	@$(p)/dependencies.sh
	@$(p)/build.sh musl atoll

run: build
	@exec $(p)/run.sh

test:
	@$(p)/packages.sh build test
	@$(p)/dependencies.sh
	@exec $(p)/test.sh

musl:
	@$(p)/packages.sh build test
	@$(p)/dependencies.sh
	@exec $(p)/test.sh musl

asan tsan:
	@$(p)/packages.sh build test
	@exec $(p)/test.sh $@

bench: build
	@$(p)/packages.sh bench
	@exec bench/run.sh

fuzz:
	@$(p)/packages.sh build test
	@$(p)/build.sh fuzz tests/fuzz/all
	@exec tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS)

islands:
	@exec $(p)/islands.sh --install

format:
	@$(p)/packages.sh lint
	@exec $(p)/format.sh

lint:
	@$(p)/packages.sh build test lint
	@exec $(p)/lint.sh

dist: build
	@exec $(p)/dist.sh

clean:
	rm -rf build dist
