"""`cairn serve --demo`: a world with moving people that stops growing, and an interface without unavailable
commands."""

import asyncio
import collections
import json
import pathlib
import re
import shlex
import subprocess

import pytest

from browser import console, expect
from cairn import PATIENCE, Client, eventually
from operators import Desk, fetch
from pictures import fetch as download
from server import binary, environment, run

WALKERS, THINGS_OF_EACH = 20, 6
# On the tour.
GUIDED = 2
PARK = (45.5048, -73.5872)


@pytest.fixture
def demo(start):
    """A fast demo: people place in a minute as much as otherwise in an hour."""
    return demo_at(start, 100)


def demo_at(start, speed):
    server = start(
        "--demo", "--demo-speed", str(speed), placement__perMinute=100_000, placement__perDay=1_000_000,
        connections__messagesPerSecond=1_000, connections__messagesBurst=1_000, reactions__perMinute=100_000,
        travel__speedMetresPerSecond=None, pages__requestsPerSecondPerAddress=100_000)
    # Its socket is not beside the data, because a demo does not touch the data.
    server.folder = socket(server).parent
    return server


def socket(server):
    (line,) = (line for line in server.greeting if line.strip().startswith("Stats"))
    return pathlib.Path(re.search(r"--socket (\S+)", line).group(1))


async def placements(desk):
    return (await desk.ask("latency"))["requests"].get("place", {}).get("count", 0)


@pytest.mark.seconds(150)
async def test_its_world_stops_growing_however_much_is_left_in_it(demo):
    most = WALKERS * THINGS_OF_EACH
    seen = []
    async with await Desk.open(demo) as desk:

        async def is_old():
            seen.append((await desk.ask("people"))["instances"])
            # By then many times the world's maximum has been placed, so most of it has been removed again.
            return await placements(desk) > 6 * most

        await eventually(is_old, lambda: f"the walkers leave things: {seen[-5:]}", 120)
        figures = await desk.ask("latency")
    # The figure adds the shards' reports, which are up to a second apart: a thing of a walker who crossed from one to
    # the other may be counted in both.
    assert most / 2 < max(seen) <= most + WALKERS, seen
    assert figures["requests"]["remove"]["count"] > 4 * most


async def test_people_who_come_see_its_walkers_and_what_they_leave(demo):
    guest = await Client.connect(demo, "Visitor")
    cell = await guest.stand_at(*PARK)
    await guest.until(lambda: any(topic.instances for topic in guest.topics.values()), "something that was left", 30)
    await guest.until(lambda: any(guest.people.values()), "somebody who walks", 30)
    assert cell


async def test_the_line_that_it_prints_for_top_works_as_it_stands(demo):
    (line,) = (line for line in demo.greeting if line.strip().startswith("Stats"))
    said = ""

    async def shows_them():
        nonlocal said
        printed = shlex.split(line.partition("cairn ")[2])
        told = await asyncio.to_thread(
            subprocess.run, [str(binary()), *printed, "--once"], capture_output=True, text=True, timeout=PATIENCE,
            env=environment(), stdin=subprocess.DEVNULL)
        assert told.returncode == 0, told
        said = told.stdout
        return f"people {WALKERS + GUIDED}" in said

    await eventually(shows_them, lambda: f"all walkers are there: {said[:400]}")


async def test_its_console_offers_what_it_can_do(demo):
    """It has no folder for backups, and says so; all offered commands work."""
    async with console(demo) as one:
        await one.ready()
        buttons = one.page.locator("#actions button")
        assert await buttons.evaluate_all("all => all.map(one => one.dataset.action)") == [
            "notice", "backup", "reload", "drain"]
        await expect(one.page.locator("#backups")).to_contain_text("Backups are off")
        await one.page.get_by_role("button", name="Back up").click()
        await expect(one.page.locator("#said")).to_contain_text("a demo keeps nothing")
        await one.page.get_by_role("button", name="Reload").click()
        await expect(one.page.locator("#said")).to_contain_text("nothing would change")
    async with await Desk.open(demo) as desk:
        assert "backup" not in [one["command"] for one in (await desk.ask("help"))["commands"]]
        refusal = await desk.refusal("backup")
        assert refusal["code"] == "not_available" and "backup.directory" in refusal["message"]


async def test_settings_that_are_read_again_leave_it_a_demo(demo):
    """A walker a hundred times as fast as people is still shown at its position."""
    async with await Desk.open(demo) as desk:
        await desk.ask("reload")
        demo.logged("reload")
        before = await placements(desk)

        async def goes_on():
            return await placements(desk) > before + 200

        await eventually(goes_on, "the walkers leave things", 30)
        assert (await desk.ask("queues"))["messages"]["cellsHeldBack"] == 0


@pytest.mark.seconds(240)
async def test_its_tour_is_found_by_everybody_and_walked_again_and_again(start):
    """TRT-2, TRT-3, TRT-9, TRM-5, ACS-1: free, in five languages, with two recorded texts."""
    # Its walkers walk no faster, whatever the others do (`DemoTour.speedMax`).
    demo = demo_at(start, 8)
    guest = await Client.connect(demo, "Visitor")
    await guest.stand_at(*PARK)
    at = {"lat": PARK[0], "lon": PARK[1]}
    listed = {}

    async def is_listed():
        listed.update(await guest.ask("listTours", {"near": at}))
        return listed.get("tours")

    await eventually(is_listed, "the tour is listed", 30)
    (tour,) = listed["tours"]
    assert "price" not in tour and tour["organisationName"] == "Friends of the Park"
    whole = (await guest.ask("getTour", {"tour": tour["id"]}))["content"]
    texts = [whole["facts"]["name"], *(one["history"] for one in whole["stops"])]
    assert all([one["language"] for one in text["words"]] == ["en", "es", "fr", "hi", "zh"] for text in texts)
    recorded = [one for stop in whole["stops"] for one in stop["history"]["words"] if "audio" in one]
    assert [one["language"] for one in recorded] == ["en", "fr"]
    address = await guest.ask("getAsset", {"asset": recorded[0]["audio"], "tour": tour["id"]})
    status, _, sound = download(demo, address["path"])
    assert status == 200 and sound[28:36] == b"OpusHead" and len(sound) < 40_000
    status, _, page = fetch(demo, f"/j/{tour['code']}")
    assert status == 200 and "Around the park" in page

    async def is_walked():
        figures = await demo.figures()
        # Both walkers have come to the end, and one of them has begun anew.
        return figures["cairn_tours_completed_total"] >= 2 and figures["cairn_tours_started_total"] >= 3

    await eventually(is_walked, "the tour is walked", 180)
    assert "has no tour" not in demo.log()


def test_a_speed_that_makes_no_sense_is_64():
    told = run("serve", "--demo", "--demo-speed", "0")
    assert told.returncode == 64 and "--demo-speed" in told.stderr


async def test_it_prints_where_the_page_shows_its_town(demo):
    (line,) = (line for line in demo.greeting if "/play/two" in line)
    assert re.search(r"/play/two\?at=45\.5\d*,-73\.\d+", line)
    assert json.loads(fetch(demo, "/play/ground.json")[2])["file"] == "/play/ground.geojson"
    town = json.loads(fetch(demo, "/play/ground.geojson")[2])["features"]
    kinds = collections.Counter(feature["properties"]["kind"] for feature in town)
    assert kinds["park"] == 1 and kinds["street"] > 20 and kinds["house"] > 500
    for feature in town:
        ring = feature["geometry"]["coordinates"]
        for longitude, latitude in ring[0] if feature["geometry"]["type"] == "Polygon" else ring:
            assert abs(latitude - PARK[0]) < 0.01 and abs(longitude - PARK[1]) < 0.01
