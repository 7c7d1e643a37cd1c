"""Faults for which `cairn serve` refuses to start, each with one clear line (pitfalls B5, B28)."""

import os
import pathlib
import re
import shutil
import socket
import subprocess

import pytest

from cairn import PATIENCE, Client
from server import binary, environment, run, serve_command


def refuses(result, *words, code=None):
    """The command exits with an error and one clear line with all these words; the log may have further lines."""
    assert result.returncode == code if code else result.returncode not in (0, None), result
    lines = [line for line in result.stderr.splitlines() if line.strip() and not re.match(r"\d{4}-\d\d-|\{", line)]
    assert len(lines) == 1, result.stderr
    for word in words:
        assert str(word) in lines[0], f"{word} is not in: {lines[0]}"
    return lines[0]


def test_a_second_server_on_the_same_data_is_refused(start):
    server = start()
    second = run("serve", "--port", 0, "--data", server.folder)
    refuses(second, server.folder, server.process.pid)
    assert server.is_running


async def test_a_port_in_use_is_refused(start, tmp_path, spot):
    server = start()
    other = run("serve", "--port", server.port, "--data", tmp_path / "other")
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
    "a plain listener of operators that nobody may use": (
        ["listen.behindProxy=true", "stats.listener=192.0.2.1:0"], ["stats.listener", "listen.trustedProxies"],
    ),
    "a certificate behind a proxy": (
        ["listen.behindProxy=true", "listen.tlsCertificate=/dev/null", "listen.tlsKey=/dev/null"],
        ["listen.behindProxy", "listen.tlsCertificate"],
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
    # Several faults at once give a line each.
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
    """The server's binary at a path that every user of the machine may execute."""
    folder = tmp_path_factory.mktemp("bin")
    for above in (folder, *folder.parents):
        if above.owner() == folder.owner() and above != pathlib.Path("/"):
            above.chmod(above.stat().st_mode | 0o055)
    shutil.copy(binary(), folder / "cairn")
    (folder / "cairn").chmod(0o755)
    return folder / "cairn"


def start_as_nobody(program, folder):
    """Starts a server without the right to write files of other users."""
    who = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.run(
        serve_command(folder, program=program), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=PATIENCE, env=environment() | {"HOME": "/nonexistent"}, cwd="/", **who,
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
        refuses(start_as_nobody(anybodys_binary, tmp_path / "world"), tmp_path / "world")
        refuses(start_as_nobody(anybodys_binary, tmp_path / "empty"), tmp_path / "empty")
        refuses(start_as_nobody(anybodys_binary, tmp_path / "empty" / "below"), tmp_path / "empty" / "below")
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
