"""Profiles: one's own, others' as they show them, and new names (PRF-1 to PRF-5)."""

import asyncio
import re

import pytest

from accounts import MANY, PASSWORD, guest, person, sign_in, sign_up
from backend import Backend
from cairn import Client, Refused
from test_live_space import refused


@pytest.fixture
def world(start):
    return start(accounts__open="false", **MANY)


async def test_ones_own_profile_has_everything_but_the_password(world):
    ada = await sign_up(world, "ada")
    own = await ada.ask("getProfile")
    assert (own["username"], own["email"], own["hasPassword"]) == ("ada", "ada@example.org", True)
    assert int(own["passwordChanged"]) > 0 and int(own["created"]) > 0 and own["visibleTo"] == "friends"
    assert not own.get("emailVerified") and PASSWORD not in str(own)
    await refused("not_signed_in", (await guest(world)).ask("getProfile"))


async def test_an_edit_changes_all_or_nothing_and_lasts(start):
    server = start(accounts__open="false", **MANY)
    ada = await sign_up(server, "ada")
    fields = {
        "status": "Busy 🌍", "bio": "Countess.\nWrites programs.", "firstName": "Ada", "lastName": "Lovelace",
        "birthDate": "12/10/1990", "visibleTo": "everyone",
    }  # fmt: skip
    edited = await ada.ask("editProfile", fields)
    assert {name: edited[name] for name in fields} == {**fields, "birthDate": "1990-12-10"}
    for wrong, code in [
        ({"status": "x" * 141}, "invalid_field"),
        ({"status": "two\nlines"}, "invalid_field"),
        ({"bio": "x" * 501}, "invalid_field"),
        ({"bio": "a\u0000b"}, "invalid_field"),
        ({"firstName": "x" * 65}, "invalid_field"),
        ({"birthDate": "1990-12-10"}, "invalid_date"),
        ({"visibleTo": "friends of friends"}, "invalid_field"),
        ({"username": "a"}, "invalid_username"),
    ]:
        refusal = await refused(code, ada.ask("editProfile", {"bio": "changed", **wrong}))
        assert refusal.details["field"] in (*wrong, "name")
    assert await ada.ask("getProfile") == edited
    server.kill()
    again = await Client.connect(start(accounts__open="false", **MANY), token=ada.welcome["token"])
    assert await again.ask("getProfile") == edited
    await again.ask("editProfile", {"bio": "", "birthDate": ""})
    assert "bio" not in await again.ask("getProfile")


async def test_others_get_what_the_owner_shows_and_nothing_else(world):
    ada, bob = await sign_up(world, "ada"), await sign_up(world, "bob")
    request = {"account": ada.welcome["account"]}
    await refused("profile_hidden", bob.ask("readProfile", request))
    await ada.ask("editProfile", {"status": "Here", "bio": "Countess", "firstName": "Ada", "visibleTo": "everyone"})
    shown = await bob.ask("readProfile", request)
    assert shown == {**request, "username": "ada", "status": "Here", "bio": "Countess"}
    await ada.ask("editProfile", {"visibleTo": "nobody"})
    await refused("profile_hidden", bob.ask("readProfile", request))
    assert (await ada.ask("readProfile", request))["bio"] == "Countess"
    for nobody in ("", "0000000000000", "x" * 13, bob.welcome["session"]):
        await refused("user_not_found", bob.ask("readProfile", {"account": nobody}))
    await refused("not_signed_in", (await guest(world)).ask("readProfile", request))


async def test_a_new_name_reaches_those_who_see_the_person_and_the_old_one_stays_reserved(world, spot):
    ada, bob = await sign_up(world, "ada"), await sign_up(world, "bob")
    await ada.ask("share", {"position": True, "accuracy": 0})
    await ada.stand_at(*spot)
    await bob.stand_at(*spot)
    await bob.until(lambda: bob.person("ada"), "Ada in Bob's view")
    await refused("username_taken", ada.ask("editProfile", {"username": "BOB", "status": "not kept"}))
    assert "status" not in await ada.ask("getProfile")
    # As a keyboard completes it.
    assert (await ada.ask("editProfile", {"username": "Countess "}))["username"] == "Countess"
    await bob.until(lambda: bob.person("Countess") and not bob.person("ada"), "her new name")
    client = await guest(world)
    await refused("username_taken", client.ask("signUp", person("ada", email="other@example.org")))
    await refused("username_taken", bob.ask("editProfile", {"username": "Ada"}))
    assert (await client.ask("signIn", {"login": "countess", "password": PASSWORD}))["name"] == "Countess"
    # Her own, so she may take it back, and write it as she likes.
    assert (await ada.ask("editProfile", {"username": "ADA"}))["username"] == "ADA"
    assert (await ada.ask("editProfile", {"username": "Ada"}))["username"] == "Ada"
    for login in ("Countess", "ada"):
        assert (await sign_in(world, login)).welcome["name"] == "Ada"


async def test_of_two_who_want_one_name_at_once_one_gets_it(world):
    clients = [await sign_up(world, f"person{number}") for number in range(6)]

    async def attempt(client):
        try:
            return (await client.ask("editProfile", {"username": "wanted"}))["username"]
        except Refused as refusal:
            return refusal.code

    outcomes = await asyncio.gather(*map(attempt, clients))
    assert sorted(outcomes) == ["username_taken"] * 5 + ["wanted"]


async def test_an_apps_backend_names_its_people(start, tmp_path):
    backend = Backend(tmp_path)
    server = start(**backend.settings, **MANY, accounts__appAccountsAddWays="true")
    client = await Client.connect(server, token=backend.token("u-1", "Ada"))
    await client.ask("addPassword", {"email": "ada@example.org", "password": PASSWORD})
    for one in (client, await sign_in(server, "ada@example.org")):
        await refused("forbidden", one.ask("editProfile", {"username": "Countess"}))
    edited = await client.ask("editProfile", {"status": "Here"})
    assert (edited["username"], edited["status"]) == ("Ada", "Here")


async def test_an_app_shows_no_name_of_a_password_account_nor_one_like_it(start, tmp_path):
    """A16: there were two "paula" in `find_users`."""
    backend = Backend(tmp_path)
    server = start(**backend.settings, **MANY)
    await sign_up(server, "paula")
    for subject, name in (("u-1", "Paula"), ("u-2", "pau1a")):
        token = backend.token(subject, name)
        shown = (await Client.connect(server, token=token)).welcome["name"]
        assert re.fullmatch(rf"{name}-\d{{5}}", shown)
        assert (await Client.connect(server, token=token)).welcome["name"] == shown


async def test_nobody_takes_the_name_that_an_apps_account_shows_nor_one_like_it(start, tmp_path):
    """A16, the other half: the app's "paula" was there first."""
    backend = Backend(tmp_path)
    server = start(**backend.settings, **MANY)
    for subject, name in (("u-1", "paula"), ("u-2", "paula"), ("u-3", "Rosa")):
        shown = (await Client.connect(server, token=backend.token(subject, name))).welcome["name"]
        assert shown == name, "two people of the app may have one name"
    for name in ("paula", "Paula", "pau1a", "rosa"):
        await refused("username_taken", sign_up(server, name, email=f"x-{name}@example.org"))
    bob = await sign_up(server, "bob")
    await refused("username_taken", bob.ask("editProfile", {"username": "Pau1a"}))
    # A name that the app gives up is free again, and the one that it gives instead is taken.
    await Client.connect(server, token=backend.token("u-3", "Wilma"))
    await refused("username_taken", sign_up(server, "wilma"))
    assert (await sign_up(server, "rosa")).welcome["name"] == "rosa"


async def test_limits_of_characters_are_the_same_in_every_script(start):
    server = start(accounts__open="false", **MANY)
    ada = await sign_up(server, "ada")
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
    for letter in ("हि", "நி", family):
        text = {"status": letter * 140, "bio": letter * 500, "firstName": letter * 20 if letter != family else "Ada"}
        await ada.ask("editProfile", text)
        profile = await ada.ask("getProfile")
        assert {key: profile[key] for key in text} == text
        await refused("invalid_field", ada.ask("editProfile", {"status": letter * 141}))
    # A character may be many code points, but not any number of them.
    await refused("invalid_field", ada.ask("editProfile", {"status": "e" + "\u0301" * 3_000}))
