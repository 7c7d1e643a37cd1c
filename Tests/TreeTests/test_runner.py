"""The runner of the tests: what fails once is flaky and green, what fails twice is red, and nothing fails unseen."""

import pathlib
import shutil
import subprocess
import sys
import textwrap

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "Runner"))

import phases  # noqa: E402
import plan  # noqa: E402
import results  # noqa: E402

RUNNER = """
import importlib.util, sys
sys.path.insert(0, {runner!r})
import phases, pathlib
phases.RESULTS = pathlib.Path(".build/test-results").resolve()
import plan
plan.ROOT = phases.ROOT = pathlib.Path.cwd()
plan.PYTEST = [{python!r}, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=."]
spec = importlib.util.spec_from_file_location("runner", {runner!r} + "/__main__.py")
runner = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runner)
run = runner.Run()
good = run.phases([[phases.Phase("Pool", [*plan.PYTEST, "."], "pytest")]])
sys.exit(0 if run.end(good, {retries}) else 1)
"""


@pytest.fixture
def run(tmp_path):
    """Runs tests with these texts by the runner, or by .ci/run; returns its exit code and what it printed."""

    def run(*texts, retries=True, ci=False):
        # As Tests/conftest.py does.
        (tmp_path / "conftest.py").write_text(
            f"import sys\nsys.path.insert(0, {str(TESTS)!r})\nfrom setups import pytest_runtest_makereport\n")
        for number, text in enumerate(texts):
            (tmp_path / f"test_{number}.py").write_text(textwrap.dedent(text))
        script = RUNNER.format(runner=str(TESTS / "Runner"), python=sys.executable, retries=retries)
        (tmp_path / "run.py").write_text(script)
        command = [sys.executable, "run.py"]
        if ci:
            (tmp_path / ".ci").mkdir()
            shutil.copy(TESTS.parent / ".ci/run", tmp_path / ".ci/run")
            (tmp_path / "Makefile").write_text(
                f"test:\n\t@test '$(TEST_ARGUMENTS)' = --retry\n\t@{sys.executable} run.py\n")
            command = [tmp_path / ".ci/run"]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        return ended.returncode, ended.stdout + ended.stderr

    run.folder = tmp_path
    return run


ONCE = """
    import pathlib

    def test_once():
        tried = pathlib.Path("tried")
        before = tried.exists()
        tried.touch()
        assert before, "the first time"
"""
ALWAYS = """
    def test_always():
        assert False, "every time"
"""


def test_what_passes_is_green(run):
    code, said = run("def test_one(): pass")
    assert code == 0 and "flaky" not in said, said


def test_what_fails_once_is_flaky_and_ci_is_green_with_both_outputs(run):
    code, said = run(ONCE, ci=True)
    assert code == 0 and said.splitlines()[-1].startswith("ci: make test passed in "), said
    assert said.splitlines().count("flaky: test_0.py::test_once") == 2, "as it happens, and at the end"
    first, second = sorted((run.folder / ".build/test-results/flaky").iterdir())
    assert "the first time" in first.read_text() and "1 passed" in second.read_text()
    # The machine of CI is gone when somebody looks: the log has what failed.
    assert f"--- {first.name}" in said and "AssertionError: the first time" in said.split(f"--- {first.name}")[1]


def test_without_retries_what_fails_once_is_red(run):
    code, said = run(ONCE, retries=False)
    assert code == 1 and "flaky" not in said, said


def test_what_fails_twice_is_red_in_ci(run):
    code, said = run(ONCE, ALWAYS, ci=True)
    assert code != 0 and said.splitlines()[-1].startswith("ci: make test failed"), said
    assert "flaky: test_0.py::test_once" in said and "failed twice: test_1.py::test_always" in said, said


EACH = """
    import pytest

    @pytest.fixture
    def server():
        raise OSError("no server")

    @pytest.mark.parametrize("number", range(3))
    def test_each(server, number): pass
"""


def test_more_than_five_failures_get_no_second_try_and_are_red_in_ci(run):
    """A fixture that is set up for each test has failed as often as it was set up."""
    code, said = run("\n".join(
        ONCE.replace("once", f"once{number}").replace("tried", f"tried{number}") for number in range(3)), EACH, ci=True)
    assert code != 0 and "6 tests failed, 5 at most" in said and "flaky: " not in said, said


SHARED = """
    import pathlib
    import pytest

    @pytest.fixture(scope="module")
    def machine():
        tried = pathlib.Path("tried")
        before = tried.exists()
        tried.touch()
        assert before, "no machine"

    @pytest.mark.parametrize("number", range(9))
    def test_needing(machine, number):
        assert number != BROKEN
"""


def test_a_fixture_that_fails_for_nine_tests_is_one_failure_and_all_nine_are_tried_again(run):
    code, said = run(SHARED.replace("BROKEN", "9"), ci=True)
    assert code == 0, said
    flaky = "flaky: test_0.py::test_needing[0] and 8 more of its file: failed on setup"
    assert flaky in said and "no machine" in said, said
    (second,) = (run.folder / ".build/test-results/flaky").glob("*.second.txt")
    assert "9 passed" in second.read_text()


def test_a_test_that_fails_once_its_fixture_stands_is_red(run):
    code, said = run(SHARED.replace("BROKEN", "4"), ci=True)
    assert code != 0 and "failed twice: test_0.py::test_needing[0] and 8 more" in said, said


def test_a_run_that_ends_without_naming_a_test_is_red(run):
    code, said = run("import os\nos._exit(3)")
    assert code == 1 and "without the name of a test" in said, said


def test_a_phase_that_hangs_is_ended_and_has_failed(tmp_path, monkeypatch):
    monkeypatch.setattr(phases, "RESULTS", tmp_path)
    hanging = phases.Phase("Hanging", ["sleep", "600"], minutes=0.01).run()
    assert not hanging.passed and "is ended after" in hanging.output.read_text()


def test_a_build_that_fails_ends_its_lane(tmp_path, monkeypatch):
    monkeypatch.setattr(phases, "RESULTS", tmp_path)
    lane = [phases.Phase("Build", ["false"]), phases.Phase("After it", ["true"], "pytest")]
    ended = []
    assert not phases.run_lanes([lane], ended.append)
    assert [phase.name for phase in ended] == ["Build"]


def test_suites_alone_are_found_by_their_tag(tmp_path):
    (tmp_path / "Tests").mkdir()
    (tmp_path / "loadtest/Tests").mkdir(parents=True)
    (tmp_path / "Tests/Some.swift").write_text(
        '@Suite("Quick (X-1)", .timeLimit(.minutes(2)))\nstruct QuickTests {}\n'
        '@Suite("Slow (X-1)", .tags(.alone), .timeLimit(.minutes(2)))\nstruct SlowTests {}\n'
        "@Suite(.serialized, .tags(.alone)) struct OtherTests {}\n")
    assert plan.suites_alone(tmp_path) == ["OtherTests", "SlowTests"]
    assert plan.suites_alone(), "the tree has such suites"


def test_names_are_those_that_the_runners_select_by(tmp_path):
    file = tmp_path / "one.xml"
    file.write_text(
        '<testsuites><testsuite><testcase classname="CairnCoreTests.QuotaTests" name="bucket_fills()" time="0.5">'
        '<failure message="no"/></testcase></testsuite></testsuites>')
    (swift,) = results.read("swift", file)
    again = results.again([swift], ["swift", "test"], [])
    assert swift.failed and again[-1] == r"^CairnCoreTests\.QuotaTests/bucket_fills\(\)(/|$)"
    file.write_text(
        '<testsuites><testsuite><testcase classname="Tests.EndToEndTests.test_top" name="test_a[b]" time="1"/>'
        "</testsuite></testsuites>")
    (python,) = results.read("pytest", file)
    assert not python.failed and python.name == "Tests/EndToEndTests/test_top.py::test_a[b]"
