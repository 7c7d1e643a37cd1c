"""Damaged rows of a person's choices are closed, told to operators, and mended by the person (PRF-5, PRF-8, FRD-7)."""

import sqlite3

import pytest

from cairn import Client
from test_friends import befriend, names, of, people
from test_live_space import refused
from test_settings import settings, values

HIDDEN = {"visibleTo": "nobody", "friendsVisibleTo": "nobody", "interactionsVisibleTo": "nobody"}


@pytest.fixture
def damaged(start, tmp_path):
    """Stops a server, damages rows of a table, and starts it again."""

    def restart(server, table, where="1", **more):
        server.stop()
        with sqlite3.connect(tmp_path / "world/cairn.sqlite") as world:
            changed = world.execute(f"UPDATE {table} SET sealed = zeroblob(90) WHERE {where}").rowcount
        world.close()
        assert changed > 0
        return start(folder=tmp_path / "world", **more)

    return restart


@pytest.fixture
def world(start, tmp_path):
    return lambda **more: start(folder=tmp_path / "world", **more)


async def told(server, table):
    await server.until_figure(f'cairn_store_damaged_table_rows{{table="{table}"}}', 1)


async def test_damaged_settings_share_no_position_until_the_person_saves_some(world, damaged, spot):
    server = world()
    (ada,) = await people(server, "Ada")
    await ada.ask("saveSettings", settings(privacy__sharePosition="off", privacy__accuracy="1000"))
    server = damaged(server, "user_settings")
    ada, bob = await Client.connect(server, "Ada", sharePosition=True), await Client.connect(server, "Bob")
    assert values(ada.welcome)["privacy.sharePosition"] == "off"
    await bob.view(await bob.stand_at(*spot))
    await ada.stand_at(*spot)
    await bob.stand_at(*spot)
    assert bob.person("Ada") is None
    await told(server, "user_settings")
    await ada.ask("saveSettings", settings(privacy__sharePosition="on"))
    # The accuracy stays the coarsest until the person chooses another.
    assert values(await ada.ask("getSettings")) == {
        "privacy.sharePosition": "on", "privacy.accuracy": "1000"}  # fmt: skip
    await ada.ask("saveSettings", settings(privacy__accuracy="exact"))
    await bob.until(lambda: bob.person("Ada"), "Ada")
    server.stop()
    again = await Client.connect(world(), "Ada")
    assert values(again.welcome)["privacy.sharePosition"] == "on"


async def test_a_damaged_profile_shows_nothing_until_the_person_edits_it(world, damaged):
    server = world(accounts__privacy="everyone")
    ada, bob, cat = await people(server, "Ada", "Bob", "Cat")
    await befriend(ada, cat)
    await ada.ask("editProfile", {**HIDDEN, "bio": "Mine"})
    server = damaged(server, "profiles", accounts__privacy="everyone")
    ada, bob = await people(server, "Ada", "Bob")
    await refused("profile_hidden", bob.ask("readProfile", of(ada)))
    await refused("profile_hidden", bob.ask("listFriends", of(ada)))
    await told(server, "profiles")
    assert (await ada.ask("getProfile"))["visibleTo"] == "nobody"
    await ada.ask("editProfile", {"visibleTo": "everyone", "bio": "Anew"})
    assert (await bob.ask("readProfile", of(ada)))["bio"] == "Anew"
    await refused("profile_hidden", bob.ask("listFriends", of(ada)))
    server.stop()
    ada, bob = await people(world(accounts__privacy="everyone"), "Ada", "Bob")
    assert (await bob.ask("readProfile", of(ada)))["bio"] == "Anew"
    assert (await ada.ask("getProfile"))["friendsVisibleTo"] == "nobody"


async def test_any_edit_mends_a_damaged_profile(world, damaged):
    server = world(accounts__privacy="everyone")
    (ada,) = await people(server, "Ada")
    await ada.ask("editProfile", HIDDEN)
    server = damaged(server, "profiles", accounts__privacy="everyone")
    (ada,) = await people(server, "Ada")
    await ada.ask("editProfile", {"visibleTo": "nobody"})
    server.stop()
    server = world(accounts__privacy="everyone")
    await people(server, "Ada")
    assert (await server.figures()).get('cairn_store_damaged_table_rows{table="profiles"}', 0) == 0


async def test_a_damaged_relation_is_a_block_until_both_have_ended_it(world, damaged, spot):
    server = world()
    ada, bob = await people(server, "Ada", "Bob")
    await ada.ask("block", of(bob))
    server = damaged(server, "relations")
    ada, bob = await people(server, "Ada", "Bob")
    await told(server, "relations")
    for one, other in ((ada, bob), (bob, ada)):
        await refused("user_not_found", one.ask("readProfile", of(other)))
        await refused("user_not_found", one.ask("requestFriend", of(other)))
        assert (await one.ask("findUsers", {"prefix": other.welcome["name"]})).get("users", []) == []
        assert names((await one.ask("listBlocks"))["users"]) == [other.welcome["name"]]
    await ada.ask("unblock", of(bob))
    await refused("user_not_found", ada.ask("requestFriend", of(bob)))
    await bob.ask("unblock", of(ada))
    await befriend(ada, bob)
    assert names((await ada.ask("listFriends"))["friends"]) == ["Bob"]


async def test_a_damaged_membership_is_none_in_every_list_and_gives_way_to_the_next(world, damaged):
    server = world()
    ada, cat = await people(server, "Ada", "Cat")
    await befriend(ada, cat)
    realm = (await ada.ask("createRealm", {"name": "Club", "friends": [cat.welcome["account"]]}))["id"]
    server = damaged(server, "realm_members", "account = (SELECT max(account) FROM realm_members)")
    ada, cat = await people(server, "Ada", "Cat")
    assert names([one["user"] for one in (await ada.ask("listMembers", {"realm": realm}))["members"]]) == ["Ada"]
    assert (await cat.ask("listRealms")).get("realms", []) == []
    await told(server, "realm_members")
    await ada.ask("addMember", {"realm": realm, **of(cat)})
    assert [one["standing"] for one in (await cat.ask("listRealms"))["realms"]] == ["member"]
