"""Which phases a run has, and which tests are in them."""

import os
import pathlib
import re

from phases import ROOT, Phase

PYTHON = ROOT / ".venv/bin/python"
SWIFT_TEST = ["swift", "test", "--skip-build"]
PYTEST = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
FOLDERS = ["Tests/TreeTests", "Tests/EndToEndTests", "Tests/BrowserTests"]
#: Processes of the pool. Most tests wait for servers, so two more than there are processors.
WORKERS = (os.cpu_count() or 2) + 2
#: Where pytest keeps how long each test takes; the pool begins with the longest.
DURATIONS = ROOT / ".build/test-durations.json"


def suites_alone(root=ROOT):
    """Names of the Swift suites with the tag `.alone`."""
    suite = re.compile(r"@Suite\((?:[^()]|\([^()]*(?:\([^()]*\))?[^()]*\))*\.tags\(\.alone\)[^\n]*\s+struct (\w+)")
    folders = [root / "Tests", root / "loadtest/Tests"]
    texts = (path.read_text() for folder in folders for path in sorted(folder.rglob("*.swift")))
    return sorted(name for text in texts for name in suite.findall(text))


def patterns_alone():
    """Regular expressions that `swift test` selects these suites by, and no other whose name ends like one of them."""
    return [rf"\.{name}/" for name in suites_alone()]


def swift(build):
    """The phases of the Swift tests: the build, and the suites that may run beside others."""
    return [
        Phase("Debug build", ["make", "build-tests"]),
        Phase("Swift tests", [*_watched(25), *SWIFT_TEST, *(f"--skip={one}" for one in patterns_alone())], "swift"),
    ][0 if build else 1:]


def machines():
    """The clean root in which the package is installed. Without root these tests say so and are left out."""
    return [Phase("Clean machine", [ROOT / "scripts/debian-root"])] if os.geteuid() == 0 else []


def sockets(build, after=()):
    """The phases that test the release: the build, and a pool of processes for all tests with sockets and browsers,
    which waits for phases of other lanes."""
    pool = [*PYTEST, *FOLDERS, "-m", "not alone", "-n", WORKERS, "--durations-file", DURATIONS]
    phases = [Phase("Release build", ["make", "release"]), Phase("Pool", pool, "pytest", after=list(after))]
    return phases[0 if build else 1:]


def alone():
    """The phases that run when nothing else does."""
    chosen = [f"--filter={one}" for one in patterns_alone()]
    pytest = [*PYTEST, *FOLDERS, "-m", "alone", "--durations-file", DURATIONS]
    return [
        Phase("Swift tests alone", [*_watched(10), *SWIFT_TEST, "--no-parallel", *chosen], "swift"),
        Phase("Tests alone", pytest, "pytest"),
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
