"""Attacks by which one hostile client may cost a server time: messages of every kind, size and format, frames, pages,
connects and disconnects. Each attack is data; `Attacker` carries it out. test_costs.py searches among them.

As a program it carries out one attack, beside the process that measures: attacks.py '{"name": "pings", "port": 8080,
...}'
"""

import asyncio
import contextlib
import dataclasses
import json
import os
import socket
import struct
import sys
import typing

import protobuf
from swarm import pause

TEXT, BINARY, PING, PONG = 1, 2, 9, 10
SIZES = (60, 1_000, 16_000, 60_000)
ROOM = 65_536  # connections.messageBytesMax


@dataclasses.dataclass
class Known:
    """The attacker's knowledge of the server."""

    token: str = ""
    session: str = ""
    cell: str = ""
    lat: float = 51.5
    lon: float = -0.12
    own: str = ""  # a thing of its own, in view
    other: str = ""  # another's, in view
    cursors: list = dataclasses.field(default_factory=list)

    @property
    def spot(self):
        return {"lat": self.lat, "lon": self.lon, "h": 30.0}


@dataclasses.dataclass(frozen=True)
class Attack:
    """`wave` returns the bytes of the next piece, from the attacker's knowledge, the piece's number and a size."""

    name: str
    wave: typing.Callable
    size: int = 0
    format: str = "json"
    needs_account: bool = False
    is_socket: bool = True  # upgrades first
    says_hello: bool = True
    waves_per_second: float = 0  # 0 = as fast as they are taken
    waves_per_visit: int = 0  # number of waves before it drops the connection and returns; 0 = until closed
    waits: bool = False  # for something to be said, before it drops the connection
    connections: int = 1

    def told(self):
        pace = f"{self.waves_per_second:g}/s" if self.waves_per_second else "flat out"
        visit = f", {self.waves_per_visit} a visit" if self.waves_per_visit else ""
        return f"{self.name} ({self.format}, {self.size} B, {pace}{visit}, {self.connections} at once)"


def frame(opcode, payload=b"", fin=True):
    """A client's frame. Its mask is all zeros, which is a valid mask."""
    length = len(payload)
    head = bytes([(0x80 if fin else 0) | opcode])
    head += bytes([0x80 | length]) if length < 126 else struct.pack("!BH", 0x80 | 126, length)
    return head + b"\0\0\0\0" + payload


# MARK: - Messages of any size


def filled(piece, size, before="{", after="}"):
    """JSON of about `size` bytes: as many pieces as fit."""
    return before + ",".join(piece(number) for number in range(max(1, size // (len(piece(0)) + 1) - 1))) + after


def escaped(number):
    return "".join(f"\\u{ord(letter):04x}" for letter in f"n{number:05}")


POSE = {"geopose": {"position": {"lat": 51.5, "lon": -0.12, "h": 30}, "quaternion": {"x": 0, "y": 0, "z": 0, "w": 1}}}
POSE_TEXT = json.dumps(POSE)[1:-1]

# JSON by size. Most are no requests at all, and cost only their parsing.
JSON = {
    "escaped names": lambda size: filled(lambda n: f'"{escaped(n)}":1', size),
    "one long name": lambda size: '{"' + "\\u0061" * (size // 6) + '":1}',
    "names": lambda size: filled(lambda n: f'"n{n:05}":1', size),
    "known names": lambda size: '{"id":1,"place":{"pose":' + filled(lambda n: '"accuracy":1', size) + "}}",
    "empty objects": lambda size: '{"id":1,"x":' + filled(lambda n: "{}", size, "[", "]}"),
    "nested": lambda size: '{"id":1,"x":[' + ",".join(["[" * 28 + "]" * 28] * max(1, size // 57)) + "]}",
    "long key": lambda size: '{"id":1,"key":"' + "k" * size + '","position":{"lat":1,"lon":2}}',
    "escaped text": lambda size: '{"id":1,"key":"k","sendFeedback":{"category":"bug","text":"'
    + "\\u00e9" * (size // 6) + '"}}',
    "numbers": lambda size: '{"id":1,"key":"k","place":{"pose":{"anchor":{"transform":'
    + filled(lambda n: "1.7976931348623157e308", size, "[", "]}}}}"),
    "short numbers": lambda size: '{"id":1,"key":"k","place":{"pose":{"anchor":{"transform":'
    + filled(lambda n: "1", size, "[", "]}}}}"),
    "digits": lambda size: '{"id":1,"position":{"lat":1.' + "1" * size + ',"lon":2}}',
    "base64": lambda size: '{"id":1,"key":"k","place":{"object":"preset:flag","data":"' + "AAAA" * (size // 4) + '"}}',
    "words": lambda size: '{"id":1,"key":"k","place":{"object":"preset:flag","pose":{' + POSE_TEXT + '},"text":"'
    + "e\\u0301" * (size // 7) + '"}}',
    "cursors": lambda size: '{"id":1,"hello":{"cursors":' + filled(lambda n: '{"topic":"a"}', size, "[", "]}}"),
    "rubbish": lambda size: "x" * size,
    "spaces": lambda size: "{" + " " * size + "}",
    "cut off": lambda size: '{"id":1,"position":{"lat":' + " " * size,
    "hello": lambda size: json.dumps({"id": 1, "hello": {"version": 1, "frontEnd": "bot", "token": "t" * size}}),
    "jwt": lambda size: json.dumps({"id": 1, "hello": {
        "version": 1, "frontEnd": "bot", "token": "eyJhbGciOiJFUzI1NiJ9." + "e" * min(size, 8_000) + ".c2ln"}}),
    "long name": lambda size: json.dumps({"id": 1, "hello": {"version": 1, "name": "\u0430" * size}}),
    "position": lambda size: '{"id":1,"position":{"lat":51.5,"lon":-0.12,"h":3,"x":"' + "x" * size + '"}}',
    "refresh": lambda size: json.dumps({"id": 1, "refresh": {"token": "e" * size}}),
}  # fmt: skip

# The binary format by size.
PROTO = {
    "empty": lambda size: b"",
    "unknown numbers": lambda size: protobuf.field(5, 1) * (size // 2),
    "unknown pieces": lambda size: protobuf.field(1_000, b"") * (size // 3),
    "pieces of a body": lambda size: protobuf.field(20, b"\x08\x01") * (size // 5),
    "bodies in turns": lambda size: (protobuf.field(20, b"") + protobuf.field(11, b"")) * (size // 5),
    "ids": lambda size: protobuf.field(1, 2**32 - 1) * (size // 6),
    "long key": lambda size: protobuf.field(2, b"k" * size),
    "keys": lambda size: protobuf.field(2, b"k" * 60) * (size // 62),
    "rubbish": lambda size: b"\xff" * size,
    "groups": lambda size: b"\x2b" * (size // 2) + b"\x2c" * (size // 2),
    "position": lambda size: protobuf.message([(1, 1), (11, [(1, 51.5), (2, -0.12), (3, 30.0)])]),
    "place": lambda size: protobuf.message(
        [(1, 1), (2, "k"), (20, [(1, "preset:flag"), (2, protobuf.pose((51.5, -0.12, 30.0))), (4, b"d" * size)])]),
    "transform": lambda size: protobuf.message(
        [(1, 1), (2, "k"), (20, [(1, "preset:flag"), (2, [(4, [(3, b"\x01" * (size // 8 * 8))])])])]),
    "cursors": lambda size: protobuf.message([(1, 1), (10, [(9, b"")] * (size // 2))]),
}  # fmt: skip


def request(**body):
    return json.dumps(body, separators=(",", ":"))


def pose_at(known, number):
    place = {"lat": known.lat + number % 7 * 1e-6, "lon": known.lon, "h": 30.0}
    return {"geopose": {"position": place, "quaternion": POSE["geopose"]["quaternion"]}}


def edit(known, number, **more):
    named = {"instance": known.own, "cell": known.cell}
    return request(id=number, key=f"e{os.getpid()}-{number}", edit=named | {"pose": pose_at(known, number)} | more)


DEEDS = {
    "walk": lambda known, n: request(id=n, position=known.spot | {"lat": known.lat + n % 20 * 1e-5, "heading": 7}),
    "jump": lambda known, n: request(id=n, position=known.spot | {"lon": known.lon + n % 2 * 0.3}),
    "border": lambda known, n: request(id=n, position=known.spot | {"lat": known.lat + n // 10 % 2 * 4e-4}),
    "share": lambda known, n: request(id=n, share={"position": n % 2 == 0, "accuracy": 0}),
    "place": lambda known, n: request(
        id=n, key=f"p{os.getpid()}-{n}", place={"object": "preset:flag", "pose": pose_at(known, n)}),
    "place once more": lambda known, n: request(
        id=n, key="again", place={"object": "preset:flag", "pose": pose_at(known, 0)}),
    "edit": edit,
    "edit at length": lambda known, n: edit(known, n, text="\u00e9" * 500, data="AAAA" * 600),
    "edit another's": lambda known, n: edit(dataclasses.replace(known, own=known.other), n),
    "edit out of view": lambda known, n: edit(dataclasses.replace(known, own=f"{n % 10**6:07}zzzzzz", cell="1"), n),
    "remove what is not": lambda known, n: request(
        id=n, key=f"r{os.getpid()}-{n}", remove={"instance": f"{n % 10**6:07}zzzzzz", "cell": known.cell}),
    "select": lambda known, n: request(id=n, select={"instance": known.other, "cell": known.cell}),
    "select what is not": lambda known, n: request(id=n, select={"instance": "0" * 13, "cell": known.cell}),
    "react": lambda known, n: request(
        id=n, key=f"l{os.getpid()}-{n}",
        react={"instance": known.other, "cell": known.cell, "reaction": "like" if n % 2 else "love"}),
    "feedback": lambda known, n: request(
        id=n, key=f"f{os.getpid()}-{n}", sendFeedback={"category": "bug", "text": "\u00e9" * 1_000}),
    "hello again": lambda known, n: request(id=n, hello={"version": 1, "frontEnd": "bot", "token": known.token}),
}  # fmt: skip


# MARK: - Frames, pages, connects and disconnects


def http(path, method="GET", **headers):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


FRAMES = {
    "pings": frame(PING, b""),
    "long pings": frame(PING, b"p" * 125),
    "pongs": frame(PONG, b"p"),
    "empty pongs": frame(PONG, b""),
    "pieces of one byte": frame(TEXT, b"{", fin=False) + frame(0, b" ", fin=False) * 1_000
    + frame(0, b"}"),
    "empty pieces": frame(TEXT, b"", fin=False) + frame(0, b"", fin=False) * 1_000
    + frame(0, b"{}"),
    "pings between pieces": frame(TEXT, b"{", fin=False)
    + (frame(PING, b"p") + frame(0, b" ", fin=False)) * 1_000 + frame(0, b"}"),
    "broken frames": b"\xff" * 16,
    "closes": frame(8, b"\x03\xe8bye"),
}  # fmt: skip

PAGES = {
    "front": http("/"),
    "readiness": http("/readyz?format=json"),
    "figures": http("/metrics"),
    "console": http("/console/main.js"),
    "nothing": http("/" + "n" * 1_000),
    "heads": http("/console/main.js", "HEAD"),
    "many headers": http("/livez", **{f"X-{n}": "v" * 40 for n in range(40)}),
    "socket without upgrade": http("/v1"),
    "foreign host": http("/livez").replace(b"localhost", b"evil.example"),
}


def upgrade(format):
    socket = {"Version": 13, "Key": "dGhlIHNhbXBsZSBub25jZQ==", "Protocol": f"cairn.v1.{format}"}
    socket = {f"Sec-WebSocket-{name}": value for name, value in socket.items()}
    return http("/v1", Upgrade="websocket", Connection="Upgrade", **socket)


def hello(known, format, resumes=False):
    if format == "proto":
        body = [(1, 1), (2, "bot")] + ([(5, known.token)] if known.token else [])
        return frame(BINARY, protobuf.message([(1, 1), (10, body)]))
    body = {"version": 1, "frontEnd": "bot"} | ({"token": known.token} if known.token else {})
    body |= {"session": known.session, "cursors": known.cursors} if resumes else {}
    return frame(TEXT, request(id=1, hello=body).encode())


def here(known, format):
    if format == "proto":
        body = protobuf.message([(1, 2), (11, [(1, known.lat), (2, known.lon), (3, 30.0)])])
        return frame(BINARY, body)
    return frame(TEXT, request(id=2, position=known.spot).encode())


def said(text):
    return frame(TEXT, text if isinstance(text, bytes) else text.encode())


def of_size(make, size, opcode):
    sent = make(size)
    sent = frame(opcode, (sent.encode() if isinstance(sent, str) else sent)[: ROOM - 1])
    return lambda known, number: sent


def attacks():
    """Every kind, in the form that is tried first."""
    found = []
    for size in (1_000, 60_000):
        for name, make in JSON.items():
            found.append(Attack(name, of_size(make, size, TEXT), size))
        for name, make in PROTO.items():
            found.append(Attack(name, of_size(make, size, BINARY), size, "proto"))
    for name, sent in FRAMES.items():
        found.append(Attack(name, lambda known, number, sent=sent: sent, len(sent)))
    for name, sent in PAGES.items():
        found.append(Attack(name, lambda known, number, sent=sent: sent, len(sent), is_socket=False))
        found.append(Attack(
            name, lambda known, number, sent=sent: sent, len(sent), is_socket=False, waves_per_visit=1, waits=True))
    # Each frame alone in its packet; and as many as one read returns, then another connection.
    found.append(Attack("pings one by one", lambda known, number: FRAMES["pings"], 6, waves_per_second=20_000))
    found.append(Attack(
        "pings by the visit", lambda known, number: FRAMES["pings"] * 10_000, 60_000, waves_per_visit=1, waits=True))
    for name, make in DEEDS.items():
        for pace, connections in ((0, 1), (45, 1), (45, 5)):
            found.append(Attack(
                name, lambda known, number, make=make: said(make(known, number)), needs_account=True,
                waves_per_second=pace, connections=connections))
    nothing = {"says_hello": False, "waves_per_visit": 1}
    found.append(Attack("connects", lambda known, number: b"", is_socket=False, **nothing))
    found.append(Attack("half a request", lambda known, number: b"GET /", is_socket=False, **nothing))
    found.append(Attack("upgrades", lambda known, number: b"", waits=True, **nothing))
    comings = {
        "hellos": lambda known, number: hello(known, "json"),
        "comings": lambda known, number: hello(known, "json") + here(known, "json"),
        "resumptions": lambda known, number: hello(known, "json", resumes=True) + here(known, "json"),
        "sign-outs": sign_out,
    }
    for name, wave in comings.items():
        found.append(Attack(name, wave, needs_account=name != "hellos", waits=True, **nothing))
    return found


def sign_out(known, number):
    """Sign-in by a new name, then sign-out."""
    body = {"version": 1, "frontEnd": "bot", "name": f"M{os.getpid()}x{number % 50}"}
    return said(request(id=1, hello=body)) + said('{"id":3,"signOut":{}}')


def variants(attack):
    """Variants of an expensive attack: other sizes, other rates, and all connections that an account may have."""
    for size in SIZES if attack.size in (1_000, 60_000) and attack.name in JSON | PROTO else [attack.size]:
        make = (JSON if attack.format == "json" else PROTO).get(attack.name)
        opcode = TEXT if attack.format == "json" else BINARY
        of = dataclasses.replace(attack, size=size, wave=of_size(make, size, opcode)) if make else attack
        yield dataclasses.replace(of, connections=5)
        if attack.waves_per_visit or attack.waves_per_second:
            continue
        sent = len(of.wave(Known(), 1))
        yield of
        # A rate that is never refused; and the burst of a new connection, followed by the next connection.
        yield dataclasses.replace(of, waves_per_second=max(0.5, min(48, 64_000 / sent)), connections=5)
        yield dataclasses.replace(of, waves_per_visit=max(1, min(100, 256_000 // sent)))


class Attacker:
    """Carries out an attack from a separate address, and reconnects as soon as it is closed."""

    def __init__(self, port, source, known):
        self.port, self.source, self.known = port, source, known
        self.closes = self.waves = self.heard = 0

    async def attack(self, attack, seconds):
        async with asyncio.TaskGroup() as group:
            for number in range(attack.connections):
                group.create_task(self._for_a_time(attack, seconds, number * 1_000_000))

    async def _for_a_time(self, attack, seconds, number):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    number = await self._visit(attack, number)

    async def _visit(self, attack, number):
        """One connection, from its beginning to its end; returns the number of the next wave."""
        writer = reading = None
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
            link = writer.get_extra_info("socket")
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            reading = asyncio.create_task(self._read(reader, writer, attack.is_socket))
            opening = upgrade(attack.format) if attack.is_socket else b""
            if attack.is_socket and attack.says_hello:
                opening += hello(self.known, attack.format)
                opening += here(self.known, attack.format) if self.known.token else b""
            writer.write(opening)
            return await self._stay(attack, number, writer, reading)
        except OSError:
            await pause(0.001)  # turned away: as fast as that, and others may run
            return number
        finally:
            self.closes += 1
            if reading:
                reading.cancel()
            if writer:
                # Closes with a reset, so that a thousand connections a second leave no ports in TIME_WAIT.
                with contextlib.suppress(OSError):
                    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()

    async def _stay(self, attack, number, writer, reading):
        loop = asyncio.get_running_loop()
        began, waves, heard = loop.time(), 0, self.heard
        static = attack.wave(self.known, 1)
        # Constant bytes are sent in pieces of 64 KB if neither the rate nor the number of waves is limited.
        times = max(1, 65_536 // max(1, len(static))) if attack.wave(self.known, 2) == static else 32
        while not reading.done():
            number, waves = number + 1, waves + 1
            if attack.waves_per_second or attack.waves_per_visit:
                writer.write(attack.wave(self.known, number))
            else:
                writer.write(b"".join(attack.wave(self.known, number * 100 + each) for each in range(times)))
            await writer.drain()
            self.waves += 1
            if attack.waves_per_visit and waves >= attack.waves_per_visit:
                if attack.waits:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(0.2):
                            while self.heard == heard and not reading.done():
                                await pause(0.001)
                return number
            if attack.waves_per_second:
                await pause(max(0, began + waves / attack.waves_per_second - loop.time()))
            else:
                await pause(0)
        return number

    async def _read(self, reader, writer, is_socket):
        if is_socket:
            await reader.readuntil(b"\r\n\r\n")
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while data := await reader.read(1 << 18):
                self.heard += len(data)


def main():
    order = json.loads(sys.argv[1])
    os.nice(order.get("nice", 0))
    [attack] = [one for one in attacks() for one in [one, *variants(one)] if one.told() == order["attack"]][:1]
    attacker = Attacker(order["port"], order["source"], Known(**order["known"]))
    print("ready", flush=True)
    asyncio.run(attacker.attack(attack, order["seconds"]))
    print(json.dumps({"closes": attacker.closes, "waves": attacker.waves, "heard": attacker.heard}))


if __name__ == "__main__":
    main()
