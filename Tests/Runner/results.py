"""Outcomes of tests, from the xUnit XML that Swift Testing and pytest write, and the same test once more."""

import dataclasses
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import setups  # noqa: E402


@dataclasses.dataclass
class Outcome:
    """One test: its name as its runner selects it, its seconds, and whether it failed."""

    runner: str
    name: str
    seconds: float
    failed: bool
    #: Why what the test needs could not be set up; empty = it was, or there is nothing of the kind.
    broken_setup: str = ""
    #: Names what failed then, the same for all tests that share it (Tests/setups.py).
    setup: str = ""

    @property
    def slug(self):
        """A file name."""
        return re.sub(r"[^A-Za-z0-9_.-]+", "-", self.name)[-150:]

    @property
    def file(self):
        return self.name.partition("::")[0]


def again(failure, swift, pytest):
    """The command that runs the tests of a failure alone. `swift` and `pytest` are the runners' commands."""
    if failure[0].runner == "swift":
        return [*swift, "--no-parallel", "--filter", f"^{re.escape(failure[0].name)}(/|$)"]
    return [*pytest, *(one.name for one in failure)]


def failures(outcomes):
    """What failed: lists of one test each, and one list of all tests of a file that share what could not be set up,
    since that is one thing that went wrong. What is set up for each test failed for each."""
    found = {}
    for one in outcomes:
        if one.failed:
            shared = (one.file, one.setup) if one.broken_setup and one.setup else one.name
            found.setdefault((one.runner, shared), []).append(one)
    return list(found.values())


def read(runner, path):
    """The outcomes in a file; none where the run was ended before it wrote one."""
    path = pathlib.Path(path)
    if not path.exists():
        return []
    return [
        Outcome(
            runner, _name(runner, case), float(case.get("time") or 0), _failed(case), _broken_setup(case), _setup(case))
        for case in xml.parse(path).getroot().iter("testcase")]


def _failed(case):
    return case.find("failure") is not None or case.find("error") is not None


def _broken_setup(case):
    error = case.find("error")
    message = error.get("message") or "" if error is not None else ""
    return message if message.startswith("failed on setup") else ""


def _setup(case):
    return next((one.get("value") for one in case.iter("property") if one.get("name") == setups.PROPERTY), "")


def _name(runner, case):
    name, parent = case.get("name"), case.get("classname") or ""
    if runner == "swift":
        return f"{parent}/{name}"
    # pytest writes the path with dots; a file has no dot in its own name.
    path = parent.replace(".", "/") + ".py" if parent else name
    return f"{path}::{name}" if parent else path


def combined(outcomes):
    """One outcome of each test: pytest writes a test that fails and cannot be cleaned up twice."""
    found = {}
    for one in outcomes:
        before = found.get((one.runner, one.name))
        if before:
            one = dataclasses.replace(
                one, seconds=one.seconds + before.seconds, failed=one.failed or before.failed)
        found[one.runner, one.name] = one
    return list(found.values())
