"""Sign-in with providers' accounts: ID tokens and access tokens (ACC-7, EXT-1, EXT-2).

    CAIRN_INVENTED_PROVIDERS=70000 pytest Tests/EndToEndTests/test_providers.py -s -k invented      long run
"""

import asyncio
import json
import os
import signal
import subprocess
import time

import pytest

from accounts import MANY, PASSWORD, Mailbox, guest, person, sign_up
from backend import encoded
from cairn import Client, Refused, eventually
from test_accounts import one_time_code
from test_live_space import refused
from test_notifications import notified, stranger

#: More than the 65,536 names whose failures are remembered, in the long form: they pushed others' out.
INVENTED = int(os.environ.get("CAIRN_INVENTED_PROVIDERS", "40"))
#: Requests that a connection sends before it reads their answers.
WAVE = 50
UNHURRIED = {
    "connections__messagesPerSecond": 100_000, "connections__messagesBurst": 200_000,
    "connections__bytesPerSecond": 100_000_000, "connections__bytesBurst": 1_000_000_000,
}  # fmt: skip
ISSUER = "https://accounts.google.example"


class Provider:
    """Signs ID tokens with an RSA key of its own, which it publishes as a JWKS file."""

    def __init__(self, folder, kid="k-1"):
        self.folder, self.kid = folder, kid
        self.jwks = folder / "jwks.json"
        self.renew(kid)

    def renew(self, kid):
        """Makes another key and publishes it alone."""
        self.kid, self.key = kid, self.folder / f"{kid}.pem"
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "rsa", "-pkeyopt", "rsa_keygen_bits:2048", "-out", self.key],
            check=True, capture_output=True,
        )  # fmt: skip
        printed = subprocess.run(
            ["openssl", "rsa", "-in", self.key, "-noout", "-modulus"], check=True, capture_output=True, text=True
        ).stdout
        modulus = bytes.fromhex(printed.strip().removeprefix("Modulus="))
        key = {"kty": "RSA", "kid": kid, "alg": "RS256", "use": "sig", "n": encoded(modulus), "e": "AQAB"}
        self.jwks.write_text(json.dumps({"keys": [key]}))

    @property
    def settings(self):
        return {
            "accounts__open": "false", "providers__issuers": f"google {ISSUER}",
            "providers__audiences": "google app-1", "providers__jwksFiles": f"google {self.jwks}",
            "providers__accessTokens": "facebook", **MANY,
        }  # fmt: skip

    def token(self, nonce, subject="g-1", **claims):
        now = int(time.time())
        claims = {
            "iss": ISSUER, "aud": "app-1", "sub": subject, "iat": now, "exp": now + 300, "nonce": nonce,
            "email": f"{subject}@gmail.example", "email_verified": True, "given_name": "Ada",
            "family_name": "Lovelace", **claims,
        }  # fmt: skip
        header = encoded(json.dumps({"alg": "RS256", "kid": self.kid}).encode())
        signed = header + "." + encoded(json.dumps(claims).encode())
        signature = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.key], input=signed.encode(), check=True, capture_output=True
        ).stdout
        return signed + "." + encoded(signature)


@pytest.fixture
def provider(tmp_path):
    return Provider(tmp_path)


async def nonce(client):
    return (await client.ask("getNonce"))["nonce"]


async def by_token(client, provider, subject="g-1", **claims):
    claims = {"nonce": await nonce(client), **claims}
    body = {"provider": "google", "idToken": provider.token(subject=subject, **claims), "consent": "1"}
    return await client.ask("signInWithProvider", body)


async def test_an_id_token_makes_an_account_and_then_signs_in(start, provider):
    server = start(**provider.settings)
    client = await guest(server)
    assert client.welcome["limits"]["providers"] == ["facebook", "google"]
    token = provider.token(await nonce(client))
    refusal = await refused(
        "consent_required", client.ask("signInWithProvider", {"provider": "google", "idToken": token}))
    assert refusal.details["version"] == "1"
    first = await by_token(client, provider)
    assert (first["role"], first["name"]) == ("general", "ada.lovelace")
    again = await by_token(await guest(server), provider, given_name="Countess", email="other@gmail.example")
    assert (again["account"], again["name"]) == (first["account"], "ada.lovelace")
    other = await by_token(await guest(server), provider, "g-2")
    assert other["account"] != first["account"] and other["name"].startswith("ada.lovelace-")
    strange = await by_token(await guest(server), provider, "g-3", given_name="\u202e", family_name="x" * 5000)
    assert strange["name"].startswith("user-")


async def invent(server, numbers):
    """Signs in with a provider of each number, in waves; returns the codes of the refusals and their reasons."""
    client, codes = await guest(server), set()
    for begin in range(0, len(numbers), WAVE):
        answers = [await client.post("signInWithProvider", {
            "provider": f"invented-{number}", "accessToken": "x", "consent": "1",
        }) for number in numbers[begin : begin + WAVE]]  # fmt: skip
        for refusal in await asyncio.gather(*answers, return_exceptions=True):
            codes.add((refusal.code, refusal.details["reason"]))
    await client.close()
    return codes


@pytest.mark.seconds(600)
async def test_invented_providers_are_refused_before_anything_is_remembered(start, provider):
    """However many they are, they make nobody's failures forgotten, and a provider that there is signs in."""
    server = start(**provider.settings, **UNHURRIED)
    ada = await sign_up(server, "ada")
    codes = []
    while len(codes) < 30 and codes[-1:] != ["too_many_attempts"]:
        guess = {"current": f"Guess-{len(codes)}-x", "password": f"{PASSWORD}1"}
        with pytest.raises(Refused) as raised:
            await ada.ask("changePassword", guess)
        codes.append(raised.value.code)
    assert codes[-1] == "too_many_attempts", codes
    began = time.monotonic()
    found = await asyncio.gather(*(invent(server, range(one, INVENTED, 4)) for one in range(4)))
    print(f"{INVENTED} invented providers in {time.monotonic() - began:.1f} s")
    assert set().union(*found) == {("social_token_invalid", "provider")}
    await refused("too_many_attempts", ada.ask("changePassword", {"current": "Guess-x-x", "password": f"{PASSWORD}1"}))
    client = await guest(server)
    token = provider.token(await nonce(client))
    await client.ask("signInWithProvider", {"provider": "google", "idToken": token, "consent": "1"})


async def test_a_nonce_is_of_one_connection_and_works_once(start, provider):
    server = start(**provider.settings)
    client, other = await guest(server), await guest(server)
    token = provider.token(await nonce(client))
    await nonce(other)
    for sender in (other, await guest(server)):
        refusal = await refused(
            "social_token_invalid",
            sender.ask("signInWithProvider", {"provider": "google", "idToken": token, "consent": "1"}))
        assert refusal.details["reason"] == "nonce"
    body = {"provider": "google", "idToken": token, "consent": "1"}
    await client.ask("signInWithProvider", body)
    await client.ask("signOut")
    refusal = await refused("social_token_invalid", client.ask("signInWithProvider", body))
    assert refusal.details["reason"] == "nonce"


@pytest.mark.parametrize(
    "claims, reason",
    [
        ({"iss": "https://evil.example"}, "issuer"),
        ({"aud": "app-2"}, "audience"),
        ({"exp": 1}, "expired"),
        ({"nonce": "n"}, "nonce"),
        ({"sub": ""}, "subject"),
    ],
)
async def test_wrong_claims_are_refused(start, provider, claims, reason):
    client = await guest(start(**provider.settings))
    with pytest.raises(Exception) as refusal:
        await by_token(client, provider, **claims)
    assert (refusal.value.code, refusal.value.details["reason"]) == ("social_token_invalid", reason)


async def test_key_files_are_read_again_on_sighup(start, provider):
    server = start(**provider.settings)
    old = Provider(provider.folder, "old")
    provider.renew("k-2")
    client = await guest(server)
    with pytest.raises(Exception) as refusal:
        await by_token(client, provider)
    assert refusal.value.details["reason"] == "signature"
    server.process.send_signal(signal.SIGHUP)

    async def is_known():
        try:
            return await by_token(await guest(server), provider)
        except Exception:
            return None

    assert (await eventually(is_known, "the new key"))["role"] == "general"
    with pytest.raises(Exception) as refusal:
        await by_token(await guest(server), old)
    assert refusal.value.details["reason"] == "signature"


async def test_an_access_token_is_checked_by_the_adaptor(start, provider):
    server = start(**provider.settings, adaptors__identity="builtin", adaptors__timeoutSeconds=1)
    client = await guest(server)

    def body(token, name="facebook"):
        return {"provider": name, "accessToken": token, "consent": "1"}

    await refused("social_token_invalid", client.ask("signInWithProvider", body("standin-refused")))
    await refused("social_token_invalid", client.ask("signInWithProvider", body("standin:x", "google")))
    for token in ("standin-failing", "standin-slow"):
        refusal = await refused("provider_unavailable", client.ask("signInWithProvider", body(token)))
        assert refusal.retry_after
    await refused("missing_field", client.ask("signInWithProvider", {"provider": "facebook"}))
    welcome = await client.ask("signInWithProvider", body("standin:f-1:ada@fb.example:Ada:Byron"))
    assert welcome["name"] == "ada.byron"
    again = await (await guest(server)).ask("signInWithProvider", body("standin:f-1:ada@fb.example:Ada:Byron"))
    assert again["account"] == welcome["account"]


async def test_a_providers_sign_in_asks_for_a_one_time_code(start, provider):
    """ACC-8: a provider vouches for the person, and not for the second factor."""
    server = start(**provider.settings)
    ada = await sign_up(server, "ada")
    await ada.ask("linkProvider", {"provider": "google", "idToken": provider.token(await nonce(ada))})
    secret = (await ada.ask("beginCodes", {"password": PASSWORD}))["secret"]
    codes = (await ada.ask("confirmCodes", {"password": PASSWORD, "code": one_time_code(secret)}))["codes"]
    client = await guest(server)
    body = {"provider": "google", "idToken": provider.token(await nonce(client))}
    await refused("mfa_required", client.ask("signInWithProvider", body))
    await refused("mfa_invalid", client.ask("signInWithProvider", {**body, "code": "wrong"}))
    welcome = await client.ask("signInWithProvider", {**body, "code": codes[0]})
    assert welcome["account"] == ada.welcome["account"]
    other = await guest(server)
    body = {"provider": "google", "idToken": provider.token(await nonce(other))}
    await refused("mfa_invalid", other.ask("signInWithProvider", {**body, "code": codes[0]}))
    assert (await ada.ask("getProfile"))["recoveryCodes"] == 9


async def test_codes_are_not_guessed_beside_a_providers_token(start, provider):
    server = start(**provider.settings)
    ada = await sign_up(server, "ada")
    await ada.ask("linkProvider", {"provider": "google", "idToken": provider.token(await nonce(ada))})
    secret = (await ada.ask("beginCodes", {"password": PASSWORD}))["secret"]
    await ada.ask("confirmCodes", {"password": PASSWORD, "code": one_time_code(secret)})
    client, found = await guest(server), []
    for _ in range(15):
        body = {"provider": "google", "idToken": provider.token(await nonce(client)), "code": "000000"}
        with pytest.raises(Refused) as refusal:
            await client.ask("signInWithProvider", body)
        found.append(refusal.value.code)
    assert found[0] == "mfa_invalid" and found[-1] == "too_many_attempts", found


async def test_a_providers_sign_in_from_a_new_device_and_place_is_told(start, provider, tmp_path):
    """ACC-7: as of a sign-in with a password."""
    mailbox = Mailbox(tmp_path / "mail")
    server = start(**provider.settings, **mailbox.settings)
    first = await guest(server)
    first.welcome = await by_token(first, provider)
    known = await guest(server)
    await by_token(known, provider)
    assert not notified(first) and not mailbox.mails("g-1@gmail.example")
    await by_token(await stranger(server), provider)
    await first.until(lambda: notified(first), "notification")
    assert notified(first)[0]["kind"] == "new_device"
    assert "sign" in (await mailbox.wait("g-1@gmail.example"))["Subject"].lower()


async def test_an_email_of_a_password_account_is_never_merged_and_can_be_linked(start, provider):
    server = start(**provider.settings)
    ada = await sign_up(server, "ada", email="g-1@gmail.example")
    client = await guest(server)
    with pytest.raises(Exception) as refusal:
        await by_token(client, provider)
    assert refusal.value.code == "email_taken" and "link" in str(refusal.value.message)
    await ada.ask("linkProvider", {"provider": "google", "idToken": provider.token(await nonce(ada))})
    assert (await by_token(client, provider))["account"] == ada.welcome["account"]
    bob = await sign_up(server, "bob")
    await refused(
        "forbidden", bob.ask("linkProvider", {"provider": "google", "idToken": provider.token(await nonce(bob))}))
    await refused("not_found", bob.ask("unlinkProvider", {"provider": "google"}))
    await ada.ask("unlinkProvider", {"provider": "google"})
    other = await guest(server)
    with pytest.raises(Exception) as refusal:
        await by_token(other, provider)
    assert (refusal.value.code, refusal.value.details["reason"]) == ("forbidden", "unlinked")


async def test_the_last_way_in_is_not_unlinked(start, provider):
    server = start(**provider.settings)
    client = await guest(server)
    await by_token(client, provider)
    await refused("forbidden", client.ask("unlinkProvider", {"provider": "google"}))
    await client.ask("addPassword", {"email": "g-1@gmail.example", "password": PASSWORD})
    await client.ask("unlinkProvider", {"provider": "google"})
    welcome = await (await guest(server)).ask("signIn", {"login": "ada.lovelace", "password": PASSWORD})
    assert welcome["name"] == "ada.lovelace"


async def test_of_two_unlinks_at_once_one_way_in_stays(start, provider):
    """ACC-7: two devices, one provider each."""
    server = start(**provider.settings, adaptors__identity="builtin")
    client = await guest(server)
    welcome = await by_token(client, provider)
    other = await Client.connect(server, token=welcome["token"])
    await other.ask("prove", {"provider": "google", "idToken": provider.token(await nonce(other))})
    await client.ask("linkProvider", {"provider": "facebook", "accessToken": "standin:f-1:ada@fb.example:Ada:Byron"})
    ends = [await one.post("unlinkProvider", {"provider": name})
            for one, name in ((client, "google"), (other, "facebook"))]
    await asyncio.wait(ends)
    assert len([end for end in ends if end.exception() is None]) == 1


async def test_a_proved_address_stays_until_another_one_is_proved(start, provider, tmp_path):
    """ACC-9: a password with another address; the proved one is told."""
    mailbox = Mailbox(tmp_path / "mail")
    server = start(**provider.settings, **mailbox.settings)
    client = await guest(server)
    await by_token(client, provider)
    await client.ask("addPassword", {"email": "new@example.org", "password": PASSWORD})
    assert "password" in (await mailbox.wait("g-1@gmail.example"))["Subject"]
    code = await mailbox.code("new@example.org", "verify")
    await refused("invalid_credentials", (await guest(server)).ask(
        "signIn", {"login": "new@example.org", "password": PASSWORD}))
    await client.ask("verifyEmail", {"code": code})
    await (await guest(server)).ask("signIn", {"login": "new@example.org", "password": PASSWORD})
