"""Signing up and in, devices, passwords, one-time codes (ACC-1 to ACC-9, ACC-11, SES-2, DAT-8)."""

import asyncio
import hashlib
import hmac
import statistics
import struct
import time
from base64 import b32decode

import pytest

from accounts import MANY, PASSWORD, guest, person, sign_in, sign_up
from cairn import Client, Refused, pose
from operators import Desk
from paces import busy_seconds, timed
from test_live_space import refused


@pytest.fixture
def world(start):
    """A server without open sign-in."""
    return start(accounts__open="false", **MANY)


def said(client):
    """The codes that the client got about the end of its sign-in."""
    return [item["signedOut"]["code"] for item in client.items if "signedOut" in item]


def one_time_code(secret, *, steps=0):
    """RFC 6238 with the usual parameters. The server takes the codes of the steps before and after its own; that of the
    step before may be too old when it arrives."""
    step = struct.pack(">Q", int(time.time()) // 30 + steps)
    mac = hmac.digest(b32decode(secret), step, hashlib.sha1)
    offset = mac[19] & 15
    return f"{(int.from_bytes(mac[offset:offset + 4], 'big') & 0x7fffffff) % 1_000_000:06}"


# MARK: Signing up (ACC-1, ACC-2, ACC-11)


async def test_sign_up_makes_the_guests_connection_the_accounts(world, spot):
    ada = await sign_up(world, "ada")
    assert (ada.welcome["role"], ada.welcome["name"]) == ("general", "ada")
    assert ada.welcome["token"] and ada.welcome["deviceKey"] and not ada.welcome.get("ageAdvisory")
    await ada.stand_at(*spot)
    assert (await ada.place(pose(*spot)))["version"] == 1
    again = await Client.connect(world, token=ada.welcome["token"])
    assert again.welcome["account"] == ada.welcome["account"]


@pytest.mark.parametrize(
    "field, value, code",
    [
        ("email", "", "missing_field"),
        ("username", " ", "missing_field"),
        ("password", "", "missing_field"),
        ("consent", "", "consent_required"),
        ("consent", "0", "consent_required"),
        ("email", "ada", "invalid_email"),
        ("email", "ada@localhost", "invalid_email"),
        ("email", "ada@example.org\r\nBcc: x@example.org", "invalid_email"),
        ("username", "a", "invalid_username"),
        ("username", "a@b.c", "invalid_username"),
        ("password", "Short-1", "weak_password"),
        ("password", "correct-horse-7", "weak_password"),
        ("password", "x" * 129, "invalid_field"),
        ("deviceName", "x" * 65, "invalid_field"),
    ],
)
async def test_a_sign_up_that_lacks_something_says_what_and_may_be_repeated(server, field, value, code):
    client = await guest(server)
    await refused(code, client.ask("signUp", person(f"p{time.time_ns()}", **{field: value})))
    assert (await client.ask("signUp", person(f"p{time.time_ns()}")))["role"] == "general"


async def test_missing_fields_are_all_named(server):
    refusal = await refused("missing_field", (await guest(server)).ask("signUp", {}))
    assert refusal.details["fields"] == "email,password,username"
    weak = await refused("weak_password", (await guest(server)).ask("signUp", person("weak", password="aaaa")))
    assert weak.details["charactersMin"] == "12"
    assert weak.details["missing"] == "length,upper,digit,symbol"


async def test_an_email_and_a_name_belong_to_one_account_without_letter_case(world):
    await sign_up(world, "ada")
    client = await guest(world)
    await refused("email_taken", client.ask("signUp", person("bob", email="ADA@Example.ORG")))
    await refused("username_taken", client.ask("signUp", person("ADA", email="other@example.org")))
    assert (await client.ask("signUp", person("bob")))["name"] == "bob"


async def test_many_sign_ups_at_once_with_one_email_make_one_account(world):
    clients = [await guest(world) for _ in range(6)]

    async def attempt(number):
        try:
            return (await clients[number].ask("signUp", person(f"ada{number}", email="ada@example.org")))["role"]
        except Refused as refusal:
            return refusal.code

    outcomes = await asyncio.gather(*map(attempt, range(6)))
    assert sorted(outcomes) == ["email_taken"] * 5 + ["general"]


async def test_furniture_takes_names_and_a_birth_date_and_shows_nobody_the_email(world):
    fields = {
        "email": "ada@gmail.com", "password": PASSWORD, "consent": "1", "firstName": "Ada", "lastName": "Lovelace",
        "birthDate": "12/10/1990",
    }  # fmt: skip
    client = await guest(world, "furniture")
    await refused("missing_field", client.ask("signUp", {**fields, "birthDate": ""}))
    await refused("email_domain_not_allowed", client.ask("signUp", {**fields, "email": "ada@example.org"}))
    for date in ("31/12/1990", "02/30/1990", "12/10/90", "12/10/2990", "12-10-1990", "１2/10/1990"):
        await refused("invalid_date", client.ask("signUp", {**fields, "birthDate": date}))
    welcome = await client.ask("signUp", fields)
    assert "ada" not in welcome["name"].lower() and "@" not in welcome["name"]
    other = await guest(world, "furniture")
    await refused("account_exists", other.ask("signUp", fields))
    again = await other.ask("signIn", {"login": "ADA@gmail.com", "password": PASSWORD})
    assert again["account"] == welcome["account"]
    young = await guest(world, "furniture")
    advised = await young.ask(
        "signUp", {**fields, "email": "young@gmail.com", "birthDate": time.strftime("01/01/%Y", time.gmtime())}
    )
    assert advised["ageAdvisory"] is True


async def test_the_rules_of_front_ends_are_settings(start):
    server = start(
        accounts__passwordCharactersMin=8, accounts__passwordKinds="lower", accounts__emailDomains="realm example.org",
        accounts__personalFrontEnds="", **MANY,
    )  # fmt: skip
    client = await guest(server)
    await refused("email_domain_not_allowed", client.ask("signUp", person("ada", email="ada@gmail.com")))
    assert (await client.ask("signUp", person("ada", password="correcth")))["role"] == "general"
    strict = await guest(server, "furniture")
    await refused("weak_password", strict.ask("signUp", person("bob", password="correcth")))
    server.stop()
    closed = start(accounts__signUp="false")
    await refused("forbidden", (await guest(closed)).ask("signUp", person("ada")))


# MARK: Signing in (ACC-4, ACC-5, ACC-6)


async def test_email_and_name_sign_in_and_what_is_wrong_is_not_said(world):
    ada = await sign_up(world, "Ada")
    for login in ("ada@example.org", "ADA@EXAMPLE.ORG", "ada", "ADA"):
        assert (await sign_in(world, login)).welcome["account"] == ada.welcome["account"]
    client = await guest(world)
    answers = []
    for login, password in (("ada", "wrong"), ("ada", PASSWORD + " "), ("bob", PASSWORD), ("b@c.de", PASSWORD)):
        refusal = await refused("invalid_credentials", client.ask("signIn", {"login": login, "password": password}))
        answers.append((refusal.message, refusal.details, refusal.retry_after))
    assert len(set(map(str, answers))) == 1
    refusal = await refused("missing_field", client.ask("signIn", {"login": "ada"}))
    assert refusal.details["fields"] == "password"


async def test_passwords_are_compared_as_rfc_8265_prepares_them(world):
    await sign_up(world, "ada", password="Caf\u00e9 au lait 7!")
    assert (await sign_in(world, "ada", "Cafe\u0301\u00a0au lait 7!")).welcome["role"] == "general"


async def test_a_guest_may_sign_in_and_out_on_one_connection_and_nothing_else(world, spot):
    client = await guest(world)
    await refused("not_signed_in", client.stand_at(*spot))
    for kind in ("listDevices", "endDevice", "changePassword", "changeEmail", "beginCodes", "linkProvider"):
        body = {"others": True} if kind == "endDevice" else {}
        await refused("not_signed_in", client.ask(kind, body))
    await client.ask("signUp", person("ada"))
    await refused("forbidden", client.ask("signUp", person("bob")))
    await refused("forbidden", client.ask("signIn", {"login": "ada", "password": PASSWORD}))
    await client.ask("signOut")
    await refused("not_signed_in", client.stand_at(*spot))
    assert (await client.ask("signIn", {"login": "ada", "password": PASSWORD}))["name"] == "ada"
    unknown = await Client.connect(world, hello=False)
    await refused("hello_required", unknown.ask("signIn", {"login": "ada", "password": PASSWORD}))


async def test_an_account_with_a_password_is_not_open(start):
    server = start(**MANY)
    await sign_up(server, "ada")
    with pytest.raises(Refused) as refusal:
        await Client.connect(server, "ada")
    assert refusal.value.code == "username_taken"
    bob = await Client.connect(server, "bob")
    await refused("weak_password", bob.ask("addPassword", {"email": "bob@example.org", "password": "x"}))
    await refused("email_taken", bob.ask("addPassword", {"email": "ada@example.org", "password": PASSWORD}))
    await bob.ask("addPassword", {"email": "bob@example.org", "password": PASSWORD})
    await refused("proof_required", bob.ask("addPassword", {"email": "bob@example.org", "password": PASSWORD}))
    await bob.ask("prove", {"password": PASSWORD})
    await refused("forbidden", bob.ask("addPassword", {"email": "bob@example.org", "password": PASSWORD}))
    with pytest.raises(Refused):
        await Client.connect(server, "bob")
    assert (await sign_in(server, "bob")).welcome["account"] == bob.welcome["account"]


async def test_an_account_survives_kill_9_from_its_answer_on(start, tmp_path):
    server = start(accounts__open="false", **MANY)
    welcome = (await sign_up(server, "ada")).welcome
    server.kill()
    server = start(accounts__open="false", **MANY)
    assert (await Client.connect(server, token=welcome["token"])).welcome["account"] == welcome["account"]
    assert (await sign_in(server, "ada", deviceKey=welcome["deviceKey"])).welcome["account"] == welcome["account"]


# MARK: Limits (ACC-4, B16)


async def test_failures_lock_out_strangers_and_not_the_owners_device(start):
    server = start(accounts__open="false", accounts__failuresMax=5, **MANY)
    owner = (await sign_up(server, "ada")).welcome
    await sign_up(server, "bob")
    key = owner["deviceKey"]
    stranger = await guest(server)
    # Ada's address is this one, too, and so it is familiar to her account, but not to one that nobody has.
    began = time.monotonic()
    for _ in range(5):
        await refused("invalid_credentials", stranger.ask("signIn", {"login": "carol", "password": "x"}))
    refusal = await refused("too_many_attempts", stranger.ask("signIn", {"login": "carol", "password": "x"}))
    assert 1000 * (900 - (time.monotonic() - began)) - 1 <= refusal.retry_after <= 900_000
    # By the address as well.
    await refused("too_many_attempts", stranger.ask("signIn", {"login": "dave", "password": "x"}))
    assert (await sign_in(server, "ada", deviceKey=key)).welcome["account"] == owner["account"]
    attempt = {"login": "ada", "password": "x", "deviceKey": key}
    for _ in range(5):
        await refused("invalid_credentials", stranger.ask("signIn", attempt))
    await refused("too_many_attempts", stranger.ask("signIn", {**attempt, "password": PASSWORD}))
    # Others of the same address are not held up by that.
    assert (await sign_in(server, "bob")).welcome["name"] == "bob"


async def test_sign_ups_and_recoveries_of_an_address_are_limited(start):
    server = start(accounts__open="false", accounts__signUpsPerHour=2, accounts__recoveriesPerHour=3)
    await sign_up(server, "ada")
    await sign_up(server, "bob")
    client = await guest(server)
    refusal = await refused("too_many_attempts", client.ask("signUp", person("carol")))
    assert refusal.retry_after > 3_000_000
    for number in range(3):
        await client.ask("recover", {"email": f"nobody{number}@example.org"})
    await refused("too_many_attempts", client.ask("recover", {"email": "nobody@example.org"}))


@pytest.mark.alone
async def test_an_unknown_name_takes_as_long_as_a_wrong_password(start):
    server = start(accounts__open="false", accounts__failuresMax=1000, **MANY)
    await sign_up(server, "ada")
    client = await guest(server)

    async def wrong(login):
        await refused("invalid_credentials", client.ask("signIn", {"login": login, "password": "Wrong-Horse-77"}))

    async def spent(login):
        """Seconds until the answer, and seconds of a processor of the server."""
        before = busy_seconds(server)
        return await timed(lambda: wrong(login)), busy_seconds(server) - before

    spent_for = [[await spent(login) for login in ("ada", "nobody", "no@example.org")] for _ in range(40)]
    for what, most in ((0, 0.5), (1, 0.1)):
        known, unknown, email = (statistics.median(one[what] for one in column) for column in zip(*spent_for))
        assert unknown == pytest.approx(known, rel=most) and email == pytest.approx(known, rel=most)


# MARK: Devices (ACC-5, ACC-6, ACC-9)


async def test_devices_are_listed_and_ended(world):
    phone = await sign_up(world, "ada", deviceName="Ada's phone")
    glasses = await sign_in(world, "ada", deviceName="glasses")
    tablet = await sign_in(world, "ada", deviceName="tablet")
    devices = (await phone.ask("listDevices"))["devices"]
    assert {device["name"]: device.get("isThis", False) for device in devices} == {
        "Ada's phone": True, "glasses": False, "tablet": False,
    }  # fmt: skip
    ids = {device["name"]: device["id"] for device in devices}
    await phone.ask("endDevice", {"id": ids["glasses"]})
    # Whoever is told is told before the answer.
    await refused("not_signed_in", glasses.ask("listDevices"))
    assert said(glasses) == ["token_invalid"]
    assert (await Client.connect(world, token=glasses.welcome["token"])).welcome["role"] == "guest"
    await refused("not_found", phone.ask("endDevice", {"id": ids["glasses"]}))
    await refused("invalid_field", phone.ask("endDevice", {"id": "x"}))
    new = (await phone.ask("endDevice", {"others": True}))["token"]
    await refused("not_signed_in", tablet.ask("listDevices"))
    assert [device["name"] for device in (await phone.ask("listDevices"))["devices"]] == ["Ada's phone"]
    assert (await Client.connect(world, token=phone.welcome["token"])).welcome["role"] == "guest"
    assert (await Client.connect(world, token=new)).welcome["account"] == phone.welcome["account"]


async def test_nobody_sees_or_ends_anothers_devices(world):
    ada, bob = await sign_up(world, "ada"), await sign_up(world, "bob")
    [device] = (await ada.ask("listDevices"))["devices"]
    await refused("not_found", bob.ask("endDevice", {"id": device["id"]}))
    assert len((await bob.ask("listDevices"))["devices"]) == 1


async def test_signing_in_again_on_a_device_replaces_its_token(world):
    first = (await sign_up(world, "ada")).welcome
    again = await sign_in(world, "ada", deviceKey=first["deviceKey"])
    assert again.welcome["deviceKey"] == first["deviceKey"]
    assert len((await again.ask("listDevices"))["devices"]) == 1
    assert (await Client.connect(world, token=first["token"])).welcome["role"] == "guest"
    # What another names is no device of Ada's.
    bob = await sign_up(world, "bob")
    other = await sign_in(world, "bob", deviceKey=first["deviceKey"])
    assert other.welcome["deviceKey"] not in (first["deviceKey"], bob.welcome["deviceKey"])


async def test_a_new_password_signs_out_all_other_devices(world):
    phone, glasses = await sign_up(world, "ada"), await sign_in(world, "ada")
    await refused("invalid_credentials", phone.ask("changePassword", {"current": "x", "password": "New-Horse-7777"}))
    await refused("weak_password", phone.ask("changePassword", {"current": PASSWORD, "password": "new"}))
    token = (await phone.ask("changePassword", {"current": PASSWORD, "password": "New-Horse-7777"}))["token"]
    await refused("not_signed_in", glasses.ask("listDevices"))
    assert len((await phone.ask("listDevices"))["devices"]) == 1
    for old in (phone.welcome["token"], glasses.welcome["token"]):
        assert (await Client.connect(world, token=old)).welcome["role"] == "guest"
    assert (await Client.connect(world, token=token)).welcome["role"] == "general"
    client = await guest(world)
    await refused("invalid_credentials", client.ask("signIn", {"login": "ada", "password": PASSWORD}))
    assert (await sign_in(world, "ada", "New-Horse-7777")).welcome["role"] == "general"


async def test_a_suspended_account_is_told_so_only_with_the_right_password(world):
    ada = await sign_up(world, "ada")
    async with await Desk.open(world) as desk:
        await desk.ask(f"ban {ada.welcome['account']} spam")
    await ada.until_ended()
    client = await guest(world)
    await refused("invalid_credentials", client.ask("signIn", {"login": "ada", "password": "Wrong-Horse-77"}))
    await refused("account_suspended", client.ask("signIn", {"login": "ada", "password": PASSWORD}))


# MARK: One-time codes (ACC-8)


async def test_one_time_codes_are_asked_for_and_each_is_accepted_once(world):
    ada = await sign_up(world, "ada")
    await refused("invalid_credentials", ada.ask("beginCodes", {"password": "x"}))
    begun = await ada.ask("beginCodes", {"password": PASSWORD})
    secret = begun["secret"]
    assert begun["uri"].startswith("otpauth://totp/Cairn:ada?secret=" + secret) and begun["svg"].startswith("<svg")
    # Not asked for before they are confirmed.
    assert (await sign_in(world, "ada")).welcome["role"] == "general"
    wrong = f"{(int(one_time_code(secret)) + 1) % 1_000_000:06}"
    await refused("mfa_invalid", ada.ask("confirmCodes", {"password": PASSWORD, "code": wrong}))
    used = one_time_code(secret)
    codes = (await ada.ask("confirmCodes", {"password": PASSWORD, "code": used}))["codes"]
    assert len(set(codes)) == 10
    client = await guest(world)
    await refused("mfa_required", client.ask("signIn", {"login": "ada", "password": PASSWORD}))
    await refused("mfa_invalid", client.ask("signIn", {"login": "ada", "password": PASSWORD, "code": used}))
    code = one_time_code(secret, steps=1)
    assert (await sign_in(world, "ada", code=code)).welcome["role"] == "general"
    await refused("mfa_invalid", client.ask("signIn", {"login": "ada", "password": PASSWORD, "code": code}))
    # A wrong password is not told from a right one by asking for a code.
    await refused("invalid_credentials", client.ask("signIn", {"login": "ada", "password": "x", "code": code}))
    assert (await sign_in(world, "ada", code=codes[0].upper())).welcome["role"] == "general"
    await refused("mfa_invalid", client.ask("signIn", {"login": "ada", "password": PASSWORD, "code": codes[0]}))
    await refused("mfa_required", ada.ask("endCodes", {"password": PASSWORD}))
    await ada.ask("endCodes", {"password": PASSWORD, "code": codes[1]})
    assert (await sign_in(world, "ada")).welcome["role"] == "general"


async def test_codes_are_not_guessed_by_who_has_the_password(world):
    """ACC-8: a right password does not make up for a wrong code."""
    ada = await sign_up(world, "ada")
    secret = (await ada.ask("beginCodes", {"password": PASSWORD}))["secret"]
    await ada.ask("confirmCodes", {"password": PASSWORD, "code": one_time_code(secret)})
    found = []
    for _ in range(30):
        with pytest.raises(Refused):
            await ada.ask("beginCodes", {"password": PASSWORD})
        with pytest.raises(Refused) as refusal:
            await ada.ask("endCodes", {"password": PASSWORD, "code": "000000"})
        found.append(refusal.value.code)
    assert found[0] == "mfa_invalid" and found[-1] == "too_many_attempts"


async def test_of_two_sign_ins_with_one_code_at_once_one_succeeds(world):
    ada = await sign_up(world, "ada")
    secret = (await ada.ask("beginCodes", {"password": PASSWORD}))["secret"]
    await ada.ask("confirmCodes", {"password": PASSWORD, "code": one_time_code(secret)})
    clients = [await guest(world) for _ in range(4)]
    request = {"login": "ada", "password": PASSWORD, "code": one_time_code(secret, steps=1)}

    async def attempt(client):
        try:
            return (await client.ask("signIn", request))["role"]
        except Refused as refusal:
            return refusal.code

    outcomes = await asyncio.gather(*map(attempt, clients))
    assert sorted(outcomes) == ["general"] + ["mfa_invalid"] * 3
