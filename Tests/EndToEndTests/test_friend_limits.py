"""Limits of friends, requests, blocks and sub-realms, and what is left when they are off (FRD-2, FRD-7, SUB-1)."""

import asyncio

import pytest

from cairn import Client, Refused, pose
from test_friends import at_once, befriend, friends, of, people
from test_live_space import refused
from test_notifications import elsewhere
from test_shared import NOWHERE, members, realms


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
    """FRD-2, FRD-3: an open request takes the place of a friend, so answers at once add nobody."""
    server = start(friends__friendsMax=3)
    ada, dan, *others = await people(server, "Ada", "Dan", *(f"Other{number}" for number in range(8)))
    await dan.ask("requestFriend", of(ada))
    assert await at_once(ada, "requestFriend", [of(other) for other in others]) == (3, {"limit_reached"})
    await refused("limit_reached", ada.ask("answerFriendRequest", {**of(dan), "accept": True}))
    await refused("limit_reached", ada.ask("requestFriend", of(dan)))
    asked = {entry["user"]["name"] for entry in (await ada.ask("listFriends"))["sent"]}
    first, *rest = [other for other in others if other.name in asked]
    # A request that is rejected makes room.
    await first.ask("answerFriendRequest", of(ada))
    await ada.ask("requestFriend", of(first))
    answer = {**of(ada), "accept": True}
    await asyncio.gather(*(other.ask("answerFriendRequest", answer) for other in (first, *rest)))
    assert len(await friends(ada)) == 3
    await first.ask("unfriend", of(ada))
    await ada.ask("answerFriendRequest", {**of(dan), "accept": True})
    assert "Dan" in await friends(ada)


async def test_a_lower_limit_of_friends_holds_for_requests_of_before(start, tmp_path):
    server = start(folder=tmp_path / "world")
    ada, bob, cat, eve = await people(server, "Ada", "Bob", "Cat", "Eve")
    await befriend(ada, bob)
    await befriend(ada, cat)
    await ada.ask("requestFriend", of(eve))
    server.stop()
    server = start(folder=tmp_path / "world", friends__friendsMax=2)
    (eve,) = await people(server, "Eve")
    await refused("limit_reached", eve.ask("answerFriendRequest", {**of(ada), "accept": True}))
    # Asking in turn is an answer, too.
    await refused("limit_reached", eve.ask("requestFriend", of(ada)))


async def test_nobody_gets_more_sub_realms_than_the_limit_because_owners_approve(start):
    """SUB-1, SUB-3: a sub-realm that has yet to approve the person counts."""
    server = start(realms__perPersonMax=2)
    bob, *owners = await people(server, "Bob", "Ada", "Cat", "Dan")
    rooms = [
        {"realm": (await owner.ask("createRealm", {"name": owner.name, "open": True, "approval": True}))["id"]}
        for owner in owners
    ]
    await owners[1].ask("invite", {**rooms[1], **of(bob)})
    assert (await bob.ask("joinRealm", rooms[0]))["standing"] == "pending"
    assert (await bob.ask("answerInvitation", {**rooms[1], "accept": True}))["standing"] == "pending"
    refusal = await refused("limit_reached", bob.ask("joinRealm", rooms[2]))
    assert refusal.details == {"count": "2", "limit": "2"}
    await refused("limit_reached", bob.ask("createRealm", {"name": "Own"}))
    await refused("join_pending", bob.ask("joinRealm", rooms[0]))
    # A refusal makes room.
    await owners[0].ask("answerJoin", {**rooms[0], **of(bob)})
    await bob.ask("joinRealm", rooms[2])
    for owner, room in zip(owners[1:], rooms[1:]):
        await owner.ask("answerJoin", {**room, **of(bob), "approve": True})
    assert await realms(bob) == {"Cat": "member", "Dan": "member"}


async def test_friend_requests_of_one_address_are_limited(start):
    """FRD-2: ten times as many as one person's, whatever they come to."""
    server = start(friends__requestsPerHour=1)
    ada, *askers = await people(server, "Ada", *(f"Asker{number}" for number in range(11)))
    for asker in askers[:9]:
        await asker.ask("requestFriend", of(ada))
    await refused("user_not_found", askers[9].ask("requestFriend", {"account": NOWHERE}))
    refusal = await refused("rate_limited", askers[10].ask("requestFriend", of(ada)))
    assert refusal.details == {"count": "10", "limit": "10", "period": "hour"} and refusal.retry_after
    other = await Client.connect(server, "Elsewhere", sock=await elsewhere(server))
    await other.ask("requestFriend", of(ada))


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
    (eve,) = await people(server, "Eve")
    for absent in (realm, NOWHERE):
        await refused("not_found", eve.ask("leaveRealm", {"realm": absent}))
    await bob.view(await bob.stand_at(*spot))
    assert not bob.sees(thing["id"])
    first = await Client.connect(server, "Bob", realm=realm)
    assert first.items[0] == {"realmSelected": {}} or {"realmSelected": {}} in first.items
    await ada.stand_at(*spot)
    with pytest.raises(Refused):
        await ada.ask("place", {"object": "preset:heart", "pose": pose(*spot), "realms": [realm]})
    await bob.ask("leaveRealm", {"realm": realm})
    await refused("not_found", bob.ask("leaveRealm", {"realm": realm}))
    server.stop()
    server = start(folder=tmp_path / "world")
    ada, bob = await people(server, "Ada", "Bob")
    assert await realms(bob) == {} and await members(ada, realm) == ["Ada"]
