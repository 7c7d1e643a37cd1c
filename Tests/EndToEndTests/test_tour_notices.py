"""Notices of tours near by, while their person walks one (PRX-3).

Over real sockets; whom they reach, and how often, is in test_published_tours.py.
"""

from cairn import Client
from swarm import pause
from test_notifications import notified
from test_runs import settings, stand, tour_of, walker, world  # noqa: F401
from test_settings import settings as saved
from test_tours import makers


def tours(client):
    """The tours of which a device has been told."""
    return {one["instance"] for one in notified(client) if one["kind"] == "tour_nearby"}


async def test_a_walker_is_told_of_no_tour_near_by_on_any_device_and_afterwards_of_it(world):  # noqa: F811
    """PRX-3: none during a run, also of a tour that is published meanwhile."""
    _, ada = await makers(world, "ada")
    first = await tour_of(ada, 100)
    eve = await walker(world)
    other = await Client.connect(world, token=eve.welcome["token"])
    await eve.ask("startTour", {"tour": first})
    await eve.ask("saveSettings", saved(notifications__tour_nearby="on"))
    second = await tour_of(ada, 300)
    late = await Client.connect(world, token=eve.welcome["token"])
    for north in range(4):
        for device in (eve, other, late):
            await stand(device, north)
        await pause(0.3)
    assert not any(map(tours, (eve, other, late)))
    assert "notifications" not in await eve.ask("listNotifications")
    await eve.ask("leaveRun")
    await stand(eve, 5)
    for device in (eve, other, late):
        await device.until(lambda device=device: tours(device) == {first, second}, lambda device=device: tours(device))


async def test_a_notice_that_is_asked_for_as_a_run_begins_waits_for_its_end(world):  # noqa: F811
    """PRX-3: the first position and the start of the run come at the same moment."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(world)
    await stand(eve, 2500)
    await eve.ask("saveSettings", saved(notifications__tour_nearby="on"))
    other = await Client.connect(world, token=eve.welcome["token"])
    started = await other.post("startTour", {"tour": tour})
    await stand(eve, 1)
    run = (await started)["id"]
    before = tours(eve)
    for north in range(3):
        await stand(eve, north)
        await pause(0.2)
    assert tours(eve) == before and (await eve.ask("getRun"))["id"] == run
    await eve.ask("leaveRun")
    await stand(eve, 3)
    await eve.until(lambda: tours(eve) == {tour}, lambda: tours(eve))
