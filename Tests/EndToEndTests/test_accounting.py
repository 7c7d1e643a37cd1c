"""The server's figures match its clients' observations: every position and every item is accounted for (invariant 10),
and the cells' people add up in every snapshot (STA-3)."""

import asyncio
import collections
import contextlib
import json
import os

import pytest

from cairn import Client, Refused, away, eventually, pose
from operators import Desk
from server import binary

SETTINGS = {
    "connections__positionsPerSecond": 20, "connections__messagesPerSecond": 400, "connections__messagesBurst": 400,
    "placement__perMinute": 10_000, "placement__perDay": 10_000, "placement__areaQuota": 50,
    "reactions__perMinute": 10_000, "connections__perAccountMax": 50,
}
PEOPLE = 24
SECONDS = 6
STEPS = 40  # of each walker, at least
CROWD = int(os.environ.get("CAIRN_CROWD_PEOPLE", "150"))
CROWD_SECONDS = int(os.environ.get("CAIRN_CROWD_SECONDS", "5"))


def parts(items):
    """The fates of offered items: all other figures of the section."""
    return sum(count for name, count in items.items() if name != "offered")


class Books:
    """The clients' own counts."""

    def __init__(self):
        self.positions = 0
        self.steps = collections.Counter()  # of each walker
        self.refusals = collections.Counter()
        self.requests = 0
        self.sent = 0


async def counters(server):
    async with await Desk.open(server) as desk:
        await desk.ask("cells top=1")  # makes all loops report, so that the next answers are current
        queues, refusals = await desk.ask("queues"), await desk.ask("refusals")
    return queues["items"], queues["messages"], refusals


async def walk(client, number, spot, books, stopped):
    """Walks over borders, faster than positions are processed; places and reacts; sends requests that are refused."""
    step = 0
    while not stopped.is_set():
        step += 1
        books.steps[number] = step
        at = away(*spot, north=40 * ((step // 5 + number) % 12), east=8 * number)
        lat, lon = at if step % 10 else (at[0], 200.0)
        # Once many at a time, of which the server leaves some out: however slowly this test walks.
        for _ in range(60 if step == 5 else 1):
            await client.send({"position": {"lat": lat, "lon": lon, "h": 30}})
            books.positions += 1
            books.sent += 1
        if step % 10 == 0:
            books.refusals["bad_position"] += 1
        if step % 15 == number % 15:
            books.sent += 1
            books.requests += 1
            try:
                thing = await client.place(pose(*at), "preset:heart" if step % 2 else "preset:nonsense")
                books.sent += 1
                books.requests += 1
                await client.react(thing, "like")
            except Refused as refusal:
                books.refusals[refusal.code] += 1
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stopped.wait(), 0.02)


async def until_quiet(server, clients):
    """Waits until nothing is under way any more; then returns the counters."""
    looks = []

    async def is_quiet():
        items, messages, refusals = await counters(server)
        now = (items, messages["positionsTaken"], sum(len(client.items) for client in clients))
        looks.append(now if items["waiting"] == 0 else None)
        # Longer than the time between two presence batches, and than a position waits for its turn.
        return (items, messages, refusals) if looks[-20:] == [now] * 20 else None

    return await eventually(is_quiet, lambda: f"the server at rest: {looks[-3:]}")


@pytest.mark.seconds(60)
async def test_the_servers_counters_agree_with_what_its_clients_counted(start, spot):
    server = start(**SETTINGS)
    books, stopped = Books(), asyncio.Event()
    people = [await Client.connect(server, f"walker{n}", sharePosition=n % 2 == 0) for n in range(PEOPLE)]
    books.sent += PEOPLE
    for n, client in enumerate(people):
        await client.stand_at(*away(*spot, east=8 * n))
        books.positions += 1
        books.sent += 1
    walkers = [asyncio.create_task(walk(client, n, spot, books, stopped)) for n, client in enumerate(people)]
    looks = 0
    async with await Desk.open(server) as desk:
        await desk.watch()
        while looks < SECONDS or min(books.steps.values()) < STEPS:
            head = await desk.update()
            occupancy = sum(row["people"] for row in desk.cells.values())
            assert occupancy == desk.totals["people"] == PEOPLE, head["number"]
            looks += 1
    stopped.set()
    await asyncio.gather(*walkers)
    items, messages, refusals = await until_quiet(server, people)
    heard = sum(len(client.items) for client in people)

    # Positions: each was accepted, replaced by a newer one, dropped with its session, or refused.
    wrong = books.refusals["bad_position"]
    offered = books.positions
    taken, conflated, dropped = (
        messages["positionsTaken"], messages["positionsConflated"], messages["positionsDropped"])
    refused = refusals["refusals"].get("bad_position", 0)
    assert taken + conflated + dropped + refused == offered, (taken, conflated, dropped, refused, offered)
    assert conflated > 0 and 0 < refused <= wrong and dropped == 0
    # An invalid position that a newer one replaced was never checked.
    assert refused == sum(len(client.refusals) for client in people)
    assert {one.code for client in people for one in client.refusals} == {"bad_position"}

    # Requests and refusals, by code.
    assert messages["requests"] == books.requests
    for code in ("object_not_owned", "quota_area"):
        assert refusals["refusals"].get(code, 0) == books.refusals[code], code
    assert set(refusals["refusals"]) <= {"bad_position", "object_not_owned", "quota_area", "too_far"}

    # Items: every offered item has a fate, and every sent item has arrived.
    assert items["offered"] == parts(items)
    assert items["sent"] == heard, (items, heard)
    assert (items["thinned"], items["dropped"], items["superseded"], items["lost"]) == (0, 0, 0, 0)
    assert looks >= SECONDS


@pytest.mark.seconds(60 + CROWD_SECONDS)
async def test_a_crowds_own_counts_agree_with_the_servers(start, tmp_path):
    """Occupancies add up in every snapshot while a crowd walks; at the end the crowd's counts equal the server's
    (STA-3)."""
    server, report = start(listen__connectionsMax=CROWD + 50), tmp_path / "report.json"
    walk = [binary().with_name("cairn-crowd"), "walk", "--people", CROWD, "--for", f"{CROWD_SECONDS}s"]
    walk += ["--url", server.url, "--keep", "--json", report]
    crowd = await asyncio.create_subprocess_exec(*map(str, walk), stdout=asyncio.subprocess.DEVNULL)
    ended, most, looks = asyncio.create_task(crowd.wait()), 0, 0
    try:
        async with await Desk.open(server) as desk:
            await desk.watch()
            while not ended.done():
                head = await desk.update()
                occupancy = sum(row["people"] for row in desk.cells.values())
                assert occupancy == desk.totals["people"] <= CROWD, head["number"]
                most, looks = max(most, occupancy), looks + 1
        assert await ended == 0
    finally:
        if crowd.returncode is None:
            crowd.kill()
    assert most == CROWD and looks > CROWD_SECONDS
    said = json.loads(report.read_text())
    await server.until_figure("cairn_connections", 0)
    items, messages, refusals = await counters(server)
    figures = await server.figures()

    # Every message of the crowd is a hello, a request or a position, and each position has one of four fates.
    assert figures["cairn_messages_received_total"] == said["messages_sent"]
    answered = sum(said[kind] for kind in ("placed", "edited", "removed", "reacted")) + sum(said["refusals"].values())
    assert messages["requests"] == answered > 0
    positions = sum(messages[fate] for fate in ("positionsTaken", "positionsConflated", "positionsDropped"))
    assert positions + refusals["refusals"].get("bad_position", 0) == said["messages_sent"] - answered - CROWD
    assert {code: count for code, count in refusals["refusals"].items() if count} == said["refusals"]

    # Every item that was offered to a connection is accounted for, and all sent items arrived.
    assert items["offered"] == parts(items) > 0 == items["waiting"]
    assert figures["cairn_messages_sent_total"] == said["messages_received"]
    print(f"\n  {CROWD} people, {looks} snapshots: {said['messages_sent']} messages in, {positions} of them positions,",
          f"{messages['positionsConflated']} replaced; {said['messages_received']} out, items {items}")  # fmt: skip


async def test_a_position_that_waits_when_its_session_ends_is_counted(start, spot):
    server = start(connections__positionsPerSecond=1)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    for step in range(5):
        await ada.send({"position": {"lat": spot[0], "lon": spot[1], "h": 30 + step}})
    await ada.ask("signOut")
    _, messages, _ = await counters(server)
    assert (messages["positionsTaken"], messages["positionsConflated"], messages["positionsDropped"]) == (1, 4, 1)
