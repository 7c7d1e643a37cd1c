"""How long things take, for tests that promise that something is quick.

A number of seconds would be a claim about the machine. So a test compares with the same thing, done by the same means
in the same test when nothing was in its way, and has the mark `alone` (Tests/TreeTests/test_times.py):

    before = await paces(question)
    ...
    assert not is_held_up(await paces(question), before)
"""

import pathlib
import time

#: So many times as long as before is no chance: somebody waits. A wait for a disk, a timer or a person is a thousand
#: times as long as an answer; scheduling on a busy machine lengthens both.
HELD_UP = 20


async def timed(action):
    """Carries out `action()`; returns how many seconds it took."""
    began = time.perf_counter()
    await action()
    return time.perf_counter() - began


def busy_seconds(server):
    """Processor time of the server so far, by the scheduler's accounting, because /proc/PID/stat counts in steps of 10
    ms. What else the machine does hardly changes it."""
    spent = 0
    for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
        spent += int((task / "schedstat").read_text().split()[0])
    return spent / 1e9


async def paces(action, count=30):
    """Carries out `action()` so many times in a row; returns how many seconds each took."""
    return [await timed(action) for _ in range(count)]


def is_held_up(waits, before):
    """Whether somebody waits for something that was not there before. By the third longest of the waits: the machine
    itself holds everybody up now and then."""
    return sorted(waits)[-3] > HELD_UP * sorted(before)[-3]
