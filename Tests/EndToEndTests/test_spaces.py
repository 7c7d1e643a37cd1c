"""Spaces: people in them are nowhere else (SES-13, invariants 7 and 8).

Over real sockets, with runs of tours as spaces; what a run does is in test_runs.py.
"""

import asyncio

from accounts import PASSWORD
from cairn import Client, eventually, pose
from operators import Desk
from server import Server
from swarm import pause
from test_runs import events, reached, settings, stand, tour_of, walk, walker, world  # noqa: F401
from test_tours import makers, point


def cells(client):
    """The cells whose topics a client follows."""
    return {name for name in client.topics if not name.startswith(("space:", "account:", "realm:"))}


def spaces(client):
    return {name for name in client.topics if name.startswith("space:")}


async def enter(client, tour):
    return await client.ask("startTour", {"tour": tour})


async def test_who_is_in_a_space_follows_no_cell_and_is_seen_in_none(world):
    """SES-13: entering takes every device out of the world, leaving gives it back with a fresh snapshot."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    bea = await walker(world, "bea")
    eve = await walker(world)
    other = await Client.connect(world, token=eve.welcome["token"], sharePosition=True)
    await stand(other, 3)

    def seen():
        return {person.name for people in bea.people.values() for person in people.values()}

    await bea.until(lambda: "eve" in seen(), "the person")
    heart = await bea.place(pose(**point(5)))
    await eve.until(lambda: heart["id"] in eve.topics.get(heart["cell"]).instances, "the thing")
    run = await enter(eve, tour)
    await bea.until(lambda: "eve" not in seen(), "that the person is gone")
    for device in (eve, other):
        await device.until(lambda: spaces(device) == {run["topic"]} and not cells(device), "the space alone")
    # Positions go to the space: nobody in the world learns of them, and no cell is followed again.
    heard = len(bea.items)
    for step in range(5):
        await stand(eve, 5 + step)
        assert await stand(other, 5 + step) == {}
    flag = await bea.place(pose(**point(8)))
    await pause(0.3)
    assert not cells(eve) and not cells(other)
    assert "'eve'" not in str(bea.items[heard:]) and flag["id"] not in str(eve.items) + str(other.items)
    snapshots = {name: topic.snapshots for name, topic in eve.topics.items()}
    await eve.ask("leaveRun")
    for device in (eve, other):
        await device.until(
            lambda: not spaces(device) and {heart["id"], flag["id"]}
            <= {name for cell in cells(device) for name in device.topics[cell].instances},
            "the world",
        )  # fmt: skip
    await bea.until(lambda: "eve" in seen(), "that the person is back")
    assert snapshots == {run["topic"]: 1}


async def test_a_space_is_joined_and_resumed_as_a_cell_is(world):
    """SES-13, SES-7: snapshot, numbered changes, cursor; another connection goes on from the cursor."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100, 150)
    eve = await walker(world)
    run = await enter(eve, tour)
    await walk(eve, 100)
    await reached(eve, 1)
    topic = eve.topics[run["topic"]]
    assert topic.snapshots == 1 and topic.events >= 1
    cursor = topic.cursor
    other = await Client.connect(world, token=eve.welcome["token"])
    await eve.drop()
    await walk(other, 150)
    await reached(other, 1)
    again = await Client.connect(world, hello=False)
    continued = asyncio.Event()
    again.topics[run["topic"]] = topic
    topic.is_complete = True
    again.witness = lambda item: continued.set() if "continued" in item else None
    again.welcome = await again.ask(
        "hello",
        {"version": 1, "frontEnd": "bot", "token": eve.welcome["token"], "session": eve.welcome["session"],
         "cursors": [cursor]},
    )  # fmt: skip
    assert again.welcome["resumed"]
    assert (await reached(again, 1))[-1]["state"] == "RUN_STATE_COMPLETED"
    assert continued.is_set() and topic.snapshots == 1
    assert not cells(again)


async def test_a_session_that_is_taken_over_or_cut_stays_in_its_space(world):
    """SES-11, SES-13: and one that was cut in a space that has ended comes back to the world."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(world)
    run = await enter(eve, tour)
    session = {"token": eve.welcome["token"], "session": eve.welcome["session"]}
    taken = await Client.connect(world, **session)
    assert taken.welcome["resumed"]
    await taken.until(lambda: spaces(taken) == {run["topic"]} and not cells(taken), "the space")
    await stand(taken, 5)
    await world.until_figure("cairn_people_in_spaces", 1)
    await taken.drop()
    other = await Client.connect(world, token=eve.welcome["token"])
    await other.ask("leaveRun")
    await world.until_figure("cairn_people_in_spaces", 0)
    back = await Client.connect(world, **session)
    assert back.welcome["resumed"]
    await back.until(lambda: cells(back) and not spaces(back), "the world")


async def test_who_signs_out_is_in_no_space_and_who_signs_in_is(world):
    """SES-13: the run stays; the connection is a guest's, and gets nothing of it."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(world)
    keeper = await Client.connect(world, token=eve.welcome["token"])
    run = await enter(eve, tour)
    await eve.until(lambda: spaces(eve), "the space")
    await world.until_figure("cairn_people_in_spaces", 1)
    await eve.ask("signOut")
    await world.until_figure("cairn_people_in_spaces", 0)
    heard = len(eve.items)
    again = await Client.connect(world)
    await again.ask("signIn", {"login": "eve", "password": PASSWORD})
    await again.until(lambda: spaces(again) == {run["topic"]}, "the space")
    await walk(again, 100)
    await reached(again, 1)
    assert "stopReached" not in str(eve.items[heard:])
    assert keeper is not eve


async def test_spaces_survive_a_crash(start, settings):  # noqa: F811
    """SES-13: after `kill -9` people are still in their space, and in no cell."""
    server = start(**settings)
    _, ada = await makers(server, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(server)
    run = await enter(eve, tour)
    folder = server.folder
    server.kill()
    with Server.start(folder, **settings) as server:
        again = await Client.connect(server, token=eve.welcome["token"])
        await stand(again, 2)
        await again.until(lambda: spaces(again) == {run["topic"]}, "the space")
        await pause(0.2)
        assert not cells(again)
        await server.until_figure("cairn_people_in_spaces", 1)
        await again.ask("leaveRun")
        await again.until(lambda: cells(again) and not spaces(again), "the world")


async def test_people_are_in_cells_or_in_spaces_and_the_sums_agree(world):
    """Invariant 8, while people enter and leave spaces, are cut, sign out and walk."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 1000)
    people = [await walker(world, f"walker{number}") for number in range(6)]
    stopped = asyncio.Event()

    async def live(client, number):
        step = 0
        while not stopped.is_set():
            step += 1
            await stand(client, 40 * ((step + number) % 10))
            if step % 3 == number % 3:
                extra = await Client.connect(world, token=client.welcome["token"])
                await stand(extra, 10 * step)
                if step % 2:
                    await extra.drop()
                else:
                    await extra.close()
            await enter(client, tour)
            await stand(client, 40 * ((step + number) % 10))
            await client.ask("leaveRun")

    lives = [asyncio.create_task(live(client, number)) for number, client in enumerate(people)]
    try:
        async with await Desk.open(world) as desk:
            await desk.watch()
            were = 0
            for _ in range(6):
                await desk.update()
                inside = desk.totals["inSpaces"]
                assert sum(row["people"] for row in desk.cells.values()) + inside == desk.totals["people"]
                were = max(were, inside)
            assert desk.totals["people"] >= len(people)
    finally:
        stopped.set()
        await asyncio.gather(*lives)
    assert events(people[0], "stopReached") == []


async def test_nothing_of_a_space_reaches_anybody_who_is_not_in_it(world):
    """Invariant 7: neither bytes nor counts of another's run."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    bea, eve = await walker(world, "bea"), await walker(world)
    run = await enter(eve, tour)
    own = await enter(bea, tour)
    await walk(eve, 100)
    await reached(eve, 1)
    for client in (ada, bea):
        assert run["id"] not in str(client.items) and "stopReached" not in str(client.items)
    # A cursor of a foreign topic gives nothing.
    topic = {"topic": run["topic"], "epoch": "1", "sequence": "1"}
    late = await Client.connect(world, token=bea.welcome["token"], cursors=[topic])

    async def there():
        return spaces(late) == {own["topic"]}

    await eventually(there, lambda: late.topics)
    assert run["id"] not in str([item for item in late.items if "unfollowed" not in item])
