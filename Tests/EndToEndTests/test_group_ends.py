"""Groups on tours: how codes lapse, how groups end, and how many follow one guide (TRM-11).

Over real sockets, with the requests of clients; what a group tells its members is in test_groups.py.
"""

import asyncio
import contextlib
import sqlite3

from accounts import PASSWORD
from cairn import Refused, eventually
from swarm import pause
from test_groups import fellow, on_tour, told
from test_live_space import refused
from test_runs import events, settings, stand, walker, world  # noqa: F401

#: As many as `tours.followersMax` by default.
FOLLOWERS = 50


async def ended(client, group):
    """Waits until the client is told that its group has ended."""

    async def is_over():
        return [one["group"] for one in events(client, "groupEnded")] == [group["id"]]

    await eventually(is_over, lambda: f"the end: {told(client)}")
    await refused("not_found", client.ask("getGroup"))


async def names(client):
    """The names in the client's group."""
    return {one["name"] for one in (await client.ask("getGroup"))["members"]}


async def join(client, group):
    """Follows the guide, and asks again when the server says so: who was refused just now waits for a moment."""
    while True:
        try:
            return await client.ask("joinGroup", {"code": group["code"]})
        except Refused as refusal:
            assert refusal.code == "try_again", refusal
            await pause(refusal.retry_after / 1000)


def members(server):
    """Members of groups in the database."""
    with contextlib.closing(sqlite3.connect(f"file:{server.folder}/cairn.sqlite?mode=ro", uri=True)) as database:
        return database.execute("SELECT count(*) FROM tour_group_members").fetchone()[0]


async def test_a_guide_without_a_sign_ends_the_group_and_followers_walk_on(start, settings):  # noqa: F811
    """TRM-11, TRT-11: after `tours.idleHours`, for a guide without a run; a follower keeps their run."""
    server = start(**{**settings, "tours__idleHours": 0.002})
    ada, tour, bob = await on_tour(server, "bob")
    await stand(ada, 0)
    group = await ada.ask("openGroup", {"tour": tour})
    await bob.ask("joinGroup", {"code": group["code"]})
    await server.until_figure("cairn_people_in_spaces", 2)

    async def is_over():
        # The follower gives signs of life, the guide does not.
        await stand(bob, 1)
        return events(bob, "groupEnded")

    assert (await eventually(is_over, "the end"))[0]["group"] == group["id"]
    await refused("not_found", bob.ask("getGroup"))
    await refused("not_found", ada.ask("getGroup"))
    assert (await bob.ask("getRun"))["tour"] == tour
    await server.until_figure("cairn_people_in_spaces", 1)


async def test_a_code_lapses_and_the_group_goes_on(start, settings):  # noqa: F811
    """TRM-11: after `tours.codeHours` the code admits no one; members stay."""
    server = start(**{**settings, "tours__codeHours": 0.0006})
    _, _, eve, bob, cat = await on_tour(server, "eve", "bob", "cat")
    group = await eve.ask("openGroup")
    await bob.ask("joinGroup", {"code": group["code"]})
    await pause(2.3)
    await refused("not_found", cat.ask("joinGroup", {"code": group["code"]}))
    for one in (eve, bob):
        assert await names(one) == {"eve", "bob"}


async def test_who_deletes_their_account_is_in_no_group(world):  # noqa: F811
    """TRM-11, CMP-3: a follower is gone from it; without its guide it ends. Nothing of it is kept."""
    _, _, eve, bob, cat = await on_tour(world, "eve", "bob", "cat")
    group = await eve.ask("openGroup")
    for one in (bob, cat):
        await one.ask("joinGroup", {"code": group["code"]})
    await bob.ask("deleteAccount", {"password": PASSWORD})

    async def is_gone():
        return fellow(await eve.ask("getGroup"), "bob") is None and members(world) == 2

    await eventually(is_gone, lambda: f"bob: {told(eve)}")
    assert await names(cat) == {"eve", "cat"}
    await eve.ask("deleteAccount", {"password": PASSWORD})
    await ended(cat, group)

    async def is_empty():
        return members(world) == 0

    await eventually(is_empty, "the rows")
    assert (await cat.ask("getRun"))["stops"] == 2


async def test_fifty_follow_a_guide_and_no_more(world):  # noqa: F811
    """TRM-11: the next is refused, and is let in when another leaves."""
    _, tour, eve = await on_tour(world, "eve")
    group = await eve.ask("openGroup")
    followers = [await walker(world, f"walker{number}") for number in range(FOLLOWERS + 1)]
    await asyncio.gather(*(one.ask("startTour", {"tour": tour}) for one in followers))
    *first, last = followers
    await asyncio.gather(*(one.ask("joinGroup", {"code": group["code"]}) for one in first))
    full = await refused("limit_reached", last.ask("joinGroup", {"code": group["code"]}))
    assert full.details == {"count": f"{FOLLOWERS}", "limit": f"{FOLLOWERS}"}
    assert len((await eve.ask("getGroup"))["members"]) == FOLLOWERS + 1
    await first[0].ask("leaveGroup")
    joined = await join(last, group)
    assert joined["id"] == group["id"] and len(joined["members"]) == FOLLOWERS + 1
    await eve.ask("leaveGroup")
    await asyncio.gather(*(ended(one, group) for one in followers[1:]))
