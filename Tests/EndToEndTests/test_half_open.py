"""Dead and half-closed peers: the server detects them and removes them without a trace (B8, B9)."""

import socket
import time

from swarm import UPGRADE, Bot

SETTINGS = {"connections__pingSeconds": 1, "connections__silenceSeconds": 3}


async def test_a_peer_that_only_says_it_will_say_no_more_is_closed(start, spot):
    server = start(**SETTINGS)
    bot = Bot("Halfway", spot)
    await bot.connect(server)
    # A half-close (FIN): the peer sends nothing more, so the server need not send either.
    bot.transport.get_extra_info("socket").shutdown(socket.SHUT_WR)
    began = time.monotonic()
    await bot.ended()
    assert time.monotonic() - began < 5
    await server.until_figure("cairn_connections", 0)


async def test_hundreds_of_half_open_peers_leave_no_trace(start, spot):
    server = start(connections__handshakeSeconds=1, listen__connectionsPerAddress=0, **SETTINGS)
    living = Bot("Living", spot)
    await living.connect(server)
    await server.until_figure("cairn_connections", 1)
    half_open = [socket.create_connection((server.host, server.port)) for _ in range(300)]
    for number, peer in enumerate(half_open):
        # No bytes, half a request, or a whole request without a hello.
        head = UPGRADE.format(server.host, server.port).encode()
        peer.sendall([b"", head[:100], head][number % 3])
    await server.until_figure("cairn_connections", 1 + 100, seconds=5)
    began = time.monotonic()
    await living.ask("position", {"lat": spot[0], "lon": spot[1], "h": 30.0})
    assert time.monotonic() - began < 1
    await server.until_figure("cairn_connections", 1, seconds=15)
    for peer in half_open:
        peer.settimeout(5)
        while peer.recv(4096):
            pass  # messages from before the end
        peer.close()
    assert living.is_open and living.faults == []
