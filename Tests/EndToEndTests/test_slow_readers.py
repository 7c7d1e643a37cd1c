"""A slow reader delays no other connection, and catches up or is closed (SES-8; pitfalls B7)."""

import socket
import time

import pytest

import swarm
from cairn import PATIENCE, Client, pose

LIMITS = {
    "connections__outboxBytesMax": 16_384, "cells__ringEvents": 64,
    "connections__messagesPerSecond": 100_000, "connections__messagesBurst": 100_000,
    "placement__changesPerMinute": 1_000_000,
    "placement__changesPerDay": 10_000_000,
}  # fmt: skip
LARGE = {"provider": "p", "data": "A" * 5460, "transform": [0.123456789] * 16}


def narrow_socket(server):
    """A socket with a small receive buffer."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect((server.host, server.port))
    made.setblocking(False)
    return made


async def gathering(server, spot):
    """A builder, a reader, and a sleeper who has stopped reading; all have the cell and the builder's instance in
    view."""
    builder = await Client.connect(server, "Builder")
    reader = await Client.connect(server, "Reader")
    sleeper = await Client.connect(server, "Sleeper", sock=narrow_socket(server))
    for client in (builder, reader, sleeper):
        await client.view(await client.stand_at(*spot))
    thing = await builder.place(pose(*spot))
    for client in (builder, reader, sleeper):
        await client.until(lambda: client.sees(thing), "the thing")
    sleeper.socket.transport.pause_reading()
    return builder, reader, sleeper, thing


async def edit_until(builder, reader, thing, spot, condition):
    """Edits the instance, several kilobytes at a time, until the condition holds; returns its last state. Each edit is
    answered, and every tenth is awaited by the reader, while the sleeper does not read."""
    for number in range(4_000):
        thing = await builder.edit(thing, pose(*spot, float(number % 100), anchor=LARGE))
        if number % 10 == 0:
            await reader.until(lambda: reader.sees(thing, thing["version"]), "edit: others wait for who does not read")
        if number % 100 == 0 and await condition():
            return thing
    raise AssertionError("the sleeper's queue never filled")


async def test_who_falls_behind_is_told_to_resynchronise_and_ends_with_what_all_have(start, spot):
    server = start(**LIMITS)
    builder, reader, sleeper, thing = await gathering(server, spot)

    async def is_full():
        return (await server.figures()).get('cairn_drops_total{reason="outbox_full"}', 0) > 0

    thing = await edit_until(builder, reader, thing, spot, is_full)
    # Others do not wait for who has more to read than may be kept for them.
    thing = await builder.edit(thing, pose(*spot, 1.0, anchor=LARGE))
    await reader.until(lambda: reader.sees(thing, thing["version"]), "edit behind a full queue")
    sleeper.socket.transport.resume_reading()
    await sleeper.until(lambda: sleeper.sees(thing, thing["version"]), "the last edit")
    assert any("resync" in item for item in sleeper.items), "a gap without a word"
    assert sleeper.everything() == reader.everything()
    # From now on it gets events again.
    thing = await builder.edit(thing, pose(*spot, 5.0))
    await sleeper.until(lambda: sleeper.sees(thing, thing["version"]), "the next edit")


async def test_who_stays_behind_is_closed_as_slow_consumer_and_others_do_not_notice(start, spot):
    server = start(connections__behindSecondsMax=1, **LIMITS)
    builder, reader, sleeper, thing = await gathering(server, spot)

    async def is_closed():
        return (await server.figures()).get('cairn_closures_total{reason="slow_consumer"}', 0) == 1

    await edit_until(builder, reader, thing, spot, is_closed)
    sleeper.socket.transport.resume_reading()
    await sleeper.until_ended()
    assert sleeper.end[0] in (4001, 1006), sleeper.end
    assert await reader.stand_at(*spot)


@pytest.mark.seconds(120)
async def test_a_living_reader_is_closed_by_our_rule_and_not_by_the_kernel(start, spot):
    """Its window stays closed for longer than the 30 s after which the kernel would have dropped it silently."""
    server = start(connections__behindSecondsMax=40, **LIMITS)
    builder, _, sleeper, thing = await gathering(server, spot)
    await server.until_figure("cairn_connections", 3)
    began, closed = time.monotonic(), 0
    while not closed and time.monotonic() - began < 40 + PATIENCE:
        thing = await builder.edit(thing, pose(*spot, float(time.monotonic() - began), anchor=LARGE))
        # Signs of life: it sends positions and answers pings, but does not read.
        await sleeper.post("position", {"lat": spot[0], "lon": spot[1], "h": 30.0}, id=0)
        figures = await server.figures()
        closed = figures.get('cairn_closures_total{reason="slow_consumer"}', 0)
        assert closed or figures["cairn_connections"] == 3, f"cut after {time.monotonic() - began:.0f} s without a word"
        await swarm.pause(0.2)
    assert closed == 1 and time.monotonic() - began > 40
