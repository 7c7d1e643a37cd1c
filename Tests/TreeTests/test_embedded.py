"""The programs have in them what their folders have (scripts/generate-embedded)."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "Sources/CEmbedded/files.c"


def test_every_file_of_the_folders_is_in_the_programs():
    listed = {(LIST.parent / path).resolve() for path in re.findall(r'#embed "(.*?)"', LIST.read_text())}
    there = {file for folder in {path.parent for path in listed} for file in folder.iterdir()}
    assert len(listed) > 70
    assert {str(path.relative_to(ROOT)) for path in listed ^ there} == set(), "run scripts/generate-embedded"
