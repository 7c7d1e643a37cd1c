"""Memory that runs out: new work is refused, the connections with the largest outboxes are closed, others are served
(pitfalls B30)."""

import asyncio
import contextlib
import resource

import pytest
from websockets.exceptions import InvalidStatus

import swarm
from cairn import Client, Refused, eventually, pose
from swarm import Bot
from test_slow_readers import narrow_socket

pytestmark = pytest.mark.alone

# Number of clients that do not read, how often each of them asks for more, and how much at a time.
READERS, ROUNDS, AT_ONCE = 80, 600, 10
MEGABYTE = 1 << 20
LARGE = {"provider": "p", "data": "A" * 5460}
SETTINGS = {
    "listen__connectionsPerAddress": 1_000, "listen__handshakesPerSecondPerAddress": 1_000,
    "connections__messagesPerSecond": 100_000, "connections__messagesBurst": 100_000,
    "connections__behindSecondsMax": 600, "connections__outboxBytesMax": MEGABYTE,
    "placement__areaQuota": 100_000, "placement__perMinute": 100_000, "placement__perDay": 100_000,
}  # fmt: skip


def memory(server, what):
    """A line of /proc/PID/status, in bytes."""
    with open(f"/proc/{server.process.pid}/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith(what + ":"))


async def crowd_that_does_not_read(server, spot, thing):
    """Clients that request much and read nothing. Returns the task that continues the requests."""
    bots = [Bot(f"sleeper{n}", spot) for n in range(READERS)]
    for bot in bots:
        await bot.connect(server, sock=narrow_socket(server))
        bot.transport.pause_reading()

    async def ask():
        for _ in range(ROUNDS):
            for bot in bots:
                for _ in range(AT_ONCE):
                    if not bot.transport.is_closing():
                        bot.request("select", {"instance": thing["id"], "cell": thing["cell"]})
                await swarm.pause(0)

    return bots, asyncio.create_task(ask())


@pytest.mark.seconds(150)
@pytest.mark.parametrize("kind", ["VmSize", "RssAnon"])
async def test_readers_who_fill_the_memory_are_closed_and_the_others_are_served(start, spot, kind):
    server = start(**SETTINGS, **({"overload__memoryMegabytes": 150} if kind == "RssAnon" else {}))
    builder = await Client.connect(server, "builder")
    await builder.stand_at(*spot)
    thing = await builder.place(pose(*spot, anchor=LARGE))
    bots, asking = await crowd_that_does_not_read(server, spot, thing)
    limit = 150 * MEGABYTE
    if kind == "VmSize":
        # The limit of `ulimit -v`: beyond it the next allocation ends the process.
        limit = memory(server, "VmSize") * 13 // 10
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (limit, limit))

    most, refusals = 0, []

    async def has_closed_some():
        nonlocal most
        assert server.is_running, f"killed: {server.log()[-3000:]}"
        most = max(most, memory(server, kind))
        try:
            kept.append(await builder.place(pose(*spot)))
        except Refused as refusal:
            refusals.append(refusal)
        await builder.select(thing)
        # A loop that is late closes for the same reason, and says nothing of memory.
        is_short = refusals or '"refusing"' in server.log() or '"closing"' in server.log()
        return is_short and (await server.figures()).get('cairn_closures_total{reason="overloaded"}', 0) > 0

    kept = []
    await eventually(has_closed_some, lambda: f"a closure: {most}, {server.log()[-3000:]}", 90)
    assert all(refusal.code == "overloaded" and refusal.retry_after >= 2_000 for refusal in refusals)
    asking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asking
    for bot in bots:
        bot.drop()

    later = []

    async def lets_somebody_in():
        # The figure is not used, because it may be a second old, from before the memory ran out.
        with contextlib.suppress(Refused, InvalidStatus):
            later.append(await Client.connect(server, "later"))
        return later

    await eventually(lets_somebody_in, lambda: f"memory again: {server.log()[-3000:]}", 20)
    # malloc does not return the address space of a thread, so with `ulimit -v` the server may stay at level 1.
    calm = 0 if kind == "RssAnon" else 1

    async def is_calm():
        return (await server.figures())["cairn_memory_level"] <= calm

    await eventually(is_calm, "room again")
    assert most <= limit
    assert builder.end is None, "who reads stays"
    later = later[0]
    await later.stand_at(*spot)
    await later.until(lambda: all(later.sees(one) for one in [thing, *kept]), "what was acknowledged")
    await later.place(pose(*spot))
