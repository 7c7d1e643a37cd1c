# make run    a server on http://127.0.0.1:8080     (more: make run ARGUMENTS="--demo --port 9000")
# make demo   the same with a throw-away world and twenty people in it; the console that it prints shows them move
# make test   every test
# make package   a .deb and a .tar.gz of the server, in .build/package
# make sanitize   the Swift tests with AddressSanitizer (docs/decisions/0009-sanitizers.md)
# make lint   formatting, as it should be;  make format  puts it right

# A target may import only what Package.swift gives it: the imports are the architecture.
build := swift build --explicit-target-dependency-import-check error
# The program has Swift's libraries in it, and looks for no library in a folder of this machine: what is built here runs
# where there is no Swift.
# In a release nothing looks whether accesses to a variable exclude each other, and modules are optimized together
# (docs/decisions/0003-group-commit.md); what the tests and the sanitizers run does look.
release := $(build) -c release --static-swift-stdlib --disable-local-rpath \
	-Xswiftc -enforce-exclusivity=unchecked -Xswiftc -cross-module-optimization
swift_sources := Package.swift Sources Tests loadtest

# Suites in which time matters: they run one after the other, not beside a thousand tests.
timed := DeskTests GatherTests PasswordTimingTests ProcessTests StandInTests TamperingTests

# Why not C++, and why no backtraces: docs/decisions/0009-sanitizers.md.
sanitize := --sanitize=address -Xcxx -fno-sanitize=address --scratch-path .build/sanitize

.PHONY: run demo test sanitize bootstrap release package lint format clean

run:
	@scripts/bootstrap --without-tests
	$(release) --product cairn
	exec .build/release/cairn serve $(ARGUMENTS)

demo:
	@$(MAKE) --no-print-directory run ARGUMENTS="--demo $(ARGUMENTS)"

test: bootstrap
	$(build) --build-tests
	scripts/watched 15 swift test --skip-build $(foreach suite,$(timed),--skip $(suite))
	scripts/watched 10 swift test --skip-build --no-parallel $(foreach suite,$(timed),--filter $(suite))
	$(MAKE) --no-print-directory release
	.venv/bin/python -m pytest Tests/EndToEndTests -q -m "not alone" -n 3 --dist loadfile
	.venv/bin/python -m pytest Tests/EndToEndTests -q -m alone
	.venv/bin/python -m pytest Tests/BrowserTests -q

sanitize: bootstrap
	$(build) $(sanitize) --build-tests
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
		swift test $(sanitize) --skip-build $(foreach suite,$(timed) TidyTests,--skip $(suite))

release: bootstrap
	$(release) --product cairn
	$(release) --product cairn-crowd

package:
	@scripts/bootstrap --without-tests
	$(release) --product cairn
	scripts/package

bootstrap:
	@scripts/bootstrap

lint:
	swift format lint --strict --parallel --recursive $(swift_sources)

format:
	swift format --in-place --parallel --recursive $(swift_sources)

clean:
	rm -rf .build .venv
