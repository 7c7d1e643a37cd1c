"""Copies of this tree's own files, for tests that change them."""

import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def copy_sources(paths, tree):
    """Copies the files below these paths to another folder, but for what git ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *paths], cwd=ROOT, check=True,
        capture_output=True, text=True)
    for path in filter(None, listed.stdout.split("\0")):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, tree / path)
