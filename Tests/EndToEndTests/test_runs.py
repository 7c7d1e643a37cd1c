"""Walking tours: runs from start to completion, over cuts, devices and crashes (TRT-1, TRT-5 to TRT-13).

Over real sockets, with the requests of clients. Walkers stand still here; walking with noise is in `TrackTests`, and
other ends of runs are in test_run_ends.py.
"""

import asyncio
import os
import random
import time

import pytest

from accounts import MANY, sign_in, sign_up
from cairn import Client, eventually, pose
from server import Server
from swarm import pause
from test_live_space import refused
from test_tours import FACTS, makers, point, popup, published, stop, words

FREE = {**FACTS, "price": 0}
#: More of them by hand: 500 walkers and 50 kills (issue 14, point 3).
WALKERS = int(os.environ.get("CAIRN_RUN_WALKERS", "6"))
KILLS = int(os.environ.get("CAIRN_RUN_KILLS", "2"))
WALKING = {"tours__settleSeconds": 0.5, "tours__popupMetres": 20}


@pytest.fixture
def settings():
    return {
        "accounts__open": "false", "listen__loops": 2, "tours__createdPerHour": 1000, **WALKING, **MANY,
        "tours__runChangesPerMinute": 1000,
    }  # fmt: skip


@pytest.fixture
def world(start, settings):
    return start(**settings)


async def stand(client, north, east=0.0, **more):
    at = point(north, east)
    return await client.ask("position", {**at, **more})


async def tour_of(maker, *norths, popups=(), facts=FREE, history=None):
    """A published tour with stops at these metres north of the start."""
    tour = (await maker.ask("createTour", {"facts": facts}))["tour"]
    await maker.ask("setTourGround", {"tour": tour, "ground": {
        "area": [point(-2000, -2000), point(-2000, 2000), point(2000, 2000), point(2000, -2000)],
        "route": [point(0), point(1500)], "direction": "TOUR_DIRECTION_FORWARD",
    }})  # fmt: skip
    for number, north in enumerate(norths):
        texts = {"name": words(f"Stop {number}"), "history": history or words(f"History {number}")}
        await maker.ask("setTourStop", {"tour": tour, "stop": stop(north, **texts)})
    for north in popups:
        await maker.ask("setTourPopup", {"tour": tour, "popup": popup(north)})
    await maker.ask("publishTour", {"tour": tour})
    return tour


async def walker(world, name="eve"):
    eve = await sign_up(world, name)
    await stand(eve, 0)
    return eve


def events(client, kind):
    return [item["event"][kind] for item in client.items if kind in item.get("event", {})]


async def reached(client, count):
    """Waits until so many stops were reached, and returns the runs of those events."""

    async def enough():
        runs = [event["run"] for event in events(client, "stopReached")]
        return runs if len(runs) >= count else None

    return await eventually(enough, lambda: f"{count} stops: {events(client, 'stopReached')}")


async def jump(client, north):
    """Stands at a place that is too far to be walked to, for as long as it takes to count."""
    for _ in range(4):
        await stand(client, north)
        await pause(0.2)


async def walk(client, *norths):
    """Stands at places in order, each until it counts."""
    for north in norths:
        await jump(client, north)


async def test_neither_a_start_nor_a_pause_brings_anybody_to_a_stop(start, settings):
    """TRT-9: a first fix that is out of reach on foot is a jump, with or without a pause before it."""
    world = start(**{**settings, "tours__settleSeconds": 10})
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100, 600)
    eve = await walker(world)
    await stand(eve, -1900)
    await eve.ask("startTour", {"tour": tour})
    await stand(eve, 100)
    await eve.ask("leaveRun")
    assert events(eve, "stopReached") == []
    await eve.ask("startTour", {"tour": tour})
    await stand(eve, 105)
    await reached(eve, 1)
    await eve.ask("pauseRun")
    await eve.ask("resumeRun")
    await stand(eve, 600)
    assert (await eve.ask("getRun"))["reached"] == 1


# MARK: - Starting (TRT-1, TRT-5, TRT-6)


async def test_a_run_goes_from_stop_to_stop_and_is_completed(world):
    """TRT-5, TRT-8, TRT-9, TRT-10, TRT-12: each stop once and in order, with its history and the next target."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100, 200, popups=[150])
    eve = await walker(world)
    run = await eve.ask("startTour", {"tour": tour}, key="start")
    assert (run["tour"], run["version"], run["state"]) == (tour, 1, "RUN_STATE_WALKING")
    assert (run.get("reached", 0), run["stops"], run["target"]["name"]) == (0, 2, words("Stop 0"))
    await walk(eve, 200)
    assert events(eve, "stopReached") == [], "the second stop before the first"
    await walk(eve, 100)
    (first,) = await reached(eve, 1)
    assert (first["reached"], first["last"]["history"], first["target"]["name"]) == (
        1, words("History 0"), words("Stop 1"),
    )  # fmt: skip
    await walk(eve, 100, 150, 150)
    (shown,) = events(eve, "popupShown")
    assert shown["popup"]["text"] == words("Mind the step.")
    await walk(eve, 200)
    last = (await reached(eve, 2))[1]
    assert (last["state"], last["reached"], "target" in last) == ("RUN_STATE_COMPLETED", 2, False)
    assert last["milliseconds"] != "0" and last.get("metres", 0) < 1000
    # It stays to be explored, without a target and without a clock, until it is left.
    await walk(eve, 100, 200)
    now = await eve.ask("getRun")
    assert (now["milliseconds"], now.get("metres"), now["popups"]) == (
        last["milliseconds"], last.get("metres"), [shown["popup"]["id"]],
    )  # fmt: skip
    assert len(events(eve, "stopReached")) == 2
    summary = await eve.ask("leaveRun")
    assert (summary["completed"], summary["reached"], summary["milliseconds"]) == (True, 2, last["milliseconds"])
    await refused("not_found", eve.ask("getRun"))


async def test_a_position_of_before_a_run_begins_is_an_arrival(world):
    """TRT-9: it comes while the start is under way, or before it. Who stands still sends no other."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 20, 200)
    eve = await walker(world)
    start = await eve.post("startTour", {"tour": tour})
    await eve.post("position", point(20))
    await start
    (run,) = await reached(eve, 1)
    assert run["last"]["history"] == words("History 0")
    await eve.ask("leaveRun")
    await eve.ask("startTour", {"tour": tour})
    await reached(eve, 2)
    await eve.ask("leaveRun")
    # Far off, as the device says, it leads to nothing.
    await stand(eve, 20, accuracy=100)
    await eve.ask("startTour", {"tour": tour})
    await stand(eve, 0)
    assert (await eve.ask("getRun")).get("reached", 0) == 0


async def test_a_device_at_home_does_not_take_part_in_the_run_of_the_phone(world):
    """TRT-9: each device of the walker is granted the run and stands where it is; the newest position is the walker's.
    The way and the group would be those of a tablet at home."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 20, 200)
    phone = await walker(world)
    tablet = await sign_in(world, "eve")
    await stand(tablet, -1_500)
    await stand(phone, 20)
    await phone.ask("startTour", {"tour": tour})
    (run,) = await reached(phone, 1)
    assert run["last"]["history"] == words("History 0")
    run = await phone.ask("getRun")
    assert run["reached"] == 1 and run.get("metres", 0) < 100


async def test_who_may_start_what(world):
    """TRT-1, TRT-5: `forbidden`, `not_found`, `payment_required`, `tour_in_progress`."""
    root, ada = await makers(world, "ada")
    tour, dear = await tour_of(ada, 100), await published(ada)
    draft = (await ada.ask("createTour", {"facts": FREE}))["tour"]
    eve = await walker(world)
    for client in (ada, root):
        await refused("forbidden", client.ask("startTour", {"tour": tour}))
    for name in (draft, "8j19dkjhda4gd", "x", ""):
        await refused("not_found", eve.ask("startTour", {"tour": name}))
    await refused("payment_required", eve.ask("startTour", {"tour": dear}))
    for kind in ("getRun", "pauseRun", "resumeRun", "leaveRun", "getRunContent"):
        await refused("not_found", eve.ask(kind))
    run = await eve.ask("startTour", {"tour": tour}, key="one")
    assert (await eve.ask("startTour", {"tour": tour}, key="one"))["id"] == run["id"]
    await refused("tour_in_progress", eve.ask("startTour", {"tour": tour}))
    await eve.ask("leaveRun")
    assert (await eve.ask("startTour", {"tour": tour}))["id"] != run["id"]


async def test_of_many_starts_at_once_one_begins(world):
    """TRT-5: from several devices at the same moment."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(world)
    devices = [eve] + [await Client.connect(world, token=eve.welcome["token"]) for _ in range(4)]
    answers = await asyncio.gather(
        *(device.ask("startTour", {"tour": tour}) for device in devices), return_exceptions=True
    )
    codes = [getattr(answer, "code", "") for answer in answers]
    assert sorted(codes) == [""] + ["tour_in_progress"] * 4


async def test_nothing_on_the_ground_is_changed_from_a_run(world):
    """TRT-6: `read_only_tour` for what is placed and changed; what concerns the account goes on."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(world)
    heart = await eve.place(pose(**point(5)))
    await eve.ask("startTour", {"tour": tour})
    at = {"cell": heart["cell"], "instance": heart["id"]}
    for kind, body in {
        "place": {"object": "preset:heart", "pose": pose(**point(5))},
        "edit": {**at, "version": 1, "pose": pose(**point(6))}, "remove": at,
        "react": {**at, "reaction": "like"}, "createPost": {"text": "x", "pose": pose(**point(5))},
        "vote": {"cell": heart["cell"], "post": heart["id"], "vote": 1},
    }.items():  # fmt: skip
        await refused("read_only_tour", eve.ask(kind, body))
    await eve.ask("listFriends")
    await eve.ask("leaveRun")
    await stand(eve, 0)
    await eve.ask("remove", at)


# MARK: - Positions (TRT-9, TRT-10)


async def test_bad_fixes_and_jumps_do_not_arrive(world):
    """TRT-9: a fix that is worse than 50 m does not count, nor does a jump before it has settled."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 300, 310)
    eve = await walker(world)
    await eve.ask("startTour", {"tour": tour})
    await stand(eve, 0)
    for _ in range(5):
        await stand(eve, 300, accuracy=51)
        await pause(0.2)
    assert events(eve, "stopReached") == []
    await stand(eve, 300)
    await stand(eve, 0)
    await stand(eve, 300)
    await pause(0.1)
    assert events(eve, "stopReached") == []
    await jump(eve, 300)
    assert (await reached(eve, 1))[0].get("metres", 0) < 30, "a jump is no distance"


async def test_guidance_says_where_the_target_is(world):
    """TRT-8: direction and distance, by the volatile lane."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 300)
    eve = await walker(world)
    await eve.ask("startTour", {"tour": tour})
    await stand(eve, 0)

    async def guidance():
        found = [item["guidance"] for item in eve.items if "guidance" in item]
        return found and found[-1]

    shown = await eventually(guidance, "guidance")
    assert abs(shown["metres"] - 300) < 3 and shown.get("bearing", 0) in (0, 360)


async def test_the_clock_stands_still_while_paused(world):
    """TRT-5: pause and resume; nothing is reached meanwhile."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(world)
    await eve.ask("startTour", {"tour": tour})
    paused = await eve.ask("pauseRun")
    assert paused["state"] == "RUN_STATE_PAUSED"
    began = time.monotonic()
    await walk(eve, 100)
    await pause(1)
    again = await eve.ask("pauseRun")
    assert (again["milliseconds"], again.get("metres", 0)) == (
        paused["milliseconds"], paused.get("metres", 0),
    )  # fmt: skip
    assert events(eve, "stopReached") == []
    resumed = await eve.ask("resumeRun")
    passed = 1000 * (time.monotonic() - began)
    assert int(resumed["milliseconds"]) - int(paused["milliseconds"]) < passed / 2
    await walk(eve, 100)
    await reached(eve, 1)


async def test_the_map_is_that_of_the_version_that_is_walked(world):
    """TRT-7, TRM-9: an edit that is published meanwhile leaves the run untouched."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(world)
    await eve.ask("startTour", {"tour": tour})
    await ada.ask("setTourStop", {"tour": tour, "stop": stop(150)})
    assert (await ada.ask("publishTour", {"tour": tour}))["version"] == 2
    page = await eve.ask("getRunContent")
    assert (page["pages"], page["tour"]["version"], len(page["content"]["stops"])) == (1, 1, 1)
    await refused("not_found", eve.ask("getRunContent", {"page": 1}))
    assert (await eve.ask("getRun"))["stops"] == 1


# MARK: - Devices, cuts and crashes (TRT-12, TRT-13)


async def test_a_run_is_on_all_devices_and_goes_on_after_a_cut(world):
    """TRT-9, TRT-12: progress reaches every device once; another device goes on where one was cut."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100, 120)
    eve = await walker(world)
    other = await Client.connect(world, token=eve.welcome["token"])
    run = await eve.ask("startTour", {"tour": tour})
    await walk(eve, 100)
    for device in (eve, other):
        assert [one["reached"] for one in await reached(device, 1)] == [1]
    await eve.drop()
    late = await Client.connect(world, token=eve.welcome["token"])

    async def shown():
        return [item["run"] for item in late.items if "run" in item]

    (behind,) = await eventually(shown, "the run behind the snapshot")
    assert (behind["id"], behind["reached"]) == (run["id"], 1)
    await walk(late, 120)
    for device in (other, late):
        assert (await reached(device, 1 if device is late else 2))[-1]["reached"] == 2


def told(client):
    """The newest item `run` that a walker has received."""
    runs = [item["run"] for item in client.items if "run" in item]
    return (runs + [event["run"] for kind in ("runChanged", "stopReached") for event in events(client, kind)])[-1]


@pytest.mark.seconds(60 + 10 * KILLS + WALKERS)
async def test_runs_survive_a_crash_with_target_totals_and_clock(start, settings):
    """TRT-13: `kill -9` in the middle of runs, while walkers are on their way to the next stop."""
    server = start(**settings)
    _, ada = await makers(server, "ada")
    tour = await tour_of(ada, *(100 + 25 * number for number in range(KILLS + 2)))
    walkers = [await walker(server, f"walker{number}") for number in range(WALKERS)]
    for one in walkers:
        await one.ask("startTour", {"tour": tour})
    await asyncio.gather(*(walk(one, 100) for one in walkers))
    for one in walkers:
        await reached(one, 1)
    await walkers[0].ask("pauseRun")
    stands = int((await walkers[0].ask("getRun"))["milliseconds"])
    folder, chance = server.folder, random.Random(7)
    for kill in range(KILLS):
        before = [told(one) for one in walkers]
        going = [asyncio.create_task(walk(one, 125 + 25 * kill)) for one in walkers[1:]]
        await pause(chance.uniform(0, 1))
        server.kill()
        await asyncio.gather(*going, return_exceptions=True)
        after = [told(one) for one in walkers]
        server = Server.start(folder, **settings)
        try:
            again = [await Client.connect(server, token=one.welcome["token"]) for one in walkers]
            for number, (one, start_of, end_of) in enumerate(zip(again, before, after)):
                run = await one.ask("getRun")
                assert run["id"] == end_of["id"]
                # What was told is kept; what was kept may not have been told.
                assert end_of["reached"] <= run["reached"] <= start_of["reached"] + 1
                assert run["target"]["name"] == words(f"Stop {run['reached']}")
                if run["reached"] == end_of["reached"]:
                    assert run.get("metres") == end_of.get("metres")
                passed = int(run["at"]) - int(end_of["at"])
                expected = int(end_of["milliseconds"]) + passed if number else stands
                assert abs(int(run["milliseconds"]) - expected) < 1000, "the clock"
            walkers = again
            await asyncio.gather(*(walk(one, 125 + 25 * kill) for one in walkers[1:]))
            for one in walkers[1:]:
                await one.until(lambda: told(one)["reached"] == 2 + kill, lambda: told(one))
        except BaseException:
            server.stop()
            raise
    server.stop()
