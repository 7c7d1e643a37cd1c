"""Every fault of a client gives a coded refusal or closure, changes nothing, and does not affect others (SES-2, SES-3,
SES-5, SES-12, PLC-4 to 6, PLC-15, RCT-1, RCT-5, SYN-2)."""

import asyncio
import base64
import contextlib
import itertools
import json
import math
import random
import struct
import time

import pytest
import websockets

import protobuf
from cairn import PATIENCE, Client, Refused, away, bits, pose, totals
from protobuf import HELLO, ID, KEY, PLACE, POSITION, BinaryClient

# The tests of this file send faster than people do. Each limit has a test with a separate server.
SETTINGS = {
    "placement__perMinute": 10_000, "placement__perDay": 10_000,
    "connections__messagesPerSecond": 10_000, "connections__messagesBurst": 10_000,
}

_names = itertools.count(1)


def new_name():
    return f"user-{next(_names)}"


async def refused(code, asking):
    """Awaits a refusal with that code, complete as SES-3 requires; returns it."""
    with pytest.raises(Refused) as caught:
        await asking
    return complete(code, caught.value)


def complete(code, refusal):
    assert refusal.code == code, refusal
    assert refusal.message and refusal.component and refusal.correlation, vars(refusal)
    return refusal


@contextlib.asynccontextmanager
async def unharmed(server, spot):
    """Wraps a fault: afterwards checks that the server serves others and has changed nothing."""
    witness = await Client.connect(server, new_name())
    cell = await witness.stand_at(*spot)
    await witness.view(cell)
    thing = await witness.place(pose(*spot), "preset:cairn")
    await witness.until(lambda: witness.sees(thing), "the witness's own cairn")
    before = witness.everything()
    yield cell
    assert await witness.stand_at(*spot) == cell
    assert (await witness.select(thing))["instance"] == thing
    newcomer = await Client.connect(server, new_name())
    await newcomer.stand_at(*spot)
    await newcomer.view(*witness.topics)
    assert newcomer.everything() == before == witness.everything()
    await witness.remove(thing)
    await newcomer.until(lambda: not newcomer.sees(thing), "the witness's last change")
    await newcomer.close()
    await witness.close()


async def somebody(server, spot, **more):
    """A person who stands at the spot."""
    client = await Client.connect(server, new_name(), **more)
    await client.stand_at(*spot)
    return client


# MARK: - Frames and texts


async def test_a_binary_frame_on_the_json_subprotocol_ends_the_connection(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        await ada.send(b'{"id":2,"position":{"lat":1,"lon":1,"h":1}}')
        assert await ada.until_ended() == (1003, "wrong_frame")
        assert ada.closing["code"] == "wrong_frame"


async def test_a_text_frame_on_the_binary_subprotocol_ends_the_connection(server, spot):
    async with unharmed(server, spot):
        client = await BinaryClient.connect(server, new_name())
        await client.socket.send("{}")
        with pytest.raises(websockets.ConnectionClosed):
            while True:
                await asyncio.wait_for(client.socket.recv(), PATIENCE)
        assert (client.socket.close_code, client.socket.close_reason) == (1003, "wrong_frame")


async def test_text_that_is_not_utf_8_ends_the_connection(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        await ada.socket.send(b'{"id":2,"hello":{"name":"\xff\xfe"}}', text=True)
        assert (await ada.until_ended())[0] == 1007


NO_MESSAGES = {
    "nothing": "", "half an object": "{", "a word": "nonsense", "null": "null", "an array": "[]", "a string": '"text"',
    "a number": "7", "no value": '{"id":}', "a number for an object": '{"id":900,"position":7}',
    "text for a number": '{"id":900,"position":{"lat":"x"}}',
    "a number beyond all": '{"id":900,"position":{"lat":1e999}}',
    "no end": '{"id":900,"hello":{}', "a negative id": '{"id":-1,"position":{}}',
    "an id of 33 bits": '{"id":4294967296,"position":{}}', "two ids": '{"id":900,"id":901,"position":{}}',
    "a name twice": '{"id":900,"position":{"lat":1,"lat":2}}',
    "half a surrogate": '{"id":900,"hello":{"name":"\\ud800"}}',
    "20,000 arrays": "[" * 20_000, "20,000 objects": '{"a":' * 9_000,
    "40 arrays in a field that is ignored": '{"id":900,"x":' + "[" * 40 + "]" * 40 + "}",
    "more after the end": '{"id":900,"position":{"lat":1,"lon":1}} tail',
    "a raw NUL": '{"id":900,"select":{"instance":"a\x00b"}}',
}  # fmt: skip


@pytest.mark.parametrize("text", NO_MESSAGES.values(), ids=NO_MESSAGES.keys())
async def test_text_that_is_no_message_is_refused_as_bad_message(server, spot, text):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        answers = [ada.expect(900), ada.expect(901)]
        await ada.send(text)
        answered = lambda: ada.refusals or [answer.exception() for answer in answers if answer.done()]
        complete("bad_message", (await ada.until(answered, "refusal"))[0])
        await ada.stand_at(*spot)


async def test_a_bad_message_with_a_readable_id_is_refused_under_that_id(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        await refused("bad_message", ada.ask("position", {"lat": "north"}))
        await refused("bad_message", ada.ask("place", {"object": 17}))


async def test_bytes_that_are_no_protobuf_are_refused_as_bad_message(server, spot):
    async with unharmed(server, spot):
        client = await BinaryClient.connect(server, new_name())
        endless = b"\x52\xff\xff\xff\xff\x0f"
        for junk in (b"\xff" * 20, b"\x08", endless, b"\x0b", b"\x0c", b"\x00\x00", b"\x12\x02\xff\xfe"):
            await client.socket.send(junk)
            data = await asyncio.wait_for(client.socket.recv(), PATIENCE)
            reply = protobuf.first(protobuf.parsed(protobuf.parsed(data)[0][1]), 1)
            refusal = protobuf.parsed(protobuf.first(protobuf.parsed(reply), 2))
            assert protobuf.first(refusal, 1) == b"bad_message", junk
        assert await client.ask([(ID, 9), (POSITION, [(1, spot[0]), (2, spot[1]), (3, 1.0)])]) is None
        await client.close()


async def test_random_bytes_and_broken_messages_stop_nobody(server, spot):
    chance = random.Random(20_240_607)
    whole = protobuf.message(
        [(ID, 5), (KEY, "k"), (PLACE, [(1, "preset:heart"), (2, protobuf.pose((math.nan, spot[1], 3.0)))])]
    )
    async with unharmed(server, spot):
        client = await BinaryClient.connect(server, new_name())
        for _ in range(300):
            broken = bytearray(whole)
            for _ in range(chance.randint(1, 6)):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
            await client.socket.send(bytes(broken[: chance.randint(1, len(broken))]))
        assert await client.ask([(ID, 9), (POSITION, [(1, spot[0]), (2, spot[1]), (3, 1.0)])]) is None
        await client.close()


async def test_an_unknown_kind_is_refused_as_unknown_type(server, spot):
    async with unharmed(server, spot):
        client = await BinaryClient.connect(server, new_name())
        assert await client.ask([(ID, 2), (KEY, "k"), (9_999, [(1, 1)])]) == "unknown_type"
        assert await client.ask([(ID, 3)]) == "unknown_type"
        await client.close()
        ada = await somebody(server, spot)
        await refused("unknown_type", ada.ask("teleport", {"lat": 1}))


async def test_unknown_json_fields_are_ignored(server, spot):
    async with unharmed(server, spot) as cell:
        ada = await Client.connect(server, new_name(), shoeSize=43, extra={"deep": [1, {"deeper": None}]})
        assert await ada.stand_at(*spot, mood="good") == cell
        answer = ada.expect(77)
        await ada.send({"id": 77, "traceparent": "00-1", "position": {"lat": spot[0], "lon": spot[1], "h": 1}, "z": []})
        assert (await answer)["cell"] == cell


def padded_position(spot, size):
    """A position of this length in bytes, with id 900."""
    text = json.dumps({"id": 900, "position": {"lat": spot[0], "lon": spot[1], "h": 1}, "padding": ""})
    return text[:-2] + "x" * (size - len(text)) + text[-2:]


async def test_a_message_of_64_kib_is_taken_and_a_longer_one_ends_the_connection(server, spot):
    async with unharmed(server, spot) as cell:
        ada = await somebody(server, spot)
        answer = ada.expect(900)
        await ada.send(padded_position(spot, 65_536))
        assert (await answer)["cell"] == cell
        await ada.send(padded_position(spot, 65_537))
        assert (await ada.until_ended())[0] == 1009


async def test_whose_message_is_too_large_is_told_so(server, spot):
    ada = await somebody(server, spot)
    await ada.send(padded_position(spot, 65_537))
    code, reason = await ada.until_ended()
    assert "too_large" in (reason, (ada.closing or {}).get("code")), (code, reason, ada.closing)


async def test_a_long_message_in_pieces_ends_the_connection_too(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        with contextlib.suppress(websockets.ConnectionClosed):
            await ada.socket.send("x" * 1000 for _ in range(66))
        assert (await ada.until_ended())[0] == 1009


# MARK: - Numbers


BAD_POSITIONS = {
    "latitude NaN": (math.nan, 0.0, 0.0), "longitude NaN": (0.0, math.nan, 0.0), "height NaN": (0.0, 0.0, math.nan),
    "latitude infinite": (math.inf, 0.0, 0.0), "longitude infinite": (0.0, -math.inf, 0.0),
    "height infinite": (0.0, 0.0, math.inf), "beyond the north pole": (90.000001, 0.0, 0.0),
    "beyond the south pole": (-90.000001, 0.0, 0.0), "east of 180": (0.0, 180.000001, 0.0),
    "west of -180": (0.0, -180.000001, 0.0), "huge": (1e308, -1e308, 0.0),
}  # fmt: skip


@pytest.mark.parametrize("numbers", BAD_POSITIONS.values(), ids=BAD_POSITIONS.keys())
async def test_a_position_that_cannot_be_is_refused_as_bad_position(server, spot, numbers):
    async with unharmed(server, spot) as cell:
        client = await BinaryClient.connect(server, new_name())
        assert await client.ask([(ID, 2), (POSITION, list(enumerate(numbers, 1)))]) == "bad_position"
        await client.close()
        ada = await somebody(server, spot)
        as_json = {name: json_number(value) for name, value in zip(("lat", "lon", "h"), numbers)}
        await refused("bad_position", ada.ask("position", as_json))
        # The last accepted position still holds: requests that need a position are judged by it.
        thing = await ada.place(pose(*spot))
        assert thing["cell"] == cell
        await ada.remove(thing)


def json_number(value):
    """Protobuf's JSON for values that are no JSON numbers."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


@pytest.mark.parametrize("fields", [{"accuracy": "-Infinity"}, {"heading": "NaN"}, {"speed": "Infinity"},
                                    {"heading": 361},
                                    {"quaternion": {"x": 0, "y": 0, "z": 0, "w": 0}},
                                    {"quaternion": {"x": 1, "y": 1, "z": 0, "w": 0}}], ids=str)  # fmt: skip
async def test_the_rest_of_a_position_is_checked_too(server, spot, fields):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        await refused("bad_position", ada.stand_at(*spot, **fields))


@pytest.mark.parametrize("missing", ["lat", "lon"])
async def test_a_position_without_latitude_or_longitude_is_refused(server, spot, missing):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        position = {name: value for name, value in {"lat": spot[0], "lon": spot[1], "h": 1}.items() if name != missing}
        await refused("bad_position", ada.ask("position", position))


BAD_POSES = {
    "latitude NaN": {"position": (math.nan, 0.0, 0.0)}, "longitude infinite": {"position": (0.0, math.inf, 0.0)},
    "height NaN": {"position": (0.0, 0.0, math.nan)}, "height infinite": {"position": (0.0, 0.0, -math.inf)},
    "latitude 91": {"position": (91.0, 0.0, 0.0)}, "longitude 181": {"position": (0.0, 181.0, 0.0)},
    "no position": {"position": None}, "no quaternion": {"quaternion": None},
    "zero quaternion": {"quaternion": (0.0, 0.0, 0.0, 0.0)},
    "quaternion NaN": {"quaternion": (0.0, math.nan, 0.0, 1.0)},
    "quaternion infinite": {"quaternion": (math.inf, 0.0, 0.0, 1.0)},
    "quaternion too long": {"quaternion": (0.0, 0.0, 0.0, 1.0011)},
    "quaternion too short": {"quaternion": (0.0, 0.0, 0.0, 0.9989)},
    "quaternion overflows": {"quaternion": (1e200, 1e200, 0.0, 0.0)},
    "quaternion vanishes": {"quaternion": (1e-200, 0.0, 0.0, 0.0)},
    "scale 0": {"scale": 0.0}, "scale negative": {"scale": -1.0}, "scale NaN": {"scale": math.nan},
    "scale infinite": {"scale": math.inf}, "scale below 0.01": {"scale": math.nextafter(0.01, 0)},
    "scale above 100": {"scale": math.nextafter(100.0, math.inf)},
    "accuracy negative": {"accuracy": -1.0}, "accuracy NaN": {"accuracy": math.nan},
    "accuracy infinite": {"accuracy": math.inf},
}  # fmt: skip


@pytest.mark.parametrize("what", BAD_POSES.values(), ids=BAD_POSES.keys())
async def test_a_pose_that_cannot_be_is_refused_as_bad_pose(server, spot, what):
    async with unharmed(server, spot):
        client = await BinaryClient.connect(server, new_name())
        assert await client.ask([(ID, 2), (POSITION, [(1, 0.0), (2, 0.0), (3, 0.0)])]) is None
        bad, good = ([(1, "preset:heart"), (2, made)] for made in (protobuf.pose(**what), protobuf.pose()))
        assert await client.ask([(ID, 3), (KEY, "k"), (PLACE, bad)]) == "bad_pose"
        # A refused placement uses no quota, and its key stays unused.
        assert await client.ask([(ID, 4), (KEY, "k"), (PLACE, good)]) is None
        await client.close()


@pytest.mark.parametrize("member", ["quaternion.w", "quaternion.x", "position.lat", "position.lon", "position.h"])
async def test_a_pose_with_a_number_missing_is_refused_as_bad_pose(server, spot, member):
    part, missing = member.split(".")
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        # Without w the other members still have length 1, so only a check of the member itself detects the fault.
        incomplete = pose(*spot, turned=(0.0, 1.0, 0.0, 0.0))
        del incomplete["geopose"][part][missing]
        await refused("bad_pose", ada.place(incomplete))


async def test_scales_at_the_bounds_are_taken(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        for scale in (0.01, 100.0):
            placed = await ada.place(pose(*spot, scale=scale))
            assert placed["pose"]["scale"] == scale
            await ada.remove(placed)


async def test_scale_bounds_follow_the_configuration(start, spot):
    server = start(placement__scaleMin=0.5, placement__scaleMax=2)
    ada = await somebody(server, spot)
    for scale in (0.49, 2.01):
        await refused("bad_pose", ada.place(pose(*spot, scale=scale)))
    for scale in (0.5, 2.0):
        await ada.place(pose(*spot, scale=scale))


@pytest.mark.parametrize("anchor", [{"provider": "p" * 65}, {"provider": "é" * 33}, {"id": "i" * 257},
                                    {"data": "A" * 5464 + "AAA="}], ids=lambda a: next(iter(a)))  # fmt: skip
async def test_anchor_data_beyond_its_bounds_is_refused(server, spot, anchor):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        await refused("invalid_field", ada.place(pose(*spot, anchor=anchor)))


@pytest.mark.parametrize("transform", [[1.0] * 15, [1.0] * 17, [1.0], [1.0] * 15 + ["NaN"], ["Infinity"] + [0.0] * 15],
                         ids=["15", "17", "1", "NaN", "infinite"])  # fmt: skip
async def test_an_anchor_transform_holds_16_finite_numbers_or_none(server, spot, transform):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        await refused("bad_pose", ada.place(pose(*spot, anchor={"provider": "p", "transform": transform})))


async def test_an_anchor_at_its_bounds_is_kept(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        most = {"provider": "p" * 64, "id": "i" * 256, "transform": [1.5] * 16, "data": "A" * 5460 + "AA=="}
        sent = pose(*spot, anchor=most)
        placed = await ada.place(sent)
        assert bits(placed["pose"]) == bits(sent)
        assert len(bits(sent)["anchor"]["data"]) == 2 * 4096
        await ada.remove(placed)


async def test_zeros_are_told_like_every_other_number(server, spot):
    ada = await Client.connect(server, new_name())
    await ada.stand_at(0.0, 0.0, 0.0)
    placed = await ada.place(pose(0.0, 0.0, 0.0, turned=(0.0, 0.0, 0.0, 1.0)))
    assert placed["pose"]["geopose"] == {
        "position": {"lat": 0, "lon": 0, "h": 0}, "quaternion": {"x": 0, "y": 0, "z": 0, "w": 1}
    }


# MARK: - Bit for bit


def odd_numbers(chance):
    """Finite doubles of every kind: random bit patterns, subnormals, both zeros, the largest, the smallest."""
    special = [0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1, 1 / 3, -1e-310]
    while True:
        number = struct.unpack("<d", chance.randbytes(8))[0]
        if math.isfinite(number):
            yield number
        yield chance.choice(special)


def odd_pose(chance, spot):
    """A valid pose with the most unusual numbers that are allowed."""
    numbers = odd_numbers(chance)
    tiny = [0.0, -0.0, 5e-324, -5e-324, 1e-310, -1e-17]
    while True:
        turned = [chance.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(w * w for w in turned)) * chance.uniform(0.9991, 1.0009)
        turned = [w / length for w in turned]
        if chance.random() < 0.3:
            turned = [chance.choice(tiny), -0.0, chance.choice(tiny), chance.choice([1.0, -1.0])]
            chance.shuffle(turned)
        if abs(math.sqrt(sum(w * w for w in turned)) - 1) < 0.00099:
            break
    made = pose(
        *away(*spot, north=chance.uniform(-20, 20), east=chance.uniform(-20, 20)),
        chance.choice([*tiny, chance.uniform(-60, 110)]), turned=turned,
    )  # fmt: skip
    if chance.random() < 0.7:
        made["scale"] = chance.choice([0.01, 100.0, 1.0, chance.uniform(0.01, 100)])
    if chance.random() < 0.7:
        made["accuracy"] = chance.choice([0.0, 5e-324, 1.7976931348623157e308, chance.uniform(0, 50)])
    if chance.random() < 0.8:
        made["anchor"] = {
            "provider": "arkit.worldmap", "id": "".join(chance.choices('aé\u2028\u0000"\\\U0001f5fa', k=20)),
            "transform": [next(numbers) for _ in range(16)],
            "data": base64.b64encode(chance.randbytes(chance.randrange(1, 4096))).decode(),
        }  # fmt: skip
    return made


async def test_poses_and_anchors_come_back_bit_for_bit_and_so_after_a_restart(start, spot):
    settings = {"placement__perMinute": 1000, "placement__perDay": 1000, "placement__areaQuota": 1000}
    server = start(**settings)
    chance = random.Random(7)
    ada = await somebody(server, spot)
    bob = await somebody(server, spot)
    sent = {}
    for _ in range(80):
        made = odd_pose(chance, spot)
        placed = await ada.place(made)
        assert bits(placed["pose"]) == bits(made)
        sent[placed["id"]] = made
    edited = {}
    for name in list(sent)[:20]:
        instance = await ada.until(lambda: ada.sees(name), "own placement")
        made = odd_pose(chance, spot)
        assert bits((await ada.edit(instance, made))["pose"]) == bits(made)
        sent[name] = edited[name] = made
    for name, made in sent.items():
        seen = await bob.until(lambda: bob.sees(name, version=2 if name in edited else 1), "what was placed")
        assert bits(seen["pose"]) == bits(made)
    server.kill()
    later = await somebody(start(**settings), spot)
    for name, made in sent.items():
        seen = await later.until(lambda: later.sees(name), "what was placed before the restart")
        assert bits(seen["pose"]) == bits(made)
        assert bits((await later.select(seen))["instance"]["pose"]) == bits(made)


# MARK: - Hello


async def test_anything_before_hello_is_refused_and_hello_may_follow(server, spot):
    async with unharmed(server, spot):
        ada = await Client.connect(server, hello=False)
        for kind in ("place", "select", "react", "position", "share", "signOut", "edit", "remove"):
            await refused("hello_required", ada.ask(kind, {}))
        welcome = await ada.ask("hello", {"version": 1, "frontEnd": "realm", "name": new_name()})
        assert welcome["role"] == "general"


async def test_a_connection_that_never_says_hello_is_closed(start):
    server = start(connections__handshakeSeconds=1)
    ada = await Client.connect(server, hello=False)
    assert (await ada.until_ended()) == (4003, "hello_required")
    assert ada.closing["code"] == "hello_required"


async def test_a_second_hello_is_refused_and_the_first_stands(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        await refused("invalid_field", ada.ask("hello", {"version": 1, "frontEnd": "bot", "name": new_name()}))
        answer = await ada.ask("place", {"object": "preset:heart", "pose": pose(*spot)}, key="mine")
        assert answer["instance"]["placer"] == ada.welcome["account"]
        await ada.remove(await ada.place(pose(*spot), key="mine"))


@pytest.mark.parametrize("version", [0, 2, 4294967295])
async def test_another_protocol_version_is_refused_and_the_connection_closed(server, spot, version):
    async with unharmed(server, spot):
        ada = await Client.connect(server, hello=False)
        refusal = await refused("unsupported_version", ada.ask("hello", {"version": version, "frontEnd": "bot"}))
        assert refusal.details == {"version": "1"}
        assert await ada.until_ended() == (4100, "unsupported_version")
        assert "reconnectAfter" not in ada.closing


@pytest.mark.parametrize(
    "name",
    ["ab", "x" * 31, "white space", "ta\tb", "semi;colon", "line\nbreak", "e\u202evil", "a\u0000b",
     "ab" + ("c" + "\u0345" * 28) * 12],
)  # fmt: skip
async def test_a_name_that_is_none_is_refused_and_another_may_be_tried(server, spot, name):
    async with unharmed(server, spot):
        ada = await Client.connect(server, hello=False)
        await refused("invalid_username", ada.ask("hello", {"version": 1, "frontEnd": "bot", "name": name}))
        assert (await ada.ask("hello", {"version": 1, "frontEnd": "bot", "name": new_name()}))["role"] == "general"


async def test_a_front_end_that_is_no_name_is_refused(server):
    ada = await Client.connect(server, hello=False)
    await refused("invalid_field", ada.ask("hello", {"version": 1, "frontEnd": "Toaster", "name": new_name()}))
    odd_grid = {"version": 1, "frontEnd": "bot", "name": new_name(), "shareAccuracy": 7}
    await refused("invalid_field", ada.ask("hello", odd_grid))


async def test_a_guest_is_told_to_sign_in(server, spot):
    async with unharmed(server, spot) as cell:
        guest = await Client.connect(server)
        assert guest.welcome["role"] == "guest"
        await refused("not_signed_in", guest.stand_at(*spot))
        await refused("not_signed_in", guest.place(pose(*spot)))
        await refused("not_signed_in", guest.select({"id": "0000000000000", "cell": cell}))
        await refused("not_signed_in", guest.ask("share", {"position": True}))
        await refused("not_signed_in", guest.ask("signOut"))


# MARK: - Requests


async def test_a_change_without_a_key_is_refused(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        refusal = await refused("missing_field", ada.place(pose(*spot), key=""))
        assert refusal.details == {"field": "key"}


async def test_a_request_without_an_id_is_refused(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        await ada.send({"key": "k", "place": {"object": "preset:heart", "pose": pose(*spot)}})
        assert complete("missing_field", await ada.refusal()).details == {"field": "id"}


async def test_a_key_longer_than_64_bytes_is_refused(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        await refused("invalid_field", ada.place(pose(*spot), key="k" * 65))
        await ada.remove(await ada.place(pose(*spot), key="k" * 64))


async def test_a_key_used_again_for_something_else_is_refused(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        placed = await ada.place(pose(*spot), key="k")
        await refused("key_reused", ada.place(pose(*spot, 31.0), key="k"))
        await refused("key_reused", ada.remove(placed, key="k"))
        assert await ada.place(pose(*spot), key="k") == placed
        await ada.remove(placed)


async def test_a_key_is_remembered_and_kept_apart_over_a_restart(start, spot):
    server = start()
    ada = await somebody(server, spot)
    placed = await ada.place(pose(*spot), key="k")
    server.kill()
    again = await Client.connect(start(), token=ada.welcome["token"])
    await again.stand_at(*spot)
    assert await again.place(pose(*spot), key="k") == placed
    await refused("key_reused", again.place(pose(*spot, 31.0), key="k"))


async def test_a_key_is_known_after_more_changes_than_an_account_remembers(start, spot):
    server = start("--set", "connections.messagesBurst=2000")
    ada = await somebody(server, spot)
    placed = await ada.place(pose(*spot), key="first")
    gone = await ada.place(pose(*spot))
    for _ in range(11):
        await asyncio.gather(*(ada.remove(gone) for _ in range(100)))
    assert await ada.place(pose(*spot), key="first") == placed
    await refused("key_reused", ada.place(pose(*spot, 31.0), key="first"))


async def test_what_depends_on_a_position_is_refused_without_one(server, spot):
    async with unharmed(server, spot):
        ada = await Client.connect(server, new_name())
        await refused("position_required", ada.place(pose(*spot)))


async def test_an_object_that_is_not_ones_own_is_refused(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        for object in ("preset:unicorn", "", "x" * 1000, "preset:heart "):
            await refused("object_not_owned", ada.place(pose(*spot), object))


async def test_a_place_beyond_reach_is_refused_and_so_is_an_edit(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        near = await ada.place(pose(*away(*spot, north=99)))
        refusal = await refused("too_far", ada.place(pose(*away(*spot, north=101.5))))
        assert refusal.details["limit"] == "100"
        await refused("too_far", ada.edit(near, pose(*away(*spot, north=101.5))))
        await refused("too_far", ada.place(pose(-spot[0], spot[1] + 90)))
        await ada.remove(near)


@pytest.mark.parametrize("name", ["0000000000000", "zzzzzzzzzzzzz", "", "short", "0" * 1000, "!!!!!!!!!!!!!"])
async def test_what_is_not_there_is_not_found(server, spot, name):
    async with unharmed(server, spot) as cell:
        ada = await somebody(server, spot)
        ghost = {"id": name, "cell": cell, "version": 1}
        await refused("not_found", ada.select(ghost))
        await refused("not_found", ada.react(ghost, "like"))
        await refused("not_found", ada.edit(ghost, pose(*spot)))


@pytest.mark.parametrize("cell", ["", "x", "4cc91a4", "4cc91a4317", "ffffffffffffffff", "0", "X", "4cc91a431/realm"])
async def test_a_cell_that_is_none_is_refused(server, spot, cell):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        for asking in (ada.select, ada.remove):
            with pytest.raises(Refused) as caught:
                await asking({"id": "0000000000000", "cell": cell})
            assert caught.value.code in ("invalid_field", "not_found"), caught.value


async def test_an_unknown_reaction_is_refused(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        placed = await ada.place(pose(*spot))
        for reaction in ("boredom", "LIKE", "like ", "x" * 1000):
            await refused("unknown_reaction", ada.react(placed, reaction))
        assert (await ada.select(placed))["instance"].get("reactions", []) == []
        await ada.remove(placed)


async def test_somebody_elses_things_are_not_ones_own_to_change(server, spot):
    async with unharmed(server, spot):
        ada, bob = await somebody(server, spot), await somebody(server, spot)
        placed = await ada.place(pose(*spot))
        await refused("forbidden", bob.edit(placed, pose(*spot, 31.0)))
        await refused("forbidden", bob.remove(placed))
        assert (await ada.select(placed))["instance"] == placed
        await ada.remove(placed)


# MARK: - Quotas and caps


async def test_a_place_beyond_the_area_quota_is_refused(start, spot):
    server = start(placement__areaQuota=3)
    ada, bob = await somebody(server, spot), await somebody(server, spot)
    placed = [await ada.place(pose(*spot)) for _ in range(3)]
    refusal = await refused("quota_area", ada.place(pose(*spot)))
    assert (refusal.details["count"], refusal.details["limit"]) == ("3", "3")
    await bob.place(pose(*spot))  # everybody has their own
    await ada.remove(placed[0])
    await ada.place(pose(*spot))
    await refused("quota_area", ada.place(pose(*spot)))


async def test_the_area_quota_is_exact_when_devices_place_at_once_and_over_a_restart(start, spot):
    server = start(placement__areaQuota=7, placement__perMinute=1000, placement__perDay=1000)
    ada = await somebody(server, spot)
    devices = [ada] + [await Client.connect(server, token=ada.welcome["token"]) for _ in range(3)]
    for device in devices:
        await device.stand_at(*spot)
    outcomes = await asyncio.gather(*(d.place(pose(*spot)) for d in devices * 10), return_exceptions=True)
    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 7
    assert {o.code for o in outcomes if not isinstance(o, dict)} == {"quota_area"}
    server.kill()
    server = start(placement__areaQuota=7, placement__perMinute=1000, placement__perDay=1000)
    again = await Client.connect(server, token=ada.welcome["token"])
    cell = await again.stand_at(*spot)
    await again.view(cell)
    await refused("quota_area", again.place(pose(*spot)))
    await again.remove(next(iter(again.topics[cell].instances.values())))
    await again.place(pose(*spot))
    await refused("quota_area", again.place(pose(*spot)))


def passed_since(began, seconds, refusal):
    """Whether a refusal says to wait for what is left of a window that began after `began`, of this many seconds."""
    return 1000 * (seconds - (time.monotonic() - began)) - 1 <= refusal.retry_after <= 1000 * seconds


async def test_a_place_beyond_the_period_quota_is_refused_with_the_time_to_wait(start, spot):
    server = start(placement__perMinute=4)
    ada = await somebody(server, spot)
    began = time.monotonic()
    placed = [await ada.place(pose(*spot)) for _ in range(4)]
    refusal = await refused("quota_period", ada.place(pose(*spot)))
    assert (refusal.details["count"], refusal.details["limit"]) == ("4", "4")
    assert passed_since(began, 60, refusal)
    for instance in placed:
        await ada.remove(instance)
    await refused("quota_period", ada.place(pose(*spot)))  # removing gives nothing back
    server.kill()
    again = await Client.connect(start(placement__perMinute=4), token=ada.welcome["token"])
    await again.stand_at(*spot)
    await refused("quota_period", again.place(pose(*spot)))


async def test_a_place_beyond_the_daily_quota_is_refused_with_the_time_to_wait(start, spot):
    server = start(placement__perMinute=3, placement__perDay=3)
    ada = await somebody(server, spot)
    began = time.monotonic()
    for _ in range(3):
        await ada.place(pose(*spot))
    refusal = await refused("quota_period", ada.place(pose(*spot)))
    assert passed_since(began, 86_400, refusal), "until both windows have room"


async def test_the_period_quota_is_exact_when_devices_place_at_once_in_two_cells(start, spot):
    server = start(placement__perMinute=9, placement__areaQuota=1000)
    there = away(*spot, north=1000)
    ada = await somebody(server, spot)
    devices = [ada] + [await Client.connect(server, token=ada.welcome["token"]) for _ in range(3)]
    where = list(zip(devices, (spot, there, spot, there)))
    for device, at in where:
        await device.stand_at(*at)
    outcomes = await asyncio.gather(*(d.place(pose(*at)) for d, at in where * 10), return_exceptions=True)
    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 9
    assert {o.code for o in outcomes if not isinstance(o, dict)} == {"quota_period"}


async def test_refused_and_repeated_placements_use_up_no_quota(start, spot):
    server = start(placement__perMinute=3, placement__areaQuota=3)
    ada = await somebody(server, spot)
    for _ in range(5):
        await refused("too_far", ada.place(pose(*away(*spot, north=500))))
        await refused("object_not_owned", ada.place(pose(*spot), "preset:unicorn"))
        await ada.place(pose(*spot), key="one")
    await ada.place(pose(*spot), key="two")
    await ada.place(pose(*spot), key="three")
    await ada.place(pose(*spot), key="three")
    await refused("quota_period", ada.place(pose(*spot)))


async def test_a_full_cell_takes_no_more(start, spot):
    server = start(cells__instancesMax=3)
    ada, bob = await somebody(server, spot), await somebody(server, spot)
    placed = [await ada.place(pose(*spot)) for _ in range(3)]
    refusal = await refused("cell_full", bob.place(pose(*spot)))
    assert refusal.details["limit"] == "3"
    await ada.remove(placed[0])
    await bob.place(pose(*spot))


async def test_more_reactions_than_a_minute_allows_are_refused_with_the_time_to_wait(start, spot):
    server = start(reactions__perMinute=5)
    ada = await somebody(server, spot)
    placed = await ada.place(pose(*spot))
    began = time.monotonic()
    for turn in range(5):
        await ada.react(placed, ["like", "wow"][turn % 2])
    refusal = await refused("rate_limited", ada.react(placed, "sad"))
    assert passed_since(began, 60, refusal)
    assert totals((await ada.select(placed))["instance"]) == {"like": 1}


# MARK: - Too much at once


async def test_messages_beyond_the_burst_are_refused_with_the_time_to_wait(start, spot):
    server = start(connections__messagesPerSecond=10, connections__messagesBurst=30)
    async with unharmed(server, spot) as cell:
        ada = await somebody(server, spot)
        ghost = {"instance": "0000000000000", "cell": cell}
        began = time.monotonic()
        asked = [await ada.post("select", ghost) for _ in range(60)]
        outcomes = [outcome.code for outcome in await asyncio.gather(*asked, return_exceptions=True)]
        # The burst, less what came before, and what is refilled meanwhile.
        assert 27 <= outcomes.count("not_found") <= 31 + 10 * (time.monotonic() - began)
        assert outcomes.count("rate_limited") == 60 - outcomes.count("not_found")
        refusals = [asked[at].exception() for at, code in enumerate(outcomes) if code == "rate_limited"]
        assert all(0 < refusal.retry_after <= 100 for refusal in refusals), refusals[0].retry_after
        await asyncio.sleep(refusals[-1].retry_after / 1000)
        await refused("not_found", ada.ask("select", ghost))


async def flood(client, text):
    """Sends until the server closes, and reads meanwhile: what it has said is lost to a client that writes on to a
    connection which is reset."""
    with contextlib.suppress(websockets.ConnectionClosed):
        for _ in range(100_000):
            if client.closing or client.end:
                return
            await client.send(text)
            await asyncio.sleep(0)


async def test_a_flood_of_messages_ends_the_connection(start, spot):
    server = start(connections__messagesPerSecond=10, connections__messagesBurst=10)
    ada = await somebody(server, spot)
    await flood(ada, '{"share":{}}')
    assert (await ada.until_ended())[0] == 4002


async def test_lasting_excess_ends_the_connection(start, spot):
    server = start(connections__messagesPerSecond=5, connections__messagesBurst=5)
    ada = await Client.connect(server, new_name())
    # Some forty times the limit.
    with contextlib.suppress(websockets.ConnectionClosed):
        for _ in range(1_000):
            if ada.closing or ada.end:
                break
            for _ in range(10):
                await ada.send('{"position":{"lat":1,"lon":1,"h":1}}')
            await asyncio.sleep(0.05)
    await ada.until_ended()
    assert ada.end is not None and ada.end[0] == 4002, ada.end


async def test_one_connection_too_many_of_an_account_is_refused_and_closed(server, spot):
    async with unharmed(server, spot):
        ada = await somebody(server, spot)
        devices = [await Client.connect(server, token=ada.welcome["token"]) for _ in range(4)]
        sixth = await Client.connect(server, hello=False)
        refusal = await refused(
            "too_many_connections", sixth.ask("hello", {"version": 1, "frontEnd": "bot", "token": ada.welcome["token"]})
        )
        assert refusal.details["limit"] == "5"
        assert await sixth.until_ended() == (4102, "too_many_connections")
        await ada.stand_at(*spot)
        await devices[0].close()

        async def again():
            with contextlib.suppress(Refused):
                return await Client.connect(server, token=ada.welcome["token"])

        while not await again():  # the server hears of a closed connection when it hears of it
            pass


# MARK: - At the door


async def status_of(server, path="/v1", **more):
    """HTTP status that answers a handshake; 101 when it is taken."""
    more = {"subprotocols": ["cairn.v1.json"], "compression": None, "close_timeout": 2, **more}
    try:
        socket = await websockets.connect(f"ws://{server.host}:{server.port}{path}", **more)
    except websockets.InvalidStatus as error:
        return error.response.status_code
    await socket.close()
    return 101


async def test_a_page_of_another_origin_may_not_connect(start, spot):
    server = start(listen__originsAllowed="https://example.org")
    own = f"{server.host}:{server.port}"
    foreign = [
        "https://evil.example", "http://evil.example", "null", f"https://{own}", f"http://{server.host}",
        f"http://{own}.evil.example", f"http://{own}@evil.example", f"http://evil.example/{own}",
        "https://example.org.evil.example", "http://example.org", "https://example.org:444",
        "https://sub.example.org", f"file://{own}", "http://",
    ]  # fmt: skip
    async with unharmed(server, spot):
        for origin in foreign:
            assert await status_of(server, origin=origin) == 403, origin
        for origin in (f"http://{own}", "https://example.org", "HTTPS://EXAMPLE.ORG", None):
            assert await status_of(server, origin=origin) == 101, origin


async def test_an_unknown_path_is_not_found(server, spot):
    async with unharmed(server, spot):
        for path in ("/", "/v2", "/v1/", "/V1", "/v1/../x", "/echo", "/%2e%2e/v1x"):
            assert await status_of(server, path) == 404, path


async def test_a_handshake_without_a_subprotocol_of_ours_is_refused(server, spot):
    async with unharmed(server, spot):
        assert await status_of(server, subprotocols=None) == 400
        assert await status_of(server, subprotocols=["cairn.v2.json"]) == 400
        assert await status_of(server, subprotocols=["CAIRN.V1.JSON"]) == 400
        assert await status_of(server, subprotocols=["chat", "cairn.v1.json"]) == 101


async def test_every_refusal_is_counted_by_its_code(start, spot):
    server = start()
    ada = await somebody(server, spot)
    for _ in range(3):
        await refused("too_far", ada.place(pose(*away(*spot, north=500))))
    await server.until_figure('cairn_refusals_total{code="too_far"}', 3)
