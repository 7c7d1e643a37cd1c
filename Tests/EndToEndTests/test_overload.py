"""More to do than can be done: presence is shed, then what is new is refused with a time to wait, nothing that was
acknowledged is lost, and it ends by itself (QOS-5, SES-12)."""

import asyncio
import contextlib
import os
import subprocess
import sys

import pytest

from cairn import Client, Refused, away, eventually, pose

# The server shares a processor with so many that never rest, and is the least of them.
RIVALS = 3
PEOPLE = 30
SETTINGS = {
    "overload__refuseMilliseconds": 100, "listen__loops": 1, "connections__positionsPerSecond": 30,
    "placement__areaQuota": 100_000, "placement__perMinute": 100_000, "placement__perDay": 100_000,
}  # fmt: skip


@contextlib.contextmanager
def starved(server, seconds=120):
    """The server has hardly any processor left."""
    spin = f"import time\nend = time.monotonic() + {seconds}\nwhile time.monotonic() < end: pass"
    before = os.sched_getaffinity(server.process.pid)

    def put(processors, nice):
        for thread in map(int, os.listdir(f"/proc/{server.process.pid}/task")):
            os.sched_setaffinity(thread, processors)
            os.setpriority(os.PRIO_PROCESS, thread, nice)

    put({0}, 19)
    rivals = [subprocess.Popen(["taskset", "-c", "0", sys.executable, "-c", spin]) for _ in range(RIVALS)]
    try:
        yield
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
        put(before, 0)


@pytest.mark.seconds(180)
async def test_a_server_without_processor_sheds_then_refuses_then_recovers(start, spot):
    server = start(**SETTINGS)
    people = [await Client.connect(server, f"walker{n}", sharePosition=True) for n in range(PEOPLE)]
    for n, client in enumerate(people):
        await client.stand_at(*away(*spot, east=n))
    kept = await people[0].place(pose(*spot))
    stopped = asyncio.Event()

    async def walk(client, n):
        step = 0
        while not stopped.is_set():
            step += 1
            lat, lon = away(*spot, east=n, north=step % 40)
            await client.send({"position": {"lat": lat, "lon": lon, "h": 30}})
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(stopped.wait(), 0.05)

    walkers = [asyncio.create_task(walk(client, n)) for n, client in enumerate(people)]

    async def refused(attempt):
        """Tries until it is refused; gives the refusal."""
        while True:
            try:
                with contextlib.suppress(AssertionError):  # not answered in time: it has no processor
                    await attempt()
            except Refused as refusal:
                return refusal

    async def come():
        await (await Client.connect(server, "stranger")).close()

    with starved(server):
        attempts = asyncio.gather(refused(lambda: people[1].place(pose(*spot))), refused(come))
        for refusal in await asyncio.wait_for(attempts, 90):
            assert refusal.code == "overloaded" and 2_000 <= refusal.retry_after <= 6_000, refusal
    stopped.set()
    await asyncio.gather(*walkers)

    async def is_well():
        return (await server.figures())['cairn_loop_overload{loop="0"}'] == 0

    await eventually(is_well, lambda: f"level 0 again: {server.log()[-2000:]}")
    levels = [line for line in server.log().splitlines() if '"overload"' in line]
    assert '"shedding"' in levels[0] and any('"refusing"' in line for line in levels), levels
    assert all(client.end is None for client in people), "those who were in stayed in"
    later = await Client.connect(server, "later")
    await later.stand_at(*spot)
    await later.until(lambda: later.sees(kept), "what was acknowledged before")
    await later.place(pose(*spot))
