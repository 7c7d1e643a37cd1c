"""The server dies amid sign-ups, new passwords and mails (ACC-1, ACC-9, DAT-2, DAT-3, NTF-3).

The long form: CAIRN_KILLS=200 pytest -s test_account_crashes.py
"""

import asyncio
import os
import random

import pytest
import websockets

from accounts import MANY, Mailbox, guest, person
from cairn import Client, Ended, Refused, eventually
from server import get
from swarm import pause
from test_live_space import refused

KILLS = int(os.environ.get("CAIRN_KILLS", 4))
PEOPLE = 4


class Life:
    """The answers that one person has received, over all restarts of the server."""

    def __init__(self, number):
        self.number, self.count = number, 0
        self.name = self.password = self.wanted = self.token = None

    async def live(self, server):
        """Signs up and changes the password, again and again, until the server dies."""
        while True:
            self.count += 1
            name, password = f"p{self.number}-{self.count}", f"Strong-Horse-{self.number}-{self.count}"
            # Before anything can fail: `check` looks at this one next.
            self.name, self.password, self.wanted, self.token = name, None, password, None
            client = await guest(server)
            welcome = await client.ask("signUp", person(name, password=password))
            self.token, self.password = welcome["token"], password
            self.wanted = password + "y"
            self.token = (await client.ask("changePassword", {"current": password, "password": self.wanted}))["token"]
            self.password = self.wanted
            await client.close()

    async def check(self, server):
        """Checks that acknowledged changes hold and others are complete or absent."""
        client = await guest(server)
        accepted = []
        for password in {self.password, self.wanted} - {None}:
            try:
                await client.ask("signIn", {"login": self.name, "password": password})
                accepted.append(password)
                await client.ask("signOut")
            except Refused as refusal:
                assert refusal.code == "invalid_credentials"
        if self.password is not None:
            assert len(accepted) == 1, (self.name, accepted)
        elif not accepted:
            # The sign-up was lost as a whole: name and email are free.
            await client.ask("signUp", person(self.name, password="Horse-Again-777"))
        if self.token and self.password == self.wanted:
            assert (await Client.connect(server, token=self.token)).welcome["role"] == "general"
        await client.close()


@pytest.mark.seconds(60 + 3 * KILLS)
async def test_nothing_acknowledged_is_lost_and_no_mail_is_lost_or_doubled(start, tmp_path):
    mailbox, dice = Mailbox(tmp_path / "mail"), random.Random(12)
    settings = {
        "accounts__open": "false", "accounts__failuresMax": 1000, "storage__synchronous": "normal",
        "connections__messagesPerSecond": 1000, "connections__messagesBurst": 1000, **mailbox.settings, **MANY,
    }  # fmt: skip
    people = [Life(number) for number in range(PEOPLE)]
    for _ in range(KILLS):
        server = start(**settings)
        await asyncio.gather(*(one.check(server) for one in people if one.name))
        lives = [asyncio.create_task(one.live(server)) for one in people]
        await pause(dice.uniform(0.1, 1.2))
        server.kill()
        for outcome in await asyncio.gather(*lives, return_exceptions=True):
            assert isinstance(outcome, (Ended, OSError, websockets.WebSocketException)), outcome
    server = start(**settings)
    await asyncio.gather(*(one.check(server) for one in people))

    # Every account that there is got the one mail of its sign-up.
    async def is_empty():
        return "cairn_mails_waiting 0\n" in (await get(f"{server.http}/metrics"))[2]

    await eventually(is_empty, "the last mail")
    mails = [mail["To"] for mail in mailbox.mails() if "confirm" in mail["Subject"]]
    assert len(mails) == len(set(mails))
    names = {mail.split("@")[0] for mail in mails}
    client = await guest(server)
    everybody = [f"p{one.number}-{number}" for one in people for number in range(1, one.count + 1)]
    assert names >= set(everybody)
    # As many as one address may try in an hour.
    for name in dice.sample(everybody, min(900, len(everybody))):
        await refused("email_taken", client.ask("signUp", person(name)))
    print(f"\n{KILLS} kills, {sum(one.count for one in people)} accounts, {len(mails)} mails")
