"""Changes that the store refuses for good, cells that do not wake, and crashes during moves: no change that depends on
a refused one is acknowledged, and no instance stays locked."""

import asyncio
import random
import sqlite3

import swarm
from cairn import PATIENCE, Client, Refused, away, pose
from test_live_space import border_walk


def database(server):
    """A second connection to the database, for changes that no server makes."""
    return sqlite3.connect(server.folder / "cairn.sqlite", timeout=PATIENCE, isolation_level=None)


async def said(answer):
    """The outcome of a request: its result, or the code of its refusal."""
    try:
        return await asyncio.wait_for(answer, PATIENCE)
    except Refused as refusal:
        return refusal.code


async def test_what_stood_on_a_refused_change_is_refused_too_and_may_be_sent_again(start, spot):
    server = start()
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve")
    cell = await ada.stand_at(*spot)
    await eve.stand_at(*spot)
    await eve.view(cell)
    thing = await ada.place(pose(*spot))
    with database(server) as other:
        other.execute(
            # The smallest number has no absolute value. Triggers of the file do not run.
            "CREATE INDEX no_second ON instances "
            "(abs(CASE WHEN version = 3 THEN -9223372036854775807 - 1 ELSE version END))"
        )
    edits = [
        {"instance": thing["id"], "cell": cell, "version": version, "pose": pose(*spot, 30.0 + version)}
        for version in (1, 2, 3, 4)
    ]
    answers = [await ada.post("edit", edit, key=f"edit-{edit['version']}") for edit in edits]
    outcomes = [await said(answer) for answer in answers]
    assert outcomes[0]["instance"]["version"] == 2
    assert outcomes[1] in ("internal", "try_again"), outcomes[1]
    # They depend on the refused change: they are lost with it, or decided after the cell was loaded again.
    assert set(outcomes[2:]) <= {"try_again", "version_conflict"}, outcomes[2:]
    with database(server) as other:
        other.execute("DROP INDEX no_second")
        (version,) = other.execute("SELECT version FROM instances").fetchone()
    assert version == 2
    for edit in edits:
        answer = None
        while answer in (None, "try_again"):
            answer = await said(await ada.post("edit", edit, key=f"edit-{edit['version']}"))
        assert answer["instance"]["version"] == edit["version"] + 1, answer
    await eve.until(lambda: eve.sees(thing, 5), "the last edit")
    assert server.stop() == 0
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    assert (await ada.select(thing))["instance"]["version"] == 5


async def test_a_move_into_a_cell_that_does_not_wake_is_refused_and_the_thing_is_free(start):
    (lat, lon), _ = border_walk()
    west, east = away(lat, lon, east=-60), away(lat, lon, east=15)
    # The cell behind the border is out of view and within reach, so only the move wakes it.
    server = start(cells__viewRadiusMetres=20)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*west)
    thing = await ada.place(pose(*west))
    with database(server) as other:
        other.execute("ALTER TABLE instances RENAME TO elsewhere")
    assert await said(await ada.post("edit", edit_of(thing, east), key="move")) == "try_again"
    with database(server) as other:
        other.execute("ALTER TABLE elsewhere RENAME TO instances")
    answer = None
    while answer in (None, "try_again"):
        answer = await said(await ada.post("edit", edit_of(thing, east), key="move"))
    assert answer["instance"]["version"] == 2 and answer["instance"]["cell"] != thing["cell"]


def edit_of(thing, to):
    return {"instance": thing["id"], "cell": thing["cell"], "version": thing["version"], "pose": pose(*to)}


async def move_for_ever(client, thing, places):
    """Moves an instance to and fro until the connection ends; `thing` is its last acknowledged state."""
    while True:
        for place in places:
            try:
                answer = await client.ask("edit", edit_of(thing, place), key=f"{thing['id']}-{thing['version']}")
            except Refused as refusal:
                assert refusal.code == "try_again", refusal
            except (EOFError, OSError, AssertionError):
                return
            else:
                thing |= answer["instance"]


async def test_kill_9_amid_moves_leaves_each_thing_in_one_cell_and_free(start):
    (lat, lon), _ = border_walk()
    places = [away(lat, lon, east=15), away(lat, lon, east=-15)]
    settings = {"placement__perMinute": 1000, "placement__perDay": 1000, "connections__messagesPerSecond": 100_000,
                "connections__messagesBurst": 100_000, "placement__changesPerMinute": 1_000_000,
                "placement__changesPerDay": 10_000_000}  # fmt: skip
    server, things, chance = start(**settings), [], random.Random(10)
    for round in range(4):
        ada = await Client.connect(server, "Ada")
        await ada.stand_at(lat, lon)
        if not things:
            things = [dict(await ada.place(pose(*places[1]))) for _ in range(12)]
        movers = [asyncio.create_task(move_for_ever(ada, thing, places)) for thing in things]
        await swarm.pause(chance.uniform(0.2, 0.6))
        server.kill()
        await asyncio.wait(movers, timeout=PATIENCE)
        server = start(**settings)
        ada = await Client.connect(server, "Ada")
        cells = {await ada.stand_at(*place) for place in places}
        await ada.view(*cells)
        for thing in things:
            found = await at_rest(ada, thing)
            assert len(found) == 1, f"{thing['id']} is in {len(found)} cells"
            assert found[0]["version"] in (thing["version"], thing["version"] + 1), "an acknowledged move is lost"
            thing |= found[0]
        for thing in things:
            thing |= (await ada.ask("edit", edit_of(thing, places[round % 2])))["instance"]


async def at_rest(client, thing):
    """The cell of an instance when no move of it is under way any more: a move continues after a crash."""
    while True:
        found = [instance for topic in client.topics.values() for instance in topic.instances.values()
                 if instance["id"] == thing["id"]]  # fmt: skip
        reaction = {"instance": thing["id"], "cell": found[0]["cell"], "reaction": "like"}
        if len(found) != 1 or isinstance(await said(await client.post("react", reaction)), dict):
            return found


async def test_an_answer_that_was_damaged_on_the_disk_is_refused_for_good_and_nothing_is_done_twice(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    thing = await ada.place(pose(*spot), key="first")
    await ada.place(pose(*spot), key="second")
    assert server.stop() == 0
    with database(server) as other:
        (first,) = other.execute("SELECT min(rowid) FROM kept_answers").fetchone()
        other.execute("UPDATE kept_answers SET sealed = zeroblob(80) WHERE rowid = ?", (first,))
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    for _ in range(3):
        try:
            await ada.place(pose(*spot), key="first")
            raise AssertionError("the answer was found")
        except Refused as refused:
            assert (refused.code, refused.retry_after) == ("answer_lost", None), refused
    # The other answer is still valid, and the instance itself exists once.
    await ada.place(pose(*spot), key="second")
    await ada.until(lambda: ada.sees(thing), "the thing")
    assert len(ada.everything()) == 2
    server.logged("damaged row: kept_answers")
    assert server.log().count("damaged row: kept_answers") == 1, server.log()
