"""Limits of friends, requests, blocks and sub-realms, and what is left when they are off (FRD-2, FRD-7, SUB-1)."""

import pytest

from cairn import Client, Refused, pose
from test_friends import at_once, befriend, friends, of, people
from test_live_space import refused


async def test_limits_hold_for_requests_that_are_sent_at_once(start):
    """FRD-2, FRD-3, FRD-7, SUB-1: each is checked against what the one before it has left."""
    server = start(friends__friendsMax=3, friends__requestsMax=3, friends__blocksMax=3, realms__perPersonMax=3)
    (ada,) = await people(server, "Ada")
    others = await people(server, *(f"Other{number}" for number in range(10)))
    bodies = [of(other) for other in others]
    assert await at_once(ada, "requestFriend", bodies) == (3, {"limit_reached"})
    assert await at_once(ada, "block", bodies) == (3, {"limit_reached"})
    assert len((await ada.ask("listBlocks"))["users"]) == 3
    assert await at_once(ada, "createRealm", [{"name": f"Realm {n}"} for n in range(10)]) == (3, {"limit_reached"})
    (eve,) = await people(server, "Eve")
    for other in others[3:]:
        await other.ask("requestFriend", of(eve))
    answers = [{**body, "accept": True} for body in bodies[3:]]
    assert await at_once(eve, "answerFriendRequest", answers) == (3, {"limit_reached"})
    assert len(await friends(eve)) == 3


async def test_nobody_gets_more_friends_than_the_limit_because_others_accept(start):
    server = start(friends__friendsMax=2)
    ada, bob, cat, dan, eve = await people(server, "Ada", "Bob", "Cat", "Dan", "Eve")
    await dan.ask("requestFriend", of(ada))
    for other in (bob, cat, eve):
        await ada.ask("requestFriend", of(other))
    for other in (bob, cat):
        await other.ask("answerFriendRequest", {**of(ada), "accept": True})
    await refused("limit_reached", eve.ask("answerFriendRequest", {**of(ada), "accept": True}))
    # Asking in turn is an answer, too.
    await refused("limit_reached", eve.ask("requestFriend", of(ada)))
    await refused("limit_reached", ada.ask("answerFriendRequest", {**of(dan), "accept": True}))
    assert await friends(ada) == ["Bob", "Cat"]


async def test_uses_of_an_hour_are_known_after_a_restart(start, tmp_path):
    """FRD-2, SUB-1: as they are after the account has slept."""
    limits = {"friends__requestsPerHour": 3, "friends__blocksPerHour": 2, "realms__joinsPerHour": 1}
    server = start(folder=tmp_path / "world", **limits)
    ada, *others = await people(server, "Ada", *(f"Other{number}" for number in range(5)))
    for other in others[:3]:
        await ada.ask("requestFriend", of(other))
    await ada.ask("block", of(others[4]))
    await ada.ask("unblock", of(others[4]))
    await ada.ask("createRealm", {"name": "Garden"})
    server.stop()
    server = start(folder=tmp_path / "world", **limits)
    ada = await Client.connect(server, "Ada")
    assert (await refused("rate_limited", ada.ask("requestFriend", of(others[3])))).retry_after
    await refused("rate_limited", ada.ask("block", of(others[4])))
    await refused("rate_limited", ada.ask("createRealm", {"name": "Other"}))


async def test_switched_off_friends_and_sub_realms_are_off_for_those_that_exist(start, tmp_path, spot):
    """PRF-5, SUB-1: friends of before see no more than strangers, and nothing of a sub-realm is seen or placed."""
    server = start(folder=tmp_path / "world")
    ada, bob = await people(server, "Ada", "Bob")
    await befriend(ada, bob)
    realm = (await ada.ask("createRealm", {"name": "Club", "friends": [bob.welcome["account"]]}))["id"]
    await ada.stand_at(*spot)
    thing = (await ada.ask("place", {"object": "preset:heart", "pose": pose(*spot), "realms": [realm]}))["instance"]
    server.stop()
    server = start(folder=tmp_path / "world", accounts__friends="false", realms__enabled="false")
    ada, bob = await people(server, "Ada", "Bob")
    await refused("profile_hidden", bob.ask("readProfile", of(ada)))
    await bob.ask("unfriend", of(ada))
    await refused("not_member", bob.ask("selectRealm", {"realm": realm}))
    await bob.view(await bob.stand_at(*spot))
    assert not bob.sees(thing["id"])
    first = await Client.connect(server, "Bob", realm=realm)
    assert first.items[0] == {"realmSelected": {}} or {"realmSelected": {}} in first.items
    await ada.stand_at(*spot)
    with pytest.raises(Refused):
        await ada.ask("place", {"object": "preset:heart", "pose": pose(*spot), "realms": [realm]})
