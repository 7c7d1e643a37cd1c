"""Attacks at the door: an undeclared proxy, requests that two programs read in two ways, sockets that outlive the right
that opened them, credentials for all to see (docs/security.md, "Who is at the door")."""

import asyncio
import json
import pathlib
import socket
import subprocess

import pytest

from cairn import PATIENCE, Client, pose
from operators import Desk, credential_of, dial, fetch, stats_url
from server import run
from test_doors import ask
from test_roles import audit

# MARK: - Open sign-in and stand-ins


async def test_a_server_that_nobody_opened_lets_no_name_in_and_says_how_to_open_one(start):
    server = start(opens=False)
    entry = next(line for line in server.greeting if "Sign-in" in line)
    assert "with an account" in entry and "cairn serve --open" in entry
    settings = run("config", "show", "--set", f"storage.path={server.folder}").stdout
    assert "builtin" not in settings
    assert (await Client.connect(server, "Ada")).welcome["role"] == "guest"


def test_an_opened_server_says_so(server):
    entry = next(line for line in server.greeting if "Sign-in" in line)
    assert "open: any name, no password, stand-ins for mail" in entry


@pytest.mark.parametrize("value", ["auto", "true"])
def test_a_file_opens_nothing_and_the_refusal_has_the_line_to_write(tmp_path, value):
    file = tmp_path / "cairn.yaml"
    file.write_text(f"storage:\n  path: {tmp_path}/data\naccounts:\n  open: {value}\n")
    for command in (["config", "check"], ["serve", "--port", "0"]):
        told = run(*command, "--config", file)
        assert told.returncode == 78 and "write `open: false` there" in told.stderr, told
        assert str(file) in told.stderr and told.stdout == ""
    file.write_text(f"storage:\n  path: {tmp_path}/data\nadaptors:\n  identity: builtin\n")
    told = run("config", "check", "--config", file)
    assert told.returncode == 78 and "write `identity: off`" in told.stderr, told


def test_open_is_never_for_others(tmp_path):
    told = run("serve", "--open", "--port", "0", "--data", tmp_path / "data", "--set", "listen.behindProxy=true")
    assert told.returncode == 78 and "start without --open" in told.stderr, told
    told = run("serve", "--open", "--lan", "--data", tmp_path / "data")
    assert told.returncode == 64 and "--open" in told.stderr, told


@pytest.mark.parametrize(
    "header, value",
    [("X-Real-IP", "192.0.2.1"), ("Via", "1.1 varnish"), ("CF-Connecting-IP", "192.0.2.1"), ("X-Forwarded-For", ""),
     ("X-Forwarded-Ssl", "on"), ("True-Client-IP", "192.0.2.1"), ("Forwarded", ""), ("x-real-ip", "")],
)  # fmt: skip
def test_any_sign_of_a_proxy_that_the_settings_do_not_know_is_turned_away(server, header, value):
    for path, upgrade in (("/livez", False), ("/metrics", False), ("/v1", True)):
        status, _, body = ask(server, path, headers=[(header, value)], upgrade=upgrade)
        assert status == 403 and b"listen.behindProxy" in body, (path, status, body)


# MARK: - HTTP that two programs read in two ways


def spoken(server, *pieces):
    """Sends raw bytes; returns all that the server says until it hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link:
        for piece in pieces:
            link.sendall(piece)
        heard = b""
        try:
            while chunk := link.recv(65_536):
                heard += chunk
        except ConnectionResetError:
            pass
        return heard


HIDDEN = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"

#: Lines of which a proxy in front may read a length or a coding, and the server did not.
AMBIGUOUS = {
    "a blank before the colon": b"Content-Length : 42\r\n",
    "two blanks": b"Content-Length  : 42\r\n",
    "a tab": b"Content-Length\t: 42\r\n",
    "the coding": b"Transfer-Encoding : chunked\r\n",
    "the coding, a tab": b"Transfer-Encoding\t: chunked\r\n",
    "a bare CR in a value": b"X-A: b\rContent-Length: 42\r\n",
    "a bare CR in a value that is known": b"User-Agent: b\rContent-Length: 42\r\n",
    "a bare CR before a name": b"\rContent-Length: 42\r\n",
    "a bare CR in a name": b"Content-Length\r: 42\r\n",
    "a line without a colon": b"X-A\r\nContent-Length: 42\r\n",
    "a folded line": b"X-A: b\r\n Content-Length: 42\r\n",
    "an empty name": b": b\r\nContent-Length : 42\r\n",
    "a NUL": b"X-A: b\0c\r\nContent-Length: 42\r\n",
    "a control character in a name": b"Content\x0bLength: 42\r\n",
}


@pytest.mark.parametrize("lines", AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
@pytest.mark.parametrize("cut", [False, True], ids=["at once", "in two pieces"])
def test_a_request_that_can_be_read_in_two_ways_is_refused_and_its_body_is_no_request(server, lines, cut):
    request = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n" + HIDDEN
    pieces = [request[:50], request[50:]] if cut else [request]
    heard = spoken(server, *pieces)
    assert heard.startswith(b"HTTP/1.1 400 ") and b"Connection: close" in heard, heard
    assert heard.count(b"HTTP/1.1 ") == 1, heard


@pytest.mark.parametrize(
    "lines", [b"Content-Length: 42\r\nContent-Length: 42\r\n", b"Content-Length: 42\r\nContent-Length: 0\r\n",
              b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", b"Content-Length: 42, 42\r\n",
              # The library takes the beginning of a name that it knows for more of the name.
              b"X-A: b\r\nContent-Length: 42\r\n", b"A: b\r\nTransfer-Encoding: chunked\r\nB: c\r\n"]
)  # fmt: skip
def test_a_body_that_nobody_asked_for_is_no_request(server, lines):
    heard = spoken(server, b"GET /livez HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n" + HIDDEN)
    assert heard.startswith((b"HTTP/1.1 413 ", b"HTTP/1.1 400 ")) and heard.count(b"HTTP/1.1 ") == 1, heard


@pytest.mark.parametrize(
    "version, status",
    [(b"HTTP/2.0", 505), (b"HTTP/3.0", 505), (b"HTTP/0.9", 505), (b"HTTP/1.1x", 400), (b"HTTP/1.10", 400),
     (b"HTTP/1.x", 400), (b"http/1.1", 400), (b"HTTP/1.1 ", 400), (b"ICY/1.1", 400)],
)  # fmt: skip
def test_another_version_of_http_is_refused(server, version, status):
    heard = spoken(server, b"GET /livez " + version + b"\r\nHost: localhost\r\n\r\n" + HIDDEN)
    assert heard.startswith(b"HTTP/1.1 %d " % status) and heard.count(b"HTTP/1.1 ") == 1, heard


def test_a_later_minor_version_is_spoken_as_1_1(server):
    """RFC 9110, 2.5."""
    for version in (b"HTTP/1.2", b"HTTP/1.9"):
        heard = spoken(server, b"GET /livez " + version + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert heard.startswith(b"HTTP/1.1 200 "), heard


#: Request lines, and the status that RFC 9110 and RFC 9112 want. The library answered most of them itself, as HTTP/1.0.
LINES = {
    b"FOO /livez HTTP/1.1": 501, b"get /livez HTTP/1.1": 501, b"GETX /livez HTTP/1.1": 501, b"PRI * HTTP/2.0": 505,
    b"OPTIONS * HTTP/1.1": 405, b"OPTIONS /livez HTTP/1.1": 405, b"PUT /livez HTTP/1.1": 405,
    b"DELETE /livez HTTP/1.1": 405, b"TRACE /livez HTTP/1.1": 405, b"CONNECT localhost:80 HTTP/1.1": 405,
    b"GET * HTTP/1.1": 400, b"GET livez HTTP/1.1": 400, b"GET http://localhost/livez HTTP/1.1": 400,
    b"GET  /livez HTTP/1.1": 400, b"GET /livez  HTTP/1.1": 400, b"GET\t/livez\tHTTP/1.1": 400,
    b" GET /livez HTTP/1.1": 400, b"GET /livez": 400, b"GET": 400, b"GET /livez x HTTP/1.1": 400,
    b"GET /livez%zz HTTP/1.1": 400, b"GET /livez% HTTP/1.1": 400, b"GET /livez%6 HTTP/1.1": 400,
    b"GET /liv\x01ez HTTP/1.1": 400, b"G@T /livez HTTP/1.1": 400,
    b"GET /" + b"a" * 9_000 + b" HTTP/1.1": 414, b"GET /livez?" + b"a" * 2_000 + b" HTTP/1.1": 414,
}  # fmt: skip


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:30].decode(errors="replace"))
def test_an_odd_request_line_has_the_answer_of_the_standard(server, line):
    heard = spoken(server, line + b"\r\nHost: localhost\r\n\r\n" + HIDDEN)
    assert heard.startswith(b"HTTP/1.1 %d " % LINES[line]) and heard.count(b"HTTP/1.1 ") == 1, heard
    assert b"\r\nConnection: close\r\n" in heard, heard
    assert (LINES[line] == 405) == (b"\r\nAllow: GET, HEAD, POST\r\n" in heard), heard


@pytest.mark.parametrize("hosts", [[b"localhost", b"localhost"], [b"localhost", b"other"], [b"a b"], [b"u@localhost"],
                                   [b"localhost/x"], [b"local\"host"]])
def test_a_host_that_is_none_is_refused(server, hosts):
    """RFC 9112, 3.2: one line, and a name in it."""
    lines = b"".join(b"Host: " + host + b"\r\n" for host in hosts)
    heard = spoken(server, b"GET /livez HTTP/1.1\r\n" + lines + b"\r\n" + HIDDEN)
    assert heard.startswith(b"HTTP/1.1 400 ") and heard.count(b"HTTP/1.1 ") == 1, heard


@pytest.mark.parametrize("lines", [b"Connection: keep-alive, close\r\n", b"Connection: close, foo\r\n",
                                   b"Connection: foo\r\nConnection: close\r\n", b"Connection: Close\r\n",
                                   b"Connection: close\r\nConnection: foo\r\n", b"Connection: foo,\tCLOSE ,bar\r\n"])
def test_close_among_other_options_ends_the_connection(server, lines):
    """RFC 9112, 9.6: in any line, alone or not. A request that is behind it is not answered."""
    request = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
    for behind, answers in ((b"", 1), (request + b"\r\n", 1)):
        heard = spoken(server, request + lines + b"\r\n" + behind)
        assert heard.count(b"HTTP/1.1 200 ") == answers and b"Connection: close" in heard, heard
    heard = spoken(server, (request + b"\r\n") * 2 + request + lines + b"\r\n")
    assert heard.count(b"HTTP/1.1 200 ") == 3, heard
    kept = spoken(server, request + b"Connection: closed\r\n\r\n" + request + lines + b"\r\n")
    assert kept.count(b"HTTP/1.1 200 ") == 2, "an option of another name"


def test_what_an_honest_client_sends_passes_in_any_pieces(server):
    request = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Empty:\r\nX-Tab:\ta\tb \r\n\r\n"
    last = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert spoken(server, request * 3 + last).count(b"HTTP/1.1 200 ") == 4, "together"
    assert spoken(server, *[request[at : at + 7] for at in range(0, len(request), 7)], last).count(b" 200 OK") == 2
    assert spoken(server, last.replace(b"\r\n", b"\n")).startswith(b"HTTP/1.1 200 "), "lines that end with LF alone"
    for name in (b"Accept", b"X-Auth-Token", b"If-Range", b"Host-Of", b"DNT", b"Priority"):
        swapped = last.replace(b"\r\n\r\n", b"\r\n" + name + b": 1\r\n\r\n")
        assert spoken(server, swapped).startswith(b"HTTP/1.1 200 "), name


@pytest.mark.parametrize("empty", [b"\r\n", b"\n", b"\r\n\r\n\n"])
def test_empty_lines_before_a_request_are_passed_over(server, empty):
    request = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert spoken(server, empty + last).startswith(b"HTTP/1.1 200 ")
    pieces = [bytes([byte]) for byte in empty] + [last]
    assert spoken(server, *pieces).startswith(b"HTTP/1.1 200 ")
    # Between two requests as well, if the first is answered by then.
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link:
        link.sendall(request)
        assert link.recv(65_536).startswith(b"HTTP/1.1 200 ")
        link.sendall(empty)
        link.sendall(last)
        assert link.recv(65_536).startswith(b"HTTP/1.1 200 ")


def test_a_head_that_comes_byte_by_byte_is_read_to_its_end(server):
    last = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 200 + b"\r\nConnection: close\r\n\r\n"
    assert spoken(server, *[bytes([byte]) for byte in last]).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    "line", [b"X-A\r\n\r\n", b"Content-Length : 4\r\n\r\n", b": b\r\n\r\n", b"X-A: b\rc\r\n",
             # As the last one, the beginning of a name that the library knows swallows the empty line.
             b"X-A: b\r\n\r\n", b"p:\r\n\r\n", b"Sec-WebSocket-: b\n\n", b"HEAD: b\r\n\r\n"]
)  # fmt: skip
def test_a_broken_last_line_is_refused_and_waits_for_no_deadline(server, line):
    """Of some of these the library waits for the end of the head."""
    heard = spoken(server, b"GET /livez HTTP/1.1\r\nHost: localhost\r\n" + line)
    assert heard.startswith(b"HTTP/1.1 400 ") and b"Connection: close" in heard, heard


def test_a_head_that_follows_in_part_is_no_request_of_this_connection(server):
    """A whole request and the beginning of a second one in one packet; the rest, in which two programs see two things,
    in the next."""
    first = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
    begin = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
    rest = b"Content-Length : %d\r\n\r\n" % len(HIDDEN) + HIDDEN
    for cut in (1, 3, len(begin) - 1, len(begin)):
        heard = spoken(server, first + begin[:cut], begin[cut:] + rest)
        assert heard.startswith(b"HTTP/1.1 200 ") and b"Connection: close" in heard, heard
        assert heard.count(b"HTTP/1.1 ") == 1, heard
    # The same, but the second packet comes when the first one is answered.
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link:
        link.sendall(first + begin)
        heard = link.recv(65_536)
        assert heard.startswith(b"HTTP/1.1 200 ")
        try:
            link.sendall(rest)
            while chunk := link.recv(65_536):
                heard += chunk
        except OSError:
            pass
        assert heard.count(b"HTTP/1.1 ") == 1, heard


def test_a_head_that_is_too_long_is_answered(server):
    names = b"".join(b"X-%03d-%s:\r\n" % (number, b"n" * 190) for number in range(60))
    heard = spoken(server, b"GET /livez HTTP/1.1\r\nHost: localhost\r\n" + names + b"\r\n")
    assert heard.startswith(b"HTTP/1.1 431 "), ("names count as well", heard)
    for size in (9_000, 15_000, 30_000):
        heard = spoken(server, b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * size + b"\r\n\r\n")
        assert heard.startswith(b"HTTP/1.1 431 "), (size, heard)


# MARK: - Proxies that the settings know


async def test_of_two_forwarded_lines_the_last_one_counts(start):
    server = start(
        listen__behindProxy="true", listen__forwardedHeader="Forwarded", pages__requestsPerSecondPerAddress=1)

    def statuses(client, count, *, field="Forwarded"):
        lies = [[(field, f"for=192.0.2.{number}"), (field, f"for={client}")] for number in range(count)]
        return [ask(server, headers=headers)[0] for headers in lies]

    # Had the first line counted, every lie would have had a budget of its own.
    assert statuses("198.51.100.1", 8).count(429) >= 3
    assert statuses("198.51.100.2", 4) == [200] * 4
    server.kill()
    server = start(listen__behindProxy="true", pages__requestsPerSecondPerAddress=1)
    lists = [[("X-Forwarded-For", f"192.0.2.{number}"), ("X-Forwarded-For", "198.51.100.1")] for number in range(8)]
    assert [ask(server, headers=headers)[0] for headers in lists].count(429) >= 3
    # A name of which the library knows a longer one swallowed the proxy's line.
    hidden = [[("X-A", f"{number}"), ("X-Forwarded-For", "198.51.100.3"), ("B", "c")] for number in range(8)]
    assert [ask(server, headers=headers)[0] for headers in hidden].count(429) >= 3


def test_behind_a_proxy_nobody_comes_past_it_in_plain_text(start):
    """The peer is on loopback in tests, which may; the rule itself is in ProxyRuleTests."""
    server = start(listen__behindProxy="true")
    assert ask(server)[0] == 200


# MARK: - Sockets that end with the right that opened them


def cookie_of(server):
    said = fetch(server, "/v1/operator", Authorization=f"Bearer {credential_of(server)}")[1]
    return said["Set-Cookie"].split(";")[0]


async def test_signing_out_of_the_console_ends_the_sockets_that_it_opened(server):
    cookie, other = cookie_of(server), cookie_of(server)
    leaving = [await dial(stats_url(server), cookie=cookie) for _ in range(2)]
    staying = await dial(stats_url(server), cookie=other)
    by_credential = await dial(stats_url(server), credential=credential_of(server))
    await leaving[0].send("info")
    assert json.loads(await asyncio.wait_for(leaving[0].recv(), PATIENCE))["level"] == "admin"
    status, _, _ = ask(
        server, "/v1/operator/end", method="POST", headers=[("Cookie", cookie), ("Content-Length", "0")])
    assert status == 204
    for link in leaving:
        await asyncio.wait_for(link.wait_closed(), PATIENCE)
    for link in (staying, by_credential):
        await link.send("info")
        assert json.loads(await asyncio.wait_for(link.recv(), PATIENCE))["level"] == "admin"
        await link.close()


async def test_who_is_kicked_and_what_is_removed_stands_in_the_record_with_author_and_reason(server, spot):
    mallory = await Client.connect(server, "Mallory")
    account = mallory.welcome["account"]
    await mallory.stand_at(*spot)
    placed = await mallory.place(pose(*spot))
    async with await Desk.open(server) as desk:
        instance = placed["id"]
        assert await desk.ask(f"remove {instance} Shows a phone number") == {"removed": instance}
        assert await desk.ask(f"kick {account} Shouting at people") == {"closed": 1}
        entries = [entry for entry in await audit(desk) if entry["what"] in ("kick", "instance_remove")]
        assert [entry["what"] for entry in entries] == ["kick", "instance_remove"]
        kick, removal = entries
        assert kick["account"] == account and kick["reason"] == "Shouting at people"
        assert (removal["thing"], removal["reason"]) == (instance, "Shows a phone number")
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        assert all(entry["operator"].startswith(user) for entry in entries), entries
        refused = await desk.refusal(f"kick {account} {'x' * 501}")
        assert refused["code"] == "bad_argument" and "reason" in refused["message"]
    async with await Desk.over_websocket(stats_url(server), cookie=cookie_of(server)) as desk:
        await desk.ask(f"ban {account} Again")
        assert (await audit(desk))[0]["operator"].startswith("the console, sign-in ")


# MARK: - Secrets


@pytest.mark.parametrize("key", ["stats.credential", "stats.metricsCredential"])
def test_a_credential_on_the_command_line_is_refused_with_the_remedy(tmp_path, key):
    secret = "kept-between-us-and-nobody-else"
    for command in (["serve", "--port", "0"], ["config", "check"]):
        told = run(*command, "--set", f"storage.path={tmp_path}/data", "--set", f"{key}={secret}")
        assert told.returncode == 78 and "--config" in told.stderr and "CAIRN_STATS_" in told.stderr, told
        assert secret not in told.stderr


def test_a_credential_of_one_letter_is_refused(tmp_path):
    told = run("config", "check", "--set", f"storage.path={tmp_path}/d", env={"CAIRN_STATS_CREDENTIAL": "a" * 20})
    assert told.returncode == 78 and "at least 6 different ones" in told.stderr, told


def test_the_memory_of_a_server_goes_into_no_core_file(server):
    limits = pathlib.Path(f"/proc/{server.process.pid}/limits").read_text()
    core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    assert core.split()[4:6] == ["0", "0"], core


def test_a_look_at_a_console_link_does_not_use_it_up(server):
    link = next(line for line in server.greeting if "Console" in line).split()[1]
    path = link.removeprefix(server.http)
    assert ask(server, path, method="HEAD")[0] in (200, 405)
    assert b"Open the console" in ask(server, path)[2]
    assert b"Open the console" not in ask(server, path)[2], "it works once"
