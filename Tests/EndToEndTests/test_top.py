"""`cairn stats` and `cairn top`, in a pipe and on a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import termios
import time

from cairn import PATIENCE, Client, eventually, pose
from server import binary, environment


def command(server, *arguments, seconds=PATIENCE):
    """Runs `cairn ...` against the server."""
    return subprocess.run(
        [str(binary()), *arguments, "--data", str(server.folder)], capture_output=True, text=True, timeout=seconds,
        env=environment(), stdin=subprocess.DEVNULL,
    )


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
            [str(binary()), name, "--data", str(tmp_path)], capture_output=True, text=True, timeout=PATIENCE,
            env=environment(), stdin=subprocess.DEVNULL)
        assert result.returncode == 2 and str(tmp_path / "stats.sock") in result.stderr


def test_top_writes_a_look_or_json_lines(server):
    once = command(server, "top", "--once")
    assert once.returncode == 0 and "PEOPLE" in once.stdout and "POSTS" in once.stdout and "\x1b" not in once.stdout
    lines = [json.loads(line) for line in command(server, "top", "--once", "--json").stdout.splitlines()]
    assert "totals" in lines[0] and "cells" in lines[1]
    assert command(server, "top", "--once", "--filter", "nonsense").returncode == 1


class Screen:
    """`cairn top` on a separate terminal."""

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

    def until(self, pattern, seconds=PATIENCE):
        """Reads until output that is drawn from now on matches."""
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
    screen.press("f" + cell + "\r")
    screen.until(f"1-1 of 1 .*filter {cell}")
    screen.press("fnonsense\r")
    screen.until("nonsense is no order")
    screen.press(" ")
    screen.until("FROZEN")
    screen.press(" ?")
    screen.until("99 of 100 turns")
    screen.press("p")
    screen.resize(12, 60)
    screen.until(r"by people")
    drawn = screen.until(r"q quit|freeze").split("\x1b[H")[-1]
    assert max(len(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line)) for line in drawn.split("\r\n")) <= 60
    screen.press("q")
    screen.until(r"\x1b\[\?25h\x1b\[\?1049l")
    assert screen.wait() == 0


async def test_top_shows_its_columns_on_a_terminal_of_80_by_24(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    screen = Screen(server, 24, 80)
    screen.until(rf"CELL .* P99[\s\S]*{cell}")
    # Counts of features are columns, too; the column of the sorting is the first.
    screen.press("o")
    screen.until(r"CELL +POSTS")
    screen.press("q")
    assert screen.wait() == 0


async def test_escape_leaves_what_was_chosen_and_never_top(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    screen = Screen(server, 24, 100)
    screen.until(cell)
    screen.press("?")
    screen.until("99 of 100 turns")
    screen.press("\x1b")
    screen.until("by people")
    screen.press(f"f{cell}\r")
    screen.until(f"filter {cell}")
    screen.press("\x1b")
    screen.until("f filter")
    screen.press("\x1b")
    screen.press("n")
    screen.until("by name")
    screen.press("q")
    assert screen.wait() == 0


async def test_top_finds_what_is_asked_for_and_opens_it_as_text(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot), text="Mind the\x1b[31mstep")
    screen = Screen(server, 30, 120)
    screen.until(cell)
    screen.press("/ada\r")
    screen.until("1  person +Ada")
    screen.press("1")
    drawn = screen.until("sessions:")
    assert "name: Ada" in drawn and f"person: {ada.welcome['account']}" in drawn
    screen.press("\x1b")
    screen.until("1-9 open")
    screen.press(f"/{placed['id']}\r")
    screen.until("object +preset:heart")
    screen.press("1")
    # What a person wrote does not colour the terminal.
    assert "\x1b[31m" not in screen.until("owner: .*")
    screen.press("/0000000000000\r")
    screen.until("nothing found")
    # A word of one letter is looked for in no text, and the screen does not say that none has it.
    screen.press("/q\r")
    screen.until(r"texts were not read: another search was under way, no word has two letters,[\s\S]*"
                 "or there are more than eight words")
    for left in (4, 3, 2, 1, 0):
        screen.press("\x1b")
        screen.until("Escape back" if left else "by people")
    screen.press("q")
    assert screen.wait() == 0


async def test_scrolling_leaves_a_frozen_screen_frozen(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    screen = Screen(server, 24, 100)
    screen.until("by people")
    screen.press(" ")
    screen.until("FROZEN")
    screen.press("\x1b[B")
    screen.until("FROZEN   [12]-")
    screen.press("q")
    assert screen.wait() == 0


async def test_top_says_so_when_the_server_is_frozen_and_still_takes_keys(start):
    server = start()
    screen = Screen(server, 24, 80)
    screen.until("by people")
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        screen.until("NO NEWS for ([3-9]|[1-9][0-9]) s")
        screen.press("?")
        screen.until("99 of 100 turns")
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    screen.press("n")
    screen.until(r"\x1b\[7m\d+-\d+ of \d+   by name")  # with nothing before it
    screen.press("q")
    assert screen.wait() == 0


class Tmux:
    """`cairn top` in a real terminal, in a separate tmux server."""

    def __init__(self, server, folder):
        self.socket = str(folder / "tmux")
        program = shlex.join([str(binary()), "top", "--data", str(server.folder), "--interval", "0.2"])
        # After the end the terminal shows the shell: the exit code, and no remains of `cairn top`.
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "110", "-y", "24",
                  f"echo before; {program}; echo ended with $?; exec cat")

    def tmux(self, *arguments):
        result = subprocess.run(
            ["tmux", "-S", self.socket, *arguments], capture_output=True, text=True, timeout=PATIENCE,
            env=environment())
        assert result.returncode == 0, result
        return result.stdout

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    async def until(self, pattern):
        """Waits until the screen matches; returns it."""
        shown = []

        async def matches():
            shown[:] = [self.screen()]
            return re.search(pattern, shown[0])

        await eventually(matches, lambda: f"{pattern!r} on the screen\n{shown[0]}")
        return shown[0]


async def test_top_in_tmux_takes_keys_fits_the_window_and_leaves_nothing_behind(server, spot, tmp_path):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    terminal = Tmux(server, tmp_path)
    try:
        shown = await terminal.until(rf"CELL +PEOPLE[\s\S]*{cell} +1 ")
        assert "before" not in shown and shown.startswith("cairn ")
        for key, order in (("i", "instances"), ("e", "events"), ("l", "latency"), ("n", "name"), ("p", "people")):
            terminal.press(key)
            await terminal.until(f"by {order} ")
        terminal.press("f", *cell, "Enter")
        await terminal.until(f"1-1 of 1 .*filter {cell}")
        terminal.press("Space")
        await terminal.until("FROZEN")
        terminal.press("Space", "?")
        await terminal.until("99 of 100 turns")
        terminal.press("?")
        for columns, rows in ((70, 12), (40, 8), (130, 30)):
            terminal.tmux("resize-window", "-x", str(columns), "-y", str(rows))
            title = "CELL +PEOPLE" if columns < 100 else "CELL +PEOPLE .*P99"
            shown = await terminal.until(rf"^cairn [\s\S]*{title}[\s\S]*{cell}")
            assert max(map(len, shown.splitlines())) <= columns and len(shown.splitlines()) <= rows
        terminal.press("q")
        shown = await terminal.until("ended with 0")
        assert "before" in shown and "PEOPLE" not in shown
        assert terminal.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}") == "0 1\n"
    finally:
        terminal.tmux("kill-server")
