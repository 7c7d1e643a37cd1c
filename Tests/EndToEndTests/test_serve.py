"""`cairn serve` for operators: first start, restart, shutdown, reload, health (SES-1, SES-11, DAT-2, DAT-3; pitfalls
B26)."""

import asyncio
import contextlib
import re
import signal
import socket
import subprocess
import urllib.request

import pytest
import websockets

from cairn import PATIENCE, Client, Refused, away, eventually, pose, seen, totals
from server import binary, environment, get, run


# MARK: - First start, restart


def test_the_first_start_asks_nothing_and_prints_data_path_and_addresses(start, tmp_path):
    folder = tmp_path / "not" / "there" / "yet"
    server = start(folder=folder)
    text = "\n".join(server.greeting)
    assert f"{folder}/cairn.sqlite" in text
    assert f"ws://127.0.0.1:{server.port}/v1" in text
    assert f"http://127.0.0.1:{server.port}/readyz" in text
    assert (folder / "cairn.sqlite").is_file()
    # Only its owner has access to the data.
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


def test_names_of_one_letter_in_the_working_directory_are_paths(tmp_path):
    where = ["--data", "w", "--set", "storage.keyFile=k"]
    process = subprocess.Popen(
        [str(binary()), "serve", "--port", "0", *where], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=environment(), text=True, cwd=tmp_path,
    )  # fmt: skip
    with process:
        try:
            assert any("ready in" in line for line in process.stdout), process.stderr.read()
            for command in (["check", "--data", "w"], ["backup", *where, "--to", "b"]):
                assert run(*command, cwd=tmp_path).returncode == 0, command
        finally:
            process.terminate()
    assert process.returncode == 0
    for command in (["verify", *where, "b"], ["restore", *where, "b"], ["rotate-key", *where[2:]], ["verify", *where]):
        result = run(*command, cwd=tmp_path)
        assert result.returncode == 0, result


def test_it_serves_on_ipv6(start):
    server = start("--address", "::1")
    assert server.host == "[::1]"
    with socket.create_connection(("::1", server.port), timeout=PATIENCE):
        pass


async def build_something(server, spot):
    """Places, edits, moves to another cell, reacts and removes; returns the client and the remaining instances."""
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
            placed.append(seen(answer.result()["instance"]))
        elif isinstance(error, Refused):
            refused.append(error.code)
            assert error.retry_after is not None
    assert set(refused) <= {"server_shutdown", "storage_unavailable"}, "both say: the same again, later"
    later = await Client.connect(start(**settings), "Later")
    held = (await later.view(await later.stand_at(*spot))).instances
    for instance in placed:
        assert held[instance["id"]] == instance
    # Others may have been committed without an acknowledgement; none was acknowledged and lost.
    assert len(placed) <= len(held) <= len(answers) - len(refused)


async def test_a_shutdown_does_not_wait_for_ever_for_those_who_do_not_read(start, spot):
    # Not even for as long as it may take for those whose changes are under way.
    server = start(shutdown__drainSeconds=600)
    sleeper = await Client.connect(server, "Sleeper")
    await sleeper.stand_at(*spot)
    sleeper.socket.transport.pause_reading()
    server.terminate()
    assert await asyncio.to_thread(server.wait) == 0
    sleeper.socket.transport.resume_reading()


async def test_a_server_that_stops_takes_no_new_connections(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    server.terminate()
    await ada.until(lambda: ada.closing, "goodbye")
    with pytest.raises((OSError, websockets.InvalidStatus, websockets.InvalidMessage)):
        await websockets.connect(server.url, subprotocols=["cairn.v1.json"], open_timeout=PATIENCE)


async def test_sighup_takes_live_settings_and_cuts_nobody_off(start, tmp_path, spot):
    file = tmp_path / "cairn.yaml"
    file.write_text("placement:\n  areaQuota: 1\n")
    server = start("--config", str(file))
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))

    async def is_taken():
        with contextlib.suppress(Refused):
            return await ada.place(pose(*spot))

    with pytest.raises(Refused):
        await ada.place(pose(*spot))
    # A bad file changes nothing, and the log says why.
    file.write_text("placement:\n  areaQuota: many\n")
    server.process.send_signal(signal.SIGHUP)
    server.logged("placement.areaQuota", "many")
    with pytest.raises(Refused):
        await ada.place(pose(*spot))
    file.write_text("placement:\n  areaQuota: 2\n")
    server.process.send_signal(signal.SIGHUP)
    await eventually(is_taken, server.log)


# MARK: - HTTP


async def test_health_and_figures_are_answered_over_http(start, spot):
    server = start()
    for path in ("/livez", "/readyz"):
        status, headers, text = await get(server.http + path)
        assert (status, text) == (200, "ok\n")
        assert headers["Cache-Control"] == "no-store"
    verbose = (await get(f"{server.http}/readyz?verbose"))[2]
    assert [line.split() for line in verbose.splitlines()] == [
        ["ok", "serving"], ["ok", "storage"], ["ok", "backlog"], ["ok", "rows"], ["ok", "indexes"]
    ]
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
    result = await asyncio.to_thread(run, "check", "--data", server.folder)
    assert (result.returncode, result.stdout.startswith("ready")) == (0, True), result
    await asyncio.to_thread(server.stop)
    result = await asyncio.to_thread(run, "check", "--data", server.folder, "--timeout", "2")
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
