"""Notices of operators: to everybody, to an area, or to one account."""

import asyncio
import time

import websockets

import s2
from cairn import PATIENCE, Client
from operators import Desk, credential_of, stats_url
from protobuf import HELLO, ID, first, message, parsed


async def heard(client, text):
    await client.until(lambda: [one for one in client.notices if one["text"] == text], f"the notice {text!r}")
    return client.notices[-1]


async def test_a_notice_reaches_everybody_guests_included(server, spot):
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    guest, newcomer = await Client.connect(server), await Client.connect(server, hello=False)
    await ada.stand_at(*spot)
    began = time.time()
    async with await Desk.open(server) as desk:
        assert (await desk.ask("notice Der Jahrmarkt schließt um sechs ✓"))["told"] >= 3
        for client in (ada, bob, guest):
            notice = await heard(client, "Der Jahrmarkt schließt um sechs ✓")
            assert began - 1 < int(notice["sent"]) / 1000 < time.time() + 1 and "cell" not in notice
        # A connection without a hello gets no notice; its next message is the welcome.
        await newcomer.ask("hello", {"version": 1, "frontEnd": "bot", "name": "Newcomer"})
        assert newcomer.notices == []


async def test_a_notice_for_a_cell_or_an_account_reaches_nobody_else(server, spot):
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    second = await Client.connect(server, "Ada", called="Ada's tablet")
    cell = await ada.stand_at(*spot)
    await bob.stand_at(-spot[0], spot[1])
    async with await Desk.open(server) as desk:
        assert await desk.ask(f"notice cell={cell} only here") == {"told": 1}
        assert (await heard(ada, "only here"))["cell"] == cell
        larger = s2.token(*spot, level=12)
        assert await desk.ask(f"notice cell={larger} around here") == {"told": 1}
        await heard(ada, "around here")
        assert await desk.ask(f"notice account={ada.welcome['account']} just you") == {"told": 2}
        await heard(ada, "just you")
        await heard(second, "just you")
        # Bob got none of them: the first notice that he gets is the one to everybody.
        await desk.ask("notice all of you")
        assert [one["text"] for one in [await heard(bob, "all of you")]] == ["all of you"]
        assert [one["text"] for one in bob.notices] == ["all of you"]
        assert (await desk.refusal("notice account=0000000000000 hello"))["code"] == "not_found"
    assert "just you" not in server.log() and ada.welcome["account"] not in server.log()


async def test_a_notice_comes_in_the_binary_form_too(server):
    socket = await websockets.connect(server.url, subprotocols=["cairn.v1.proto"], compression=None)
    try:
        await socket.send(message([(ID, 1), (HELLO, [(1, 1), (2, "bot"), (6, "Binary")])]))
        await asyncio.wait_for(socket.recv(), PATIENCE)
        async with await Desk.open(server) as desk:
            await desk.ask("notice binary ✓")
        items = [item for number, item in parsed(await asyncio.wait_for(socket.recv(), PATIENCE)) if number == 1]
        notice = first(parsed(items[0]), 9)
        assert first(parsed(notice), 1).decode() == "binary ✓" and first(parsed(notice), 2) > 0
    finally:
        await socket.close()


async def test_a_notice_without_sense_is_refused(server):
    async with await Desk.open(server) as desk:
        for line in ("notice", "notice  ", "notice cell=nonsense hello", "notice account=Ada hello",
                     "notice cell=4cc91a44d", "notice " + "x" * 501, "notice bell\x07"):
            assert (await desk.refusal(line))["code"] == "bad_argument", line
        assert "told" in await desk.ask("notice " + "x" * 500)
        assert "told" in await desk.ask("notice <b>not markup</b> \"quoted\" \\ cell=4cc91a44d")


async def test_a_notice_can_be_sent_over_the_websocket(server):
    ada = await Client.connect(server, "Ada")
    async with await Desk.over_websocket(stats_url(server), credential=credential_of(server)) as desk:
        assert (await desk.ask("notice from afar"))["told"] >= 1
    await heard(ada, "from afar")
