"""The programs have in them what their folders have (scripts/generate-embedded)."""

import difflib
import pathlib
import runpy

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_every_file_of_the_folders_is_in_the_programs():
    script = runpy.run_path(str(ROOT / "scripts/generate-embedded"))
    listed, wanted = script["LIST"].read_text().splitlines(), script["source"]().splitlines()
    assert len(wanted) > 200
    differing = list(difflib.unified_diff(listed, wanted, "files.c", "the folders", "", "", n=0, lineterm=""))
    assert differing == [], "\n".join(["run scripts/generate-embedded:", *differing])
