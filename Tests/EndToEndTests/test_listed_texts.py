"""What people get of texts in fifty languages without having asked for all of them: lists, `nearby_tours` and notices
have them in the reader's language, and short (TRT-2, PRX-1, PRX-2; issue 31, F9). Run with -s for the figures.
"""

import json

import pytest

from accounts import MANY, sign_up
from cairn import PATIENCE, away
from geojson import feature, line
from pictures import png, upload
from server import run
from test_large_tours import SECONDS, SETTINGS, imported
from test_live_space import refused
from test_settings import settings
from test_tours import FACTS, OLD_TOWN, content, ground, makers, point, stop, words

#: A character of 25 bytes.
FAMILY = "👨‍👩‍👧‍👦"
LANGUAGES = ["en", "fr", "zh-Hans", "zh-Hant"] + [f"x{chr(97 + n)}" for n in range(26)] + [
    f"y{chr(97 + n)}" for n in range(20)]  # fmt: skip
#: Bytes of a text in a list, and of a page as JSON: twice those of binary protobuf.
TEXT, JSON = 1_024, 131_072


def everywhere(characters, letter=FAMILY):
    """A text in each of fifty languages; each begins with its language."""
    return [{"language": one, "text": f"{one} " + letter * (characters - len(one) - 1)} for one in LANGUAGES]


def hostile(picture, north):
    """A tour whose name and picture's text are as long as may be. Letters, because a build without optimisation counts
    250,000 families for a minute."""
    corners = [point(-1000, -1000), point(-1000, 1000), point(1000, 1000), point(1000, -1000), point(-1000, -1000)]

    plain = words("It was the first.")["words"]
    features = [
        feature("area", "Polygon", [line(corners)], name=everywhere(100), description=plain, picture=picture,
                pictureAlternative=everywhere(5_000, "x")),
        feature("route", "LineString", line([point(north), point(300)]), direction="forward"),
        feature("stop", "Point", [*line([point(100)])[0], 30.0], object="preset:heart", name=words("Gate")["words"],
                history=plain, alternative=plain),
    ]  # fmt: skip
    return json.dumps({"type": "FeatureCollection", "features": features}, ensure_ascii=False)


def size(value):
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def check(tours, language):
    """Each text is in one language, short, and says that it is cut."""
    for tour in tours:
        for text in (tour["name"], tour["pictureAlternative"]):
            assert [one["language"] for one in text["words"]] == [language]
            said = text["words"][0]["text"]
            assert said.startswith(f"{language} ") and said.endswith("…") and len(said.encode()) <= TEXT


@pytest.mark.seconds(2 * SECONDS + 90)
async def test_texts_in_fifty_languages_come_to_a_passer_by_in_one_and_short(start):
    world = start(**SETTINGS)
    _, ada = await makers(world, "ada")
    picture = await upload(ada, png(8, 8))
    await ada.ask("createTour", {"facts": {**FACTS, "picture": picture, "pictureAlternative": words("A wall")}})
    tours = []
    for north in range(2):
        tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
        text = hostile(picture, north)
        assert 370_000 < len(text.encode()) <= 1_048_576
        await imported(ada, tour, text)
        tours.append(tour)
    readers = {
        language: await sign_up(world, f"reader{number}", language=language)
        for number, language in enumerate(["fr", "de", "zh-Hant", "zh", ""])
    }
    expected = dict(zip(readers, ["fr", "en", "zh-Hant", "zh-Hans", "en"]))
    await readers["fr"].ask("saveSettings", settings(notifications__tour_nearby="on"))
    for reader in readers.values():
        await reader.stand_at(*away(*OLD_TOWN, north=1))
    for tour in tours:
        await ada.ask("publishTour", {"tour": tour}, seconds=SECONDS)

    def near(reader):
        items = [item["nearbyTours"] for item in reader.items if "nearbyTours" in item]
        return [one for one in items if len(one.get("tours", [])) == len(tours)]

    for language, reader in readers.items():
        await reader.until(lambda reader=reader: near(reader), "the tours")
        item = near(reader)[0]
        print(f"{language or 'none'}: {size(item)} bytes of {len(tours)} tours")
        assert size(item) < 2 * JSON / 20
        check(item["tours"], expected[language])
        page = await reader.ask("listTours")
        assert len(page["tours"]) == 2 and size(page) < 2 * JSON / 20
        check(page["tours"], expected[language])
        found = await reader.ask("findTour", {"code": page["tours"][0]["code"]})
        check(found["tours"], expected[language])
    # The notice says it in the same language.
    eve = readers["fr"]
    await eve.until(lambda: any("tour_nearby" in json.dumps(one) for one in eve.items), "the notice")
    notices = [one for one in (await eve.ask("listNotifications"))["notifications"] if one["kind"] == "tour_nearby"]
    assert all(one["label"].startswith("fr ") and len(one["label"].encode()) <= 256 for one in notices) and notices
    # The setting goes before what the connection has said, and the whole text is there for who asks for it.
    await eve.ask("saveSettings", settings(accessibility__language="zh"))
    check((await eve.ask("listTours"))["tours"], "zh-Hans")
    summary, whole = await content(eve, tours[0])
    check([summary], "zh-Hans")
    assert whole["facts"]["name"]["words"] == everywhere(100)
    # Makers have a summary as well, and the draft whole.
    own = (await ada.ask("listOwnTours"))["tours"]
    check([one for one in own if one["id"] in tours], "en")


@pytest.mark.seconds(360)
async def test_the_largest_tour_is_exported_to_operators(start, tmp_path):
    """12 MB: what a world of before has, and what operators may allow (`tours.draftBytesMax`). Each piece costs what a
    piece costs."""
    server = start(**{**SETTINGS, "tours__draftBytesMax": 16 << 20, "connections__messageBytesMax": 1 << 20})
    _, ada = await makers(server, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    await ada.ask("setTourGround", {"tour": tour, "ground": ground()})
    long = {"words": [{"language": one, "text": "x" * 4_900} for one in LANGUAGES[:12]]}
    for _ in range(199):
        await ada.ask("setTourStop", {"tour": tour, "stop": stop(history=long)}, seconds=PATIENCE)
    await ada.ask("publishTour", {"tour": tour}, seconds=4 * PATIENCE)
    texts = []
    for words_ in ((), ("--draft",)):
        told = run("admin", "tour", "export", *words_, tour, "--data", server.folder, seconds=120)
        assert told.returncode == 0, told.stderr
        texts.append(told.stdout)
    assert texts[0] == texts[1] and len(texts[0]) > 11_700_000
    stops = [one for one in json.loads(texts[0])["features"] if one["properties"]["cairn"] == "stop"]
    assert len(stops) == 199
    # Nobody is kept waiting, and what is not there is told.
    for wrong in ("8j19dkjhda4gd",):
        told = run("admin", "tour", "export", wrong, "--data", server.folder)
        assert told.returncode == 1 and "no such tour" in told.stderr


async def test_looks_at_a_run_are_counted_and_no_honest_walker_is_refused(start):
    server = start(**{**SETTINGS, "tours__looksPerMinute": 5, **MANY})
    _, ada = await makers(server, "ada")
    tour = (await ada.ask("createTour", {"facts": {**FACTS, "price": 0}}))["tour"]
    await ada.ask("setTourGround", {"tour": tour, "ground": ground()})
    await ada.ask("setTourStop", {"tour": tour, "stop": stop()})
    await ada.ask("publishTour", {"tour": tour})
    eve = await sign_up(server, "eve")
    for _ in range(5):
        await eve.ask("getTour", {"tour": tour})
    await refused("rate_limited", eve.ask("getTour", {"tour": tour}))
    await eve.ask("startTour", {"tour": tour})
    for kind in ("getRun", "getRunContent", "getRun", "getRunContent", "getRun"):
        await eve.ask(kind)
    for kind in ("getRun", "getRunContent", "getGroup"):
        refusal = await refused("rate_limited", eve.ask(kind))
        assert 0 < refusal.retry_after <= 60_000
    await eve.ask("pauseRun")
    await eve.ask("leaveRun")
    await refused("not_found", eve.ask("getRun"))
