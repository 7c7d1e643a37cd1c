"""An observer of every byte that is sent learns nothing that strangers do not share (VIS-9, PRF-8).

Two runs that differ in one fact about a stranger: an attacker with five connections of one account, the last of them in
the binary format, must receive the same bytes (told.py lists renamed and ignored parts).

$CAIRN_OBSERVER_PAIRS is the number of pairs for each fact (default 1; 125 make a thousand in total),
$CAIRN_OBSERVER_TIMINGS the number of timings (default 1,000; 10,000 for a verdict of 52 %). Timings need an otherwise
idle machine: -m soak.
"""

import asyncio
import math
import os
import random
import time

import pytest

import s2
from cairn import Client, Refused, away, middle_of_square, pose
from protobuf import pose as pose_fields
from server import Server
from told import BinaryEye, told, told_binary

PAIRS = int(os.environ.get("CAIRN_OBSERVER_PAIRS", "1"))
TIMINGS = int(os.environ.get("CAIRN_OBSERVER_TIMINGS", "1000"))
CONNECTIONS = 5
NEVER = "0000000000zz0"  # an id that nothing has
SPOT = (51.5007, -0.1246)
SETTINGS = {
    "connections__messagesPerSecond": 100_000, "connections__messagesBurst": 100_000,
    "placement__changesPerMinute": 1_000_000, "placement__changesPerDay": 10_000_000,
}


# MARK: - One run


class Run:
    """A separate server, an attacker, strangers, and a sign: an event that shows that all earlier messages have
    arrived."""

    def __init__(self, folder):
        self.server = Server.start(folder, **SETTINGS)
        self.strangers = []

    async def begin(self, before=None):
        self.sign = await Client.connect(self.server, "Sign", sharePosition=True, shareAccuracy=0)
        self.steps = 0
        self.cell = await self.sign.stand_at(*SPOT)
        if before:
            await before(self)
        first = await Client.connect(self.server, "Eve")
        more = [await Client.connect(self.server, token=first.welcome["token"]) for _ in range(CONNECTIONS - 2)]
        self.eves = [first, *more]
        self.eye = await BinaryEye.connect(self.server, first.welcome["token"])
        for eve in self.eves:
            await eve.stand_at(*SPOT)
            await eve.view(self.cell)
            await eve.until(lambda: eve.person("Sign") and eve.person("Sign").at, "the sign")
        await self.eye.stand_at(*SPOT)
        await self.eye.until(lambda: self.eye.poses_of("Sign"))

    async def stranger(self, name, **more):
        self.strangers.append(await Client.connect(self.server, name, **more))
        return self.strangers[-1]

    async def told(self):
        """Waits until the messages about all earlier changes have arrived."""
        self.steps += 1
        seen, seen_by_eye = [eve.person("Sign").poses for eve in self.eves], self.eye.poses_of("Sign")
        await self.sign.stand_at(*away(*SPOT, east=self.steps % 7))
        for eve, poses in zip(self.eves, seen):
            await eve.until(lambda: eve.person("Sign").poses > poses, "the sign's next step")
        await self.eye.until(lambda: self.eye.poses_of("Sign") > seen_by_eye)

    async def end(self):
        """The messages of each connection."""
        sent = [*map(told, self.eves), told_binary(self.eye)]
        await self.eye.close()
        for one in [self.sign, *self.eves, *self.strangers]:
            await one.drop()
        self.server.kill()
        return sent


# MARK: - Facts


async def one_stranger_more(run, is_other, seed):
    """One or two people, too few for the count."""
    await run.begin()
    for number in range(2 if is_other else 1):
        stranger = await run.stranger(f"Stranger{number}")
        await stranger.stand_at(*away(*SPOT, north=seed.uniform(-20, 20)))
        await run.told()
    await run.strangers[-1].close()
    await run.told()
    if not is_other:
        # The same number of signs in both runs.
        await run.told()


def rough(**other):
    """A person who shares ten metres and walks, so far that the square changes however good the fixes are; each step
    differs in one more way."""

    async def walk(run, is_other, seed):
        await run.begin()
        stranger = await run.stranger("Stranger", sharePosition=True, shareAccuracy=10)
        for step in range(6):
            said = {"h": 30.0, "heading": 10.0, "accuracy": 4.0, **({} if not is_other else other)}
            said["h"] += step if "h" in other and is_other else 0
            await stranger.stand_at(*middle_of_square(*away(*SPOT, north=70.0 * (step // 2)), 10), **said)
            await run.told()

    return walk


async def place_in_the_square(run, is_other, seed):
    """Stands still in a square, or walks about in it."""
    await run.begin()
    stranger = await run.stranger("Stranger", sharePosition=True, shareAccuracy=10)
    square = middle_of_square(*SPOT, 10)
    await stranger.stand_at(*square)
    await run.told()
    for _ in range(5):
        if is_other:
            await stranger.stand_at(*away(*square, north=seed.uniform(-4, 4), east=seed.uniform(-4, 4)))
        await run.told()


async def thing_out_of_view(run, is_other, seed):
    """An instance that the attacker does not see, but whose id the attacker knows."""
    await run.begin()
    there = away(*SPOT, north=seed.uniform(3_000, 300_000))
    stranger = await run.stranger("Stranger")
    await stranger.stand_at(*there)
    placed = await stranger.place(pose(*there, 31.0))
    thing = placed if is_other else {**placed, "id": NEVER}
    for eve in run.eves:
        for asking in (eve.edit(thing, pose(*SPOT)), eve.select(thing), eve.react(thing, "like"), eve.remove(thing)):
            try:
                await asking
            except Refused:
                pass
    named = [(1, thing["id"]), (2, thing["cell"])]
    moved = (4, pose_fields((*SPOT, 30.0)))
    for kind, fields in ((21, [*named, (3, 1), moved]), (23, named), (30, [*named, (3, "like")]), (22, named)):
        await run.eye.ask(kind, fields, key=f"{kind}")
    await run.told()


async def whose_things_are(run, is_other, seed):
    """Four instances of one person, or of two: too few people for the count."""

    async def place(run):
        for number in range(3):
            if not run.strangers or (is_other and number == 1):
                await run.stranger(f"Stranger{number}")
            await run.strangers[-1].stand_at(*SPOT)
            await run.strangers[-1].place(pose(*away(*SPOT, north=number), 31.0))

    await run.begin(before=place)
    await run.strangers[-1].place(pose(*away(*SPOT, north=9), 31.0))
    await run.told()


FACTS = {
    "one stranger more": one_stranger_more,
    "height": rough(h=85.0),
    "heading": rough(heading=200.0),
    "accuracy": rough(accuracy=40.0),
    "place in the square": place_in_the_square,
    "a thing out of view": thing_out_of_view,
    "whose things are": whose_things_are,
}


@pytest.mark.seconds(60 + 10 * PAIRS)
@pytest.mark.parametrize("fact", FACTS)
async def test_two_worlds_that_differ_in_one_fact_look_alike(fact, tmp_path):
    for pair in range(PAIRS):
        sent = []
        for is_other in (False, True):
            run = Run(tmp_path / f"{pair}-{is_other}")
            await FACTS[fact](run, is_other, random.Random(pair))
            sent.append(await run.end())
        for number, (one, other) in enumerate(zip(*sent)):
            assert one.keys() == other.keys(), f"pair {pair}, connection {number}"
            for topic in one:
                assert one[topic] == other[topic], f"pair {pair}, connection {number}, {topic}"


@pytest.mark.seconds(60)
async def test_an_observer_sees_what_is_told(tmp_path):
    """The same comparison detects a fact that is not secret, which proves that it can detect differences."""
    sent = []
    for is_other in (False, True):
        run = Run(tmp_path / f"{is_other}")
        await run.begin()
        stranger = await run.stranger("Stranger", sharePosition=True, shareAccuracy=0)
        await stranger.stand_at(*away(*SPOT, north=9 if is_other else 8))
        await run.told()
        sent.append(await run.end())
    assert all(one != other for one, other in zip(*sent))


# MARK: - Timings


def told_apart(some, others):
    """Share of timings that the best single threshold classifies correctly."""
    both = sorted([(taken, 1) for taken in some] + [(taken, -1) for taken in others])
    best = lead = 0
    for place, (taken, sign) in enumerate(both):
        lead += sign
        if place + 1 == len(both) or both[place + 1][0] != taken:
            best = max(best, abs(lead))
    return 0.5 + best / len(both)


def test_a_classifier_that_has_something_to_find_finds_it():
    chance = random.Random(1)
    some, others = ([chance.gauss(mean, 1) for _ in range(2_000)] for mean in (0, 0.5))
    assert 0.57 < told_apart(some, others) < 0.63
    assert told_apart(some, some) == 0.5


@pytest.mark.soak
@pytest.mark.seconds(60 + TIMINGS // 20)
@pytest.mark.parametrize("what", ["edit", "remove"])
@pytest.mark.parametrize("fact", ["it is there", "its cell is awake"])
async def test_timings_tell_nothing_of_what_is_out_of_view(start, what, fact):
    server = start(**SETTINGS)
    ada = await Client.connect(server, "Ada")
    there = away(*SPOT, north=5_000)
    await ada.view(await ada.stand_at(*there))
    placed = await ada.place(pose(*there, 31.0))
    # Of the same letters: how long an id takes to read is known of any id.
    never = {**placed, "id": placed["id"][0] + placed["id"][:0:-1]}
    asleep = {**never, "cell": s2.token(*away(*SPOT, north=9_000))}
    other = asleep if fact == "its cell is awake" else never
    eve = await Client.connect(server, "Eve")
    await eve.view(await eve.stand_at(*SPOT))
    chance, taken = random.Random(7), ([], [])
    for number in range(TIMINGS + 100):
        which = chance.randrange(2)
        thing = (placed, other)[which]
        begin = time.perf_counter()
        try:
            await (eve.edit(thing, pose(*SPOT)) if what == "edit" else eve.remove(thing))
        except Refused as refusal:
            assert refusal.code == "not_found"
        # The first timings are dropped, because caches are cold.
        if number >= 100:
            taken[which].append(time.perf_counter() - begin)
    # The result of a threshold on pure noise that is exceeded once in a hundred times (Kolmogorov and Smirnov).
    noise = 1.63 * math.sqrt(1 / len(taken[0]) + 1 / len(taken[1])) / 2
    share = told_apart(*taken)
    print(f"{what}, {fact}: {share:.1%} of {TIMINGS} told apart")
    assert share <= 0.5 + max(0.02, noise)
