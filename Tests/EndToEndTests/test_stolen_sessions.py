"""What a session in the wrong hands can do, and who hears of its end (ACC-4, ACC-6, ACC-13)."""

import socket

import pytest

from accounts import MANY, PASSWORD, sign_in, sign_up
from backend import Backend
from cairn import Client, Refused
from test_live_space import refused


@pytest.fixture
def world(start):
    """A server without open sign-in."""
    return start(accounts__open="false", **MANY)


async def test_guesses_of_a_stolen_session_count_whatever_token_it_gets(start):
    """Signing the other devices out gives a new token, and no new guesses."""
    server = start(accounts__open="false", accounts__failuresMax=5, **MANY)
    thief = await sign_up(server, "ada")
    codes = []
    while "too_many_attempts" not in codes:
        with pytest.raises(Refused) as refusal:
            await thief.ask("changePassword", {"current": f"Guess-{len(codes)}-x", "password": PASSWORD + "1"})
        codes.append(refusal.value.code)
        await thief.ask("endDevice", {"others": True})
        assert len(codes) <= 6, codes
    assert codes == ["invalid_credentials"] * 5 + ["too_many_attempts"]
    # One of another device of the account is one more.
    other = await sign_in(server, "ada")
    await refused("too_many_attempts", other.ask("beginCodes", {"password": "Guess-9-x"}))


async def test_whoever_shares_a_token_is_told_when_it_ends(world):
    ada = await sign_up(world, "ada")
    other = await Client.connect(world, token=ada.welcome["token"])
    await ada.ask("signOut")
    told = await other.until(lambda: [item for item in other.items if "signedOut" in item], "signed out")
    assert told[0]["signedOut"]["code"] == "token_invalid"
    assert not [item for item in ada.items if "signedOut" in item]


@pytest.mark.parametrize("kind, body", [
    ("changePassword", {"current": PASSWORD, "password": "New-Horse-7777"}), ("endDevice", {"others": True}),
])  # fmt: skip
async def test_whoever_is_connected_by_the_same_token_is_signed_out_with_all_others(world, kind, body):
    """A thief with the owner's own token stayed signed in on the connection that was open."""
    ada = await sign_up(world, "ada")
    thief = await Client.connect(world, token=ada.welcome["token"])
    await ada.ask(kind, body)
    # Before the answer: nothing of the thief's is done any more.
    await refused("not_signed_in", thief.ask("getProfile"))
    told = await thief.until(lambda: [item for item in thief.items if "signedOut" in item], "signed out")
    assert told[0]["signedOut"]["code"] == "token_invalid"
    assert not [item for item in ada.items if "signedOut" in item]
    await ada.ask("getProfile")


async def test_guesses_from_elsewhere_keep_nobody_from_a_proof(start):
    """With a stolen token somebody sent wrong passwords, and the owner's right one was too many for 15 minutes."""
    server = start(accounts__open="false", accounts__failuresMax=5, **MANY)
    ada = await sign_up(server, "ada")
    link = socket.create_connection(("127.0.0.1", server.port), source_address=("127.0.0.2", 0))
    link.setblocking(False)
    thief = await Client.connect(server, token=ada.welcome["token"], sock=link)
    for number in range(5):
        await refused("invalid_credentials", thief.ask("prove", {"password": f"Guess-{number}-x"}))
    await refused("too_many_attempts", thief.ask("prove", {"password": PASSWORD}))
    await ada.ask("prove", {"password": PASSWORD})
    await ada.ask("changePassword", {"current": PASSWORD, "password": "New-Horse-7777"})


@pytest.mark.parametrize("kind", ["sign_in_changed", "new_device"])
async def test_warnings_are_not_switched_off_by_a_token_alone(world, kind):
    """A stolen session could have made every later change of its thief silent on the devices."""
    ada = await sign_up(world, "ada")
    thief = await Client.connect(world, token=ada.welcome["token"])
    off = {"key": f"notifications.{kind}", "value": "off"}
    others = {"key": "display.theme", "value": "dark"}
    await refused("proof_required", thief.ask("saveSettings", {"settings": [others, off]}))
    assert not (await ada.ask("getSettings")).get("settings"), "nothing of it is saved"
    # Of a batch of queued changes, which stop no other, the warning alone stays as it is.
    queued = [{**edit, "edited": "1700000000000"} for edit in (off, others)]
    await refused("proof_required", thief.ask("saveSettings", {"settings": queued[:1]}))
    saved = (await thief.ask("saveSettings", {"settings": queued}))["settings"]
    assert [(edit["key"], edit["value"]) for edit in saved] == [("display.theme", "dark")]
    assert (await ada.ask("getSettings"))["settings"] == saved
    # Other kinds are a matter of taste, and so are warnings that are switched on.
    await thief.ask("saveSettings", {"settings": [{"key": "notifications.friend_request", "value": "off"}]})
    await thief.ask("saveSettings", {"settings": [{**off, "value": "on"}]})
    await thief.ask("prove", {"password": PASSWORD})
    await thief.ask("saveSettings", {"settings": [off]})
    # A device that brings its settings again changes nothing, and needs no proof.
    again = await Client.connect(world, token=ada.welcome["token"])
    await again.ask("saveSettings", {"settings": [off]})


async def test_an_apps_token_does_not_switch_warnings_off(start, tmp_path):
    backend = Backend(tmp_path)
    server = start(**backend.settings, **MANY)
    client = await Client.connect(server, token=backend.token("u-1", "Ada"))
    off = {"key": "notifications.sign_in_changed", "value": "off"}
    refusal = await refused("proof_required", client.ask("saveSettings", {"settings": [off]}))
    assert refusal.details["reason"] == "app_account"
