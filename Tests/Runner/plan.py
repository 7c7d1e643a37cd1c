"""Which phases a run has, and which tests are in them."""

import os
import pathlib
import re

from phases import ROOT, Phase

PYTHON = ROOT / ".venv/bin/python"
#: What `make build-tests` builds.
TESTED = ROOT / ".build/tested"
#: The Swift tests, and the same without optimization (`make debug-tests`). `swift test` would only plan a build first.
SWIFT_TEST = [TESTED / "cairnPackageTests.xctest", "--testing-library", "swift-testing"]
SWIFT_DEBUG_TEST = [ROOT / ".build/debug/cairnPackageTests.xctest", *SWIFT_TEST[1:]]
#: The program for the tests with sockets and pages.
ENVIRONMENT = {"CAIRN_BIN": str(TESTED / "cairn")}
PYTEST = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
FOLDERS = ["Tests/TreeTests", "Tests/EndToEndTests", "Tests/BrowserTests"]
#: Processes of the pool. Most tests wait for servers, so three more than there are processors.
WORKERS = (os.cpu_count() or 2) + 3
#: Where pytest keeps how long each test takes; the pool begins with the longest.
DURATIONS = ROOT / ".build/test-durations.json"


def suites_alone(root=ROOT):
    """Names of the Swift suites with the tag `.alone`."""
    suite = re.compile(r"@Suite\((?:[^()]|\([^()]*(?:\([^()]*\))?[^()]*\))*\.tags\(\.alone\)[^\n]*\s+struct (\w+)")
    folders = [root / "Tests", root / "loadtest/Tests"]
    texts = (path.read_text() for folder in folders for path in sorted(folder.rglob("*.swift")))
    return sorted(name for text in texts for name in suite.findall(text))


def patterns_alone():
    """Regular expressions that Swift Testing selects these suites by, and no other whose name ends like one of them."""
    return [rf"\.{name}/" for name in suites_alone()]


def build():
    """The phase that builds the programs and the Swift tests."""
    return [Phase("Build", ["make", "build-tests"])]


def swift():
    """The phase of the Swift suites that may run beside others."""
    chosen = [word for one in patterns_alone() for word in ("--skip", one)]
    return [Phase("Swift tests", [*_watched(25), *SWIFT_TEST, *chosen], "swift")]


def machines():
    """The clean root in which the package is installed. Without root these tests say so and are left out."""
    return [Phase("Clean machine", [ROOT / "scripts/debian-root"])] if os.geteuid() == 0 else []


def sockets(after=()):
    """The phase of all tests with sockets and browsers that may run beside others, in a pool of processes. It waits for
    phases of other lanes."""
    command = [*PYTEST, *FOLDERS, "-m", "not alone", "-n", WORKERS, "--durations-file", DURATIONS]
    return [Phase("Pool", command, "pytest", environment=ENVIRONMENT, after=list(after))]


def alone():
    """The phases that run when nothing else does."""
    chosen = [word for one in patterns_alone() for word in ("--filter", one)]
    command = [*PYTEST, *FOLDERS, "-m", "alone", "--durations-file", DURATIONS]
    return [
        Phase("Swift tests alone", [*_watched(10), *SWIFT_TEST, "--no-parallel", *chosen], "swift"),
        Phase("Tests alone", command, "pytest", environment=ENVIRONMENT),
    ]


def budgets(phases):
    """The test of the tree that compares this run with its budgets."""
    command = [*PYTEST, "Tests/TreeTests/test_budgets.py"]
    return Phase("Budgets", command, "pytest", environment={"CAIRN_TEST_PHASES": str(phases)})


def _watched(minutes):
    return [ROOT / "scripts/watched", minutes]


if __name__ == "__main__":
    # For a run of the Swift tests by another program: what to leave out beside others.
    print(*(f"--skip={one}" for one in patterns_alone()))
