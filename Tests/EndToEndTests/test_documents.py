"""Every command and block of every document, as its reader would run it."""

import re
import signal
import subprocess

import pytest

import documents
import package
from cairn import Client, pose
from machine import ENVIRONMENT
from server import ROOT, binary

# Values for words in capitals, and commands that need further input to end.
FILLED_IN = {
    "tour import FILE.geojson --organisation ORGANISATION": "tour import /dev/null --organisation 0000000000000",
    "FILE": "$(ls -t /var/lib/cairn/backups/*.sqlite | head -n 1)",
    "COMMAND": "queues",
    "TOKEN": "1000db963",
    "ban ACCOUNT REASON": "ban 0000000000000 for trying",
    "ban ACCOUNT": "ban 0000000000000",
    "role ACCOUNT ROLE REASON": "role 0000000000000 general for trying",
    "suspend ACCOUNT REASON": "suspend 0000000000000 for trying",
    "reinstate ACCOUNT REASON": "reinstate 0000000000000 for trying",
    "sign-out ACCOUNT REASON": "sign-out 0000000000000 for trying",
    "organisation accept REQUEST": "organisation accept 0000000000000",
    "organisation deny REQUEST REASON": "organisation deny 0000000000000 for trying",
    "organisation add ACCOUNT NAME": "organisation add 0000000000000 Walls",
    "organisation remove ACCOUNT REASON": "organisation remove 0000000000000 for trying",
    "organisation suspend ORGANISATION REASON": "organisation suspend 0000000000000 for trying",
    "tour link CODE": "tour link ABCDEFGH",
    "tour export TOUR": "tour export 0000000000000",
    "tour withdraw TOUR REASON": "tour withdraw 0000000000000 for trying",
    "tour delete TOUR REASON": "tour delete 0000000000000 for trying",
    "purchase refund PURCHASE REASON": "purchase refund 0000000000000 for trying",
    "audit ACCOUNT": "audit 0000000000000",
    "remove INSTANCE": "remove 0000000000000",
    "--repair": "--help",
    "handle ID": "handle 0000000000000",
    "kick ID": "kick 0000000000000",
    "cairn ...": "cairn config show",
    "ID": "0000000000000",
}
# For lines with these words: the lines to type in their place, and the expected output. The first match counts.
OTHERWISE = (
    # A pager, which q ends.
    (r"^cairn top", "printf q | script --quiet --return --command '{}' /dev/null", 0),
    # Runs until Ctrl-C.
    (r"--interval|^cairn stats$", "timeout --signal=INT 3 {}", None),
    (r"(kick|handle|ban|unban|remove) 0000000000000", "{}", 1),
    (r"admin (role|suspend|reinstate|sign-out) 0000000000000|admin first NAME", "{}", 1),
    (r"admin (organisation|tour|purchase) [a-z]+ .*0000000000000|admin tour link ABCDEFGH", "{}", 1),
    # It removes everything that the other commands need; `test_package` runs it.
    (r"^apt-get (remove|purge)", "apt-get --simulate install cairn", 0),
    (r"^cairn restore .", "systemctl stop cairn && runuser -u cairn -- {} && systemctl start cairn", 0),
    (r"^cairn restore$", "{} --help", 0),
    # Commands that write to the world run as its user, as docs/operations.md requires.
    (r"^cairn (backup|rotate-key)", "runuser -u cairn -- {}", 0),
    (r"^cairn serve", "{} --help", 0),
    # An editor that changes nothing.
    (r"^systemctl edit", "SYSTEMD_EDITOR=true {}", None),
)
# Lines of `sh tree` that are shortened by the given options. The last of two equal options counts.
SHORTER = (
    (r"cairn-crowd bench .*--joins|cairn-crowd bench .*--idle", None),
    (r"cairn-crowd bench .*--growth", "--sizes 20x1,30x2 --for 1s --warm-up 0"),
    (r"cairn-crowd bench", "--for 1s --warm-up 0"),
    (r"cairn-crowd (walk|stadium|run|storm)", "--people 20 --for 1s --with warmUpSeconds=0"),
)
# Lines of `sh tree` that are not run here, each with the place where it is run.
ELSEWHERE = {
    "make test": ".ci/run is nothing else",
    "make check": "test_runner runs what it runs; it would build in the tree",
    "make test-loaded": "the same tests as make test",
    "make test-long": "takes two hours; test_runner has its forms",
    "make demo": "test_make_run_shows_what_the_readme_shows starts the other of its two worlds",
    "python3 -m venv first": "scripts/bootstrap does the same, with versions; here is no network",
    "make lint": "formatting, before a commit",
    "make package": "test_package runs what it runs",
    "make image": "test_image runs what it runs",
    "make cairn-js": "test_cairn_js_apps runs what it runs",
    "make run": "test_make_run_shows_what_the_readme_shows",
    "loadtest/peers/run": "takes other servers from Debian and half an hour; decision 0004 has its tables",
    "scripts/new-feature": "test_scaffolds runs it in a copy of what it writes to",
    "scripts/new-command": "test_scaffolds runs it in a copy of what it writes to",
    "scripts/compare": "takes two builds and half an hour; test_compare runs a small row",
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory, made):
    """A machine with the package, with a world and a backup of it."""
    deb = made[0]
    one = package.boot_with(deb, tmp_path_factory.mktemp("reader"))
    one.copy(deb, f"/srv/{deb.name}")
    one.run("apt-get install --yes socat && cairn stats backup")
    yield one
    one.stop()


def test_every_block_says_how_it_is_run():
    assert not [fault for document in documents.documents() for fault in documents.faults(document)]


def test_a_block_that_does_not_say_so_is_found():
    text = "```sh\nmake run\n```\n\n```sh tree\nmake run\n```\n"
    assert len(documents.faults("README.md", text)) == 1


def services():
    return documents.of_kind("sh service")


@pytest.mark.machine
@pytest.mark.parametrize("block", services(), ids=lambda block: block.place)
def test_a_block_of_the_service_runs_as_printed(installed, block):
    # `cairn top` runs until q is pressed.
    text = re.sub(r"^cairn top\b", "printf q | script --quiet --return --command 'cairn top' /dev/null", block.text)
    installed.run("set -eo pipefail\n" + text, seconds=120)
    assert installed.run("systemctl is-active cairn && cairn stats people"), "the service is not what it was"


def commands():
    return sorted({command for document in documents.FOR_OPERATORS for command in documents.inline(document)})


@pytest.mark.machine
@pytest.mark.parametrize("command", commands())
def test_a_command_in_the_text_runs_as_printed(installed, command):
    for word, filled_in in FILLED_IN.items():
        if word in command:
            command = command.replace(word, filled_in)
            break
    line, code = next(((line, code) for words, line, code in OTHERWISE if re.search(words, command)), ("{}", 0))
    result = subprocess.run(
        installed.command("bash", "-c", line.format(command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120)
    assert code is None or result.returncode == code, (command, result.returncode, result.stdout, result.stderr)
    for complaint in ("No such file", "Permission denied", "Unknown option", "unexpected argument"):
        assert complaint not in result.stdout + result.stderr, result


@pytest.mark.machine
def test_another_user_is_told_whose_the_socket_is(installed):
    installed.run("adduser --system --quiet stranger")
    said = installed.run("cairn stats people", user="stranger", code=2, folder="/tmp")
    assert "/run/cairn/stats.sock" in said and "this user may not" in said, said
    # Commands that only read need no root.
    for command in ("cairn stats people", "cairn check", "cairn config check", "cairn verify"):
        installed.run(command, user="cairn", folder="/tmp")


def lines_of_tree():
    return sorted({line for block in documents.of_kind("sh tree") for line in block.commands()})


@pytest.mark.machine
@pytest.mark.parametrize("line", lines_of_tree())
def test_a_line_for_the_tree_runs_as_printed(line, tmp_path):
    """Runs a line in a copy of the tree, so that the tree stays clean, and in a separate network."""
    for known, where in ELSEWHERE.items():
        if line == known or line.startswith(known + " "):
            is_target = known.startswith("make ") and f"\n{known.split()[1]}:" in (ROOT / "Makefile").read_text()
            assert is_target or (ROOT / known).exists() or known.startswith("python3"), where
            return
    for path in ROOT.iterdir():
        if path.name != ".build":
            (tmp_path / path.name).symlink_to(path)
    (tmp_path / ".build").mkdir()
    (tmp_path / ".build/release").symlink_to(binary().parent)
    words, more = next(((words, more) for words, more in SHORTER if re.search(words, line)), ("", ""))
    if more is None:
        line, more = re.sub(r"10000", "20", line), "--warm-up 0 --for 1s"
    result = subprocess.run(
        ["unshare", "--net", "bash", "-ec", f"ip link set lo up\n{line} {more}"], cwd=tmp_path, timeout=120,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=ENVIRONMENT | {"HOME": str(tmp_path)})
    assert result.returncode == 0, (line, result.stdout[-2000:], result.stderr[-2000:])


@pytest.mark.machine
@pytest.mark.parametrize("target", ("run", "demo"))
def test_make_run_shows_what_the_readme_shows(target, tmp_path):
    """Runs the last command of make with a separate home folder: the greeting has the README's lines, in its order."""
    recipe = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    command = next(line for line in reversed(recipe.splitlines()) if line.startswith("exec .build/release/cairn serve"))
    command = command.replace(".build/release/cairn", str(binary()))
    running = subprocess.Popen(
        ["unshare", "--net", "bash", "-c", f"ip link set lo up\n{command}"], cwd=tmp_path, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT | {"HOME": str(tmp_path)})
    said = []
    for line in running.stdout:
        said.append(line.rstrip("\n"))
        if line.startswith("ready in"):
            break
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 0
    shown = next(block.text for block in documents.blocks("README.md") if "Socket    ws://" in block.text)
    names = [line.split()[0] for line in shown.splitlines() if line.startswith("  ")]
    # A throw-away world has neither a folder nor a key.
    wanted = [name for name in names if target == "run" or name not in ("Data", "Key")]
    greeting = [line.split()[0] for line in said if line.startswith("  ") and not line.startswith("   ")]
    assert [name for name in greeting if name in names] == wanted, said
    assert target == "run" or any("cairn top" in line for line in said), said


async def test_the_program_of_the_first_five_minutes_places_a_heart(server, tmp_path):
    """The program of the README runs unchanged but for the port, and its output matches the server's messages."""
    here = (45.5, -73.57)
    (program,) = documents.of_kind("python client")
    assert "127.0.0.1:8080" in program.text
    (tmp_path / "first.py").write_text(program.text.replace("127.0.0.1:8080", f"127.0.0.1:{server.port}"))
    watcher = await Client.connect(server, "Watcher")
    running = subprocess.Popen(
        [ROOT / ".venv/bin/python", "-u", tmp_path / "first.py"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        await watcher.view(await watcher.stand_at(*here))
        await watcher.until(
            lambda: [one for topic in watcher.topics.values() for one in topic.instances.values()
                     if one["object"] == "preset:heart"], "the heart of the README")
    finally:
        running.kill()
        said = running.communicate()[0].decode()
    assert "Traceback" not in said, said
    await watcher.place(pose(*here))
