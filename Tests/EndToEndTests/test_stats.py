"""The operators' room: the stats socket and who gets in (STA-1 to STA-3; pitfalls B17, B19)."""

import asyncio
import json
import os
import pathlib
import pty
import re
import select
import socket
import stat
import struct
import subprocess
import tempfile
import termios
import time
import fcntl
import urllib.error
import urllib.request

import pytest

import s2
from cairn import Client, away, eventually, pose
from operators import Desk, credential_of, dial, refused, socket_of, stats_url
from server import binary, environment


def command(server, *arguments, seconds=20):
    """Runs `cairn ...` against the server."""
    return subprocess.run(
        [str(binary()), *arguments, "--data", str(server.folder)], capture_output=True, text=True, timeout=seconds,
        env=environment(), stdin=subprocess.DEVNULL,
    )


# MARK: - What it says


async def test_every_figure_is_explained(server):
    async with await Desk.open(server) as desk:
        schema = await desk.ask("schema")
        client = await Client.connect(server, "Ada")
        await client.stand_at(48.85, 2.35)
        row = (await desk.ask("cells"))["cells"][0]
        totals = (await desk.ask("totals"))["totals"]
        queues = await desk.ask("queues")
    assert set(row) <= set(schema["cell"])
    for section in ("rates", "queues", "store", "process", "drops"):
        assert set(totals[section]) <= set(schema[section]), section
    assert set(totals["loops"][0]) <= set(schema["loops"])
    for section in ("items", "messages"):
        assert set(queues[section]) <= set(schema[section]), section
    plain = {name for name, value in totals.items() if not isinstance(value, (dict, list))} - {"refusals", "closures"}
    assert plain <= set(schema["people"])


async def test_an_unknown_command_names_the_nearest(server):
    async with await Desk.open(server) as desk:
        refusal = await desk.refusal("peple")
        assert (refusal["code"], refusal["nearest"]) == ("unknown_command", "people")
        assert (await desk.refusal("\x1b[31mpwned\x07"))["code"] == "unknown_command"
        assert (await desk.ask("people"))["connections"] >= 0


async def test_help_lists_every_command_with_its_level(server):
    async with await Desk.open(server) as desk:
        commands = {one["command"]: one for one in (await desk.ask("help"))["commands"]}
    assert {"cells", "cell", "people", "queues", "refusals", "latency", "watch", "info", "schema"} <= set(commands)
    for name in ("notice", "kick", "drain", "reload", "backup", "log"):
        assert commands[name]["level"] == "admin"


async def test_a_person_in_a_cell_is_in_its_row_and_in_no_other(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    await ada.place(pose(*spot))
    async with await Desk.open(server) as desk:
        answer = await desk.ask("cells occupied")
        rows = {row["cell"]: row["people"] for row in answer["cells"]}
        assert rows[cell] == 1
        one = await desk.ask(f"cell {cell}")
        assert (one["people"], one["instances"], one["turnP99Microseconds"] > 0) == (1, 1, True)
        assert one["ground"]["geometry"]["type"] == "Polygon"
        near = await desk.ask(f"cells {spot[0]},{spot[1]},30")
        assert cell in [row["cell"] for row in near["cells"]]
        within = await desk.ask(f"cells people {s2.token(*spot, level=13)}")
        assert cell in [row["cell"] for row in within["cells"]]
        elsewhere = await desk.ask(f"cells people {s2.token(-spot[0], spot[1], level=13)}")
        assert elsewhere["of"] == 0


async def test_figures_name_nobody(server, spot):
    """No account, name, text or exact position is in anything that the socket says (STA-3, CMP-4)."""
    ada = await Client.connect(server, "Adalovelace", sharePosition=True)
    cell = await ada.stand_at(spot[0], spot[1], 12.3456)
    async with await Desk.open(server) as desk:
        said = ""
        for line in ("cells", f"cell {cell}", "totals", "people", "queues", "refusals", "latency", "history", "info"):
            said += json.dumps(await desk.ask(line))
        head = await (await desk.watch()).update()
        said += json.dumps(head) + json.dumps(desk.cells)
    assert "Adalovelace" not in said
    assert ada.welcome["account"] not in said
    assert ada.welcome["token"] not in said
    assert "12.3456" not in said and repr(spot[0]) not in said and repr(spot[1]) not in said
    assert credential_of(server) not in said


async def test_sums_of_occupancies_equal_the_people_with_a_position_in_every_update(server, spot):
    """While people come, walk over borders, are cut off, sign out and go (STA-3, invariant 8)."""
    people = await asyncio.gather(*(Client.connect(server, f"walker{n}") for n in range(12)))
    stopped = asyncio.Event()

    async def walk(client, n):
        step = 0
        while not stopped.is_set():
            step += 1
            await client.stand_at(*away(*spot, north=25 * ((step + n) % 40), east=10 * n))
            if step % 7 == n % 7:
                extra = await Client.connect(server, f"guest{n}x{step}")
                await extra.stand_at(*away(*spot, north=5 * step))
                if step % 2:
                    extra.socket.transport.abort()
                else:
                    await extra.close()

    walkers = [asyncio.create_task(walk(client, n)) for n, client in enumerate(people)]
    try:
        async with await Desk.open(server) as desk:
            await desk.watch()
            for _ in range(6):
                await desk.update()
                assert sum(row["people"] for row in desk.cells.values()) == desk.totals["people"]
            assert desk.totals["people"] >= len(people)
    finally:
        stopped.set()
        await asyncio.gather(*walkers)


async def test_everything_offered_is_accounted_for(server, spot):
    ada, bo = await Client.connect(server, "Ada", sharePosition=True), await Client.connect(server, "Bob")
    for step in range(30):
        await ada.stand_at(*away(*spot, north=step))
        await bo.stand_at(*away(*spot, east=step))
    async with await Desk.open(server) as desk:
        queues = await desk.ask("queues")
    items = queues["items"]
    parts = ("sent", "waiting", "thinned", "dropped", "superseded", "lost")
    assert items["offered"] == sum(items[part] for part in parts) > 0


async def test_watch_tells_everything_then_what_changed_and_what_went(start, spot):
    server = start(cells__sleepSeconds=1, presence__graceSeconds=0)
    async with await Desk.open(server) as desk:
        await desk.watch()
        ada = await Client.connect(server, "Ada")
        cell = await ada.stand_at(*spot)
        await desk.until(lambda: desk.cells.get(cell, {}).get("people") == 1, "Ada in her cell")
        quiet = await desk.update()
        while quiet["cells"]:
            quiet = await desk.update()
        assert quiet["type"] == "update" and quiet["cells"] == []
        await ada.close()
        await desk.until(lambda: cell not in desk.cells, "the cell asleep")
        await desk.send("stop")
        answer = await desk.line()
        while "watching" not in answer:
            answer = await desk.line()
        assert answer == {"watching": False}


async def test_several_operators_see_the_same(server, spot):
    async with await Desk.open(server) as one, await Desk.open(server) as other:
        await one.watch()
        await other.watch()
        ada = await Client.connect(server, "Ada")
        cell = await ada.stand_at(*spot)
        for desk in (one, other):
            await desk.until(lambda: desk.cells.get(cell, {}).get("people") == 1, "Ada in her cell")


# MARK: - Who gets in


async def test_the_socket_is_the_users_own(server):
    mode = os.stat(socket_of(server)).st_mode
    assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600
    assert stat.S_IMODE(os.stat(server.folder / "operator.credential").st_mode) == 0o600


def socket_line(path, command):
    """What the server says to one command, from a plain socket."""
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(5)
        one.connect(str(path))
        one.sendall(command)
        return one.makefile("rb").readline()


def as_nobody(work):
    """What `work` gives in a process of another user."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            os.write(writer, work())
        except BaseException as error:
            os.write(writer, repr(error).encode())
        os._exit(0)
    os.close(writer)
    said = os.read(reader, 65536)
    os.close(reader)
    os.waitpid(pid, 0)
    return said


async def test_another_user_gets_no_data_even_where_the_file_lets_them(start):
    """As root the tests try it as `nobody`; without root nobody else's process can be started, and the mode decides."""
    # Not in the tests' own folder, which only its owner may enter.
    path = pathlib.Path(tempfile.mkdtemp()) / "stats.sock"
    server = start(stats__socketPath=path)
    if os.getuid() != 0:
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        return
    path.parent.chmod(0o755)
    path.chmod(0o666)
    said = as_nobody(lambda: socket_line(path, b"info\n"))
    assert b'"forbidden"' in said and b"version" not in said, said
    async with await Desk.open(server, path) as desk:
        assert (await desk.ask("refusals"))["operators"]["user"] == 1


async def test_the_second_socket_shows_everything_and_changes_nothing(start, tmp_path):
    path = tmp_path / "read.sock"
    server = start(stats__readSocketPath=path)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o660
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(48.85, 2.35)
    async with await Desk.open(server, path) as desk:
        assert (await desk.ask("info"))["level"] == "read"
        assert "kick" not in [one["command"] for one in (await desk.ask("help"))["commands"]]
        assert "sessions" not in await desk.ask(f"cell {cell}")
        for line in (f"kick {ada.welcome['session']}", "drain", "log debug", "link", "notice hello"):
            assert (await desk.refusal(line))["code"] == "forbidden"
        assert (await desk.ask("refusals"))["operators"]["level"] == 5
    await ada.stand_at(48.85, 2.35)


async def test_the_websocket_wants_the_operators_credential(server):
    ada = await Client.connect(server, "Ada")
    url, secret = stats_url(server), credential_of(server)
    async with await Desk.open(server) as desk:
        before = (await desk.ask("refusals"))["operators"]
        assert await refused(url) == 403
        assert await refused(url, credential="x" * 43) == 403
        assert await refused(url, credential=secret[:-1]) == 403
        assert await refused(url, credential=ada.welcome["token"]) == 403
        assert await refused(url, cookie=f"cairn_operator={secret}") == 403
        assert await refused(url, credential=secret, origin="https://evil.example") == 403
        assert await refused(url, credential=secret, subprotocol="cairn.v1.json") == 400
        assert await refused(server.url, credential=secret) == 400
        after = (await desk.ask("refusals"))["operators"]
    assert after["credential"] - before.get("credential", 0) == 5
    assert after["origin"] - before.get("origin", 0) == 1


async def test_the_websocket_speaks_as_the_socket_does(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    desk = await Desk.over_websocket(stats_url(server), credential=credential_of(server))
    async with desk, await Desk.open(server) as other:
        assert (await desk.ask("info"))["level"] == "admin"
        assert (await desk.refusal("peple"))["nearest"] == "people"
        assert [row["cell"] for row in (await desk.ask(f"cells {cell}"))["cells"]] == [cell]
        await desk.watch()
        await other.watch()
        for _ in range(3):
            await desk.update()
            assert sum(row["people"] for row in desk.cells.values()) == desk.totals["people"]


async def test_a_page_of_the_server_itself_comes_in(server):
    origin = server.http
    async with await Desk.over_websocket(stats_url(server), credential=credential_of(server), origin=origin) as desk:
        assert (await desk.ask("info"))["version"]


def fetch(server, path, **headers):
    request = urllib.request.Request(server.http + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()


async def test_the_link_of_the_first_start_opens_the_console_once(start):
    server = start()
    line = next(line for line in server.greeting if "Console" in line)
    path = re.search(r"/console\?link=\S+", line).group()
    assert credential_of(server) not in "\n".join(server.greeting)
    status, headers, _ = fetch(server, path)
    cookie = headers["Set-Cookie"]
    assert status == 200 and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert fetch(server, path)[0] == 403
    pair = cookie.split(";")[0]
    assert fetch(server, "/console", Cookie=pair)[0] == 200
    assert fetch(server, "/console")[0] == 403
    async with await Desk.over_websocket(stats_url(server), cookie=f"theme=dark; {pair}", origin=server.http) as desk:
        assert (await desk.ask("info"))["level"] == "admin"
        fresh = (await desk.ask("link"))["path"]
    assert fetch(server, fresh)[0] == 200
    assert server.stop() == 0
    again = start()
    assert not any("link=" in line for line in again.greeting)
    assert fetch(again, "/console", Cookie=pair)[0] == 403


async def test_a_browser_gets_its_cookie_for_the_credential(server):
    assert fetch(server, "/v1/operator")[0] == 403
    status, headers, _ = fetch(server, "/v1/operator", Authorization=f"Bearer {credential_of(server)}")
    assert status == 204
    await (await dial(stats_url(server), cookie=headers["Set-Cookie"].split(";")[0])).close()


async def test_the_players_listener_refuses_operators_who_have_their_own(start):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = start(stats__listener=f"127.0.0.1:{port}")
    secret = credential_of(server)
    assert await refused(stats_url(server), credential=secret) == 403
    assert fetch(server, "/console", Authorization=f"Bearer {secret}")[0] == 403
    assert fetch(server, "/metrics")[0] == 403
    assert fetch(server, "/readyz")[0] == 200
    async with await Desk.over_websocket(f"ws://127.0.0.1:{port}/v1/stats", credential=secret) as desk:
        refusals = (await desk.ask("refusals"))["operators"]
        assert refusals["listener"] >= 2
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as page:
        assert 'cairn_operator_refusals_total{reason="listener"}' in page.read().decode()
    assert await refused(f"ws://127.0.0.1:{port}/v1", credential=secret, subprotocol="cairn.v1.json") == 404


# MARK: - Slow and hostile operators


@pytest.mark.seconds(90)
async def test_a_hundred_hung_operators_hurt_nobody(server, spot):
    ada = await Client.connect(server, "Ada")
    hung = []
    try:
        for n in range(100):
            one = socket.socket(socket.AF_UNIX)
            one.settimeout(5)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(str(socket_of(server)))
            # A third says nothing, a third asks and never reads, a third sends half a command.
            one.sendall([b"", b"watch\n" + b"schema\n" * 40, b"wat"][n % 3])
            hung.append(one)
        began = time.monotonic()
        async with await Desk.open(server) as desk:
            assert (await desk.ask("info"))["version"]
            assert time.monotonic() - began < 1
            await desk.watch()
            for step in range(3):
                began = time.monotonic()
                await ada.stand_at(*away(*spot, north=step))
                assert time.monotonic() - began < 1
                await desk.update()
            await desk.send("refusals")
        assert server.is_running
    finally:
        for one in hung:
            one.close()


async def test_a_command_without_end_is_cut_off(server):
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(10)
        one.connect(str(socket_of(server)))
        with pytest.raises(OSError):
            while True:
                one.sendall(b"x" * 4096)
                if one.recv(1, socket.MSG_DONTWAIT) == b"":
                    raise OSError("the server has hung up")
    async with await Desk.open(server) as desk:
        assert (await desk.ask("info"))["version"]


# MARK: - Acting


async def test_kick_ends_a_session_for_good(server, spot):
    ada, bo = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    cell = await ada.stand_at(*spot)
    await bo.stand_at(*spot)
    async with await Desk.open(server) as desk:
        sessions = [one["session"] for one in (await desk.ask(f"cell {cell}"))["sessions"]]
        assert ada.welcome["session"] in sessions
        assert (await desk.refusal("kick 0000000000000"))["code"] == "not_found"
        assert await desk.ask(f"kick {ada.welcome['session']}") == {"closed": 1}
        assert (await ada.until_ended())[0] == 4203 and ada.closing["code"] == "kicked"
        await desk.watch()
        await desk.until(lambda: desk.cells[cell]["people"] == 1, "Ada gone from the cell")
        assert await desk.ask(f"kick {bo.welcome['account']}") == {"closed": 1}
    assert (await bo.until_ended())[0] == 4203
    assert "Ada" not in server.log() and ada.welcome["account"] not in server.log()


async def test_what_the_server_cannot_do_yet_is_refused_with_a_code(server):
    async with await Desk.open(server) as desk:
        for line in ("notice good evening", "backup"):
            assert (await desk.refusal(line))["code"] == "not_available"


async def test_drain_stops_the_server_in_order(start):
    server = start()
    ada = await Client.connect(server, "Ada")
    async with await Desk.open(server) as desk:
        assert await desk.ask("drain") == {"done": "stopping"}
    assert (await ada.until_ended())[0] == 1012
    assert server.wait() == 0
    assert not socket_of(server).exists()


async def test_a_socket_that_a_killed_server_left_is_taken_over(start):
    server = start()
    server.kill()
    assert socket_of(server).exists()
    async with await Desk.open(start()) as desk:
        assert (await desk.ask("info"))["version"]


# MARK: - Commands


def test_stats_writes_json_lines_into_a_pipe(server):
    result = command(server, "stats", "--interval", "0.2", "--count", "3")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.returncode == 0 and len(lines) == 3 and "rates" in lines[0]["totals"]
    answer = command(server, "stats", "refusals")
    assert answer.returncode == 0 and "transport" in json.loads(answer.stdout)
    assert command(server, "stats", "peple").returncode == 1


def test_stats_and_top_say_when_there_is_no_server(tmp_path):
    for name in ("stats", "top"):
        result = subprocess.run(
            [str(binary()), name, "--data", str(tmp_path)], capture_output=True, text=True, timeout=20,
            env=environment(), stdin=subprocess.DEVNULL)
        assert result.returncode == 2 and str(tmp_path / "stats.sock") in result.stderr


def test_top_writes_a_look_or_json_lines(server):
    once = command(server, "top", "--once")
    assert once.returncode == 0 and "PEOPLE" in once.stdout and "\x1b" not in once.stdout
    lines = [json.loads(line) for line in command(server, "top", "--once", "--json").stdout.splitlines()]
    assert "totals" in lines[0] and "cells" in lines[1]
    assert command(server, "top", "--once", "--filter", "nonsense").returncode == 1


class Screen:
    """`cairn top` on a terminal of its own."""

    def __init__(self, server, rows, columns):
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.execve(str(binary()), ["cairn", "top", "--data", str(server.folder), "--interval", "0.2"],
                      {**environment(), "TERM": "xterm"})
        self.pid, self.text = pid, ""
        self.resize(rows, columns)

    def resize(self, rows, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys):
        os.write(self.terminal, keys.encode())

    def until(self, pattern, seconds=10):
        """Reads until what is drawn from now on matches."""
        self.text = ""
        deadline = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            left = deadline - time.monotonic()
            assert left > 0, f"no {pattern!r} in {self.text[-3000:]!r}"
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    self.text += os.read(self.terminal, 65536).decode(errors="replace")
                except OSError:
                    self.text += "<end>"
        return self.text

    def wait(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


async def test_top_follows_keys_and_the_window_and_gives_the_terminal_back(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    screen = Screen(server, 24, 100)
    screen.until(rf"\x1b\[\?1049h[\s\S]*{cell}")
    screen.press("b")
    screen.until("by bytes")
    screen.press("/" + cell + "\r")
    screen.until(f"1-1 of 1 .*filter {cell}")
    screen.press("/nonsense\r")
    screen.until("nonsense is no order")
    screen.press(" ")
    screen.until("FROZEN")
    screen.press(" ?")
    screen.until("slowest turns")
    screen.press("p")
    screen.resize(12, 60)
    screen.until(r"by people")
    drawn = screen.until(r"q quit|freeze").split("\x1b[H")[-1]
    assert max(len(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line)) for line in drawn.split("\r\n")) <= 60
    screen.press("q")
    screen.until(r"\x1b\[\?25h\x1b\[\?1049l")
    assert screen.wait() == 0


# MARK: - Metrics


async def test_metrics_are_what_prometheus_reads(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))

    async def told():
        page = await asyncio.to_thread(fetch, server, "/metrics")
        return page[2] if 'kind="place"' in page[2] else None

    page = await eventually(told, "the placement's time")
    assert page.endswith("\n")
    types, seen = {}, set()
    for line in page.splitlines():
        if line.startswith("# TYPE"):
            _, _, name, kind = line.split(" ")
            assert name not in types, f"{name} twice"
            types[name] = kind
        elif not line.startswith("#"):
            sample = re.fullmatch(r'([a-z_]+)(\{[a-z_]+="[^"]*"(,le="[^"]*")?\}|\{le="[^"]*"\})? [-+0-9.e]+', line)
            assert sample, line
            assert line.rsplit(" ", 1)[0] not in seen, line
            seen.add(line.rsplit(" ", 1)[0])
            base = re.sub(r"_(bucket|sum|count)$", "", sample.group(1))
            kind = types.get(sample.group(1)) or types[base]
            assert (kind == "counter") == sample.group(1).endswith("_total"), line
    assert types["cairn_request_duration_seconds"] == "histogram"
    assert not [name for name, kind in types.items() if kind == "summary"]
    assert ada.welcome["account"] not in page and "Ada" not in page
