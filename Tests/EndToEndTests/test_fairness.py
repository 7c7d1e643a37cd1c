"""Queues are fair by account, mailbox and address: a crowd with many of them delays a stranger little (ACC-4, ACC-10,
OBJ-12). Each attack was tried on servers of before, where it shut others out."""

import asyncio
import contextlib
import os
import statistics
import time

import pytest

import pictures
from accounts import PASSWORD, Mailbox, guest, sign_up
from cairn import Refused
from pictures import png
from test_brute_force import bound
from test_live_space import refused
from test_providers import Provider, nonce

MANY = {"accounts__open": "false", "accounts__signUpsPerHour": 1000, "accounts__recoveriesPerHour": 1000}
CROWD = 20


async def at(server, number):
    """A guest's connection from an address of its own."""
    one = bound(number)
    await asyncio.get_running_loop().sock_connect(one, (server.host, server.port))
    return await guest(server, sock=one)


async def newcomer(server, number, name):
    """An account that was made at an address of its own."""
    client = await at(server, number)
    fields = {"email": f"{name}@example.org", "username": name, "password": PASSWORD, "consent": "1"}
    client.welcome = await client.ask("signUp", fields)
    return client


async def crowd_at_the_desk(clients, stop, had_turns):
    """Everybody changes their password again and again: each time it is compared and hashed."""

    waiting = set(clients)

    async def change(client):
        # Two that take turns: the present one is right each time.
        passwords = [PASSWORD, "Other-Horse-77"]
        while not stop.is_set():
            with contextlib.suppress(Refused):
                await client.ask("changePassword", {"current": passwords[0], "password": passwords[1]})
                passwords.reverse()
            waiting.discard(client)
            if not waiting:
                had_turns.set()

    await asyncio.gather(*map(change, clients))


@pytest.mark.alone
@pytest.mark.seconds(120)
async def test_a_crowd_at_the_desk_delays_a_strangers_sign_in_little(start):
    """A4: ordinary accounts, each at an address of its own, keep the desk busy; a stranger's sign-in takes at most
    twice as long as before. It was refused with try_again, or waited for all of them."""
    server = start(**MANY)
    await newcomer(server, 900, "paula")
    clients = [await newcomer(server, number, f"mallory{number}") for number in range(1, CROWD + 1)]
    addresses = iter(range(1_000, 5_000))

    async def sign_in():
        """Seconds of a sign-in, as of a stranger; the connection is open before."""
        client = await at(server, next(addresses))
        begun = time.perf_counter()
        await client.ask("signIn", {"login": "paula", "password": PASSWORD})
        spent = time.perf_counter() - begun
        await client.close()
        return spent

    async def median():
        return statistics.median([await sign_in() for _ in range(9)])

    calm = await median()
    stop, had_turns = asyncio.Event(), asyncio.Event()
    crowd = asyncio.create_task(crowd_at_the_desk(clients, stop, had_turns))
    try:
        await had_turns.wait()
        # On a machine with other work the quietest of three counts.
        ratios = [await median() / calm for _ in range(3)]
    finally:
        stop.set()
        await crowd
    print(f"\na stranger's sign-in: {calm * 1000:.0f} ms; amid {CROWD} accounts {[f'{one:.2f}' for one in ratios]}")
    assert min(ratios) <= 2


async def test_first_sign_ins_at_once_with_one_identity_are_one_sign_in(start, tmp_path):
    """A6: six devices of one new person; five were refused with email_taken."""
    provider = Provider(tmp_path)
    server = start(**{**provider.settings, **MANY}, connections__perAccountMax=6)
    clients = [await guest(server) for _ in range(6)]
    tokens = [provider.token(await nonce(client), "g-7") for client in clients]
    welcomes = await asyncio.gather(*(
        client.ask("signInWithProvider", {"provider": "google", "idToken": token, "consent": "1"})
        for client, token in zip(clients, tokens)
    ))  # fmt: skip
    assert len({welcome["account"] for welcome in welcomes}) == 1


async def test_strangers_fill_no_mailbox_and_lock_no_recovery(start, tmp_path):
    """A14: ten strangers' addresses with ten requests each are one mail, and a new address is answered as ever."""
    mailbox = Mailbox(tmp_path / "mail")
    server = start(**mailbox.settings, accounts__open="false", accounts__signUpsPerHour=1000)
    ada = await sign_up(server, "ada")
    await ada.ask("verifyEmail", {"code": await mailbox.code("ada@example.org", "verify")})
    mail = {"email": "ada@example.org"}
    for number in range(10):
        stranger = await at(server, 100 + number)
        for _ in range(10):
            assert await stranger.ask("recover", mail) == {}
        await refused("too_many_attempts", stranger.ask("recover", mail))
    # The owner at a new address: the link that came is good.
    owner = await at(server, 200)
    assert await owner.ask("recover", mail) == {}
    code = await mailbox.code("ada@example.org", "reset", 2)
    await owner.ask("resetPassword", {"code": code, "password": "New-Horse-7777"})
    # It is used up, and the next one comes at once.
    assert await owner.ask("recover", mail) == {}
    await mailbox.wait("ada@example.org", 4)
    subjects = [one["Subject"] for one in mailbox.mails("ada@example.org")]
    assert len(subjects) == 4, subjects


async def test_changes_of_email_fill_no_strangers_mailbox(start, tmp_path):
    """H12: accounts that name one stranger's address: it got a mail for each. Whoever gets no mail is told: the links
    in the mailbox are those of others."""
    mailbox = Mailbox(tmp_path / "mail")
    server = start(**mailbox.settings, **MANY)
    for number in range(8):
        client = await newcomer(server, 300 + number, f"mallory{number}")
        asked = client.ask("changeEmail", {"email": "victim@example.org", "password": PASSWORD})
        if number >= 3:
            refusal = await refused("too_many_attempts", asked)
            assert refusal.details["field"] == "email" and refusal.retry_after > 60_000
            continue
        await asked
        # One's own link in the mailbox is good: no other is sent, and nobody waits.
        if number == 2:
            await client.ask("changeEmail", {"email": "victim@example.org", "password": PASSWORD})
    # A later mail to another, which comes behind all of them.
    await client.ask("changeEmail", {"email": "last@example.org", "password": PASSWORD})
    await mailbox.wait("last@example.org")
    assert len(mailbox.mails("victim@example.org")) == 3


async def test_names_of_an_account_are_bounded(start):
    """A15: each rename reserves the name before it for a month."""
    server = start(**MANY)
    ada = await sign_up(server, "ada")
    for number in range(5):
        await ada.ask("editProfile", {"username": f"ada.{number}x"})
        await ada.ask("editProfile", {"username": f"Ada.{number}X"})
    refusal = await refused("too_many_attempts", ada.ask("editProfile", {"username": "ada.last"}))
    assert refusal.details["field"] == "username" and refusal.retry_after > 3_600_000
    # What is no other name is taken still.
    assert (await ada.ask("editProfile", {"username": "ADA.4x", "bio": "Me"}))["username"] == "ADA.4x"


async def test_uploads_that_never_move_keep_nobody_out(start):
    """A17: accounts with four uploads each of which nothing comes; others were refused for a day."""
    server = start(**MANY, assets__uploadsMax=12)
    crowd = [await newcomer(server, 400 + number, f"mallory{number}") for number in range(4)]
    taken = 0
    for client in crowd:
        for _ in range(4):
            with contextlib.suppress(Refused):
                await pictures.begin(client, b"", digest=os.urandom(32), length=1)
                taken += 1
    assert taken >= 12
    ada = await newcomer(server, 500, "ada")
    for seed in range(3):
        assert await pictures.upload(ada, png(seed=seed))
