"""Operators from the outside: the stats socket as any program uses it, with a line as the command and lines of JSON as
the answer."""

import asyncio
import json
import pathlib
import urllib.error
import urllib.request

import websockets

from cairn import PATIENCE

SUBPROTOCOL = "cairn.stats.v1"


class Desk:
    """A connection to the stats socket: a Unix socket or a WebSocket."""

    def __init__(self, send, read, close):
        self._send, self._read, self._close = send, read, close
        self.cells = {}
        self.totals = None
        self.number = 0

    @classmethod
    async def open(cls, server, path=None):
        reader, writer = await asyncio.open_unix_connection(str(path or socket_of(server)), limit=2**24)

        async def send(line):
            writer.write(line.encode() + b"\n")
            await writer.drain()

        async def read():
            line = await reader.readline()
            if not line:
                raise EOFError("the server has hung up")
            return line

        async def close():
            writer.close()

        return cls(send, read, close)

    @classmethod
    async def over_websocket(cls, url, **headers):
        socket = await dial(url, **headers)
        waiting = []

        async def read():
            while not waiting:
                waiting.extend((await socket.recv()).split("\n"))
            return waiting.pop(0)

        return cls(socket.send, read, socket.close)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self._close()

    async def send(self, command):
        await self._send(command)

    async def line(self):
        return json.loads(await asyncio.wait_for(self._read(), PATIENCE))

    async def ask(self, command):
        """Sends a command; returns its answer with all pages joined."""
        await self.send(command)
        answer = page = await self.line()
        while page.get("more"):
            page = await self.line()
            answer["cells"] += page["cells"]
        return answer

    async def refusal(self, command):
        return (await self.ask(command))["error"]

    # MARK: Watching

    async def watch(self, seconds=1):
        await self.send(f"watch {seconds}")
        await self.update()
        return self

    async def update(self):
        """Receives all lines of the next update; returns the first one."""
        head = page = await self.line()
        head["rows"] = 0  # of the whole update, all its lines together
        if head["type"] == "snapshot":
            self.cells = {}
        for gone in head.get("gone", []):
            self.cells.pop(gone)
        while True:
            assert page["number"] == head["number"]
            for row in page["cells"]:
                self.cells[row["cell"]] = row
            head["rows"] += len(page["cells"])
            if not page["more"]:
                break
            page = await self.line()
            assert page["type"] == "rows"
        self.totals, self.number = head["totals"], head["number"]
        return head

    async def until(self, condition, what, updates=20):
        """Receives updates until the condition holds; returns its value."""
        for _ in range(updates):
            if value := condition():
                return value
            await self.update()
        raise AssertionError(f"not within {updates} updates: {what}; {self.totals}")


def socket_of(server):
    return server.folder / "stats.sock"


def credential_file(folder):
    """The file of the credential: beside the key, as `serve_command` names it."""
    return pathlib.Path(f"{folder}.key.operator")


def credential_of(server):
    return credential_file(server.folder).read_text().strip()


def stats_url(server):
    return server.url + "/stats"


async def dial(url, *, credential=None, origin=None, cookie=None, client=None, subprotocol=SUBPROTOCOL):
    """`client` is whom a proxy asks for."""
    headers = {}
    if client is not None:
        headers["X-Forwarded-For"] = client
    if credential is not None:
        headers["Authorization"] = f"Bearer {credential}"
    if cookie is not None:
        headers["Cookie"] = cookie
    return await websockets.connect(
        url, subprotocols=[subprotocol], additional_headers=headers, origin=origin, compression=None, max_size=None,
        open_timeout=PATIENCE, close_timeout=2,
    )


async def refused(url, **how):
    """The HTTP status of the answer to a handshake."""
    try:
        socket = await dial(url, **how)
    except websockets.InvalidStatus as error:
        return error.response.status_code
    await socket.close()
    raise AssertionError(f"let in: {how}")


def fetch(server, path, **headers):
    """Fetches a page of the server; returns status, headers and text."""
    request = urllib.request.Request(server.http + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()
