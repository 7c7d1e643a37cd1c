"""A disk that is full, fails, is read-only, stalls, or is locked by another process, under load (DAT-4; B3, B4, B5).

In every case: the process keeps running, questions and positions are answered, no change is acknowledged that a power
cut could lose, changes are refused with `storage_unavailable` beyond the backlog's bound, and the server recovers by
itself when the disk is well again.
"""

import asyncio
import contextlib
import itertools
import shutil
import sqlite3
import statistics
import subprocess
import time

import pytest

import swarm
from cairn import PATIENCE, Client, Refused, away, eventually, pose
from frail_disk import FrailDisk
from server import environment, get, serve_command
from swarm import Bot

SETTINGS = {
    "placement__areaQuota": 1_000_000, "placement__perMinute": 1_000_000, "placement__perDay": 1_000_000,
    "cells__instancesMax": 1_000_000, "connections__messagesPerSecond": 100_000,
    "connections__messagesBurst": 1_000_000, "storage__backlogMax": 300, "storage__retryMaxMilliseconds": 1_000,
}  # fmt: skip
RATE = 300  # placements a second


class Load:
    """People who place without a pause, in a separate task; refused placements are not sent again automatically."""

    def __init__(self, spot, people=8):
        self.bots = [Bot(f"person{n}", away(*spot, north=3.0 * n)) for n in range(people)]
        self.reader = Bot("reader", spot)
        self._is_over, self._task = False, None
        self._due = None  # what a newcomer has to see; None = whatever is acknowledged
        self._numbers = itertools.count()

    @classmethod
    @contextlib.asynccontextmanager
    async def on(cls, server, spot):
        load = cls(spot)
        await swarm.together(8, lambda bot: bot.connect(server), [*load.bots, load.reader])
        load._task = asyncio.create_task(swarm.paced(RATE, 10 * PATIENCE, load._place, lambda: load._is_over))
        yield load
        await load.stop()
        for bot in [*load.bots, load.reader]:
            bot.drop()
            await bot.ended()

    def _place(self, _):
        number = next(self._numbers)
        bot = self.bots[number % len(self.bots)]
        bot.place(f"{bot.name}-{number}")

    async def stop(self):
        self._is_over = True
        await self._task
        # What is acknowledged later may come after a newcomer has looked.
        self._due = dict(self.acknowledged)

    @property
    def acknowledged(self):
        return {key: instance for bot in self.bots for key, instance in bot.acknowledged.items()}

    @property
    def codes(self):
        return set().union(*(bot.codes for bot in self.bots))

    async def until(self, condition, what, seconds=PATIENCE):
        """Waits until the answers to the load meet the condition."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"no {what} within {seconds} s"
            await swarm.pause(0.01)

    async def until_acknowledged(self, more=50):
        count = len(self.acknowledged) + more
        await self.until(lambda: len(self.acknowledged) >= count, f"{more} acknowledgements")

    async def read_around(self, server):
        """Questions, positions and pages are answered, and sign-in by token works, while the disk is as it is."""
        instance = next(iter(self.acknowledged.values()))
        lat, lon = self.reader.spot
        try:
            async with asyncio.timeout(PATIENCE):
                await self.reader.ask("select", {"instance": instance["id"], "cell": instance["cell"]})
                await self.reader.ask("position", {"lat": lat, "lon": lon, "h": 30.0})
                assert (await get(f"{server.http}/livez"))[0] == 200
                self.reader.drop()
                await self.reader.ended()
                await self.reader.connect(server)
        except TimeoutError:
            raise AssertionError("reads wait for the disk") from None
        assert self.reader.resumed, "the session was not taken up"

    def check(self, held):
        """Every acknowledged placement exists, as acknowledged, and each key once."""
        by_key = {}
        for instance in held.values():
            key = instance["pose"]["anchor"]["id"]
            assert key not in by_key, f"{key} is there twice"
            by_key[key] = instance
        due = self.acknowledged if self._due is None else self._due
        lost = [key for key, instance in due.items() if by_key.get(key) != instance]
        assert not lost, f"{len(lost)} acknowledged are lost or different: {lost[:5]}"
        assert swarm.faults([*self.bots, self.reader]) == []


async def seen_by_a_newcomer(server, spot, name="newcomer"):
    newcomer = Bot(name, spot)
    await newcomer.connect(server)
    held = newcomer.everything()
    newcomer.drop()
    await newcomer.ended()
    return held


# MARK: - Full


class SmallDisk:
    """A separate file system that can be filled to the last byte; where mounting is not allowed, a disk that claims to
    be full."""

    def __init__(self, folder, library):
        self.mount = folder / "small"
        self.mount.mkdir()
        mounting = ["mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "cairn-test", str(self.mount)]
        self.is_mounted = subprocess.run(mounting, capture_output=True, timeout=PATIENCE).returncode == 0
        self._frail = FrailDisk(library, self.mount)
        self.data, self.environment = self._frail.data, {} if self.is_mounted else self._frail.environment

    def fill(self):
        if not self.is_mounted:
            return self._frail.order("full")
        for size in (65_536, 4_096, 1):
            with open(self.mount / "ballast", "ab", buffering=0) as ballast, contextlib.suppress(OSError):
                while True:
                    ballast.write(bytes(size))

    def make_room(self):
        if not self.is_mounted:
            return self._frail.order("well")
        (self.mount / "ballast").unlink()

    def close(self):
        if self.is_mounted:
            subprocess.run(["umount", "--lazy", str(self.mount)], check=True, timeout=PATIENCE)


@pytest.fixture
def small_disk(tmp_path, frail_library):
    disk = SmallDisk(tmp_path, frail_library)
    yield disk
    disk.close()


async def test_a_disk_full_to_the_last_byte_refuses_changes_answers_reads_and_recovers(start, small_disk, spot):
    """B3: it goes on when there is room, and not at the next attempt. On a file system of its own that is ten minutes
    away; the disk that only claims to be full does not report its free space."""
    late = {"storage__retryFirstMilliseconds": 600_000, "storage__retryMaxMilliseconds": 600_000}
    settings = SETTINGS | (late if small_disk.is_mounted else {})
    server = start(folder=small_disk.data, env=small_disk.environment, **settings)
    async with Load.on(server, spot) as load:
        await load.until_acknowledged()
        small_disk.fill()
        filled = time.monotonic()
        await load.until(lambda: load.codes, "refusal")
        refused_after = time.monotonic() - filled
        assert load.codes == {"storage_unavailable"}
        await server.until_figure("cairn_store_failing", 1)
        await load.read_around(server)
        # Refusals continue, and no change is acknowledged, because there is no room for it.
        before = len(load.acknowledged)
        await swarm.pause(0.5)
        assert len(load.acknowledged) == before
        small_disk.make_room()
        began = time.monotonic()
        await load.until_acknowledged()
        recovered_after = time.monotonic() - began
        await server.until_figure("cairn_store_failing", 0)
        await load.stop()
        print(f"\n  {'tmpfs' if small_disk.is_mounted else 'frail disk'}: first refusal after {refused_after:.2f} s,",
              f"saved again {recovered_after:.2f} s after there was room")  # fmt: skip
        assert server.is_running
        server.kill()
        server = start(folder=small_disk.data, env=small_disk.environment, **settings)
        load.check(await seen_by_a_newcomer(server, spot))


async def test_a_shutdown_on_a_disk_that_refuses_says_goodbye_and_ends(start, small_disk, spot):
    server = start(folder=small_disk.data, env=small_disk.environment, shutdown__drainSeconds=4, **SETTINGS)
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    await ada.stand_at(*spot)
    small_disk.fill()
    posted = []

    async def refuses():
        # Changes that fit into the already allocated log of the database still reach the disk.
        posted.append(await ada.post("place", {"object": "preset:heart", "pose": pose(*spot)}))
        return (await server.figures())["cairn_store_failing"] == 1

    await eventually(refuses, lambda: f"a disk that refuses after {len(posted)} placements")
    lost = posted[-1]
    server.terminate()
    for client in (ada, bob):
        assert await client.until_ended() == (1012, "server_shutdown")
        assert client.closing["code"] == "server_shutdown"
    assert server.is_running, "it says goodbye before it gives the disk its last seconds"
    assert await asyncio.to_thread(server.wait) == 0, server.log()
    assert not lost.done() or lost.exception(), "acknowledged, and nowhere on disk"


# MARK: - Errors


@pytest.mark.parametrize("order", ["eio", "eio-sync", "read-only", "full"])
async def test_a_disk_that_fails_acknowledges_nothing_and_goes_on_when_it_is_well(
    start, tmp_path, frail_library, spot, order
):
    disk = FrailDisk(frail_library, tmp_path)
    server = start(folder=disk.data, env=disk.environment, **SETTINGS)
    async with Load.on(server, spot) as load:
        await load.until_acknowledged()
        disk.order(order)
        await load.until(lambda: load.codes, "refusal")
        assert load.codes == {"storage_unavailable"}
        await server.until_figure("cairn_store_failing", 1)
        await load.read_around(server)
        before = len(load.acknowledged)
        await swarm.pause(0.5)
        assert len(load.acknowledged) == before, "acknowledged on a disk that takes nothing"
        disk.order("well")
        await load.until_acknowledged()
        await server.until_figure("cairn_store_failing", 0)
        await load.stop()
        assert server.is_running
        server.kill()
        disk.lose_power()
        server = start(folder=disk.data, env=disk.environment, **SETTINGS)
        load.check(await seen_by_a_newcomer(server, spot))


async def test_power_lost_while_the_disk_fails_takes_nothing_that_was_acknowledged(
    start, tmp_path, frail_library, spot
):
    disk = FrailDisk(frail_library, tmp_path)
    server = start(folder=disk.data, env=disk.environment, **SETTINGS)
    async with Load.on(server, spot) as load:
        await load.until_acknowledged()
        disk.order("eio-sync")
        await server.until_figure("cairn_store_failing", 1)
        await load.stop()
        server.kill()
        disk.lose_power()
        disk.order("well")
        server = start(folder=disk.data, env=disk.environment, **SETTINGS)
        load.check(await seen_by_a_newcomer(server, spot))


async def test_a_disk_that_stalls_for_seconds_holds_up_acknowledgements_and_nothing_else(
    start, tmp_path, frail_library, spot
):
    disk = FrailDisk(frail_library, tmp_path)
    server = start(folder=disk.data, env=disk.environment, **SETTINGS | {"storage__backlogMax": 100_000})
    async with Load.on(server, spot) as load:
        await load.until_acknowledged()
        # The first batch is held, and with it all changes that arrive meanwhile.
        disk.order("hold")
        await load.until(lambda: disk.holds_a_sync, "sync")
        # Acknowledgements from before may be under way, but not for as long as this takes.
        await load.read_around(server)
        before = len(load.acknowledged)
        for _ in range(8):
            await load.read_around(server)
            await swarm.pause(0.25)
        assert disk.holds_a_sync and len(load.acknowledged) == before, "acknowledged before it was on disk"
        disk.order("well")
        await load.until_acknowledged()
        await load.stop()
        assert load.codes == set(), "a slow disk is no reason to refuse"
        load.check(await seen_by_a_newcomer(server, spot))


@pytest.mark.alone
def test_a_read_only_disk_at_the_start_is_refused_with_one_line_and_at_once(start, tmp_path, frail_library):
    """At once: it takes no longer than a start on a disk that is well."""
    disk, started, refused = FrailDisk(frail_library, tmp_path), [], []
    for number in range(5):
        server = start(folder=tmp_path / f"well-{number}", env=disk.environment)
        started.append(server.seconds_to_start)
        server.kill()
    disk.order("read-only")
    for _ in range(5):
        began = time.monotonic()
        ended = subprocess.run(
            serve_command(disk.data), env=environment() | disk.environment, capture_output=True, text=True,
            timeout=PATIENCE)
        refused.append(time.monotonic() - began)
    assert statistics.median(refused) < 2 * statistics.median(started), (refused, started)
    assert ended.returncode not in (0, None) and ended.returncode > 0, ended
    lines = ended.stderr.strip().splitlines()
    assert len(lines) == 1 and str(disk.data) in lines[0] and "writable" in lines[0], ended.stderr
    assert "ready" not in ended.stdout


# MARK: - Locked


async def test_a_database_locked_by_another_process_is_waited_for(start, tmp_path, spot):
    server = start(**SETTINGS)
    async with Load.on(server, spot) as load:
        await load.until_acknowledged()
        with contextlib.closing(sqlite3.connect(server.folder / "cairn.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await load.until(lambda: load.codes, "refusal")
            assert load.codes == {"storage_unavailable"}
            await server.until_figure("cairn_store_failing", 1)
            await load.read_around(server)
            other.execute("ROLLBACK")
        await load.until_acknowledged()
        await server.until_figure("cairn_store_failing", 0)
        await load.stop()
        load.check(await seen_by_a_newcomer(server, spot))


# MARK: - At the first start, and under the server


def test_a_first_start_on_a_disk_without_room_says_so(small_disk, tmp_path):
    small_disk.fill()
    command = serve_command(small_disk.data)
    command[-1] = f"storage.keyFile={tmp_path}/cairn.key"
    refused = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env=environment() | small_disk.environment
    )
    assert refused.returncode == 1
    # The disk that only claims to be full does not report its free space.
    assert ("no room" if small_disk.is_mounted else "make room") in refused.stderr, refused.stderr
    assert "make room on the disk" in refused.stderr, refused.stderr


async def test_a_database_removed_under_the_server_ends_all_acknowledgements(start, spot):
    server = start()
    client = await Client.connect(server, "ada", sharePosition=True)
    await client.stand_at(*spot)
    await client.place(pose(*spot))
    for name in ("cairn.sqlite", "cairn.sqlite-wal", "cairn.sqlite-shm"):
        (server.folder / name).unlink()
    await server.until_figure("cairn_store_file_moved", 1)
    status, _, text = await get(f"{server.http}/readyz?format=json")
    assert status == 503 and "removed or replaced" in text, text
    with pytest.raises(Refused) as refusal:
        await client.place(pose(*away(*spot, north=5)))
    assert refusal.value.code == "storage_unavailable"
    server.logged('"level":"critical"')


def test_a_key_without_its_world_is_refused_and_new_world_lifts_that(start, tmp_path):
    start(folder=tmp_path / "world").stop()
    shutil.rmtree(tmp_path / "world")
    refused = subprocess.run(
        serve_command(tmp_path / "world"), capture_output=True, text=True, timeout=PATIENCE, env=environment()
    )
    assert refused.returncode == 1 and "--new-world" in refused.stderr, refused.stderr
    assert not (tmp_path / "world/cairn.sqlite").exists()
    start("--new-world", folder=tmp_path / "world").stop()
