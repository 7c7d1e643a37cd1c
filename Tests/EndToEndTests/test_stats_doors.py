"""Access to the operators' socket, and the limits of hostile operators (STA-1; pitfalls B17, B19)."""

import asyncio
import os
import pathlib
import re
import socket
import stat
import tempfile
import urllib.request

import pytest

from cairn import PATIENCE, Client
from operators import Desk, credential_file, credential_of, dial, fetch, refused, socket_of, stats_url
from paces import is_held_up, timed
from server import run


# MARK: - Access


async def test_the_socket_is_the_users_own(server):
    mode = os.stat(socket_of(server)).st_mode
    assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600
    assert stat.S_IMODE(os.stat(credential_file(server.folder)).st_mode) == 0o600


async def test_the_data_folder_alone_makes_nobody_an_operator(start):
    """F4 of the second attackers: the thief of a disk or a backup has the data folder, and not the key's."""
    server = start()
    credential = credential_of(server)
    assert await refused(stats_url(server), credential="x" * 43) == 403
    server.stop()
    for file in server.folder.rglob("*"):
        if file.is_file():
            assert credential.encode() not in file.read_bytes(), file
    planted = server.folder / "operator.credential"
    planted.write_text("planted-by-somebody-else-0123456789\n")
    planted.chmod(0o600)
    server = start()
    assert await refused(stats_url(server), credential="planted-by-somebody-else-0123456789") == 403
    await (await dial(stats_url(server), credential=credential)).close()
    server.logged(f"{planted} is not accepted as the operators' credential")
    for command in ("verify", "config check"):
        told = run(*command.split(), "--set", f"storage.path={server.folder}",
                   "--set", f"storage.keyFile={server.folder}.key")  # fmt: skip
        assert f"{planted} is not accepted" in told.stdout + told.stderr, command


async def test_the_credential_of_the_last_release_is_moved_out_of_the_data_folder_and_goes_on_working(start):
    server = start()
    credential = credential_of(server)
    server.stop()
    # As 31b2703d and all before the next release left it.
    former = server.folder / "operator.credential"
    credential_file(server.folder).rename(former)
    worlds = pathlib.Path(f"{server.folder}.key.worlds")
    worlds.write_text(f"{server.folder}/cairn.sqlite\n")
    server = start()
    await (await dial(stats_url(server), credential=credential)).close()
    assert not former.exists() and credential_of(server) == credential
    server.logged(f"was moved from {former} to {credential_file(server.folder)}")


def socket_line(path, command):
    """The server's answer to one command, on a plain socket."""
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(PATIENCE)
        one.connect(str(path))
        try:
            one.sendall(command)
        except BrokenPipeError:
            pass  # refused before it was asked; why can still be read
        return one.makefile("rb").readline()


def as_nobody(work):
    """The result of `work` in a process of another user."""
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
    """As root the tests try it as the user `nobody`; without root no process of another user can be started, and the
    mode is checked."""
    # Not in the tests' own folder, to which only its owner has access.
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


async def test_the_mode_of_the_socket_keeps_others_out(start):
    """0600: another user cannot even connect. As root the tests try it as the user `nobody`."""
    path = pathlib.Path(tempfile.mkdtemp()) / "stats.sock"
    start(stats__socketPath=path)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    if os.getuid() == 0:
        path.parent.chmod(0o755)
        said = as_nobody(lambda: socket_line(path, b"info\n"))
        assert b"PermissionError" in said and b"version" not in said, said


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
        for line in (f"kick {ada.welcome['session']}", "drain", "log debug", "link", "notice hello", "reload",
                     "backup", "feedback", "handle 0000000000000"):
            assert (await desk.refusal(line))["code"] == "forbidden"
        assert (await desk.ask("refusals"))["operators"]["level"] == 9
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
    assert any(f"{again.http}/console " in line for line in again.greeting)
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
    assert fetch(server, "/v1/operator", Authorization=f"Bearer {secret}")[0] == 403
    assert fetch(server, "/readyz")[0] == 200
    async with await Desk.over_websocket(f"ws://127.0.0.1:{port}/v1/stats", credential=secret) as desk:
        refusals = (await desk.ask("refusals"))["operators"]
        assert refusals["listener"] == 4
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as page:
        assert 'cairn_operator_refusals_total{reason="listener"} 4' in page.read().decode()
    assert await refused(f"ws://127.0.0.1:{port}/v1", credential=secret, subprotocol="cairn.v1.json") == 404


async def test_every_door_refuses_and_counts_whoever_is_no_operator(start):
    """The console's pages and the operators' own listener, too: no credential, a client's token, another origin."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = start(stats__listener=f"127.0.0.1:{port}")
    ada = await Client.connect(server, "Ada")
    token, secret = ada.welcome["token"], credential_of(server)
    own = f"ws://127.0.0.1:{port}/v1/stats"
    async with await Desk.over_websocket(own, credential=secret) as desk:
        for how in ({}, {"credential": token}, {"cookie": f"cairn_operator={token}"}):
            assert await refused(own, **how) == 403
        for origin in ("https://evil.example", server.http, "null"):
            assert await refused(own, credential=secret, origin=origin) == 403
        inside = type("Inside", (), {"http": f"http://127.0.0.1:{port}"})
        for path in ("/console", "/v1/operator", f"/console?link={token}"):
            for headers in ({}, {"Authorization": f"Bearer {token}"}):
                assert fetch(inside, path, **headers)[0] == 403
        assert await refused(own, subprotocol="cairn.v1.proto") == 400
        counted = (await desk.ask("refusals"))["operators"]
        # A request of the console without a credential only shows its form and is not counted; the other eight are
        # attempts.
        assert {reason: count for reason, count in counted.items() if count} == {"credential": 8, "origin": 3}
        assert (await desk.ask("info"))["level"] == "admin"
    # The player was not affected.
    await ada.stand_at(48.85, 2.35)


# MARK: - Slow and hostile operators


@pytest.mark.alone
@pytest.mark.seconds(90)
async def test_a_hundred_hung_operators_hurt_nobody(server, spot):
    """Neither another operator nor a player waits for them."""
    ada = await Client.connect(server, "Ada")

    async def look():
        async with await Desk.open(server) as desk:
            assert (await desk.ask("info"))["version"]

    async def step():
        await ada.stand_at(*spot)

    async def updates(desk):
        for _ in range(4):
            await desk.update()

    async def meanwhile(desk):
        """How long others wait over four updates, which all who watch are due."""
        waits, watching = {look: [], step: []}, asyncio.create_task(updates(desk))
        while not watching.done():
            for action, its in waits.items():
                its.append(await timed(action))
            await asyncio.wait([watching], timeout=0.02)
        await watching
        return waits

    async with await Desk.open(server) as desk:
        before = await meanwhile(await desk.watch())
    hung = []
    try:
        for n in range(100):
            one = socket.socket(socket.AF_UNIX)
            one.settimeout(PATIENCE)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(str(socket_of(server)))
            # A third send nothing, a third send commands and never read, a third send half a command.
            one.sendall([b"", b"watch\n" + b"schema\n" * 40, b"wat"][n % 3])
            hung.append(one)
        async with await Desk.open(server) as desk:
            for action, waits in (await meanwhile(await desk.watch())).items():
                assert not is_held_up(waits, before[action]), action.__name__
            await desk.send("refusals")
        assert server.is_running
    finally:
        for one in hung:
            one.close()


async def test_a_command_without_end_is_cut_off(server):
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(PATIENCE)
        one.connect(str(socket_of(server)))
        # It neither reads on nor leaves the connection open, which would end with a TimeoutError.
        with pytest.raises(ConnectionError):
            for _ in range(10_000):
                one.sendall(b"x" * 4096)
    async with await Desk.open(server) as desk:
        assert (await desk.ask("info"))["version"]
