"""Who gets the places of downloads when all are taken: whoever has fewer (docs/limits.md)."""

import asyncio
import contextlib
import socket

import pytest

from accounts import sign_up
from cairn import PATIENCE, eventually
from operators import credential_of
from pictures import fetch, large_png, png, upload
from test_downloads import UNBOUND

#: `BulkLane.answersMax`.
PLACES = 256
#: Bytes: more than the kernel takes for a reader that takes nothing, which is some 200,000.
LARGE = 300_000


@pytest.fixture
def world(start):
    return start(
        listen__behindProxy="true", accounts__open="false", pages__requestsPerSecondPerAddress=100_000,
        pages__requestsPerSecond=100_000, listen__connectionsPerAddress=1_000, connections__handshakeSeconds=60,
        **UNBOUND,
    )  # fmt: skip


async def path_of(client, data):
    """The path of a download of an asset of one's own."""
    asset = await upload(client, data)
    return (await client.ask("getAsset", {"asset": asset}))["path"]


def hold(server, path, client):
    """Begins a download and reads its head alone; returns the status and the socket."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    connection.settimeout(PATIENCE)
    connection.connect((server.host, server.port))
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {client}\r\n\r\n"
    connection.sendall(head.encode())
    return int(connection.recv(12).split()[1]), connection


def seize(server, held, path, clients):
    """Each client in turn holds a download, until one is refused; returns how many were not."""
    for number, client in enumerate(clients):
        status, connection = hold(server, path, client)
        held.callback(connection.close)
        if status != 200:
            assert status == 503
            return number
    return len(clients)


async def until_under_way(server, number):
    """A place is free a moment after the last byte of its answer is read."""
    async def under_way():
        credential = f"Bearer {credential_of(server)}"
        page = (await asyncio.to_thread(fetch, server, "/metrics", Authorization=credential))[2].decode()
        return f"\ncairn_http_bulk_answers {number}\n" in page

    await eventually(under_way, f"{number} downloads are under way")


async def test_who_holds_all_downloads_makes_room_for_others(world):
    """From five addresses, and from as many as one likes with the downloads of one account."""
    ada, bob = await sign_up(world, "ada"), await sign_up(world, "bob")
    large, own = await path_of(ada, large_png(LARGE)), await path_of(bob, png(60, 60))
    own_large = await path_of(bob, large_png(LARGE, seed=1))
    stranger = "203.0.113.9"
    for addresses in (5, 300):
        clients = [f"198.18.{number % addresses // 200}.{number % addresses % 200 + 1}" for number in range(300)]
        with contextlib.ExitStack() as held:
            assert await asyncio.to_thread(seize, world, held, large, clients) == PLACES
            for _ in range(3):
                assert (await asyncio.to_thread(fetch, world, own, X_Forwarded_For=stranger))[0] == 200
                await until_under_way(world, PLACES - 1)
                # The place that is free again is the only one that they get.
                assert await asyncio.to_thread(seize, world, held, large, clients[:2]) == 1
            # The stranger's own slow downloads are none of those that give way.
            assert await asyncio.to_thread(seize, world, held, own_large, [stranger] * 10) == 10
            assert await asyncio.to_thread(seize, world, held, large, clients[-5:]) == 0
            assert (await asyncio.to_thread(fetch, world, own, X_Forwarded_For=stranger))[0] == 200
        await until_under_way(world, 0)
