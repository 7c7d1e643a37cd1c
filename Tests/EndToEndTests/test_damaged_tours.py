"""Damaged rows of tours, organisations and groups (TRT-11, TRM-11).

Nothing is offered that may be withdrawn, nobody loses what they have begun, and everybody can leave it. Over real
sockets. Rows are damaged while the server is away.
"""

import contextlib
import sqlite3

import pytest

from accounts import PASSWORD
from cairn import Client, eventually
from test_groups import on_tour
from test_live_space import refused
from test_runs import reached, settings, tour_of, walk, walker  # noqa: F401
from test_tours import FACTS, makers


def flip(folder, table):
    """Changes a bit of each sealed value of a table; a second time, it changes it back."""
    with contextlib.closing(sqlite3.connect(folder / "cairn.sqlite")) as database, database:
        for key, sealed in database.execute(f"SELECT rowid, sealed FROM {table}").fetchall():
            changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
            database.execute(f"UPDATE {table} SET sealed = ? WHERE rowid = ?", (changed, key))


@pytest.fixture
def restart(start, settings):  # noqa: F811
    """Damages tables of a server that it ends, and starts another one: the server, and its clients anew."""

    async def again(server, *clients, damaging=()):
        assert server.stop() == 0
        for table in damaging:
            flip(server.folder, table)
        server = start(**settings)
        return server, *[await Client.connect(server, token=one.welcome["token"]) for one in clients]

    return again


async def offered(client):
    return [one["id"] for one in (await client.ask("listTours")).get("tours", [])]


async def test_a_damaged_tour_is_not_offered_and_its_runs_go_on(start, settings, restart):  # noqa: F811
    """TRT-11, TRT-13: until the row is put back, also beside another damaged row."""
    server = start(**settings)
    _, ada = await makers(server, "ada")
    tour = await tour_of(ada, 100, 200)
    eve, bob = await walker(server, "eve"), await walker(server, "bob")
    await eve.ask("startTour", {"tour": tour})
    await walk(eve, 100)
    await reached(eve, 1)
    server, eve, bob = await restart(server, eve, bob, damaging=["tours"])
    await server.until_figure('cairn_store_damaged_table_rows{table="tours"}', 1)
    assert await offered(bob) == []
    await refused("not_found", bob.ask("startTour", {"tour": tour}))
    await walk(eve, 200)
    (run,) = await reached(eve, 1)
    assert run["state"] == "RUN_STATE_COMPLETED"
    server, eve, bob = await restart(server, eve, bob, damaging=["tours"])
    assert await offered(bob) == [tour]
    assert (await eve.ask("getRun"))["state"] == "RUN_STATE_COMPLETED"


async def test_a_damaged_organisation_is_as_good_as_suspended_and_ends_no_run(start, settings, restart):  # noqa: F811
    """ROL-3, TRT-11: its suspension does not end by damage; runs from before the damage go on."""
    server = start(**settings)
    root, ada = await makers(server, "ada")
    tour = await tour_of(ada, 100, 200)
    eve = await walker(server, "eve")
    await eve.ask("startTour", {"tour": tour})
    server, root, ada, eve = await restart(server, root, ada, eve, damaging=["organisations"])
    assert await offered(eve) == []
    await refused("forbidden", ada.ask("createTour", {"facts": FACTS}))
    await walk(eve, 100)
    await reached(eve, 1)
    server, root, ada, eve = await restart(server, root, ada, eve, damaging=["organisations"])
    assert await offered(eve) == [tour]
    organisation = (await ada.ask("getOrganisation"))["organisation"]["id"]
    await root.ask("suspendOrganisation", {"organisation": organisation, "reason": "Complaints"})
    await refused("not_found", eve.ask("getTour", {"tour": tour}))
    _, eve = await restart(server, eve, damaging=["organisations"])
    assert await offered(eve) == []
    await refused("not_found", eve.ask("startTour", {"tour": tour}))


async def test_a_damaged_group_can_be_left(start, settings, restart):  # noqa: F811
    """TRM-11: by a follower, and by a guide without a run, who is back in the world."""
    server = start(**settings)
    ada, tour, eve, bob = await on_tour(server, "eve", "bob")
    group = await ada.ask("openGroup", {"tour": tour})
    for one in (eve, bob):
        await one.ask("joinGroup", {"code": group["code"]})
    server, ada, eve, bob = await restart(server, ada, eve, bob, damaging=["tour_groups"])
    await refused("not_found", eve.ask("getGroup"))
    await eve.ask("leaveGroup")
    own = await eve.ask("openGroup")
    await ada.ask("leaveGroup")

    async def opened():
        with contextlib.suppress(Exception):
            return await ada.ask("openGroup", {"tour": tour})

    assert (await eventually(opened, "another group"))["id"] != group["id"]
    # It has ended for all.
    await eventually(lambda: joined(bob, own), "the follower is free")


async def joined(client, group):
    with contextlib.suppress(Exception):
        return await client.ask("joinGroup", {"code": group["code"]})


async def test_who_has_a_damaged_run_or_group_can_delete_the_account(start, settings, restart):  # noqa: F811
    """CMP-3: nothing is left of them."""
    server = start(**settings)
    ada, tour, eve = await on_tour(server, "eve")
    await ada.ask("openGroup", {"tour": tour})
    server, ada, eve = await restart(server, ada, eve, damaging=["tour_groups", "tour_runs"])
    for one in (ada, eve):
        await one.ask("deleteAccount", {"password": PASSWORD})

    async def is_gone():
        with contextlib.closing(sqlite3.connect(f"file:{server.folder}/cairn.sqlite?mode=ro", uri=True)) as database:
            tables = ("tour_runs", "tour_group_members")
            return not any(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)

    await eventually(is_gone, "the rows")
