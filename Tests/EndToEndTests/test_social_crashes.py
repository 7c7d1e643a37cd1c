"""The server dies amid sub-realms, invitations, kicks, friends, blocks and deletions of accounts (SUB-1, SUB-6, SUB-8,
FRD-2, FRD-7, CMP-3, DAT-2, DAT-3, NTF-1).

The long form: CAIRN_KILLS=200 pytest -s test_social_crashes.py
"""

import asyncio
import os
import random
import uuid
from collections import Counter

import pytest
import websockets

from cairn import Client, Ended, Refused, eventually, pose
from server import get, run
from swarm import pause
from test_live_space import refused
from test_notifications import listed

KILLS = int(os.environ.get("CAIRN_KILLS", 4))
CIRCLES = 4
SPOT = (48.8584, 2.2945)
LIMITS = {
    "realms__invitationsPerHour": 1_000_000, "realms__joinsPerHour": 1_000_000, "realms__perPersonMax": 1_000,
    "friends__looksPerMinute": 1_000_000,
    "friends__blocksPerHour": 1_000_000, "friends__requestsPerHour": 1_000_000, "friends__requestsPerDay": 1_000_000,
    "connections__messagesPerSecond": 1_000, "connections__messagesBurst": 1_000, "notifications__countMax": 100_000,
    "storage__synchronous": "normal",
}  # fmt: skip


class Circle:
    """Three people, and what they were told of each other over the lives of the server."""

    def __init__(self, number, dice):
        self.number, self.dice = number, dice
        self.clients = self.ids = None
        self.pending = None  # (who, kind, body, key) without an answer
        self.realm = None
        self.standing = None  # of the guest in the sub-realm
        self.friends = None  # None, "asked" or "friends": owner and guest
        self.blocked = False  # the stranger, by the owner
        self.told = {"realm_invitation": 0, "realm_removed": 0, "friend_request": 0}
        self.steps = 0

    async def connect(self, server):
        roles = ("owner", "guest", "stranger")
        clients = [await Client.connect(server, f"{role}{self.number}") for role in roles]
        self.clients = dict(zip(roles, clients))
        self.ids = {role: client.welcome["account"] for role, client in self.clients.items()}

    def next_step(self):
        guest = {"account": self.ids["guest"]}
        kinds = [("owner", "unblock" if self.blocked else "block", {"account": self.ids["stranger"]})]
        if self.friends is None:
            kinds.append(("owner", "requestFriend", guest))
        elif self.friends == "asked":
            kinds.append(("guest", "answerFriendRequest", {"account": self.ids["owner"], "accept": True}))
        else:
            kinds.append(("owner", "unfriend", guest))
        if self.realm is None:
            kinds.append(("owner", "createRealm", {"name": f"Circle {self.number}"}))
        else:
            realm = {"realm": self.realm}
            kinds.append(("owner", "deleteRealm", realm))
            if self.standing is None:
                kinds += [("owner", "invite", realm | guest)] * 3
            elif self.standing == "invited":
                kinds += [("guest", "answerInvitation", realm | {"accept": True})] * 3
            else:
                kinds += [("owner", "removeMember", realm | guest), ("guest", "leaveRealm", realm)]
        return self.dice.choice(kinds)

    def note(self, kind, answer):
        """Records an acknowledged change."""
        match kind:
            case "block" | "unblock":
                self.blocked = kind == "block"
            case "requestFriend":
                self.friends = "asked"
                self.told["friend_request"] += 1
            case "answerFriendRequest":
                self.friends = "friends"
            case "unfriend":
                self.friends = None
            case "createRealm":
                self.realm, self.standing = answer["id"], None
            case "invite":
                self.standing = "invited"
                self.told["realm_invitation"] += 1
            case "answerInvitation":
                self.standing = "member"
            case "leaveRealm":
                self.standing = None
            case "removeMember":
                self.standing = None
                self.told["realm_removed"] += 1
            case "deleteRealm":
                self.realm = self.standing = None

    async def live(self):
        """One change after another, until the server dies."""
        while True:
            who, kind, body = self.next_step()
            self.pending = (who, kind, body, uuid.uuid4().hex)
            self.note(kind, await self.clients[who].ask(kind, body, key=self.pending[3]))
            self.pending = None
            self.steps += 1

    async def check(self, server):
        """Acknowledged changes hold. Others are complete or absent: sent again with their key they are applied once."""
        await self.connect(server)
        if self.pending:
            who, kind, body, key = self.pending
            self.note(kind, await self.clients[who].ask(kind, body, key=key))
            self.pending = None
        owner, guest = self.clients["owner"], self.clients["guest"]
        for client, standing in ((owner, self.realm and "owner"), (guest, self.standing)):
            realms = (await client.ask("listRealms")).get("realms", [])
            wanted = [(self.realm, standing)] if standing else []
            assert [(entry["id"], entry["standing"]) for entry in realms] == wanted, self.number
        blocks = (await owner.ask("listBlocks")).get("users", [])
        assert [user["account"] for user in blocks] == [self.ids["stranger"]] * self.blocked
        friends = await guest.ask("listFriends")
        assert len(friends.get("friends", [])) == (self.friends == "friends")
        assert len(friends.get("received", [])) == (self.friends == "asked")

    async def check_notifications(self):
        """Each of the guest's is there once."""
        counts = Counter(entry["kind"] for entry in await listed(self.clients["guest"]))
        assert {kind: counts[kind] for kind in self.told} == self.told, self.number


class Leavers:
    """People who come, place something, ask somebody to be their friend, and delete their account."""

    def __init__(self):
        self.count = 0
        self.gone = []  # names and accounts whose deletion was acknowledged

    async def live(self, server, friend):
        while True:
            self.count += 1
            name = f"leaver{self.count}"
            client = await Client.connect(server, name)
            await client.stand_at(*SPOT)
            await client.place(pose(*SPOT))
            await client.ask("requestFriend", {"account": friend})
            await client.ask("deleteAccount")
            self.gone.append((name, client.welcome["account"]))
            await client.close()

    async def check(self, server, friend):
        """Nothing of those who are gone is there, and nothing is half deleted."""
        await eventually_deleted(server)
        listed = (await friend.ask("listFriends")).get("received", [])
        assert not {entry["user"]["account"] for entry in listed} & {account for _, account in self.gone}
        for name, account in self.gone[-20:]:
            await refused("user_not_found", friend.ask("readProfile", {"account": account}))
            with pytest.raises(Refused):
                await Client.connect(server, name)  # the name is reserved


async def eventually_deleted(server):
    async def is_done():
        return "cairn_deletions_waiting 0\n" in (await get(f"{server.http}/metrics"))[2]

    await eventually(is_done, "the end of the deletions", 60)


@pytest.mark.seconds(120 + 3 * KILLS)
async def test_nothing_acknowledged_among_people_is_lost_and_nothing_is_half_done(start):
    dice = random.Random(31)
    circles = [Circle(number, dice) for number in range(CIRCLES)]
    leavers = Leavers()
    for _ in range(KILLS):
        server = start(**LIMITS)
        await asyncio.gather(*(circle.check(server) for circle in circles))
        lives = [asyncio.create_task(circle.live()) for circle in circles]
        lives.append(asyncio.create_task(leavers.live(server, circles[0].ids["stranger"])))
        await pause(dice.uniform(0.1, 1.0))
        server.kill()
        for outcome in await asyncio.gather(*lives, return_exceptions=True):
            assert isinstance(outcome, (Ended, OSError, websockets.WebSocketException)), outcome
    server = start(**LIMITS)
    await asyncio.gather(*(circle.check(server) for circle in circles))
    await leavers.check(server, circles[0].clients["stranger"])
    for circle in circles:
        await circle.check_notifications()
    server.stop()
    assert run("verify", "--data", server.folder, "--set", f"storage.keyFile={server.folder}.key").returncode == 0
    steps = sum(circle.steps for circle in circles)
    print(f"\n{KILLS} kills, {steps} changes acknowledged, {len(leavers.gone)} of {leavers.count} accounts deleted: "
          f"{[circle.told for circle in circles]}")  # fmt: skip
