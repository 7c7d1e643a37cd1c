"""Sign-in by an app's own backend: JSON Web Tokens (ACC-12)."""

import signal
import stat
import time

import pytest

from backend import Backend
from cairn import Client, Refused, eventually, pose
from operators import Desk
from server import run
from test_live_space import refused


@pytest.fixture
def backend(tmp_path):
    return Backend(tmp_path)


def said(client):
    """The codes that the client got about the end of its sign-in."""
    return [item["signedOut"]["code"] for item in client.items if "signedOut" in item]


async def test_a_token_of_the_backend_signs_in_where_no_name_does(start, backend, spot):
    server = start(**backend.settings)
    stranger = await Client.connect(server, "Ada")
    assert stranger.welcome["role"] == "guest"
    issued = int(time.time())
    token = backend.token("u-1", "Ada", issued=issued, seconds=3600)
    ada = await Client.connect(server, token=token)
    welcome = ada.welcome
    assert (welcome["role"], welcome["name"], welcome["token"]) == ("general", "Ada", token)
    assert int(welcome["expires"]) == (issued + 3600) * 1000
    await ada.stand_at(*spot)
    assert (await ada.place(pose(*spot)))["version"] == 1


async def test_issuer_and_subject_are_the_account_and_the_name_may_change(start, backend):
    server = start(**backend.settings)
    first = await Client.connect(server, token=backend.token("u-1", "Ada"))
    other = await Client.connect(server, token=backend.token("u-2", "Ada"))
    assert other.welcome["account"] != first.welcome["account"]
    server.kill()
    server = start(**backend.settings)
    again = await Client.connect(server, token=backend.token("u-1", "Countess"))
    assert again.welcome["account"] == first.welcome["account"]
    assert again.welcome["name"] == "Countess"
    # What people are called, as OpenID Connect has it, is no name; one is made of it, and stays.
    for subject, written, shown in [("u-3", "Ada Lovelace", "ada.lovelace"), ("u-4", "Ada O'Hara 🦊", "ada.o.hara")]:
        for _ in range(2):
            named = await Client.connect(server, token=backend.token(subject, written))
            assert named.welcome["name"] == shown
    names = [(await Client.connect(server, token=backend.token("u-5", "🦊"))).welcome["name"] for _ in range(2)]
    assert names[0] == names[1] and names[0].startswith("user-")


async def test_an_organisation_has_its_role_and_nobody_is_admin(start, backend):
    server = start(**backend.settings)
    museum = await Client.connect(server, token=backend.token("m-1", "Museum", org="City museum", role="admin"))
    assert museum.welcome["role"] == "organisation"
    nobody = await Client.connect(server, token=backend.token("m-2", "Mallory", role="admin"))
    assert nobody.welcome["role"] == "general"


async def test_a_bad_token_is_refused_with_its_reason_and_a_good_one_goes_on(start, backend, tmp_path):
    server = start(**backend.settings)
    client = await Client.connect(server, hello=False)
    hello = {"version": 1, "frontEnd": "bot"}
    stranger, signed = Backend(tmp_path, name="stranger"), backend.token("u-1")
    for token, reason in [
        (stranger.token("u-1"), "signature"),
        # A byte in the middle is altered, because the last byte of Ed25519 is 0 in one signature of sixteen.
        (signed[:-40] + ("B" if signed[-40] == "A" else "A") + signed[-39:], "signature"),
        ("a.b.c", "malformed"),
        (backend.token("u-1", aud="another"), "audience"),
        (backend.token("u-1", 7), "name"),
    ]:
        refusal = await refused("token_invalid", client.ask("hello", {**hello, "token": token}))
        assert refusal.details == {"reason": reason}
    welcome = await client.ask("hello", {**hello, "token": backend.token("u-1", seconds=-5)})
    assert welcome["role"] == "guest" and welcome["tokenExpired"] is True


async def test_at_expiry_the_connection_is_a_guests_and_stays_open(start, backend, spot):
    server = start(**backend.settings)
    ada = await Client.connect(server, token=backend.token("u-1", "Ada", seconds=2), sharePosition=True)
    eve = await Client.connect(server, token=backend.token("u-2", "Eve"))
    await eve.stand_at(*spot)
    await ada.stand_at(*spot)
    await eve.until(lambda: eve.person("Ada"), "Ada")
    await ada.until(lambda: said(ada) == ["token_expired"], "the end of the sign-in")
    await eve.until(lambda: not eve.person("Ada"), "Ada's leaving")
    await refused("not_signed_in", ada.place(pose(*spot)))


async def test_a_newer_token_keeps_the_connection_signed_in(start, backend, spot):
    server = start(**backend.settings)
    ada = await Client.connect(server, token=backend.token("u-1", "Ada", seconds=3))
    eve = await Client.connect(server, token=backend.token("u-2", "Eve", seconds=3))
    refusal = await refused("token_invalid", ada.ask("refresh", {"token": backend.token("u-3")}))
    assert refusal.details == {"reason": "account"}
    await refused("token_expired", ada.ask("refresh", {"token": backend.token("u-1", "Ada", seconds=-1)}))
    refreshed = await ada.ask("refresh", {"token": backend.token("u-1", "Ada", seconds=600)})
    assert int(refreshed["expires"]) > (time.time() + 500) * 1000
    await eve.until(lambda: said(eve), "the end of the one that was not refreshed")
    await ada.stand_at(*spot)
    assert said(ada) == []


async def test_a_suspended_account_is_kept_out_whatever_its_backend_signs(start, backend):
    server = start(**backend.settings)
    token = backend.token("u-1", "Mallory")
    mallory = await Client.connect(server, token=token)
    bystander = await Client.connect(server, token=backend.token("u-2", "Ada"))
    account = mallory.welcome["account"]
    async with await Desk.open(server) as desk:
        assert await desk.ask(f"ban {account} Shouting at people") == {"account": account, "closed": 1}
    assert (await mallory.until_ended())[0] == 4200 and mallory.closing["code"] == "account_suspended"
    await bystander.ask("refresh", {"token": backend.token("u-2", "Ada", seconds=600)})
    server.stop()

    server = start(**backend.settings)
    for shown in (token, backend.token("u-1", "Renamed", seconds=7200)):
        refusal = await refused("account_suspended", Client.connect(server, token=shown))
        assert "Shouting at people" in str(refusal)
    assert (await Client.connect(server, token=backend.token("u-2", "Ada"))).welcome["role"] == "general"
    async with await Desk.open(server) as desk:
        assert await desk.ask(f"unban {account}") == {"reinstated": account}
    assert (await Client.connect(server, token=token)).welcome["account"] == account


async def test_only_who_came_with_such_a_token_may_refresh(start, backend):
    server = start(**{**backend.settings, "accounts__open": "true"})
    ada = await Client.connect(server, "Ada")
    await refused("forbidden", ada.ask("refresh", {"token": backend.token("u-1")}))
    namesake = await Client.connect(server, token=backend.token("u-1", "Ada"))
    assert namesake.welcome["account"] != ada.welcome["account"]


async def test_signing_out_everywhere_ends_older_tokens_and_what_they_opened(start, backend):
    server = start(**backend.settings, listen__signInsPerMinutePerAccount=2)
    now = time.time()
    old = backend.token("u-1", "Ada", issued=now - 100)
    phone = await Client.connect(server, token=old)
    bystander = await Client.connect(server, token=backend.token("u-2", "Eve", issued=now - 100))
    # A thief who has used up the sign-ins of the minute stops no revocation.
    await refused("rate_limited", Client.connect(server, token=backend.token("u-1", "Ada", revoked_before=now - 50)))
    await phone.until(lambda: said(phone) == ["token_invalid"], "the end of the older sign-in")
    await bystander.ask("refresh", {"token": backend.token("u-2", "Eve", revoked_before=now - 50)})
    await bystander.ask("getSettings", {})
    assert said(bystander) == []
    server.kill()
    server = start(**backend.settings)
    with pytest.raises(Refused) as caught:
        await Client.connect(server, token=old)
    assert caught.value.details == {"reason": "revoked"}


async def test_a_token_that_was_signed_out_is_dead_for_good(start, backend):
    server = start(**backend.settings)
    token = backend.token("u-1", "Ada")
    ada = await Client.connect(server, token=token)
    await ada.ask("signOut", {})
    server.kill()
    server = start(**backend.settings)
    with pytest.raises(Refused) as caught:
        await Client.connect(server, token=token)
    assert caught.value.details == {"reason": "revoked"}
    assert (await Client.connect(server, token=backend.token("u-1", "Ada", jti="2"))).welcome["role"] == "general"


async def test_keys_are_read_again_and_a_bad_file_leaves_the_old_ones(start, backend, tmp_path):
    server = start(**backend.settings)
    newer = Backend(tmp_path, name="newer")
    newer.publish(backend.public)
    await reload(server, newer.token("u-1"))
    with pytest.raises(Refused):
        await Client.connect(server, token=backend.token("u-1"))
    backend.public.write_text("no key at all\n")
    server.process.send_signal(signal.SIGHUP)
    await Client.connect(server, token=newer.token("u-1"))
    server.logged("the keys of app tokens cannot be read again")
    await Client.connect(server, token=newer.token("u-2"))


async def test_the_command_signs_tokens_for_trials(start, tmp_path):
    command = ["admin", "token", "Ada", "--set", f"storage.keyFile={tmp_path / 'data.key'}"]
    made = run(*command)
    assert made.returncode == 0, made.stderr
    key = tmp_path / "trial-sign-in.pem"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    settings = tmp_path / "trial.yaml"
    settings.write_text(made.stderr[made.stderr.index("appTokens:") :] + "accounts:\n  open: false\n")
    server = start("--config", str(settings))
    ada = await Client.connect(server, token=made.stdout.strip())
    assert (ada.welcome["name"], ada.welcome["role"]) == ("Ada", "general")
    again = run(*command, "--config", settings)
    assert again.stderr == ""
    phone = await Client.connect(server, token=again.stdout.strip())
    assert phone.welcome["account"] == ada.welcome["account"]


async def reload(server, token):
    """Sends SIGHUP and tries until the token is accepted: there is no other sign that the server has reloaded."""
    server.process.send_signal(signal.SIGHUP)

    async def is_taken():
        try:
            await Client.connect(server, token=token)
            return True
        except Refused:
            return False

    await eventually(is_taken, lambda: f"the token is still refused: {server.log()[-2000:]}")
