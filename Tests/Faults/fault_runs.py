"""Runs the suites of a fault's component in a copy of the sources, and finds out which test failed first."""

import dataclasses
import os
import re
import signal
import subprocess
import sys
import time

import fault_table
from faulty_tree import ROOT

#: A suite that hangs is ended, and counts as one that has noticed: `make test` is red then.
STAGE_MINUTES = 20
WORKERS = 2
#: The one test target whose folder has another name.
CROWD_TESTS = "loadtest/Tests"


@dataclasses.dataclass(frozen=True)
class Stage:
    """One command that runs suites: of `swift`, `pytest` or `node`."""

    runner: str
    command: tuple


class Broken(Exception):
    """A stage that has neither passed nor failed by a test: it says nothing about a fault."""


def stages(tree, faults):
    """The commands that run the suites of these faults, in their order; each suite once."""
    targets = _unique(fault.swift for fault in faults)
    files = _unique(fault.pytest for fault in faults)
    if missing := [name for name in files if not (tree.folder / name).exists()]:
        raise Broken(f"{tree.folder} has no {', '.join(missing)}")
    found = []
    if targets:
        alone = _alone(tree)
        found.append(_swift([rf"^{target}\." for target in targets], [f"--skip={pattern}" for pattern in alone]))
        slow = [f"^{target}.*{pattern}" for target in targets for pattern in alone if _has(tree, target, pattern)]
        if slow:
            found.append(_swift(slow, ["--no-parallel"]))
    if files:
        options = ("-q", "-x", "-m", "not alone", "-p", "no:cacheprovider", "-n", str(WORKERS), "--dist", "loadfile")
        found.append(Stage("pytest", (str(ROOT / ".venv/bin/python"), "-m", "pytest", *options, *files)))
    if any(fault.node for fault in faults):
        options = ("--test", "--test-reporter=tap", "--test-timeout=150000")
        found.append(Stage("node", ("node", *options, "Tests/PlayTests/")))
    return found


def _swift(patterns, options):
    chosen = (f"--filter={pattern}" for pattern in patterns)
    return Stage("swift", ("swift", "test", "--skip-build", *options, *chosen))


def failure(tree, stage, fault):
    """The first test that fails while a fault is switched on, or while none is; nil = all pass."""
    environment = {name: value for name, value in os.environ.items() if name != fault_table.VARIABLE}
    environment["CAIRN_BIN"] = str(tree.server)
    if fault:
        environment[fault_table.VARIABLE] = fault.name
    code, output = _finished(stage.command, tree.folder, environment)
    return judged(stage.runner, code, output)


def judged(runner, code, output):
    """The first failure that the output of a runner names; None = all tests have passed.

    `code` is how the command ended; None = it hung and was ended.
    """
    first = _FIRST[runner](output)
    if code is None:
        return first or f"no end after {STAGE_MINUTES} minutes"
    if code == 0:
        if not _PASSED[runner].search(output):
            raise Broken(f"{runner} ran no test: {output[-2_000:]}")
        return None
    if first is None:
        raise Broken(f"{runner} ended with {code} and names no test: {output[-2_000:]}")
    return first


def _unique(lists):
    return list(dict.fromkeys(name for names in lists for name in names))


def _alone(tree):
    """Patterns of the suites that the tree itself runs one after the other, because they measure times."""
    plan = tree.folder / "Tests/Runner/plan.py"
    if plan.exists():
        told = subprocess.run([sys.executable, plan], cwd=tree.folder, check=True, capture_output=True, text=True)
        return [word.removeprefix("--skip=") for word in told.stdout.split()]
    timed = re.search(r"^timed := (.*)$", (tree.folder / "Makefile").read_text(), re.MULTILINE)
    return [rf"\.{name}/" for name in timed.group(1).split()] if timed else []


def _has(tree, target, pattern):
    """Whether a test target has the suite of a pattern."""
    name = re.search(r"\w+(?=/)", pattern).group()
    folder = tree.folder / (CROWD_TESTS if target == "CairnCrowdTests" else f"Tests/{target}")
    return any(re.search(rf"\bstruct {name}\b", path.read_text()) for path in folder.rglob("*.swift"))


# MARK: What runners write

_BEGUN = re.compile(r" Test (\w+\([^)]*\)) started\.")
_ENDED = re.compile(r" Test (\w+\([^)]*\)) (?:with \d+ test cases? )?(?:passed|failed|skipped)")
_ISSUE = re.compile(r" Test (\w+\([^)]*\)|\".*?\") recorded an issue.*? at ([^\s:]+):\d+:\d+")
_FAILED = re.compile(r" Test (\w+\([^)]*\)|\".*?\") (?:with \d+ test cases? )?failed after")
_CRASH = re.compile(r"Fatal error: .*|unexpected signal code \d+|exited with signal \d+|Exited with .*signal.*")


def _first_of_swift(output):
    if issue := _ISSUE.search(output):
        return f"{issue.group(2)}: {issue.group(1)}"
    if failed := _FAILED.search(output):
        return failed.group(1)
    crash = _CRASH.search(output)
    if crash is None:
        return None
    ended = set(_ENDED.findall(output))
    running = [name for name in _BEGUN.findall(output) if name not in ended]
    return f"crash ({crash.group(0)[:120]}) during {', '.join(running[:3]) or 'a test'}"


def _first_of_pytest(output):
    found = re.search(r"^(?:FAILED|ERROR) (\S+?::\w+(?:\[.*?\])?)(?: - .*)?$", output, re.MULTILINE)
    return found.group(1) if found else None


def _first_of_node(output):
    found = re.search(r"^\s*not ok \d+ - (.+)$", output, re.MULTILINE)
    return f"PlayTests: {found.group(1)}" if found else None


_FIRST = {"swift": _first_of_swift, "pytest": _first_of_pytest, "node": _first_of_node}
#: At least one test has passed.
_PASSED = {
    "swift": re.compile(r"Test run with [1-9]\d* tests?\b.* passed"), "pytest": re.compile(r"\b[1-9]\d* passed"),
    "node": re.compile(r"^# pass [1-9]", re.MULTILINE),
}


def _finished(command, folder, environment):
    """Runs a command to its end; returns its code and what it has written. It is ended when it takes too long."""
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=60 * STAGE_MINUTES)
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        # With all that it has started.
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return None, output.decode(errors="replace")
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


# MARK: All of it

def green(tree, faults):
    """Runs the suites of all these faults without any; returns the first failure of each runner."""
    return [first for stage in stages(tree, faults) if (first := failure(tree, stage, None))]


def caught(tree, fault):
    """Which test catches a fault, None = no test does; and how many seconds it took."""
    began = time.monotonic()
    with tree.replaced(fault):
        for stage in stages(tree, [fault]):
            if first := failure(tree, stage, fault):
                return first, time.monotonic() - began
    return None, time.monotonic() - began
