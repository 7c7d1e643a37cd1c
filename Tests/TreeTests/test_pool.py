"""How tests are spread over processes (Tests/pool.py): what takes long begins first, and no process hoards."""

import json
import types

import pytest

import pool

#: Two tests of a file that share its server, and others; seconds that they took. Nobody knows of `new`.
SHARING = ["a.py::one", "a.py::two"]
SECONDS = {"a.py::one": 4, "a.py::two": 5, "b.py::long": 8, "b.py::short": 1, "c.py::medium": 5}


class Worker:
    """Stands in for a process that runs tests: keeps what it was given."""

    shutting_down = False

    def __init__(self, name):
        self.gateway = types.SimpleNamespace(id=name)
        self.given = []

    def send_runtest_some(self, indices):
        self.given += [TESTS[index] for index in indices]

    def shutdown(self):
        self.shutting_down = True


TESTS = [*SECONDS, "c.py::new"]


@pytest.fixture
def spread(tmp_path):
    """The scheduler after it has given out the first work, and its workers."""
    units = tmp_path / "units.json"
    units.write_text(json.dumps({name: "a.py" if name in SHARING else name for name in TESTS}))
    config = types.SimpleNamespace(
        getvalue=lambda name: {"tx": ["popen", "popen"]}[name],
        option=types.SimpleNamespace(loadscopereorder=True), hook=None)
    scheduler = pool.LongestFirst(config, None, units, SECONDS)
    workers = [Worker("one"), Worker("two")]
    for worker in workers:
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, TESTS)
    scheduler.schedule()
    return scheduler, workers


def test_what_takes_longest_is_given_out_first_and_a_shared_server_stays_in_one_process(spread):
    _, (one, two) = spread
    assert one.given == SHARING
    # It has a next one, too: a worker begins a test when it knows the next.
    assert two.given == ["b.py::long", "c.py::medium"]


def test_a_worker_is_given_more_when_it_is_about_to_have_none(spread):
    scheduler, (one, two) = spread
    scheduler.mark_test_complete(one, TESTS.index("a.py::one"))
    assert one.given == [*SHARING, "c.py::new"], "as long as the median: longer than the short one"
    scheduler.mark_test_complete(two, TESTS.index("b.py::long"))
    assert two.given == ["b.py::long", "c.py::medium", "b.py::short"]
    assert not scheduler.workqueue and not scheduler.tests_finished
    for worker, name in ((one, "a.py::two"), (two, "c.py::medium")):
        scheduler.mark_test_complete(worker, TESTS.index(name))
        assert worker.shutting_down
    assert scheduler.tests_finished


def test_a_units_file_groups_the_tests_of_a_module_by_what_they_share(tmp_path):
    def item(name, scope):
        definition = types.SimpleNamespace(scope=scope)
        return types.SimpleNamespace(
            nodeid=name, _fixtureinfo=types.SimpleNamespace(name2fixturedefs={"it": [definition]}))

    file = tmp_path / "units.json"
    session = types.SimpleNamespace(items=[item("a.py::one", "module"), item("a.py::two", "function")])
    pool.Units(file).pytest_collection_finish(session)
    assert json.loads(file.read_text()) == {"a.py::one": "a.py", "a.py::two": "a.py::two"}


def test_durations_are_sums_and_those_of_other_tests_stay(tmp_path):
    file = tmp_path / "new" / "durations.json"
    for name, seconds in (("a.py::one", (0.1, 2.004, 0.2)), ("b.py::long", (3,)), ("a.py::one", (1.5,))):
        noted = pool.Durations(file)
        for part in seconds:
            noted.pytest_runtest_logreport(types.SimpleNamespace(nodeid=name, duration=part))
        noted.pytest_sessionfinish()
    assert json.loads(file.read_text()) == {"a.py::one": 1.5, "b.py::long": 3}
