"""The faults that scripts/faults tries still fit the sources and name suites that exist, and what the runners write is
understood."""

import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Faults"), str(ROOT / "Tests/EndToEndTests")]

import fault_runs  # noqa: E402
import fault_table  # noqa: E402
import server  # noqa: E402

FAULTS = fault_table.read()
MANIFEST = (ROOT / "Package.swift").read_text()


def text_of(path):
    return (ROOT / path).read_text()


def test_there_are_thirty_faults_with_names_of_their_own():
    names = [fault.name for fault in FAULTS]
    assert len(names) == len(set(names)) == 30
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)+", name) for name in names)


def test_every_module_with_code_of_ours_has_a_fault():
    modules = {path.relative_to(ROOT).parts[1] for path in (ROOT / "Sources").rglob("*.swift")}
    # The test kit itself is tried by every test that uses it; the others are younger than 31b2703d, with which faults
    # compare and which the table fits as well.
    assert {fault.file.split("/")[1] for fault in FAULTS} >= modules - {
        "CairnTesting", "CairnCrypto", "CairnEmbedded", "CairnText", "CairnThreads",
    }  # fmt: skip
    assert any(fault.file.startswith("loadtest/") for fault in FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_original_stands_once_in_its_file(fault):
    sound = text_of(fault.file)
    planted = fault.planted(sound)
    assert planted != sound
    assert (f'isFaultOn("{fault.name}")' in planted) == fault.is_swift
    assert planted.count(fault_table.QUESTION) == sound.count(fault_table.QUESTION)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_suites_are_there(fault):
    assert fault.swift or fault.pytest or fault.node
    assert [name for name in fault.pytest if not (ROOT / name).is_file()] == []
    assert [name for name in fault.swift if f'name: "{name}"' not in MANIFEST] == []


def test_original_that_has_changed_or_stands_twice_is_found():
    fault = FAULTS[0]
    for text in ("", 2 * text_of(fault.file)):
        with pytest.raises(ValueError, match=fault.name):
            fault.planted(text)


def test_fault_of_a_file_that_had_another_name_fits_both():
    for fault in (fault for fault in FAULTS if fault.earlier):
        assert fault.of_commit(lambda path, fault=fault: path == fault.file) == fault
        before = fault.of_commit(lambda path: False)
        assert before.file != fault.file and before.planted(f"({before.original})") != f"({before.original})"
    assert all(fault.of_commit(lambda path: False) == fault for fault in FAULTS if not fault.earlier)


def test_each_file_asks_the_environment_once():
    files = fault_table.planted_files(FAULTS, text_of)
    assert set(files) == {fault.file for fault in FAULTS if fault.is_swift}
    for path, text in files.items():
        assert text.count(f'getenv("{fault_table.VARIABLE}")') == 1, path


def test_variable_reaches_the_servers_of_tests(monkeypatch):
    monkeypatch.setenv(fault_table.VARIABLE, "some-fault")
    assert server.environment()[fault_table.VARIABLE] == "some-fault"


# MARK: What runners write

SWIFT = """\
◇ Test edit_ofAnOldVersion_isRefused() started.
◇ Test edit_keeps(_:) started.
✔ Test edit_keeps(_:) with 3 test cases passed after 0.002 seconds.
✘ Test edit_ofAnOldVersion_isRefused() recorded an issue at EditTests.swift:34:9: Expectation failed: (nil) == (…)
✘ Test edit_ofAnOldVersion_isRefused() failed after 0.003 seconds with 1 issue.
✘ Test run with 2 tests in 1 suite failed after 0.004 seconds with 1 issue.
"""
SWIFT_ARGUMENT = """\
✘ Test vectors_areMade(_:_:) recorded an issue with 2 arguments time → 59, code → "287082" at CodeTests.swift:9:5: no
"""
SWIFT_CRASH = """\
◇ Test first() started.
◇ Test second(_:) started.
✔ Test first() passed after 0.001 seconds.
CairnGeo/Bounds.swift:9: Fatal error: Index out of range
error: Exited with unexpected signal code 4
"""
PYTEST = """\
=================================== FAILURES ===================================
FAILED Tests/EndToEndTests/test_names.py::test_names[a - b] - AssertionError: 1
!!!!!!!!!!!! xdist.dsession.Interrupted: stopping after 1 failures !!!!!!!!!!!!!
1 failed, 3 passed in 2.10s
"""
NODE = """\
# Subtest: changes over cuts
ok 1 - changes over cuts
# Subtest: not in the name of another
not ok 2 - not in the name of another
# pass 1
# fail 1
"""


@pytest.mark.parametrize("runner, code, output, first", [
    ("swift", 1, SWIFT, "EditTests.swift: edit_ofAnOldVersion_isRefused()"),
    ("swift", 1, SWIFT_ARGUMENT, "CodeTests.swift: vectors_areMade(_:_:)"),
    ("swift", 1, SWIFT_CRASH, "crash (Fatal error: Index out of range) during second(_:)"),
    ("swift", 0, "✔ Test run with 2 tests in 1 suite passed after 0.004 seconds.", None),
    ("pytest", 2, PYTEST, "Tests/EndToEndTests/test_names.py::test_names[a - b]"),
    ("pytest", 0, "12 passed in 3.40s", None),
    ("node", 1, NODE, "PlayTests: not in the name of another"),
    ("node", 0, "# pass 12", None),
    ("swift", None, "", f"no end after {fault_runs.STAGE_MINUTES} minutes"),
])
def test_first_failure_is_named(runner, code, output, first):
    assert fault_runs.judged(runner, code, output) == first


@pytest.mark.parametrize("runner, code, output", [
    ("swift", 1, "error: no such module"), ("swift", 0, "Test run with 0 tests passed after 0.001 seconds."),
    ("pytest", 4, "ERROR: file or directory not found: Tests/none.py"), ("pytest", 5, "no tests ran in 0.01s"),
    ("node", 1, "node: bad option"), ("node", 0, "# pass 0"),
])
def test_run_without_a_verdict_is_none(runner, code, output):
    with pytest.raises(fault_runs.Broken):
        fault_runs.judged(runner, code, output)
