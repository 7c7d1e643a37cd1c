"""What all kinds of messages together may make the server keep: each kind over and over, and the bytes of stored
replies.

    CAIRN_REPEATS=1000 pytest Tests/EndToEndTests/test_each_kind.py -s -k each_kind         by hand; make test-long: 200
"""

import asyncio
import collections
import json
import os
import sqlite3
import sys
import time
from types import SimpleNamespace

import pytest

from accounts import PASSWORD, person, sign_up
from cairn import PATIENCE, Client, Ended, Refused, pose
from paces import HELD_UP
from swarm import pause, percentile
from test_keeping import WIDE, count, long_popup, times
from test_random_requests import COSTLY, KINDS, SELDOM, Chance, settings  # noqa: F401
from test_tours import FACTS, draft, makers, point

REPEATS = int(os.environ.get("CAIRN_REPEATS", "40"))

# MARK: - Every kind

#: A letter that counts once and takes 25 bytes.
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
#: Requests of one kind that are sent at once, where a connection may have more than one under way.
AT_ONCE = 20
#: Kinds that end the sender's account or connection, or hash a password: they have a test of their own.
LEFT_OUT = SELDOM | COSTLY | {"hello"}
#: The most of a stored reply (StoredReply.bytesMax), and what is sealed of it.
REPLY_MAX = 4_096 + 64 + 160


def stored(server):
    """How many stored replies there are, the bytes of all and of the largest one, and the bytes of the database."""
    database = sqlite3.connect(server.folder / "cairn.sqlite")
    try:
        replies = database.execute(
            "SELECT count(*), coalesce(sum(length(sealed) + 160), 0), coalesce(max(length(sealed)), 0) "
            "FROM kept_answers")
        pages, free, size = [
            database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")]
        return (*replies.fetchone(), (pages - free) * size)
    finally:
        database.close()


class Storm:
    """Requests of each kind, over and over, as one account and as one guest: half of them as long as they may be, the
    others by chance."""

    def __init__(self, server, ada, guest, chance):
        self.server, self.chance = server, chance
        self.clients = {"ada": ada, "guest": guest}
        self.token = ada.welcome["token"]
        self.codes = collections.Counter()
        self.sent = 0
        self.singly = set()  # kinds of which a connection has one under way at a time
        self.longest = {}  # kind -> a body for a number

    async def make(self):
        """What the long requests are about."""
        ada = self.clients["ada"]
        realm = (await ada.ask("createRealm", {"name": FAMILY * 50, "description": FAMILY * 500}))["id"]
        tour = await draft(ada)
        self.chance.hear({"tour": tour, "realm": realm})
        self.longest = {
            "createRealm": lambda n: {"name": FAMILY * 50, "description": FAMILY * 500},
            "editRealm": lambda n: {"realm": realm, "open": n % 2 == 0},
            "place": lambda n: {"object": "preset:heart", "pose": pose(**point(n % 50)), "text": FAMILY * 100},
            "createPost": lambda n: {"text": FAMILY * 200},
            "sendFeedback": lambda n: {"text": FAMILY * 400},
            "saveSettings": lambda n: {"settings": [{"key": "display.theme", "value": ("dark", "light")[n % 2]}]},
            "editProfile": lambda n: {"bio": FAMILY * 100 + str(n)},
            "createTour": lambda n: {"facts": FACTS},
            "setTourPopup": lambda n: {"tour": tour, "popup": long_popup(n % 200, 3_000)},
            "publishTour": lambda n: {"tour": tour},
            "getTour": lambda n: {"tour": tour, "draft": True},
        }

    def body(self, who, kind, number):
        make = self.longest.get(kind) if who == "ada" and number % 2 == 0 else None
        return make(number) if make else self.chance.body(KINDS[kind])

    async def at_once(self, who, kind, bodies):
        """The codes of requests that are sent at once; a connection that ends is opened again."""
        client, codes = self.clients[who], []
        answers = [await client.post(kind, body) for body in bodies]
        await asyncio.wait(answers, timeout=PATIENCE)
        for answer, body in zip(answers, bodies):
            assert answer.done(), (kind, body)
            fault = answer.exception()
            if fault is None:
                self.chance.hear(answer.result())
            assert fault is None or isinstance(fault, (Refused, Ended)), fault
            codes.append("done" if fault is None else getattr(fault, "code", "ended"))
            assert codes[-1] != "internal", (kind, body)
        if "ended" in codes:
            self.clients[who] = await Client.connect(self.server, **({} if who == "guest" else {"token": self.token}))
        self.codes.update(codes)
        self.sent += len(codes)
        return codes

    async def round(self, count):
        for kind in KINDS:
            for who in self.clients if kind not in LEFT_OUT else ():
                bodies = [self.body(who, kind, number) for number in range(min(count, AT_ONCE))]
                left = count
                while left > 0:
                    some = bodies[: 1 if (who, kind) in self.singly else min(left, AT_ONCE)]
                    codes = await self.at_once(who, kind, some)
                    left -= len(codes)
                    if len(codes) > 1 and codes.count("try_again") >= len(codes) // 2:
                        # They were refused unlooked at: once more, one after the other.
                        self.singly.add((who, kind))
                        left += codes.count("try_again")


@pytest.mark.alone
@pytest.mark.seconds(120 + REPEATS * 4)
async def test_each_kind_over_and_over_keeps_no_more_than_the_limits_say(start, settings):  # noqa: F811
    """As one account and as one guest, with the rate limits raised: the disk has no more than docs/limits.md says, and
    memory does not grow with the number of requests. Others' waits are measured in turns, with and without."""
    replies, drafts = 12 << 20, 65_536
    server = start(**{
        **settings, "tours__draftBytesMax": drafts, "storage__cacheMegabytes": 2,
        "tours__editsPerMinute": 100_000, "tours__looksPerMinute": 100_000, "friends__looksPerMinute": 100_000,
        "posts__listsPerMinute": 100_000, "reactions__perMinute": 10_000,
        "connections__requestsInFlightMax": 64})  # fmt: skip
    _, ada = await makers(server, "ada")
    await ada.ask("position", {**point(0), "h": 10})
    storm = Storm(server, ada, await Client.connect(server), Chance(7))
    await storm.make()
    other = await asyncio.create_subprocess_exec(
        sys.executable, __file__, server.host, str(server.port), stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE)
    rounds = max(REPEATS // AT_ONCE, 4)
    each, spans, memory = max(REPEATS // rounds, 1), [], []
    await storm.round(1)
    before = stored(server)
    for _ in range(rounds):
        quiet = time.time()
        await pause(2)
        began = time.time()
        await storm.round(each)
        spans.append((quiet, began, time.time()))
        memory.append(server.resident_bytes())
        assert server.is_running and '"level":"critical"' not in server.log()
    said, _ = await other.communicate(b"\n")
    assert other.returncode == 0
    after, waits = stored(server), json.loads(said)
    without = [took for at, took in waits if any(quiet <= at < began for quiet, began, _ in spans)]
    beside = [took for at, took in waits if any(began <= at < ended for _, began, ended in spans)]
    usual, beside = percentile(without, 0.99), percentile(beside, 0.99)
    print(f"{storm.sent} requests, {each * rounds} of each kind: {dict(storm.codes.most_common(12))}\n"
          f"stored replies {after[0]}, {after[1] >> 10} KiB, the largest {after[2]} bytes; "
          f"database {before[3] >> 10}, then {after[3] >> 10} KiB; memory {[one >> 20 for one in memory]} MiB\n"
          f"another person: p99 {1000 * usual:.1f} ms without, {1000 * beside:.1f} ms beside: {beside / usual:.2f}")
    assert storm.codes["done"] > each * rounds, storm.codes
    # The replies of one account and day, and one that was under way.
    assert after[1] <= replies + REPLY_MAX and after[2] <= REPLY_MAX, after
    # Beside them the drafts of the organisation, and a MiB for all that has a bound in number.
    tours = count(server, "tours")
    assert after[3] - before[3] <= after[1] + tours * drafts + (8 << 20), (before, after, tours)
    # What is kept in memory, such as the keys of an account, is full after half of the time.
    assert memory[-1] < 1.1 * max(memory[: rounds // 2]), memory
    assert beside < (1.2 if REPEATS >= 1_000 else HELD_UP) * usual


# MARK: - Kinds that hash a password or end a session

#: Beside their long forms below they are sent as they come by chance.
ENTRANCES = {
    "signUp": lambda n: person(f"new-{n}"),
    "signIn": lambda n: {"login": "bob", "password": f"wrong-{n}"},
    "recover": lambda n: {"email": f"nobody-{n % 50}@example.org"},
    "resetPassword": lambda n: {"code": f"{n}" * 20, "password": PASSWORD},
    "changePassword": lambda n: {"current": f"wrong-{n}", "password": PASSWORD},
    "changeEmail": lambda n: {"email": f"ada-{n}@example.org", "password": f"wrong-{n}"},
    "addPassword": lambda n: {"email": f"ada-{n}@example.org", "password": PASSWORD},
    "endDevice": lambda n: {"others": True},
    "signOut": lambda n: {},
    "deleteAccount": lambda n: {"password": f"wrong-{n}"},
}
#: The most that one account of a sign-up adds to the disk, with its indexes, second copies, mail and audit entry.
ACCOUNT_MAX = 16_384


@pytest.mark.seconds(120 + REPEATS * 2)
async def test_each_kind_that_hashes_or_ends_a_session_keeps_no_more_than_the_limits_say(start, settings):  # noqa: F811
    """As one account, whose session begins anew each time it has ended, and as one guest."""
    server = start(**{**settings, "listen__signInsPerMinutePerAccount": 100_000, "storage__cacheMegabytes": 2})
    await sign_up(server, "bob")
    chance, codes = Chance(7), collections.Counter()
    before, memory, made = stored(server)[3], [], 1

    async def come(is_guest):
        """The guest, or the account: another one where the one before has a password by now, or is deleted."""
        nonlocal made
        if is_guest:
            return await Client.connect(server)
        try:
            return await Client.connect(server, f"eve-{made}")
        except Refused:
            made += 1
            return await Client.connect(server, f"eve-{made}")

    for part in range(4):
        for kind in sorted(SELDOM | COSTLY):
            for is_guest in (True, False):
                client = await come(is_guest)
                for number in range(REPEATS // 4 if REPEATS >= 200 else 2):
                    make = ENTRANCES.get(kind) if number % 2 == 0 else None
                    body = make(int(f"1{part}{is_guest:d}{number:05}")) if make else chance.body(KINDS[kind])
                    try:
                        await client.ask(kind, body)
                        code = "done"
                    except (Refused, Ended) as fault:
                        code = getattr(fault, "code", "ended")
                    assert code != "internal", (kind, body)
                    codes[code] += 1
                    made += kind == "signUp" and code == "done"
                    if code in ("ended", "done") or code == "not_signed_in" and not is_guest or client.closing:
                        await client.close()
                        client = await come(is_guest)
                await client.close()
        memory.append(server.resident_bytes())
        assert server.is_running and '"level":"critical"' not in server.log()
    replies, kept, largest, after = stored(server)
    print(f"{codes.total()} requests: {dict(codes.most_common(12))}; {made} accounts; database {before >> 10}, then "
          f"{after >> 10} KiB; memory {[one >> 20 for one in memory]} MiB")
    assert codes["done"] > 8 and kept <= (12 << 20) and largest <= REPLY_MAX, codes
    assert after - before <= kept + made * ACCOUNT_MAX + (2 << 20), (before, after, made)
    assert memory[-1] < 1.1 * max(memory[:2]), memory


async def another_person(host, port):
    """Asks again and again until a line comes in, and prints when and how long each took: in a process of its own,
    because what it waits for the interpreter of those who storm is not the server's."""
    bob = await Client.connect(SimpleNamespace(url=f"ws://{host}:{port}/v1", tls=None), "bob")
    over = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    waits = []
    while not over.done():
        for kind in ("listRealms", "listFriends", "getProfile"):
            began = time.time()
            await bob.ask(kind)
            waits.append((began, time.time() - began))
            await pause(0.01)
    print(json.dumps(waits))


# MARK: - Bytes of stored replies


async def test_bytes_of_stored_replies_have_a_bound_of_a_day_also_after_a_restart(start):
    """Each of these edits of 60 bytes keeps 1.8 KB, before the change of any length; 10,000 a day were taken."""
    few = {"changes__perDay": 100, "placement__perMinute": 1, "placement__perDay": 1, "placement__changesPerMinute": 1,
           "placement__changesPerDay": 1, **WIDE}  # fmt: skip
    server = start(changes__kilobytesPerDay=64, **few)
    ada, bob = await Client.connect(server, "ada"), await Client.connect(server, "bob")
    token = ada.welcome["token"]
    # 2 KiB are stored whole.
    realm = (await ada.ask("createRealm", {"name": "Club", "description": "\u0939" * 500}))["id"]
    taken, refusal = await times(ada, "editRealm", lambda n: {"realm": realm, "open": n % 2 == 0}, 100)
    assert 25 < taken < 45 and refusal.code == "rate_limited", (taken, refusal)
    assert refusal.details["limit"] == str(64 << 10) and refusal.details["period"] == "day" and refusal.retry_after > 0
    replies, kept, largest, _ = stored(server)
    assert replies == taken + 1 and kept <= 64 << 10 and largest < 2_000, (replies, kept, largest)
    await server.until_figure("cairn_reply_bytes_refused_total", 1)
    # Others have their own day, and questions go on.
    await bob.ask("createRealm", {"name": "Other"})
    assert (await ada.ask("listRealms"))["realms"][0]["description"] == "\u0939" * 500
    server.kill()
    server = start(changes__kilobytesPerDay=64, **few)
    ada = await Client.connect(server, token=token)
    assert (await times(ada, "editRealm", lambda n: {"realm": realm, "name": f"Club {n}"}, 5))[0] == 0
    server.kill()
    server = start(changes__kilobytesPerDay=96, **few)
    ada = await Client.connect(server, token=token)
    assert (await times(ada, "editRealm", lambda n: {"realm": realm, "name": f"Club {n}"}, 5))[0] == 5


async def test_no_edit_of_a_long_subrealm_keeps_its_texts(start):
    """Before, each edit_realm of 60 bytes kept 13.8 KB: 138 MB an account and day."""
    server = start(**WIDE)
    ada = await Client.connect(server, "ada")
    realm = (await ada.ask("createRealm", {"name": FAMILY * 50, "description": FAMILY * 500}))["id"]
    taken, _ = await times(ada, "editRealm", lambda n: {"realm": realm, "open": n % 2 == 0}, 20)
    _, _, largest, _ = stored(server)
    assert taken == 20 and largest < 400, (taken, largest)


async def test_a_retry_gets_what_its_long_answer_has_kept(start):
    """Texts that the retry brings come back, others are read again; nothing is done twice."""
    server = start(**WIDE)
    ada = await Client.connect(server, "ada")
    token = ada.welcome["token"]
    creation = {"name": "Club", "description": FAMILY * 500}
    created = await ada.ask("createRealm", creation, key="create")
    edit = {"realm": created["id"], "open": True}
    edited = await ada.ask("editRealm", edit, key="edit")
    short = await ada.ask("createRealm", {"name": "Short", "description": "A few words."}, key="short")

    async def again(client):
        assert await client.ask("createRealm", creation, key="create") == created
        left = {name: value for name, value in edited.items() if name not in ("name", "description")}
        assert await client.ask("editRealm", edit, key="edit") == left
        assert await client.ask("createRealm", {"name": "Short", "description": "A few words."}, key="short") == short

    await again(ada)
    server.kill()
    server = start(**WIDE)
    ada = await Client.connect(server, token=token)
    await again(ada)
    assert len((await ada.ask("listRealms"))["realms"]) == 2


if __name__ == "__main__":
    asyncio.run(another_person(sys.argv[1], int(sys.argv[2])))
