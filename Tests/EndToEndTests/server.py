"""A server process to test: starts, kills and stops it, and reads its pages over HTTP."""

import asyncio
import contextlib
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

from cairn import PATIENCE, eventually

ROOT = pathlib.Path(__file__).resolve().parents[2]


def binary():
    """The server to test: $CAIRN_BIN, else the release build, that of the tests, or the debug build."""
    candidates = [ROOT / ".build" / build / "cairn" for build in ("release", "tested", "debug")]
    if named := os.environ.get("CAIRN_BIN"):
        candidates = [pathlib.Path(named)]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise FileNotFoundError(f"there is no server to test, not even {candidates[-1]}: run `make build-tests`")


def is_debug():
    """Whether the server to test is a debug build."""
    return "debug" in binary().resolve().parts


def is_optimized():
    """Whether the server to test is as it is shipped: neither a debug build nor the build of the tests."""
    return not {"debug", "testing"} & set(binary().resolve().parts)


#: Settings without travel limits, because clients of tests jump. None for a key restores the server's default.
ANYWHERE = {
    "travel__speedMetresPerSecond": 0, "travel__cellsPerSecond": 1_000_000, "travel__cellsBurst": 1_000_000,
}  # fmt: skip
#: Guests see nothing, as on most servers, although tests open theirs. None restores the server's default.
CLOSED_TO_GUESTS = {"guests__look": "false"}
#: Passwords cost a fifth of what they cost by default, where a test does not measure: hundreds of tests sign up.
QUICK_PASSWORDS = {"accounts__passwordKibibytes": 8_192, "accounts__passwordPasses": 1}


#: Settings that the command line does not take, and their variables.
SECRETS = {
    "stats__credential": "CAIRN_STATS_CREDENTIAL", "stats__metricsCredential": "CAIRN_STATS_METRICS_CREDENTIAL",
}  # fmt: skip

#: What says that others than this machine are served: open sign-in is refused there.
SERVES_OTHERS = {"listen__behindProxy", "listen__address"}


def serve_command(folder, *arguments, port=0, program=None, opens=None, **settings):
    """The command line. `settings` are keys with `__` for the dot: placement__areaQuota=3.

    Any name signs in and there are stand-ins (`--open`), unless others are served, `opens` says no, or an older
    program, which opens by itself, is asked."""
    if opens is None:
        opens = program is None and not SERVES_OTHERS & set(settings) and not {"--lan", "--demo"} & set(arguments)
    command = [str(program or binary()), "serve", "--port", str(port), "--data", str(folder), *arguments]
    command += ["--open"] if opens else []
    command += ["--set", f"storage.keyFile={folder}.key"]
    for key, value in settings.items():
        if key not in SECRETS:
            command += ["--set", f"{key.replace('__', '.')}={value}"]
    return command


def secrets(settings):
    """The variables of those of the settings that are secrets."""
    return {SECRETS[key]: value for key, value in settings.items() if key in SECRETS}


def environment():
    """The environment for a server: ours without CAIRN_ variables, which the server would read as settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}


def run(*arguments, seconds=PATIENCE, env=None, **more):
    """Runs a command that ends by itself; returns the result of subprocess.run."""
    return subprocess.run(
        [str(binary()), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=seconds, env=environment() | (env or {}), **more,
    )  # fmt: skip


async def get(url, **more):
    """Fetches a URL; returns status, headers and text."""

    def fetch():
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE, **more) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    return await asyncio.to_thread(fetch)


@contextlib.contextmanager
def stuttering(server):
    """Stops the server for 300 ms of every 310, so that its work is late even on an idle machine."""
    stutter = f"""
import os, select, signal
while True:
    os.kill({server.process.pid}, signal.SIGSTOP)
    select.select([], [], [], 0.3)
    os.kill({server.process.pid}, signal.SIGCONT)
    select.select([], [], [], 0.01)
"""
    child = subprocess.Popen([sys.executable, "-c", stutter])
    try:
        yield
    finally:
        child.kill()
        child.wait()
        os.kill(server.process.pid, signal.SIGCONT)


class Server:
    """A running `cairn serve`. Its log is in `server.log` beside the data."""

    def __init__(self, process, folder, log):
        self.process = process
        self.folder = pathlib.Path(folder)
        self.log_file = log
        self.greeting = []
        self.host = self.port = self.url = None
        self.tls = None
        self.seconds_to_start = None

    @classmethod
    def start(
        cls, folder, *arguments, port=0, tls=None, seconds=PATIENCE, program=None, env=None, opens=None, **settings
    ):
        """Starts a server on this folder and waits until it reports that it serves."""
        # An older program may not know these settings.
        settings = (ANYWHERE | CLOSED_TO_GUESTS if program is None else {}) | settings
        settings = {key: value for key, value in settings.items() if value is not None}
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        log = folder / "server.log"
        began = time.monotonic()
        with open(log, "ab") as errors:
            process = subprocess.Popen(
                serve_command(folder, *arguments, port=port, program=program, opens=opens, **settings),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                env=environment() | secrets(settings) | (env or {}),
            )
        server = cls(process, folder, log)
        server.tls = tls
        try:
            server._read_greeting(seconds)
        except BaseException:
            server.kill()
            raise
        server.seconds_to_start = time.monotonic() - began
        return server

    def _read_greeting(self, seconds):
        # A server writes its lines at once or exits; the deadline is for one that hangs.
        deadline, text = time.monotonic() + seconds, b""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"ready in" not in text:
                if not selector.select(max(0, deadline - time.monotonic())):
                    raise AssertionError(f"no start within {seconds} s: {text.decode()}{self.log()}")
                chunk = os.read(self.process.stdout.fileno(), 65536)
                if not chunk:
                    code = self.process.wait()
                    raise AssertionError(f"the server ended with {code}: {text.decode()}{self.log()}")
                text += chunk
        self.greeting = text.decode().splitlines()
        self.url = next(re.search(r"wss?://\S+", line).group() for line in self.greeting if "Socket" in line)
        self.host, port = re.match(r"wss?://(.+):(\d+)/", self.url).groups()
        self.port = int(port)

    def log(self):
        """The text of the server's log as far as it is written. What has just happened is told by a thread of its own:
        a test that wants a line waits with `logged`."""
        return self.log_file.read_text(errors="replace")

    def logged(self, *words, times=1, seconds=60):
        """Waits until all words are in the log, so many times."""
        deadline = time.monotonic() + seconds
        while any((log := self.log()).count(each) < times for each in words):
            assert time.monotonic() < deadline, f"not within {seconds} s in the log: {words}\n{log[-4_000:]}"
            time.sleep(0.02)

    @property
    def http(self):
        return f"{'https' if self.url.startswith('wss') else 'http'}://{self.host}:{self.port}"

    async def figures(self):
        """The figures of /metrics as {name with labels: value}. The server renews them once a second."""
        page = (await get(f"{self.http}/metrics"))[2]
        lines = (line.rsplit(" ", 1) for line in page.splitlines() if line and not line.startswith("#"))
        return {name: float(value) for name, value in lines}

    async def until_figure(self, name, value, seconds=PATIENCE):
        """Waits until a figure has that value."""
        figures = {}

        async def is_it():
            assert self.is_running, self.log()
            figures.update(await self.figures())
            return figures.get(name) == value

        await eventually(is_it, lambda: f"{name} is {figures.get(name)}, not {value}", seconds)

    def resident_bytes(self):
        """Resident memory of the process, as the kernel counts it."""
        pages = pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGESIZE")

    def busy_seconds(self):
        """Processor time of the process since its start, as the kernel counts it."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def is_running(self):
        return self.process.poll() is None

    def kill(self):
        """Kills the process with SIGKILL, by its id."""
        if self.is_running:
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def terminate(self):
        """Asks the server to stop (SIGTERM)."""
        self.process.send_signal(signal.SIGTERM)

    def wait(self, seconds=PATIENCE):
        """Waits for the end; returns the exit code."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the server did not end within {seconds} s") from None
        finally:
            self.process.stdout.close()

    def stop(self):
        """Stops the server in order; returns the exit code."""
        if self.is_running:
            self.terminate()
        return self.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
