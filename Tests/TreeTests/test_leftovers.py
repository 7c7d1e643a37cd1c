"""Whether a test that leaves a process behind is found."""

import pathlib
import subprocess
import types

import pytest

import leftovers


def test_a_process_that_a_test_leaves_is_an_error_and_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(leftovers, "GRACE_SECONDS", 0.1)
    test = types.SimpleNamespace(stash=pytest.Stash(), nodeid="test_x.py::test_y")
    leftovers.note(test)
    other = tmp_path / "another test's"
    for how in ({"args": ["sh", "-c", "sleep 600; true", tmp_path / "a.py"]},
                {"args": ["sleep", "600"], "env": {"PATH": "/usr/bin:/bin", "FOLDER": str(tmp_path / "data")}}):
        process = subprocess.Popen(**how)
        # The kernel gives a program its words a moment after it has begun.
        while not pathlib.Path(f"/proc/{process.pid}/environ").read_bytes():
            pass
        leftovers.check(test, other)
        with pytest.raises(AssertionError, match="test_y has left processes behind"):
            leftovers.check(test, tmp_path)
        assert process.wait() == -9
    leftovers.check(test, tmp_path)
