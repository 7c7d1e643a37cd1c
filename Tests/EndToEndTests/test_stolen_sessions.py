"""What a session in the wrong hands can do, and who hears of its end (ACC-4, ACC-6, ACC-13)."""

import pytest

from accounts import MANY, PASSWORD, sign_in, sign_up
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
