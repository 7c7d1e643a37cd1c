"""Repeated kill -9 during 500 placements a second, on the same data (DAT-2, DAT-3, PLC-5 to PLC-8).

After every crash and restart: every acknowledged placement exists once, with the pose that was sent; every instance
that anyone saw exists; every key that is sent again gives one instance; the quotas count the stored placements;
reactions are kept.

    CAIRN_CRASH_ROUNDS=20 pytest Tests/EndToEndTests/test_crash.py -s      more rounds, with the figures of each
"""

import asyncio
import contextlib
import os
import random
import shutil
import sqlite3
import statistics
import threading
import time

import pytest

from cairn import Client, bits, totals
from s2 import middle
from server import binary
from writers import Writer, accepted, all_done, by_key

ROUNDS = int(os.environ.get("CAIRN_CRASH_ROUNDS", "5"))
RATE = 500  # placements a second
SITES = 4  # cells of a round
WRITERS = 16  # accounts of a round, each with a connection of its own
AREA_QUOTA = 80
PERIOD_QUOTA = 120
REACTIONS = ["like", "love", "laugh", "wow", "sad", "angry"]
SETTINGS = {
    "placement__areaQuota": AREA_QUOTA, "placement__perMinute": PERIOD_QUOTA, "placement__perDay": 1_000_000,
    "cells__instancesMax": 1_000_000, "reactions__perMinute": 1_000_000,
    "connections__messagesPerSecond": 100_000, "connections__messagesBurst": 1_000_000,
}  # fmt: skip


# MARK: - One round


class Round:
    """Load, crash, restart, check. `seconds` and `counts` are its figures."""

    def __init__(self, number, chance):
        self.chance = chance
        # Kilometres from each other, so that no writer sees another site.
        self.sites = [middle(45.0 + 0.02 * number, -73.0 + 0.02 * site) for site in range(SITES)]
        self.writers = [Writer(f"r{number}w{n}", self.sites[n % SITES], chance) for n in range(WRITERS)]
        self.at_area_limit = Writer(f"r{number}area", self.sites[0], chance)
        self.at_period_limit = Writer(f"r{number}period", self.sites[1], chance)
        self.everybody = [*self.writers, self.at_area_limit, self.at_period_limit]
        self.counts, self.seconds = {}, {}

    async def fill_up(self, server):
        """Brings two accounts to one below their limits: one in a single cell, one over two cells."""
        await asyncio.gather(*(writer.connect(server) for writer in self.everybody))
        answers = [await self.at_area_limit.place(self.at_area_limit.made_up()) for _ in range(AREA_QUOTA - 1)]
        period = self.at_period_limit
        answers += [await period.place(period.made_up()) for _ in range(PERIOD_QUOTA // 2)]
        await all_done(answers)
        period.site = self.sites[2]
        period.cell = await period.client.stand_at(*period.site)
        answers += [await period.place(period.made_up()) for _ in range(PERIOD_QUOTA - PERIOD_QUOTA // 2 - 1)]
        assert await accepted(answers) == (AREA_QUOTA + PERIOD_QUOTA - 2, set())

    async def load_until_killed(self, server):
        """500 placements a second, pipelined over all writers, and kill -9 at a random moment: with the placements of
        0.8 to 1.6 s."""
        burst = self.chance.choice([0.005, 0.02, 0.05])  # seconds between two bursts of placements
        sending, killed, loop = threading.Event(), asyncio.Event(), asyncio.get_running_loop()
        last, offset = RATE * self.chance.uniform(0.8, 1.6), self.chance.uniform(0, 0.008)

        def kill():
            # In the first milliseconds after the start of a burst, when most requests are under way.
            sending.wait()
            threading.Event().wait(offset)
            server.kill()
            loop.call_soon_threadsafe(killed.set)

        began, sent = time.monotonic(), 0
        killer = threading.Thread(target=kill)
        killer.start()
        while not killed.is_set():
            if sent > last:
                sending.set()
            due = int((time.monotonic() - began) * RATE) - sent
            # A machine that is late does not send all at once, and no more than the quotas are for: the process may
            # take its time to die.
            for _ in range(min(due, RATE // 10, int(RATE * 1.8) - sent)):
                writer = self.writers[sent % WRITERS]
                await writer.place(writer.made_up())
                sent += 1
                if sent % 16 == 0:
                    await self.react_around(writer)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(killed.wait(), burst)
        took = time.monotonic() - began
        killer.join()
        # Messages that the server had sent before it died still arrive.
        for writer in self.everybody:
            await writer.client.until_ended()
        self.counts["sent"] = sent
        self.counts["acked"] = sum(len(writer.acknowledged) for writer in self.writers)
        self.counts["rate"] = round(self.counts["acked"] / took)

    async def react_around(self, writer):
        """All writers at a site react to an instance that one of them has placed."""
        if known := writer.acknowledged:
            instance = self.chance.choice(known).instance
            for other in self.writers:
                if other.site == writer.site:
                    await other.react(instance, self.chance.choice(REACTIONS))

    async def restart(self, start, settings=SETTINGS):
        """Starts the server again; measures the time until it acknowledges the first new placement."""
        began = time.monotonic()
        server = start(**settings)
        self.seconds["ready"] = time.monotonic() - began
        first = self.writers[0]
        seen_before = {writer: set(writer.client.topics[writer.cell].instances) for writer in self.everybody}
        await first.connect(server)
        answer = await first.place(first.made_up())
        await answer
        self.seconds["first ack"] = time.monotonic() - began
        await asyncio.gather(*(writer.connect(server) for writer in self.everybody[1:]))
        for writer, seen in seen_before.items():
            lost = seen - set(writer.client.topics[writer.cell].instances)
            assert not lost, f"{writer.name} saw what is no longer there: {lost}"
        return server

    def held(self):
        """All instances at the round's sites, by key, as the people there see them."""
        cells = {writer.cell: writer.client.topics[writer.cell] for writer in self.writers}
        return by_key(instance for topic in cells.values() for instance in topic.instances.values())

    def check_acknowledged(self, held):
        """Every acknowledged placement exists once, as acknowledged and with the pose that was sent."""
        for writer in self.everybody:
            for placement in writer.acknowledged:
                assert placement.key in held, f"{placement.key} was acknowledged and is lost"
                instance = held[placement.key]
                assert {**instance, "reactions": None} == {**placement.instance, "reactions": None}
                assert bits(instance["pose"]) == bits(placement.pose)

    async def send_again(self, held):
        """Sends every key without an answer again, and some that have one: each gives one instance, the first one."""
        again, answers = [], []
        for writer in self.everybody:
            chosen = writer.unacknowledged + self.chance.sample(writer.acknowledged, len(writer.acknowledged) // 5)
            self.chance.shuffle(chosen)
            again += chosen
            answers += [await writer.place(placement) for placement in chosen]
            for reaction in writer.reactions.values():
                if not reaction.is_acknowledged or self.chance.random() < 0.2:
                    answers.append(await writer.react(reaction.instance, reaction.reaction))
        assert await accepted(answers) == (len(answers), set())
        for placement in again:
            if placement.key in held:
                assert placement.instance["id"] == held[placement.key]["id"], f"{placement.key} made a second instance"

    async def check_reactions(self, held, is_complete):
        """Acknowledged reactions exist; others exist completely or not at all."""
        expected, possible = {}, {}
        for writer in self.writers:
            for name, reaction in writer.reactions.items():
                for counts in (possible, expected) if reaction.is_acknowledged or is_complete else (possible,):
                    counts.setdefault(name, []).append(reaction.reaction)
        for instance in held.values():
            told = [reaction for reaction, count in totals(instance).items() for _ in range(count)]
            missing = list(expected.get(instance["id"], []))
            for reaction in told:
                assert reaction in possible.get(instance["id"], []), f"{instance['id']}: {reaction} came from nobody"
                if reaction in missing:
                    missing.remove(reaction)
            assert not missing, f"{instance['id']}: {missing} is lost, told was {told}"
            if is_complete:
                assert sorted(told) == sorted(expected.get(instance["id"], [])), f"{instance['id']}: {told}"
        for writer in self.chance.sample(self.writers, 4):
            for reaction in list(writer.reactions.values())[:5]:
                own = (await writer.client.select(reaction.instance)).get("ownReaction", "")
                assert own == reaction.reaction or (not reaction.is_acknowledged and own == "")

    async def check_quotas(self):
        """Accounts have exactly the room that their limits leave: no crash has changed it."""
        for writer, code in ((self.at_area_limit, "quota_area"), (self.at_period_limit, "quota_period")):
            answers = [await writer.place(writer.made_up()) for _ in range(4)]
            assert await accepted(answers) == (1, {code}), writer.name
            forget_refused(writer)
        for writer in self.chance.sample(self.writers[1:], 2):
            room = AREA_QUOTA - len(writer.placements)
            assert room > 0, "the round went on for longer than the quotas allow for"
            answers = [await writer.place(writer.made_up()) for _ in range(room + 2)]
            assert await accepted(answers) == (room, {"quota_area"}), writer.name
            forget_refused(writer)
            # In another cell the quota of the period is the limit.
            writer.site = self.sites[(self.sites.index(writer.site) + 1) % SITES]
            await writer.client.stand_at(*writer.site)
            answers = [await writer.place(writer.made_up()) for _ in range(PERIOD_QUOTA - AREA_QUOTA + 2)]
            assert await accepted(answers) == (PERIOD_QUOTA - AREA_QUOTA, {"quota_period"}), writer.name
            forget_refused(writer)

    async def run(self, server, start):
        """The whole round; returns the server that runs after it."""
        await self.fill_up(server)
        await self.load_until_killed(server)
        self.check_file(server.folder)
        server = await self.restart(start)
        before = self.held()
        self.check_acknowledged(before)
        await self.check_reactions(before, is_complete=False)
        unsure = [placement.key for writer in self.writers for placement in writer.unacknowledged]
        self.counts["unacked"] = len(unsure)
        self.counts["of them kept"] = sum(key in before for key in unsure)
        await self.send_again(before)
        await self.check_everything_once(server)
        await self.check_quotas()
        for writer in self.everybody:
            await writer.client.close()
        return server

    async def check_everything_once(self, server):
        """A new client at each site gets every key once and nothing else."""
        held = await look_at(server, self.sites, f"newcomer{self.chance.randrange(10**9)}")
        wanted = {key for writer in self.everybody for key in writer.placements}
        assert set(held) == wanted, f"missing {wanted - set(held)}, too many {set(held) - wanted}"
        self.check_acknowledged(held)
        await self.check_reactions(held, is_complete=True)

    def check_file(self, folder):
        """An independent check by SQLite of a copy of the file after the crash."""
        copy = folder / "copy"
        copy.mkdir(exist_ok=True)
        for suffix in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(f"{folder}/cairn.sqlite{suffix}", f"{copy}/cairn.sqlite{suffix}")
        with contextlib.closing(sqlite3.connect(copy / "cairn.sqlite")) as database:
            check_rows(database)
        shutil.rmtree(copy)


def forget_refused(writer):
    """Refused placements were never made."""
    for placement in writer.unacknowledged:
        del writer.placements[placement.key]


def check_rows(database):
    """Each placement is whole: instance and stored reply, or none of them. Returns their number."""

    def one(query):
        return database.execute(query).fetchone()[0]

    assert one("PRAGMA integrity_check") == "ok"
    instances = one("SELECT count(*) FROM instances")
    assert one("SELECT count(*) FROM kept_answers WHERE kind = 20") == instances
    # Keys are sealed, so the test cannot match answers and placements. It checks only that their numbers agree.
    assert one("SELECT count(*) FROM kept_answers") == instances + one("SELECT count(*) FROM reactions")
    assert one("SELECT count(DISTINCT account) FROM kept_answers WHERE kind = 20") == one(
        "SELECT count(DISTINCT owner) FROM instances"
    )
    uneven = one(
        "SELECT count(*) FROM (SELECT owner, count(*) AS n FROM instances GROUP BY owner) AS placed JOIN "
        "(SELECT account, count(*) AS n FROM kept_answers WHERE kind = 20 GROUP BY account) AS logged "
        "ON logged.account = placed.owner WHERE logged.n <> placed.n"
    )
    assert uneven == 0
    return instances


async def look_at(server, sites, name):
    """Goes to each site and returns all instances there, by key."""
    client = await Client.connect(server, name)
    held = {}
    for site in sites:
        cell = await client.stand_at(*site)
        found = by_key((await client.view(cell)).instances.values())
        assert not held.keys() & found.keys(), "a key is in two cells"
        held |= found
    await client.close()
    return held


# MARK: - The test


@pytest.mark.seconds(60 + 20 * ROUNDS)
async def test_kill_9_amid_500_placements_a_second_loses_and_doubles_nothing(start):
    seed = random.randrange(10**9)
    chance = random.Random(seed)
    print(f"\n{binary()}, seed {seed}, {ROUNDS} rounds of {RATE} placements/s over {WRITERS} connections")
    began, rounds = time.monotonic(), []
    server = start(**SETTINGS)
    for number in range(ROUNDS):
        this = Round(number, chance)
        server = await this.run(server, start)
        rounds.append(this)
        figures = ", ".join(f"{name} {count}" for name, count in this.counts.items())
        times = ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in this.seconds.items())
        print(f"  round {number + 1:2}: {figures}; after the restart: {times}")

    # All instances of all rounds, also after an orderly end.
    assert server.stop() == 0, server.log()
    with contextlib.closing(sqlite3.connect(f"file:{server.folder}/cairn.sqlite?mode=ro", uri=True)) as database:
        rows = check_rows(database)
    held = await look_at(start(**SETTINGS), [site for this in rounds for site in this.sites], "visitor")
    wanted = {key for this in rounds for writer in this.everybody for key in writer.placements}
    assert set(held) == wanted and len(held) == rows
    for this in rounds:
        this.check_acknowledged(held)

    total = {name: sum(this.counts[name] for this in rounds) for name in ("sent", "acked", "unacked", "of them kept")}
    assert total["unacked"] > 0, "no kill came amid placements"
    print(f"  {len(rounds)} crashes: {total}, 0 acknowledged lost, 0 keys doubled, {rows} instances in the end")
    for name in ("ready", "first ack"):
        values = sorted(this.seconds[name] for this in rounds)
        print(f"  {name}: median {1000 * values[len(values) // 2]:.0f} ms, longest {1000 * values[-1]:.0f} ms")
    print(f"  took {time.monotonic() - began:.0f} s")


@pytest.mark.alone
async def test_after_kill_9_the_first_acknowledgement_comes_as_soon_as_after_an_orderly_end(start):
    """B1: a start has nothing to mend. One world and its people, killed amid placements and ended in order by turns."""
    chance, killed, ended = random.Random(1), [], []
    settings = SETTINGS | {"placement__areaQuota": 100_000, "placement__perMinute": 100_000}
    server = start(**settings)
    this = Round(0, chance)
    await asyncio.gather(*(writer.connect(server) for writer in this.everybody))
    for _ in range(3):
        await this.load_until_killed(server)
        server = await this.restart(start, settings)
        killed.append(this.seconds["first ack"])
        assert await asyncio.to_thread(server.stop) == 0, server.log()
        for writer in this.everybody:
            await writer.client.until_ended()
        server = await this.restart(start, settings)
        ended.append(this.seconds["first ack"])
    print(f"\n  after kill -9 {1000 * statistics.median(killed):.0f} ms, else {1000 * statistics.median(ended):.0f} ms")
    assert statistics.median(killed) < 3 * statistics.median(ended), (killed, ended)
