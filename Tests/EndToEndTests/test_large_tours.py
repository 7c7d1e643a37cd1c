"""Tours that are larger than a message: the GeoJSON is uploaded in chunks, and given out in pieces (TRM-3, TRM-4).

Run with -s for the figures.
"""

import asyncio
import json
import sqlite3
import statistics
import time

import pytest

from accounts import MANY, sign_up
from cairn import PATIENCE, Client, eventually
from paces import timed
from pictures import begin, send, upload
from server import is_optimized
from swarm import pause
from test_assets import files
from test_hostile_tours import HOSTILE, Account
from test_live_space import refused
from test_operated_tours import largest
from test_published_tours import exported
from test_tours import FACTS, NOWHERE, content, makers

SETTINGS = {
    "accounts__open": "false", "tours__editsPerMinute": 1_000_000, "connections__bytesPerSecond": 100_000_000,
    "connections__bytesBurst": 100_000_000, "connections__messagesPerSecond": 1_000,
    "connections__messagesBurst": 1_000, **MANY,
}  # fmt: skip

#: A build without optimisation looks at 10,000 points for long.
SECONDS = PATIENCE if is_optimized() else 2 * PATIENCE
pytestmark = pytest.mark.seconds(2 * SECONDS + 30)


@pytest.fixture
def world(start):
    return start(**SETTINGS)


async def imported(client, tour, text, version=1):
    asset = await upload(client, text.encode())
    body = {"tour": tour, "version": version, "asset": asset}
    return (await client.ask("importTour", body, seconds=SECONDS))["version"]


def assets(server):
    """The number of assets that the world knows."""
    database = sqlite3.connect(server.folder / "cairn.sqlite")
    try:
        return database.execute("SELECT count(*) FROM assets").fetchone()[0]
    finally:
        database.close()


async def test_the_largest_tour_is_imported_exported_and_imported_again_bit_for_bit(world):
    _, ada = await makers(world, "ada")
    eve = await sign_up(world, "eve")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    text = largest("Où? 哪里 \"here\" \\ \n.")
    assert len(text) > 10 * ada.welcome["limits"]["messageBytes"] / 2
    began = time.monotonic()
    version = await imported(ada, tour, text)
    print(f"{len(text)} bytes uploaded and imported in {time.monotonic() - began:.2f} s")
    # The upload has gone with the import.
    assert assets(world) == 0
    first = await exported(ada, tour, draft=True)
    collection = json.loads(first)
    assert [len(one["geometry"]["coordinates"]) for one in collection["features"][1:2]] == [10_000]
    assert len(collection["features"]) == 102 and len(collection["features"][0]["geometry"]["coordinates"][0]) == 1_001
    given = json.loads(text)["features"]
    assert collection["features"][1]["geometry"] == given[1]["geometry"]
    assert [one["geometry"] for one in collection["features"][2:]] == [one["geometry"] for one in given[2:]]
    _, whole = await content(ada, tour, draft=True)
    await imported(ada, tour, first, version)
    assert await exported(ada, tour, draft=True) == first
    assert (await content(ada, tour, draft=True))[1] == whole
    # And it can be published, and taken by others.
    await ada.ask("publishTour", {"tour": tour})
    assert await exported(eve, tour) == first
    assert assets(world) == 0


async def test_an_upload_of_a_tour_goes_on_over_a_kill_and_is_imported_once(start):
    server = start(**SETTINGS)
    _, ada = await makers(server, "ada")
    token, data = ada.welcome["token"], largest().encode()
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    state = await send(ada, await begin(ada, data), data, chunks=5)
    server.kill()
    server = start(**SETTINGS)
    ada = await Client.connect(server, token=token)
    again = await begin(ada, data)
    assert again["offset"] == state["offset"] and again["upload"] == state["upload"]
    asset = (await send(ada, again, data))["asset"]
    body = {"tour": tour, "version": 1, "asset": asset}
    first = await ada.ask("importTour", body, key="one", seconds=SECONDS)
    # The answer may be lost: the same request is the same import, though the upload is gone.
    assert await ada.ask("importTour", body, key="one", seconds=SECONDS) == first
    await refused("key_reused", ada.ask("importTour", {**body, "version": 2}, key="one"))
    refusal = await refused("invalid_field", ada.ask("importTour", {**body, "version": first["version"]}))
    assert refusal.details == {"field": "asset"}


async def test_only_who_has_uploaded_a_tour_imports_it_and_a_refused_import_keeps_it(world):
    """Nor may another user of the organisation: a person does not learn of the assets of others."""
    root, ada, ben = await makers(world, "ada", "ben")
    _, bea = await makers(world, "bea", organisation="Harbour Society", root=root)
    eve = await sign_up(world, "eve")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    text = largest()
    asset = await upload(ada, text.encode())
    body = {"tour": tour, "version": 1, "asset": asset}
    for other, code in ((ben, "invalid_field"), (bea, "not_found"), (eve, "forbidden"), (root, "forbidden")):
        await refused(code, other.ask("importTour", body))
    await refused("version_conflict", ada.ask("importTour", {**body, "version": 9}))
    await refused("invalid_field", ada.ask("importTour", {**body, "geojson": text[:100]}))
    for wrong in (NOWHERE, "x", tour):
        assert (await refused("invalid_field", ada.ask("importTour", {**body, "asset": wrong}))).details == {
            "field": "asset"
        }
    await refused("not_found", ada.ask("importTour", {**body, "tour": NOWHERE}))
    # Everybody sees the draft as it was, and the upload is there for the next attempt.
    assert assets(world) == 1
    await ada.ask("importTour", body, seconds=SECONDS)
    assert assets(world) == 0


async def test_what_is_uploaded_and_never_imported_goes_and_so_does_the_file_of_an_import(start):
    server = start(**SETTINGS)
    _, ada = await makers(server, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    await imported(ada, tour, largest())
    await upload(ada, largest("Another. ").encode())
    assert assets(server) == 1 and len(files(server)) == 2
    server.kill()
    server = start(**SETTINGS, assets__unusedMinutes=0)

    async def is_gone():
        return assets(server) == 0 and not files(server)

    await eventually(is_gone, "the files to be collected")


@pytest.mark.alone
@pytest.mark.seconds(300)
async def test_hostile_uploads_are_refused_in_bounded_time_and_memory(world):
    """As over the socket and to operators (test_hostile_tours.py): nothing changes, and what means no harm is taken."""
    _, ada = await makers(world, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    account = Account(world)
    version = await imported(ada, tour, largest())
    account.note("the largest", "taken")
    _, before = await content(ada, tour, draft=True)
    hostile = {name: text.encode() for name, text in HOSTILE.items()}
    hostile["no UTF-8"] = b'{"type":"\xff\xfe"}'
    hostile["no GeoJSON"] = b"\x00" * 100
    hostile["10 MB"] = b'{"type":"' + b"x" * 10_000_000 + b'"}'
    for name, data in hostile.items():
        account.begin()
        try:
            asset = await upload(ada, data)
        except Exception as refusal:
            assert refusal.code in ("asset_corrupt", "invalid_field"), (name, refusal)
            account.note(name, f"{refusal.code} when uploaded")
            continue
        body = {"tour": tour, "version": version, "asset": asset}
        with pytest.raises(Exception) as raised:
            await ada.ask("importTour", body, seconds=SECONDS)
        assert raised.value.code in ("invalid_field", "invalid_route", "missing_field", "too_large"), (name, raised)
        account.note(name, raised.value.code)
    print(*account.lines, sep="\n")
    assert (await content(ada, tour, draft=True))[1] == before
    await imported(ada, tour, largest("Another. "), version)


@pytest.mark.alone
async def test_others_are_served_while_a_large_tour_is_read(world):
    """The text is read beside the loops: a question of another person does not wait until it is read."""
    _, ada = await makers(world, "ada")
    eve = await sign_up(world, "eve")
    shares = []
    for number in range(5):
        tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
        body = {"tour": tour, "version": 1, "asset": await upload(ada, largest(f"{number}. ").encode())}
        importing, waits = asyncio.create_task(timed(lambda: ada.ask("importTour", body, seconds=SECONDS))), []
        while not importing.done():
            waits.append(await timed(lambda: eve.ask("listTours")))
            await pause(0.01)
        took = await importing
        shares.append(max(waits) / took)
        print(f"{len(waits)} questions in {1000 * took:.0f} ms, the slowest took {1000 * max(waits):.0f} ms")
    # One that waited until the text is read would take as long as the import, which here is a tenth of a second.
    assert statistics.median(shares) < 0.8, shares
