"""`cairn check`, for people, programs, monitoring plug-ins and collectors (exit 0 ready, 1 not ready, 2 no answer)."""

import asyncio
import contextlib
import json
import re
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from server import run

FORMATS = ("text", "json", "nagios", "prometheus")
SAMPLE = re.compile(r"^(cairn_check_\w+) ([0-9.]+)$", re.MULTILINE)


async def check(server, format, *more):
    return await asyncio.to_thread(run, "check", "--url", server.http, "--format", format, *more)


async def reports(server, code, *more):
    """What each format says; all have to end with the same code."""
    results = {format: await check(server, format, *more) for format in FORMATS}
    assert {format: result.returncode for format, result in results.items()} == dict.fromkeys(FORMATS, code), results
    assert not any(result.stderr for result in results.values()), results
    return {format: result.stdout for format, result in results.items()}


def samples(page):
    if shutil.which("promtool"):
        told = subprocess.run(["promtool", "check", "metrics"], input=page, capture_output=True, text=True, timeout=20)
        assert told.returncode == 0, told.stdout + told.stderr
    return {name: float(value) for name, value in SAMPLE.findall(page)}


@contextlib.contextmanager
def stranger(status, body):
    """A web server that is not Cairn, or one that is not ready."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    class Place:
        def __init__(self, port):
            self.http = f"http://127.0.0.1:{port}"

    httpd = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    try:
        yield Place(httpd.server_port)
    finally:
        httpd.shutdown()
        httpd.server_close()


async def test_a_ready_server_is_0_in_every_format(server):
    said = await reports(server, 0)
    assert said["text"] == f"ready: {server.http}/readyz?format=json\n"
    told = json.loads(said["json"])
    assert told["state"] == "ready" and all(part["ok"] for part in told["checks"])
    assert {"serving", "storage", "backlog"} <= {part["name"] for part in told["checks"]}
    assert re.fullmatch(r"CAIRN OK - ready \| time=[0-9.]+s\n", said["nagios"])
    figures = samples(said["prometheus"])
    assert (figures["cairn_check_up"], figures["cairn_check_ready"]) == (1, 1)
    assert 0 < figures["cairn_check_duration_seconds"] < 5


async def test_a_server_that_is_not_ready_is_1_and_says_which_part(server):
    page = json.dumps({
        "ready": False,
        "checks": [
            {"name": "serving", "ok": True, "detail": ""},
            {"name": "storage", "ok": False, "detail": "the last write failed"},
        ],
    }).encode()
    with stranger(503, page) as place:
        said = await reports(place, 1)
    assert "not storage: the last write failed" in said["text"] and "ok  serving" in said["text"]
    assert json.loads(said["json"])["state"] == "not_ready"
    assert said["nagios"].startswith("CAIRN WARNING - not ready: storage: the last write failed | time=")
    figures = samples(said["prometheus"])
    assert (figures["cairn_check_up"], figures["cairn_check_ready"]) == (1, 0)


async def test_whatever_else_answers_there_is_1_and_steers_no_terminal():
    with stranger(200, b"<html>\x1b[31m welcome | to nginx</html>") as place:
        said = await reports(place, 1)
    assert "\x1b" not in said["text"] + said["nagios"] and "not as Cairn does" in said["text"]
    assert said["nagios"].count("|") == 1


async def test_no_server_is_2_in_every_format(start):
    server = start()
    await asyncio.to_thread(server.stop)
    said = await reports(server, 2, "--timeout", "2")
    assert said["text"].startswith(f"no answer: {server.http}/readyz")
    assert json.loads(said["json"])["state"] == "no_answer" and json.loads(said["json"])["reason"]
    assert said["nagios"].startswith("CAIRN CRITICAL - no answer: ")
    figures = samples(said["prometheus"])
    assert (figures["cairn_check_up"], figures["cairn_check_ready"]) == (0, 0)


@pytest.mark.parametrize("arguments", [["--format", "xml"], ["--url", "nonsense"], ["--timeout", "0"]])
async def test_what_makes_no_sense_is_64(arguments):
    result = await asyncio.to_thread(run, "check", *arguments)
    assert result.returncode == 64 and arguments[0] in result.stderr
