"""Mails of accounts: links that prove an email and set a password, and warnings (ACC-9, ACC-10, DAT-8, CMP-5)."""

import asyncio
import random
import sqlite3
import statistics
import time

import pytest

from accounts import MANY, PASSWORD, Mailbox, guest, person, sign_in, sign_up
from cairn import Client, Refused
from test_live_space import refused
from test_notifications import stranger

NEW = "New-Horse-7777"


@pytest.fixture
def mailbox(tmp_path):
    return Mailbox(tmp_path / "mail")


@pytest.fixture
def world(start, mailbox):
    pace = {"connections__messagesPerSecond": 1000, "connections__messagesBurst": 1000}
    return start(accounts__open="false", **mailbox.settings, **MANY, **pace)


async def verified(world, mailbox, name, **more):
    """A new account whose email is proved."""
    client = await sign_up(world, name, **more)
    address = f"{name}@example.org"
    await client.ask("verifyEmail", {"code": await mailbox.code(address, "verify")})
    return client


async def test_a_link_sets_a_new_password_once_and_signs_every_device_out(world, mailbox):
    ada = await verified(world, mailbox, "ada")
    client = await guest(world)
    await client.ask("recover", {"email": "ADA@example.org"})
    code = await mailbox.code("ada@example.org", "reset", 2)
    weak = await refused("weak_password", client.ask("resetPassword", {"code": code, "password": "weak"}))
    assert "length" in weak.details["missing"]
    await client.ask("resetPassword", {"code": code, "password": NEW})
    await refused("not_signed_in", ada.ask("listDevices"))
    assert (await Client.connect(world, token=ada.welcome["token"])).welcome["role"] == "guest"
    await refused("reset_token_invalid", client.ask("resetPassword", {"code": code, "password": NEW}))
    await refused("invalid_credentials", client.ask("signIn", {"login": "ada", "password": PASSWORD}))
    assert (await sign_in(world, "ada", NEW)).welcome["account"] == ada.welcome["account"]
    assert "password" in (await mailbox.wait("ada@example.org", 3))["Subject"]


async def test_a_link_goes_to_the_proved_address_and_to_none_that_folds_to_it(world, mailbox):
    """ACC-10: the Kelvin sign becomes a k; the mailbox of that name is somebody else's."""
    await verified(world, mailbox, "mike")
    await (await guest(world)).ask("recover", {"email": "mi\u212ae@example.org"})
    code = await mailbox.code("mike@example.org", "reset", 2)
    assert not [mail for mail in mailbox.mails() if "\u212a" in str(mail["To"])]
    await (await guest(world)).ask("resetPassword", {"code": code, "password": NEW})
    assert (await sign_in(world, "mike", NEW)).welcome["name"] == "mike"


async def test_forged_old_and_replaced_links_are_refused_alike(start, mailbox):
    settings = {"accounts__open": "false", **mailbox.settings, **MANY}
    world = start(**settings)
    await verified(world, mailbox, "ada")
    client = await guest(world)
    await client.ask("recover", {"email": "ada@example.org"})
    first = await mailbox.code("ada@example.org", "reset", 2)
    await client.ask("recover", {"email": "ada@example.org"})
    second = await mailbox.code("ada@example.org", "reset", 3)
    for code in (first, "x" * 43, second[:-1], second + "a", "", second.swapcase()):
        await refused("reset_token_invalid", client.ask("resetPassword", {"code": code, "password": NEW}))
    # One of many who use it at once.
    clients = [await guest(world) for _ in range(4)]

    async def attempt(client):
        try:
            await client.ask("resetPassword", {"code": second, "password": NEW})
            return "done"
        except Refused as refusal:
            return refusal.code

    outcomes = await asyncio.gather(*map(attempt, clients))
    assert outcomes.count("done") == 1 and set(outcomes) <= {"done", "reset_token_invalid", "try_again"}


@pytest.mark.alone
async def test_an_unknown_address_is_answered_alike_and_gets_no_mail(world, mailbox):
    await sign_up(world, "eve")
    await mailbox.wait("eve@example.org")
    await verified(world, mailbox, "ada")
    client = await guest(world)
    times = {address: [] for address in ("ada@example.org", "nobody@example.org", "eve@example.org")}
    # In another order each time: a mail is made after the answer, and would be in the time of always the same address.
    for _ in range(150):
        for address, seconds in random.sample(list(times.items()), len(times)):
            begun = time.perf_counter()
            assert await client.ask("recover", {"email": address}) == {}
            seconds.append(time.perf_counter() - begun)
    # The quick quarter, which other work on the machine delays least.
    known, unknown, unproved = (statistics.quantiles(seconds)[0] for seconds in times.values())
    assert unknown == pytest.approx(known, rel=0.35) and unproved == pytest.approx(known, rel=0.35)
    await mailbox.wait("ada@example.org", 26)
    await mailbox.wait("eve@example.org", 26)
    assert not mailbox.mails("nobody@example.org")
    await refused("invalid_email", client.ask("recover", {"email": "nobody"}))


async def test_mails_are_in_the_language_of_the_hello(world, mailbox):
    await sign_up(world, "ada", language="fr-CA")
    await sign_up(world, "zhang", language="zh-Hans")
    await sign_up(world, "kira", language="tlh")
    assert (await mailbox.wait("ada@example.org"))["Subject"] == "Confirmez votre adresse électronique"
    assert "请打开此链接" in (await mailbox.wait("zhang@example.org")).get_content()
    assert (await mailbox.wait("kira@example.org"))["Subject"] == "Please confirm your email address"


async def test_a_new_email_counts_once_it_is_proved_and_the_old_one_is_told(world, mailbox):
    ada = await verified(world, mailbox, "ada")
    await sign_up(world, "bob")
    await refused("email_taken", ada.ask("changeEmail", {"email": "bob@example.org", "password": PASSWORD}))
    await refused("invalid_credentials", ada.ask("changeEmail", {"email": "countess@example.org", "password": "x"}))
    await ada.ask("changeEmail", {"email": "countess@example.org", "password": PASSWORD})
    assert "email" in (await mailbox.wait("ada@example.org", 2))["Subject"]
    assert (await sign_in(world, "ada@example.org")).welcome["role"] == "general"
    code = await mailbox.code("countess@example.org", "verify")
    await (await guest(world)).ask("verifyEmail", {"code": code})
    assert (await sign_in(world, "countess@example.org")).welcome["account"] == ada.welcome["account"]
    client = await guest(world)
    await refused("invalid_credentials", client.ask("signIn", {"login": "ada@example.org", "password": PASSWORD}))
    await refused("link_invalid", client.ask("verifyEmail", {"code": code}))


async def test_a_sign_in_from_a_new_device_and_place_is_mailed(world, mailbox):
    ada = await verified(world, mailbox, "ada")
    assert (await sign_in(world, "ada", deviceKey=ada.welcome["deviceKey"])).welcome["role"] == "general"
    # The same address is no new place.
    assert (await sign_in(world, "ada")).welcome["role"] == "general"
    # Mails leave in order: a warning would come before this one.
    await (await guest(world)).ask("recover", {"email": "ada@example.org"})
    assert "password" in (await mailbox.wait("ada@example.org", 2))["Subject"]
    assert len(mailbox.mails("ada@example.org")) == 2


async def test_links_and_mails_survive_kill_9_and_no_mail_comes_twice(start, mailbox):
    settings = {"accounts__open": "false", **mailbox.settings, **MANY}
    world = start(**settings)
    for number in range(5):
        await sign_up(world, f"person{number}")
    world.kill()
    world = start(**settings)
    codes = [await mailbox.code(f"person{number}@example.org", "verify") for number in range(5)]
    client = await sign_up(world, "last")
    await mailbox.wait("last@example.org")
    assert len(mailbox.mails()) == 6
    for code in codes:
        await client.ask("verifyEmail", {"code": code})


async def test_a_copied_data_folder_has_no_secret_in_it(start, mailbox, tmp_path):
    world = start(accounts__open="false", **mailbox.settings, **MANY)
    ada = await verified(world, mailbox, "ada", deviceName="Ada's secret phone")
    begun = await ada.ask("beginCodes", {"password": PASSWORD})
    await (await guest(world)).ask("recover", {"email": "ada@example.org"})
    code = await mailbox.code("ada@example.org", "reset", 2)
    world.kill()
    secrets = [
        "ada@example.org", "example.org", PASSWORD, ada.welcome["token"], ada.welcome["deviceKey"], begun["secret"],
        code, "secret phone", "argon2", "Please confirm",
    ]  # fmt: skip
    for path in (tmp_path / "data").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for secret in secrets:
                assert secret.encode() not in content, (path, secret)
    with sqlite3.connect(tmp_path / "data" / "cairn.sqlite") as database:
        assert database.execute("SELECT count(*) FROM credentials").fetchone() == (1,)
    assert not any(secret in world.log() for secret in secrets)


async def test_a_stranger_keeps_nobody_from_recovering(start, mailbox):
    """ACC-10: a stranger's address uses up its own allowance. How many mails a mailbox gets: test_fairness.py."""
    world = start(
        accounts__open="false", **mailbox.settings, accounts__recoveriesPerHour=2, accounts__mailPauseSeconds=0)
    await verified(world, mailbox, "ada")
    mail = {"email": "ada@example.org"}
    eve = await stranger(world)
    for _ in range(2):
        await eve.ask("recover", mail)
    await refused("too_many_attempts", eve.ask("recover", mail))
    # The owner at an address that the account does not know.
    owner = await stranger(world)
    await owner.ask("recover", mail)
    code = await mailbox.code("ada@example.org", "reset", 4)
    await owner.ask("resetPassword", {"code": code, "password": NEW})
    assert (await sign_in(world, "ada", NEW)).welcome["name"] == "ada"
