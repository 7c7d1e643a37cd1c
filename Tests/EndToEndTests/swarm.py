"""Many clients in one process: a lean `cairn.Client` for thousands of connections and messages a second.

    bot = Bot("ada", (45.5, -73.57))
    await bot.connect(server)          # hello, position, and the view complete
    bot.place("key-1")                 # the answer goes to bot.placed[key] and bot.latencies

A bot keeps its identity and its topics over its connections, so `connect` resumes; `stay` reconnects until its
condition ends. It checks the same rules as `cairn.Client`; violations are in `bot.faults`.
"""

import asyncio
import json
import random
import struct
import time

from cairn import PATIENCE, Refused, RuleBroken, Topic, pose, seen

UPGRADE = (
    "GET /v1 HTTP/1.1\r\nHost: {}:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Protocol: cairn.v1.json\r\n\r\n"
)
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
ENCODE = json.JSONEncoder(separators=(",", ":")).encode


def pause(seconds):
    """A future that is done after `seconds`: for loads of a fixed length, and delays that the server asks for."""
    loop = asyncio.get_running_loop()
    over = loop.create_future()
    loop.call_later(max(0, seconds), lambda: over.done() or over.set_result(None))
    return over


class Bot(asyncio.Protocol):
    """One person at one place, and the protocol object of their present connection."""

    def __init__(self, name, spot):
        self.name, self.spot = name, spot
        self.token = self.session = self.cell = None
        self.topics = {}  # what it holds, over all connections
        self.placed = {}  # key -> the instance as acknowledged, or the refusal
        self.sent_at = {}  # key -> when it was sent, of those without an answer
        self.latencies = []  # seconds from a placement to its acknowledgement
        self.heard = []  # (instance id, when): what entered the view
        self.faults = []
        self.resumed = self.continued = self.snapshots = self.connections = 0
        self.is_open = False
        self.closing = self.end = self.on_closing = self.on_event = None
        self.server = self.transport = None
        self._buffer, self._is_upgraded = bytearray(), False
        self._asked, self._number, self._pieces = {}, 0, bytearray()
        self._waiting, self._ended, self._unconfirmed = [], None, set()

    # MARK: Connecting and disconnecting

    async def connect(self, server, seconds=PATIENCE, sock=None, protocol=None):
        """Opens a connection, sends hello and position, and returns when the view is complete.

        `protocol` receives everything in place of the bot, and passes it on."""
        loop = asyncio.get_running_loop()
        self._buffer, self._pieces, self._is_upgraded = bytearray(), bytearray(), False
        self._asked, self.closing, self.end, self._ended = {}, None, None, loop.create_future()
        self._unconfirmed, self.server = set(self.topics), server
        host, port = server.host.strip("[]"), server.port
        where = {"sock": sock} if sock else {"host": host, "port": port}
        async with asyncio.timeout(seconds):
            await loop.create_connection(lambda: protocol or self, **where)
            self.transport.write(UPGRADE.format(host, port).encode())
            # Frames before the answer to the handshake are not allowed (RFC 6455 4.1).
            await self.until(lambda: self._is_upgraded)
            hello = {"version": 1, "frontEnd": "bot", "language": "en"}
            hello |= {"token": self.token} if self.token else {"name": self.name}
            if self.session:
                hello |= {"session": self.session, "cursors": self.cursors()}
            self.welcome = await self.ask("hello", hello)
            self.token, self.session = self.welcome["token"], self.welcome["session"]
            self.resumed += self.welcome.get("resumed", False)
            lat, lon = self.spot
            self.cell = (await self.ask("position", {"lat": lat, "lon": lon, "h": 30.0}))["cell"]
            await self.until(lambda: self.cell in self.topics and self.is_complete)
        self.connections += 1

    def cursors(self):
        return [topic.cursor for topic in self.topics.values() if topic.is_complete]

    @property
    def is_complete(self):
        return not self._unconfirmed and all(topic.is_complete for topic in self.topics.values())

    async def stay(self, address, while_true):
        """Stays connected while the condition holds. Before it reconnects it waits as the server asks, or longer after
        each failure.

        `address()` returns the server, or None while there is none. The condition is checked at the end of each
        connection."""
        tries = 0
        while while_true():
            try:
                if address() is None:
                    raise OSError
                await self.connect(address())
                tries = 0
                await self.ended()
                await pause((self.closing or {}).get("reconnectAfter", 0) / 1000 + 0.1 * random.random())
            except (OSError, EOFError, TimeoutError):
                self.drop()
                await pause(min(1.0, 0.05 * 2**tries) * random.random())
                tries += 1

    async def ended(self):
        """Waits for the end of the connection."""
        if not self._ended.done():
            await asyncio.wait([self._ended])

    def drop(self):
        """Ends the connection like a broken link, without a CLOSE."""
        if self.transport:
            self.transport.abort()

    # MARK: Sending

    def say(self, opcode, payload):
        # A mask of zeros is valid and costs nothing.
        if len(payload) < 126:
            head = struct.pack("!BBI", 0x80 | opcode, 0x80 | len(payload), 0)
        else:
            head = struct.pack("!BBHI", 0x80 | opcode, 0x80 | 126, len(payload), 0)
        self.transport.write(head + payload)

    def request(self, kind, body, key=None, then=None):
        """Sends a request; `then` gets its reply."""
        self._number += 1
        message = {"id": self._number, kind: body}
        if key:
            message["key"] = key
        if then:
            self._asked[self._number] = then
        self.say(TEXT, ENCODE(message).encode())

    def ask(self, kind, body, key=None):
        """A future of the result; raises `Refused` for a refusal, EOFError at the end of the connection."""
        answer = asyncio.get_running_loop().create_future()

        def receive(reply):
            if answer.done():
                return
            if reply is None:
                answer.set_exception(EOFError(f"{self.name}: the connection ended with {self.end}"))
            elif "refusal" in reply:
                answer.set_exception(Refused(reply["refusal"]))
            else:
                answer.set_result(next(said for name, said in reply.items() if name != "id"))

        self.request(kind, body, key, receive)
        return answer

    def place(self, key, at=None, anchor_data=""):
        """Places an object with this key, for the first time or again. The key is also the id of its anchor."""
        anchor = {"provider": "swarm", "id": key} | ({"data": anchor_data} if anchor_data else {})
        self.sent_at.setdefault(key, time.monotonic())
        body = {"object": "preset:flag", "pose": pose(*(at or self.spot), anchor=anchor)}
        self.request("place", body, key, lambda reply: self._answered(key, reply))

    def _answered(self, key, reply):
        if reply is None:
            return
        began = self.sent_at.pop(key, None)
        if "refusal" in reply:
            self.placed[key] = Refused(reply["refusal"])
            return
        if began is not None:
            self.latencies.append(time.monotonic() - began)
        instance, before = seen(reply["placed"]["instance"]), self.placed.get(key)
        if isinstance(before, dict) and before["id"] != instance["id"]:
            self.faults.append(f"{key} was acknowledged as {before['id']} and as {instance['id']}")
        self.placed[key] = instance

    @property
    def acknowledged(self):
        return {key: answer for key, answer in self.placed.items() if isinstance(answer, dict)}

    @property
    def codes(self):
        """Codes of the refusals."""
        return {answer.code for answer in self.placed.values() if isinstance(answer, Refused)}

    def everything(self):
        """Everything in view: id -> the instance as its topic has it."""
        return {name: thing for topic in self.topics.values() for name, thing in topic.instances.items()}

    async def until(self, condition, seconds=PATIENCE):
        """Waits until the condition holds, checked whenever something arrives."""
        async with asyncio.timeout(seconds):
            while not condition():
                if self._ended.done():
                    raise EOFError(f"{self.name}: the connection ended with {self.end}")
                news = asyncio.get_running_loop().create_future()
                self._waiting.append(news)
                await news

    # MARK: Receiving

    def connection_made(self, transport):
        self.transport, self.is_open = transport, True

    def connection_lost(self, error):
        self.is_open = False
        asked, self._asked = self._asked, {}
        for then in asked.values():
            then(None)
        if self._ended and not self._ended.done():
            self._ended.set_result(None)
        self._tell()

    def _tell(self):
        waiting, self._waiting = self._waiting, []
        for news in waiting:
            if not news.done():
                news.set_result(None)

    def data_received(self, data):
        self._buffer += data
        try:
            if not self._is_upgraded:
                head, found, rest = bytes(self._buffer).partition(b"\r\n\r\n")
                if not found:
                    return
                if b" 101 " not in head.split(b"\r\n")[0]:
                    self.end = head.split(b"\r\n")[0].decode()
                    return self.drop()
                self._is_upgraded, self._buffer = True, bytearray(rest)
            self._receive_frames()
        except RuleBroken as error:
            self.faults.append(f"{self.name}: {error}")
            self.drop()
        self._tell()

    def _receive_frames(self):
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1] & 0x7F, at + 2
            if size >= 126:
                width = 2 if size == 126 else 8
                if len(buffer) < start + width:
                    break
                size, start = int.from_bytes(buffer[start : start + width]), start + width
            if len(buffer) < start + size:
                break
            self._receive_frame(buffer[at], bytes(buffer[start : start + size]))
            at = start + size
        del buffer[:at]

    def _receive_frame(self, first, payload):
        opcode = first & 0x0F
        if opcode == PING:
            self.say(PONG, payload)
        elif opcode == CLOSE:
            self.end = (int.from_bytes(payload[:2]), payload[2:].decode())
            self.say(CLOSE, payload[:2])
            self.transport.close()
        elif opcode in (0, TEXT):
            self._pieces += payload
            if first & 0x80:
                text, self._pieces = self._pieces, bytearray()
                for item in json.loads(text)["items"]:
                    self._receive(item)

    def _receive(self, item):
        if "event" in item:
            event = item["event"]
            if event["topic"] not in self.topics:
                raise RuleBroken(f"an event of a topic that is not in view: {item}")
            self.topics[event["topic"]].receive_event(event)
            if "entered" in event:
                self.heard.append((event["entered"]["instance"]["id"], time.monotonic()))
            if self.on_event:
                self.on_event(event)
        elif "reply" in item:
            then = self._asked.pop(item["reply"].get("id", 0), None)
            if then:
                then(item["reply"])
        elif "snapshot" in item:
            name = item["snapshot"]["cursor"]["topic"]
            self._unconfirmed.discard(name)
            self.topics.setdefault(name, Topic(name)).receive_page(item["snapshot"])
            self.snapshots += bool(item["snapshot"].get("last"))
        elif "continued" in item:
            cursor = item["continued"]["cursor"]
            held = self.topics[cursor["topic"]].cursor
            if (held["epoch"], held["sequence"]) != (cursor["epoch"], cursor.get("sequence", "0")):
                raise RuleBroken(f"continued from {cursor}, held is {held}")
            self._unconfirmed.discard(cursor["topic"])
            self.continued += 1
        elif "unfollowed" in item:
            self._unconfirmed.discard(item["unfollowed"]["topic"])
            self.topics.pop(item["unfollowed"]["topic"], None)
        elif "resync" in item:
            self.topics[item["resync"]["topic"]].start_over()
        elif "closing" in item:
            self.closing = item["closing"]
            if self.on_closing:
                self.on_closing()


class Sipper(asyncio.BufferedProtocol):
    """Reads for a bot: at full speed, or 1,024 bytes a second while `sips` is true."""

    def __init__(self, bot):
        self.bot, self.sips = bot, False
        self._buffer = bytearray(1024)

    def connection_made(self, transport):
        self.bot.connection_made(transport)

    def connection_lost(self, error):
        self.bot.connection_lost(error)

    def get_buffer(self, _):
        return self._buffer

    def buffer_updated(self, count):
        self.bot.data_received(bytes(self._buffer[:count]))
        if self.sips and self.bot.is_open:
            self.bot.transport.pause_reading()
            asyncio.get_running_loop().call_later(1, self._go_on)

    def _go_on(self):
        if self.bot.is_open and not self.bot.transport.is_closing():
            self.bot.transport.resume_reading()


# MARK: - Many


async def together(count, work, items):
    """Runs `work` for every item, a limited number at a time; returns the results in order."""
    gate = asyncio.Semaphore(count)

    async def one(item):
        async with gate:
            return await work(item)

    return await asyncio.gather(*(one(item) for item in items))


async def paced(rate, seconds, action, is_over=lambda: False):
    """Calls `action(number)` at a fixed rate, evenly in steps of 5 ms; returns the number of calls."""
    began, done = time.monotonic(), 0
    while (passed := time.monotonic() - began) < seconds and not is_over():
        for _ in range(int(passed * rate) - done):
            action(done)
            done += 1
        await pause(0.005)
    return done


def percentile(values, share):
    """The quantile of the values; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def faults(bots):
    return [fault for bot in bots for fault in bot.faults]
