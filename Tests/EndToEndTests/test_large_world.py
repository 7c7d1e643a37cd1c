"""The cost of verify, backup and restore for a large world, in seconds and memory (decision 0006).

    CAIRN_WORLD_ROWS=1000000 pytest Tests/EndToEndTests/test_large_world.py -s      with the release build
"""

import json
import os
import sqlite3
import subprocess
import sys

import pytest

import swarm
from cairn import away
from server import binary, environment

ROWS = int(os.environ.get("CAIRN_WORLD_ROWS", 6_000))
PLACES = 8  # 300 m apart: as many cells, and accounts
UNANSWERED = 64
# Rows of each placement: the instance, and the answer to its key, by which the quota is restored.
ROWS_PER_THING = 2
# Limit of resident bytes, independent of the size of the world.
MEMORY_MAX = 256 << 20
SETTINGS = {
    "placement__areaQuota": 1_000_000, "placement__perMinute": 1_000_000, "placement__perDay": 1_000_000,
    "cells__instancesMax": 1_000_000, "connections__messagesPerSecond": 100_000,
    "connections__messagesBurst": 100_000, "connections__requestsInFlightMax": UNANSWERED,
}  # fmt: skip


def counts(path):
    """The number of rows of each table."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
    database.close()
    return found


async def fill(server, things, spot):
    """Places equally many instances in each place, by one account each, with a bounded number of unanswered
    requests."""
    bots = [swarm.Bot(f"person{number}", away(*spot, north=300.0 * number)) for number in range(PLACES)]
    for bot in bots:
        await bot.connect(server)

    async def place(bot):
        for number in range(things // PLACES):
            bot.place(f"key-{number}")
            if len(bot.sent_at) >= UNANSWERED:
                await bot.until(lambda: len(bot.sent_at) < UNANSWERED // 2, 30)
        await bot.until(lambda: not bot.sent_at, 30)
        assert len(bot.acknowledged) == things // PLACES, bot.codes
        bot.drop()

    await swarm.together(PLACES, place, bots)


# In a separate process, because a forked child begins with its parent's memory.
MEASURE = """
import json, os, subprocess, sys, time
began = time.monotonic()
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
took = time.monotonic() - began
print(json.dumps([os.waitstatus_to_exitcode(status), took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024]))
"""


def measured(name, *arguments):
    """Runs a command; returns its duration in seconds, its processor seconds and its peak of resident bytes."""
    command = [sys.executable, "-c", MEASURE, str(binary()), name, *map(str, arguments)]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment())
    code, *taken = json.loads(ran.stdout)
    assert code == 0, (name, ran.stderr)
    return taken


@pytest.mark.seconds(1_800)
async def test_memory_of_verify_backup_and_restore_is_bounded_however_many_rows_there_are(
    start, tmp_path, spot
):
    folder, copy = tmp_path / "data", tmp_path / "copy.sqlite"
    server = start(folder=folder, **SETTINGS)
    await fill(server, ROWS // ROWS_PER_THING // PLACES * PLACES, spot)
    assert server.stop() == 0
    before = counts(folder / "cairn.sqlite")
    where = ("--data", folder, "--set", f"storage.keyFile={folder}.key")
    costs = {
        "verify": measured("verify", *where),
        "backup": measured("backup", "--to", copy, *where),
        "restore": measured("restore", copy, *where),
    }
    after = counts(folder / "cairn.sqlite")
    assert after == before and sum(after.values()) >= 0.99 * ROWS, (before, after)
    size = os.path.getsize(folder / "cairn.sqlite") >> 20
    print(f"\n{sum(after.values())} rows, {size} MB")
    for name, (seconds, busy, memory) in costs.items():
        print(f"{name:8} {seconds:7.1f} s, {busy:6.1f} s of a processor {memory >> 20:5} MB")
    assert all(memory < MEMORY_MAX for _, _, memory in costs.values()), costs
