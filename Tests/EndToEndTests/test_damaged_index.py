"""A damaged entry of an index in a running world: its table answers, and the server reports it (DAT-6)."""

import json
import sqlite3

import pytest

import flips
from browser import console, expect
from cairn import Client, eventually, pose
from operators import Desk
from paces import HELD_UP, timed
from server import get, run
from test_check import reports, samples

INDEX = "instances_cell"
#: The query that fails reads both indexes by cell, of filed rows and of new ones: both are built anew.
REBUILT = [INDEX, f"{INDEX}_new"]
THINGS = 100
SETTINGS = {"placement__perMinute": 1_000, "placement__perDay": 1_000, "placement__areaQuota": 1_000}


def unreadable(path, cell):
    """The database with one bit of the index of filed rows flipped for which SQLite calls it malformed when that cell
    is read."""
    content = path.read_bytes()
    names = flips.regions(path)
    pages = [page for page, name in names.items() if name == INDEX]
    trial = path.parent / "trial.sqlite"
    # Entries are at the end of a page.
    for bit in (bit for page in pages for bit in range(page * 4_096 * 8 - 8, (page - 1) * 4_096 * 8, -7)):
        damaged = flips.flip(content, bit)
        trial.write_bytes(damaged)
        with sqlite3.connect(f"file:{trial}?mode=ro&immutable=1", uri=True) as database:
            try:
                # The faults that a start checks for, and for which it would restore a backup.
                if database.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
                    continue
                database.execute("SELECT sealed FROM instances WHERE cell = ? AND filed = 1", (cell,)).fetchall()
            except sqlite3.DatabaseError:
                trial.unlink()
                return damaged
    raise AssertionError("no such bit")


async def filed(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        return database.execute("SELECT count(*) FROM instances WHERE filed = 1").fetchone()[0] == THINGS


async def waking(server, name, spot):
    """Somebody comes to the cell, which sleeps, and places something. Returns who, and how many seconds it took."""
    client = await Client.connect(server, name)

    async def wake():
        cell = await client.stand_at(*spot)
        await client.until(lambda: client.holds(cell), "snapshot")
        client.placed = await client.place(pose(*spot), "preset:flag")

    return client, await timed(wake)


@pytest.fixture
def damaged(start, tmp_path, spot):
    """A server whose index cannot find the instances of a cell; and how many seconds a sound one took to wake it."""

    async def make():
        folder = tmp_path / "world"
        server = start(folder=folder, **SETTINGS)
        ada = await Client.connect(server, "Ada")
        await ada.stand_at(*spot)
        things = {(await ada.place(pose(*spot)))["id"] for _ in range(THINGS)}
        server.stop()
        database = folder / "cairn.sqlite"
        # New rows that an earlier process has left are filed when there is nothing else to do.
        server = start(folder=folder, **SETTINGS)
        await eventually(lambda: filed(database), "that the things are filed")
        bob, sound = await waking(server, "Bob", spot)
        await bob.remove(bob.placed)
        await bob.close()
        server.stop()
        with sqlite3.connect(database) as world:
            ((cell,),) = world.execute("SELECT DISTINCT cell FROM instances")
        world.close()
        database.write_bytes(unreadable(database, cell))
        return start(folder=folder, **SETTINGS), things, sound

    return make


@pytest.mark.alone
async def test_a_cell_wakes_within_a_second_and_all_of_it_is_there(damaged, spot):
    """Its index is built anew in about the time in which a sound cell wakes."""
    server, things, sound = await damaged()
    eve, took = await waking(server, "Eve", spot)
    assert things <= set(eve.everything()) <= things | {eve.placed["id"]}
    assert took < HELD_UP * sound, (took, sound)


@pytest.mark.alone
async def test_its_things_can_be_removed_within_a_second(damaged, spot):
    server, things, sound = await damaged()
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    await ada.view(cell)
    took = [await timed(lambda: ada.ask("remove", {"instance": thing, "cell": cell})) for thing in sorted(things)]
    assert max(took) < HELD_UP * sound, (max(took), sound)


async def test_operators_are_told(damaged, spot):
    server, *_ = await damaged()
    eve = await Client.connect(server, "Eve")
    await eve.stand_at(*spot)
    await server.until_figure("cairn_store_rebuilt_indexes", 2)
    await server.until_figure("cairn_store_damaged_indexes", 0)
    said = await reports(0, "--data", server.folder)
    for form in ("text", "nagios"):
        assert f"built anew: {', '.join(REBUILT)}" in said[form]
    assert json.loads(said["json"])["rebuiltIndexes"] == REBUILT
    assert samples(said["prometheus"])["cairn_check_rebuilt_indexes"] == 2
    async with await Desk.open(server) as desk:
        totals = (await desk.ask("totals"))["totals"]
    # A busy machine may have others.
    store, alarms = totals["store"], [one for one in totals["alarms"] if one["section"] == "store"]
    assert (store["damagedIndexes"], store["rebuiltIndexes"]) == ([], REBUILT)
    assert [(one["figure"], one["severity"], one["amount"]) for one in alarms] == [("rebuiltIndexes", "warn", 2)]
    once = run("top", "--once", "--data", server.folder).stdout
    assert "Indexes were damaged and are built anew (2): cairn verify" in once
    async with console(server) as one:
        await one.ready()
        disk = one.page.locator("#disk")
        await expect(disk).to_contain_text(alarms[0]["text"])
        built = disk.locator(".facts div", has_text="Indexes built anew").locator("dd")
        await expect(built).to_have_text(", ".join(REBUILT))
        assert await one.violations() == []
    assert INDEX in (await get(f"{server.http}/readyz?format=json"))[2]
    server.logged("store: damaged index: ", times=1 + len(REBUILT))
    assert server.log().count("store: damaged index: ") == 1 + len(REBUILT), "found once, each mended"


async def test_a_sound_world_has_no_damaged_index(server):
    said = await reports(0, "--data", server.folder)
    assert samples(said["prometheus"])["cairn_check_damaged_indexes"] == 0
    assert "index" not in said["text"]
