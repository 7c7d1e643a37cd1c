"""Tests in several processes (pytest-xdist, -n N): those that take longest begin first.

Work is handed out in units: a test, or those tests of a file that share what lives as long as their module, such as its
server. durations.json, {nodeid: seconds}, says how long each test took in an earlier run. `--durations-file PATH` makes
a run note there what its tests took, and go by what is there of earlier runs; to renew what is known of all machines,
the path is that of durations.json.
"""

import collections
import json
import os
import pathlib
import statistics
import tempfile

import pytest
from xdist.scheduler import LoadScopeScheduling

KNOWN = pathlib.Path(__file__).with_name("durations.json")
#: Tests that a worker knows of before it begins one: this one, and the next, which says what of this one's it needs.
AHEAD = 2


def add_options(parser):
    parser.addoption(
        "--durations-file", type=pathlib.Path, default=os.environ.get("CAIRN_TEST_DURATIONS"),
        help="JSON file {nodeid: seconds} in which to note how long tests take (default: $CAIRN_TEST_DURATIONS)")


def register(config):
    """Adds what a process does for the others: each worker groups its tests, the process that has workers spreads them,
    and writes down how long they took."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Units(config.workerinput["units"]))
        return
    path = config.getoption("--durations-file")
    config.pluginmanager.register(Spreading(read(KNOWN) | (read(path) if path else {})))
    if path:
        config.pluginmanager.register(Durations(path))


def read(path):
    return json.loads(path.read_text()) if path.exists() else {}


def write(path, content):
    """Replaces the file at once: others may read it, or write the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        json.dump(content, file, indent=0, sort_keys=True)
        file.write("\n")
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


class Durations:
    """Notes the seconds of tests, with setup and teardown, beside those that the file has of other tests."""

    def __init__(self, path):
        self.path = path
        self.seconds = collections.Counter()

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self):
        new = {name: round(seconds, 2) for name, seconds in self.seconds.items()}
        write(self.path, read(self.path) | new)


class Units:
    """In a worker: writes down which unit each test belongs to, as {nodeid: name of the unit}."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session):
        write(self.path, {item.nodeid: self.unit(item) for item in session.items})

    def unit(self, item):
        used = (definitions[-1] for definitions in item._fixtureinfo.name2fixturedefs.values())
        return item.nodeid.split("::")[0] if any(one.scope == "module" for one in used) else item.nodeid


class Spreading:
    """Where there are workers: makes the scheduler, and names the file by which they tell it their units."""

    def __init__(self, durations):
        self.durations = durations
        self.folder = tempfile.TemporaryDirectory(prefix="cairn-units-")
        self.units = pathlib.Path(self.folder.name) / "units.json"

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        node.workerinput["units"] = str(self.units)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config, log):
        """Another way of spreading can be asked for with --dist."""
        if config.getoption("dist") != "load":
            return None
        return LongestFirst(config, log, self.units, self.durations)

    def pytest_unconfigure(self):
        self.folder.cleanup()


class LongestFirst(LoadScopeScheduling):
    """Hands out the unit that takes longest of those that are left. A test of unknown duration counts as the median."""

    def __init__(self, config, log, units, durations):
        super().__init__(config, log)
        self._units_file, self._durations = units, durations
        self._units, self._seconds = {}, collections.Counter()

    def schedule(self):
        if not self._units:
            self._units = read(self._units_file)
            usual = statistics.median(self._durations.values()) if self._durations else 1
            for name, unit in self._units.items():
                self._seconds[unit] += self._durations.get(name, usual)
        super().schedule()

    def _split_scope(self, nodeid):
        return self._units[nodeid]

    def _assign_work_unit(self, node):
        self.workqueue.move_to_end(max(self.workqueue, key=self._seconds.__getitem__), last=False)
        super()._assign_work_unit(node)

    def _reschedule(self, node):
        """Gives the worker no more than it needs to go on: what waits with one worker no other can begin."""
        if not self.workqueue or self._pending_of(self.assigned_work[node]) < AHEAD:
            super()._reschedule(node)
