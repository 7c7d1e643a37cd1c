"""The checks of every request: the host that it names, its proxy, and its budget (SES-1, SES-12; pitfalls B17)."""

import asyncio
import contextlib
import http.client
import socket
import time

import pytest

from cairn import PATIENCE, Client, Refused, eventually
from server import get
from swarm import pause

REBOUND = "evil.example"


# Health, figures, console and its sign-in.
PAGES = ["/metrics", "/readyz", "/livez", "/console", "/console/main.js", "/v1/operator"]


def ask(server, path="/livez", *, host=None, headers=(), method="GET", upgrade=False, port=None):
    """One request of any form; returns status, headers and body. `host=""` sends no host."""
    connection = http.client.HTTPConnection("127.0.0.1", port or server.port, timeout=PATIENCE)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        named = f"127.0.0.1:{server.port}" if host is None else host
        if named:
            connection.putheader("Host", named)
        if upgrade:
            for name, value in {
                "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "cairn.v1.json",
            }.items():  # fmt: skip
                connection.putheader(name, value)
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.headers, b"" if answer.status == 101 else answer.read()
    finally:
        connection.close()


# MARK: - Hosts


async def test_a_page_whose_name_resolves_to_loopback_gets_no_socket(server):
    rebound = f"{REBOUND}:{server.port}"
    status, _, body = ask(server, "/v1", host=rebound, headers=[("Origin", f"http://{rebound}")], upgrade=True)
    assert status == 421 and b"listen.names" in body
    own = f"localhost:{server.port}"
    assert ask(server, "/v1", host=own, headers=[("Origin", f"http://{own}")], upgrade=True)[0] == 101


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_whose_name_resolves_to_loopback_reads_nothing(server, path):
    status, _, body = ask(server, path, host=f"{REBOUND}:{server.port}")
    assert status == 421 and b"cairn_" not in body
    assert ask(server, path, host="")[0] == 400


async def test_the_names_of_the_settings_are_good(start):
    server = start(listen__names="world.example")
    assert ask(server, host="world.example")[0] == 200
    assert ask(server, host=REBOUND)[0] == 421
    server.logged("listen.names")


async def test_the_operators_listener_asks_for_the_host_too(start):
    server = start(stats__listener="127.0.0.1:0")
    own = next(int(line.rsplit(":", 1)[1].split("/")[0]) for line in server.greeting if "Console" in line)
    assert ask(server, "/metrics", host=REBOUND, port=own)[0] == 421
    assert ask(server, "/metrics", port=own)[0] == 200


async def test_one_address_cannot_take_all_of_the_operators_listener(start):
    server = start(stats__listener="127.0.0.1:0")
    own = next(int(line.rsplit(":", 1)[1].split("/")[0]) for line in server.greeting if "Console" in line)
    held = []
    try:
        for _ in range(60):
            one = socket.create_connection(("127.0.0.1", own), timeout=PATIENCE)
            held.append(one)
            one.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answers = [one.recv(12) for one in held]
        assert answers[0] == b"HTTP/1.1 200" and answers[-1] == b"HTTP/1.1 503"
        assert answers.count(b"HTTP/1.1 200") <= 100
    finally:
        for one in held:
            one.close()


# MARK: - Proxies


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Forwarded-Proto", "X-Forwarded-Host"])
async def test_what_came_through_an_unknown_proxy_is_refused_and_told_what_to_set(start, header):
    server = start()
    value = "for=192.0.2.1" if header == "Forwarded" else "192.0.2.1"
    for upgrade in (False, True):
        status, _, body = ask(server, "/v1" if upgrade else "/livez", headers=[(header, value)], upgrade=upgrade)
        assert status == 403 and b"listen.behindProxy" in body
    server.logged("listen.behindProxy")


async def test_behind_a_proxy_each_client_has_its_own_limits(start):
    server = start(listen__behindProxy="true", accounts__open="false", pages__requestsPerSecondPerAddress=1)

    def statuses(client, count):
        lie = [("X-Forwarded-For", f"192.0.2.{number}, {client}") for number in range(count)]
        return [ask(server, headers=[header])[0] for header in lie]

    assert statuses("198.51.100.1", 8).count(429) >= 3
    assert statuses("198.51.100.2", 4) == [200] * 4


async def test_behind_a_proxy_connections_are_counted_by_client(start):
    server = start(
        listen__behindProxy="true", accounts__open="false", listen__connectionsPerAddress=2,
        listen__handshakesPerSecondPerAddress=0,
    )  # fmt: skip
    held = []

    def upgrade(client):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        connection.request("GET", "/v1", headers={
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "cairn.v1.json",
            "X-Forwarded-For": client,
        })  # fmt: skip
        # The answer's socket and not the connection's: after 101 http.client gives the socket to the answer.
        held.append((connection, connection.getresponse()))
        return held[-1][1].status

    assert [upgrade("198.51.100.1") for _ in range(3)] == [101, 101, 429]
    assert upgrade("198.51.100.2") == 101
    for connection, answer in held:
        answer.close()
        connection.close()
    held.clear()

    async def is_free():
        return upgrade("198.51.100.1") == 101

    await eventually(is_free, "the places of those who went are not given back")


# MARK: - Budget of pages


async def test_four_greedy_readers_get_the_budget_and_no_more(start):
    server = start(pages__bytesPerSecondPerAddress=100_000)
    script = "/console/main.js"
    size = len((await get(f"{server.http}{script}"))[2])

    def drain():
        got, waits = 0, []
        for _ in range(200):
            status, headers, body = ask(server, script)
            got += len(body) if status == 200 else 0
            if status == 429:
                waits.append(int(headers["Retry-After"]))
        return got, waits

    began = time.monotonic()
    readers = await asyncio.gather(*(asyncio.to_thread(drain) for _ in range(4)))
    seconds = time.monotonic() - began
    assert all(waits and min(waits) >= 1 for _, waits in readers), "somebody was never refused"
    # A burst of four seconds' budget, the budget of the time since, and the answers under way.
    assert sum(got for got, _ in readers) <= 100_000 * (4 + seconds) + 4 * size


async def test_the_health_of_a_server_is_told_whatever_others_cost(start):
    server = start(pages__requestsPerSecond=1)
    statuses = [ask(server, "/nothing")[0] for _ in range(12)]
    assert 429 in statuses
    assert [ask(server, path)[0] for path in ("/livez", "/readyz", "/healthz")] == [200, 200, 200]

    async def figures():
        status, _, body = ask(server, "/metrics")
        return body.decode() if status == 200 else ""

    assert 'cairn_door_refusals_total{reason="budget"}' in await eventually(figures, "no figures")


def test_a_request_that_is_refused_is_the_last_of_its_connection(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link:
        link.sendall(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
        heard = b""
        while chunk := link.recv(4096):
            heard += chunk
    assert heard.count(b"HTTP/1.1 404") == 1 and b"Connection: close" in heard


# MARK: - Budget of messages, over all connections of one person


async def test_an_account_that_comes_again_goes_on_with_what_it_had_left(start):
    server = start(connections__messagesPerSecond=1, connections__messagesBurst=10)
    began = time.monotonic()
    ada = await Client.connect(server, "Ada")
    token, taken = ada.welcome["token"], 0
    for _ in range(5):
        again = await Client.connect(server, token=token)
        with contextlib.suppress(Refused):
            for _ in range(10):
                await again.ask("share", {"position": True})
                taken += 1
        await again.close()
    # At most the bursts of two connections and what is refilled meanwhile, and less than the bursts of five.
    assert 16 <= taken < 25 + (time.monotonic() - began)
    other = await Client.connect(server, "Bob")
    await other.ask("share", {"position": True})


async def test_an_account_may_sign_in_so_many_times_a_minute(start):
    server = start(listen__signInsPerMinutePerAccount=6)
    ada = await Client.connect(server, "Ada")
    token = ada.welcome["token"]
    for _ in range(2):
        await Client.connect(server, token=token)
    late = await Client.connect(server, hello=False, called="late")
    with pytest.raises(Refused, match="rate_limited") as refused:
        await late.ask("hello", {"version": 1, "frontEnd": "bot", "token": token})
    assert refused.value.retry_after
    assert await late.until_ended() == (4002, "rate_limited")
    await Client.connect(server, "Bob")


async def test_pings_are_read_no_faster_than_messages_may_come(start):
    server = start()
    ada = await Client.connect(server, "Ada")
    link = ada.socket.transport.get_extra_info("socket")
    pings, sent, until = (b"\x89\x80" + b"\0" * 4) * 10_000, 0, time.monotonic() + 3
    # Written past the library, which would wait until the server reads.
    with socket.fromfd(link.fileno(), link.family, link.type) as raw:
        while time.monotonic() < until:
            try:
                # Only whole pings, so that the messages behind them can be read.
                sent += raw.send(pings[sent % 6 :])
            except BlockingIOError:
                await pause(0.01)
        while sent % 6:
            with contextlib.suppress(BlockingIOError):
                sent += raw.send(pings[sent % 6 : 6])
            await pause(0.01)
    # The kernel's buffers on both sides, and 131 KB a second.
    assert sent < 16_000_000
    assert (await server.figures())['cairn_transport_rejections_total{reason="input"}'] > 0
    assert ada.end is None


async def test_strangers_of_one_address_share_what_they_may_send(start):
    server = start(listen__handshakesPerSecondPerAddress=5)
    codes = []
    for _ in range(3):
        stranger = await Client.connect(server, hello=False, called="stranger")
        # Quicker than what they may send comes back.
        asked = [await stranger.post("share", {"position": True}) for _ in range(10)]
        await asyncio.gather(*asked, return_exceptions=True)
        codes += [item["reply"]["refusal"]["code"] for item in stranger.items if "reply" in item]
    assert codes[0] == "hello_required" and "rate_limited" in codes, codes


async def test_names_from_one_address_sign_in_less_often_than_connections_come_and_tokens_as_before(start):
    server = start(listen__handshakesPerSecondPerAddress=5)
    refusal = None
    known = await Client.connect(server, "Ada")
    for number in range(40):
        await pause(0.25)  # four a second: fewer than connections may come, more than names may sign in
        try:
            await (await Client.connect(server, f"name{number}")).close()
        except Refused as refused:
            refusal = refused
            break
    assert refusal.code == "rate_limited" and 0 < refusal.retry_after <= 1_000, refusal
    again = await Client.connect(server, token=known.welcome["token"])
    assert again.welcome["account"] == known.welcome["account"]
