"""Rows of spaces on the stats socket (STA-2): tour runs and groups, without names of people."""

import json

import pytest

from cairn import Client, eventually
from operators import Desk
from test_groups import on_tour
from test_runs import settings, stand, tour_of, walker, world  # noqa: F401
from test_tours import makers


async def rows(desk, **more):
    answer = await desk.ask(" ".join(["spaces", *(f"{key}={value}" for key, value in more.items())]))
    return {row["space"]: row for row in answer["spaces"]}, answer["of"]


async def test_a_run_is_in_its_row_with_its_devices_and_its_people(world):  # noqa: F811
    """STA-2: id, users, subscribers; the rows' people add up to those in spaces."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    persons = [await walker(world, name) for name in ("eve", "bob", "cat")]
    runs = [(await one.ask("startTour", {"tour": tour}))["id"] for one in persons]
    other = await Client.connect(world, token=persons[0].welcome["token"])
    for one in (*persons[:2], other):
        await stand(one, 1)
    shown = []
    async with await Desk.open(world) as desk:

        async def told():
            found, count = await rows(desk)
            shown[:] = [found, count]
            seen = [(found.get(run, {}).get("people"), found.get(run, {}).get("subscribers")) for run in runs]
            return count == 3 and seen == [(2, 2), (1, 1), (1, 1)]

        await eventually(told, lambda: shown)
        found, count = await rows(desk, top=1)
        assert (list(found), count) == ([runs[0]], 3)
        assert not {"eve", "bob", "cat", tour} & set(json.dumps(await desk.ask("spaces")).split('"'))
        for wrong in ("top=0", "top=1001", "people"):
            assert (await desk.refusal(f"spaces {wrong}"))["code"] == "bad_argument"
        await persons[0].ask("leaveRun")

        async def gone():
            found, _ = await rows(desk)
            left = found.get(runs[0], {"people": 0})
            return left["people"] == 0 and sum(row["people"] for row in found.values()) == 2

        await eventually(gone, "the row without people")


@pytest.mark.seconds(60)
async def test_a_group_is_a_space_of_its_own(world):  # noqa: F811
    """STA-2, TRM-11: a guide without a run is in it; the space of a group of walkers is empty."""
    ada, tour, bob = await on_tour(world, "bob")
    await stand(ada, 0)
    group = await ada.ask("openGroup", {"tour": tour})
    await bob.ask("joinGroup", {"code": group["code"]})
    async with await Desk.open(world) as desk:

        async def told():
            found, _ = await rows(desk)
            return found.get(group["id"], {}).get("people") == 1

        await eventually(told, "the group's row")
