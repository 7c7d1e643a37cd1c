"""Walking tours: what ends runs, and what others on a tour learn of them (TRT-11, TRT-12).

Over real sockets, with the requests of clients; what a run does is in test_runs.py.
"""

import contextlib
import sqlite3

from accounts import PASSWORD
from cairn import Client, eventually
from test_live_space import refused
from test_notifications import notified
from test_runs import reached, settings, tour_of, walk, walker, world  # noqa: F401
from test_tours import makers


# MARK: - Ends (TRT-11)


async def test_a_deleted_tour_ends_its_runs_with_notice(world):
    """TRT-11: the walker is notified and is back in the world."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    walkers = [await walker(world, f"walker{number}") for number in range(3)]
    for one in walkers:
        await one.ask("startTour", {"tour": tour})
    await ada.ask("deleteTour", {"tour": tour})
    for one in walkers:

        async def told():
            return [entry for entry in notified(one) if entry["kind"] == "tour_ended"]

        await eventually(told, "the notification")
        await refused("not_found", one.ask("getRun"))
        await refused("not_found", one.ask("startTour", {"tour": tour}))


async def test_a_run_without_a_sign_of_its_walker_ends(start, settings):  # noqa: F811
    """TRT-11: 12 h by default."""
    server = start(**{**settings, "tours__idleHours": 0.001})
    _, ada = await makers(server, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(server)
    await eve.ask("startTour", {"tour": tour})

    async def ended():
        return [entry for entry in notified(eve) if entry["kind"] == "tour_ended"]

    await eventually(ended, "the end")
    await refused("not_found", eve.ask("getRun"))


async def test_others_on_the_tour_are_counted_and_not_named(start, settings):  # noqa: F811
    """TRT-12: counts per stop, untold below `presence.countHiddenBelow`."""
    server = start(**{**settings, "presence__countHiddenBelow": 2})
    _, ada = await makers(server, "ada")
    tour = await tour_of(ada, 100)
    walkers = [await walker(server, f"walker{number}") for number in range(3)]

    def counts(client):
        return [item["fellowWalkers"].get("reached", []) for item in client.items if "fellowWalkers" in item]

    for one in walkers:
        await one.ask("startTour", {"tour": tour})

    async def told():
        return all([2, 0] in counts(one) for one in walkers)

    await eventually(told, lambda: [counts(one) for one in walkers])
    figures = await server.figures()
    assert figures["cairn_tours_started_total"] == 3 and figures["cairn_people_in_spaces"] == 3
    assert "walker" not in str([item for one in walkers for item in one.items if "fellowWalkers" in item])


async def test_a_suspended_organisation_ends_its_runs_with_notice(world):
    """TRT-11: at once, also of walkers who stand still or are away, and of all its tours; others go on."""
    root, ada = await makers(world, "ada")
    _, bea = await makers(world, "bea", organisation="Harbour Society", root=root)
    tours = [await tour_of(ada, 100), await tour_of(ada, 100)]
    walkers = [await walker(world, f"walker{number}") for number in range(3)]
    for one, tour in zip(walkers, [*tours, await tour_of(bea, 100)]):
        await one.ask("startTour", {"tour": tour})
    await walkers[1].close()
    organisation = (await ada.ask("getOrganisation"))["organisation"]["id"]
    await root.ask("suspendOrganisation", {"organisation": organisation, "reason": "Complaints"})
    back = await Client.connect(world, token=walkers[1].welcome["token"])
    for one, tour in ((walkers[0], tours[0]), (back, tours[1])):

        async def told():
            return [entry for entry in notified(one) if entry["kind"] == "tour_ended"]

        await eventually(told, "the notification")
        await refused("not_found", one.ask("getRun"))
        await refused("not_found", one.ask("startTour", {"tour": tour}))
    assert (await walkers[2].ask("getRun"))["stops"] == 1
    await root.ask("reinstateOrganisation", {"organisation": organisation, "reason": "Settled"})

    async def is_back():
        return [one["id"] for one in (await walkers[0].ask("listTours", {"organisation": organisation}))["tours"]]

    assert await is_back() == tours


async def test_a_deleted_account_has_no_run(world):
    """TRT-11, CMP-3: neither the run nor the record of completed ones is kept."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(world)
    await eve.ask("startTour", {"tour": tour})
    await walk(eve, 100)
    await reached(eve, 1)
    await eve.ask("deleteAccount", {"password": PASSWORD})

    async def is_gone():
        with contextlib.closing(sqlite3.connect(f"file:{world.folder}/cairn.sqlite?mode=ro", uri=True)) as database:
            tables = ("tour_runs", "tour_walks")
            return not any(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)

    await eventually(is_gone, "the rows")
    await world.until_figure("cairn_people_in_spaces", 0)
