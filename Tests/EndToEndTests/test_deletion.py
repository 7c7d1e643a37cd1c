"""Deletion of an account: what goes, what stays, who learns of it, and that a crash loses none of it (CMP-3, CMP-1).

The long form of the run with many things: CAIRN_DELETION=1 pytest -s test_deletion.py -k many
"""

import asyncio
import os
import sqlite3
import statistics
import time

import pytest

from accounts import MANY, PASSWORD, Mailbox, guest, person, sign_in, sign_up
from backend import Backend
from cairn import PATIENCE, Client, away, eventually, pose, totals
from operators import Desk
from paces import timed
from pictures import png, show
from server import get
from swarm import pause
from test_friends import befriend, friends, of
from test_live_space import refused
from test_settings import settings
from test_shared import create, members

#: How much of what the issue names one person has; 1 = all.
SCALE = float(os.environ.get("CAIRN_DELETION", 0.012))
PLAIN = {"accounts__open": "false", "accounts__privacy": "everyone", **MANY}


@pytest.fixture
def mailbox(tmp_path):
    return Mailbox(tmp_path / "mail")


@pytest.fixture
def world(start, mailbox):
    return start(**PLAIN, **mailbox.settings)


async def test_a_deleted_person_is_not_renamed_back(world):
    """CMP-3: a device renames while another one deletes. The deletion wins, whichever comes first."""
    seeker = await sign_up(world, "seeker")
    for number in range(12):
        ada = await sign_up(world, f"gone{number}")
        other = await sign_in(world, f"gone{number}")
        renames = [await other.post("editProfile", {"username": f"ghost{number}x{again}"}) for again in range(6)]
        await ada.ask("deleteAccount", {"password": PASSWORD})
        await asyncio.wait(renames)
        assert all(one.exception() is None or one.exception().code != "internal" for one in renames)

    async def nobody():
        found = [await seeker.ask("findUsers", {"prefix": name}) for name in ("ghost", "gone")]
        return not any(page.get("users") for page in found)

    await eventually(nobody, "somebody who is deleted is found")


def database(server):
    connection = sqlite3.connect(f"file:{server.folder}/cairn.sqlite?mode=ro", uri=True)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return connection, [name for name in names if not name.startswith(("sqlite_", "grdb_", "cairn_"))]


def counts(server):
    """Rows of each table."""
    connection, names = database(server)
    with connection:
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


def mentions(server, account):
    """Tables in which a number stands in the clear."""
    connection, names = database(server)
    found = {}
    with connection:
        for name in names:
            count = sum(account in row for row in connection.execute(f"SELECT * FROM {name}"))
            if count:
                found[name] = count
    return found


def number(server):
    """The number of the newest account, as the database has it."""
    connection, _ = database(server)
    with connection:
        return connection.execute("SELECT max(id) FROM accounts").fetchone()[0]


async def done(server, count=1, seconds=PATIENCE):
    """The deletions are done; count=None: perhaps by a server before."""

    async def is_done():
        page = (await get(f"{server.http}/metrics"))[2]
        return (count is None or f"cairn_deletions_total {count}\n" in page) and "cairn_deletions_waiting 0\n" in page

    await eventually(is_done, "the end of the deletion", seconds)


async def test_everything_of_a_person_goes_and_everybody_who_sees_it_is_told(world, mailbox, spot):
    bob, eve = await sign_up(world, "bob"), await sign_up(world, "eve")
    await bob.stand_at(*spot)
    await eve.stand_at(*spot)
    tree = await bob.place(pose(*spot), text="tree")
    said = await bob.make_post("hello")
    before = counts(world)

    ada = await sign_up(world, "ada", language="fr")
    account = number(world)
    await (await guest(world)).ask("verifyEmail", {"code": await mailbox.code("ada@example.org", "verify")})
    cell = await ada.stand_at(*spot)
    heart = await ada.place(pose(*away(*spot, north=2)), text="of ada")
    post = await ada.make_post("ada was here")
    await ada.react(tree, "love")
    await ada.vote(said, 1)
    await befriend(ada, bob)
    await eve.ask("requestFriend", of(ada))
    garden = await create(ada, bob, name="Garden")
    alone = await create(ada, name="Attic")
    await ada.place(pose(*away(*spot, north=3)), realms=[garden])
    await ada.ask("invite", {"realm": garden, **of(eve)})
    await ada.ask("saveSettings", settings(accessibility__language="fr"))
    await ada.ask("sendFeedback", {"category": "idea", "text": "of ada"}, key="feedback")
    picture = await show(ada, png(seed=4))
    await show(ada, png(seed=5))
    await bob.until(lambda: bob.sees(heart) and bob.sees(post), "what ada placed")
    second = await sign_in(world, "ada")
    await refused("invalid_credentials", ada.ask("deleteAccount", {"password": "wrong"}))
    await refused("invalid_credentials", ada.ask("deleteAccount"))
    assert bob.sees(heart) and mentions(world, account)["instances"] == 2

    await ada.ask("deleteAccount", {"password": PASSWORD})
    # Acknowledged: nobody is signed in to it or can sign in, and nobody finds the person.
    for connection in (ada, second):
        await refused("not_signed_in", connection.ask("getProfile"))
    await refused("invalid_credentials", (await guest(world)).ask("signIn", {"login": "ada", "password": PASSWORD}))
    assert (await Client.connect(world, token=ada.welcome["token"])).welcome["role"] == "guest"
    await refused("user_not_found", bob.ask("readProfile", of(ada)))
    assert "users" not in await bob.ask("findUsers", {"prefix": "ada"})
    assert await friends(bob) == []
    for one in (bob, eve):
        await one.until(lambda one=one: not one.sees(heart) and not one.sees(post), "that ada's things leave")
    await bob.until(lambda: totals_of(bob, tree) == {}, "that the reaction is gone")
    await bob.until(lambda: score_of(bob, said) == 0, "that the vote is gone")
    assert not any(one.person("ada") for one in (bob, eve))

    # The friend is the next owner; nobody else's sub-realm is empty, so it is gone.
    async def is_bobs():
        return [entry["standing"] for entry in (await bob.ask("listRealms")).get("realms", [])] == ["owner"]

    await eventually(is_bobs, "that bob owns the sub-realm")
    assert list(await members(bob, garden)) == ["bob"]
    assert alone != garden and "invitations" not in await eve.ask("listRealms")

    await done(world)
    left = mentions(world, account)
    assert set(left) <= {"reserved_names", "audit"}, left
    after = counts(world)
    assert after["deletions"] == 0
    # Bob's sub-realm with his membership, the reserved name, and what others have sent and were told of.
    own = {"realms": 1, "realm_members": 1, "reserved_names": 2}
    free = {"kept_answers", "engagement", "engagement_active", "familiar", "timers", "outbox", "world"}
    for name in set(before) - free:
        assert after[name] == before[name] + own.get(name, 0), (name, before[name], after[name])
    assert cell and picture
    world.logged("an account was deleted")
    log = world.log()
    assert not any(word in log for word in ("ada", "of ada", ada.welcome["account"], str(account)))

    mail = await mailbox.wait("ada@example.org", 2)
    assert mail["Subject"] == "Votre compte a été supprimé"
    # The name stays reserved, the email is free.
    await refused("username_taken", (await guest(world)).ask("signUp", person("ada")))
    assert (await sign_up(world, "ada2", email="ada@example.org")).welcome["name"] == "ada2"


def totals_of(client, instance):
    return totals(client.sees(instance))


def score_of(client, post):
    return client.sees(post)["post"].get("score", 0)


async def test_the_password_is_guessed_no_oftener_than_at_a_sign_in(start):
    server = start(accounts__failuresMax=3, **PLAIN)
    ada = await sign_up(server, "ada")
    for _ in range(3):
        await refused("invalid_credentials", ada.ask("deleteAccount", {"password": "wrong"}))
    await refused("too_many_attempts", ada.ask("deleteAccount", {"password": PASSWORD}))
    assert (await ada.ask("getProfile"))["username"] == "ada"


async def test_an_open_account_is_deleted_on_request_and_its_name_is_reserved(start):
    server = start()
    ada = await Client.connect(server, "Ada")
    other = await Client.connect(server, "Ada")
    await ada.ask("deleteAccount")
    for client in (ada, other):
        await refused("not_signed_in", client.ask("getProfile"))
    with pytest.raises(Exception, match="username_taken"):
        await Client.connect(server, "Ada")
    await done(server)


async def test_a_token_of_the_apps_backend_from_before_makes_no_new_account(start, tmp_path):
    backend = Backend(tmp_path)
    server = start(**backend.settings)
    token = backend.token("ada")
    ada = await Client.connect(server, token=token)
    account = ada.welcome["account"]
    await ada.ask("deleteAccount")
    await refused("token_invalid", Client.connect(server, token=token))
    await done(server)
    await refused("token_invalid", Client.connect(server, token=token))
    again = await Client.connect(server, token=backend.token("ada"))
    assert again.welcome["account"] != account


async def test_the_last_admin_stays(start):
    server = start(**PLAIN)
    ada, bob = await sign_up(server, "ada"), await sign_up(server, "bob")
    async with await Desk.open(server) as desk:
        await desk.ask("first-admin ada")
    refusal = await refused("forbidden", ada.ask("deleteAccount", {"password": PASSWORD}))
    assert refusal.details["reason"] == "last_admin"
    await ada.ask("setRole", {**of(bob), "role": "admin", "reason": "ada goes"})
    await ada.ask("deleteAccount", {"password": PASSWORD})
    await done(server)


@pytest.mark.seconds(200)
async def test_a_deletion_survives_kill_9_at_any_moment(start, spot):
    more = {**PLAIN, "placement__perMinute": 1000, "placement__perDay": 5000, "placement__areaQuota": 1000}
    server = start(**more)
    bob = await sign_up(server, "bob")
    ada = await sign_up(server, "ada")
    account = number(server)
    # In 30 cells, most of which sleep.
    for step in range(30):
        at = away(*spot, north=step * 250)
        await ada.stand_at(*at)
        await ada.place(pose(*at))
    await befriend(ada, bob)
    await create(ada, bob, name="Garden")
    await ada.ask("deleteAccount", {"password": PASSWORD})
    for moment in (0.0, 0.05, 0.2, 0.5):
        await pause(moment)
        server.kill()
        server = start(**more)
        await refused(
            "invalid_credentials", (await guest(server)).ask("signIn", {"login": "ada", "password": PASSWORD})
        )
    await done(server, None)
    assert set(mentions(server, account)) <= {"reserved_names"}
    bob = await sign_in(server, "bob")
    assert await friends(bob) == []
    assert [entry["standing"] for entry in (await bob.ask("listRealms"))["realms"]] == ["owner"]
    server.stop()


async def test_a_damaged_row_does_not_hold_up_a_deletion(start, spot):
    server = start(**PLAIN)
    ada = await sign_up(server, "ada")
    account = number(server)
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))
    server.stop()
    with sqlite3.connect(f"{server.folder}/cairn.sqlite") as connection:
        connection.execute("UPDATE instances SET sealed = zeroblob(60)")
    server = start(**PLAIN)
    await (await sign_in(server, "ada")).ask("deleteAccount", {"password": PASSWORD})
    await done(server)
    assert set(mentions(server, account)) <= {"reserved_names"}
    assert "cairn_deletions_rows_past_homes_total 1\n" in (await get(f"{server.http}/metrics"))[2]
    server.stop()


@pytest.mark.alone
@pytest.mark.seconds(1800 if SCALE > 0.1 else 120)
async def test_many_things_of_one_person_go_and_others_do_not_notice(start, spot):
    """Issue 12, point 8: 10,000 instances in 3,000 cells, 500 friends, 50 sub-realms, 200 assets in the long form."""
    things, cells, friends_count, realms, assets = [int(SCALE * many) for many in (10_000, 3_000, 500, 50, 200)]
    # In one cell are more than it gives up in a turn.
    crowd = 250 + things % cells
    server = start(
        accounts__privacy="everyone", placement__perMinute=1_000_000, placement__perDay=1_000_000,
        placement__changesPerDay=1_000_000, placement__changesPerMinute=100_000,
        placement__areaQuota=100_000, cells__instancesMax=100_000,
        travel__speedMetresPerSecond=0, connections__messagesPerSecond=10_000,
        connections__messagesBurst=20_000, connections__bytesPerSecond=100_000_000,
        connections__bytesBurst=200_000_000, friends__requestsPerHour=1_000, friends__requestsPerDay=1_000,
        realms__joinsPerHour=1_000, realms__perPersonMax=100, assets__perAccountMax=1_000,
        listen__signInsPerMinutePerAccount=100_000, friends__looksPerMinute=100_000,
    )  # fmt: skip
    ada = await Client.connect(server, "Ada")
    account, building = number(server), time.monotonic()
    for index in range(cells):
        at = away(*spot, north=(index // 60) * 320, east=(index % 60) * 320)
        await ada.stand_at(*at)
        for _ in range(things // cells):
            await ada.place(pose(*at))
    await ada.stand_at(*spot)

    async def settle():
        for _ in range(crowd):
            await ada.place(pose(*spot))

    placing = await timed(settle)
    for index in range(friends_count):
        other = await Client.connect(server, f"friend-{index}")
        await befriend(ada, other)
        await other.close()
    for index in range(realms):
        await create(ada, name=f"Realm {index}")
    for index in range(assets):
        await show(ada, png(8, 8, seed=index))
    building = time.monotonic() - building
    bob, eve = await Client.connect(server, "Bob"), await Client.connect(server, "Eve")
    for one in (bob, eve):
        await one.stand_at(*spot)
        await one.until(one.everything, "ada's things")
    owned = set(bob.everything())

    async def pace(seconds):
        """How long changes of another person take."""
        taken, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            began = time.monotonic()
            placed = await eve.place(pose(*spot))
            await eve.remove(placed)
            taken.append(time.monotonic() - began)
        return sorted(taken)[int(0.99 * len(taken))], statistics.median(taken), len(taken)

    quiet = await pace(10 if SCALE > 0.1 else 2)
    began = time.monotonic()
    await ada.ask("deleteAccount")
    beside = asyncio.create_task(pace(15 if SCALE > 0.1 else 3))
    await bob.until(lambda: not owned & set(bob.everything()), "that ada's things leave")
    live = time.monotonic() - began
    busy = await beside
    await done(server, seconds=PATIENCE if SCALE <= 0.1 else 10 * PATIENCE)
    whole = time.monotonic() - began
    # What everybody sees goes quicker than it was placed. All of much goes quicker than it came to be; for little the
    # time is that of the pauses between.
    assert live < placing, (live, placing)
    assert whole < building or SCALE <= 0.1, (whole, building)
    assert set(mentions(server, account)) <= {"reserved_names"}
    print(
        f"\n{things // cells * cells + crowd} instances in {cells} cells: live {live:.2f} s, whole {whole:.1f} s, "
        f"others' p99 "
        f"{quiet[0] * 1e3:.1f} -> {busy[0] * 1e3:.1f} ms, median {quiet[1] * 1e3:.1f} -> {busy[1] * 1e3:.1f} ms "
        f"({quiet[2]} and {busy[2]} pairs of changes)"
    )
