"""A backup under constant placements: complete, in time, and with little effect on latencies (DAT-5; pitfalls B25).

    CAIRN_BACKUP_MEGABYTES=100 CAIRN_BACKUP_RATE=1500 CAIRN_BACKUP_SECONDS=20 pytest test_backup_under_load.py -s
"""

import asyncio
import os
import pathlib
import sqlite3

import pytest

import server as program
import swarm
from cairn import away
from operators import Desk
from paces import HELD_UP
from swarm import Bot, percentile

pytestmark = pytest.mark.alone

MEGABYTES = float(os.environ.get("CAIRN_BACKUP_MEGABYTES", "4"))
RATE = float(os.environ.get("CAIRN_BACKUP_RATE", "150"))  # placements a second
SECONDS = float(os.environ.get("CAIRN_BACKUP_SECONDS", "4"))
IS_LONG = MEGABYTES >= 100 and SECONDS >= 20
PEOPLE, UNDER_WAY = 40, 400
DATA = "A" * 1_000
LIMITS = {
    "connections__messagesPerSecond": 100_000, "connections__messagesBurst": 100_000,
    "connections__bytesPerSecond": 100_000_000, "connections__bytesBurst": 100_000_000,
    "connections__requestsInFlightMax": 1_000, "cells__instancesMax": 1_000_000,
    "placement__areaQuota": 1_000_000, "placement__perMinute": 1_000_000, "placement__perDay": 1_000_000,
    "travel__speedMetresPerSecond": 0,
}  # fmt: skip


class Builders:
    """People in separate cells, a kilometre apart, who place continuously."""

    def __init__(self, spot):
        self.bots = [Bot(f"builder{n}", away(*spot, east=1_000.0 * n)) for n in range(PEOPLE)]
        self.sent = 0

    def place(self, _=None):
        bot = self.bots[self.sent % PEOPLE]
        self.sent += 1
        bot.place(f"p{self.sent}", anchor_data=DATA)

    @property
    def under_way(self):
        return sum(len(bot.sent_at) for bot in self.bots)

    @property
    def acknowledged(self):
        return sum(len(bot.placed) for bot in self.bots)

    async def until_acknowledged(self):
        while self.under_way:
            await swarm.pause(0.01)
        assert all(not bot.codes for bot in self.bots), [bot.codes for bot in self.bots]

    async def fill(self, database, megabytes):
        while database.stat().st_size < megabytes * 1e6:
            for _ in range(max(0, UNDER_WAY - self.under_way)):
                self.place()
            await swarm.pause(0.005)
        await self.until_acknowledged()

    async def latencies(self, work):
        """Seconds to each acknowledgement while `work` runs and placements are sent at their rate."""
        for bot in self.bots:
            bot.latencies.clear()
        await asyncio.gather(work, swarm.paced(RATE, 3_600, self.place, is_over=work.done))
        await self.until_acknowledged()
        return [seconds for bot in self.bots for seconds in bot.latencies]


def placed_in(backup):
    with sqlite3.connect(f"file:{backup}?mode=ro", uri=True) as database:
        return database.execute("SELECT count(*) FROM instances").fetchone()[0]


@pytest.mark.seconds(60 + 10 * SECONDS + 3 * MEGABYTES)
async def test_a_backup_beside_placements_is_whole_and_hardly_noticed(start, spot, tmp_path):
    folder = tmp_path / "world"
    server = start(folder=folder, backup__directory=tmp_path / "backups", backup__hours=0, **LIMITS)
    builders = Builders(spot)
    await swarm.together(10, lambda bot: bot.connect(server), builders.bots)
    await builders.fill(folder / "cairn.sqlite", MEGABYTES)
    before = await builders.latencies(asyncio.ensure_future(swarm.pause(SECONDS)))
    made = []

    async def back_up():
        """Backups one after the other during the whole measurement, which is the worst case. Each is done within the
        time in which the desk wants an answer (PATIENCE)."""
        until = asyncio.get_running_loop().time() + SECONDS
        async with await Desk.open(server) as desk:
            while not made or asyncio.get_running_loop().time() < until:
                least = builders.acknowledged
                answer = await desk.ask("backup")
                last = (await desk.ask("queues"))["store"]["lastBackup"]
                path = pathlib.Path(answer["done"].split(":")[0])
                made.append((path, least, builders.sent, last["microseconds"] / 1e6))

    during = await builders.latencies(asyncio.ensure_future(back_up()))
    calm, busy = (percentile(latencies, 0.99) for latencies in (before, during))
    slowest, bytes_ = max(made, key=lambda one: one[3])[3], made[-1][0].stat().st_size
    print(f"\n  {bytes_ / 1e6:.0f} MB, {RATE:.0f} placements/s: {len(made)} backups, {slowest:.2f} s at most;",
          f"acknowledged p99 {1000 * calm:.1f} ms without, {1000 * busy:.1f} ms beside them,",
          f"worst {1000 * max(before):.0f} and {1000 * max(during):.0f} ms")  # fmt: skip

    for path, least, most, _ in made:
        if path.exists():
            assert least <= placed_in(path) <= most, "all that was acknowledged before, nothing that was not asked for"
    newest, least = made[-1][:2]
    keys = f"storage.keyFile={folder}.key"
    verified = await asyncio.to_thread(program.run, "verify", newest, "--set", keys, seconds=120)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert len(during) >= len(before) / 2, "too few placements for a percentile"
    # A short run detects only commits that a backup holds up. Few placements are as slow by chance as the slowest of a
    # thousand without a backup.
    usual = max(2 * calm, percentile(before, 0.999))
    assert busy < usual if IS_LONG else busy < HELD_UP * calm
