"""Requests of every kind, their fields by chance: each has one answer, none is a fault of the server, and afterwards
all is well.

The kinds and fields come from the schema, so a new request is among them as soon as it exists. Values are at and
beyond the bounds, ids and codes are those that the server has told anybody.

    CAIRN_REQUESTS=100000 pytest Tests/EndToEndTests/test_random_requests.py -s             the long run
"""

import asyncio
import base64
import collections
import itertools
import os
import random

import pytest

from accounts import MANY, sign_up
from cairn import SCHEMA, Client, Ended, Refused, pose
from server import run
from test_tours import makers, point, published

REQUESTS = int(os.environ.get("CAIRN_REQUESTS", "4000"))
SEED = int(os.environ.get("CAIRN_REQUESTS_SEED", "5"))
KINDS = {kind: request["type"] for kind, request in SCHEMA["requests"].items()}

#: Requests that end somebody's account or connection: seldom, or nobody is left.
SELDOM = {"deleteAccount", "signOut", "suspend", "setRole", "endDevice", "suspendOrganisation", "leaveOrganisation"}
#: Hashing of passwords has a thread of its own and takes long.
COSTLY = {"signUp", "signIn", "recover", "resetPassword", "changePassword", "changeEmail", "addPassword"}

TEXTS = [
    "", " ", "a", "0", "-1", "null", "a" * 64, "a" * 65, "ä" * 5_000, "x\0y", "\u202e\u200b", "👩‍🚀" * 40, "{}", "%s%n",
    "../../etc/passwd", "'; DROP TABLE accounts; --", "<script>alert(1)</script>", "preset:heart",
    "like", "realm", "en", "de-CH", "1e400",
    "135b19d4f", "0000000000000", "fzzzzzzzzzzzz", "zzzzzzzzzzzzz", "application/json", "display.theme", "dark",
]  # fmt: skip
NUMBERS = [
    0.0, -0.0, 1.0, -1.0, 0.5, 90.0, -90.0, 90.00001, 180.0, -180.0, 1e-300, 5e-324, 1e30, 1e308, -1e308, "NaN",
    "Infinity", "-Infinity",
]  # fmt: skip
WHOLE = {
    "int32": [0, 1, -1, 2**31 - 1, -(2**31)], "sint32": [0, 1, -1, 2**31 - 1, -(2**31)],
    "uint32": [0, 1, 2, 20, 2**31, 2**32 - 1], "int64": [0, 1, -1, 1_795_000_000_000, 2**63 - 1, -(2**63)],
    "uint64": [0, 1, 2**63, 2**64 - 1], "fixed64": [0, 1, 2**64 - 1],
}  # fmt: skip

NUMBERS_OF_PEOPLE = itertools.count()


class Chance:
    """Requests by chance."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.told = {}  # name of a field -> ids, codes and tokens that the server has told anybody in it

    def hear(self, value, name=""):
        """Remembers the texts of an answer."""
        if isinstance(value, dict):
            for key, part in value.items():
                self.hear(part, key)
        elif isinstance(value, list):
            for part in value[:20]:
                self.hear(part, name)
        elif isinstance(value, str) and 4 <= len(value) <= 64:
            texts = self.told.setdefault(name, [])
            texts.append(value)
            if len(texts) > 50:
                texts.pop(self.dice.randrange(50))

    def text(self, name):
        """Mostly what was told under that name, or as an `id`."""
        names = [one for one in (name, name.removesuffix("s"), "id") if one in self.told]
        if self.dice.random() < 0.2 or not self.told:
            return self.dice.choice(TEXTS)
        if not names or self.dice.random() < 0.2:
            names = list(self.told)
        return self.dice.choice(self.told[self.dice.choice(names)])

    def body(self, message, depth=0):
        """A message in which most fields are set, and one of each `oneof`."""
        fields = SCHEMA["messages"][message]["fields"]
        choices = [[field] for field in fields if not field["oneof"]] + [
            [field for field in fields if field["oneof"] == name]
            for name in sorted({field["oneof"] for field in fields} - {""})
        ]
        chosen = [self.dice.choice(choice) for choice in choices if self.dice.random() < 0.8]
        return {field["name"]: self.value(field, depth) for field in chosen}

    def value(self, field, depth):
        if field["label"] == "repeated":
            return [self.one(field, depth + 1) for _ in range(self.dice.choice([0, 1, 1, 2, 3, 30]))]
        return self.one(field, depth)

    def one(self, field, depth):
        kind, dice = field["type"], self.dice
        if kind in SCHEMA["messages"]:
            return self.body(kind, depth + 1) if depth < 6 else {}
        if kind in SCHEMA["enums"]:
            return dice.choice([value["name"] for value in SCHEMA["enums"][kind]] + [99, -1])
        if kind in WHOLE:
            number = dice.choice([*WHOLE[kind], dice.randrange(100)])
            return number if kind.endswith("32") else str(number)
        match kind:
            case "bool":
                return dice.random() < 0.5
            case "double" | "float":
                near = {"lat": point(0)["lat"], "lon": point(0)["lon"]}.get(field["name"])
                if near is not None and dice.random() < 0.7:
                    return near + dice.uniform(-0.001, 0.001)
                number = dice.choice(NUMBERS)
                # JSON has no such float.
                return 3e38 if kind == "float" and isinstance(number, float) and abs(number) > 3e38 else number
            case "bytes":
                return base64.b64encode(dice.randbytes(dice.choice([0, 1, 16, 4_000]))).decode()
            case "string":
                return self.text(field["name"])
        assert kind == "map<string, string>", kind
        return {dice.choice(TEXTS): dice.choice(TEXTS) for _ in range(dice.randrange(3))}

    def kind(self):
        kind = self.dice.choice(list(KINDS))
        rare = kind in SELDOM or kind in COSTLY
        return self.kind() if rare and self.dice.random() < 0.95 else kind


@pytest.fixture
def settings():
    return {
        "accounts__open": "true", "tours__createdPerHour": 10_000, "tours__runChangesPerMinute": 10_000,
        "connections__messagesPerSecond": 10_000,
        "connections__messagesBurst": 100_000, "connections__bytesPerSecond": 100_000_000,
        "connections__bytesBurst": 1_000_000_000, **MANY,
    }  # fmt: skip


async def people(server):
    """An admin, users of an organisation with a tour, people with a name alone, and a guest, all at one place."""
    root, ada, bea = await makers(server, "ada", "bea")
    eve = await sign_up(server, "eve")
    named = [await Client.connect(server, name) for name in ("bob", "cat", "dan")]
    guest = await Client.connect(server)
    for client in (ada, bea, eve, *named):
        await client.ask("position", {**point(0), "h": 10})
    await published(ada)
    return [root, ada, bea, eve, *named, guest]


class Asker:
    """One of those who ask, over all their connections."""

    def __init__(self, server, chance, client):
        self.server, self.chance, self.client = server, chance, client
        self.is_guest = client.welcome["role"] == "guest"
        self.codes = collections.Counter()
        self.kinds = set()

    async def ask(self, count):
        for _ in range(count):
            kind = self.chance.kind()
            body = self.chance.body(KINDS[kind])
            code = await self.code(kind, body)
            assert "internal" not in (code, (self.client.closing or {}).get("code")), (kind, body)
            assert self.server.is_running, (kind, body, self.server.log()[-3_000:])
            self.codes[code] += 1
            self.kinds.add(kind)
            if code == "ended" or code == "not_signed_in" and not self.is_guest:
                await self.come_anew()

    async def code(self, kind, body):
        try:
            self.chance.hear(await self.client.ask(kind, body))
        except Refused as refusal:
            return refusal.code
        except Ended:
            return "ended"
        return "done"

    async def come_anew(self):
        self.client = await Client.connect(self.server, "" if self.is_guest else f"new-{next(NUMBERS_OF_PEOPLE)}")
        if not self.is_guest:
            await self.client.ask("position", {**point(0), "h": 10})


@pytest.mark.seconds(120 + REQUESTS // 20)
async def test_requests_by_chance_are_answered_and_harm_nobody(start, settings):
    server = start(**settings)
    chance = Chance(SEED)
    askers = [Asker(server, chance, client) for client in await people(server)]
    before = server.resident_bytes()
    await asyncio.gather(*(asker.ask(REQUESTS // len(askers)) for asker in askers))
    # What they left is sound, and others go on as ever.
    other = await Client.connect(server, "zed")
    await other.stand_at(10.0, 10.0)
    placed = await other.place(pose(10.0, 10.0))
    assert other.sees(placed)
    grown = server.resident_bytes() - before
    assert grown < 200 << 20, grown
    assert '"level":"critical"' not in server.log()
    server.kill()
    done = run("verify", "--data", server.folder, "--set", f"storage.keyFile={server.folder}.key", seconds=60)
    assert done.returncode == 0, done.stdout + done.stderr
    codes = sum((asker.codes for asker in askers), collections.Counter())
    kinds = set().union(*(asker.kinds for asker in askers))
    assert len(kinds) > len(KINDS) * 0.8 and codes["done"] > REQUESTS / 50, codes
    print(f"{REQUESTS} requests of {len(kinds)} kinds: {dict(codes.most_common())}; {grown >> 20} MiB grown")
