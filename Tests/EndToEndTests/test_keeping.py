"""What one person can make the server keep or do (issue 31, kind 4): bytes of drafts, versions of tours, copies in
memory, keyed changes, items of groups.
"""

import asyncio
import sqlite3

import pytest

from accounts import MANY, sign_up
from cairn import Client, Refused, eventually, pose
from swarm import pause
from test_groups import on_tour, told
from test_hostile_tours import highest
from test_large_tours import imported
from test_live_space import refused
from test_operated_tours import largest
from test_random_requests import settings  # noqa: F401
from test_runs import world  # noqa: F401
from test_tours import FACTS, content, draft, makers, popup, published, words

#: A draft may have so many bytes here: the least that can be set.
DRAFT = 65_536
WIDE = {
    "connections__messagesPerSecond": 10_000, "connections__messagesBurst": 100_000,
    "connections__bytesPerSecond": 100_000_000, "connections__bytesBurst": 1_000_000_000,
}  # fmt: skip


def count(server, table, where="1"):
    database = sqlite3.connect(server.folder / "cairn.sqlite")
    try:
        return database.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0]
    finally:
        database.close()


def long_popup(number, letters=5_000):
    return popup(100.0 + number, text=words("x" * letters))


async def fill(client, tour, most=200):
    """Adds popups until one is refused; the refusal."""
    for number in range(most):
        try:
            await client.ask("setTourPopup", {"tour": tour, "popup": long_popup(number)})
        except Refused as refusal:
            return refusal
    raise AssertionError(f"{most} popups and no refusal")


# MARK: - Tours


async def test_a_draft_has_a_bound_in_bytes_and_one_of_before_can_be_walked_and_made_smaller(start):
    server = start(accounts__open="false", tours__draftBytesMax=4 * DRAFT, **MANY, **WIDE)
    _, ada = await makers(server, "ada")
    eve = await sign_up(server, "eve")
    tour = await draft(ada, price=0)
    refusal = await fill(ada, tour)
    assert refusal.code == "space_full" and refusal.details["limit"] == str(4 * DRAFT)
    # What is refused has changed nothing, what is smaller has room, and it can be published.
    await ada.ask("setTourPopup", {"tour": tour, "popup": popup(90.0)})
    await ada.ask("publishTour", {"tour": tour})
    before = await content(ada, tour, draft=True)
    tokens = [one.welcome["token"] for one in (ada, eve)]
    server.kill()

    server = start(accounts__open="false", tours__draftBytesMax=DRAFT, **MANY, **WIDE)
    ada, eve = [await Client.connect(server, token=token) for token in tokens]
    whole = await content(ada, tour, draft=True)
    assert whole == before
    published = (await content(eve, tour))[1]
    published["popups"].sort(key=lambda one: one["id"])
    assert published == {**before[1], "popups": sorted(before[1]["popups"], key=lambda one: one["id"])}
    run = await eve.ask("startTour", {"tour": tour})
    assert (await eve.ask("getRunContent", {}))["pages"] > 1 and run["version"] == 1
    await eve.ask("leaveRun", {})
    # Not larger, but smaller.
    parts = (await ada.ask("getTour", {"tour": tour, "draft": True}))["parts"]
    small = whole[1]["popups"][-1]
    version = next(part["version"] for part in parts if part["part"] == small["id"])
    await refused("space_full", ada.ask("setTourPopup", {"tour": tour, "popup": popup(95.0)}))
    larger = {"tour": tour, "version": version, "popup": {**small, "text": words("y" * 5_000)}}
    await refused("space_full", ada.ask("setTourPopup", larger))
    popups = {one["id"] for one in whole[1]["popups"]}
    removed = [part for part in parts if part["part"] in popups]
    await ada.ask("removeTourPart", {"tour": tour, **removed[0]})
    await refused("space_full", ada.ask("publishTour", {"tour": tour}))
    for part in removed[1:]:
        await ada.ask("removeTourPart", {"tour": tour, **part})
    assert (await ada.ask("publishTour", {"tour": tour}))["version"] == 2


async def test_an_import_beyond_the_bound_of_a_draft_is_refused(start):
    server = start(accounts__open="false", tours__draftBytesMax=DRAFT, **MANY, **WIDE)
    _, ada = await makers(server, "ada")
    tour = await draft(ada)
    whole = await content(ada, tour, draft=True)
    with pytest.raises(Refused) as raised:
        version = (await ada.ask("getTour", {"tour": tour, "draft": True}))["parts"][0]["version"]
        await imported(ada, tour, largest(), version)
    assert raised.value.code == "space_full" and raised.value.details["limit"] == str(DRAFT)
    assert await content(ada, tour, draft=True) == whole


async def test_publishing_what_is_unchanged_writes_no_version(start):
    server = start(accounts__open="false", **MANY, **WIDE)
    _, ada = await makers(server, "ada")
    tour = await published(ada)
    for _ in range(20):
        assert await ada.ask("publishTour", {"tour": tour}) == {"tour": tour, "version": 1}
    assert count(server, "tour_versions") == 1
    await ada.ask("setTourPopup", {"tour": tour, "popup": popup()})
    assert (await ada.ask("publishTour", {"tour": tour}))["version"] == 2


async def test_publications_have_a_quota(start):
    server = start(accounts__open="false", tours__publishedPerHour=2, **MANY)
    _, ada = await makers(server, "ada")
    tour = await published(ada)
    await ada.ask("publishTour", {"tour": tour})
    refusal = await refused("rate_limited", ada.ask("publishTour", {"tour": tour}))
    assert refusal.details["limit"] == "2" and refusal.retry_after > 0


async def test_tours_made_in_an_hour_are_counted_over_a_restart(start):
    server = start(accounts__open="false", tours__createdPerHour=2, **MANY)
    _, ada = await makers(server, "ada")
    for _ in range(2):
        await ada.ask("createTour", {"facts": FACTS})
    await refused("rate_limited", ada.ask("createTour", {"facts": FACTS}))
    token = ada.welcome["token"]
    server.kill()
    server = start(accounts__open="false", tours__createdPerHour=2, **MANY)
    ada = await Client.connect(server, token=token)
    refusal = await refused("rate_limited", ada.ask("createTour", {"facts": FACTS}))
    assert refusal.details["limit"] == "2" and refusal.details["period"] == "hour"


async def test_starts_and_pauses_have_a_quota_of_a_minute_that_no_walker_meets(start):
    """Each is answered and told with the texts of two stops; before, 10,000 a day were taken as fast as they came."""
    server = start(accounts__open="false", **MANY)
    _, ada = await makers(server, "ada")
    eve, bob = await sign_up(server, "eve"), await sign_up(server, "bob")
    tour = await published(ada, price=0)
    # Started, paused three times, left by mistake, begun again.
    for _ in range(2):
        await eve.ask("startTour", {"tour": tour})
        for _ in range(3):
            await eve.ask("pauseRun")
            await eve.ask("resumeRun")
        await eve.ask("leaveRun")

    async def change(number):
        await bob.ask(("startTour", "leaveRun")[number % 2], {"tour": tour} if number % 2 == 0 else {})

    taken = 0
    with pytest.raises(Refused) as raised:
        for number in range(200):
            await change(number)
            taken += 1
    refusal = raised.value
    # Those of the first seconds may be a minute old on a machine that is busy.
    assert taken >= 30 and refusal.code == "rate_limited" and refusal.retry_after > 0, (taken, refusal)
    assert refusal.details["limit"] == "30" and refusal.details["period"] == "minute"
    # Others have their own.
    await eve.ask("startTour", {"tour": tour})


@pytest.mark.alone
@pytest.mark.seconds(180)
async def test_300_looks_at_a_large_tour_share_one_copy(start):
    """Before, each page had a copy of its own: 300 looks at once at a tour of 12 MB took 1,414 MB, and kept them."""
    server = start(
        accounts__open="false", tours__draftBytesMax=64 << 20, tours__editsPerMinute=100_000,
        tours__looksPerMinute=100_000, **MANY, **WIDE)  # fmt: skip
    _, ada = await makers(server, "ada")
    eve = await sign_up(server, "eve")
    tour = await draft(ada, price=0)
    for number in range(190):
        texts = [{"language": language, "text": "x" * 5_000} for language in ("en", "fr", "de", "es", "it", "pt")]
        await ada.ask("setTourPopup", {"tour": tour, "popup": popup(100.0 + number / 2, text={"words": texts})})
    await ada.ask("publishTour", {"tour": tour})
    token = eve.welcome["token"]
    server.kill()
    settings = {
        "accounts__open": "false", "tours__draftBytesMax": 64 << 20, "tours__looksPerMinute": 100_000, **MANY, **WIDE,
    }  # fmt: skip

    async def look(count):
        """The most memory, in bytes, for so many looks at once at a tour of which nothing is in memory."""
        server = start(**settings)
        eve = await Client.connect(server, token=token)
        fresh = server.resident_bytes()
        kinds = ("getTour", "exportTour")
        looks = [await eve.post(kinds[number % 2], {"tour": tour, "page": number % 5}) for number in range(count)]
        await asyncio.gather(*looks)
        most = highest(server) - fresh
        await eve.close()
        server.kill()
        return most

    few, many = await look(2), await look(300)
    print(f"2 looks: {few >> 20} MiB; 300 at once: {many >> 20} MiB")
    # 5.7 MB of content: read, decoded, in pages and as GeoJSON. Each copy more would be as much again.
    assert many < 1.5 * few + (16 << 20), (few, many)


# MARK: - Groups


async def test_targets_that_change_all_the_time_reach_followers_conflated(world):  # noqa: F811
    _, tour, eve, bob = await on_tour(world, "eve", "bob")
    stops = [one["id"] for one in (await content(eve, tour))[1]["stops"]]
    group = await eve.ask("openGroup", {})
    await bob.ask("joinGroup", {"code": group["code"]})
    await eventually(lambda: is_told(bob, ""), lambda: told(bob))
    await pause(1.1)
    before = sum("group" in item for item in bob.items)
    began = asyncio.get_running_loop().time()
    for number in range(100):
        await eve.ask("setGroupTarget", {"stop": stops[number % 2]})
        await eve.ask("shareGroupPlace", {"sharesPlace": number % 2 == 0})
    took = asyncio.get_running_loop().time() - began
    await eventually(lambda: is_told(bob, stops[1]), lambda: told(bob))
    await pause(1.1)
    assert told(bob)["target"] == stops[1] and not any(one.get("sharesPlace") for one in told(bob)["members"])
    items = sum("group" in item for item in bob.items) - before
    # At once and at the end of each second; the end of sharing once more. Places every two seconds beside them.
    assert items <= 4 + 3 * (took + 2.2), (items, took)
    assert items < 200, items


async def is_told(client, target):
    return "id" in told(client) and told(client).get("target", "") == target


# MARK: - Changes of a day


async def times(client, kind, body, most):
    """Sends the same with a new key again and again; how many were taken, and the refusal of the first that was not."""
    for number in range(most):
        try:
            await client.ask(kind, body(number))
        except Refused as refusal:
            return number, refusal
    return most, None


async def test_changes_of_any_kind_end_with_the_day_also_after_a_restart(start):
    """Before, 10,000 of 10,000 were taken, each with a reply on disk."""
    server = start(changes__perDay=100, **WIDE)
    ada, bob = await Client.connect(server, "ada"), await Client.connect(server, "bob")
    token = ada.welcome["token"]
    realm = (await ada.ask("createRealm", {"name": "Club"}))["id"]
    taken, refusal = await times(ada, "editRealm", lambda n: {"realm": realm, "name": f"Club {n}"}, 150)
    assert taken == 99 and refusal.code == "rate_limited", (taken, refusal)
    assert refusal.details["limit"] == "100" and refusal.details["period"] == "day" and refusal.retry_after > 0
    assert count(server, "kept_answers") == 100
    # Others have their own, and what has a limit of its own goes on.
    await bob.ask("createRealm", {"name": "Other"})
    await ada.stand_at(10.0, 10.0)
    await ada.place(pose(10.0, 10.0))
    server.kill()
    server = start(changes__perDay=100, **WIDE)
    ada = await Client.connect(server, token=token)
    assert (await times(ada, "editRealm", lambda n: {"realm": realm, "name": f"Club {n}"}, 5))[0] == 0


@pytest.mark.seconds(180)
async def test_changes_of_settings_have_a_bound_of_an_hour(start):
    server = start(**WIDE)
    ada = await Client.connect(server, "ada")

    def body(number):
        return {"settings": [{"key": "display.theme", "value": ("dark", "light")[number % 2]}]}

    taken, refusal = await times(ada, "saveSettings", body, 1_010)
    assert taken == 1_000 and refusal.code == "rate_limited" and refusal.retry_after > 0, (taken, refusal)
    await server.until_figure("cairn_account_changes_refused_total", 1)
