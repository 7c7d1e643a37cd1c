# make run    a server for trials on http://127.0.0.1:8080     (more: make run ARGUMENTS="--demo --port 9000")
#             any name signs in, and stand-ins take the place of mail and payment; OPEN= leaves that out
# make demo   the same with a throw-away world and twenty people in it; the console that it prints shows them move
# make test   every test that main must pass; the tests say themselves how long each phase took
# make check  lint and the suites of what has changed since HEAD (BASE=COMMIT for another commit)
# make test-loaded   the same as make test beside two busy loops;  make test-long   the long forms, two hours at most
# make package   a .deb and a .tar.gz of the server, in .build/package
# make image   the package as a container image, built by Debian's buildah
# make cairn-js   cairn.js for apps: a package for npm and the like, and one file, in .build/cairn-js
# make sanitize   the Swift tests with AddressSanitizer (docs/decisions/0009-sanitizers.md)
# make lint   formatting, as it should be;  make format  puts it right

# A target may import only what Package.swift gives it: the imports are the architecture.
build := swift build --explicit-target-dependency-import-check error
# In a release nothing looks whether accesses to a variable exclude each other, and modules are optimized together
# (docs/decisions/0003-group-commit.md, 0073-time-of-a-first-build.md). It has no information for debuggers.
# It has a scratch folder of its own; .build/release leads there.
release := $(build) -c release --scratch-path .build/optimized --disable-local-rpath -debug-info-format none \
	-Xswiftc -enforce-exclusivity=unchecked -Xswiftc -cross-module-optimization
# One build has the programs and the Swift tests. It checks what a debug build checks: exclusive accesses, assertions,
# the bounds of unsafe buffers. It is not optimized: that takes longer than the tests gain by it
# (docs/decisions/0068-one-build-one-pool.md).
testing := $(build) -c release --scratch-path .build/testing --disable-local-rpath -debug-info-format none \
	-Xswiftc -enable-testing -Xswiftc -Onone
triple := $(shell uname -m)-unknown-linux-gnu
swift_sources := Package.swift Sources Tests loadtest

# Why not C++, and why no backtraces: docs/decisions/0009-sanitizers.md.
sanitize := --sanitize=address -Xcxx -fno-sanitize=address --scratch-path .build/sanitize

.PHONY: run demo program links tools test check test-loaded test-long build-tests debug-tests sanitize bootstrap release package image cairn-js lint format clean

# Open sign-in is asked for by a word, and never with --lan, which serves others.
OPEN = $(if $(findstring --lan,$(ARGUMENTS)),,--open)

run: program
	exec .build/release/cairn serve $(strip $(OPEN) $(ARGUMENTS))

demo:
	@$(MAKE) --no-print-directory run ARGUMENTS="--demo $(ARGUMENTS)"

# What the page's script says stands behind what the compiler says.
program: links
	@scripts/bootstrap --without-page
	scripts/bootstrap --page > .build/page.log 2>&1 & \
	$(release) --product cairn; built=$$?; wait; cat .build/page.log >&2; exit $$built

# The page's files are beside all builds.
links:
	@mkdir -p .build/optimized/$(triple) .build/testing/$(triple)
	@ln -sfn optimized/$(triple)/release .build/release
	@ln -sfn testing/$(triple)/release .build/tested
	@ln -sfn ../../$(triple)/share .build/optimized/$(triple)/share
	@ln -sfn ../../$(triple)/share .build/testing/$(triple)/share

test: tools
	@.venv/bin/python Tests/Runner $(TEST_ARGUMENTS)

test-loaded: tools
	@.venv/bin/python Tests/Runner loaded $(TEST_ARGUMENTS)

test-long: bootstrap
	@.venv/bin/python Tests/Runner long $(TEST_ARGUMENTS)

check: tools
	@.venv/bin/python Tests/Runner check --base $(or $(BASE),HEAD)

build-tests: tools links
	$(testing) --build-tests

# The same as a debug build, which builds again only what has changed.
debug-tests: tools
	$(build) --build-tests

sanitize: bootstrap
	$(build) $(sanitize) --build-tests
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
		swift test $(sanitize) --skip-build --skip TidyTests \
		$$(.venv/bin/python Tests/Runner/plan.py)

release: tools links
	$(release)

package: program cairn-js
	scripts/package

image: package
	scripts/image

cairn-js:
	@scripts/bootstrap --cairn-js
	@scripts/cairn-js

bootstrap:
	@scripts/bootstrap

tools:
	@scripts/bootstrap --without-machines

lint:
	swift format lint --strict --parallel --recursive $(swift_sources)

format:
	swift format --in-place --parallel --recursive $(swift_sources)

clean:
	rm -rf .build .venv
