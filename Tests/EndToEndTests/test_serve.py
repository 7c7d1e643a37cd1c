"""`cairn serve` as an operator meets it: first start, restart, shutdown, what it refuses, TLS, health (SES-1, SES-11,
DAT-2, DAT-3; pitfalls B5, B26, B28)."""

import asyncio
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

import pytest
import websockets

from cairn import Client, Refused, away, eventually, pose, totals
from server import binary, environment, get, run, serve_command


def refuses(result, *words, code=None):
    """The command ended with an error and one clear line that has all these words."""
    assert result.returncode == code if code else result.returncode not in (0, None), result
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, result.stderr
    for word in words:
        assert str(word) in lines[0], f"{word} is not in: {lines[0]}"
    return lines[0]


# MARK: - First start, restart


def test_the_first_start_asks_nothing_and_prints_data_path_and_addresses(start, tmp_path):
    folder = tmp_path / "not" / "there" / "yet"
    server = start(folder=folder)
    text = "\n".join(server.greeting)
    assert f"{folder}/cairn.sqlite" in text
    assert f"ws://127.0.0.1:{server.port}/v1" in text
    assert f"http://127.0.0.1:{server.port}/readyz" in text
    assert (folder / "cairn.sqlite").is_file()
    # Nobody but its owner has to do with the data.
    assert (folder / "cairn.sqlite").stat().st_mode & 0o077 == 0


def test_without_a_folder_the_data_are_in_the_state_directory_of_the_user(tmp_path):
    for variable, folder in (("XDG_STATE_HOME", "cairn"), ("STATE_DIRECTORY", "")):
        home = tmp_path / variable
        process = subprocess.Popen(
            [str(binary()), "serve", "--port", "0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment() | {variable: str(home)}, text=True,
        )  # fmt: skip
        with process:
            try:
                line = next(line for line in process.stdout if "Data" in line)
            finally:
                process.terminate()
        assert str(home / folder / "cairn.sqlite") in line
        assert process.returncode == 0


def test_it_serves_on_ipv6(start):
    server = start("--address", "::1")
    assert server.host == "[::1]"
    with socket.create_connection(("::1", server.port), timeout=5):
        pass


async def build_something(server, spot):
    """Things placed, edited, moved to another cell, reacted to and removed; gives who did it, and what is left."""
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    for client in (ada, bob):
        await client.view(await client.stand_at(*spot))
    kept = [await ada.place(pose(*away(*spot, north=n), 30.0 + n, scale=1 + n / 3), "preset:star") for n in range(4)]
    kept.append(await bob.place(pose(*spot, anchor={"provider": "test", "id": "é", "data": "AP8="})))
    kept[0] = await ada.edit(kept[0], pose(*away(*spot, north=90)))
    assert kept[0]["cell"] != kept[1]["cell"]
    kept[1] = await ada.edit(await ada.edit(kept[1], pose(*spot, 77.0)), pose(*spot, 78.0))
    for instance, reaction in zip(kept, ("love", "wow", "sad", "like")):
        await bob.react(instance, reaction)
    await ada.react(kept[0], "love")
    await bob.react(kept[3], "")
    await ada.remove(kept[2])
    await bob.until(lambda: not bob.sees(kept[2]), "the removal")
    await bob.until(lambda: totals(bob.sees(kept[0]) or {}) == {"love": 2}, "both reactions")
    return ada, bob, [kept[0], kept[1], kept[3], kept[4]]


@pytest.mark.parametrize("end", ["SIGTERM", "kill -9"])
async def test_a_restart_keeps_everything(start, spot, end):
    server = start()
    ada, bob, kept = await build_something(server, spot)
    before, epochs = bob.everything(), {topic.epoch for topic in bob.topics.values()}
    details = [await bob.select(instance) for instance in kept]
    if end == "SIGTERM":
        assert await asyncio.to_thread(server.stop) == 0
    else:
        server.kill()
    server = start(port=server.port)
    again = await Client.connect(server, token=bob.welcome["token"])
    await again.stand_at(*spot)
    await again.view(*bob.topics)
    assert again.everything() == before
    assert [await again.select(instance) for instance in kept] == details
    assert not epochs & {topic.epoch for topic in again.topics.values()}, "numbers start anew, and clients can tell"


# MARK: - Shutdown


async def test_a_shutdown_tells_everybody_when_to_come_back(start, spot):
    server = start()
    clients = [await Client.connect(server, f"User{n}") for n in range(8)]
    clients.append(await Client.connect(server, hello=False))
    for client in clients[:4]:
        await client.view(await client.stand_at(*spot))
    await clients[0].until(lambda: clients[0].counts, "the count of those who are there")
    server.terminate()
    for client in clients:
        assert await client.until_ended() == (1012, "server_shutdown")
        assert client.closing["code"] == "server_shutdown"
        assert "closing" in client.items[-1], "nothing after the goodbye"
    delays = [client.closing.get("reconnectAfter", 0) for client in clients]
    assert all(0 <= delay <= 5000 for delay in delays)
    assert len(set(delays)) > 1, "not all at once"
    assert await asyncio.to_thread(server.wait) == 0


async def test_a_shutdown_amid_placements_keeps_what_was_acknowledged_and_exits_with_0(start, spot):
    settings = {
        "placement__areaQuota": 10_000, "placement__perMinute": 10_000, "placement__perDay": 10_000,
        "connections__messagesPerSecond": 10_000, "connections__messagesBurst": 10_000,
    }  # fmt: skip
    server = start(**settings)
    clients = [await Client.connect(server, f"User{n}") for n in range(8)]
    for client in clients:
        await client.stand_at(*spot)
    answers = [await client.post("place", {"object": "preset:flag", "pose": pose(*spot)}) for client in clients * 60]
    await clients[0].until(lambda: sum(answer.done() for answer in answers) > 100, "the first hundred")
    server.terminate()
    for client in clients:
        await client.until_ended()
    assert await asyncio.to_thread(server.wait) == 0, server.log()
    placed, refused = [], []
    for answer in answers:
        error = answer.exception()
        if error is None:
            placed.append(answer.result()["instance"])
        elif isinstance(error, Refused):
            refused.append(error.code)
            assert error.retry_after is not None
    assert set(refused) <= {"server_shutdown", "storage_unavailable"}, "both say: the same again, later"
    later = await Client.connect(start(**settings), "Later")
    held = (await later.view(await later.stand_at(*spot))).instances
    for instance in placed:
        assert held[instance["id"]] == instance
    # Others may have been committed and never told; none was told and refused.
    assert len(placed) <= len(held) <= len(answers) - len(refused)


async def test_a_shutdown_does_not_wait_for_ever_for_those_who_do_not_read(start, spot):
    server = start(shutdown__drainSeconds=2)
    sleeper = await Client.connect(server, "Sleeper")
    await sleeper.stand_at(*spot)
    sleeper.socket.transport.pause_reading()
    began = time.monotonic()
    server.terminate()
    assert await asyncio.to_thread(server.wait, 10) == 0
    assert time.monotonic() - began < 6
    sleeper.socket.transport.resume_reading()


async def test_a_server_that_stops_takes_no_new_connections(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    server.terminate()
    await ada.until(lambda: ada.closing, "goodbye")
    with pytest.raises((OSError, websockets.InvalidStatus, websockets.InvalidMessage)):
        await websockets.connect(server.url, subprotocols=["cairn.v1.json"], open_timeout=5)


async def test_sighup_takes_live_settings_and_cuts_nobody_off(start, tmp_path, spot):
    file = tmp_path / "cairn.yaml"
    file.write_text("placement:\n  areaQuota: 1\n")
    server = start("--config", str(file))
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))

    async def says_why():
        return "placement.areaQuota" in server.log() and "many" in server.log()

    async def is_taken():
        with contextlib.suppress(Refused):
            return await ada.place(pose(*spot))

    with pytest.raises(Refused):
        await ada.place(pose(*spot))
    # A bad file changes nothing, and the log says why.
    file.write_text("placement:\n  areaQuota: many\n")
    server.process.send_signal(signal.SIGHUP)
    await eventually(says_why, server.log)
    with pytest.raises(Refused):
        await ada.place(pose(*spot))
    file.write_text("placement:\n  areaQuota: 2\n")
    server.process.send_signal(signal.SIGHUP)
    await eventually(is_taken, server.log)


# MARK: - What it refuses


def test_a_second_server_on_the_same_data_is_refused(start):
    server = start()
    second = run("serve", "--port", 0, "--data", server.folder)
    refuses(second, server.folder, server.process.pid)
    assert server.is_running


async def test_a_port_in_use_is_refused(start, tmp_path, spot):
    server = start()
    other = run("serve", "--port", server.port, "--data", tmp_path / "other", seconds=3)
    refuses(other, server.port)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)


def test_a_port_in_use_by_another_program_is_refused(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refuses(run("serve", "--port", taken.getsockname()[1], "--data", tmp_path), taken.getsockname()[1])


BAD_SETTINGS = {
    "an unknown key": (["placement.areaQouta=5"], ["placement.areaQouta", "placement.areaQuota"]),
    "a word for a number": (["placement.areaQuota=many"], ["placement.areaQuota", "many"]),
    "a number below its bounds": (["cells.level=9"], ["cells.level", "9", "10"]),
    "a number above its bounds": (["listen.port=65536"], ["listen.port", "65536"]),
    "a word that is not offered": (["storage.synchronous=off"], ["storage.synchronous", "off", "full"]),
    "two that do not go together": (["placement.perMinute=200"], ["placement.perMinute", "placement.perDay"]),
    "a key twice": (["cells.level=12", "cells.level=13"], ["cells.level"]),
    "no value": (["cells.level"], ["cells.level"]),
    "plain text for others": (["listen.address=0.0.0.0"], ["listen.address", "listen.tlsCertificate"]),
    "plain text for others over IPv6": (["listen.address=::"], ["listen.address", "listen.tlsCertificate"]),
    "a certificate without a key": (["listen.tlsCertificate=/dev/null"], ["listen.tlsCertificate", "listen.tlsKey"]),
    "a certificate that is not there": (
        ["listen.tlsCertificate=/nowhere/c.pem", "listen.tlsKey=/nowhere/k.pem"],
        ["listen.tlsCertificate", "/nowhere/c.pem"],
    ),
    "open accounts for others": (
        ["listen.address=0.0.0.0", "listen.behindProxy=true", "accounts.open=true"], ["accounts.open"],
    ),
    "the echo for others": (
        ["listen.address=0.0.0.0", "listen.behindProxy=true", "debug.echoPath=/echo"], ["debug.echoPath"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("settings, words", BAD_SETTINGS.values(), ids=BAD_SETTINGS.keys())
def test_a_bad_setting_ends_with_78_and_a_line_that_names_it(tmp_path, settings, words):
    arguments = [argument for setting in settings for argument in ("--set", setting)]
    if not any(setting.startswith("listen.port") for setting in settings):
        arguments += ["--port", 0]
    result = run("serve", "--data", tmp_path / "data", *arguments)
    assert result.returncode == 78, result
    # Several things may be wrong at once; each is a line of its own.
    for word in words:
        assert word in result.stderr, result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "data").exists(), "nothing was begun"


def test_a_bad_file_or_environment_ends_with_78_as_well(tmp_path):
    file = tmp_path / "cairn.yaml"
    bad = {"cells:\n  levle: 16\n": "cells.levle", "cells: [\n": str(file), "cells:\n  level: 99\n": "cells.level"}
    for text, word in bad.items():
        file.write_text(text)
        result = run("serve", "--port", 0, "--data", tmp_path / "data", "--config", file)
        assert (result.returncode, word in result.stderr) == (78, True), result
    result = run("serve", "--port", 0, "--data", tmp_path / "data", "--config", tmp_path / "nowhere.yaml")
    assert result.returncode == 78 and "nowhere.yaml" in result.stderr
    result = run("serve", "--data", tmp_path / "data", env={"CAIRN_LISTEN_PORT": "eighty"})
    assert result.returncode == 78 and "eighty" in result.stderr


@pytest.fixture(scope="module")
def anybodys_binary(tmp_path_factory):
    """The server where every user of the machine may start it."""
    folder = tmp_path_factory.mktemp("bin")
    for above in (folder, *folder.parents):
        if above.owner() == folder.owner() and above != pathlib.Path("/"):
            above.chmod(above.stat().st_mode | 0o055)
    shutil.copy(binary(), folder / "cairn")
    (folder / "cairn").chmod(0o755)
    return folder / "cairn"


def start_as_nobody(program, folder):
    """Starts a server that has no right to write what others own."""
    who = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.run(
        serve_command(folder, program=program), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10,
        env=environment() | {"HOME": "/nonexistent"}, cwd="/", **who,
    )  # fmt: skip


def test_a_folder_that_cannot_be_written_is_refused(start, tmp_path, anybodys_binary):
    server = start(folder=tmp_path / "world")
    server.stop()
    for path in (tmp_path / "world", tmp_path / "empty"):
        path.mkdir(exist_ok=True)
        path.chmod(0o555)
    for file in (tmp_path / "world").iterdir():
        file.chmod(0o444)
    before = {file.name: file.read_bytes() for file in (tmp_path / "world").iterdir()}
    try:
        began = time.monotonic()
        refuses(start_as_nobody(anybodys_binary, tmp_path / "world"), tmp_path / "world")
        refuses(start_as_nobody(anybodys_binary, tmp_path / "empty"), tmp_path / "empty")
        refuses(start_as_nobody(anybodys_binary, tmp_path / "empty" / "below"), tmp_path / "empty" / "below")
        assert time.monotonic() - began < 6
        assert {file.name: file.read_bytes() for file in (tmp_path / "world").iterdir()} == before
    finally:
        for path in (tmp_path / "world", tmp_path / "empty"):
            path.chmod(0o755)


NO_DATABASES = {
    "a text": b"not a database at all", "zeros": b"SQLite format 3\x00" + b"\x00" * 4080, "cut off": b"SQLite",
}  # fmt: skip


@pytest.mark.parametrize("content", NO_DATABASES.values(), ids=NO_DATABASES.keys())
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path, content):
    (tmp_path / "cairn.sqlite").write_bytes(content)
    refuses(run("serve", "--port", 0, "--data", tmp_path), tmp_path / "cairn.sqlite")
    assert (tmp_path / "cairn.sqlite").read_bytes() == content


# MARK: - HTTP


async def test_health_and_figures_are_answered_over_http(start, spot):
    server = start()
    for path in ("/livez", "/readyz"):
        status, headers, text = await get(server.http + path)
        assert (status, text) == (200, "ok\n")
        assert headers["Cache-Control"] == "no-store"
    verbose = (await get(f"{server.http}/readyz?verbose"))[2]
    assert [line.split() for line in verbose.splitlines()] == [["ok", "serving"], ["ok", "storage"], ["ok", "backlog"]]
    assert (await get(f"{server.http}/nowhere"))[0] == 404
    request = urllib.request.Request(f"{server.http}/livez", data=b"x=1", method="POST")
    assert 400 <= (await get(request))[0] < 500

    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))
    await server.until_figure("cairn_people", 1)
    status, headers, text = await get(f"{server.http}/metrics")
    assert status == 200
    assert headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    named = set()
    for line in text.splitlines():
        assert re.fullmatch(
            r"# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+=\"[^\"]*\"(,[a-z_]+=\"[^\"]*\")*\})? -?[0-9.e+]+", line
        ), line
        if line.startswith("# TYPE"):
            assert line.split()[3] in ("counter", "gauge", "histogram")
            assert (line.split()[3] == "counter") == line.split()[2].endswith("_total"), line
            named.add(line.split()[2])
        elif not line.startswith("#"):
            name = re.match("[a-z_]+", line).group()
            assert name in named or re.sub("_(bucket|sum|count)$", "", name) in named, f"{line} has no type"
    figures = await server.figures()
    assert figures["cairn_connections"] == 1
    assert figures["cairn_instances_awake"] == 1
    assert figures["cairn_store_changes_total"] >= 1
    for secret in ("Ada", ada.welcome["token"], ada.welcome["account"]):
        assert secret not in text


async def test_check_says_how_a_server_is(start):
    server = start()
    result = await asyncio.to_thread(run, "check", "--url", server.http)
    assert (result.returncode, result.stdout.startswith("ready")) == (0, True), result
    await asyncio.to_thread(server.stop)
    result = await asyncio.to_thread(run, "check", "--url", server.http, "--timeout", "2")
    assert result.returncode == 2, result


async def test_the_log_has_no_secret_and_no_place_in_it(start, spot):
    server = start(logging__level="trace")
    ada, bob, _ = await build_something(server, spot)
    with contextlib.suppress(Refused):
        await ada.place(pose(*spot), "preset:\r\nforged=line \x1b[31m")
    assert await asyncio.to_thread(server.stop) == 0
    log = server.log()
    places = [f"{degrees:.5f}"[:8] for degrees in spot]
    for secret in (ada.welcome["token"], bob.welcome["token"], *places, "\x1b", "\nforged"):
        assert secret not in log
