"""Words and an app's own data on things (PLC-16)."""

from cairn import Client, pose
from test_live_space import refused, two

WORDS = " Bonjour \u00e0 tous \u2014 e\u0301 \U0001F468\u200d\U0001F469\u200d\U0001F467\r\n\x00"
NOTE = {"text": "Meet me at the old bridge", "data": "c2VjcmV0LWRhdGE="}


async def test_words_and_data_travel_exactly_and_change_with_the_version(server, spot):
    ada, bob, cell = await two(server, spot)
    placed = await ada.place(pose(*spot), text=WORDS, data="AAEC/w==")
    assert (placed["text"], placed["data"]) == (WORDS, "AAEC/w==")
    assert await bob.until(lambda: bob.sees(placed), "note") == placed

    moved = await ada.edit(placed, pose(*spot, 35.0))
    assert "text" not in moved and "data" not in moved
    seen = await bob.until(lambda: bob.sees(placed, version=2), "edit that names neither")
    assert (seen["text"], seen["data"]) == (WORDS, "AAEC/w==")

    await ada.edit(moved, pose(*spot, 35.0), text="closed", data="")
    seen = await bob.until(lambda: bob.sees(placed, version=3), "edit that names both")
    assert (seen["text"], seen["data"]) == ("closed", "")
    later = await Client.connect(server, "Eve")
    await later.stand_at(*spot)
    topic = await later.view(cell)
    assert topic.instances[placed["id"]]["text"] == "closed"
    assert "data" not in topic.instances[placed["id"]]


async def test_words_survive_a_kill_and_are_sealed_on_disk(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot), **NOTE, key="note-1")
    server.kill()
    on_disk = b"".join(path.read_bytes() for path in server.folder.rglob("*.sqlite*"))
    assert len(on_disk) > 4096
    assert b"old bridge" not in on_disk and b"secret-data" not in on_disk
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    assert await ada.place(pose(*spot), **NOTE, key="note-1") == placed
    topic = await ada.view(placed["cell"])
    assert topic.instances[placed["id"]] == placed


async def test_too_many_words_are_refused_with_the_limit(server, spot):
    ada, bob, cell = await two(server, spot)
    limits = ada.welcome["limits"]
    assert (limits["textCharacters"], limits["textBytes"], limits["dataBytes"]) == (500, 2048, 2048)
    refusal = await refused("text_too_long", ada.place(pose(*spot), text="x" * 501))
    assert refusal.details == {"field": "text", "count": "501", "limit": "500"}
    refusal = await refused("data_too_large", ada.place(pose(*spot), data="A" * 2732 + "AAA="))
    assert refusal.details["limit"] == "2048"
    await ada.place(pose(*spot), text="e\u0301" * 500)
