"""Ten minutes of people who connect and leave, walk, place, edit, remove and react, are cut and read slowly: memory is
flat after the warm-up, no queue grows, all counters add up (B31). Not a part of `make test`:

    pytest Tests/EndToEndTests/test_soak.py -m soak -s -k counters
    CAIRN_SOAK_SECONDS=28800 pytest Tests/EndToEndTests/test_soak.py -m soak -s -k counters        a night

And two hours in a world that does not grow, in which no resource may grow:

    pytest Tests/EndToEndTests/test_soak.py -m soak -s -k grow
    CAIRN_STILL_PEOPLE=400 pytest Tests/EndToEndTests/test_soak.py -m soak -s -k grow        with more load than 20
"""

import asyncio
import json
import os
import pathlib
import re
import subprocess
import time

import pytest

import swarm
from operators import Desk
from server import binary
from swarm import Bot

SECONDS = int(os.environ.get("CAIRN_SOAK_SECONDS", "600"))
PEOPLE = 200
EVERY = max(1, SECONDS / 120)  # seconds between two looks
SETTINGS = {
    "listen__connectionsMax": 1_000, "placement__perMinute": 60, "placement__perDay": 1_000_000,
    "cells__instancesMax": 10_000, "cells__sleepSeconds": 30, "connections__messagesPerSecond": 100,
    "connections__resumeSeconds": 20,
}  # fmt: skip
# Lengths of queues at the moment of the check. The keys of changes are not a queue: they are kept for a day.
QUEUES = (
    "cairn_outbox_items", "cairn_outbox_bytes", "cairn_store_backlog_changes", "cairn_store_reads_waiting",
    "cairn_turns_unsaved", "cairn_sessions_detached", "cairn_store_wal_pages", "cairn_cells_awake", "process_open_fds",
)  # fmt: skip
KEY_BYTES = 100  # what a change leaves in memory: key, digest, time, and their places in two tables
THING_BYTES = 2_000  # what one more thing in a cell takes: itself, its totals, its place in the tables and the topic


def slope(points):
    """The slope of the least-squares line through (x, y)."""
    n = len(points)
    x0, y0 = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    return sum((x - x0) * (y - y0) for x, y in points) / sum((x - x0) ** 2 for x, _ in points)


async def crowd(server, report, seconds=SECONDS, people=PEOPLE, **habits):
    """Walkers whose connections are cut, and some of whom stop reading for seconds; the oracle watches each."""
    walk = [str(binary().with_name("cairn-crowd")), "run", "walk", "--people", people, "--for", f"{seconds}s"]
    walk += ["--url", server.url, "--server-pid", server.process.pid, "--rate", 1, "--json", report]
    for habit in ({"placeEvery": 10, "reactEvery": 10, "cutEvery": 30, "slowShare": 0.05} | habits).items():
        walk += ["--with", "{}={}".format(*habit)]
    process = await asyncio.create_subprocess_exec(*map(str, walk), stdout=asyncio.subprocess.DEVNULL)
    try:
        assert await process.wait() in (0, 1), "the crowd ended in another way than by its report"
    finally:
        if process.returncode is None:
            process.kill()


async def visitors(server, spots, is_over):
    """New people continuously, who place, select, and disconnect in one of several ways."""
    number = 0
    while not is_over():
        bot = Bot(f"visitor{number}", spots[number % len(spots)])
        await bot.connect(server)
        bot.place(f"{bot.name}-0")
        await bot.until(lambda bot=bot: bot.placed)
        instance = bot.placed[f"{bot.name}-0"]
        if isinstance(instance, dict):
            await bot.ask("remove", {"instance": instance["id"], "cell": instance["cell"]}, f"{bot.name}-removed")
        if number % 3:
            bot.drop()
        else:
            bot.say(swarm.CLOSE, b"\x03\xe8")
        await bot.ended()
        assert bot.faults == []
        number += 1
        await swarm.pause(0.2)
    return number


@pytest.mark.soak
@pytest.mark.seconds(SECONDS + 120)
async def test_memory_and_queues_stay_flat_and_the_counters_add_up(start, tmp_path, spot):
    server, report = start(**SETTINGS), tmp_path / "report.json"
    walking = asyncio.create_task(crowd(server, report))
    visiting = asyncio.create_task(visitors(server, [spot], walking.done))
    began, looks = time.monotonic(), []
    while not walking.done():
        looks.append((time.monotonic() - began, server.resident_bytes(), await server.figures()))
        await asyncio.wait([walking, visiting], timeout=EVERY, return_when=asyncio.FIRST_COMPLETED)
        assert not visiting.done() or not visiting.exception(), visiting.exception()
    await walking
    came = await visiting
    said = json.loads(report.read_text())
    assert said["rules_broken"] == 0, said["broken"]

    # The first third is the warm-up: all people connect, cells wake, caches fill.
    steady = [look for look in looks if looks[-1][0] / 3 <= look[0] <= looks[-1][0] - 5]
    hours = (steady[-1][0] - steady[0][0]) / 3600

    def grown(name):
        return steady[-1][2][name] - steady[0][2][name]

    def growth(value):
        """Growth in bytes from the first to the last check, by the line through all checks."""
        return 3600 * hours * slope([(look[0], value(look)) for look in steady])

    resident, cache = growth(lambda look: look[1]), growth(lambda look: look[2]["cairn_store_cache_bytes"])
    changes, things = grown("cairn_store_changes_total"), grown("cairn_instances_awake")
    explained = cache + changes * KEY_BYTES + things * THING_BYTES
    print(f"\n  {SECONDS} s, {PEOPLE} walkers, {came} visitors, {said['cuts']} cuts, {changes:.0f} changes: resident",
          f"{steady[0][1] / 1e6:.1f} to {steady[-1][1] / 1e6:.1f} MB, slope {resident / hours / 1e6:+.2f} MB/h;",
          f"of {resident / 1e6:.1f} MB the database's cache took {cache / 1e6:.1f}, {things:.0f} more things at most",
          f"{things * THING_BYTES / 1e6:.1f}, keys at most {changes * KEY_BYTES / 1e6:.1f}")  # fmt: skip
    for name in QUEUES:
        values = [figures[name] for _, _, figures in steady]
        thirds = [sorted(values[len(values) * n // 3 : len(values) * (n + 1) // 3]) for n in range(3)]
        medians = [third[len(third) // 2] for third in thirds]
        print(f"  {name}: {medians[0]:.0f}, {medians[1]:.0f}, {medians[2]:.0f}; at most {max(values):.0f}")
        assert medians[2] <= 1.5 * max(medians[:2]) + 100, f"{name} grows: {medians}"
    assert resident <= explained + 2e6, "memory grows by more than what is known to be kept"

    # All people have left; cut sessions end after resumeSeconds.
    await server.until_figure("cairn_connections", 0)
    await server.until_figure("cairn_sessions_detached", 0)
    figures = await server.figures()
    assert figures["cairn_people"] == figures["cairn_users"] == figures["cairn_outbox_items"] == 0
    assert figures["cairn_turns_unsaved"] == figures["cairn_store_backlog_changes"] == 0
    assert figures["cairn_sessions_resumed_total"] <= figures["cairn_sessions_cut_total"]
    async with await Desk.open(server) as desk:
        items = (await desk.ask("queues"))["items"]
    parts = ("sent", "waiting", "thinned", "dropped", "superseded", "revoked", "lost")
    assert items["offered"] == sum(items[part] for part in parts) > 0
    assert await asyncio.to_thread(server.stop) == 0


# MARK: - A world that does not grow

STILL_SECONDS = int(os.environ.get("CAIRN_STILL_SECONDS", "7200"))
# Bounded memory that may still fill is small, or full within the warm-up: an account's keys (1,000 of them, after half
# an hour of these changes), a topic's events, the database's cache.
STILL = {
    "storage__cacheMegabytes": 2, "cells__ringEvents": 64, "placement__perMinute": 60, "placement__perDay": 10_000,
    "connections__resumeSeconds": 20,
}  # fmt: skip
STILL_PEOPLE = int(os.environ.get("CAIRN_STILL_PEOPLE", "20"))
GROWTH_MAX = 1e6  # bytes an hour


def in_use(account):
    """Bytes in use by glibc's accounting, and bytes in its arenas: (time, held, kept)."""
    looks = []
    for time_of, text in re.findall(r"<!-- (\d+) -->\n(.*?)</malloc>", account, re.DOTALL):
        # The sums over all arenas come last.
        sizes = re.findall(r'<total type="(?:fast|rest)" count="\d+" size="(\d+)"', text)
        free = sum(int(size) for size in sizes[-2:])
        mapped = int(re.findall(r'<total type="mmap" count="\d+" size="(\d+)"', text)[-1])
        taken = int(re.findall(r'<system type="current" size="(\d+)"', text)[-1])
        looks.append((int(time_of), taken + mapped - free, free))
    return looks


@pytest.fixture
def heap_account(tmp_path):
    """The file into which a server with this environment writes the accounting of its heap."""
    library = tmp_path / "heap_account.so"
    source = pathlib.Path(__file__).with_name("heap_account.c")
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    return tmp_path / "heap", {"LD_PRELOAD": str(library), "HEAP_ACCOUNT": str(tmp_path / "heap")}


@pytest.mark.soak
@pytest.mark.seconds(STILL_SECONDS + 180)
async def test_memory_does_not_grow_with_a_world_that_does_not_grow(start, tmp_path, heap_account):
    account, environment = heap_account
    server, report = start(env=environment, **STILL), tmp_path / "report.json"
    habits = {"placeEvery": 2, "reactEvery": 10, "cutEvery": 30, "slowShare": 0.05}
    walking = asyncio.create_task(crowd(server, report, STILL_SECONDS, STILL_PEOPLE, **habits))
    began, looks = time.time(), []
    with open(tmp_path / "looks", "w", buffering=1) as kept:
        while not walking.done():
            looks.append((time.time(), server.resident_bytes(), server.busy_seconds()))
            kept.write(" ".join(map(str, looks[-1])) + "\n")
            await asyncio.wait([walking], timeout=min(60, STILL_SECONDS / 60))
    await walking
    said = json.loads(report.read_text())
    assert said["rules_broken"] == 0, said["broken"]

    # The first quarter is the warm-up.
    def steady(points):
        return [point for point in points if STILL_SECONDS / 4 <= point[0] - began <= STILL_SECONDS - 5]

    resident = steady(looks)
    growth = 3600 * slope([(at, size) for at, size, _ in resident])
    share = (resident[-1][2] - resident[0][2]) / (resident[-1][0] - resident[0][0])
    print(f"\n  {STILL_SECONDS} s, {STILL_PEOPLE} walkers, {said['cuts']} cuts, {share:.1%} of a core: resident",
          f"{resident[0][1] / 1e6:.2f} to {resident[-1][1] / 1e6:.2f} MB, slope {growth / 1e6:+.3f} MB/h")  # fmt: skip
    if held := steady(in_use(account.read_text() if account.exists() else "")):
        print(f"  held by malloc's account {held[0][1] / 1e6:.2f} to {held[-1][1] / 1e6:.2f} MB,",
              f"slope {3600 * slope([(at, size) for at, size, _ in held]) / 1e6:+.3f} MB/h;",
              f"free in its arenas {held[0][2] / 1e6:.2f} to {held[-1][2] / 1e6:.2f} MB")  # fmt: skip
    assert growth <= GROWTH_MAX
