"""Dead and half-closed peers: the server detects them and removes them without a trace (B8, B9)."""

import socket

from cairn import PATIENCE
from swarm import UPGRADE, Bot


async def test_a_peer_that_only_says_it_will_say_no_more_is_closed(start, spot):
    # Not because it is silent: that takes an hour.
    server = start(connections__pingSeconds=3_600, connections__silenceSeconds=7_200)
    bot = Bot("Halfway", spot)
    await bot.connect(server)
    # A half-close (FIN): the peer sends nothing more, so the server need not send either.
    bot.transport.get_extra_info("socket").shutdown(socket.SHUT_WR)
    await bot.ended()
    await server.until_figure("cairn_connections", 0)


def hears_nothing(peer):
    """Whether the server has sent nothing on this connection, not even its end."""
    try:
        peer.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK)
    except BlockingIOError:
        return True
    return False


async def test_hundreds_of_half_open_peers_leave_no_trace(start, spot):
    server = start(
        connections__handshakeSeconds=5, listen__connectionsPerAddress=0, connections__pingSeconds=1,
        connections__silenceSeconds=3)
    living = Bot("Living", spot)
    await living.connect(server)
    await server.until_figure("cairn_connections", 1)
    half_open = [socket.create_connection((server.host, server.port)) for _ in range(300)]
    for number, peer in enumerate(half_open):
        # No bytes, half a request, or a whole request without a hello.
        head = UPGRADE.format(server.host, server.port).encode()
        peer.sendall([b"", head[:100], head][number % 3])
    await server.until_figure("cairn_connections", 1 + 100)
    await living.ask("position", {"lat": spot[0], "lon": spot[1], "h": 30.0})
    assert all(map(hears_nothing, half_open[::3])), "the living wait until the half-open have gone"
    await server.until_figure("cairn_connections", 1)
    for peer in half_open:
        peer.settimeout(PATIENCE)
        while peer.recv(4096):
            pass  # messages from before the end
        peer.close()
    assert living.is_open and living.faults == []
