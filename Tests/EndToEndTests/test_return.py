"""All clients reconnect: SIGTERM with hundreds of connections under load, and a restart after kill -9 (B24, B26).

    CAIRN_SWARM=5000 pytest Tests/EndToEndTests/test_return.py -s -k shutdown      the long run of issue 3, 6
    CAIRN_SWARM=10000 pytest Tests/EndToEndTests/test_return.py -s -k restart      and of issue 3, 3
"""

import asyncio
import os
import resource
import time

import pytest

import swarm
from cairn import PATIENCE
from s2 import middle
from swarm import Bot

SWARM = int(os.environ.get("CAIRN_SWARM", "0"))
PER_CELL = 25
SETTINGS = {
    "listen__connectionsMax": 20_000, "listen__backlog": 4_096, "connections__messagesPerSecond": 1_000,
    "connections__messagesBurst": 10_000, "placement__areaQuota": 10_000, "placement__perMinute": 100_000,
    "placement__perDay": 1_000_000, "cells__instancesMax": 100_000,
}  # fmt: skip


class Town:
    """People in separate cells, some of whom place, who reconnect by themselves."""

    def __init__(self, people):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, people + 500)), hard))
        self.spots = [middle(45.0 + 0.02 * (n // 40), -73.0 + 0.02 * (n % 40)) for n in range(people // PER_CELL)]
        self.bots = [Bot(f"bot{n}", self.spots[n % len(self.spots)]) for n in range(people)]
        self.server = None
        self._goes_on = True
        self._staying = []

    async def populate(self, server):
        """All bots connect; every tenth places an instance, and all in view see it. Returns when each had come."""
        self.server = server
        self._staying = [asyncio.create_task(bot.stay(lambda: self.server, lambda: self._goes_on)) for bot in self.bots]
        took = await self.until_all_are_back()
        for bot in self.bots[::10]:
            bot.place(f"{bot.name}-0")
        await asyncio.gather(*(bot.until(lambda bot=bot: f"{bot.name}-0" in bot.placed) for bot in self.bots[::10]))
        await asyncio.gather(*(bot.until(lambda bot=bot: self.sees_all(bot)) for bot in self.bots))
        return took

    def sees_all(self, bot):
        """Whether a bot sees the acknowledged instances of its neighbours, as acknowledged."""
        held = bot.everything()
        return all(held.get(instance["id"]) == instance for instance in self.placed_at(bot.spot))

    def placed_at(self, spot):
        neighbours = self.bots[self.spots.index(spot) :: len(self.spots)]
        return [instance for bot in neighbours for instance in bot.acknowledged.values()]

    def is_back(self, bot):
        return bot.is_open and bot.server is self.server and bot.is_complete

    async def until_all_are_back(self):
        """Waits until all have a complete view on the present server; returns the time of each."""
        began, away, took = time.monotonic(), self.bots, []
        deadline = began + PATIENCE + len(self.bots) / 50
        while away:
            now = time.monotonic()
            assert now < deadline, f"{len(away)} of {len(self.bots)} are not back after {now - began:.0f} s"
            still = [bot for bot in away if not self.is_back(bot)]
            took += [now - began] * (len(away) - len(still))
            away = still
            await swarm.pause(0.05)
        return took

    async def check(self):
        """All bots at one place have the same state, with every acknowledged instance."""
        assert swarm.faults(self.bots) == []
        for spot in self.spots:
            neighbours = self.bots[self.spots.index(spot) :: len(self.spots)]
            first = neighbours[0].everything()
            for bot in neighbours:
                assert self.sees_all(bot), f"{bot.name}: an acknowledged placement is lost"
                assert bot.everything() == first, f"{bot.name} and {neighbours[0].name} differ"

    async def leave(self):
        self._goes_on = False
        for bot in self.bots:
            bot.drop()
        await asyncio.gather(*self._staying)


@pytest.mark.seconds(60 + SWARM // 20)
async def test_a_shutdown_sends_everybody_away_at_their_time_and_the_next_server_has_their_state(start):
    town = Town(SWARM or 500)
    # They leave because they are told to, long before they would be cut off.
    server = start(shutdown__drainSeconds=600, **SETTINGS)
    await town.populate(server)
    # Some continue placing until the shutdown.
    busy, told = town.bots[::10], {}
    for bot in town.bots:
        bot.on_closing = lambda bot=bot: told.setdefault(bot, time.monotonic())

    def place(number):
        bot = busy[number % len(busy)]
        if bot.is_open and bot not in told:
            bot.place(f"{bot.name}-{number + 1}")

    load = asyncio.create_task(swarm.paced(500, 30, place, lambda: len(told) == len(town.bots)))
    await swarm.pause(0.5)
    town.server, began = None, time.monotonic()
    server.terminate()
    assert await asyncio.to_thread(server.wait) == 0, server.log()
    took = time.monotonic() - began
    await load
    assert {bot.end for bot in town.bots} == {(1012, "server_shutdown")}
    delays = [bot.closing.get("reconnectAfter", 0) for bot in town.bots]
    assert 0 <= min(delays) and max(delays) <= 5_000
    # Spread over the whole time, so that they do not all reconnect at the same moment.
    for fifth in range(5):
        share = sum(1_000 * fifth <= delay <= 1_000 * (fifth + 1) for delay in delays) / len(delays)
        assert 0.1 < share < 0.3, f"{share:.0%} come back in second {fifth + 1}"
    paced = max(told.values()) - min(told.values())
    assert paced > 0.4, "everybody at once"
    town.server = start(port=server.port, **SETTINGS)
    back = await town.until_all_are_back()
    for bot in busy:
        # Unanswered placements are sent again: whether or not they were kept before, each now exists once.
        for key in list(bot.sent_at):
            bot.place(key)
        await bot.until(lambda bot=bot: not bot.sent_at)
    await asyncio.gather(*(bot.until(lambda bot=bot: town.sees_all(bot)) for bot in town.bots))
    await town.check()
    placed = sum(len(bot.acknowledged) for bot in busy)
    print(f"\n  {len(town.bots)} connections: told within {paced:.2f} s, exit 0 after {took:.2f} s,",
          f"all back {max(back):.2f} s after the start, {placed} placed")  # fmt: skip
    await town.leave()


@pytest.mark.alone
@pytest.mark.seconds(60 + SWARM // 20)
async def test_after_a_restart_everybody_is_back_within_10_seconds_and_reads_their_account_only(start):
    """They are back about as soon as all had come to the first server. Before they come back they wait, for up to a
    second, which counts among few. On the machine of issue 3 it was 10 s for 10,000."""
    town = Town(SWARM or 1_000)
    server = start(**SETTINGS)
    came = await town.populate(server)
    town.server = None
    server.kill()
    began, own = time.monotonic(), time.process_time()
    town.server = start(port=server.port, **SETTINGS)
    ready = time.monotonic() - began
    back = await town.until_all_are_back()
    own, servers = time.process_time() - own, town.server.busy_seconds()
    await town.check()
    print(f"\n  {len(town.bots)} connections, which had come within {max(came):.2f} s: ready after {ready:.2f} s,",
          f"all back and consistent after {ready + max(back):.2f} s;",
          f"processor time: server {servers:.2f} s, bots {own:.2f} s")  # fmt: skip
    times = 4 if SWARM >= 2_000 else 10
    assert ready + max(back) <= times * max(came), "issue 3: all back and consistent within 10 s"
    await town.server.until_figure("cairn_users", len(town.bots))
    figures = await town.server.figures()
    # Reads: for each person the token, and the account's keys and quotas; and each cell in view once.
    reads, cells = figures["cairn_store_reads_total"], figures["cairn_cells_awake"]
    assert reads <= 2 * len(town.bots) + cells + 10, f"{reads} reads for {len(town.bots)} people and {cells} cells"
    print(f"  {reads:.0f} reads for {len(town.bots)} people and {cells:.0f} cells")
    await town.leave()
