"""Previews of priced tours: those who have not bought one get no story, popup text or recording (TRT-4, OBJ-12).

Everything that a person receives, over the socket and over HTTP, is searched for what is to be paid.
"""

import asyncio
import json
import pathlib

import pytest

from accounts import sign_up
from cairn import Client
from pictures import fetch, png, upload
from purchases import PLAIN, buy
from server import run
from test_live_space import refused
from test_runs import stand
from test_tours import FACTS, draft, makers, point, popup, stop, versions, words

RECORDING = pathlib.Path(__file__).with_name("recording.m4a")
SECRETS = ("the-story", "the-other-story", "the-popup")


@pytest.fixture
def world(start):
    return start(**PLAIN)


def spoken(text, asset):
    return {"words": [{"language": "en", "text": text, "audio": asset}]}


async def made(maker, price=299):
    """A published tour with everything in it: its id, its recordings, and its picture."""
    recordings = [await upload(maker, RECORDING.read_bytes()) for _ in range(3)]
    # One upload of the same bytes may be one asset; the picture is another.
    picture = await upload(maker, png(seed=5))
    facts = {
        "price": price, "picture": picture, "pictureAlternative": words("A wall of stone."),
        "description": spoken("As they stood.", recordings[0]),
    }  # fmt: skip
    tour = await draft(maker, stops=0, **facts)
    await maker.ask("setTourStop", {"tour": tour, "stop": stop(100, history=spoken("the-story", recordings[1]))})
    await maker.ask("setTourStop", {"tour": tour, "stop": stop(200, history=words("the-other-story"))})
    await maker.ask("setTourPopup", {"tour": tour, "popup": popup(150, text=spoken("the-popup", recordings[2]))})
    await maker.ask("publishTour", {"tour": tour})
    return tour, sorted(set(recordings)), picture


async def look(client, tour):
    """All that can be asked about a tour without buying it: page and file."""
    summary = (await client.ask("listTours"))["tours"][0]
    await client.ask("listTours", {"near": point(0)})
    await client.ask("findTour", {"code": summary["code"]})
    page = await client.ask("getTour", {"tour": tour})
    file = await client.ask("exportTour", {"tour": tour})
    return summary, page, file


def received(client):
    return "".join(text if isinstance(text, str) else text.decode("latin-1") for text in client.messages)


async def sees(client, world, tour, assets):
    """Which of the assets the person may download."""
    seen = []
    for asset in assets:
        try:
            told = await client.ask("getAsset", {"asset": asset, "tour": tour})
        except Exception as refusal:
            assert refusal.code == "not_found"
            continue
        status, _, got = await asyncio.to_thread(fetch, world, told["path"])
        assert status == 200 and got
        seen.append(asset)
    return seen


async def test_who_has_not_bought_a_tour_gets_not_one_byte_of_its_stories(world):
    _, maker = await makers(world, "ada")
    tour, recordings, picture = await made(maker)
    eve = await sign_up(world, "eve")
    await stand(eve, 100)
    summary, page, file = await look(eve, tour)
    assert page["preview"] == {"stories": 2, "popups": 1, "recordings": len(recordings)} == file["preview"]
    assert [words["text"] for one in page["content"]["stops"] for words in one["name"]["words"]] == ["Gate", "Gate"]
    assert all("position" in one["pose"]["geopose"] for one in page["content"]["stops"])
    assert page["content"]["popups"][0]["place"] and page["content"]["ground"]["route"]
    assert json.loads(file["geojson"])["features"][0]["properties"]["price"] == 299
    assert await sees(eve, world, tour, [*recordings, picture]) == [picture]
    await refused("payment_required", eve.ask("startTour", {"tour": tour}))
    await refused("not_found", eve.ask("getRunContent"))
    texts = received(eve)
    for path in (f"/j/{summary['code']}", f"/j/{summary['code']}.svg", f"/link/picture/{summary['code']}"):
        status, headers, got = await asyncio.to_thread(fetch, world, path)
        assert status == 200
        texts += got.decode("latin-1") + str(headers)
    for secret in (*SECRETS, *recordings):
        # The person has sent the names of the recordings, and nothing has sent them back.
        assert secret not in texts, secret


async def test_buyers_and_makers_read_all_of_it_until_it_is_paid_back(world):
    _, maker = await makers(world, "ada")
    tour, recordings, picture = await made(maker)
    bob = await sign_up(world, "bob")
    everything = sorted([*recordings, picture])
    bought = await buy(bob, tour)
    for one in (bob, maker):
        _, page, file = await look(one, tour)
        assert "preview" not in page and "preview" not in file
        for secret in (*SECRETS, *recordings):
            assert secret in json.dumps(page) and secret in file["geojson"]
        assert sorted(await sees(one, world, tour, everything)) == everything
    # An address that was given is asked for the right again at each download.
    told = await bob.ask("getAsset", {"asset": recordings[0], "tour": tour})
    assert run("admin", "purchase", "refund", bought["id"], "asked for", "--data", world.folder).returncode == 0
    assert (await bob.ask("getTour", {"tour": tour}))["preview"]["stories"] == 2
    assert (await asyncio.to_thread(fetch, world, told["path"]))[0] == 404
    assert await sees(bob, world, tour, everything) == [picture]


async def test_free_tours_are_everybodys_and_a_purchase_is_of_one_tour(world):
    _, maker = await makers(world, "ada")
    free, recordings, _ = await made(maker, price=0)
    other, others, _ = await made(maker)
    bob = await sign_up(world, "bob")
    page = await bob.ask("getTour", {"tour": free})
    assert "preview" not in page and "the-story" in json.dumps(page)
    assert await sees(bob, world, free, recordings) == recordings
    await buy(bob, await bought_besides(maker))
    assert "preview" in await bob.ask("getTour", {"tour": other})
    assert await sees(bob, world, other, others) == []


async def bought_besides(maker):
    tour = await draft(maker)
    await maker.ask("publishTour", {"tour": tour})
    return tour


async def test_who_walks_a_tour_that_was_free_keeps_what_they_walk_and_no_more(world):
    """TRM-9: a price that comes later is for what comes later."""
    _, maker = await makers(world, "ada")
    tour, recordings, _ = await made(maker, price=0)
    eve = await sign_up(world, "eve")
    await stand(eve, 0)
    await eve.ask("startTour", {"tour": tour})
    parts = versions(await maker.ask("getTour", {"tour": tour, "draft": True}))
    fresh = await upload(maker, pathlib.Path(__file__).with_name("recording-fragments.m4a").read_bytes())
    await maker.ask("setTourFacts", {"tour": tour, "version": parts["facts"], "facts": FACTS})
    await maker.ask("setTourStop", {"tour": tour, "stop": stop(220, history=spoken("the-third-story", fresh))})
    await maker.ask("publishTour", {"tour": tour})
    walked = await eve.ask("getRunContent")
    assert "the-story" in json.dumps(walked) and "preview" not in walked
    assert await sees(eve, world, tour, [*recordings, fresh]) == recordings
    assert "the-third-story" not in json.dumps(await eve.ask("getTour", {"tour": tour}))
    await eve.ask("leaveRun")
    assert await sees(eve, world, tour, [*recordings, fresh]) == []


async def test_a_damaged_purchase_shows_the_preview(world, start):
    from test_damaged_tours import flip

    _, maker = await makers(world, "ada")
    tour, recordings, _ = await made(maker)
    bob = await sign_up(world, "bob")
    await buy(bob, tour)
    assert world.stop() == 0
    flip(world.folder, "purchases")
    again = start(folder=world.folder, **PLAIN)
    bob = await Client.connect(again, token=bob.welcome["token"])
    assert "preview" in await bob.ask("getTour", {"tour": tour})
    assert await sees(bob, again, tour, recordings) == []
    await again.until_figure('cairn_store_damaged_table_rows{table="purchases"}', 1)
