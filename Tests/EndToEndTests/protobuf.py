"""Protobuf's binary format by hand, to write messages that no correct encoder writes."""

import asyncio
import struct

import websockets

from cairn import PATIENCE

# Field numbers of proto/cairn/v1/envelope.proto.
ID, KEY, HELLO, POSITION, PLACE = 1, 2, 10, 11, 20


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    """A field: an int as varint, a float as 64 bits, text, bytes and lists of fields by their length."""
    match value:
        case int():
            return varint(number << 3) + varint(value)
        case float():
            return varint(number << 3 | 1) + struct.pack("<d", value)
        case str():
            value = value.encode()
        case list():
            value = message(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(fields):
    """A message from a list of (number, value)."""
    return b"".join(field(number, value) for number, value in fields)


def parsed(data):
    """A message as a list of (number, value): ints, and bytes for everything else."""
    fields, at = [], 0

    def read_varint():
        nonlocal at
        number, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    while at < len(data):
        tag = read_varint()
        kind = tag & 7
        if kind == 0:
            value = read_varint()
        else:
            size = {1: 8, 5: 4, 2: None}[kind]
            size = read_varint() if size is None else size
            value = data[at : at + size]
            at += size
        fields.append((tag >> 3, value))
    return fields


def first(fields, number, default=None):
    return next((value for found, value in fields if found == number), default)


def pose(position=(0.0, 0.0, 0.0), quaternion=(0.0, 0.0, 0.0, 1.0), scale=None, accuracy=None):
    """Fields of a `Pose`; None leaves a number out."""
    geopose = []
    if position is not None:
        geopose.append((1, [(n, value) for n, value in enumerate(position, 1) if value is not None]))
    if quaternion is not None:
        geopose.append((2, [(n, value) for n, value in enumerate(quaternion, 1) if value is not None]))
    fields = [(1, geopose)]
    fields += [] if scale is None else [(2, scale)]
    fields += [] if accuracy is None else [(3, accuracy)]
    return fields


class BinaryClient:
    """One connection that speaks cairn.v1.proto, one request at a time."""

    def __init__(self, socket):
        self.socket = socket

    @classmethod
    async def connect(cls, server, name):
        socket = await websockets.connect(
            server.url, subprotocols=["cairn.v1.proto"], compression=None, ping_interval=None, close_timeout=2
        )
        client = cls(socket)
        code = await client.ask([(ID, 1), (HELLO, [(1, 1), (2, "bot"), (6, name)])])
        assert code is None, code
        return client

    async def ask(self, fields):
        """Sends a message and waits for the reply with its id; returns the code of a refusal, or None."""
        await self.socket.send(message(fields))
        while True:
            data = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            for number, item in parsed(data):
                reply = first(parsed(item), 1)
                if number == 1 and reply is not None and first(parsed(reply), 1, 0) == first(fields, ID, 0):
                    refusal = first(parsed(reply), 2)
                    return None if refusal is None else first(parsed(refusal), 1).decode()

    async def close(self):
        await self.socket.close()
