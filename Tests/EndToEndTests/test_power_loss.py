"""Repeated kill -9 and loss of power under 2,000 placements a second, on the same data (DAT-2; B1, B2).

In the second and third kind of crash the disk (frail_disk.py) loses unsynced writes: all of them, or random sectors.
After every crash and restart: every acknowledged placement exists once, every instance that anyone saw exists, every
key that is sent again gives one instance, and SQLite finds no fault.

    CAIRN_CRASH_ROUNDS=200 pytest Tests/EndToEndTests/test_power_loss.py -s        the long run, with its figures
"""

import asyncio
import contextlib
import os
import random
import sqlite3
import threading
import time

import pytest

import swarm
from cairn import PATIENCE, away
from frail_disk import FrailDisk, sync_times
from s2 import middle
from server import Server, environment, serve_command
from swarm import Bot, percentile

ROUNDS = int(os.environ.get("CAIRN_CRASH_ROUNDS", "3"))
RATE = 2_000  # placements a second offered
WRITERS = 25  # people with a site of their own each; every fifth has an onlooker
SETTINGS = {
    "placement__areaQuota": 1_000_000, "placement__perMinute": 1_000_000, "placement__perDay": 1_000_000,
    "cells__instancesMax": 1_000_000, "connections__messagesPerSecond": 100_000,
    "connections__messagesBurst": 1_000_000,
}  # fmt: skip


class Round:
    """Load, crash, restart, check."""

    def __init__(self, number, writers, watchers, chance):
        self.number, self.writers, self.watchers, self.chance = number, writers, watchers, chance
        # There are no earlier placements here, so a view has only those of the round.
        for place, bot in enumerate([*writers, *watchers]):
            site = place if place < WRITERS else (place - WRITERS) * 5
            bot.spot = middle(40.0 + 0.02 * (number % 1_000), -70.0 + 0.02 * site)
            bot.topics, bot.session = {}, None
            bot.heard.clear()
        self.keys = {writer: [] for writer in writers}
        self.latencies, self.figures = [], {}

    async def load_until_killed(self, server, die):
        """2,000 placements a second, pipelined, and `die()` at a random moment: with the changes of 0.5 to 1.2 s."""
        await swarm.together(20, lambda bot: bot.connect(server), [*self.writers, *self.watchers])
        self.seen_before = {bot: set(bot.everything()) for bot in self.watchers}
        for bot in self.writers:
            bot.latencies = []
        last, killer = int(RATE * self.chance.uniform(0.5, 1.2)), threading.Thread(target=die)

        def place(number):
            if number == last:
                killer.start()
            writer = self.writers[number % WRITERS]
            key = f"{writer.name}-{self.number}-{number}"
            self.keys[writer].append(key)
            # Some millimetres apart; each is identified by its anchor.
            writer.place(key, away(*writer.spot, north=number % 1_000 / 100))

        began = time.monotonic()
        sent = await swarm.paced(RATE, PATIENCE, place, lambda: not any(bot.is_open for bot in self.writers))
        took = time.monotonic() - began
        killer.join()
        for bot in [*self.writers, *self.watchers]:
            await bot.ended()
        self.latencies = [seconds for writer in self.writers for seconds in writer.latencies]
        acknowledged = sum(len(self.acknowledged(writer)) for writer in self.writers)
        assert not set().union(*(writer.codes for writer in self.writers)), "nothing was refused"
        self.figures |= {"sent": sent, "acked": acknowledged, "rate": round(sent / took)}

    def acknowledged(self, writer):
        return {key: writer.placed[key] for key in self.keys[writer] if key in writer.placed}

    async def restart(self, start, **more):
        """Until the first new placement is acknowledged, which is timed; then all are connected again."""
        began = time.monotonic()
        server = start(**more)
        first = self.writers[0]
        await first.connect(server)
        key = f"{first.name}-{self.number}-first"
        self.keys[first].append(key)
        first.place(key)
        await first.until(lambda: key in first.placed)
        self.figures["first ack ms"] = round(1000 * (time.monotonic() - began))
        await swarm.together(20, lambda bot: bot.connect(server), [*self.writers[1:], *self.watchers])
        return server

    async def check(self):
        """No acknowledged or seen placement is lost; each one that is sent again exists once."""
        for writer in self.writers:
            held = by_key(writer)
            for key, instance in self.acknowledged(writer).items():
                assert key in held, f"{key} was acknowledged and is lost"
                assert held[key] == instance, f"{key}: {held[key]} is not what was acknowledged: {instance}"
        for place, watcher in enumerate(self.watchers):
            held = watcher.everything()
            seen = {name for name, _ in watcher.heard} | self.seen_before[watcher]
            assert seen <= held.keys(), f"what {watcher.name} saw at site {5 * place} is lost: {seen - held.keys()}"
        unsure = kept = 0
        for writer in self.writers:
            held, known = by_key(writer), list(self.acknowledged(writer))
            again = [key for key in self.keys[writer] if key not in writer.placed]
            unsure, kept = unsure + len(again), kept + sum(key in held for key in again)
            again += self.chance.sample(known, len(known) // 10)
            for key in again:
                number = key.rpartition("-")[2]
                number = int(number) if number.isdigit() else 0
                at = away(*writer.spot, north=number % 1_000 / 100) if number else writer.spot
                writer.sent_at.pop(key, None)
                before = writer.placed.pop(key, None)
                writer.place(key, at)
                await writer.until(lambda key=key: key in writer.placed or len(writer.sent_at) < 50)
                assert before is None or writer.placed.get(key, before) == before
            await writer.until(lambda: not writer.sent_at)
            await writer.until(lambda: len(by_key(writer)) >= len(self.keys[writer]))
            assert by_key(writer).keys() == set(self.keys[writer]), writer.name
            assert not writer.codes
        self.figures |= {"unacked": unsure, "of them kept": kept}
        assert swarm.faults([*self.writers, *self.watchers]) == []


def by_key(bot):
    """The instances of a bot's own cell, by key; each once."""
    found = {}
    for instance in bot.topics[bot.cell].instances.values():
        key = instance["pose"]["anchor"]["id"]
        assert key not in found, f"{key} is there twice: {found[key]['id']} and {instance['id']}"
        found[key] = instance
    return found


def check_file(path):
    """SQLite's own check of the file of a stopped server; returns the number of instances."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:

        def one(query):
            return database.execute(query).fetchone()[0]

        assert one("PRAGMA integrity_check") == "ok"
        instances = one("SELECT count(*) FROM instances")
        assert one("SELECT count(*) FROM kept_answers WHERE kind = 20") == instances
        assert one("SELECT count(*) FROM kept_answers") == instances
    return instances


@pytest.mark.seconds(60 + 15 * ROUNDS)
@pytest.mark.parametrize("death", ["kill -9", "power loss", "torn writes"])
async def test_death_under_2000_placements_a_second_loses_and_doubles_nothing(start, tmp_path, frail_library, death):
    seed = random.randrange(10**9)
    chance = random.Random(seed)
    print(f"\n{death}: seed {seed}, {ROUNDS} rounds of {RATE} placements/s offered over {WRITERS} connections")
    disk = FrailDisk(frail_library, tmp_path)
    more = SETTINGS | {"folder": disk.data, "env": disk.environment if death != "kill -9" else {}}
    writers = [Bot(f"writer{n}", None) for n in range(WRITERS)]
    watchers = [Bot(f"watcher{n}", None) for n in range(WRITERS // 5)]
    server, rounds, undone = start(**more), [], 0
    syncs = sync_times(tmp_path)
    for number in range(ROUNDS):
        this = Round(number, writers, watchers, chance)
        # On a fast disk a crash rarely falls between a write and its sync, so every second crash is placed there.
        if death != "kill -9" and number % 2 == 0:
            await this.load_until_killed(server, lambda server=server: disk.kill_between_write_and_sync(server))
        else:
            await this.load_until_killed(server, server.kill)
        if death != "kill -9":
            dropped, size = disk.lose_power(chance if death == "torn writes" else None)
            this.figures |= {"writes undone": dropped, "KB": size // 1000}
            undone += dropped
        server = await this.restart(start, **more)
        await this.check()
        rounds.append(this)
        print(f"  round {number + 1:3}:", ", ".join(f"{name} {value}" for name, value in this.figures.items()))
        for bot in [*writers, *watchers]:
            bot.drop()
            await bot.ended()
    assert await asyncio.to_thread(server.stop) == 0, server.log()
    assert check_file(disk.data / "cairn.sqlite") == sum(len(keys) for this in rounds for keys in this.keys.values())
    assert death == "kill -9" or undone > 0, "the disk never forgot anything: the library does not see the writes"

    latencies = [seconds for this in rounds for seconds in this.latencies]
    sent, acked = (sum(this.figures[name] for this in rounds) for name in ("sent", "acked"))
    print(f"  {len(rounds)} deaths: {sent} sent, {acked} acknowledged, 0 lost, 0 doubled, {undone} writes undone")
    shares = [("p50", 0.5), ("p99", 0.99)]
    for what, values in (("acknowledgement", latencies), ("the disk's own fdatasync", syncs)):
        print(f"  {what}:", ", ".join(f"{name} {1000 * percentile(values, share):.1f} ms" for name, share in shares))
    assert sum(this.figures["unacked"] for this in rounds) > 0, "no death came amid placements"


@pytest.mark.seconds(60 + 3 * ROUNDS)
async def test_power_lost_during_the_first_start_leaves_something_that_starts(tmp_path, frail_library):
    chance = random.Random(seed := random.randrange(10**9))
    (tmp_path / "whole").mkdir()
    disk = FrailDisk(frail_library, tmp_path / "whole")
    with Server.start(disk.data, env=disk.environment) as server:
        whole = server.seconds_to_start
    starts = 0
    for number in range(3 * ROUNDS):
        (folder := tmp_path / str(number)).mkdir()
        disk = FrailDisk(frail_library, folder)
        disk.data.mkdir()
        process = await asyncio.create_subprocess_exec(
            *serve_command(disk.data), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env=environment() | disk.environment,
        )  # fmt: skip
        await swarm.pause(chance.uniform(0, 1.1 * whole))
        process.kill()
        said = await process.stdout.read()
        await process.wait()
        starts += b"ready" in said
        disk.lose_power(chance if number % 2 else None)
        # No change was acknowledged, so none is lost; but the server has to start.
        with Server.start(disk.data) as server:
            bot = Bot("first", middle(45.0, -73.0))
            await bot.connect(server)
            bot.place("first")
            await bot.until(lambda bot=bot: "first" in bot.acknowledged)
            bot.drop()
            await bot.ended()
    print(f"\n  seed {seed}: {3 * ROUNDS} first starts, {starts} of them had got as far as ready")


async def test_the_log_of_a_database_that_is_gone_begins_no_new_world(start):
    server = start()
    bot = Bot("builder", middle(45.0, -73.0))
    await bot.connect(server)
    bot.place("first")
    await bot.until(lambda: "first" in bot.acknowledged)
    server.kill()
    await bot.ended()
    log = (server.folder / "cairn.sqlite-wal").read_bytes()
    assert log
    (server.folder / "cairn.sqlite").rename(server.folder / "moved-away")
    with pytest.raises(AssertionError, match="its write-ahead log is there"):
        start()
    assert (server.folder / "cairn.sqlite-wal").read_bytes() == log
    assert not (server.folder / "cairn.sqlite").exists()
    # The repaired file equals the original.
    (server.folder / "moved-away").rename(server.folder / "cairn.sqlite")
    server = start()
    newcomer = Bot("newcomer", bot.spot)
    await newcomer.connect(server)
    assert len(newcomer.everything()) == 1
    newcomer.drop()
    await newcomer.ended()
    assert await asyncio.to_thread(server.stop) == 0
    assert check_file(server.folder / "cairn.sqlite") == 1
