"""The server dies amid requests for organisation accounts and the decisions about them (ORG-1 to ORG-3, ROL-3, DAT-3).

The long form: CAIRN_KILLS=200 pytest -s test_organisation_crashes.py
"""

import asyncio
import os
import random

import pytest
import websockets

from accounts import MANY, guest, person
from cairn import Client, Ended, Refused
from operators import Desk
from swarm import pause
from test_notifications import notified
from test_roles import audit

KILLS = int(os.environ.get("CAIRN_KILLS", 4))
PEOPLE = 4


class Life:
    """One person who asks, is decided about and leaves, over the lives of the server."""

    def __init__(self, number):
        self.name, self.token, self.dice = f"person{number}", None, random.Random(number)
        #: Answered decisions about this person, and whether one had no answer.
        self.decided, self.is_open, self.unanswered = 0, None, False

    async def begin(self, server):
        client = await guest(server)
        self.token = (await client.ask("signUp", person(self.name)))["token"]
        await client.close()

    async def live(self, server, desk):
        """Asks, is decided about and leaves, again and again, until the server dies."""
        client = await Client.connect(server, token=self.token)
        while True:
            # The audit log is read whole, and its list ends at 1,000.
            await pause(0.01)
            role = await self.role(client)
            if role == "organisation":
                await client.ask("leaveOrganisation")
                continue
            try:
                name = f"House {self.dice.randrange(3)}"
                await client.ask("requestOrganisation", {"name": name, "justification": "x"})
            except Refused as refusal:
                assert refusal.code == "request_pending"
            requests = (await desk.ask("organisations"))["requests"]
            mine = [one["request"] for one in requests if one["account"] == client.welcome["account"]]
            assert len(mine) == 1, "an acknowledged request is there"
            self.unanswered = True
            if self.dice.random() < 0.5:
                await desk.ask(f"organisation-accept {mine[0]}")
            else:
                await desk.ask(f"organisation-deny {mine[0]} no")
            self.unanswered, self.decided = False, self.decided + 1

    async def role(self, client):
        return "organisation" if "organisation" in await client.ask("getOrganisation") else "general"

    async def check(self, server, desk):
        """Role, membership, request, audit log and notifications tell the same story."""
        client = await Client.connect(server, token=self.token)
        own = await client.ask("getOrganisation")
        assert (client.welcome["role"] == "organisation") == ("organisation" in own), own
        assert client.welcome.get("organisation") == own.get("organisation")
        entries = [entry["what"] for entry in await audit(desk, self.name)]
        decisions = [what for what in entries if what in ("organisation_accept", "organisation_deny")]
        assert len(decisions) in (self.decided, self.decided + self.unanswered), entries
        self.decided, self.unanswered = len(decisions), False
        # One that was accepted and has not left is a member, and nobody else is.
        comings = [what for what in entries if what in ("organisation_accept", "organisation_leave")]
        assert ("organisation" in own) == (comings[:1] == ["organisation_accept"]), entries
        for before, after in zip(comings[1:], comings):
            assert before != after, entries
        told = [one["kind"] for one in (await self.notifications(client))]
        assert len(told) == len(decisions), (told, entries)
        await client.close()

    async def notifications(self, client):
        found, after = [], ""
        while True:
            page = await client.ask("listNotifications", {"count": 100, "after": after})
            found += page.get("notifications", [])
            after = page.get("next", "")
            if not after:
                return found


@pytest.mark.seconds(60 + 4 * KILLS)
async def test_no_request_and_no_decision_is_lost_doubled_or_half_done(start):
    """ORG-1, ORG-2, ORG-3, ROL-3: what was acknowledged holds; what was not is whole or absent."""
    dice = random.Random(14)
    settings = {
        "accounts__open": "false", "storage__synchronous": "normal", "accounts__organisationRequestsPerHour": 1000,
        "notifications__countMax": 10000, "connections__messagesPerSecond": 1000,
        "connections__messagesBurst": 1000, **MANY,
    }  # fmt: skip
    people = [Life(number) for number in range(PEOPLE)]
    server = start(**settings)
    await asyncio.gather(*(one.begin(server) for one in people))
    for _ in range(KILLS):
        desks = [await Desk.open(server) for _ in people]
        lives = [asyncio.create_task(one.live(server, desk)) for one, desk in zip(people, desks)]
        await pause(dice.uniform(0.3, 1.5))
        server.kill()
        for outcome in await asyncio.gather(*lives, return_exceptions=True):
            dead = (Ended, OSError, EOFError, ValueError, websockets.WebSocketException)
            assert isinstance(outcome, dead) and not isinstance(outcome, AssertionError), outcome
        server = start(**settings)
        async with await Desk.open(server) as desk:
            for one in people:
                await one.check(server, desk)
    print(f"\n{KILLS} kills, {sum(one.decided for one in people)} decisions")
