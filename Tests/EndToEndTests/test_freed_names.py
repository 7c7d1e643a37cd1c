"""Names that are given up: whose they stay, whom they sign in, and what brings them back (PRF-2, ACC-13); and names
that are looked for by renaming (FRD-1)."""

import pytest

from accounts import MANY, PASSWORD, Mailbox, guest, person, sign_in, sign_up
from cairn import Client
from test_live_space import refused
from test_recovery import verified


@pytest.fixture
def world(start):
    """A server without open sign-in."""
    return start(accounts__open="false", **MANY)


async def test_what_looks_like_a_freed_name_is_not_free_either(world):
    """PRF-2: after a new name and after a deletion."""
    bill, carol = await sign_up(world, "bill.o0"), await sign_up(world, "carol.lo")
    await bill.ask("editProfile", {"username": "somebody.else"})
    await carol.ask("deleteAccount", {"password": PASSWORD})
    client = await guest(world)
    for number, name in enumerate(("bill.o0", "biII.o0", "carol.lo", "caroI.Io")):
        body = {**person(f"alike{number}"), "username": name}
        await refused("username_taken", client.ask("signUp", body))
    # Its former owner may have it back.
    await bill.ask("editProfile", {"username": "biII.o0"})


async def test_names_are_not_found_by_renaming(start):
    """FRD-1: a new name counts as a search, whether it is taken or not."""
    server = start(accounts__open="false", accounts__searchesPerMinute=3, **MANY)
    ada, _ = await sign_up(server, "ada"), await sign_up(server, "bob")
    await ada.ask("editProfile", {"username": "countess"})
    for _ in range(2):
        await refused("username_taken", ada.ask("editProfile", {"username": "bob"}))
    assert (await refused("rate_limited", ada.ask("editProfile", {"username": "bob"}))).retry_after
    await refused("rate_limited", ada.ask("findUsers", {"prefix": "bob"}))
    await ada.ask("editProfile", {"username": "countess", "bio": "The same name is none."})


async def test_a_token_alone_changes_no_name_that_signs_in(world):
    """ACC-13: a thief of a token renamed the account, and its owner's name and password were wrong."""
    ada = await sign_up(world, "ada")
    thief = await Client.connect(world, token=ada.welcome["token"])
    refusal = await refused("proof_required", thief.ask("editProfile", {"username": "mallory", "bio": "Mine"}))
    assert refusal.details["proofs"] == "password" and not (await ada.ask("getProfile")).get("bio")
    # The same name in other letters, and what is no name, need none.
    assert (await thief.ask("editProfile", {"username": "ADA", "bio": "Me"}))["username"] == "ADA"
    await thief.ask("prove", {"password": PASSWORD})
    await thief.ask("editProfile", {"username": "countess"})


async def test_a_name_alone_is_changed_without_a_proof(start):
    """Of an account of open sign-in, which has nothing that proves."""
    server = start(**MANY)
    ada = await Client.connect(server, "ada")
    again = await Client.connect(server, token=ada.welcome["token"])
    assert (await again.ask("editProfile", {"username": "countess"}))["username"] == "countess"


async def test_a_name_of_before_signs_in_to_its_account_alone(world):
    ada, bob = await sign_up(world, "ada"), await sign_up(world, "bob.o0")
    await ada.ask("editProfile", {"username": "countess"})
    await bob.ask("editProfile", {"username": "somebody.else"})
    for login in ("ada", "Ada", "countess"):
        assert (await sign_in(world, login)).welcome["account"] == ada.welcome["account"]
    # What looks like it is reserved, too, and signs nobody in; nor does the name of an account that is gone.
    await bob.ask("deleteAccount", {"password": PASSWORD})
    for login, password in (("ada", "Wrong-Horse-7"), ("bob.oO", PASSWORD), ("bob.o0", PASSWORD)):
        await refused("invalid_credentials", (await guest(world)).ask(
            "signIn", {"login": login, "password": password}))


async def test_undoing_the_first_of_several_new_names_brings_the_first_name_back(start, tmp_path):
    mailbox = Mailbox(tmp_path / "mail")
    server = start(accounts__open="false", accounts__privacy="everyone", **MANY, **mailbox.settings)
    ada, bob = await verified(server, mailbox, "ada"), await sign_up(server, "bob")
    await ada.ask("editProfile", {"username": "mallory"})
    first = await mailbox.code("ada@example.org", "undo", 2)
    await ada.ask("editProfile", {"username": "Countess"})
    second = await mailbox.code("ada@example.org", "undo", 3)
    await (await guest(server)).ask("undoChange", {"code": first})
    # It takes the second one with it, and the searches of others find the name at once.
    await refused("link_invalid", (await guest(server)).ask("undoChange", {"code": second}))
    found = await bob.ask("findUsers", {"prefix": "ada"})
    assert [one["name"] for one in found["users"]] == ["ada"]
    assert not (await bob.ask("findUsers", {"prefix": "countess"})).get("users")
    assert (await sign_in(server, "ada")).welcome["name"] == "ada"
    await refused("username_taken", bob.ask("editProfile", {"username": "mallory"}))
