"""Uploads of many clients over links that are cut, beside people who see events (OBJ-12, invariant 12).

    CAIRN_UPLOADERS=100 CAIRN_UPLOAD_MEGABYTES=10 pytest Tests/EndToEndTests/test_asset_load.py -s      long run
"""

import asyncio
import os
import pathlib
import signal
import sys

import pytest

from cairn import Client, pose
from paces import HELD_UP
from pictures import jpeg_of_empty_runs, large_png, upload
from swarm import percentile
from test_downloads import UNBOUND, delays_of_events
from test_hostile_tours import highest
from test_live_space import refused

pytestmark = pytest.mark.alone

UPLOADERS = int(os.environ.get("CAIRN_UPLOADERS", "8"))
MEGABYTES = int(os.environ.get("CAIRN_UPLOAD_MEGABYTES", "1"))
#: Messages a second of each connection, of 1,310 bytes each; as shipped it is 50.
RATE = int(os.environ.get("CAIRN_UPLOAD_RATE", "1000"))
#: Edits a second whose events are timed: fewer than the limit lets through.
EDITS = min(300, RATE / 2)
IS_LONG = UPLOADERS >= 50
TURN_SECONDS = 4.0 if IS_LONG else 0.5


@pytest.mark.seconds(1800)
async def test_uploads_over_cut_links_arrive_once_and_whole_and_delay_no_event(start, spot):
    server = start(
        connections__messagesPerSecond=RATE, connections__messagesBurst=2 * RATE,
        placement__changesPerMinute=1_000_000, placement__changesPerDay=10_000_000, assets__bytesMax=20 << 20,
        **UNBOUND,
    )  # fmt: skip
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    ada.spot = spot
    cell = await ada.stand_at(*spot)
    await bob.stand_at(*spot)
    await bob.view(cell)
    instance = await ada.place(pose(*spot))
    # Uploaders take processors, too. The server's are what is tried here: SCHED_IDLE gives way to it at once, which a
    # nice value does not (it waits for the end of a slice of 3 ms).
    script = pathlib.Path(__file__).parent / "uploaders.py"
    process = await asyncio.create_subprocess_exec(
        "chrt", "--idle", "0", sys.executable, str(script), server.url, str(UPLOADERS), str(MEGABYTES), "1",
        stdout=asyncio.subprocess.PIPE)  # fmt: skip
    try:
        assert await process.stdout.readline() == b"ready\n"
        ended = asyncio.create_task(process.stdout.read())
        _, instance = await delays_of_events(ada, bob, instance, 0.2, EDITS)
        quiet, busy = [], []
        # In turn, so that what else the machine does falls on both.
        while not ended.done():
            found, instance = await delays_of_events(ada, bob, instance, TURN_SECONDS, EDITS)
            busy += found
            if ended.done():
                break
            process.send_signal(signal.SIGSTOP)
            found, instance = await delays_of_events(ada, bob, instance, TURN_SECONDS / 2, EDITS)
            quiet += found
            process.send_signal(signal.SIGCONT)
        lines = (await ended).decode().splitlines()
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    figures = await server.figures()
    cuts = sum(int(line.split()[1]) for line in lines)
    words = " ".join(
        f"{name}: p50 {1e3 * percentile(these, 0.5):.1f} p99 {1e3 * percentile(these, 0.99):.1f} ms of {len(these)};"
        for name, these in (("alone", quiet), ("beside uploads", busy)))  # fmt: skip
    print(f"\n{words} {len(lines)} uploads of {MEGABYTES} MiB, {cuts} cuts")
    assert len(lines) == UPLOADERS == figures["cairn_assets_stored"], words
    assert figures["cairn_assets_uploads"] == 0
    assert len(list((server.folder / "assets").glob("??/*"))) == UPLOADERS
    assert not list((server.folder / "assets" / "uploads").iterdir())
    if IS_LONG:
        assert percentile(busy, 0.99) < 1.1 * percentile(quiet, 0.99), words
    else:  # too few events for the last hundredth of them
        assert percentile(busy, 0.9) < HELD_UP * percentile(quiet, 0.9), words


@pytest.mark.seconds(300)
async def test_a_heavy_picture_costs_as_little_as_any_of_its_bytes(start):
    """JPEGs whose scans are runs of empty blocks: a turn of one took seconds and 64 MiB, and everybody waited."""
    server = start(
        connections__messagesPerSecond=RATE, connections__messagesBurst=2 * RATE, assets__uploadMegabytesPerSecond=100,
        **UNBOUND,
    )  # fmt: skip
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    count = 5
    taken = [jpeg_of_empty_runs((1, 63), seed=seed) for seed in range(count)]
    repeating = [jpeg_of_empty_runs((1, 63), (1, 63), seed=seed) for seed in range(count)]
    many = [jpeg_of_empty_runs((1, 32), (33, 63), seed=seed) for seed in range(count)]
    # Others of as many bytes, which are looked at by their pixels.
    ordinary = [large_png(len(picture), seed=seed) for seed, picture in enumerate(taken + repeating + many)]

    async def cost(action):
        before = server.busy_seconds()
        await action
        return server.busy_seconds() - before

    async def ordinary_ones():
        for picture in ordinary:
            await upload(bob, picture)

    async def heavy_ones():
        for picture in taken:
            assert await upload(ada, picture)
        for picture in repeating + many:
            await refused("asset_corrupt", upload(ada, picture))

    await upload(bob, large_png(40_000, seed=99))  # what is done once is done
    usual, memory = await cost(ordinary_ones()), highest(server)
    heavy, risen = await cost(heavy_ones()), highest(server) - memory
    words = f"{usual:.2f} s for ordinary pictures, {heavy:.2f} s for heavy ones, {risen >> 20} MiB more"
    print(f"\n{words}")
    assert heavy < HELD_UP * usual, words
    assert risen < 4096 * 4096 * 2, words  # the coefficients of one
    figures = await server.figures()
    assert figures["cairn_assets_failed_total"] == 2 * count and figures["cairn_assets_examining"] == 0
