"""The promise of scopes, under everything at once: an oracle reads every byte that 24 people get (VIS-5, SUB-5, SUB-9).

The long form: CAIRN_VISIBILITY_EVENTS=1000000 CAIRN_VISIBILITY_PEOPLE=200 CAIRN_VISIBILITY_REALMS=50.
"""

import asyncio
import json
import os
import random
import time
import uuid

import pytest
import websockets

from cairn import Ended, Refused, away, pose
from visibility import Oracle, Realm, Thing

EVENTS = int(os.environ.get("CAIRN_VISIBILITY_EVENTS", 3_000))
PEOPLE = int(os.environ.get("CAIRN_VISIBILITY_PEOPLE", 24))
REALMS = int(os.environ.get("CAIRN_VISIBILITY_REALMS", 6))
SEED = int(os.environ.get("CAIRN_VISIBILITY_SEED", 7))
WORKERS = 8
HOME = (48.8584, 2.2945)
SPOTS = [away(*HOME, east=150.0 * n) for n in range(4)]
SETTINGS = {
    "accounts__privacy": "everyone", "placement__perMinute": 1_000_000, "placement__perDay": 1_000_000,
    "placement__changesPerDay": 10_000_000, "placement__areaQuota": 1_000, "reactions__perMinute": 1_000_000,
    "friends__blocksPerHour": 1_000_000, "friends__requestsPerHour": 1_000_000, "friends__requestsPerDay": 1_000_000,
    "realms__invitationsPerHour": 1_000_000, "realms__joinsPerHour": 1_000_000, "realms__perPersonMax": 1_000,
    "connections__messagesPerSecond": 10_000, "connections__messagesBurst": 10_000,
    "travel__cellsPerSecond": 1_000_000, "travel__cellsBurst": 1_000_000, "travel__speedMetresPerSecond": 1_000_000,
    "storage__synchronous": "normal",
}  # fmt: skip


class Device:
    """One connection of a person, with as little state as a resume needs."""

    def __init__(self, person, socket):
        self.person, self.socket = person, socket
        self.asked, self.cursors, self.number = {}, {}, 0
        self.listening = asyncio.create_task(self._listen())

    async def _listen(self):
        oracle, account = self.person.crowd.oracle, self.person
        try:
            async for text in self.socket:
                message = json.loads(text)
                assert message.keys() == {"items"}
                for item in message["items"]:
                    oracle.judge(account.id, self, json.dumps(item))
                    self._take(item)
        except websockets.ConnectionClosed:
            pass
        for answer in self.asked.values():
            if not answer.done():
                answer.set_exception(Ended("cut"))

    def _take(self, item):
        if "reply" in item:
            reply = item["reply"]
            answer = self.asked.pop(reply.get("id", 0), None)
            if answer is None or answer.done():
                return
            kind, result = next((kind, result) for kind, result in reply.items() if kind != "id")
            answer.set_exception(Refused(result)) if kind == "refusal" else answer.set_result(result)
        elif "event" in item:
            cursor = self.cursors.get(item["event"]["topic"])
            assert cursor, f"an event of a topic that is not followed: {item}"
            assert int(item["event"]["sequence"]) == int(cursor["sequence"]) + 1, f"a gap before {item}"
            cursor["sequence"] = item["event"]["sequence"]
        elif "snapshot" in item:
            self.cursors[item["snapshot"]["cursor"]["topic"]] = dict(item["snapshot"]["cursor"])
        elif "unfollowed" in item:
            self.cursors.pop(item["unfollowed"]["topic"], None)
        elif "resync" in item:
            self.cursors.pop(item["resync"]["topic"], None)

    async def ask(self, kind, body, key=True):
        self.number += 1
        answer = self.asked[self.number] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        message = {"id": self.number, kind: body}
        if key:
            message["key"] = uuid.uuid4().hex
        try:
            await self.socket.send(json.dumps(message))
        except websockets.ConnectionClosed:
            raise Ended("cut") from None
        return await asyncio.wait_for(answer, 60)


class Person:
    def __init__(self, crowd, name):
        self.crowd, self.name = crowd, name
        self.id = self.token = self.session = ""
        self.device = None
        self.realm = ""  # selected
        self.spot = 0
        self.lock = asyncio.Lock()  # one step of a person at a time

    async def connect(self, resuming=False):
        server = self.crowd.server
        socket = await websockets.connect(
            server.url, subprotocols=["cairn.v1.json"], compression=None, max_size=None, max_queue=None,
            ping_interval=None, open_timeout=60)  # fmt: skip
        cursors = self.device.cursors if resuming else {}
        self.device = Device(self, socket)
        self.device.cursors = cursors
        hello = {"version": 1, "frontEnd": "bot", "realm": self.realm, "cursors": list(cursors.values())}
        hello |= {"token": self.token, "session": self.session} if resuming else {"name": self.name}
        welcome = await self.device.ask("hello", hello, key=False)
        self.id, self.token, self.session = welcome["account"], welcome["token"], welcome["session"]
        await self.stand(self.spot)

    async def stand(self, spot):
        self.spot = spot
        lat, lon = SPOTS[spot]
        return await self.device.ask("position", {"lat": lat, "lon": lon, "h": 30.0}, key=False)

    async def cut(self):
        self.device.socket.transport.abort()
        await self.device.listening
        await self.connect(resuming=True)


class Crowd:
    def __init__(self, server, seed):
        self.server, self.random = server, random.Random(seed)
        self.oracle = Oracle()
        self.people, self.by_account, self.realms, self.things = [], {}, [], []
        self.steps, self.done = 0, {}
        self.absent = {}  # kind -> the refusal that a stranger gets

    async def open(self, people):
        for number in range(people):
            person = Person(self, f"person{number:04}")
            await person.connect()
            self.people.append(person)
            self.by_account[person.id] = person

    # MARK: Steps

    async def run(self, events):
        async def work():
            while self.steps < events:
                self.steps += 1
                await self.step()
                assert not self.oracle.leaks, self.oracle.leaks[0]

        await asyncio.gather(*(work() for _ in range(WORKERS)))

    async def step(self):
        kinds = {
            self.place: 18, self.edit: 18, self.react: 14, self.select: 12, self.walk: 8, self.remove: 14, self.cut: 3,
            self.invite: 8, self.kick: 4, self.leave: 3, self.join: 4, self.create: 2, self.delete: 1, self.probe: 4,
            self.block: 2, self.take_out: 1,
        }  # fmt: skip
        kind = self.random.choices(list(kinds), kinds.values())[0]
        person = self.random.choice(self.people)
        async with person.lock:
            try:
                await kind(person)
                self.done[kind.__name__] = self.done.get(kind.__name__, 0) + 1
            except Refused as refusal:
                allowed = {
                    "not_found", "version_conflict", "not_member", "forbidden", "try_again", "invite_not_found",
                    "already_member", "too_far", "user_not_found", "too_many_members", "cell_full", "quota_area",
                }  # fmt: skip
                assert refusal.code in allowed, f"{kind.__name__}: {refusal}"
            except Ended:
                await person.connect(resuming=True)

    def some(self, things):
        things = [thing for thing in things if thing]
        return self.random.choice(things) if things else None

    def own_realms(self, person):
        return [realm for realm in self.realms if person.id in realm.members and not realm.is_deleted]

    async def place(self, person):
        own = self.own_realms(person)
        realms = self.random.sample(own, min(len(own), self.random.choice([0, 1, 1, 2])))
        thing = Thing(person.id, realms)
        marker = f"{self.random.getrandbits(60):013x}"[:13]
        self.oracle.add_thing(thing, marker)
        body = {"object": "preset:heart", "pose": pose(*SPOTS[person.spot]), "text": marker}
        if realms:
            body["realms"] = [realm.id for realm in realms]
        thing.instance = (await person.device.ask("place", body))["instance"]
        self.oracle.add_thing(thing, thing.instance["id"])
        self.things.append(thing)
        if len(self.things) > 400:
            self.things.pop(0)

    async def edit(self, person):
        thing = self.some(thing for thing in self.things if thing.owner == person.id)
        if thing:
            body = {name: thing.instance[name] for name in ("cell", "version")}
            body |= {"instance": thing.instance["id"], "pose": pose(*SPOTS[person.spot])}
            thing.instance = (await person.device.ask("edit", body))["instance"]

    def named(self, thing):
        return {"instance": thing.instance["id"], "cell": thing.instance["cell"]}

    async def react(self, person):
        if thing := self.some(self.things):
            await person.device.ask("react", {**self.named(thing), "reaction": self.random.choice(["like", "wow", ""])})

    async def remove(self, person):
        thing = self.some(thing for thing in self.things if thing.owner == person.id)
        if thing:
            self.things.remove(thing)
            await person.device.ask("remove", self.named(thing))

    async def select(self, person):
        realm = self.some(self.own_realms(person) + [None, None])
        wanted = realm.id if realm else ""
        await person.device.ask("selectRealm", {"realm": wanted}, key=False)
        person.realm = wanted

    async def walk(self, person):
        await person.stand(self.random.randrange(4))

    async def cut(self, person):
        await person.cut()

    async def create(self, person):
        if len([realm for realm in self.realms if not realm.is_deleted]) >= REALMS:
            return
        realm = Realm(f"{self.random.getrandbits(60):013x}"[:13], person.id)
        realm.is_open = self.random.random() < 0.3
        self.oracle.add_realm(realm, realm.name)
        body = {"name": realm.name, "open": realm.is_open}
        realm.id = (await person.device.ask("createRealm", body))["id"]
        realm.lock = asyncio.Lock()
        self.oracle.add_realm(realm, realm.id)
        self.realms.append(realm)

    async def invite(self, person):
        realm = self.some(self.own_realms(person))
        other = self.random.choice(self.people)
        if realm is None or other is person:
            return
        async with realm.lock:
            realm.known.add(other.id)
            await person.device.ask("invite", {"realm": realm.id, "account": other.id})
            if other.lock.locked():
                return  # is busy; the invitation stays
            async with other.lock:
                accepts = self.random.random() < 0.8
                if accepts:
                    realm.members.add(other.id)
                try:
                    await other.device.ask("answerInvitation", {"realm": realm.id, "accept": accepts})
                except (Refused, Ended):
                    # Not decided, as far as the oracle knows: it looks.
                    await self.look(realm, other)
                    raise

    async def join(self, person):
        realm = self.some(r for r in self.realms if not r.is_deleted and person.id not in r.members)
        if realm is None:
            return
        async with realm.lock:
            if realm.is_open:
                realm.known.add(person.id)
                realm.members.add(person.id)
            try:
                await person.device.ask("joinRealm", {"realm": realm.id})
            except (Refused, Ended):
                await self.look(realm, person)
                raise

    async def look(self, realm, person):
        """Finds out whether somebody is a member after all."""
        while True:
            try:
                listed = await person.device.ask("listRealms", {}, key=False)
                break
            except Ended:
                await person.connect(resuming=True)
        standing = {entry["id"]: entry["standing"] for entry in listed.get("realms", [])}.get(realm.id)
        if standing not in ("owner", "member"):
            await self.ended(realm, person)

    async def ended(self, realm, person):
        """A right has ended: what arrives behind a later answer is a leak."""
        realm.members.discard(person.id)
        device = person.device
        realm.leaving.setdefault(person.id, set()).add(device)
        if person.realm == realm.id:
            person.realm = ""

        async def fence():
            try:
                await device.ask("listBlocks", {}, key=False)
            except (Ended, Refused):
                pass
            realm.leaving.get(person.id, set()).discard(device)

        asyncio.create_task(fence())

    async def kick(self, person):
        realm = self.some(realm for realm in self.own_realms(person) if realm.owner == person.id)
        other = realm and self.some(account for account in realm.members if account != person.id)
        if other is None:
            return
        async with realm.lock:
            if other in realm.members and realm.owner == person.id:
                await person.device.ask("removeMember", {"realm": realm.id, "account": other})
                await self.ended(realm, self.by_account[other])

    async def leave(self, person):
        realm = self.some(realm for realm in self.own_realms(person) if realm.owner != person.id)
        if realm is None:
            return
        async with realm.lock:
            if person.id in realm.members and realm.owner != person.id:
                await person.device.ask("leaveRealm", {"realm": realm.id})
                await self.ended(realm, person)

    async def delete(self, person):
        realm = self.some(realm for realm in self.own_realms(person) if realm.owner == person.id)
        if realm is None:
            return
        async with realm.lock:
            members = list(realm.members)
            await person.device.ask("deleteRealm", {"realm": realm.id})
            realm.is_deleted, realm.is_open = True, False
            for account in members:
                await self.ended(realm, self.by_account[account])

    async def take_out(self, person):
        realm = self.some(realm for realm in self.own_realms(person) if realm.owner == person.id)
        thing = realm and self.some(thing for thing in self.things if realm in thing.realms)
        if thing:
            await person.device.ask("takeOut", {"realm": realm.id, **self.named(thing)})

    async def block(self, person):
        other = self.random.choice(self.people)
        if other is not person:
            await person.device.ask(self.random.choice(["block", "unblock", "unblock"]), {"account": other.id})

    async def probe(self, person):
        """A stranger asks about a sub-realm; the answer is that about one that does not exist, word for word."""
        realm = self.some(r for r in self.realms if person.id not in r.known and not r.is_open)
        kind, body = self.random.choice([
            ("listMembers", {}), ("leaveRealm", {}), ("editRealm", {"name": "mine"}), ("deleteRealm", {}),
            ("joinRealm", {}), ("answerInvitation", {"accept": True}), ("selectRealm", {}),
        ])  # fmt: skip
        key = kind not in ("listMembers", "selectRealm")
        for id in (realm.id, "0000000000000") if realm else ():
            try:
                await person.device.ask(kind, {"realm": id, **body}, key=key)
                raise AssertionError(f"{kind} of a stranger succeeded")
            except Refused as refusal:
                words = (refusal.code, refusal.message, refusal.component, str(refusal.details), refusal.retry_after)
                assert self.absent.setdefault(kind, words) == words, f"{kind} tells that {id} exists: {words}"


async def run(start):
    crowd, began = Crowd(start(**SETTINGS), SEED), time.monotonic()
    await crowd.open(PEOPLE)
    await crowd.run(EVENTS)
    oracle = crowd.oracle
    print(f"\n{crowd.steps} steps of {PEOPLE} people in {time.monotonic() - began:.0f} s: {crowd.done}; "
          f"{oracle.items} messages read, {oracle.secrets} secrets in them, {len(oracle.leaks)} leaks")  # fmt: skip
    assert not oracle.leaks, oracle.leaks[:5]
    return crowd


@pytest.mark.seconds(120 if EVENTS < 10_000 else 7_200)
async def test_nothing_of_a_sub_realm_reaches_anybody_who_is_not_in_it(start):
    crowd = await run(start)
    assert crowd.oracle.secrets > EVENTS / 2
    assert set(crowd.done) >= {"place", "edit", "react", "select", "kick", "leave", "invite", "join", "cut", "delete"}


async def test_the_oracle_notices_what_does_not_belong_to_a_connection(start):
    crowd = Crowd(start(**SETTINGS), SEED)
    await crowd.open(2)
    member, stranger = crowd.people
    realm = Realm("c1c1c1c1c1c1c", member.id)
    realm.id = (await member.device.ask("createRealm", {"name": realm.name}))["id"]
    crowd.oracle.add_realm(realm, realm.name, realm.id)
    thing = Thing(member.id, [realm])
    crowd.oracle.add_thing(thing, "a1a1a1a1a1a1a")
    for text, leaks in [
        ('{"text": "a1a1a1a1a1a1a"}', True),
        (f'{{"realm": "{realm.id}"}}', True),
        (f'{{"name": "{realm.name}"}}', True),
        ('{"text": "b1a1a1a1a1a1a"}', False),
    ]:
        crowd.oracle.leaks.clear()
        crowd.oracle.judge(member.id, member.device, text)
        assert not crowd.oracle.leaks
        crowd.oracle.judge(stranger.id, stranger.device, text)
        assert bool(crowd.oracle.leaks) is leaks, text
