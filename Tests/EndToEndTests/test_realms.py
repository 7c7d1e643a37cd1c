"""Sub-realms: members, invitations, owners, and what people find (SUB-1 to SUB-8, SUB-11, SUB-12, PRF-11)."""

import pytest

from cairn import Client, pose
from test_friends import befriend, names, of, people
from test_live_space import refused
from test_shared import NOWHERE, SPOT, create, join, members, realms, select, stand


@pytest.fixture
def world(start):
    return start(accounts__privacy="everyone")


async def test_a_sub_realm_is_made_with_friends_who_are_members_at_once(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    await befriend(ada, bob)
    made = await ada.ask(
        "createRealm", {"name": "Garden", "description": "Ours", "friends": [bob.welcome["account"]]}
    )
    assert (made["standing"], made["members"], made["version"], made["description"]) == ("owner", 2, 1, "Ours")
    assert await realms(ada) == {"Garden": "owner"} and await realms(bob) == {"Garden": "member"}
    assert await realms(eve) == {}
    assert sorted(await members(bob, made["id"])) == ["Ada", "Bob"]


async def test_making_one_is_all_or_nothing(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    await befriend(ada, bob)
    for body, code, field in [
        ({}, "missing_field", "name"),
        ({"name": "  "}, "missing_field", "name"),
        ({"name": "x" * 51}, "invalid_field", "name"),
        ({"name": "two\nlines"}, "invalid_field", "name"),
        ({"name": "Garden", "description": "x" * 501}, "invalid_field", "description"),
    ]:
        assert (await refused(code, ada.ask("createRealm", body))).details["field"] == field
    body = {"name": "Garden", "friends": [bob.welcome["account"], eve.welcome["account"]]}
    assert (await refused("not_friends", ada.ask("createRealm", body))).details == {"account": eve.welcome["account"]}
    assert await realms(ada) == {} and await realms(bob) == {}


async def test_the_same_key_makes_one(world):
    (ada,) = await people(world, "Ada")
    # As a keyboard completes it.
    first = await ada.ask("createRealm", {"name": "Garden "}, key="one")
    assert first["name"] == "Garden"
    assert await ada.ask("createRealm", {"name": "Garden "}, key="one") == first
    assert len((await ada.ask("listRealms"))["realms"]) == 1


async def test_limits_of_members_and_sub_realms(start):
    server = start(realms__membersMax=2, realms__perPersonMax=2)
    ada, bob, eve = await people(server, "Ada", "Bob", "Eve")
    await befriend(ada, bob)
    await befriend(ada, eve)
    body = {"name": "Garden", "friends": [bob.welcome["account"], eve.welcome["account"]]}
    await refused("too_many_members", ada.ask("createRealm", body))
    garden = await create(ada, bob)
    await refused("too_many_members", ada.ask("addMember", {"realm": garden, **of(eve)}))
    await create(ada, name="Second")
    await refused("limit_reached", ada.ask("createRealm", {"name": "Third"}))


async def test_a_long_list_of_sub_realms_comes_in_pages_and_invitations_move_none_of_it(start):
    server = start(accounts__privacy="everyone", realms__descriptionCharactersMax=5_000)
    ada, bob = await people(server, "Ada", "Bob")
    long = {"description": "x" * 5_000}
    own = {(await ada.ask("createRealm", {"name": f"Own {n}", **long}))["id"] for n in range(14)}
    invited = (await bob.ask("createRealm", {"name": "A first one", **long}))["id"]
    await bob.ask("invite", {"realm": invited, **of(ada)})
    pages, body = [], {}
    while not pages or body["cursor"]:
        page = await ada.ask("listRealms", body)
        pages.append(page["realms"])
        body = {"cursor": page.get("next", "")}
    assert len(pages) == 2
    for page in pages:
        assert sum(len(one["description"]) for one in page) <= 65_536
        assert [one["name"] for one in page] == sorted(one["name"] for one in page)
    assert {one["id"] for one in pages[0]} < own
    found = [one["id"] for page in pages for one in page]
    assert len(found) == 15 and set(found) == own | {invited}
    assert (await refused("invalid_field", ada.ask("listRealms", {"cursor": "1:x"}))).details == {"field": "cursor"}


async def test_an_invited_person_accepts_or_declines(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    garden = await create(ada)
    await refused("invite_not_found", bob.ask("answerInvitation", {"realm": garden, "accept": True}))
    await ada.ask("invite", {"realm": garden, **of(bob)})
    assert await realms(bob) == {"Garden": "invited"}
    assert (await bob.ask("answerInvitation", {"realm": garden, "accept": True}))["standing"] == "member"
    await refused("already_member", ada.ask("invite", {"realm": garden, **of(bob)}))
    await refused("invite_not_found", bob.ask("answerInvitation", {"realm": garden, "accept": True}))
    # Any member may invite, anybody.
    await bob.ask("invite", {"realm": garden, **of(eve)})
    await eve.ask("answerInvitation", {"realm": garden})
    assert await realms(eve) == {} and await members(ada, garden) == ["Ada", "Bob"]
    await refused("user_not_found", ada.ask("invite", {"realm": garden, "account": NOWHERE}))


async def test_the_owner_approves_those_who_accept(world):
    ada, bob, eve, dan = await people(world, "Ada", "Bob", "Eve", "Dan")
    await befriend(bob, dan)
    garden = await create(ada, approval=True)
    for person in (bob, eve):
        await ada.ask("invite", {"realm": garden, **of(person)})
        answer = await person.ask("answerInvitation", {"realm": garden, "accept": True})
        assert answer["standing"] == "pending" and "members" not in answer
        for kind, body in {
            "selectRealm": {}, "listMembers": {}, "joinRealm": {}, "addMember": of(ada),
            "answerInvitation": {"accept": True}, "takeOut": {"instance": NOWHERE, "cell": await stand(person)},
            "place": {"object": "preset:heart", "pose": pose(*SPOT), "realms": [garden]},
        }.items():  # fmt: skip
            await refused("join_pending", person.ask(kind, body if kind == "place" else {"realm": garden, **body}))
    pending = (await ada.ask("listMembers", {"realm": garden}))["pending"]
    assert sorted(names(pending)) == ["Bob", "Eve"]
    await ada.ask("answerJoin", {"realm": garden, **of(bob), "approve": True})
    await ada.ask("answerJoin", {"realm": garden, **of(eve)})
    await select(bob, garden)
    assert await realms(bob) == {"Garden": "member"} and await realms(eve) == {}
    await refused("request_not_found", ada.ask("answerJoin", {"realm": garden, **of(eve), "approve": True}))
    await refused("forbidden", bob.ask("answerJoin", {"realm": garden, **of(eve), "approve": True}))
    # Whom a member adds waits for the owner, too.
    for _ in range(2):
        assert (await bob.ask("addMember", {"realm": garden, **of(dan)}))["members"] == 2
    assert await realms(dan) == {"Garden": "pending"}
    await dan.ask("leaveRealm", {"realm": garden})
    assert await realms(dan) == {}
    await bob.ask("addMember", {"realm": garden, **of(dan)})
    assert names((await ada.ask("listMembers", {"realm": garden}))["pending"]) == ["Dan"]
    await ada.ask("answerJoin", {"realm": garden, **of(dan), "approve": True})
    assert await realms(dan) == {"Garden": "member"}


async def test_an_open_one_is_found_and_joined(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    garden = await create(ada, name="Garden", description="Ours", open=True)
    closed = await create(ada, name="Gardeners")
    strict = await create(ada, name="GARDEN club", open=True, approval=True)
    found = (await bob.ask("findRealms", {"prefix": " gard "}))["realms"]
    assert [realm["name"] for realm in found] == ["Garden", "GARDEN club"]
    assert found[0] == {"id": garden, "name": "Garden", "description": "Ours"}, "it shows a stranger more"
    assert (await bob.ask("joinRealm", {"realm": garden}))["standing"] == "member"
    await refused("already_member", bob.ask("joinRealm", {"realm": garden}))
    assert (await bob.ask("joinRealm", {"realm": strict}))["standing"] == "pending"
    await refused("join_pending", bob.ask("joinRealm", {"realm": strict}))
    for realm in (closed, NOWHERE):
        await refused("not_found", eve.ask("joinRealm", {"realm": realm}))
    await refused("missing_field", eve.ask("findRealms", {}))
    # Only its owner changes whether it is open.
    await refused("forbidden", bob.ask("editRealm", {"realm": garden, "open": False}))
    await ada.ask("editRealm", {"realm": garden, "open": False})
    assert [realm["name"] for realm in (await eve.ask("findRealms", {"prefix": "gard"}))["realms"]] == ["GARDEN club"]
    await refused("not_found", eve.ask("joinRealm", {"realm": garden}))


async def test_members_add_and_remove_friends_and_the_owner_anybody(world):
    ada, bob, eve, dan = await people(world, "Ada", "Bob", "Eve", "Dan")
    await befriend(ada, bob)
    await befriend(bob, eve)
    garden = await create(ada, bob)
    await refused("not_friends", ada.ask("addMember", {"realm": garden, **of(eve)}))
    await bob.ask("addMember", {"realm": garden, **of(eve)})
    await refused("already_member", bob.ask("addMember", {"realm": garden, **of(eve)}))
    await join(garden, ada, dan)
    await refused("forbidden", dan.ask("removeMember", {"realm": garden, **of(eve)}))
    await refused("forbidden", bob.ask("removeMember", {"realm": garden, **of(ada)}))
    await bob.ask("removeMember", {"realm": garden, **of(eve)})
    await refused("not_member", bob.ask("removeMember", {"realm": garden, **of(eve)}))
    await ada.ask("removeMember", {"realm": garden, **of(dan)})
    assert await members(ada, garden) == ["Ada", "Bob"]


async def test_the_longest_standing_member_follows_an_owner_who_leaves(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    garden = await create(ada)
    await join(garden, ada, bob)
    await join(garden, ada, eve)
    await ada.ask("leaveRealm", {"realm": garden})
    assert await realms(ada) == {} and await realms(bob) == {"Garden": "owner"}
    await refused("not_found", ada.ask("leaveRealm", {"realm": garden}))
    await bob.ask("leaveRealm", {"realm": garden})
    await eve.ask("leaveRealm", {"realm": garden})
    assert await realms(eve) == {}
    await refused("not_found", eve.ask("listMembers", {"realm": garden}))


async def test_edits_are_the_owners_and_reach_members(world):
    ada, bob = await people(world, "Ada", "Bob")
    garden = await create(ada)
    await join(garden, ada, bob)
    await refused("forbidden", bob.ask("editRealm", {"realm": garden, "name": "Mine"}))
    await refused("missing_field", ada.ask("editRealm", {"realm": garden, "name": ""}))
    edited = await ada.ask("editRealm", {"realm": garden, "name": " Park"})
    assert edited["name"] == "Park" and edited["version"] == 2

    def told():
        return [event for event in bob.events("realmChanged") if event[2].get("settings")]

    changed = (await bob.until(told, "event of the edit"))[0][2]
    assert changed == {"realm": garden, "version": 2, "settings": True}
    assert await realms(bob) == {"Park": "member"}


async def test_members_see_that_members_have_changed(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    garden = await create(ada)
    await join(garden, ada, bob)
    before = len(bob.events("realmChanged"))
    await join(garden, ada, eve)
    event = (await bob.until(lambda: bob.events("realmChanged")[before:], "event"))[0][2]
    assert event == {"realm": garden, "version": 1, "members": True}
    assert await members(bob, garden) == ["Ada", "Bob", "Eve"]


async def test_members_outlive_a_kill(start):
    server = start()
    ada, bob, eve = await people(server, "Ada", "Bob", "Eve")
    garden = await create(ada, description="Ours", approval=True)
    await ada.ask("invite", {"realm": garden, **of(bob)})
    await bob.ask("answerInvitation", {"realm": garden, "accept": True})
    await ada.ask("answerJoin", {"realm": garden, **of(bob), "approve": True})
    await ada.ask("invite", {"realm": garden, **of(eve)})
    server.kill()
    ada, bob, eve = await people(start(), "Ada", "Bob", "Eve")
    assert await members(ada, garden) == ["Ada", "Bob"]
    await select(bob, garden)
    assert await realms(eve) == {"Garden": "invited"}


async def test_an_invitation_that_a_block_made_void_is_in_nobodys_way(world):
    ada, bob, cat, dan = await people(world, "Ada", "Bob", "Cat", "Dan")
    await befriend(ada, cat)
    garden = await create(ada, cat)
    for invited in (bob, dan):
        await ada.ask("invite", {"realm": garden, **of(invited)})
        await invited.ask("block", of(ada))
        assert await realms(invited) == {}
    # Another member's invitation.
    await cat.ask("invite", {"realm": garden, **of(bob)})
    assert await realms(bob) == {"Garden": "invited"}
    assert (await bob.ask("answerInvitation", {"realm": garden, "accept": True}))["standing"] == "member"
    # The same member's, when the block is over.
    await dan.ask("unblock", of(ada))
    assert await realms(dan) == {}
    await ada.ask("invite", {"realm": garden, **of(dan)})
    assert await realms(dan) == {"Garden": "invited"}
    assert (await dan.ask("answerInvitation", {"realm": garden, "accept": True}))["standing"] == "member"


async def test_a_name_is_counted_in_characters_and_can_be_seen(world):
    (ada,) = await people(world, "Ada")
    for name in ("हि" * 50, "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 50, "بستان\u200cها"):
        await create(ada, name=name)
        assert name in await realms(ada)
    for name in ("\u200b", " \u2060\ufeff", "\u202a\u202c"):
        await refused("missing_field", ada.ask("createRealm", {"name": name}))
    for name in ("Gar\u202eden", "x" * 51, "e" + "\u0301" * 1000):
        await refused("invalid_field", ada.ask("createRealm", {"name": name}))
