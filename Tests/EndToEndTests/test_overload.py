"""Overload: presence, counts and the detail of movement are shed in this order, then new work is refused with a time to
wait; no acknowledged change is lost, and the overload ends by itself (QOS-5, SES-12)."""

import asyncio
import contextlib
import json

import pytest

from cairn import Client, Refused, away, eventually, pose
from server import stuttering

pytestmark = pytest.mark.alone

PEOPLE = 30
SETTINGS = {
    "overload__refuseMilliseconds": 100, "listen__loops": 1, "connections__positionsPerSecond": 30,
    "placement__areaQuota": 100_000, "placement__perMinute": 100_000, "placement__perDay": 100_000,
}  # fmt: skip


class Walk:
    """People in one place who walk until `stop`."""

    def __init__(self, server, spot):
        self.server, self.spot = server, spot
        self.people, self.stopped, self.tasks = [], asyncio.Event(), []

    async def begin(self):
        names = [f"walker{n}" for n in range(PEOPLE)]
        self.people = [await Client.connect(self.server, name, sharePosition=True) for name in names]
        for n, client in enumerate(self.people):
            await client.stand_at(*away(*self.spot, east=n))

    def go_on(self):
        self.tasks = [asyncio.create_task(self.walk(client, n)) for n, client in enumerate(self.people)]

    async def walk(self, client, n):
        step = 0
        while not self.stopped.is_set():
            step += 1
            lat, lon = away(*self.spot, east=n, north=step % 40)
            await client.send({"position": {"lat": lat, "lon": lon, "h": 30}})
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.stopped.wait(), 0.05)

    async def end(self):
        self.stopped.set()
        await asyncio.gather(*self.tasks)


def steps(server):
    """The states of the loop by its log, in order; between two of them it may have been well."""
    lines = [json.loads(line) for line in server.log().splitlines() if line.startswith("{")]
    return [line["state"] for line in lines if line["message"] == "overload"]


def in_order(steps):
    """Each state once, in the order of first occurrence, without the normal state."""
    return [state for state in dict.fromkeys(steps) if state != "none"]


async def until_well(server):
    async def is_well():
        return (await server.figures())['cairn_loop_overload{loop="0"}'] == 0

    await eventually(is_well, lambda: f"level 0 again: {server.log()[-2000:]}")


@pytest.mark.seconds(180)
async def test_a_late_server_sheds_presence_then_counts_then_the_detail_of_movement(start, spot):
    server = start(**SETTINGS | {"overload__refuseMilliseconds": 0, "presence__countHiddenBelow": 1})
    walk = Walk(server, spot)
    await walk.begin()
    watcher = walk.people[0]
    cell = await watcher.stand_at(*spot)

    async def hide():
        await (await Client.connect(server, f"hidden{len(Client.opened)}")).stand_at(*spot)

    await hide()
    await watcher.until(lambda: watcher.counts.get(cell) == 1, "the count")
    walk.go_on()

    async def is_shedding_all():
        return steps(server)[-1:] == ["sheddingMovement"]

    async def told_while_shedding():
        """A hidden person arrives: the two batches about that; None when the server was well by then."""
        with contextlib.suppress(AssertionError):  # not answered in time: it has no processor
            await hide()
        before = watcher.person("walker1").poses
        await watcher.until(lambda: watcher.person("walker1").poses >= before + 2, "two batches of poses", 30)
        return watcher.counts[cell] - 1 if await is_shedding_all() else None

    with stuttering(server):
        await eventually(is_shedding_all, lambda: f"all steps: {steps(server)}", 60)
        told = [await told_while_shedding() for _ in range(2)]
    await walk.end()
    assert 0 in told and not any(told), f"counts were told all the same: {told}, {steps(server)}"
    await until_well(server)
    assert in_order(steps(server))[:3] == ["sheddingPresence", "sheddingCounts", "sheddingMovement"]
    assert "refusing" not in steps(server)
    await watcher.until(lambda: watcher.counts[cell] >= 2, "the count that was held back")


@pytest.mark.seconds(180)
async def test_a_server_without_processor_sheds_then_refuses_then_recovers(start, spot):
    server = start(**SETTINGS)
    walk = Walk(server, spot)
    await walk.begin()
    people = walk.people
    kept = await people[0].place(pose(*spot))
    walk.go_on()

    async def refused(attempt):
        """Tries until it is refused; returns the refusal."""
        while True:
            try:
                with contextlib.suppress(AssertionError, TimeoutError):  # not answered in time: it has no processor
                    await attempt()
            except Refused as refusal:
                return refusal

    async def come():
        await (await Client.connect(server, "stranger")).close()

    with stuttering(server):
        attempts = asyncio.gather(refused(lambda: people[1].place(pose(*spot))), refused(come))
        for refusal in await asyncio.wait_for(attempts, 90):
            assert refusal.code == "overloaded" and 2_000 <= refusal.retry_after <= 6_000, refusal
    await walk.end()
    await until_well(server)
    went = steps(server)
    assert went[went.index("refusing") - 1] == "sheddingMovement", went
    assert all(client.end is None for client in people), "those who were in stayed in"
    later = await Client.connect(server, "later")
    await later.stand_at(*spot)
    await later.until(lambda: later.sees(kept), "what was acknowledged before")
    await later.place(pose(*spot))
