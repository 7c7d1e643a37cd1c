"""A world with everything in it: accounts, a suspension, a block, friends, sub-realms, placements, posts, votes,
reactions, settings, pictures, a tour, a run and a purchase."""

import sqlite3

from accounts import MANY, sign_in, sign_up
from cairn import Client, Refused, away, pose
from operators import Desk
from pictures import png, show
from test_friends import befriend, of
from test_purchases import buy
from test_runs import WALKING
from test_settings import settings
from test_shared import create
from test_tours import makers, published

SETTINGS = {
    "accounts__open": "false", "accounts__privacy": "everyone", "tours__createdPerHour": 1000, **WALKING, **MANY,
}  # fmt: skip
#: Tables that say no more than where a server was, or what it has still to do: a start itself changes them.
OWN = ("cairn_", "grdb_", "sqlite_")


async def fill(server, spot):
    """Returns what tests must know of it."""
    ada, bob = await sign_up(server, "ada"), await sign_up(server, "bob")
    eve, mallory = await sign_up(server, "eve"), await sign_up(server, "mallory")
    for one in (ada, bob):
        await one.stand_at(*spot)
    tree = await bob.place(pose(*spot), text="tree")
    for north in (2.0, 4.0, 6.0):
        await ada.place(pose(*away(*spot, north=north)), text="of ada")
    await ada.react(tree, "love")
    post = await bob.make_post("hello")
    await ada.vote(post, -1)
    await befriend(ada, bob)
    await ada.ask("block", of(mallory))
    await eve.ask("requestFriend", of(bob))
    garden = await create(ada, bob, name="Garden")
    await ada.place(pose(*away(*spot, north=8.0)), realms=[garden])
    await ada.ask("saveSettings", settings(accessibility__language="fr"))
    await ada.ask("sendFeedback", {"category": "idea", "text": "more hearts"}, key="feedback")
    await show(ada, png(seed=4))
    _, maker = await makers(server, "maker")
    tour = await published(maker)
    await buy(bob, tour, key="one")
    await bob.ask("startTour", {"tour": tour})
    async with await Desk.open(server) as desk:
        await desk.ask(f"ban {eve.welcome['account']} spam")
    await eve.until_ended()
    known = {"ada": ada, "bob": bob, "eve": eve, "mallory": mallory, "garden": garden, "post": post, "tour": tour}
    for one in (ada, bob, mallory, maker):
        await one.close()
    return known


def tables(path):
    """Rows of each table of the world, and the names of its columns."""
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {}
        for name in sorted(name for name in names if not name.startswith(OWN)):
            columns = database.execute(f"SELECT name, pk FROM pragma_table_info('{name}')").fetchall()
            found[name] = (columns, database.execute(f"SELECT * FROM {name}").fetchall())
        return found


async def faults(server, known):
    """Accounts that are lost and rights that are open, in a world that was damaged since `fill`."""
    found = []
    for name in ("ada", "bob", "mallory"):
        came = await Client.connect(server, token=known[name].welcome["token"])
        if came.welcome.get("name") != name:
            found.append(f"the token of {name} is none")
        await came.close()
        try:
            await sign_in(server, name)
        except Refused as refusal:
            found.append(f"{name} cannot sign in: {refusal.code}")
    try:
        came = await Client.connect(server, token=known["eve"].welcome["token"])
        if came.welcome["role"] != "guest":
            found.append("eve is suspended no more")
    except Refused:
        pass
    mallory = await Client.connect(server, token=known["mallory"].welcome["token"])
    try:
        await mallory.ask("readProfile", of(known["ada"]))
        found.append("mallory is blocked no more")
    except Refused:
        pass
    await mallory.close()
    return found
