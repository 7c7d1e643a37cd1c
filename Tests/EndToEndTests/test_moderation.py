"""Moderation by operators (ROL-5, MOD-4), and the end of a token (ACC-6)."""

import asyncio

import pytest

from cairn import Client, Refused, pose
from operators import Desk


async def refused(code, work):
    with pytest.raises(Refused) as refusal:
        await work
    assert refusal.value.code == code
    return refusal.value


# MARK: - Signing out


async def test_signing_out_makes_guests_of_all_who_came_with_that_token(start, spot):
    server = start(listen__loops=4)
    ada = await Client.connect(server, "Ada")
    token = ada.welcome["token"]
    others = [await Client.connect(server, token=token) for _ in range(3)]
    second = await Client.connect(server, "Ada")  # another sign-in of the same person
    for one in [*others, second]:
        await one.stand_at(*spot)
    await ada.ask("signOut")
    # After the answer none of them can change anything, not even by a message that was under way.
    for one in others:
        await refused("not_signed_in", one.place(pose(*spot)))
        await refused("not_signed_in", one.stand_at(*spot))
        assert one.end is None, "a guest stays connected"
    await second.place(pose(*spot))
    late = await Client.connect(server, token=token)
    assert late.welcome["role"] == "guest" and late.welcome["tokenExpired"]


async def test_signing_out_ends_the_sessions_that_wait_for_their_client(start, spot):
    server = start(presence__graceSeconds=60)
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve", sharePosition=True)
    cell = await eve.stand_at(*spot)
    away = await Client.connect(server, token=ada.welcome["token"], sharePosition=True)
    await away.stand_at(*spot)
    await eve.until(lambda: eve.person("Ada") is not None, "Ada is there")
    await away.drop()
    await ada.ask("signOut")
    await eve.until(lambda: eve.person("Ada") is None, "nobody waits for her")
    assert cell


# MARK: - Kicking


async def test_a_kick_ends_the_sign_in_too(server, spot):
    mallory = await Client.connect(server, "Mallory")
    second = await Client.connect(server, token=mallory.welcome["token"])
    async with await Desk.open(server) as desk:
        assert await desk.ask(f"kick {mallory.welcome['session']}") == {"closed": 1}
    assert (await mallory.until_ended())[0] == 4203
    back = await Client.connect(server, token=mallory.welcome["token"])
    assert back.welcome["role"] == "guest" and back.welcome["tokenExpired"]
    await refused("not_signed_in", second.stand_at(*spot))


# MARK: - Suspending


async def test_a_suspended_account_is_closed_and_kept_out_over_a_restart_until_it_is_reinstated(start, tmp_path, spot):
    server = start(folder=tmp_path / "world", listen__loops=2)
    mallory = await Client.connect(server, "Mallory")
    account, token = mallory.welcome["account"], mallory.welcome["token"]
    devices = [mallory, *[await Client.connect(server, token=token) for _ in range(3)]]
    bystander = await Client.connect(server, "Bystander")
    async with await Desk.open(server) as desk:
        assert (await desk.refusal("ban 0000000000000"))["code"] == "not_found"
        assert (await desk.refusal("ban"))["code"] == "bad_argument"
        assert await desk.ask(f"ban {account} Shouting at people") == {"account": account, "closed": 4}
        for one in devices:
            assert (await one.until_ended())[0] == 4200 and one.closing["code"] == "account_suspended"
        bans = await desk.ask("bans")
        assert bans["count"] == 1 and bans["suspended"][0]["account"] == account
        assert bans["suspended"][0]["reason"] == "Shouting at people"
    await bystander.stand_at(*spot)
    server.stop()

    server = start(folder=tmp_path / "world", listen__loops=2)
    for way in ({"token": token}, {"name": "Mallory"}):
        refusal = await refused("account_suspended", Client.connect(server, **way))
        assert "Shouting at people" in str(refusal)
    async with await Desk.open(server) as desk:
        assert await desk.ask(f"unban {account}") == {"reinstated": account}
        assert (await desk.refusal(f"unban {account}"))["code"] == "not_found"
    assert (await Client.connect(server, token=token)).welcome["account"] == account


async def test_the_account_of_a_session_is_suspended_connected_or_cut(start, spot):
    server = start(listen__loops=4)
    async with await Desk.open(server) as desk:
        for number in range(8):  # on whichever loop
            mallory = await Client.connect(server, f"Mallory{number}")
            account, session = mallory.welcome["account"], mallory.welcome["session"]
            await mallory.stand_at(*spot)
            if number % 2:
                await mallory.drop()
            closed = await desk.ask(f"ban {session} Shouting at people")
            assert closed == {"account": account, "closed": 1}
        assert (await desk.ask("bans"))["count"] == 8
        assert (await desk.refusal(f"ban {session}"))["code"] == "not_found", "the session is over"


async def test_no_hello_slips_past_a_suspension(start):
    server = start(listen__loops=2, connections__perAccountMax=1000)
    mallory = await Client.connect(server, "Mallory")
    token = mallory.welcome["token"]

    async def come_in():
        try:
            return await Client.connect(server, token=token)
        except Refused as refusal:
            assert refusal.code == "account_suspended"

    async with await Desk.open(server) as desk:
        tries = [asyncio.create_task(come_in()) for _ in range(40)]
        await desk.ask(f"ban {mallory.welcome['account']}")
        for client in await asyncio.gather(*tries):
            if client is not None:
                assert (await client.until_ended())[0] == 4200


# MARK: - Removing


async def test_a_removed_thing_leaves_for_all_and_for_good(start, tmp_path, spot):
    server = start(folder=tmp_path / "world", listen__loops=2)
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve")
    cell = await eve.stand_at(*spot)
    await eve.view(cell)
    await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot))
    kept = await ada.place(pose(*spot))
    await eve.until(lambda: eve.sees(placed) and eve.sees(kept), "both are there")
    async with await Desk.open(server) as desk:
        assert await desk.ask(f"remove {placed['id']}") == {"removed": placed["id"]}
        await eve.until(lambda: not eve.sees(placed), "it has left")
        assert (await desk.refusal(f"remove {placed['id']}"))["code"] == "not_found"
        assert (await desk.refusal("remove nothing"))["code"] == "bad_argument"
    server.logged(placed["id"])  # who removed what
    server.kill()
    server = start(folder=tmp_path / "world")
    eve = await Client.connect(server, "Eve")
    await eve.stand_at(*spot)
    await eve.until(lambda: eve.sees(kept), "the other is there")
    assert not eve.sees(placed)


async def test_a_removed_post_leaves_for_all_and_for_good_hidden_or_not(start, tmp_path, spot):
    server = start(folder=tmp_path / "world", listen__loops=2, posts__hiddenScore=-1)
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve")
    cell = await eve.stand_at(*spot)
    await eve.view(cell)
    await ada.stand_at(*spot)
    shown, hidden = await ada.make_post("a post"), await ada.make_post("another")
    await eve.until(lambda: eve.sees(shown) and eve.sees(hidden), "both are there")
    await eve.vote(hidden, -1)
    async with await Desk.open(server) as desk:
        for post in (shown, hidden):
            assert await desk.ask(f"remove {post['id']}") == {"removed": post["id"]}
            assert (await desk.refusal(f"remove {post['id']}"))["code"] == "not_found"
    await eve.until(lambda: not eve.sees(shown), "it has left")
    server.kill()
    ada = await Client.connect(start(folder=tmp_path / "world"), token=ada.welcome["token"])
    assert not (await ada.ask("listOwnPosts")).get("posts")


async def test_a_thing_in_a_cell_that_sleeps_can_be_removed(start, tmp_path, spot):
    server = start(folder=tmp_path / "world")
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot))
    server.stop()
    server = start(folder=tmp_path / "world")
    async with await Desk.open(server) as desk:
        assert await desk.ask(f"remove {placed['id']}") == {"removed": placed["id"]}
    eve = await Client.connect(server, "Eve")
    cell = await eve.stand_at(*spot)
    await eve.view(cell)
    assert not eve.sees(placed)
