"""Two requests of one person at the same moment, from two devices: about their run and their group (TRT-5, TRM-11).

Whichever comes second is answered as if it had come later; none is a fault of the server, and both devices, the group
and the disk agree afterwards.

    CAIRN_PAIRS=2000 pytest Tests/EndToEndTests/test_runs_at_once.py                           the long run
"""

import asyncio
import itertools
import os
import random

import pytest

from accounts import MANY
from cairn import Client, Refused, eventually
from server import run as command
from swarm import pause
from test_group_ends import members, names
from test_groups import on_tour
from test_live_space import refused
from test_runs import WALKING, stand, tour_of, walker
from test_tours import makers

#: Pairs of each kind.
PAIRS = int(os.environ.get("CAIRN_PAIRS", "40"))
#: People who do this at once.
PEOPLE = 4
KINDS = ("startTour", "openGroup", "joinGroup", "leaveGroup", "pauseRun", "resumeRun", "leaveRun")


@pytest.fixture
def settings():
    return {
        "accounts__open": "false", "listen__loops": 2, "tours__codesPerHour": 100_000,
        "tours__runChangesPerMinute": 100_000,
        "connections__messagesPerSecond": 10_000, "connections__messagesBurst": 100_000, **WALKING, **MANY,
    }  # fmt: skip


@pytest.fixture
def world(start, settings):
    return start(**settings)


async def code(asked, after=0.0):
    """How a request is answered: "" = done."""
    await pause(after)
    try:
        await asked()
    except Refused as refusal:
        return refusal.code
    return ""


class Person:
    """A person with two devices, who asks for two things at once."""

    def __init__(self, client, tour, group):
        self.devices, self.bodies = [client], {"startTour": {"tour": tour}, "joinGroup": {"code": group["code"]}}
        self.dice = random.Random(client.name)

    async def bring_other_device(self, world):
        self.devices.append(await Client.connect(world, token=self.devices[0].welcome["token"]))

    def ask(self, device, kind):
        return self.devices[device].ask(kind, self.bodies.get(kind))

    async def at_once(self, *kinds):
        """The codes of the two, in order; a little time between them, so that each step of one meets each of the
        other."""
        gaps = self.dice.choice([(0, 0), (0, self.dice.uniform(0, 0.02)), (self.dice.uniform(0, 0.02), 0)])
        return await asyncio.gather(
            *(code(lambda one=one, kind=kind: self.ask(one, kind), gaps[one]) for one, kind in enumerate(kinds))
        )

    async def begin(self):
        """Is on a run and in no group."""
        await code(lambda: self.ask(0, "leaveRun"))
        await self.ask(0, "startTour")

    async def check(self):
        """Both devices are told the same run and the same group, and who is on no run is in no group."""
        runs = [await self.answer(device, "getRun") for device in (0, 1)]
        groups = [await self.answer(device, "getGroup") for device in (0, 1)]
        states = [answer and (answer["id"], answer["state"]) for answer in runs]
        assert states[0] == states[1], states
        owns = [[one for one in answer["members"] if one.get("own")] for answer in groups if answer]
        assert all(len(own) == 1 for own in owns) and len(owns) in ((0, 2) if runs[0] else (0,)), (runs, groups)

    async def answer(self, device, kind):
        try:
            return await self.ask(device, kind)
        except Refused as refusal:
            assert refusal.code == "not_found", refusal
            return None


async def people(world):
    """A guide with a group, and people with a run of the same tour."""
    _, tour, eve = await on_tour(world, "eve")
    group = await eve.ask("openGroup")
    persons = [Person(await walker(world, f"walker{number}"), tour, group) for number in range(PEOPLE)]
    for person in persons:
        await person.bring_other_device(world)
    return eve, persons


async def is_sound(world, guide, count):
    """The group is the same in memory and on disk, and nothing had to be read anew."""

    async def agree():
        told = len((await guide.ask("getGroup"))["members"])
        return told == members(world) == count

    await eventually(agree, lambda: f"{count} members; {members(world)} on disk")
    assert '"level":"critical"' not in world.log()
    world.kill()
    done = command("verify", "--data", world.folder, "--set", f"storage.keyFile={world.folder}.key", seconds=60)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.seconds(60 + PAIRS)
async def test_who_joins_a_group_and_leaves_the_run_at_once_is_in_neither(world):
    """TRM-11: also the guide of a group of their own. The group goes on for the others."""
    eve, persons = await people(world)

    async def rounds(person):
        for number in range(PAIRS):
            await person.begin()
            kind = "openGroup" if number % 4 == 3 else "joinGroup"
            entered, left = await person.at_once(kind, "leaveRun")
            # Who is on no run, and of no organisation, may not open a group.
            late = "forbidden" if kind == "openGroup" else "not_found"
            assert entered in ("", "not_found", late) and left == "", (kind, entered, left)
            assert await person.answer(0, "getRun") is None and await person.answer(1, "getGroup") is None
        return await person.begin()

    await asyncio.gather(*map(rounds, persons))
    await persons[0].ask(1, "joinGroup")
    assert await names(persons[0].devices[0]) >= {"eve"}
    await is_sound(world, eve, 2)


@pytest.mark.seconds(60 + 2 * PAIRS)
async def test_any_two_requests_about_a_run_at_once_are_answered_as_one_after_the_other(world):
    """TRT-5, TRM-11: start, pause, go on, leave, open, join and leave a group."""
    eve, persons = await people(world)
    pairs = list(itertools.combinations_with_replacement(KINDS, 2))
    expected = {"", "not_found", "forbidden", "tour_in_progress", "already_member", "try_again"}

    async def rounds(person):
        for number in range(PAIRS):
            await person.begin()
            if person.dice.random() < 0.5:
                await person.ask(0, person.dice.choice(["openGroup", "joinGroup"]))
            kinds = person.dice.choice(pairs)
            codes = await person.at_once(*person.dice.sample(kinds, 2))
            assert set(codes) <= expected, (kinds, codes)
            await person.check()
        await person.ask(0, "leaveRun") if await person.answer(0, "getRun") else None

    await asyncio.gather(*map(rounds, persons))
    await is_sound(world, eve, 1)


async def test_of_two_who_leave_a_run_at_once_one_has_left_it(world):
    """TRT-11: the other is told that there is none."""
    _, (person, *_) = await people(world)
    for _ in range(10):
        await person.begin()
        assert sorted(await person.at_once("leaveRun", "leaveRun")) == ["", "not_found"]


async def test_a_guide_without_a_run_has_none_to_leave(world):
    """TRM-11: they stay in the space of their group."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    await stand(ada, 0)
    group = await ada.ask("openGroup", {"tour": tour})
    await refused("not_found", ada.ask("leaveRun"))
    await stand(ada, 1)
    assert (await ada.ask("getGroup"))["id"] == group["id"]
    await world.until_figure("cairn_people_in_spaces", 1)
