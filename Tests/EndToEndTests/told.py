"""The messages that one connection received, byte for byte except values that are random or depend on the clock.

    told(client)          of a connection in JSON
    told_binary(eye)      of a connection in the binary format

Both return topic -> list. Ids, epochs, tokens and sessions are renamed in the order of their first occurrence; numbers
of events count from the snapshot's. Everything else is compared as sent: fields, their order, and so each size. The
grouping of items into messages and of people into presence batches depends on the clock and is ignored, as is the age
of a pose that is shared exactly.
"""

import asyncio
import json
import re
import struct
from collections import defaultdict

import websockets

import protobuf
from cairn import PATIENCE

ID = "[0-9a-hjkmnp-tv-z]{13}"


class Names:
    """Names in place of random values, with as many characters."""

    def __init__(self):
        self.names, self.first = {}, {}

    def __getitem__(self, of):
        return self.names.setdefault(of, f"<{len(self.names):011}>")

    def numbered(self, topic, sequence):
        return sequence - self.first.get(topic, 0)


# MARK: - JSON


def raw_items(message):
    """The items of a message, with their unchanged text."""
    decoder, at, found = json.JSONDecoder(), len('{"items":['), []
    assert message.startswith('{"items":[') and message.endswith("]}"), message
    while at < len(message) - 2:
        body, end = decoder.raw_decode(message, at)
        found.append((body, message[at:end]))
        at = end + 1
    return found


# Values that are random or depend on the clock, and vary in length.
VARIABLE = re.compile(r'"(epoch|correlation|serverTime)":"[^"]*"')
# Random values of constant length.
FIXED = re.compile(r'"(token|session|account)":"([^"]*)"')


def plain(text, names):
    """The text of an item with names in place of random values."""
    text = VARIABLE.sub(r'"\1":"?"', text)
    text = FIXED.sub(lambda found: f'"{found[1]}":"{"?" * len(found[2])}"', text)
    return re.sub(f'"({ID})"', lambda found: f'"{names[found[1]]}"', text)


def pages(text, instances):
    """A page and its instances, whose order is random because they are sorted by their random ids."""
    pieces = []
    decoder = json.JSONDecoder()
    at = text.find('"instances":[')
    if at < 0:
        return text, []
    start = at = at + len('"instances":[')
    for _ in instances:
        _, end = decoder.raw_decode(text, at)
        pieces.append(text[at:end])
        at = end + 1
    return text[:start] + text[at - 1 :], sorted(pieces, key=lambda piece: re.sub(ID, "", piece))


def told(client):
    names, said = Names(), defaultdict(list)
    for message in client.messages:
        for item, text in raw_items(message):
            ((kind, body),) = item.items()
            if kind == "presence":
                said[body["cell"]] += list(atoms(body, names))
            elif kind == "snapshot":
                cursor = body["cursor"]
                names.first[cursor["topic"]] = int(cursor.get("sequence", 0))
                rest, things = pages(text, body.get("instances", []))
                rest = re.sub(r'"sequence":"\d+"', '"sequence":"?"', rest)
                said[cursor["topic"]].append((plain(rest, names), [plain(thing, names) for thing in things]))
            elif kind == "event":
                number = names.numbered(body["topic"], int(body["sequence"]))
                text = re.sub(r'"sequence":"\d+"', f'"sequence":"{number}"', text)
                said[body["topic"]].append(plain(text, names))
            elif kind == "reply":
                said["answers"].append(plain(text, names))
            else:
                said["others"].append(re.sub(r'"sequence":"\d+"', '"sequence":"?"', plain(text, names)))
    return dict(said)


def atoms(batch, names):
    """The parts of a presence batch, one by one, because the grouping of parts into batches depends on the clock."""
    if batch.get("keyframe"):
        # A keyframe comes first: its contents have no defined order.
        yield "keyframe", batch.get("people", 0)
    for slot in batch.get("left", []):
        yield "left", slot
    for person in batch.get("joined", []):
        yield "joined", plain(json.dumps(person), names)
    for pose in batch.get("livePoses", []):
        # A person whose height is sent shares exactly, and then the age depends on the clock.
        pose = {key: value for key, value in pose.items() if key != "age" or "h" not in pose}
        yield "pose", json.dumps(pose), batch.get("step"), batch.get("baseHeight", 0)
    if "people" in batch and not batch.get("keyframe"):
        yield "people", batch["people"]
    known = {"cell", "keyframe", "left", "joined", "livePoses", "people", "step", "baseHeight"}
    known |= {"originLat", "originLon"}
    assert batch.keys() <= known, f"more is told than is compared: {batch.keys() - known}"


# MARK: - Binary

REPLY, EVENT, SNAPSHOT, PRESENCE = 1, 2, 3, 4  # items
# Nested messages: (name of the message, field) -> name of the field's message. Other fields are compared as bytes.
WITHIN = {
    ("item", REPLY): "reply", ("item", EVENT): "event", ("item", SNAPSHOT): "snapshot", ("item", 8): "continued",
    ("reply", 2): "refusal", ("reply", 10): "welcome", ("reply", 20): "placed", ("reply", 21): "placed",
    ("reply", 22): "removed", ("reply", 23): "placed", ("placed", 1): "instance", ("snapshot", 1): "cursor",
    ("snapshot", 4): "instance", ("continued", 1): "cursor", ("event", 20): "placed", ("event", 21): "changed",
    ("event", 22): "changed", ("event", 23): "changed", ("event", 30): "changed",
}  # fmt: skip
# Random or dependent on the clock: correlation; server time, token and session; epoch and number.
RANDOM = {("refusal", 5), ("welcome", 1), ("welcome", 5), ("welcome", 6), ("welcome", 3), ("cursor", 2), ("cursor", 3)}


def tree(data, of, names):
    """The fields of a message in their order, with names in place of random values."""
    found = []
    for number, value in protobuf.parsed(data):
        if (of, number) in RANDOM:
            # A number of eight bytes has a constant length; so have tokens and sessions.
            fixed = isinstance(value, bytes) and (of, number) != ("refusal", 5)
            found.append((number, f"{len(value)} bytes" if fixed else "?"))
        elif (of, number) in WITHIN:
            found.append((number, tree(value, WITHIN[of, number], names)))
        elif isinstance(value, bytes) and re.fullmatch(ID.encode(), value):
            found.append((number, names[value]))
        else:
            found.append((number, value))
    return found


def told_binary(eye):
    names, said = Names(), defaultdict(list)
    for message in eye.messages:
        for _, item in protobuf.parsed(message):
            ((kind, body),) = protobuf.parsed(item)
            fields = protobuf.parsed(body)
            if kind == PRESENCE:
                said[protobuf.first(fields, 1).decode()] += list(binary_atoms(fields, names))
                continue
            if kind == EVENT:
                topic, number = protobuf.first(fields, 1).decode(), protobuf.first(fields, 2)
                body = tree(body, "event", names)
                said[topic].append([(2, names.numbered(topic, number)) if field[0] == 2 else field for field in body])
            elif kind == SNAPSHOT:
                cursor = protobuf.parsed(protobuf.first(fields, 1))
                topic = protobuf.first(cursor, 1).decode()
                names.first[topic] = protobuf.first(cursor, 3, 0)
                # Instances are sorted by their random ids, so their order is random.
                ordered = sorted(fields, key=lambda field: (field[0], re.sub(ID.encode(), b"", bytes_of(field[1]))))
                said[topic].append([
                    (number, tree(value, WITHIN["snapshot", number], names) if number in (1, 4) else value)
                    for number, value in ordered])  # fmt: skip
            elif kind == REPLY:
                said["answers"].append(tree(body, "reply", names))
            else:
                said["others"].append(tree(item, "item", names))
    return dict(said)


def bytes_of(value):
    return value if isinstance(value, bytes) else str(value).encode()


def binary_atoms(fields, names):
    """As `atoms`, of the binary form."""
    is_keyframe = bool(protobuf.first(fields, 2, 0))
    about = (protobuf.first(fields, 6), protobuf.first(fields, 7))
    if is_keyframe:
        yield "keyframe", protobuf.first(fields, 8, 0)
    for number, value in fields:
        if number == 4:
            yield "left", value
        elif number == 3:
            yield "joined", tree(value, "person", names)
        elif number == 5:
            for at in range(0, len(value), 14):
                pose = value[at : at + 14]
                # All bits of the orientation are set: shared on a grid, and then the age is constant.
                is_rough = struct.unpack_from("<I", pose, 8)[0] == 0xFFFF_FFFF
                yield "pose", pose if is_rough else pose[:12] + pose[13:], about
        elif number == 8 and not is_keyframe:
            yield "people", value
        else:
            assert number in (1, 2, 6, 7, 8, 9, 10), f"more is told than is compared: {number}"


class BinaryEye:
    """A connection in the binary format, written by hand: it follows its view and sends given requests."""

    def __init__(self, socket):
        self.socket, self.messages = socket, []
        self.slots, self.poses = {}, defaultdict(int)  # person's name -> slot, and number of received poses
        self._asked, self._number = {}, 0
        self._news = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def connect(cls, server, token):
        eye = cls(await websockets.connect(
            server.url, subprotocols=["cairn.v1.proto"], compression=None, ping_interval=None, close_timeout=2,
            max_size=None, max_queue=None))  # fmt: skip
        await eye.ask(protobuf.HELLO, [(1, 1), (2, "bot"), (5, token)])
        return eye

    async def ask(self, kind, fields, key=None):
        """Sends a request; returns after any answer."""
        self._number += 1
        named = [(protobuf.ID, self._number)] + ([(protobuf.KEY, key)] if key else [])
        answered = self._asked[self._number] = asyncio.get_running_loop().create_future()
        await self.socket.send(protobuf.message([*named, (kind, fields)]))
        await asyncio.wait_for(answered, PATIENCE)

    async def stand_at(self, lat, lon):
        await self.ask(protobuf.POSITION, [(1, lat), (2, lon), (3, 30.0)])

    async def until(self, condition):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def _listen(self):
        async for message in self.socket:
            self.messages.append(message)
            for _, item in protobuf.parsed(message):
                ((kind, body),) = protobuf.parsed(item)
                fields = protobuf.parsed(body)
                if kind == REPLY:
                    self._asked.pop(protobuf.first(fields, 1, 0)).set_result(None)
                elif kind == PRESENCE:
                    self._look(fields)
            self._news.set()

    def _look(self, fields):
        for number, value in fields:
            if number == 3:
                person = protobuf.parsed(value)
                self.slots[protobuf.first(person, 3).decode()] = protobuf.first(person, 1, 0)
            elif number == 5:
                for at in range(0, len(value), 14):
                    self.poses[struct.unpack_from("<H", value, at)[0]] += 1

    def poses_of(self, name):
        return self.poses[self.slots[name]] if name in self.slots else 0

    async def close(self):
        await self.socket.close()
        await asyncio.wait([self._listening])
