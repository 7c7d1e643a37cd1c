"""Snapshots of what is presented around a user, complete by themselves, for display without a network (SYN-1)."""

import pytest

from cairn import Client, away, metres, pose
from swarm import pause
from test_friends import befriend, of, people
from test_live_space import refused
from test_shared import create, join, select, stand, until_scoped


@pytest.fixture
def world(start):
    return start(accounts__privacy="everyone")


def ids(snapshot):
    return [instance["id"] for instance in snapshot.get("instances", [])]


async def snapshot(client):
    """A snapshot; waits where the last one was a moment ago."""
    await pause(1.05)
    return await client.ask("getSnapshot")


async def test_a_snapshot_holds_what_is_around_the_nearest_first_with_version_and_age(world, spot):
    ada, bob = await people(world, "Ada", "Bob")
    await stand(ada, bob, spot=spot)
    mine = await ada.place(pose(*away(*spot, north=25.0)), text="mine")
    others = [await bob.place(pose(*away(*spot, east=10.0 * number))) for number in range(5)]
    await ada.until(lambda: all(ada.sees(one) for one in others), "all of them")
    taken = await ada.ask("getSnapshot")
    assert sorted(ids(taken)) == sorted([mine["id"], *(one["id"] for one in others)])
    far = [metres(*(one["pose"]["geopose"]["position"][name] for name in ("lat", "lon")), spot) for one in
           taken["instances"]]
    distances = [east**2 + north**2 for east, north in far]
    assert distances == sorted(distances)
    assert [one["id"] for one in taken["own"]] == [mine["id"]] and "leftOut" not in taken
    assert int(taken["expires"]) - int(taken["taken"]) == 24 * 3_600_000
    assert (taken["place"]["lat"], taken["place"]["lon"]) == spot
    # Nobody else's snapshot says whose a thing is, or when it was placed.
    assert all("placer" not in one and "created" not in one for one in taken["instances"])
    assert next(one for one in taken["instances"] if one["id"] == mine["id"])["text"] == "mine"
    again = await snapshot(ada)
    assert again["version"] == taken["version"] and again["taken"] != taken["taken"]
    await bob.remove(others[0])
    await ada.until(lambda: not ada.sees(others[0]), "its end")
    assert (await snapshot(ada))["version"] != taken["version"]


async def test_a_snapshot_is_bounded_and_says_how_much_is_left_out(start, spot):
    server = start(cells__snapshotInstancesMax=2, cells__snapshotHours=1)
    (ada,) = await people(server, "Ada")
    await stand(ada, spot=spot)
    things = [await ada.place(pose(*away(*spot, north=5.0 * number))) for number in range(5)]
    await ada.until(lambda: all(ada.sees(one) for one in things), "all of them")
    taken = await ada.ask("getSnapshot")
    assert ids(taken) == [things[0]["id"], things[1]["id"]] and taken["leftOut"] == 3
    assert int(taken["expires"]) - int(taken["taken"]) == 3_600_000


async def test_a_snapshot_shows_the_selection_and_hides_who_is_blocked(world, spot):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    cell = await stand(ada, bob, eve, spot=spot)
    garden = await create(ada)
    await join(garden, ada, bob)
    secret = await ada.place(pose(*spot), realms=[garden])
    public = await eve.place(pose(*spot))
    await bob.until(lambda: bob.sees(public), "what everybody sees")
    assert ids(await bob.ask("getSnapshot")) == [public["id"]]
    await select(bob, garden)
    view = await until_scoped(bob, cell)
    assert secret["id"] in view.instances
    taken = await snapshot(bob)
    assert ids(taken) == [secret["id"]] and taken["realm"] == garden
    assert ids(await eve.ask("getSnapshot")) == [public["id"]]
    await bob.ask("selectRealm")
    await bob.view(cell)
    await bob.ask("block", of(eve))
    assert ids(await snapshot(bob)) == []
    assert ids(await snapshot(ada)) == [public["id"]]


async def test_a_snapshot_wants_a_place_and_patience(world, spot):
    (ada,) = await people(world, "Ada")
    await refused("position_required", ada.ask("getSnapshot"))
    await stand(ada, spot=spot)
    await ada.ask("getSnapshot")
    assert (await refused("rate_limited", ada.ask("getSnapshot"))).retry_after <= 1_000
    guest = await Client.connect(world)
    await refused("not_signed_in", guest.ask("getSnapshot"))
