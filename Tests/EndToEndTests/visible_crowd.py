"""People who share, leave, kick, block and are cut, for test_visibility.py; the oracle reads all that they get."""

import asyncio
import os
import random
from contextlib import asynccontextmanager

from cairn import Ended, Refused, away, pose
from visibility import Block, Oracle, Realm, Thing, item_of
from watched_device import Device

REALMS = int(os.environ.get("CAIRN_VISIBILITY_REALMS", 6))
WORKERS = 8
THINGS = 4  # of a person, at most
HOME = (48.8584, 2.2945)


class Person:
    def __init__(self, crowd, name):
        self.crowd, self.name = crowd, name
        self.id = self.token = self.session = ""
        self.device = None
        self.realm = ""  # selected
        self.spot = 0
        self.lock = asyncio.Lock()  # one step of a person at a time
        self.steps = 0  # that have it or wait for it

    @asynccontextmanager
    async def step(self):
        self.steps += 1
        try:
            async with self.lock:
                yield
        finally:
            self.steps -= 1

    async def connect(self, resuming=False):
        cursors = self.device.cursors if resuming else {}
        device = Device(self)
        await device.open(self.crowd.server.url)
        self.device, device.cursors = device, cursors
        hello = {"version": 1, "frontEnd": "bot", "sharePosition": True, "realm": self.realm}
        hello["cursors"] = list(cursors.values())
        hello |= {"token": self.token, "session": self.session} if resuming else {"name": self.name}
        welcome = await self.device.ask("hello", hello, key=False)
        self.id, self.token, self.session = welcome["account"], welcome["token"], welcome["session"]
        await self.stand(self.spot)

    async def stand(self, spot):
        self.spot = spot
        lat, lon = self.crowd.spots[spot]
        return await self.device.ask("position", {"lat": lat, "lon": lon, "h": 30.0}, key=False)

    async def cut(self):
        await self.device.cut()
        await self.connect(resuming=True)


class Crowd:
    def __init__(self, server, seed, leak_every=0):
        self.server, self.random = server, random.Random(seed)
        self.leak_every = leak_every  # each so many-th event of a sub-realm reaches everybody
        self.events = 0
        self.oracle = Oracle()
        self.locks = {}  # pair of accounts -> lock
        self.people, self.by_account, self.realms, self.things, self.spots = [], {}, [], [], []
        self.steps, self.done = 0, {}
        self.broken = None  # the first broken rule of the protocol
        self.absent = {}  # kind -> the refusal that a stranger gets

    async def open(self, people):
        # Neighbouring spots see each other.
        self.spots = [away(*HOME, east=150.0 * number) for number in range(max(4, people // 16))]
        for number in range(people):
            person = Person(self, f"person{number:04}")
            person.spot = number % len(self.spots)
            await person.connect()
            self.people.append(person)
            self.by_account[person.id] = person
            self.oracle.people.add(person.id)

    async def gather(self):
        """Makes everybody a member of all sub-realms, so that from the first step on there is much to be leaked."""
        for owner in self.people[:REALMS]:
            await self.create(owner)
        for realm in self.realms:
            for person in self.people:
                if person.id != realm.owner:
                    realm.known.add(person.id)
                    await self.by_account[realm.owner].device.ask("invite", {"realm": realm.id, "account": person.id})
                    realm.members.add(person.id)
                    await person.device.ask("answerInvitation", {"realm": realm.id, "accept": True})

    def leak(self, item, device):
        """What a server would do that sends an event of a sub-realm to connections without the right to it."""
        self.events += "/" in item["event"]["topic"]
        if self.leak_every and "/" in item["event"]["topic"] and self.events % self.leak_every == 0:
            for person in self.people:
                if person.device is not device:
                    self.oracle.judge(person.id, person.device, item_of(item))

    # MARK: Steps

    async def run(self, events):
        def is_over():
            # By chance the sub-realms have few members at times; what nobody may see is to be there to be seen.
            return self.steps >= events and (self.oracle.secrets > events / 2 or self.steps >= 4 * events)

        async def work():
            while not is_over():
                self.steps += 1
                await self.step()
                assert not self.oracle.leaks, self.oracle.leaks[0]
                if self.broken:
                    raise self.broken

        await asyncio.gather(*(work() for _ in range(WORKERS)))

    async def step(self):
        kinds = {
            self.place: 18, self.edit: 18, self.react: 14, self.select: 12, self.walk: 8, self.remove: 14, self.cut: 3,
            self.invite: 8, self.kick: 4, self.leave: 3, self.join: 4, self.create: 2, self.delete: 1, self.probe: 4,
            self.block: 4, self.take_out: 1,
        }  # fmt: skip
        kind = self.random.choices(list(kinds), kinds.values())[0]
        person = self.random.choice(self.people)
        async with person.step():
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
        # The world stays as large as it is: otherwise snapshots grow without end.
        if sum(thing.owner == person.id for thing in self.things) >= THINGS:
            return await self.remove(person)
        own = self.own_realms(person)
        realms = self.random.sample(own, min(len(own), self.random.choice([0, 1, 1, 2])))
        thing = Thing(person.id, realms, person.spot)
        marker = f"{self.random.getrandbits(60):013x}"[:13]
        self.oracle.add_thing(thing, marker)
        body = {"object": "preset:heart", "pose": pose(*self.spots[person.spot]), "text": marker}
        if realms:
            body["realms"] = [realm.id for realm in realms]
        thing.instance = (await person.device.ask("place", body))["instance"]
        self.oracle.add_thing(thing, thing.instance["id"])
        self.things.append(thing)

    async def edit(self, person):
        thing = self.some(thing for thing in self.things if thing.owner == person.id)
        if thing:
            body = {name: thing.instance[name] for name in ("cell", "version")}
            body |= {"instance": thing.instance["id"], "pose": pose(*self.spots[person.spot])}
            thing.instance = (await person.device.ask("edit", body))["instance"]
            thing.spot = person.spot

    def named(self, thing):
        return {"instance": thing.instance["id"], "cell": thing.instance["cell"]}

    async def react(self, person):
        if thing := self.some(thing for thing in self.things if thing.spot == person.spot):
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
        await person.stand(self.random.randrange(len(self.spots)))

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
            # Who is busy is not waited for with the realm's lock held: they may wait for that. A lock that has just
            # been released for the next one in its queue says that it is not locked.
            if other.steps:
                return  # the invitation stays
            async with other.step():
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
        """Asks the server whether a person is a member."""
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
            # Of the deleted ones the last are still asked for; the oracle knows all.
            deleted = [realm for realm in self.realms if realm.is_deleted]
            if len(deleted) > REALMS:
                self.realms.remove(deleted[0])
            for account in members:
                await self.ended(realm, self.by_account[account])

    async def take_out(self, person):
        realm = self.some(realm for realm in self.own_realms(person) if realm.owner == person.id)
        thing = realm and self.some(thing for thing in self.things if realm in thing.realms)
        if thing:
            await person.device.ask("takeOut", {"realm": realm.id, **self.named(thing)})

    async def block(self, person):
        """Blocks or unblocks somebody; who is blocked already asks in vain for a thing of the other."""
        own = [pair for pair, block in self.oracle.blocks.items() if person.id in block.by]
        other = self.random.choice([p for p in self.people if p is not person])
        kind = "block" if len(own) < 2 else "unblock"
        if kind == "unblock":
            other = self.by_account[next(iter(self.random.choice(own) - {person.id}))]
        pair = frozenset((person.id, other.id))
        async with self.locks.setdefault(pair, asyncio.Lock()):
            block = self.oracle.blocks.get(pair)
            if kind == "unblock":
                if block is None or person.id not in block.by:
                    return
                block.by.discard(person.id)
                if not block.by:
                    del self.oracle.blocks[pair]
                await person.device.ask("unblock", {"account": other.id})
                return
            if block is not None and person.id not in block.by:
                # Who is blocked is answered as about nobody, and tries a thing of the other as well.
                try:
                    await person.device.ask("block", {"account": other.id})
                    raise AssertionError("a blocked person has blocked in turn")
                except Refused as refusal:
                    assert refusal.code == "user_not_found", refusal.code
                await self.ask_in_vain(person, other)
                return
            await person.device.ask("block", {"account": other.id})
            block = self.oracle.blocks.setdefault(pair, Block())
            block.by.add(person.id)
            if not block.known:
                block.late = {person.device, other.device}
                block.known = True
                for device in list(block.late):
                    asyncio.create_task(self.fence(block, device))
            await self.ask_in_vain(person, other)

    async def fence(self, block, device):
        try:
            await device.ask("listBlocks", {}, key=False)
        except (Ended, Refused):
            pass
        block.late.discard(device)

    async def ask_in_vain(self, person, other):
        """A thing of an absent person is one that never was, word for word."""
        thing = self.some(t for t in self.things if t.owner == other.id and t.is_public and t.instance)
        if thing is None:
            return
        id, cell = thing.instance["id"], thing.instance["cell"]  # it may be carried on meanwhile
        for kind, more in (("select", {}), ("react", {"reaction": "like"})):
            words = []
            for instance in (id, "0000000000000"):
                body = {"instance": instance, "cell": cell, **more}
                try:
                    await person.device.ask(kind, body, key=kind == "react")
                    raise AssertionError(f"{kind} of an absent person's thing succeeded")
                except Refused as refusal:
                    words.append((refusal.code, refusal.message, refusal.component, str(refusal.details)))
            assert words[0] == words[1], words

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
