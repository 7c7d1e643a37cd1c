"""Damaged rows of tours, organisations and groups (TRT-11, TRM-11).

Nothing is offered that may be withdrawn, nobody loses what they have begun, and everybody can leave it. Over real
sockets. Rows are damaged while the server is away.
"""

import contextlib
import sqlite3

import pytest

from accounts import PASSWORD, sign_up
from cairn import Client, eventually, pose
from test_groups import on_tour
from server import run
from test_live_space import refused
from test_runs import reached, settings, stand, tour_of, walk, walker  # noqa: F401
from test_tours import FACTS, makers, point, popup


def flip(folder, table):
    """Changes two bits of each sealed value of a table, which no start mends; a second time, it changes them back."""
    with contextlib.closing(sqlite3.connect(folder / "cairn.sqlite")) as database, database:
        for key, sealed in database.execute(f"SELECT rowid, sealed FROM {table}").fetchall():
            changed = sealed[:-1] + bytes([sealed[-1] ^ 3])
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
    export = run("admin", "tour", "export", tour, "--data", server.folder)
    assert export.returncode == 1 and "the tour is damaged: cairn verify names" in export.stderr, export
    await walk(eve, 200)
    (walked,) = await reached(eve, 1)
    assert walked["state"] == "RUN_STATE_COMPLETED"
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


def verified(server, table):
    """What `cairn verify` says of a server that was stopped: it names the table."""
    done = run("verify", "--data", server.folder, "--set", f"storage.keyFile={server.folder}.key")
    assert done.returncode != 0 and table in done.stdout + done.stderr, done


@pytest.mark.parametrize("table", ["tour_runs", "tour_versions"])
async def test_who_walks_a_damaged_run_gets_definite_answers_and_begins_anew(start, settings, table):  # noqa: F811
    """TRT-5, TRT-11: `start_tour` in place of the damaged run, or `leave_run`; neither answers `try_again` for ever."""
    server = start(**settings)
    _, ada = await makers(server, "ada")
    tour, other = await tour_of(ada, 100, 200), await tour_of(ada, 100)
    eve, bob = await walker(server, "eve"), await walker(server, "bob")
    for one in (eve, bob):
        await one.ask("startTour", {"tour": tour})
    assert server.stop() == 0
    flip_one(server.folder, table)
    verified(server, table)
    server = start(**settings)
    eve, bob = [await Client.connect(server, token=one.welcome["token"]) for one in (eve, bob)]
    hurt = [eve, bob] if table == "tour_versions" else [eve]
    at = point(100)
    for one in hurt:
        await stand(one, 0)
        await refused("not_found", one.ask("getRun"))
        # The walker is on a tour, as far as the ground is concerned, until they leave it.
        await refused("read_only_tour", one.place(pose(at["lat"], at["lon"])))
    if bob not in hurt:
        await walk(bob, 100)
        await reached(bob, 1)
    assert (await eve.ask("startTour", {"tour": other}))["tour"] == other
    assert (await eve.ask("getRun"))["tour"] == other
    await walk(eve, 100)
    (run_of_eve,) = await reached(eve, 1)
    assert run_of_eve["state"] == "RUN_STATE_COMPLETED"
    await eve.ask("leaveRun")
    await eve.place(pose(at["lat"], at["lon"]))
    await bob.ask("leaveRun")
    assert (await bob.ask("startTour", {"tour": other}))["tour"] == other
    if table == "tour_versions":
        await refused("not_found", eve.ask("getTour", {"tour": tour}))
        await eve.ask("listTours")
        # Its makers publish it anew, with something that is new in it.
        ada = await Client.connect(server, token=ada.welcome["token"])
        await ada.ask("setTourPopup", {"tour": tour, "popup": popup(90.0)})
        assert (await ada.ask("publishTour", {"tour": tour}))["version"] == 2
        assert (await eve.ask("startTour", {"tour": tour}))["version"] == 2
    await server.until_figure(f'cairn_store_damaged_table_rows{{table="{table}"}}', 1)
    # Operators are told once.
    server.logged("damaged row")
    assert len([line for line in server.log().splitlines() if "damaged row" in line and table in line]) == 1


def flip_one(folder, table):
    """Damages the row of a table that was written first."""
    with contextlib.closing(sqlite3.connect(folder / "cairn.sqlite")) as database, database:
        key = "tour, version" if table == "tour_versions" else "id"
        row = database.execute(f"SELECT {key}, sealed FROM {table} ORDER BY {key} LIMIT 1").fetchone()
        changed = row[-1][:-1] + bytes([row[-1][-1] ^ 3])
        where = " AND ".join(f"{name} = ?" for name in key.split(", "))
        assert database.execute(f"UPDATE {table} SET sealed = ? WHERE {where}", (changed, *row[:-1])).rowcount == 1


async def test_a_damaged_request_for_an_organisation_is_none_and_another_takes_its_place(start, settings):  # noqa: F811
    """ORG-1 to ORG-3: its person asks again, others' requests are decided, and its row hides none of them."""
    server = start(**settings)
    root, ada = await makers(server, "ada")
    people = [await sign_up(server, name) for name in ("eve", "bob", "cat")]
    for number, one in enumerate(people):
        await one.ask("requestOrganisation", {"name": f"Society {number}", "justification": "We make tours."})
    assert server.stop() == 0
    with contextlib.closing(sqlite3.connect(server.folder / "cairn.sqlite")) as database, database:
        open_ones = database.execute("SELECT id, sealed FROM organisation_requests WHERE decided IS NULL ORDER BY id")
        for key, sealed in open_ones.fetchall()[:2]:
            changed = sealed[:-1] + bytes([sealed[-1] ^ 3])
            database.execute("UPDATE organisation_requests SET sealed = ? WHERE id = ?", (changed, key))
    verified(server, "organisation_requests")
    server = start(**settings)
    root, ada, eve, bob, cat = [
        await Client.connect(server, token=one.welcome["token"]) for one in (root, ada, *people)]
    assert (await eve.ask("getOrganisation")) == {}
    assert (await cat.ask("getOrganisation"))["request"]["state"] == "open"
    assert [one["name"] for one in (await root.ask("listOrganisationRequests"))["requests"]] == ["Society 2"]
    await bob.ask("withdrawOrganisationRequest")
    await refused("request_not_found", bob.ask("withdrawOrganisationRequest"))
    again = {"name": "Society 9", "justification": "We make tours."}
    await eve.ask("requestOrganisation", again)
    await refused("request_pending", eve.ask("requestOrganisation", again))
    listed = {one["name"]: one["id"] for one in (await root.ask("listOrganisationRequests"))["requests"]}
    assert set(listed) == {"Society 2", "Society 9"}
    for request in listed.values():
        await root.ask("acceptOrganisation", {"request": request})
    for one in (eve, cat):
        assert (await one.ask("getOrganisation"))["organisation"]["name"].startswith("Society")
    await server.until_figure('cairn_store_damaged_table_rows{table="organisation_requests"}', 2)
