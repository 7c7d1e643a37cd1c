"""Roles, the changes of accounts by operators and admins, and the audit log (ROL-1, ROL-2, ROL-4, ROL-5)."""

import asyncio
import json
import sqlite3

import pytest

from accounts import MANY, guest, sign_in, sign_up
from backend import Backend
from cairn import Client, Refused, eventually, pose
from operators import Desk
from server import run
from test_live_space import refused

#: Every request of the features, and what a session says of where somebody is.
OF_THE_WORLD = [
    "place", "edit", "remove", "select", "react", "createPost", "editPost", "removePost", "readPost", "listOwnPosts",
    "listTrendingPosts", "vote", "sendFeedback", "position", "share", "findUsers", "readProfile", "linkProvider",
    "beginUpload", "uploadChunk", "buyTour", "listPurchases",
]  # fmt: skip

#: Those of them that guests may send where they look (SES-14).
OF_GUESTS = {"select", "readPost"}

#: What operators are refused when "ada" is the only admin and "eve" an organisation.
REFUSED = [
    ("role nobody admin", "not_found"), ("role eve guest", "bad_argument"), ("role eve emperor", "bad_argument"),
    ("role eve organisation", "bad_argument"), ("role eve", "bad_argument"), ("role", "bad_argument"),
    ("role ada general", "forbidden"),
    ("role eve general " + "x" * 501, "bad_argument"), ("ban ada", "forbidden"), ("ban nobody", "not_found"),
    ("unban eve", "not_found"), ("unban nobody", "not_found"), ("sign-out", "bad_argument"),
    ("sign-out nobody", "not_found"), ("first-admin eve", "forbidden"), ("first-admin nobody", "not_found"),
    ("audit nobody", "not_found"), ("audit a b", "bad_argument"), ("accounts a b", "bad_argument"),
    ("accounts role=guest", "bad_argument"),
]  # fmt: skip


@pytest.fixture
def world(start):
    """A server without open sign-in."""
    return start(accounts__open="false", listen__loops=2, **MANY)


async def admin(world, desk, name="root"):
    client = await sign_up(world, name)
    command = "first-admin" if not (await desk.ask("accounts role=admin"))["count"] else "role"
    await desk.ask(f"{command} {name}" + (" admin" if command == "role" else ""))
    return client


async def audit(desk, account=""):
    """The entries, newest first, without their times."""
    entries = (await desk.ask(f"audit {account}"))["audit"]
    for entry in entries:
        assert int(entry.pop("at")) > 1_700_000_000_000
    return entries


def said(client):
    return [item["signedOut"]["code"] for item in client.items if "signedOut" in item]


# MARK: - What a role may do (ROL-1, ROL-2, ROL-4)


async def test_general_users_do_everything_and_admins_nothing_beside_their_own_sign_in(world, spot):
    async with await Desk.open(world) as desk:
        ada = await sign_up(world, "ada")
        assert ada.welcome["role"] == "general"
        await ada.stand_at(*spot)
        await ada.place(pose(*spot))
        assert (await desk.ask("role ada admin")) == {
            "account": ada.welcome["account"], "role": "admin", "connections": 1
        }  # fmt: skip
        for kind in OF_THE_WORLD:
            refusal = await refused("forbidden", ada.ask(kind, {}, key="k"))
            roles = "general,organisation,guest" if kind in OF_GUESTS else "general,organisation"
            assert refusal.details == {"role": roles}, kind
        assert (await ada.ask("listDevices"))["devices"]
        await ada.ask("changePassword", {"current": "Correct-Horse-7", "password": "Another-Horse-8"})
        again = await sign_in(world, "ada", "Another-Horse-8")
        assert again.welcome["role"] == "admin"
        await refused("forbidden", again.stand_at(*spot))
        stranger = await guest(world)
        for kind in OF_THE_WORLD:
            await refused("not_signed_in", stranger.ask(kind, {}, key="k"))


async def test_an_organisation_does_what_general_users_do(world, spot):
    async with await Desk.open(world) as desk:
        shop = await sign_up(world, "shop")
        await desk.ask("organisation-add shop The shop")
        await shop.stand_at(*spot)
        await shop.place(pose(*spot))
        again = await Client.connect(world, token=shop.welcome["token"])
        assert again.welcome["role"] == "organisation"


# MARK: - Changing a role (ROL-1, ROL-5)


async def test_a_new_admin_leaves_every_place_at_once_and_may_come_back(world, spot):
    async with await Desk.open(world) as desk:
        eve = await sign_up(world, "eve")
        ada = await sign_up(world, "ada")
        second = await Client.connect(world, token=ada.welcome["token"], sharePosition=True)
        cut = await Client.connect(world, token=ada.welcome["token"], sharePosition=True)
        await eve.stand_at(*spot)
        for one in (second, cut):
            await one.stand_at(*spot)
        await eve.until(lambda: eve.person("ada"), "Ada")
        session = cut.welcome["session"]
        await cut.drop()
        assert (await desk.ask("role ada admin"))["connections"] == 3
        await eve.until(lambda: not eve.person("ada"), "nobody of that name")
        assert (await desk.ask("totals"))["totals"]["people"] <= 1
        back = await Client.connect(world, token=ada.welcome["token"], session=session)
        assert back.welcome["role"] == "admin" and not back.welcome.get("resumed")
        await admin(world, desk)  # else she is the last
        await desk.ask("role ada general")
        await second.stand_at(*spot)
        await eve.until(lambda: eve.person("ada"), "Ada again")
        await second.place(pose(*spot))


async def test_no_request_that_is_sent_after_the_acknowledgement_goes_by_the_old_role(start, spot):
    server = start(
        accounts__open="false", listen__loops=2, connections__perAccountMax=50, connections__messagesPerSecond=10_000,
        connections__messagesBurst=10_000, connections__positionsPerSecond=20, **MANY,
    )  # fmt: skip
    ada = await sign_up(server, "ada")
    others = [await Client.connect(server, token=ada.welcome["token"]) for _ in range(15)]
    acknowledged = False
    taken, late, refusals = 0, [], 0

    async def act(client):
        nonlocal taken, refusals
        while refusals < 200:
            is_late = acknowledged
            try:
                await client.ask("position", {"lat": spot[0], "lon": spot[1]})
                await client.ask("listOwnPosts", {})
                if is_late:
                    late.append(client)
                taken += 1
            except Refused as refusal:
                if refusal.code == "forbidden":
                    refusals += 1

    async def come_in():
        """Hellos that are under way while the role changes."""
        for _ in range(20):
            is_late = acknowledged
            client = await Client.connect(server, token=ada.welcome["token"])
            assert client.welcome["role"] == "admin" or not is_late
            await client.close()

    async with await Desk.open(server) as desk:
        acting = [asyncio.create_task(act(client)) for client in others]
        coming = asyncio.create_task(come_in())
        await others[0].until(lambda: taken > 50, "requests under way")
        await desk.ask("role ada admin")
        acknowledged = True
        await asyncio.gather(*acting, coming)
    assert not late and taken and refusals >= 200


async def test_a_session_that_is_resumed_while_its_account_becomes_an_admins_is_nowhere(start, spot):
    server = start(accounts__open="false", listen__loops=4, presence__graceSeconds=60, **MANY)
    async with await Desk.open(server) as desk:
        await admin(server, desk)
        eve, ada = await sign_up(server, "eve"), await sign_up(server, "ada")
        await eve.stand_at(*spot)
        token = ada.welcome["token"]
        for _ in range(12):
            away = await Client.connect(server, token=token, sharePosition=True)
            await away.stand_at(*spot)
            await eve.until(lambda: eve.person("ada"), "Ada")
            await away.drop()
            back, _ = await asyncio.gather(
                Client.connect(server, token=token, session=away.welcome["session"], sharePosition=True),
                desk.ask("role ada admin"),
            )
            await eve.until(lambda: not eve.person("ada"), "nobody of that name")
            await refused("forbidden", back.stand_at(*spot))
            await back.close()
            await desk.ask("role ada general")

        async def is_alone():
            return (await desk.ask("totals"))["totals"]["people"] == 1

        await eventually(is_alone, "one person")


async def test_a_role_and_its_entry_outlive_a_kill_after_the_acknowledgement(start, tmp_path):
    server = start(folder=tmp_path / "world", accounts__open="false", **MANY)
    ada = await sign_up(server, "ada")
    async with await Desk.open(server) as desk:
        await desk.ask("first-admin ada She asked")
        entry = (await desk.ask("audit"))["audit"]
    server.kill()
    server = start(folder=tmp_path / "world", accounts__open="false", **MANY)
    assert (await Client.connect(server, token=ada.welcome["token"])).welcome["role"] == "admin"
    async with await Desk.open(server) as desk:
        assert (await desk.ask("audit"))["audit"] == entry
        assert (await desk.ask("accounts role=admin"))["accounts"][0]["name"] == "ada"


@pytest.mark.parametrize("copies", ["stay", "are gone"])
async def test_a_role_that_was_changed_without_the_key_makes_no_admin(start, tmp_path, copies):
    """The rows' second copies put them right; without those it is damage."""
    server = start(folder=tmp_path / "world", accounts__open="false", **MANY)
    ada, eve = await sign_up(server, "ada"), await sign_up(server, "eve")
    server.stop()
    with sqlite3.connect(tmp_path / "world/cairn.sqlite") as file:
        file.execute("UPDATE accounts SET role = 'admin' WHERE id = (SELECT min(id) FROM accounts)")
        file.execute("UPDATE accounts SET role = 'emperor' WHERE id = (SELECT max(id) FROM accounts)")
        if copies == "are gone":
            file.execute("DELETE FROM cairn_copies")
    file.close()
    server = start(folder=tmp_path / "world", accounts__open="false", **MANY)
    if copies == "stay":
        for one in (ada, eve):
            assert (await Client.connect(server, token=one.welcome["token"])).welcome["role"] == "general"
        assert (await server.figures())["cairn_store_mended_rows_total"] == 2
        return
    for one in (ada, eve):
        await refused("storage_unavailable", Client.connect(server, token=one.welcome["token"]))
    root = await sign_up(server, "root")
    async with await Desk.open(server) as desk:
        assert [row["name"] for row in (await desk.ask("accounts"))["accounts"]] == ["root"]
        assert (await desk.ask("first-admin root"))["account"] == root.welcome["account"]
        refusal = await desk.refusal("role root general")
        assert refusal["code"] == "forbidden" and "last admin" in refusal["message"]
        store = (await desk.ask("totals"))["totals"]["store"]
        assert store["damagedTables"] == {"accounts": 2}


# MARK: - Operators' commands (ROL-5)


async def test_the_last_admin_stays(world):
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
        for command in ("role root general", "organisation-add root The shop", "ban root"):
            refusal = await desk.refusal(command)
            assert refusal["code"] == "forbidden" and "last admin" in refusal["message"]
        assert (await desk.refusal("first-admin root"))["code"] == "forbidden"
        await admin(world, desk, "second")
        await desk.ask("ban second")
        assert (await desk.refusal("role root general"))["code"] == "forbidden", "the other one cannot sign in"
        await desk.ask("unban second")
        await desk.ask("role root general")
        assert (await desk.refusal("ban second"))["code"] == "forbidden"
        assert root.end is None


async def test_two_admins_at_once_never_leave_none(world):
    async with await Desk.open(world) as desk:
        await admin(world, desk)
        await admin(world, desk, "second")
        async with await Desk.open(world) as other:
            for _ in range(10):
                await asyncio.gather(desk.ask("role root general"), other.ask("role second general"))
                left = (await desk.ask("accounts role=admin"))["accounts"]
                assert len(left) == 1
                await asyncio.gather(desk.ask("role root admin"), other.ask("role second admin"))


async def test_every_change_has_its_entry_and_a_refused_one_has_none(world):
    async with await Desk.open(world) as desk:
        ada = await admin(world, desk, "ada")
        eve = await sign_up(world, "eve")
        organisation = (await desk.ask("organisation-add eve The shop"))["organisation"]
        await desk.ask("organisation-add eve THE shop")  # once more changes nothing
        await desk.ask("ban eve Shouting at people")
        await desk.ask("unban eve")
        await desk.ask("sign-out eve A lost phone")
        for command, code in REFUSED:
            assert (await desk.refusal(command))["code"] == code, command
        number = (await audit(desk))[0]["operator"]
        whom = {"operator": number, "account": eve.welcome["account"]}
        first = {"operator": number, "account": ada.welcome["account"], "what": "first_admin"}
        expected = [
            {**whom, "what": "sign_out", "reason": "A lost phone"},
            {**whom, "what": "reinstate", "reason": ""},
            {**whom, "what": "suspend", "reason": "Shouting at people"},
            {**whom, "what": "role", "from": "general", "to": "organisation", "organisation": organisation,
             "reason": ""},
            {**first, "from": "general", "to": "admin", "reason": ""},
        ]
        assert await audit(desk) == expected
        assert await audit(desk, "eve") == expected[:4] and await audit(desk, "ada") == expected[4:]


async def test_signing_an_account_out_makes_guests_of_all_its_connections(world, spot):
    async with await Desk.open(world) as desk:
        ada, eve = await sign_up(world, "ada"), await sign_up(world, "eve")
        devices = [ada, await Client.connect(world, token=ada.welcome["token"]), await sign_in(world, "ada")]
        assert await desk.ask("sign-out ada A lost phone") == {"account": ada.welcome["account"], "signedOut": 3}
        for one in devices:
            await refused("not_signed_in", one.stand_at(*spot))
            assert said(one) == ["token_invalid"] and one.end is None
            late = await Client.connect(world, token=one.welcome["token"])
            assert late.welcome["role"] == "guest" and late.welcome["tokenExpired"]
        await eve.stand_at(*spot)
        await (await sign_in(world, "ada")).stand_at(*spot)


async def test_accounts_are_listed_newest_first_by_name_and_by_role(world):
    async with await Desk.open(world) as desk:
        for name in ("ada", "adam", "eve"):
            await sign_up(world, name)
        await desk.ask("organisation-add adam The shop")
        await desk.ask("ban eve")
        listed = await desk.ask("accounts")
        assert [row["name"] for row in listed["accounts"]] == ["eve", "adam", "ada"] and listed["count"] == 3
        assert [row["suspended"] for row in listed["accounts"]] == [True, False, False]
        assert [row["name"] for row in (await desk.ask("accounts AD"))["accounts"]] == ["adam", "ada"]
        assert [row["name"] for row in (await desk.ask("accounts role=organisation"))["accounts"]] == ["adam"]
        assert (await desk.ask("accounts role=admin"))["count"] == 0


async def test_who_has_read_level_neither_lists_nor_changes_accounts(start, tmp_path):
    path = tmp_path / "read.sock"
    server = start(stats__readSocketPath=path)
    async with await Desk.open(server, path) as looking:
        for command in ("accounts", "audit", "role ada admin", "sign-out ada", "first-admin ada", "ban ada"):
            assert (await looking.refusal(command))["code"] == "forbidden"


# MARK: - Accounts that cannot get another role


async def test_the_backend_decides_the_role_of_its_accounts_and_sign_out_ends_their_tokens(start, tmp_path, spot):
    backend = Backend(tmp_path)
    server = start(**backend.settings)
    token = backend.token("u-1", "Ada")
    ada = await Client.connect(server, token=token)
    account = ada.welcome["account"]
    async with await Desk.open(server) as desk:
        for command in (f"role {account} admin", f"organisation-add {account} The shop", f"first-admin {account}"):
            refusal = await desk.refusal(command)
            assert refusal["code"] == "forbidden" and "backend" in refusal["message"]
        assert (await desk.ask(f"sign-out {account}"))["signedOut"] == 1
        assert [entry["what"] for entry in await audit(desk)] == ["sign_out"]
    await refused("not_signed_in", ada.stand_at(*spot))
    refusal = await refused("token_invalid", Client.connect(server, token=token))
    assert refusal.details == {"reason": "revoked"}
    newer = await Client.connect(server, token=backend.token("u-1", "Ada"))
    assert newer.welcome["account"] == account and newer.welcome["role"] == "general"


async def test_an_account_that_a_name_alone_opens_is_never_an_admins(server):
    await Client.connect(server, "Ada")
    async with await Desk.open(server) as desk:
        for command in ("role Ada admin", "first-admin Ada"):
            refusal = await desk.refusal(command)
            assert refusal["code"] == "forbidden" and "password" in refusal["message"]


# MARK: - cairn admin


async def test_cairn_admin_prints_the_servers_answers(world):
    ada = await sign_up(world, "ada")
    await sign_up(world, "eve")

    def order(*arguments, ends=0):
        done = run("admin", *arguments, "--data", world.folder)
        assert done.returncode == ends, done.stderr
        return json.loads(done.stdout)

    account = ada.welcome["account"]
    assert order("first", account, "the", "owner")["role"] == "admin"
    assert order("first", "eve", ends=1)["error"]["code"] == "forbidden"
    assert order("organisation", "add", "eve", "The", "shop")["connections"] == 1
    assert order("suspend", "eve", "Shouting")["closed"] == 1
    assert order("reinstate", "eve")["reinstated"]
    assert order("sign-out", "eve")["signedOut"] == 0
    assert [row["name"] for row in order("list", "--role", "admin")["accounts"]] == ["ada"]
    assert [row["name"] for row in order("list", "e")["accounts"]] == ["eve"]
    assert [entry["reason"] for entry in order("audit", account)["audit"]] == ["the owner"]
    # The list by the beginning of a name is a look-up, which stands there as well.
    assert order("audit")["count"] == 6
    assert order("list", "--role", "guest", ends=1)["error"]["code"] == "bad_argument"
    for wrong in (["role", "eve\nban ada", "admin"], ["list", "a", "--role", "admin"], ["audit", ""]):
        assert run("admin", *wrong, "--data", world.folder).returncode == 64
