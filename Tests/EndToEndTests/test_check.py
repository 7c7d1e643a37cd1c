"""`cairn check`, for people, programs, monitoring plug-ins and collectors (exit 0 ready, 1 not ready, 2 no answer)."""

import asyncio
import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import socketserver
import subprocess
import threading
import time

import pytest

from cairn import PATIENCE
from server import Server, binary, environment, run

FORMATS = ("text", "json", "nagios", "prometheus")
SAMPLE = re.compile(r"^(cairn_check_\w+) ([0-9.]+)$", re.MULTILINE)


async def check(*arguments, **more):
    return await asyncio.to_thread(run, "check", *arguments, **more)


async def reports(code, *arguments):
    """The output of each format; all of them must exit with the same code."""
    results = {format: await check("--format", format, *arguments) for format in FORMATS}
    assert {format: result.returncode for format, result in results.items()} == dict.fromkeys(FORMATS, code), results
    assert not any(result.stderr for result in results.values()), results
    return {format: result.stdout for format, result in results.items()}


def samples(page):
    if shutil.which("promtool"):
        told = subprocess.run(
            ["promtool", "check", "metrics"], input=page, capture_output=True, text=True, timeout=PATIENCE)
        assert told.returncode == 0, told.stdout + told.stderr
    return {name: float(value) for name, value in SAMPLE.findall(page)}


@contextlib.contextmanager
def stranger(folder, answer):
    """Listens at the path of a server's socket and answers every line with this one."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            for _ in self.rfile:
                self.wfile.write(answer + b"\n")

    class Listener(socketserver.ThreadingUnixStreamServer):
        daemon_threads = True

    path = str(folder / "stats.sock")
    with Listener(path, Handler) as listener:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        yield path
        listener.shutdown()


async def test_a_ready_server_is_0_in_every_format(server):
    began = time.monotonic()
    said = await reports(0, "--data", server.folder)
    took = time.monotonic() - began
    # A busy machine may have alarms, a line each.
    assert said["text"].startswith(f"ready: {server.http}\n") and "  not " not in said["text"]
    told = json.loads(said["json"])
    assert told["state"] == "ready" and all(part["ok"] for part in told["checks"])
    assert told["socket"] == str(server.folder / "stats.sock")
    assert {"serving", "storage", "backlog"} <= {part["name"] for part in told["checks"]}
    assert re.fullmatch(r"CAIRN OK - ready(, [^|\n]+)? \| time=[0-9.]+s\n", said["nagios"])
    figures = samples(said["prometheus"])
    assert (figures["cairn_check_up"], figures["cairn_check_ready"]) == (1, 1)
    assert 0 <= figures["cairn_check_duration_seconds"] < took


async def test_the_settings_say_which_server_is_meant(start, tmp_path):
    one, other = start(folder=tmp_path / "one"), start(folder=tmp_path / "other")
    settings = tmp_path / "cairn.yaml"
    settings.write_text(f"storage:\n  path: {other.folder}\nlisten:\n  port: {other.port}\n")
    assert (await check("--config", settings)).stdout.startswith(f"ready: {other.http}\n")
    by_environment = {"CAIRN_STORAGE_PATH": str(one.folder), "CAIRN_LISTEN_PORT": str(one.port)}
    assert (await check(env=by_environment)).stdout.startswith(f"ready: {one.http}\n")


async def test_a_server_on_another_port_than_the_settings_say_is_not_taken_for_theirs(start, tmp_path):
    server = start()
    told = await check(env={"CAIRN_STORAGE_PATH": str(server.folder), "CAIRN_LISTEN_PORT": "9"})
    assert told.returncode == 1 and f"listens on port {server.port}, and listen.port is 9" in told.stdout


async def test_a_server_that_is_not_ready_is_1_and_says_which_part(tmp_path):
    page = json.dumps({
        "ready": False,
        "url": "http://127.0.0.1:8080",
        "port": 8080,
        "checks": [
            {"name": "serving", "ok": True, "detail": ""},
            {"name": "storage", "ok": False, "detail": "the last write failed"},
        ],
    }).encode()
    with stranger(tmp_path, page) as path:
        said = await reports(1, "--socket", path)
    assert "not storage: the last write failed" in said["text"] and "ok  serving" in said["text"]
    assert json.loads(said["json"])["state"] == "not_ready"
    assert said["nagios"].startswith("CAIRN WARNING - not ready: storage: the last write failed | time=")
    figures = samples(said["prometheus"])
    assert (figures["cairn_check_up"], figures["cairn_check_ready"]) == (1, 0)


async def test_whatever_else_answers_there_is_1_and_steers_no_terminal(tmp_path):
    with stranger(tmp_path, b"\x1b[31m welcome | to redis") as path:
        said = await reports(1, "--socket", path)
    assert "\x1b" not in said["text"] + said["nagios"] and "not as Cairn does" in said["text"]
    assert said["nagios"].count("|") == 1


async def test_no_server_is_2_in_every_format(start):
    server = start()
    await asyncio.to_thread(server.stop)
    said = await reports(2, "--data", server.folder)
    assert said["text"].startswith("no answer: ") and str(server.folder / "stats.sock") in said["text"]
    assert "no server runs with these settings" in said["text"] and "NSURL" not in said["text"]
    assert json.loads(said["json"])["state"] == "no_answer" and json.loads(said["json"])["reason"]
    assert said["nagios"].startswith("CAIRN CRITICAL - no answer: ")
    figures = samples(said["prometheus"])
    assert (figures["cairn_check_up"], figures["cairn_check_ready"]) == (0, 0)


async def test_a_frozen_server_is_2_after_the_time_to_wait(tmp_path):
    with Server.start(tmp_path / "data") as server:
        os.kill(server.process.pid, signal.SIGSTOP)
        told = await check("--data", server.folder, "--timeout", "0.5")
        os.kill(server.process.pid, signal.SIGCONT)
        assert told.returncode == 2 and "does not answer" in told.stdout
        assert (await check("--data", server.folder)).returncode == 0


@pytest.mark.parametrize("arguments", [["--format", "xml"], ["--timeout", "0"]])
async def test_what_makes_no_sense_is_64(arguments):
    result = await check(*arguments)
    assert result.returncode == 64 and arguments[0] in result.stderr


async def test_settings_that_are_no_good_are_78(tmp_path):
    result = await check("--data", tmp_path, env={"CAIRN_LISTEN_PROT": "1"})
    assert result.returncode == 78 and "CAIRN_LISTEN_PORT" in result.stderr


async def test_a_world_that_a_process_has_open_is_starting_or_stopping(start, tmp_path):
    """Between locking the world's file and opening its socket a server may be busy for long, for instance with a
    conversion."""
    server = start()
    server.stop()
    with open(server.folder / "cairn.sqlite.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(str(os.getpid()))
        lock.flush()
        said = await reports(1, "--data", server.folder)
        assert f"process {os.getpid()} has the world open" in said["text"] and "starting" in said["text"]
    assert (await check("--data", server.folder)).returncode == 2


async def test_a_halted_server_is_named_by_its_process(start):
    server = start()
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        told = await check("--data", server.folder, "--timeout", "0.5")
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    assert told.returncode == 2 and f"process {server.process.pid} has the world open, and is halted" in told.stdout


def test_a_command_says_that_its_output_is_lost():
    with open("/dev/full", "w") as full:
        told = subprocess.run(
            [str(binary()), "config", "default"], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
            text=True, timeout=PATIENCE, env=environment(),
        )  # fmt: skip
    assert told.returncode == 74 and "could not be written" in told.stderr, told
