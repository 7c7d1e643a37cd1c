"""The actions of admins over their own connection, which are refused to others (ROL-4, ROL-5)."""

import asyncio

import pytest

from accounts import MANY, guest, sign_in, sign_up
from cairn import Client, Refused
from operators import Desk
from test_live_space import refused
from test_roles import admin, audit

#: What admins send, with bodies that are sound.
OF_ADMINS = {
    "listAccounts": {},
    "setRole": {"account": "eve", "role": "organisation", "organisation": "The shop", "reason": "It sells tours"},
    "suspend": {"account": "eve", "reason": "Shouting at people"},
    "reinstate": {"account": "eve", "reason": "Apologised"},
}


@pytest.fixture
def world(start):
    """A server without open sign-in."""
    return start(accounts__open="false", listen__loops=2, **MANY)


async def test_nobody_but_admins_has_the_admin_functions(world):
    async with await Desk.open(world) as desk:
        eve, shop, stranger = await sign_up(world, "eve"), await sign_up(world, "shop"), await guest(world)
        await desk.ask("organisation-add shop The shop")
        entries = await audit(desk)
        for kind, body in OF_ADMINS.items():
            for one in (eve, shop):
                refusal = await refused("forbidden", one.ask(kind, body))
                assert refusal.details == {"role": "admin"}
            await refused("not_signed_in", stranger.ask(kind, body))
        silent = await Client.connect(world, hello=False)
        await refused("hello_required", silent.ask("listAccounts"))
        assert await audit(desk) == entries


async def test_an_admin_lists_accounts_changes_roles_suspends_and_reinstates(world, spot):
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
        eve = await sign_up(world, "eve")
        account = eve.welcome["account"]
        await root.ask("setRole", OF_ADMINS["setRole"])
        organisation = (await eve.ask("getOrganisation"))["organisation"]
        assert organisation["name"] == "The shop"
        await eve.stand_at(*spot)
        await root.ask("suspend", {"account": account, "reason": "Shouting at people"})
        assert (await eve.until_ended())[0] == 4200
        await refused("account_suspended", Client.connect(world, token=eve.welcome["token"]))
        listed = (await root.ask("listAccounts", {"prefix": "EV"}))["accounts"]
        assert [row["name"] for row in listed] == ["eve"] and listed[0]["id"] == account
        assert listed[0]["suspended"] and listed[0]["reason"] == "Shouting at people"
        assert listed[0]["role"] == "organisation" and int(listed[0]["created"]) > 1_700_000_000_000
        await root.ask("reinstate", {"account": "eve", "reason": "Apologised"})
        back = await Client.connect(world, token=eve.welcome["token"])
        assert back.welcome["role"] == "organisation"
        assert [row["name"] for row in (await root.ask("listAccounts", {"role": "admin"}))["accounts"]] == ["root"]
        by_root = {"admin": root.welcome["account"], "account": account}
        assert await audit(desk, "eve") == [
            {**by_root, "what": "reinstate", "reason": "Apologised"},
            {**by_root, "what": "look_up", "reason": "by name"},
            {**by_root, "what": "suspend", "reason": "Shouting at people"},
            {**by_root, "what": "role", "from": "general", "to": "organisation", "organisation": organisation["id"],
             "reason": "It sells tours"},
        ]


async def test_what_an_admin_asks_wrongly_is_refused_with_the_field(world):
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
        await sign_up(world, "eve")
        entries = await audit(desk)
        for kind, body, code, details in [
            ("setRole", {"role": "general", "reason": "x"}, "missing_field", {"field": "account"}),
            ("setRole", {"account": "eve", "role": "general"}, "missing_field", {"field": "reason"}),
            ("setRole", {"account": "eve", "role": "guest", "reason": "x"}, "invalid_field", {"field": "role"}),
            ("setRole", {"account": "eve", "reason": "x"}, "invalid_field", {"field": "role"}),
            ("setRole", {"account": "nobody", "role": "general", "reason": "x"}, "not_found", {}),
            ("setRole", {"account": "root", "role": "general", "reason": "x"}, "forbidden", {"reason": "last_admin"}),
            ("suspend", {"account": "eve"}, "missing_field", {"field": "reason"}),
            ("suspend", {"account": "eve", "reason": "x" * 501}, "invalid_field", {"field": "reason"}),
            ("suspend", {"account": "root", "reason": "x"}, "forbidden", {"reason": "last_admin"}),
            ("reinstate", {"reason": "x"}, "missing_field", {"field": "account"}),
            ("reinstate", {"account": "eve", "reason": "x"}, "not_found", {}),
            ("listAccounts", {"prefix": "e", "role": "admin"}, "invalid_field", {"field": "prefix"}),
            ("listAccounts", {"role": "emperor"}, "invalid_field", {"field": "role"}),
        ]:
            refusal = await refused(code, root.ask(kind, body))
            assert refusal.details == details, (kind, body)
        assert await audit(desk) == entries


async def test_two_admins_who_end_each_other_leave_one(world):
    async with await Desk.open(world) as desk:
        root, second = await admin(world, desk), await admin(world, desk, "second")

        async def end(one, other):
            try:
                await one.ask("setRole", {"account": other, "role": "general", "reason": "x"})
            except Refused as refusal:
                assert refusal.code == "forbidden"

        for _ in range(10):
            await asyncio.gather(end(root, "second"), end(second, "root"))
            assert (await desk.ask("accounts role=admin"))["count"] == 1
            for name in ("root", "second"):
                await desk.ask(f"role {name} admin")


async def test_admins_are_found_and_asked_by_nobody_and_show_nothing(start, tmp_path):
    """ROL-4: they could neither see nor answer a friend request."""
    settings = {"accounts__open": "false", "accounts__privacy": "everyone", **MANY}
    world = start(folder=tmp_path / "world", **settings)
    async with await Desk.open(world) as desk:
        ada, root = await sign_up(world, "ada"), await sign_up(world, "root")
        garden = (await ada.ask("createRealm", {"name": "Garden"}))["id"]
        root_id = {"account": root.welcome["account"]}
        assert (await ada.ask("findUsers", {"prefix": "root"}))["users"]
        await desk.ask("first-admin root")
        await refused("forbidden", root.ask("editProfile", {"status": "Here"}))
        await refused("forbidden", root.ask("editProfile", {"username": "rooted", "bio": "Me"}))
        # The name is the admin's sign-in.
        assert (await root.ask("editProfile", {"username": "rooted"}))["username"] == "rooted"

        async def is_absent(client):
            assert await client.ask("findUsers", {"prefix": "root"}) == {}
            for kind in ("requestFriend", "readProfile", "listFriends"):
                await refused("user_not_found", client.ask(kind, root_id))
            await refused("user_not_found", client.ask("invite", {"realm": garden, **root_id}))

        await is_absent(ada)
    world.stop()
    world = start(folder=tmp_path / "world", **settings)
    ada = await sign_in(world, "ada")
    await is_absent(ada)
    async with await Desk.open(world) as desk:
        await desk.ask("role ada admin")
        await desk.ask("role rooted general")
        bob = await sign_up(world, "bob")
        assert [user["name"] for user in (await bob.ask("findUsers", {"prefix": "root"}))["users"]] == ["rooted"]
        await bob.ask("requestFriend", root_id)
