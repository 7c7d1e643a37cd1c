"""kill -9 during moves between cells, timers and messages between homes (decision 0020).

After every crash and restart: every acknowledged instance exists, at its version or the next one; each is in one cell
and can be changed; each unacknowledged move is made once by its key; every post ends at its time, with one event.

    CAIRN_CRASH_ROUNDS=200 pytest Tests/EndToEndTests/test_messages.py -s      more rounds, with their figures
"""

import asyncio
import contextlib
import os
import random
import sqlite3
import time

import pytest

import swarm
from cairn import PATIENCE, Client, Ended, Refused, away, pose
from server import binary
from test_live_space import border_walk

ROUNDS = int(os.environ.get("CAIRN_CRASH_ROUNDS", "3"))
THINGS = 16
POST_SECONDS = 1
SETTINGS = {
    "placement__perMinute": 100_000, "placement__perDay": 100_000, "placement__changesPerMinute": 1_000_000,
    "placement__changesPerDay": 10_000_000, "connections__messagesPerSecond": 100_000,
    "connections__messagesBurst": 100_000, "posts__lifeSeconds": POST_SECONDS, "posts__perMinute": 100_000,
    "posts__perDay": 1_000_000, "posts__perCellMax": 100_000,
}  # fmt: skip


class Thing:
    """An instance that is moved to and fro; `move` is the last unacknowledged request."""

    def __init__(self, instance):
        self.instance, self.move = dict(instance), None
        self.moves = 0

    def ask(self, place):
        version = self.instance["version"]
        body = {"instance": self.instance["id"], "cell": self.instance["cell"], "version": version}
        self.move = (f"{self.instance['id']}-{version}", {**body, "pose": pose(*place)})

    async def done(self, client):
        """Requests the move with the same key until it is acknowledged. Returns the number of `try_again` refusals."""
        key, body = self.move
        tries = 0
        while True:
            try:
                answer = await client.ask("edit", body, key=key)
            except Refused as refusal:
                assert refusal.code == "try_again", f"{key}: {refusal}"
                tries += 1
                assert tries < 200, f"{key} is locked"
                await swarm.pause(0.05)
                continue
            assert answer["instance"]["version"] == self.instance["version"] + 1, f"{key} was done twice"
            self.instance, self.move = dict(answer["instance"]), None
            self.moves += 1
            return tries


class Round:
    """Load, crash, restart, check."""

    def __init__(self, chance, places, things):
        self.chance, self.places, self.things = chance, places, things
        self.posts = {}

    async def load_until_killed(self, server):
        ada, poster = await client_at(server, "Ada", self.places), await client_at(server, "Poster", self.places)
        tasks = [asyncio.create_task(self.move(ada, thing)) for thing in self.things]
        tasks.append(asyncio.create_task(self.write(poster)))
        await swarm.pause(self.chance.uniform(0.05, 0.6))
        server.kill()
        await asyncio.wait(tasks, timeout=PATIENCE)
        for task in tasks:
            if task.done() and task.exception():
                raise task.exception()

    async def move(self, client, thing):
        with contextlib.suppress(Ended):
            while True:
                if not thing.move:
                    thing.ask(self.places[thing.instance["version"] % 2])
                await thing.done(client)

    async def write(self, client):
        with contextlib.suppress(Ended):
            while True:
                post = await client.make_post("soon over")
                self.posts[post["id"]] = int(post["post"]["expires"]) / 1000
                await swarm.pause(0.02)

    async def look(self, server):
        """All instances are as acknowledged, and unacknowledged moves are made once by their keys."""
        ada = await client_at(server, "Ada", self.places)
        unsure = [thing for thing in self.things if thing.move]
        tries = sum([await thing.done(ada) for thing in unsure])
        eve = await client_at(server, "Eve", self.places)
        for thing in self.things:
            found = [instance for topic in eve.topics.values() for instance in topic.instances.values()
                     if instance["id"] == thing.instance["id"]]  # fmt: skip
            assert len(found) == 1, f"{thing.instance['id']} is in {len(found)} cells"
            assert found[0]["version"] == thing.instance["version"], "an acknowledged move is lost"
            assert found[0]["cell"] == thing.instance["cell"]
        for thing in self.things:  # No instance is locked: each moves once more.
            thing.ask(self.places[thing.instance["version"] % 2])
            await thing.done(ada)
        return len(unsure), tries, eve

    async def watch(self, eve):
        """Every acknowledged post ends once for an onlooker."""
        living = {id for id in self.posts if any(id in topic.instances for topic in eve.topics.values())}
        gone_early = [id for id, end in self.posts.items() if id not in living and end > time.time() + 0.5]
        assert not gone_early, f"posts that were acknowledged are lost: {gone_early}"
        last = max(self.posts.values(), default=0)

        def over():
            return not any(id in topic.instances for id in self.posts for topic in eve.topics.values())

        await eve.until(over, "the end of the posts", seconds=max(0, last - time.time()) + PATIENCE)
        left = [said["instance"] for _, _, said in eve.events("left")]
        for id in living:
            assert left.count(id) == 1, f"the end of {id} was told {left.count(id)} times"


async def client_at(server, name, places):
    client = await Client.connect(server, name)
    cells = {await client.stand_at(*place) for place in reversed(places)}
    await client.view(*cells)
    return client


@pytest.mark.seconds(60 + 10 * ROUNDS)
async def test_kill_9_amid_moves_timers_and_messages_loses_doubles_and_locks_nothing(start):
    seed = random.randrange(10**9)
    chance = random.Random(seed)
    print(f"\n{binary()}, seed {seed}, {ROUNDS} rounds")
    (lat, lon), _ = border_walk()
    places = [away(lat, lon, east=-15), away(lat, lon, east=15)]
    server = start(**SETTINGS)
    ada = await client_at(server, "Ada", places)
    things = [Thing(await ada.place(pose(*places[0]))) for _ in range(THINGS)]
    unsure = tries = posts = 0
    for _ in range(ROUNDS):
        this = Round(chance, places, things)
        await this.load_until_killed(server)
        server = start(**SETTINGS)
        of_round, again, eve = await this.look(server)
        # In every third round the next crash comes while posts of this round still live.
        if chance.random() < 0.67:
            await this.watch(eve)
        unsure, tries, posts = unsure + of_round, tries + again, posts + len(this.posts)
    # Posts that rounds did not wait for; and the rows of messages, which are deleted when no home accepts a copy any
    # more.
    await swarm.pause(7)
    eve = await client_at(server, "Newcomer", places)
    assert {instance["id"] for topic in eve.topics.values() for instance in topic.instances.values()} == {
        thing.instance["id"] for thing in things
    }
    assert server.stop() == 0, server.log()
    with contextlib.closing(sqlite3.connect(f"file:{server.folder}/cairn.sqlite?mode=ro", uri=True)) as database:
        rows = {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("timers", "messages_heard", "instances")}  # fmt: skip
    assert rows == {"timers": 0, "messages_heard": 0, "instances": THINGS}, rows
    moves = sum(thing.moves for thing in things)
    assert moves > ROUNDS * THINGS and posts > ROUNDS
    print(f"  {ROUNDS} crashes: {moves} moves and {posts} posts acknowledged; {unsure} moves were under way, "
          f"asked again {tries} times; 0 lost, 0 done twice, 0 locked")  # fmt: skip
