"""scripts/compare: its verdicts, and a run of it over two equal servers."""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys

import pytest

from server import ROOT, binary, environment


@pytest.fixture(scope="module")
def compare():
    """The program as a module."""
    sys.path.insert(0, str(ROOT / "scripts"))
    loader = importlib.machinery.SourceFileLoader("compare", str(ROOT / "scripts/compare"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", loader))
    sys.modules["compare"] = module
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("ratio, low, high, confidence, counted, said", [
    (0.9, 0.7, 1.03, 0.979, None, "not worse"),
    (1.2, 1.04, 1.5, 0.979, 0.9, "worse"),
    # Narrow: the ratio decides.
    (1.02, 1.0, 1.045, 0.979, 1.5, "not worse"),
    (1.035, 1.02, 1.06, 0.979, 0.9, "worse"),
    # Wide: the instructions decide, where there are any.
    (1.0, 0.8, 1.2, 0.979, 1.03, "not worse (instructions)"),
    (1.0, 0.8, 1.2, 0.979, 1.031, "worse (instructions)"),
    (1.0, 0.8, 1.2, 0.979, None, "undecided"),
    # Of too few pairs.
    (2.0, 2.0, 2.0, 0.0, None, "undecided"),
    (2.0, 2.0, 2.0, 0.0, 1.0, "not worse (instructions)"),
])  # fmt: skip
def test_verdict_is_of_interval_or_ratio_or_instructions(compare, ratio, low, high, confidence, counted, said):
    assert compare.verdict(ratio, low, high, confidence, lambda: counted) == said


def test_more_of_a_rate_is_better(compare):
    row = compare.ROWS["joins"]
    figure = {"own": 970, "other": 1000, "ratio": 0.97, "low": 0.96, "high": 0.98, "confidence": 0.979}
    (line,) = compare.judged("joins", row, {"joins_per_second": figure}, None)
    assert line[-1] == "worse", "1000 of 970 is more than 1.03"
    better = figure | {"ratio": 1.2, "low": 1.1, "high": 1.3}
    assert compare.judged("joins", row, {"joins_per_second": better}, None)[0][-1] == "not worse"


def test_makefile_of_a_commit_says_how_its_server_is_built(compare, tmp_path):
    """Commands of this tree's Makefile, and of one that built its products one after the other."""
    commands = sys.modules["builds"].build_commands
    (one,) = [line for line in commands(ROOT) if "swift build" in line]
    assert one.endswith("--product cairn") and "-c release" in one
    (tmp_path / "Makefile").write_text(
        "release: bootstrap\n\tswift build -c release \\\n\t\t-Xswiftc -O --product cairn\n"
        "\tswift build -c release --product cairn-crowd\n\nbootstrap:\n\t@scripts/bootstrap\n")
    (line,) = commands(tmp_path)
    assert line.split() == ["swift", "build", "-c", "release", "-Xswiftc", "-O", "--product", "cairn"]


FAKE_SWIFT = """#!/bin/sh
echo building >> "$BUILDS"
mkdir -p .build/release
cp program .build/release/cairn
"""


def test_program_of_a_commit_is_built_once_and_kept(compare, tmp_path, monkeypatch):
    tree, tools = tmp_path / "tree", tmp_path / "tools"
    tree.mkdir()
    tools.mkdir()
    (tools / "swift").write_text(FAKE_SWIFT)
    (tools / "swift").chmod(0o755)
    (tree / "Makefile").write_text("release:\n\tswift build -c release --product cairn\n")
    (tree / "Package.swift").touch()

    def git(*words):
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        made = subprocess.run(["git", *who, *words], cwd=tree, check=True, capture_output=True, text=True)
        return made.stdout.strip()

    git("init", "--quiet")
    for text in ("first", "second"):
        (tree / "program").write_text(text)
        git("add", ".")
        git("commit", "--quiet", "--message", text)
    builds = sys.modules["builds"]
    monkeypatch.setattr(builds, "ROOT", tree)
    monkeypatch.setattr(builds, "CACHE", tree / ".build/compare")
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("BUILDS", str(tmp_path / "builds"))
    for _ in range(2):
        assert compare.program_of(git("rev-parse", "HEAD~1")).read_text() == "first"
    assert (tmp_path / "builds").read_text() == "building\n"
    assert compare.program_of(git("rev-parse", "HEAD")).read_text() == "second"


def run(*arguments):
    return subprocess.run(
        [sys.executable, ROOT / "scripts/compare", *map(str, arguments)], capture_output=True, text=True, timeout=300,
        env=environment())


def test_two_equal_servers_are_compared_in_a_table():
    folder = binary().parent
    ended = run(folder, "--own", folder, "--no-build", "200x1x5", "--pairs", 1, "--seconds", 1, "--count-seconds", 0)
    # One pair decides nothing.
    assert ended.returncode == 0 and "worse: nothing" in ended.stdout, ended.stdout + ended.stderr
    cells = [line.strip("| ").split(" | ") for line in ended.stdout.splitlines() if line.startswith("| ")]
    assert [line[:2] for line in cells[2:]] == [
        ["200x1x5", "CPU of a pose, us"], ["200x1x5", "p50, ms"], ["200x1x5", "p99, ms"]]  # fmt: skip
    assert "failed" not in ended.stdout


def test_rows_and_commits_that_do_not_exist_are_refused():
    assert "unknown row 7x" in run("HEAD", "7x").stderr
    assert "neither a commit nor a folder" in run("no-such-commit").stderr
