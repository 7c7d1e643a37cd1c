"""The closures of docs/protocol.md, each as a client gets it: the table and the server have the same list, with the
same codes and names."""

import asyncio
import contextlib
import itertools
import pathlib
import re
import time

import pytest
import websockets

from cairn import PATIENCE, Client, Refused, pose
from operators import Desk
from server import stuttering
from test_errors import flood
from test_slow_readers import LIMITS, edit_until, gathering

TABLE = {
    int(code): name
    for code, name in re.findall(
        r"^\| (\d{4}) \| `(\w+)` \|",
        (pathlib.Path(__file__).parents[2] / "docs/protocol.md").read_text().partition("\n## Closures\n")[2],
        re.MULTILINE)
}
SETTINGS = {
    "connections__pingSeconds": 1, "connections__silenceSeconds": 3, "connections__handshakeSeconds": 1,
    "connections__perAccountMax": 2, "connections__messageFragmentsMax": 16, "connections__messagesPerSecond": 20,
    "connections__messagesBurst": 1_000,
}  # fmt: skip
# : The WebSocket library closes these by itself: with its own reason, and without a last message.
FROM_BELOW = {"broken_frame", "not_utf8"}
# : No last message is read: the one peer is silent, the other one's outbox is full.
UNTOLD = {"silent", "slow_consumer"}
names = (f"closed{number}" for number in itertools.count())


class Given:
    """The closures that clients got: name -> (code, reason, name in the last message)."""

    def __init__(self):
        self.closures = {}

    async def record(self, name, client):
        code, reason = await client.until_ended()
        self.closures[name] = (code, reason, (client.closing or {}).get("code"))


async def person(server, **hello):
    return await Client.connect(server, next(names), **hello)


async def until_refused(client, *hello):
    with contextlib.suppress(Refused):
        await client.ask("hello", *hello)


async def faults(server, given):
    """Faults of clients in frames and messages."""
    ada = await person(server)
    await ada.send(b"{}")
    await given.record("wrong_frame", ada)

    ada = await person(server)
    await ada.socket.send(b'{"id":2,"hello":{"name":"\xff\xfe"}}', text=True)
    await given.record("not_utf8", ada)

    ada = await person(server)
    ada.socket.transport.write(b"\x8b\x80\x00\x00\x00\x00")  # a control frame of a kind that there is not
    await given.record("broken_frame", ada)

    ada = await person(server)
    with contextlib.suppress(websockets.ConnectionClosed):
        await ada.socket.send("x" for _ in range(40))
    await given.record("policy_violation", ada)

    ada = await person(server)
    with contextlib.suppress(websockets.ConnectionClosed):
        await ada.socket.send("x" * 70_000)
    await given.record("too_large", ada)

    ada = await person(server)
    await flood(ada, "nonsense")  # not too many for the burst: only unreadable
    await given.record("bad_message", ada)

    ada = await person(server)
    await flood(ada, '{"share":{}}')
    await given.record("rate_limited", ada)


async def hellos(server, given):
    """Faults in a hello, or a missing hello."""
    ada = await Client.connect(server, hello=False)
    await given.record("hello_required", ada)

    ada = await Client.connect(server, hello=False)
    await until_refused(ada, {"version": 99, "frontEnd": "bot"})
    await given.record("unsupported_version", ada)

    ada = await person(server)
    token = ada.welcome["token"]
    await Client.connect(server, token=token)
    third = await Client.connect(server, hello=False)
    await until_refused(third, {"version": 1, "frontEnd": "bot", "token": token})
    await given.record("too_many_connections", third)

    ada = await person(server)
    await Client.connect(server, token=ada.welcome["token"], session=ada.welcome["session"])
    await given.record("session_taken_over", ada)

    ada = await person(server)
    ada.socket.transport.pause_reading()  # hears no ping, so it answers none
    await server.until_figure('cairn_closures_total{reason="silent"}', 1)
    ada.socket.transport.resume_reading()
    await given.record("silent", ada)


async def operators(server, given):
    """Closures by operators."""
    async with await Desk.open(server) as desk:
        ada = await person(server)
        await desk.ask(f"kick {ada.welcome['session']}")
        await given.record("kicked", ada)
        ada = await person(server)
        await desk.ask(f"ban {ada.welcome['account']}")
        await given.record("account_suspended", ada)
        ada = await person(server)
        await desk.ask("drain")
        await given.record("server_shutdown", ada)


async def slowness(server, spot, given):
    """A client that does not read until it is closed. It hears why if it reads again within two seconds, in which the
    server waits for that, so on a busy machine it may take another one."""
    for number in range(1, 6):
        builder, reader, sleeper, thing = await gathering(server, spot)
        figure = 'cairn_closures_total{reason="slow_consumer"}'
        closed = asyncio.create_task(server.until_figure(figure, number, 4 * PATIENCE))
        closed.add_done_callback(lambda _, sleeper=sleeper: sleeper.socket.transport.resume_reading())

        async def is_closed():
            return closed.done()

        await edit_until(builder, reader, thing, spot, is_closed)
        await closed
        await given.record("slow_consumer", sleeper)
        if given.closures["slow_consumer"][0] != 1006:
            return
        for one in (builder, reader):
            await one.close()


async def overload(server, given):
    """The server gets so little processor time that all its timers are late."""
    with stuttering(server):
        # A step of shedding takes three late timers, and an idle loop has one a second.
        deadline = time.monotonic() + 2 * PATIENCE
        while time.monotonic() < deadline:
            ada = await Client.connect(server, hello=False)
            try:
                await ada.ask("hello", {"version": 1, "frontEnd": "bot", "name": next(names)})
            except Refused as refusal:
                assert refusal.code == "overloaded"
                return await given.record("overloaded", ada)
            await ada.close()
        raise AssertionError("it was never too much")


@pytest.mark.seconds(120)
async def test_every_closure_of_the_document_is_sent_as_it_says_and_no_other(start, spot, tmp_path):
    given = Given()
    server = start(folder=tmp_path / "usual", **SETTINGS)
    await faults(server, given)
    await hellos(server, given)
    await operators(server, given)
    await slowness(start(folder=tmp_path / "slow", connections__behindSecondsMax=1, **LIMITS), spot, given)
    pressed = {"overload__shedMilliseconds": 1, "overload__refuseMilliseconds": 1, "listen__loops": 1}
    await overload(start(folder=tmp_path / "pressed", **pressed), given)

    assert {name: code for name, (code, _, _) in given.closures.items()} == {
        name: code for code, name in TABLE.items()}
    for name, (_, reason, told) in given.closures.items():
        if name not in FROM_BELOW:
            assert reason == name
        assert told == name or (told is None and name in FROM_BELOW | UNTOLD), (name, told)
