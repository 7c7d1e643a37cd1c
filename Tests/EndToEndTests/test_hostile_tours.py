"""GeoJSON that means harm is refused in bounded time and memory, by `import_tour` and by `cairn admin tour import`
(TRM-3, TRM-4; issue 14, point 9). Run with -s for the figures.
"""

import asyncio
import json
import math
import pathlib
import re
import resource
import time

import pytest

from accounts import MANY, sign_up
from cairn import Client, Ended, Refused
from geojson import feature
from server import is_optimized, run
from swarm import pause
from test_operated_tours import SAMPLE, largest, organisation
from test_tours import FACTS, content, makers, point

pytestmark = pytest.mark.alone

#: Larger messages than by default, so that what is hostile comes as far as the reader of GeoJSON.
MESSAGE = 2_000_000
LARGE = {
    "accounts__open": "false", "connections__messageBytesMax": MESSAGE, "tours__editsPerMinute": 1_000_000,
    "tours__importsPerHour": 1_000_000,
    "connections__messageSecondsMax": 60, "connections__bytesPerSecond": 100_000_000,
    "connections__bytesBurst": 100_000_000, **MANY,
}  # fmt: skip
#: How many times the processor time of the largest tour that means no harm a refusal may take. A build without
#: optimisation is slower at some things than at others.
TIMES = 20 if is_optimized() else 60
#: The server may grow by so much, whatever comes.
MEGABYTES = 100


def collection(*features, **more):
    return json.dumps({"type": "FeatureCollection", "features": features, **more})


def place(north, east):
    at = point(north, east)
    return [at["lon"], at["lat"]]


def star(corners):
    """A ring in which each edge crosses nearly all others."""
    turn = math.pi * (corners - 1) / corners
    ring = [place(900 * math.cos(turn * n), 900 * math.sin(turn * n)) for n in range(corners)]
    return [ring + ring[:1]]


AREA = feature(
    "area", "Polygon", [[place(*at) for at in ((-900, -900), (-900, 900), (900, 900), (900, -900), (-900, -900))]],
    name=FACTS["name"]["words"], description=FACTS["description"]["words"])  # fmt: skip
ROUTE = feature("route", "LineString", [place(0, 0), place(300, 0)], direction="forward")


def number(text):
    """A route with a number that is none."""
    return collection(AREA, ROUTE).replace(json.dumps(ROUTE["geometry"]["coordinates"][1][0]), text)


def points(count, text="[0,0]"):
    """So many points, written as short as it goes."""
    line = '{"type":"Feature","properties":{"cairn":"route"},"geometry":{"type":"LineString","coordinates":['
    return '{"type":"FeatureCollection","features":[' + line + ",".join([text] * count) + "]}}]}"


HOSTILE = {
    "a million points": points(1_000_000),
    "as many points as fit": points(174_000),
    "as many lists as fit": points(340_000, "[]"),
    "as many features as fit": '{"type":"FeatureCollection","features":[' + ",".join(["{}"] * 345_000) + "]}",
    "a point too many, and no area": points(10_001, "[1e-9,1e-9]"),
    "nested lists": points(1, "[" * 1_000_000),
    "nested objects": '{"type":' * 125_000,
    "nested lists that end": points(1, "[" * 500_000 + "]" * 500_000),
    "crossing edges": collection({**AREA, "geometry": {"type": "Polygon", "coordinates": star(999)}}, ROUTE),
    "crossing edges of too many corners": collection(
        {**AREA, "geometry": {"type": "Polygon", "coordinates": star(9_999)}}, ROUTE),
    "NaN": number("NaN"), "Infinity": number("-Infinity"), "1e999": number("1e999"),
    "a long number": number("9" * 400_000),
    "a name of a megabyte": collection({**AREA, "properties": {**AREA["properties"], "name": [
        {"language": "en", "text": "x" * 1_000_000}]}}, ROUTE),
    "names that are equal": '{"type":"FeatureCollection"' + ',"features":[]' * 70_000 + "}",
    "escapes": '{"type":"' + "\\u0000" * 170_000 + '"}',
}  # fmt: skip


def highest(server):
    """The most memory that the server has had, in bytes."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return 1_024 * int(re.search(r"VmHWM:\s+(\d+)", status)[1])


class Account:
    """The processor time, of the server and of commands, for the largest tour, and for each refusal after it."""

    def __init__(self, server):
        self.server, self.before, self.lines, self.largest = server, highest(server), [], None
        self._spent = self._busy()

    def _busy(self):
        commands = resource.getrusage(resource.RUSAGE_CHILDREN)
        return self.server.busy_seconds() + commands.ru_utime + commands.ru_stime

    def begin(self):
        """From here on what is spent is for the next one."""
        self._spent = self._busy()

    def note(self, name, code):
        spent, grown = self._busy() - self._spent, (highest(self.server) - self.before) / 1e6
        self.lines.append(f"{name}: {code} for {spent:.2f} s, the server has grown by {grown:.0f} MB at most")
        if self.largest is None:
            # The kernel counts in hundredths of a second.
            self.largest, self.before = max(spent, 0.02), highest(self.server)
            return
        assert spent < TIMES * self.largest, self.lines[-1]
        assert grown < MEGABYTES, self.lines[-1]


async def refused_at_last(client, body):
    """The refusal; who is told that the server has too much to do, as a build without optimisation has with messages of
    a megabyte, asks again when it says so."""
    while True:
        with pytest.raises(Refused) as raised:
            await client.ask("importTour", body)
        if raised.value.code != "overloaded":
            return raised.value
        await pause((raised.value.retry_after or 500) / 1000)


@pytest.mark.seconds(300)
async def test_hostile_geojson_over_a_socket_is_refused_in_bounded_time_and_memory(start):
    server = start(**LARGE)
    _, ada = await makers(server, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    account = Account(server)
    version = (await ada.ask("importTour", {"tour": tour, "version": 1, "geojson": largest()}))["version"]
    account.note("the largest", "taken")
    _, before = await content(ada, tour, draft=True)
    for name, text in HOSTILE.items():
        account.begin()
        if len(text) > MESSAGE:
            # What is no message ends the connection before it is read.
            other = await Client.connect(server, token=ada.welcome["token"])
            with pytest.raises(Ended):
                await other.ask("importTour", {"tour": tour, "version": version, "geojson": text})
            account.note(name, "closed")
            continue
        refusal = await refused_at_last(ada, {"tour": tour, "version": version, "geojson": text})
        assert refusal.code in ("invalid_field", "invalid_route", "missing_field"), (name, refusal)
        account.note(name, refusal.code)
    print(*account.lines, sep="\n")
    assert (await content(ada, tour, draft=True))[1] == before
    # What means no harm is taken by the same server.
    await pause(1)
    await ada.ask("importTour", {"tour": tour, "version": version, "geojson": SAMPLE.read_text()})


@pytest.mark.seconds(300)
async def test_hostile_files_are_refused_to_operators_in_bounded_time_and_memory(start, tmp_path):
    server = start(**LARGE)
    _, ada = await makers(server, "ada")
    home, file = await organisation(ada), tmp_path / "hostile.geojson"

    async def bring(file):
        words = ("admin", "tour", "import", file, "--organisation", home, "--data", server.folder)
        return await asyncio.to_thread(run, *words)

    account = Account(server)
    file.write_text(largest())
    assert (await bring(file)).returncode == 0
    account.note("the largest", "taken")
    tours = await ada.ask("listOwnTours")

    async def refuse(name, file):
        account.begin()
        told = await bring(file)
        assert told.returncode == 1 and "cairn admin: " in told.stderr, (name, told)
        account.note(name, told.stderr.strip())

    for name, text in HOSTILE.items():
        file.write_text(text)
        await refuse(name, file)
    with open(file, "wb") as large:
        large.truncate(100_000_000)
    await refuse("100 MB", file)
    await refuse("without an end", "/dev/zero")
    print(*account.lines, sep="\n")
    assert await ada.ask("listOwnTours") == tours
    assert (await bring(SAMPLE)).returncode == 0


def comb(corners):
    """An outline whose tips are as near to the equator as numbers can write."""
    teeth = (corners - 2) // 2
    easts = [0.1 - 0.1 * n / teeth for n in range(teeth)]
    tips = [at for east in easts for at in ((0.01, east), (1e-18, east - 0.05 / teeth))]
    return [{"lat": lat, "lon": lon} for lat, lon in [(-0.01, 0.0), (-0.01, 0.1), *tips]]


@pytest.mark.seconds(120)
async def test_a_ground_drawn_with_spite_keeps_nobody_waiting(start):
    server = start(
        accounts__open="false", listen__loops=1, connections__messagesPerSecond=1000,
        connections__messagesBurst=1000, **MANY)
    _, ada = await makers(server, "ada")
    other = await sign_up(server, "bob")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    # To and fro along the equator, below all tips.
    route = [{"lat": 0.0, "lon": 0.0011 if n % 2 else 0.0985} for n in range(3_000)]

    async def longest(seconds):
        most, end = 0.0, time.monotonic() + seconds
        while time.monotonic() < end:
            begun = time.monotonic()
            await other.ask("listRealms", seconds=100)
            most = max(most, time.monotonic() - begun)
            await pause(0.01)
        return most

    version = 0
    outline = {"area": comb(1_000), "direction": "TOUR_DIRECTION_FORWARD"}
    for part in (outline, {"route": route[:1_000]}, {"route": route[1_000:2_000]}):
        answer = await ada.ask("setTourGround", {
            "tour": tour, "version": version, "append": version > 0, "more": True, "ground": part})
        version = answer["version"]
    alone = await longest(2)
    waiting = asyncio.ensure_future(longest(3))
    for _ in range(5):
        with pytest.raises(Refused) as raised:
            await ada.ask(
                "setTourGround",
                {"tour": tour, "version": version, "append": True, "ground": {"route": route[2_000:]}}, seconds=100)
        assert raised.value.code == "invalid_route" and raised.value.details["reason"] == "too_complex"
    beside = await waiting
    print(f"the longest wait is {alone:.3f} s alone and {beside:.3f} s beside the attack")
    # The attack took half a minute each time.
    assert beside < 10 * alone + 1, (alone, beside)


async def test_imports_have_a_quota(start):
    server = start(accounts__open="false", tours__importsPerHour=2, **MANY)
    _, ada = await makers(server, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    for _ in range(2):
        assert (await refused_at_last(ada, {"tour": tour, "version": 1, "geojson": "{}"})).code == "invalid_field"
    refusal = await refused_at_last(ada, {"tour": tour, "version": 1, "geojson": SAMPLE.read_text()})
    assert refusal.code == "rate_limited"
