"""An observer of every byte that guests are sent learns nothing of anybody (SES-14).

Two runs that differ in one fact about somebody who has left nothing in public that guests may see, and reacted to
nothing: guests who were there before, one who comes after, in both formats, must receive the same bytes (told.py lists
renamed and ignored parts).
"""

import time

import pytest

from accounts import guest
from cairn import Client, Refused, away, pose
from operators import Desk
from server import Server
from test_absence import of
from told import BinaryEye, told, told_binary

SPOT = (51.5007, -0.1246)
GUESTS = "/v0000000000000"
NEVER = "0000000000zz0"  # an id that nothing has
SETTINGS = {
    "guests__look": "true", "connections__messagesPerSecond": 100_000, "connections__messagesBurst": 100_000,
    "placement__changesPerMinute": 1_000_000, "placement__changesPerDay": 10_000_000,
}  # fmt: skip
SELECT, READ_POST, LIST_TOURS = 23, 43, 152


class Run:
    """A separate server; a sign, somebody whose changes all guests see; and guests."""

    def __init__(self, folder):
        self.server = Server.start(folder, **SETTINGS)
        self.people, self.eyes, self.steps = [], [], 0

    async def begin(self):
        self.sign = await self.somebody("Sign")
        self.cell = await self.sign.stand_at(*SPOT)
        self.mark = await self.sign.place(pose(*SPOT), text="sign-0")
        self.post = await self.sign.make_post("a post")
        await self.sign.react(self.mark, "like")
        self.eye = await self.binary_eye()
        await self.eyes_open()
        await self.eyes_open()

    async def somebody(self, name, **more):
        self.people.append(await Client.connect(self.server, name, **more))
        return self.people[-1]

    async def binary_eye(self):
        eye = await BinaryEye.connect(self.server, "")
        await eye.stand_at(*SPOT)
        await eye.until(lambda: any(f"sign-{self.steps}".encode() in message for message in eye.messages))
        return eye

    async def eyes_open(self):
        eye = await guest(self.server)
        await eye.stand_at(*SPOT)
        await eye.until(lambda: eye.sees(self.mark) and eye.sees(self.post), "what is public")
        self.eyes.append(eye)

    async def told(self):
        """Waits until the messages about all earlier changes have arrived."""
        self.steps += 1
        text = f"sign-{self.steps}"
        self.mark = await self.sign.edit(self.mark, pose(*SPOT), text=text)
        for eye in self.eyes:
            await eye.until(lambda: eye.sees(self.mark).get("text") == text, "the sign")
        await self.eye.until(lambda: any(text.encode() in message for message in self.eye.messages))

    async def ask(self, *things):
        """Guests look at what they see, and for what they do not."""
        for eye in self.eyes:
            for asking in (
                eye.select(self.mark), eye.read_post(self.post), eye.ask("listTours"),
                *(eye.select(thing) for thing in things), *(eye.read_post(thing) for thing in things),
            ):  # fmt: skip
                try:
                    await asking
                except Refused:
                    pass
        for thing in (self.mark, *things):
            await self.eye.ask(SELECT, [(1, thing["id"]), (2, thing["cell"])])

    async def end(self):
        """The messages of each connection, of one that comes only now as well."""
        await self.eyes_open()
        late = await self.binary_eye()
        # The cells of a view come one by one.
        await self.eyes[-1].until(lambda: self.eyes[-1].topics.keys() >= self.eyes[0].topics.keys(), "the view")
        await late.until(lambda: told_binary(late).keys() >= told_binary(self.eye).keys() - {"answers", "others"})
        sent = [*map(told, self.eyes), told_binary(self.eye), told_binary(late)]
        for eye in (self.eye, late):
            await eye.close()
        for one in (*self.people, *self.eyes):
            await one.drop()
        self.server.kill()
        return sent


# MARK: - Facts


async def a_person_more(run, is_other):
    """They share where they are, walk, look at things, and go."""
    if is_other:
        ada = await run.somebody("Ada", sharePosition=True, shareAccuracy=0)
        for step in range(5):
            await ada.stand_at(*away(*SPOT, north=step))
        await ada.select(run.mark)
        await ada.ask("listReactions", {"instance": run.mark["id"], "cell": run.cell})
    await run.told()
    await run.ask()
    if is_other:
        await ada.close()
    await run.told()


async def a_private_thing(run, is_other):
    """It is of a sub-realm: left, changed, reacted to, and another one taken away again."""
    ada = await run.somebody("Ada")
    await ada.stand_at(*SPOT)
    realm = (await ada.ask("createRealm", {"name": "Walkers"}))["id"]
    thing = {"id": NEVER, "cell": run.cell}
    if is_other:
        thing = await ada.place(pose(*away(*SPOT, east=2)), text="private", realms=[realm])
        await ada.react(thing, "like")
        thing = await ada.edit(thing, pose(*away(*SPOT, east=3)))
        await ada.remove(await ada.place(pose(*away(*SPOT, east=4)), realms=[realm]))
    await run.told()
    await run.ask(thing)
    await run.told()


async def a_block(run, is_other):
    """Between two people who have left something, before and after."""
    ada, bob = await run.somebody("Ada", sharePosition=True), await run.somebody("Bob", sharePosition=True)
    for one in (ada, bob):
        await one.stand_at(*SPOT)
        await one.place(pose(*away(*SPOT, east=5)))
        await run.told()
    if is_other:
        await ada.ask("block", of(bob))
    for one in (ada, bob):
        thing = await one.place(pose(*away(*SPOT, east=6)))
        await run.told()
        await one.react(thing, "like")
        await run.told()
    await run.ask(thing)
    if is_other:
        await ada.ask("unblock", of(bob))
    await run.told()


async def somebody_who_hides(run, is_other):
    """They show guests nothing (PRF-5), and leave things, posts and votes among their own."""
    ada = await run.somebody("Ada")
    await ada.stand_at(*SPOT)
    await ada.ask("editProfile", {"guestsSee": False})
    thing = post = {"id": NEVER, "cell": run.cell}
    if is_other:
        thing, post = await ada.place(pose(*away(*SPOT, north=2)), text="mine"), await ada.make_post("mine")
        await ada.react(thing, "like")
        await ada.edit(thing, pose(*away(*SPOT, north=3)))
        await ada.remove(await ada.place(pose(*away(*SPOT, north=4))))
        await ada.ask("removePost", {"post": (await ada.make_post("gone"))["id"], "cell": run.cell})
    await run.told()
    await run.ask(thing, post)
    await run.told()


async def somebody_deleted(run, is_other):
    """They were here, had left something for a sub-realm, and delete the account."""
    ada = await run.somebody("Ada", sharePosition=True)
    await ada.stand_at(*SPOT)
    realm = (await ada.ask("createRealm", {"name": "Walkers"}))["id"]
    thing = await ada.place(pose(*SPOT), realms=[realm])
    await run.told()
    if is_other:
        await ada.ask("deleteAccount")
    await run.told()
    await run.ask(thing)
    await run.told()


async def somebody_suspended(run, is_other):
    """What they have left in public stays, as for everybody."""
    ada = await run.somebody("Ada", sharePosition=True)
    await ada.stand_at(*SPOT)
    thing = await ada.place(pose(*away(*SPOT, east=5)))
    await run.told()
    if is_other:
        async with await Desk.open(run.server) as desk:
            await desk.ask(f"ban {ada.welcome['account']} Shouting")
        await ada.until_ended()
    await run.told()
    await run.ask(thing)
    await run.told()


FACTS = {
    "a person more": a_person_more,
    "a private thing": a_private_thing,
    "a block": a_block,
    "somebody who hides": somebody_who_hides,
    "somebody deleted": somebody_deleted,
    "somebody suspended": somebody_suspended,
}


async def two_worlds(fact, folder):
    """What is sent in the one and in the other, within one hour: the times that guests are told are of the hour."""
    while True:
        hour, sent = int(time.time() // 3_600), []
        for is_other in (False, True):
            run = Run(folder / f"{hour}-{is_other}")
            await run.begin()
            await fact(run, is_other)
            sent.append(await run.end())
        if int(time.time() // 3_600) == hour:
            return sent


@pytest.mark.seconds(60)
@pytest.mark.parametrize("fact", FACTS)
async def test_nothing_of_anybody_reaches_a_guest(fact, tmp_path):
    one, other = await two_worlds(FACTS[fact], tmp_path)
    for number, (here, there) in enumerate(zip(one, other, strict=True)):
        assert here.keys() == there.keys(), f"connection {number}"
        for topic in here:
            assert here[topic] == there[topic], f"connection {number}, {topic}"


@pytest.mark.seconds(60)
async def test_a_guest_sees_what_is_public(tmp_path):
    """The same comparison detects a fact that is not secret, which proves that it can detect differences."""

    async def a_public_thing(run, is_other):
        if is_other:
            await run.sign.place(pose(*away(*SPOT, east=2)))
        await run.told()

    one, other = await two_worlds(a_public_thing, tmp_path)
    assert all(here != there for here, there in zip(one, other, strict=True))
