"""Nothing of a run, a draft or a group reaches people outside of it (SES-13, TRM-6, TRM-11; issue 14, point 8).

Walkers, guides, makers and outsiders do things by chance; every message that anybody gets is then searched for the
marks of what they are no part of: ids, topics and codes that the server gave to others, and words that others wrote.

    CAIRN_ISOLATION_STEPS=3000 pytest Tests/EndToEndTests/test_tour_isolation.py -s         the long run
"""

import os
import random

import pytest

from accounts import sign_up
from cairn import Client, Refused
from swarm import pause
from test_runs import FREE, settings, stand, tour_of  # noqa: F401
from test_tours import makers, popup, stop, versions, words

STEPS = int(os.environ.get("CAIRN_ISOLATION_STEPS", "150"))
SEED = int(os.environ.get("CAIRN_ISOLATION_SEED", "11"))
#: Refusals that chance provokes.
COMMON = {
    "not_found", "forbidden", "already_member", "try_again", "version_conflict", "rate_limited", "space_full",
    "limit_reached", "read_only_tour",
}  # fmt: skip


class Person:
    """One person over all their connections, and since when they are no part of what has a mark."""

    def __init__(self, name, client):
        self.name, self.client = name, client
        self.connections = [client]
        self.lost = {}  # mark -> how many messages they had when they lost it
        self.searched = 0  # messages in which nothing was found

    @property
    def received(self):
        """Every message of every connection, in order."""
        return [message for one in self.connections for message in one.messages]

    async def ask(self, kind, body=None):
        """The answer; None for a refusal that chance provokes."""
        try:
            return await self.client.ask(kind, body or {})
        except Refused as refusal:
            assert refusal.code in COMMON, (self.name, kind, refusal)
            if refusal.code in ("try_again", "rate_limited"):
                await pause(min((refusal.retry_after or 0) / 1000, 0.2))
            return None


class World:
    """People, and the marks of what each of them is a part of."""

    def __init__(self, server, dice):
        self.server, self.dice = server, dice
        self.people = {}
        self.marks = {}  # mark -> names of those who were ever a part of it
        self.group = {}  # name -> their group as they joined it
        self.runs = {}  # name -> their run
        self.steps = {}

    def mark(self, text, *names):
        """From now on these people may read the text."""
        assert len(text) >= 8, text
        for name in names:
            self.marks.setdefault(text, set()).add(name)
            self.people[name].lost.pop(text, None)

    def unmark(self, text, name):
        """They may read it no longer."""
        self.people[name].lost[text] = len(self.people[name].received)

    def faults(self):
        """What anybody has got that is not theirs, in messages that were not searched before: a mark is never older
        than the message with it."""
        found = []
        received = {person.name: person.received for person in self.people.values()}
        for mark, owners in self.marks.items():
            for person in self.people.values():
                was = person.name in owners
                if was and mark not in person.lost:
                    continue
                # Who leaves a group is told that it is over for them, behind the answer.
                found += [
                    f"{person.name} got {mark}, which is of {owners}: {message[:300]}"
                    for message in received[person.name][max(person.searched, person.lost.get(mark, 0) if was else 0) :]
                    if mark in message and not (was and "groupEnded" in message)
                ]  # fmt: skip
        if not found:
            for person in self.people.values():
                person.searched = len(received[person.name])
        return found

    def unread(self):
        """Marks that no client has ever received: they would prove nothing."""
        texts = {name: "\n".join(person.received) for name, person in self.people.items()}
        return [mark for mark, owners in self.marks.items() if not any(mark in texts[name] for name in owners)]

    # MARK: What walkers do

    async def start(self, name, tour):
        if name in self.runs:
            return
        run = await self.people[name].ask("startTour", {"tour": tour})
        if run:
            self.runs[name] = run
            self.mark(run["id"], name)
            self.mark(run["topic"], name)

    async def walk(self, name):
        await stand(self.people[name].client, self.dice.uniform(-20, 220))

    async def open(self, name):
        group = await self.people[name].ask("openGroup", {"sharesPlace": self.dice.random() < 0.7})
        if group:
            self.group[name] = group
            self.mark(group["id"], name)
            self.mark(group["code"], name)

    async def join(self, name, guide):
        if name in self.group or guide not in self.group or "code" not in self.group[guide]:
            return
        group = self.group[guide]
        self.mark(group["id"], name)
        joined = await self.people[name].ask("joinGroup", {"code": group["code"], "sharesPlace": True})
        if joined:
            self.group[name] = joined
        elif not await self.is_in(group, name):
            self.unmark(group["id"], name)

    async def is_in(self, group, name):
        """The server's metrics."""
        theirs = await self.people[name].ask("getGroup")
        return theirs is not None and theirs["id"] == group["id"]

    async def leave(self, name):
        group = self.group.pop(name, None)
        if group is None:
            return
        if await self.people[name].ask("leaveGroup") is None:
            # They are in it, or it has ended, of which they are told.
            if await self.is_in(group, name):
                self.group[name] = group
            return
        # Without its guide it ends, and its members are told which.
        if "code" in group:
            for other in [one for one, theirs in self.group.items() if theirs["id"] == group["id"]]:
                del self.group[other]
        else:
            self.unmark(group["id"], name)

    async def cut(self, name):
        """The connection breaks and is taken up by another device."""
        person = self.people[name]
        await person.client.close()
        person.client = await Client.connect(self.server, token=person.client.welcome["token"])
        person.connections.append(person.client)
        await stand(person.client, self.dice.uniform(-20, 220))

    # MARK: What makers do

    async def edit(self, name, tour, owners):
        """Writes words that only users of the organisation may read, until they are published, which they are not."""
        secret = f"draft{self.dice.getrandbits(64):016x}"
        person = self.people[name]
        page = await person.ask("getTour", {"tour": tour, "draft": True})
        if page is None:
            return
        kind = self.dice.choice(["facts", "stop", "popup"])
        self.mark(secret, *owners)
        if kind == "facts":
            body = {"version": versions(page)["facts"], "facts": {**FREE, "description": words(secret)}}
            await person.ask("setTourFacts", {"tour": tour, **body})
        elif kind == "stop":
            await person.ask("setTourStop", {"tour": tour, "stop": stop(150, history=words(secret))})
        else:
            await person.ask("setTourPopup", {"tour": tour, "popup": popup(150, text=words(secret))})
        await person.ask("getTour", {"tour": tour, "draft": True})

    # MARK: What outsiders try

    async def pry(self, name, tour):
        """Asks for what is not theirs, and moves among those who walk."""
        person = self.people[name]
        for kind, body in (
            ("getTour", {"tour": tour, "draft": True}), ("exportTour", {"tour": tour, "draft": True}),
            ("getRun", {}), ("getGroup", {}), ("joinGroup", {"code": "ABCDEFGH"}), ("getTour", {"tour": tour}),
        ):  # fmt: skip
            if self.dice.random() < 0.3:
                await person.ask(kind, body)
        # It is silent about whether there is such a draft.
        await person.ask("openTour", {"tour": tour})
        await stand(person.client, self.dice.uniform(-20, 220))


async def people_of(world, server):
    """Two organisations, walkers on two tours, and people without either near them; the tours."""
    root, ada, bea = await makers(server, "ada", "bea")
    _, dan = await makers(server, "dan", organisation="Harbour Society", root=root)
    names = ("eve", "bob", "cat", "zed", "mallory", "sam")
    clients = {"ada": ada, "bea": bea, "dan": dan, **{name: await sign_up(server, name) for name in names}}
    world.people = {name: Person(name, client) for name, client in clients.items()}
    for person in world.people.values():
        await person.client.ask("share", {"position": True})
        await person.client.ask("editProfile", {"interactionsVisibleTo": "everyone"})
        await stand(person.client, 0)
    tours = await tour_of(ada, 100, 200, popups=(150,)), await tour_of(ada, 100)
    for name in ("ada", "bea"):
        await world.people[name].ask("openTour", {"tour": tours[0]})
    return tours


@pytest.mark.seconds(120 + STEPS)
async def test_nothing_of_a_run_a_draft_or_a_group_reaches_anybody_outside(start, settings):  # noqa: F811
    settings |= {
        "tours__codesPerHour": 1_000_000, "tours__editsPerMinute": 1_000_000, "tours__looksPerMinute": 1_000_000,
        "tours__publishedPerHour": 1_000_000, "tours__runChangesPerMinute": 1_000_000,
        "connections__messagesPerSecond": 1_000, "connections__messagesBurst": 10_000, "tours__partsMax": 1_000,
    }  # fmt: skip
    dice = random.Random(SEED)
    world = World(start(**settings), dice)
    first, second = await people_of(world, world.server)
    makers_of_it = ("ada", "bea")
    for name in ("eve", "bob", "cat"):
        await world.start(name, first)
    await world.start("zed", second)
    await world.open("eve")
    for number in range(STEPS):
        walker = dice.choice(["eve", "bob", "cat", "zed"])
        deed = dice.choice(["walk", "walk", "join", "leave", "open", "cut", "edit", "edit", "pry", "pry"])
        match deed:
            case "walk" | "cut":
                await getattr(world, deed)(walker)
            case "join":
                await world.join(walker, dice.choice(["eve", "bob", "cat", "zed"]))
            case "leave" | "open":
                await getattr(world, deed)(walker)
            case "edit":
                await world.edit(dice.choice(makers_of_it), first, makers_of_it)
            case "pry":
                await world.pry(dice.choice(["mallory", "sam", "dan"]), first)
        world.steps[deed] = world.steps.get(deed, 0) + 1
        if number % 50 == 49:
            assert not world.faults()
    await pause(2.5)
    assert not world.faults()
    assert not world.unread()
    # What is somebody else's is found.
    mark = world.runs["eve"]["id"]
    world.marks[mark], world.people["eve"].searched = {"sam"}, 0
    assert all(fault.startswith("eve got") for fault in world.faults()) and world.faults()
    print(f"{STEPS} deeds {world.steps}: {len(world.marks)} marks, "
          f"{sum(len(one.received) for one in world.people.values())} messages, none at the wrong person")  # fmt: skip
