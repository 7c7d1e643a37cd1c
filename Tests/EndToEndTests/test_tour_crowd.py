"""Tours among many people: how soon they are offered, end with notice, and how fast lists answer (TRM-7, TRM-10,
TRT-2, TRT-11, PRX-2; issue 14, points 4 and 5).

    CAIRN_TOUR_PEOPLE=1000 CAIRN_TOURS=10000 pytest Tests/EndToEndTests/test_tour_crowd.py -s       the long run
"""

import asyncio
import os
import random
import time

import pytest

from accounts import MANY
from cairn import away, eventually
from paces import HELD_UP, timed
from swarm import Bot, pause, percentile
from test_runs import FREE, tour_of
from test_tours import OLD_TOWN, ground, makers, point, published, stop, words

pytestmark = pytest.mark.alone

PEOPLE = int(os.environ.get("CAIRN_TOUR_PEOPLE", "40"))
TOURS = int(os.environ.get("CAIRN_TOURS", "120"))
#: A list of tours, for each person.
LISTS = 5
#: Lists a second, of all people together.
PACE = 100
OPEN = {
    "listen__loops": 2, "tours__createdPerHour": 1_000_000, "tours__editsPerMinute": 1_000_000,
    "tours__perOrganisationMax": 10_000, "connections__messagesPerSecond": 100_000,
    "connections__messagesBurst": 100_000, "tours__idleHours": 100, **MANY,
}  # fmt: skip


class Walker(Bot):
    """Notes when it is told of tours near it, and of runs that have ended."""

    def __init__(self, name, spot):
        super().__init__(name, spot)
        self.near = []  # (when, ids of the tours)
        self.ended = []  # (when, the notification)

    def _receive(self, item):
        if "nearbyTours" in item:
            self.near.append((time.monotonic(), [one["id"] for one in item["nearbyTours"].get("tours", [])]))
        for one in item.get("notifications", {}).get("notifications", []):
            if one["kind"] == "tour_ended":
                self.ended.append((time.monotonic(), one))
        super()._receive(item)


async def gather(server, people, at_once=50):
    """Connects them all, not all at once."""
    gate = asyncio.Semaphore(at_once)

    async def come(one):
        async with gate:
            await one.connect(server)

    await asyncio.gather(*(come(one) for one in people))


async def leave(people):
    assert not [fault for one in people for fault in one.faults]
    for one in people:
        one.drop()


def crowd():
    """People within 45 m of where tours begin, a few apart."""
    chance = random.Random(3)
    return [
        Walker(f"walker{number}", away(*OLD_TOWN, north=chance.uniform(-30, 30), east=chance.uniform(-30, 30)))
        for number in range(PEOPLE)
    ]


async def all_have(people, what, why):
    async def have():
        return all(what(one) for one in people)

    await eventually(have, lambda: f"{why}: {sum(map(bool, map(what, people)))} of {len(people)}")


async def offered(ada, people):
    """Makes a tour; returns it, and the seconds from the first request for it until all have been offered it."""
    began = time.monotonic()
    tour = await tour_of(ada, 400, 800)
    await all_have(people, lambda one: [at for at, near in one.near if near == [tour]], "the offer")
    return tour, max(next(at for at, near in one.near if near == [tour]) for one in people) - began


async def walked(people, tour):
    return await asyncio.gather(*(one.ask("startTour", {"tour": tour}, f"run-{one.name}") for one in people))


async def ended(ada, tour, people):
    """Deletes a tour that all are on; returns the seconds until all know."""
    began = time.monotonic()
    await ada.ask("deleteTour", {"tour": tour})
    await all_have(people, lambda one: one.ended, "the notice")
    return max(one.ended[0][0] for one in people) - began


@pytest.mark.seconds(120 + PEOPLE)
async def test_a_tour_is_offered_to_all_near_at_once_and_its_end_told_to_all_on_it(start):
    """At once: of a crowd the last is not much later than who is there alone. An edit leaves the runs untouched."""
    server = start(**OPEN)
    _, ada = await makers(server, "ada")
    first = Walker("first", OLD_TOWN)
    await gather(server, [first])
    tour, offered_alone = await offered(ada, [first])
    await walked([first], tour)
    ended_alone = await ended(ada, tour, [first])
    await leave([first])
    people = crowd()
    await gather(server, people)
    tour, late = await offered(ada, people)
    assert late < HELD_UP * offered_alone, f"the last of {PEOPLE} was offered the tour after {late:.2f} s"

    runs = await walked(people, tour)
    assert all(run["tour"] == tour and run["version"] == 1 for run in runs)
    await server.until_figure("cairn_people_in_spaces", PEOPLE)
    # Another version, with one stop more and another name.
    parts = {one["part"]: one["version"] for one in (await ada.ask("getTour", {"tour": tour, "draft": True}))["parts"]}
    await ada.ask("setTourFacts", {"tour": tour, "version": parts["facts"], "facts": {**FREE, "name": words("New")}})
    await ada.ask("setTourStop", {"tour": tour, "stop": stop(1_000)})
    assert (await ada.ask("publishTour", {"tour": tour}))["version"] == 2
    for one, run in zip(people, await asyncio.gather(*(one.ask("getRun", {}) for one in people))):
        assert (run["version"], run["stops"], run.get("reached", 0)) == (1, 2, 0), one.name
    assert not [one for one in people if one.ended]

    over = await ended(ada, tour, people)
    assert over < HELD_UP * ended_alone, f"the last of {PEOPLE} was told of the end after {over:.2f} s"
    assert all(len(one.ended) == 1 for one in people)
    await server.until_figure("cairn_people_in_spaces", 0)
    print(f"{PEOPLE} people: offered within {late:.2f} s, all runs ended with notice within {over:.2f} s;",
          f"alone {offered_alone:.2f} and {ended_alone:.2f} s")  # fmt: skip
    await leave(people)


async def many(maker, count, at_once=16):
    """So many published tours on a square of 300 m each."""
    numbers, side = iter(range(count)), int(count**0.5) + 1

    async def make():
        for number in numbers:
            north, east = number // side * 300.0, number % side * 300.0
            corners = [(-200, -200), (-200, 200), (200, 200), (200, -200)]
            area = ground(
                area=[point(north + a, east + b) for a, b in corners],
                route=[point(north, east), point(north + 100, east)])
            tour = (await maker.ask("createTour", {"facts": FREE}))["tour"]
            await maker.ask("setTourGround", {"tour": tour, "ground": area})
            await maker.ask("setTourStop", {"tour": tour, "stop": stop(north + 50, east)})
            await maker.ask("publishTour", {"tour": tour})

    await asyncio.gather(*(make() for _ in range(at_once)))


@pytest.mark.seconds(120 + TOURS / 10 + PEOPLE)
async def test_lists_of_many_tours_answer_at_once_to_many_people(start):
    """TRT-2: a list by nearness and one by organisation; positions go on meanwhile. The lists of many are compared with
    those of one person who is there alone."""
    server = start(**OPEN)
    _, ada = await makers(server, "ada")
    await many(ada, TOURS)
    first, chance = Walker("first", OLD_TOWN), random.Random(4)
    await gather(server, [first])
    quiet = [await timed(lambda: first.ask("listTours", wanted)) for wanted in ({}, {"near": point(0)}) * 20]
    await leave([first])
    people = crowd()
    await gather(server, people)
    waits, moves = [], []

    async def look(one):
        """Lists and steps at the pace of all, spread by chance."""
        for _ in range(LISTS):
            await pause(chance.random() * 2 * PEOPLE / PACE)
            began = time.monotonic()
            near = chance.random() < 0.5
            page = await one.ask("listTours", {"near": point(chance.random() * 5_000)} if near else {})
            waits.append(time.monotonic() - began)
            assert len(page["tours"]) == 20
            began, (lat, lon) = time.monotonic(), away(*one.spot, north=chance.random())
            await one.ask("position", {"lat": lat, "lon": lon, "h": 30.0})
            moves.append(time.monotonic() - began)

    await asyncio.gather(*(look(one) for one in people))
    assert len(waits) == LISTS * PEOPLE
    p95, step = percentile(waits, 0.95), percentile(moves, 0.95)
    print(f"{TOURS} tours, {PEOPLE} people: p95 of lists {1000 * p95:.0f} ms, of positions {1000 * step:.0f} ms")
    assert p95 < HELD_UP * percentile(quiet, 0.95), (p95, percentile(quiet, 0.95))
    await leave(people)
