"""No test leaves a process behind: what a test has started names the test's folder, in its words or its environment.

A server that is killed cannot end its adaptors, and a process that hangs outlives the run. So what is left when the
test's fixtures have ended is an error of the test, and is ended.
"""

import os
import pathlib
import select
import signal
import time

import pytest

PROCESSES = pathlib.Path("/proc")
#: A process whose stdin has ended, or that was told to end, has so long to go. Most have gone when they are looked at.
GRACE_SECONDS = 20.0

_before = pytest.StashKey[set]()


def note(item):
    """Notes the processes that there are before a test."""
    item.stash[_before] = _numbers()


def check(item, folder):
    """Fails if a process is left that the test has started in its folder. Ends it."""
    name, before = os.fsencode(folder), item.stash.get(_before, set())
    deadline = time.monotonic() + GRACE_SECONDS
    while left := {number: words for number in _numbers() - before if (words := _words(number, name))}:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            break
        _await_end(next(iter(left)), remaining)
    for number in left:
        os.kill(number, signal.SIGKILL)
    assert not left, f"{item.nodeid} has left processes behind: {left}"


def _await_end(number, seconds):
    """Waits until a process has ended, or the time is over."""
    try:
        process = os.pidfd_open(number)
    except ProcessLookupError:
        return
    try:
        select.select([process], [], [], seconds)
    finally:
        os.close(process)


def _numbers():
    return {int(entry) for entry in os.listdir(PROCESSES) if entry.isdecimal()} if PROCESSES.exists() else set()


def _words(number, name):
    """The words of a process that names the folder; None = it does not, or is gone."""
    try:
        words = (PROCESSES / f"{number}/cmdline").read_bytes()
        # A process that has ended and is not waited for has no words.
        if not words or name not in words + b"\0" + (PROCESSES / f"{number}/environ").read_bytes():
            return None
    except OSError:
        return None
    return words.replace(b"\0", b" ").decode(errors="replace").strip()
