"""The first start of this server on a world of 31b2703d whose tour is larger than a draft may be today (DAT-9, TRM-3,
TRM-9): it is read and walked as before, made smaller, and published.

`worlds/31b2703d.*` are the files of that server. Ada has published a tour of 91,265 bytes, which Eve is walking: three
of seven stops are reached. Bob has placed a tree, which Eve loves, and has posted, for which Eve has voted; the two are
friends and in a sub-realm. Eve has blocked Cat. The clock is that of the day when it was made, so that the post is seen
and tokens are good.
"""

import hashlib
import json
import lzma
import pathlib
import shutil
import sqlite3
import subprocess
import time

import pytest

from accounts import MANY, PASSWORD, sign_in
from cairn import PATIENCE, Client, totals
from server import run
from swarm import pause
from test_friends import friends, of
from test_live_space import refused
from test_runs import WALKING, reached
from test_shared import members, select
from test_tours import content, versions, words

WORLDS = pathlib.Path(__file__).parent / "worlds"
#: The least that can be set.
DRAFT = 65_536
SETTINGS = {
    "accounts__open": "false", "accounts__privacy": "everyone", "posts__reachMetres": 200,
    "tours__draftBytesMax": DRAFT, **WALKING, **MANY,
}  # fmt: skip


@pytest.fixture
def world(start, tmp_path):
    """A server on a copy of that world, and what its clients knew."""
    known = json.loads((WORLDS / "31b2703d.json").read_text())
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    (folder / "cairn.sqlite").write_bytes(lzma.decompress((WORLDS / "31b2703d.db.xz").read_bytes()))
    shutil.copyfile(WORLDS / "31b2703d.key", f"{folder}.key")
    pathlib.Path(f"{folder}.key").chmod(0o600)
    sound(folder)
    source, library = pathlib.Path(__file__).with_name("set_clock.c"), tmp_path / "set_clock.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True, timeout=PATIENCE)
    (tmp_path / "seconds").write_text(f"{int(known['made'] + 60 - time.time())}\n")
    clock = {"LD_PRELOAD": str(library), "WRONG_CLOCK": str(tmp_path / "seconds")}
    return lambda: start(folder=folder, env=clock, **SETTINGS), known


def sound(folder):
    told = run("verify", "--data", folder, "--set", f"storage.keyFile={folder}.key")
    assert told.returncode == 0, told


def kept(server):
    """The versions of tours on disk."""
    database = sqlite3.connect(server.folder / "cairn.sqlite")
    try:
        return [version for (version,) in database.execute("SELECT version FROM tour_versions ORDER BY version")]
    finally:
        database.close()


async def people(server, known):
    return [await Client.connect(server, token=known["tokens"][name], called=name) for name in known["tokens"]]


async def stand_until_reached(client, place, count):
    """Stands at a place until it counts; the newest run of as many events."""
    for _ in range(5):
        await client.ask("position", {**place, "h": 30.0})
        await pause(0.2)
    return (await reached(client, count))[-1]


async def test_people_things_and_posts_are_as_they_were(world):
    again, known = world
    server = again()
    ada, eve, bob, cat = await people(server, known)
    assert [one.welcome["account"] for one in (ada, eve, bob, cat)] == list(known["accounts"].values())
    assert (await sign_in(server, "cat", PASSWORD)).welcome["account"] == known["accounts"]["cat"]
    await bob.stand_at(*known["spot"])
    things = {known["tree"], known["post"], *known["things"]}

    def seen_by(client):
        return {name: one for topic in client.topics.values() for name, one in topic.instances.items()}

    await bob.until(lambda: len(seen_by(bob)) == len(things), "things and post")
    seen = seen_by(bob)
    assert set(seen) == things
    assert totals(seen[known["tree"]]) == {"love": 1}
    assert seen[known["post"]]["text"] == "hello from before" and seen[known["post"]]["post"]["score"] == 1
    assert await members(eve, known["garden"]) == ["eve", "bob"] and await friends(bob) == ["eve"]
    await select(bob, known["garden"])
    await bob.until(lambda: len(seen_by(bob)) == 1 and not set(seen_by(bob)) & things, "the thing of the sub-realm")
    await refused("user_not_found", cat.ask("readProfile", of(eve)))
    assert server.stop() == 0
    sound(server.folder)


@pytest.mark.seconds(120)
async def test_a_tour_larger_than_now_is_walked_made_smaller_and_published(world):
    again, known = world
    server = again()
    ada, eve, bob, cat = await people(server, known)
    tour = {"tour": known["tour"]}
    # Read by everybody, bit for bit, also by its makers.
    assert [one["id"] for one in (await cat.ask("listTours", {"near": known["start"]}))["tours"]] == [known["tour"]]
    whole = (await content(cat, known["tour"]))[1]
    assert hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest() == known["content"]
    drafted = (await content(ada, known["tour"], draft=True))[1]
    assert drafted["stops"] == whole["stops"]
    # Walked on from where the walker was, also over a kill.
    now = await eve.ask("getRun")
    assert {name: now[name] for name in known["run"]} == known["run"]
    assert (await eve.ask("getRunContent"))["pages"] > 1
    run_of_eve = await stand_until_reached(eve, known["stops"][3], 1)
    assert run_of_eve["reached"] == 4 and run_of_eve["last"]["history"] == whole["stops"][3]["history"]
    server.kill()
    server = again()
    ada, eve, bob, cat = await people(server, known)
    assert (await eve.ask("getRun"))["reached"] == 4
    # Another one begins on the same version; the first one leaves.
    await bob.ask("position", {**known["start"], "h": 30.0})
    assert (await bob.ask("startTour", tour))["version"] == known["run"]["version"]
    assert (await eve.ask("leaveRun"))["reached"] == 4
    # Nothing new for nothing changed; not larger, but smaller; published once it fits.
    assert (await ada.ask("publishTour", tour))["version"] == 1 and kept(server) == [1]
    parts = versions(await ada.ask("getTour", {**tour, "draft": True}))
    larger = {**drafted["stops"][0], "alternative": words("A gate of stone. " * 100)}
    body = {**tour, "version": parts[larger["id"]], "stop": larger}
    assert (await refused("space_full", ada.ask("setTourStop", body))).details["limit"] == str(DRAFT)
    for number, one in enumerate(drafted["stops"]):
        shorter = {**one, "history": words("It was the first.")}
        await ada.ask("setTourStop", {**tour, "version": parts[one["id"]], "stop": shorter})
        if number == 0:
            await refused("space_full", ada.ask("publishTour", tour))
    assert (await ada.ask("publishTour", tour))["version"] == 2
    # Who walks the old version goes on with its texts, and who begins has the new one.
    run_of_bob = await stand_until_reached(bob, known["stops"][0], 1)
    assert run_of_bob["version"] == 1 and run_of_bob["last"]["history"] == whole["stops"][0]["history"]
    await cat.ask("position", {**known["start"], "h": 30.0})
    assert (await cat.ask("startTour", tour))["version"] == 2
    assert (await stand_until_reached(cat, known["stops"][0], 1))["last"]["history"] == words("It was the first.")
    assert kept(server) == [1, 2]
    assert server.stop() == 0
    sound(server.folder)
