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
from server import is_debug
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
#: Builds without optimisation are some ten times slower.
SLOWNESS = 5 if is_debug() else 1


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
            await one.connect(server, seconds=60)

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


async def all_have(people, what, why, seconds):
    async def have():
        return all(what(one) for one in people)

    await eventually(have, lambda: f"{why}: {sum(map(bool, map(what, people)))} of {len(people)}", seconds=seconds)


@pytest.mark.seconds(120 + PEOPLE)
async def test_a_tour_is_offered_to_all_near_at_once_and_its_end_told_to_all_on_it(start):
    """Within 1 s it is offered, within 2 s its deletion has ended all runs; an edit leaves them untouched."""
    server = start(**OPEN)
    _, ada = await makers(server, "ada")
    people = crowd()
    await gather(server, people)
    began = time.monotonic()
    tour = await tour_of(ada, 400, 800)
    await all_have(people, lambda one: [at for at, near in one.near if near == [tour]], "the offer", 30)
    # Since the first request that makes it: the one that publishes it is the last.
    late = max(next(at for at, near in one.near if near == [tour]) for one in people) - began
    assert late < 1 * SLOWNESS, f"the last of {PEOPLE} was offered the tour after {late:.2f} s"

    runs = await asyncio.gather(*(one.ask("startTour", {"tour": tour}, f"run-{one.name}") for one in people))
    assert all(run["tour"] == tour and run["version"] == 1 for run in runs)
    await server.until_figure("cairn_people_in_spaces", PEOPLE, seconds=30)
    # Another version, with one stop more and another name.
    parts = {one["part"]: one["version"] for one in (await ada.ask("getTour", {"tour": tour, "draft": True}))["parts"]}
    await ada.ask("setTourFacts", {"tour": tour, "version": parts["facts"], "facts": {**FREE, "name": words("New")}})
    await ada.ask("setTourStop", {"tour": tour, "stop": stop(1_000)})
    assert (await ada.ask("publishTour", {"tour": tour}))["version"] == 2
    for one, run in zip(people, await asyncio.gather(*(one.ask("getRun", {}) for one in people))):
        assert (run["version"], run["stops"], run.get("reached", 0)) == (1, 2, 0), one.name
    assert not [one for one in people if one.ended]

    began = time.monotonic()
    await ada.ask("deleteTour", {"tour": tour})
    await all_have(people, lambda one: one.ended, "the notice", 30)
    ended = max(one.ended[0][0] for one in people) - began
    assert ended < 2 * SLOWNESS, f"the last of {PEOPLE} was told of the end after {ended:.2f} s"
    assert all(len(one.ended) == 1 for one in people)
    await server.until_figure("cairn_people_in_spaces", 0, seconds=30)
    print(f"{PEOPLE} people: offered within {late:.2f} s, all runs ended with notice within {ended:.2f} s")
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
    """TRT-2: a list by nearness and one by organisation, p95 within 100 ms; positions go on meanwhile."""
    server = start(**OPEN)
    _, ada = await makers(server, "ada")
    await many(ada, TOURS)
    people, chance = crowd(), random.Random(4)
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
    assert p95 < 0.1 * SLOWNESS
    await leave(people)
