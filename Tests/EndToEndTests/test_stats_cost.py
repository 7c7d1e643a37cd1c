"""The cost of operators: 10,000 cells watched once a second, and an operator who does not read (STA-1)."""

import asyncio
import contextlib
import json
import pathlib
import socket
import time

import pytest

from cairn import PATIENCE, Client, away
from operators import Desk, socket_of
from paces import is_held_up, paces, timed
from server import is_optimized, run

pytestmark = pytest.mark.alone

CELLS = 10_000
SECONDS = 3
# Limit of the share of a processor for watching, for a server as it is shipped (`make test-long`); without optimization
# the same takes three times as long.
SHARE_MAX = 0.02 if is_optimized() else 0.08
# How many times as long as without a cell `cairn top --once` may take with all of them.
TOP_MAX = 20
SETTINGS = {
    "listen__loops": 2, "cells__viewRadiusMetres": 780, "connections__positionsPerSecond": 100,
    "connections__messagesPerSecond": 1_000, "connections__messagesBurst": 1_000,
}


def threads(server):
    """Processor seconds of each thread, by its id, and the id of the thread that answers operators.

    The kernel lists threads by their place in the list: one that ends meanwhile can hide another, so a list without
    the operators' thread is read again.
    """
    for _ in range(100):
        seconds, stats = {}, None
        for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
            with contextlib.suppress(OSError):  # a thread that has ended meanwhile
                # Nanoseconds on a processor come first.
                seconds[task.name] = int((task / "schedstat").read_text().split()[0]) / 1e9
                stats = task.name if (task / "comm").read_text().strip() == "cairn-stats" else stats
        if stats:
            return seconds, stats
    raise AssertionError("no thread named cairn-stats")


async def pause(seconds):
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), seconds)


async def used(server, seconds=SECONDS):
    """Shares of a processor over a number of seconds: of the operators' thread, and of all others."""
    (before, stats), began = threads(server), time.monotonic()
    await pause(seconds)
    after, took = threads(server)[0], time.monotonic() - began
    # A thread that is missing in the first list counts as 0 and not with its total time.
    shares = {name: (after[name] - before.get(name, after[name])) / took for name in after}
    return shares.pop(stats), sum(shares.values())


async def crowd(server, count):
    """People two kilometres apart, each with over a hundred cells in view that no other person has in view."""
    people = await asyncio.gather(*(Client.connect(server, f"watcher{n}") for n in range(count)))
    places = [(45.5 + 0.0175 * (n % 10), 7.0 + 0.025 * (n // 10)) for n in range(count)]
    await asyncio.gather(*(one.stand_at(*at) for one, at in zip(people, places)))
    return people, places


async def wide_view(person):
    await person.until(lambda: len(person.topics) > 80, "a wide view")


@pytest.mark.seconds(90)
async def test_ten_thousand_cells_once_a_second_cost_less_than_2_percent_of_a_core(start):
    server = start(**SETTINGS)

    async def look():
        top = await asyncio.to_thread(run, "top", "--once", "--data", server.folder)
        assert top.returncode == 0 and "PEOPLE" in top.stdout, top

    idle = await paces(look, 3)
    people, places = await crowd(server, 65)
    await asyncio.gather(*(wide_view(one) for one in people))
    await pause(1.5)
    alone = (await used(server))[1]
    stopped = asyncio.Event()

    async def wander(one, at, n):
        """Changes for the rows: each step changes the watchers of some thirty cells."""
        while not stopped.is_set():
            for north in (0, 280):
                await one.stand_at(*away(*at, north=north))
                await pause(0.1 + n / 1_000)

    async with await Desk.open(server) as desk:
        await desk.watch()
        assert len(desk.cells) >= CELLS, len(desk.cells)
        # What it takes beside the cells does not grow with them.
        assert min(await paces(look, 3)) < TOP_MAX * min(idle), idle
        reader = asyncio.create_task(read_on(desk))
        quiet, others = await used(server)
        looked = quiet + max(0, others - alone)
        wanderers = [asyncio.create_task(wander(one, at, n)) for n, (one, at) in enumerate(zip(people, places))]
        await pause(1)
        busy = (await used(server))[0]
        stopped.set()
        await asyncio.gather(*wanderers)
        reader.cancel()
        rows = desk.changed / max(1, desk.looks)
    print(
        f"\n{len(desk.cells)} cells, a snapshot a second: {looked:.2%} of a core, of which {quiet:.2%} the operators' "
        f"thread; with {rows:.0f} rows that change a second that thread takes {busy:.2%}. "
        f"All else at rest: {alone:.2%}")
    assert looked < SHARE_MAX, looked
    assert busy + max(0, others - alone) < 2 * SHARE_MAX, busy


async def read_on(desk):
    desk.changed = desk.looks = 0
    while True:
        head = await desk.update()
        desk.looks += 1
        desk.changed += head["rows"]


class SlowDesk:
    """An operator who watches and does not read."""

    def __init__(self, server):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(socket_of(server)))
        self.socket.sendall(b"watch 1\n")
        self.lines = self.socket.makefile("rb")
        self.cells, self.numbers, self.totals = {}, [], None

    def update(self):
        """Reads one whole update."""
        while True:
            line = json.loads(self.lines.readline())
            if line["type"] == "snapshot":
                self.cells = {}
            if "totals" in line:
                self.totals = line["totals"]
            for gone in line.get("gone", []):
                self.cells.pop(gone)
            self.cells.update((row["cell"], row) for row in line["cells"])
            if not line["more"]:
                self.numbers.append(line["number"])
                return


async def test_a_slow_operator_loses_updates_and_slows_nobody(start):
    server = start(**SETTINGS)
    people, places = await crowd(server, 24)
    await asyncio.gather(*(wide_view(one) for one in people))

    async def walk(desk):
        """Everybody goes back and forth, over four updates; returns how many seconds each step took, and how many
        updates the operator lost, who reads as quickly as this machine can."""
        steps, first = [], desk.number
        for step in range(4):
            for one, at in zip(people, places):
                steps.append(await timed(lambda: one.stand_at(*away(*at, north=150 * (step % 2)))))
            await desk.update()
        return steps, desk.number - first - 4

    async with await Desk.open(server) as desk:
        await desk.watch()
        before, _ = await walk(desk)
        slow = SlowDesk(server)
        during, lost = await walk(desk)
        assert not is_held_up(during, before), (sorted(during)[-3:], sorted(before)[-3:])
        assert (await server.figures())["cairn_operator_updates_skipped_total"] >= 2
        # No one moves any more. The operator who finally reads gets one large update, and then has the same figures as
        # the other.
        for _ in range(3):
            await asyncio.to_thread(slow.update)
        while slow.numbers[-1] < desk.number + 2:
            await asyncio.to_thread(slow.update)
        while desk.number < slow.numbers[-1]:
            await desk.update()
        assert slow.numbers[1] - slow.numbers[0] - 1 > lost, slow.numbers
        assert sum(row["people"] for row in slow.cells.values()) == slow.totals["people"] == len(people)
        look = ("people", "instances", "subscribers")
        assert {cell: [row[name] for name in look] for cell, row in slow.cells.items()} == {
            cell: [row[name] for name in look] for cell, row in desk.cells.items()}
    slow.socket.close()
