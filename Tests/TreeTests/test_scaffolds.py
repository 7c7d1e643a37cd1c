"""scripts/new-feature and scripts/new-command write what parses, is formatted and is registered."""

import json
import pathlib
import subprocess
import sys

import pytest

from sources import copy_sources

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: What the two scripts and those that they call read.
READ = [
    ".swift-format", "docs/asyncapi.yaml", "docs/frames.json", "docs/limits.md", "docs/protocol.md", "proto", "scripts",
    "Sources/CairnFeatures", "Sources/CairnPlay/Resources/cairn", "Sources/CairnServer/Texts", "Sources/CairnWire",
    "Tests/CairnFeaturesTests", "Tests/CairnWireTests/Golden",
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of this tree with a feature `Lanterns` and a command of it."""
    tree = tmp_path_factory.mktemp("tree")
    copy_sources(READ, tree)
    run(tree, "new-feature", "Lanterns")
    run(tree, "new-command", "Lanterns", "DimLantern", "--refusal", "LanternOut", "--success", "LanternDimmed")
    return tree


def run(tree, script, *arguments):
    ended = subprocess.run(
        [sys.executable, tree / "scripts" / script, *arguments], cwd=tree, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def written(tree):
    return [path for path in tree.rglob("*.swift") if not (ROOT / path.relative_to(tree)).exists()]


def test_all_files_of_it_are_there(tree):
    paths = {path.relative_to(tree).as_posix() for path in written(tree)}
    folder = "Sources/CairnFeatures/Lanterns"
    assert paths == {
        f"{folder}/AddLantern.swift", f"{folder}/DimLantern.swift", f"{folder}/LanternRecord.swift",
        f"{folder}/LanternSettings.swift", f"{folder}/Lanterns+Refusals.swift", f"{folder}/Lanterns+Storage.swift",
        f"{folder}/Lanterns.swift", "Sources/CairnWire/Lanterns/Refusal.Code+Lanterns.swift",
        "Tests/CairnFeaturesTests/Lanterns/DimLanternTests.swift",
        "Tests/CairnFeaturesTests/Lanterns/LanternsTests.swift",
    }
    golden = tree / "Tests/CairnWireTests/Golden/Lanterns"
    assert sorted(path.name for path in golden.rglob("*.json")) == [
        "add_lantern.json", "dim_lantern.json", "reply.lantern_added.json", "reply.lantern_dimmed.json"]


def test_what_is_written_parses_and_has_the_form_of_the_tree(tree):
    for command in (["swiftc", "-frontend", "-parse"], ["swift", "format", "lint", "--strict"]):
        ended = subprocess.run([*command, *written(tree)], cwd=tree, capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, "")


def test_it_is_registered(tree):
    register = (tree / "Sources/CairnFeatures/Features.swift").read_text()
    assert "        Feedback.self,\n        Lanterns.self,\n    ]" in register
    feature = (tree / "Sources/CairnFeatures/Lanterns/Lanterns.swift").read_text()
    assert "[AddLantern.self, DimLantern.self]" in feature
    assert ".lanternOut" in (tree / "Sources/CairnFeatures/Lanterns/Lanterns+Refusals.swift").read_text()
    for language in ("es", "fr", "hi", "zh"):
        texts = json.loads((tree / f"Sources/CairnServer/Texts/{language}.json").read_text())
        assert {"said.lanterns", "refusal.lantern_out"} <= texts.keys()
    requests = json.loads((tree / "Sources/CairnPlay/Resources/cairn/schema.json").read_text())["requests"]
    assert requests["dimLantern"] == {"type": "DimLantern", "success": "lanternDimmed", "keyed": True}
    # A free number, and the one behind it.
    envelope = (tree / "proto/cairn/v1/envelope.proto").read_text()
    first = int(envelope.split("AddLantern add_lantern = ")[1].split(";")[0])
    assert first % 10 == 0 and f"DimLantern dim_lantern = {first + 1};" in envelope


def test_what_is_left_to_fill_in_stands_where_a_test_of_the_tree_finds_it(tree):
    word = "TO" + "DO:"
    marked = [path for path in written(tree) if word in path.read_text()]
    assert len(marked) > 5 and word in (tree / "proto/cairn/v1/lanterns.proto").read_text()


@pytest.mark.parametrize("arguments, complaint", [
    (["new-feature", "lanterns"], "is no name like"),
    (["new-feature", "Lanterns"], "there is a message AddLantern"),
    (["new-feature", "Galleries"], "say what one thing of Galleries is called"),
    (["new-command", "Lanterns", "Block"], "there is a message Block"),
    (["new-command", "Nothing", "NoThing"], "no file Nothing.swift"),
])  # fmt: skip
def test_what_does_not_fit_is_refused(tree, arguments, complaint):
    with pytest.raises(AssertionError, match=complaint):
        run(tree, *arguments)
