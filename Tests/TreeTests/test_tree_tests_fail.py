"""Each test of the tree fails where its rule is broken: what it has to find is planted, by planted.toml.

The rules of Tests/TidyTests read a small tree that has little but broken rules, and those of Tests/TreeTests a copy of
this one with a few lines more. A new rule stands in planted.toml as well, or it fails here.
"""

import os
import pathlib
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as xml

import pytest

from sources import copy_sources

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLANTED = tomllib.loads((ROOT / "Tests/TreeTests/planted.toml").read_text())
TIDY, TREE = PLANTED["tidy"], PLANTED["tree"]
#: What the tests of the tree read.
READ = [
    "Package.swift", "Sources", "Tests", "config", "docs", "loadtest", "packaging", "proto", "scripts",
]


def plant(folder, planted):
    """Writes the files of a part of planted.toml below a folder."""
    long = {path: ("x" * width + "\n") * lines for path, (lines, width) in planted["long"].items()}
    for path, text in (planted["files"] | long).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text.removeprefix("\n"))


def complaints(results):
    """What each failed test said, by its name without arguments."""
    said = {}
    for case in xml.parse(results).getroot().iter("testcase"):
        for failure in (*case.iter("failure"), *case.iter("error")):
            name = re.split(r"[(\[]", case.get("name"))[0]
            said[name] = said.get(name, "") + failure.get("message", "") + (failure.text or "")
    return said


def missed(wanted, said):
    """The tests that did not fail with their complaint."""
    return {name: said.get(name, "it passed")[-2000:] for name, complaint in wanted.items()
            if name not in said or complaint not in said[name]}


def test_each_rule_of_the_swift_tests_finds_what_breaks_it(tmp_path):
    tree, results = tmp_path / "tree", tmp_path / "results.xml"
    plant(tree, TIDY)
    for command in (["init", "--quiet"], ["add", "--all", "--force"]):
        subprocess.run(["git", "-C", tree, *command], check=True)
    built = pathlib.Path(os.environ["CAIRN_BIN"]).parent
    ended = subprocess.run(
        [built / "cairnPackageTests.xctest", "--testing-library", "swift-testing", "--filter", r"^TidyTests\.",
         "--xunit-output", results],
        cwd=ROOT, env=os.environ | {"PLANTED_TREE": str(tree)}, capture_output=True, text=True)
    assert ended.returncode == 1, ended.stdout[-2000:] + ended.stderr[-2000:]
    assert missed(TIDY["complaints"], complaints(results)) == {}


def test_each_rule_of_the_tests_in_python_finds_what_breaks_it(tmp_path):
    tree, results = tmp_path / "tree", tmp_path / "results.xml"
    copy_sources(READ, tree)
    for path, old, new in TREE["edits"]:
        text = (tree / path).read_text()
        assert old in text, f"{path} has no {old!r} any more"
        (tree / path).write_text(text.replace(old, new))
    plant(tree, TREE)
    wanted = {name: complaint for names in TREE["complaints"].values() for name, complaint in names.items()}
    tests = [f"Tests/TreeTests/{file}.py::{name}" for file, names in TREE["complaints"].items() for name in names]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--noconftest", f"--rootdir={tree}",
         f"--junitxml={results}", *tests], cwd=tree, capture_output=True, text=True)
    assert ended.returncode == 1, ended.stdout[-2000:] + ended.stderr[-2000:]
    assert missed(wanted, complaints(results)) == {}


def test_no_rule_is_left_out():
    tidy = {name for path in (ROOT / "Tests/TidyTests").glob("*.swift")
            for name in re.findall(r"@Test\b.*?\bfunc (\w+)\(", path.read_text(), re.DOTALL)}
    assert len(tidy) > 50 and tidy == TIDY["complaints"].keys() | set(TIDY["cases"])
    files = [path for path in (ROOT / "Tests/TreeTests").glob("test_*.py") if path.name not in TREE["programs"]]
    tests = {name for path in files for name in re.findall(r"^ *def (test_\w+)\(", path.read_text(), re.MULTILINE)}
    wanted = {name for names in TREE["complaints"].values() for name in names}
    assert len(tests) > 30 and tests == wanted | set(TREE["cases"])
