"""Tours by operators: `cairn admin tour list|export|import|withdraw|delete` (TRM-3, TRM-4, TRM-10, TRT-11)."""

import json
import math
import pathlib

from cairn import eventually
from geojson import feature, line
from operators import Desk
from pictures import upload
from server import run
from test_notifications import notified
from test_published_tours import exported
from test_runs import settings, tour_of, walker, world  # noqa: F401
from test_tours import content, draft, makers, point, published, words
from test_live_space import refused

SAMPLE = pathlib.Path(__file__).parents[2] / "config/demo/park.geojson"
RECORDING = pathlib.Path(__file__).parents[2] / "config/demo/tree-en.opus"


def admin(server, *words):
    return run("admin", "tour", *words, "--data", server.folder)


def answer(server, *words):
    told = admin(server, *words)
    assert told.returncode == 0, told
    return json.loads(told.stdout)


async def organisation(maker):
    return (await maker.ask("getOrganisation"))["organisation"]["id"]


async def audit(server):
    async with await Desk.open(server) as desk:
        return [one["what"] for one in (await desk.ask("audit"))["audit"] if one["what"].startswith("tour_")]


def unnamed(text):
    """Without the ids of stops and popups, which are another tour's own."""
    collection = json.loads(text)
    for feature in collection["features"]:
        feature["properties"].pop("id", None)
    return collection


async def test_what_operators_export_and_import_again_is_the_same_tour(world, tmp_path):  # noqa: F811
    """Bit for bit, with its recordings and the ids of its parts; a new one has ids of its own."""
    _, ada = await makers(world, "ada")
    asset = await upload(ada, RECORDING.read_bytes())
    name = {"words": [{"language": "en", "text": "Walls", "audio": asset}]}
    tour = await published(ada, name=name)
    text = admin(world, "export", tour).stdout.removesuffix("\n")
    assert text == await exported(ada, tour) and asset in text
    file = tmp_path / "tour.geojson"
    file.write_text(text)
    home = await organisation(ada)
    # A draft that is changed meanwhile.
    before = (await ada.ask("getTour", {"tour": tour, "draft": True}))["parts"]
    version = next(part["version"] for part in before if part["part"] == "facts")
    changed = {"name": words("Gates"), "description": words("Another text.")}
    await ada.ask("setTourFacts", {"tour": tour, "version": version, "facts": changed})
    assert admin(world, "export", tour).stdout == text + "\n"
    assert admin(world, "export", tour, "--draft").stdout == await exported(ada, tour, draft=True) + "\n"
    told = answer(world, "import", file, "--organisation", home, "--tour", tour)
    assert (told["tour"], told["state"], told["version"]) == (tour, "edited", 1)
    assert await exported(ada, tour, draft=True) == text
    # Another one, published at once.
    other = answer(world, "import", file, "--organisation", home, "--publish")
    assert (other["state"], other["version"], other["name"]) == ("published", 1, "Walls")
    assert unnamed(await exported(ada, other["tour"])) == unnamed(text)
    assert (await content(ada, other["tour"]))[0]["code"] == other["code"]
    assert await audit(world) == ["tour_import"] * 2


async def test_operators_list_tours_of_all_organisations_with_drafts(world):  # noqa: F811
    root, ada = await makers(world, "ada")
    _, bea = await makers(world, "bea", organisation="Harbour Society", root=root)
    first, second = await draft(ada), await published(bea)
    listed = answer(world, "list")["tours"]
    assert {(one["tour"], one["state"], one["version"]) for one in listed} == {
        (first, "draft", 0), (second, "published", 1),
    }  # fmt: skip
    (one,) = answer(world, "list", await organisation(bea))["tours"]
    assert one["tour"] == second and one["name"] == "Walls" and one["organisation"] == await organisation(bea)


async def test_a_list_of_operators_goes_over_pages(world):  # noqa: F811
    _, ada = await makers(world, "ada")
    home = await organisation(ada)
    made = [answer(world, "import", SAMPLE, "--organisation", home)["tour"] for _ in range(23)]
    assert [one["tour"] for one in answer(world, "list", home)["tours"]] == made


async def test_operators_withdraw_and_delete_tours_and_their_runs_end_with_notice(world):  # noqa: F811
    """TRM-10, TRT-11: people on the tour are notified; a withdrawn tour can be published again."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    eve = await walker(world)

    async def ends(count):
        async def told():
            return len([entry for entry in notified(eve) if entry["kind"] == "tour_ended"]) == count

        await eventually(told, "the notification")
        await refused("not_found", eve.ask("getRun"))

    await eve.ask("startTour", {"tour": tour})
    answer(world, "withdraw", tour, "Complaints", "about", "it")
    await ends(1)
    await refused("not_found", eve.ask("startTour", {"tour": tour}))
    await refused("not_found", eve.ask("getTour", {"tour": tour}))
    assert [one["state"] for one in (await ada.ask("listOwnTours"))["tours"]] == ["draft"]
    assert admin(world, "withdraw", tour).returncode == 1
    assert (await ada.ask("publishTour", {"tour": tour}))["version"] == 2
    await eve.ask("startTour", {"tour": tour})
    answer(world, "delete", tour)
    await ends(2)
    assert (await ada.ask("listOwnTours")) == {} and admin(world, "delete", tour).returncode == 1
    assert await audit(world) == ["tour_delete", "tour_withdraw"]
    async with await Desk.open(world) as desk:
        deeds = [one for one in (await desk.ask("audit"))["audit"] if one["what"].startswith("tour_")]
        assert [(one["tour"], one["reason"]) for one in deeds] == [(tour, ""), (tour, "Complaints about it")]


async def test_what_is_no_tour_is_refused_to_operators_and_changes_nothing(world, tmp_path):  # noqa: F811
    _, ada = await makers(world, "ada")
    home = await organisation(ada)
    good = json.loads(SAMPLE.read_text())

    def told(collection, *more, where=home):
        file = tmp_path / "bad.geojson"
        file.write_text(collection if isinstance(collection, str) else json.dumps(collection))
        answered = admin(world, "import", file, "--organisation", where, *more)
        assert answered.returncode == 1, answered
        return answered.stderr

    features = good["features"]
    stops = [one for one in features if one["properties"]["cairn"] == "stop"]
    bare = {**good, "features": [one for one in features if one not in stops]}
    recorded = json.loads(SAMPLE.read_text())
    recorded["features"][0]["properties"]["name"][0]["audio"] = "8j19dkjhda4gd"
    told("no JSON")
    told("x" * 1_100_000)
    told({**good, "features": features[1:]})
    told(bare, "--publish")
    told(recorded)
    told(good, where="8j19dkjhda4gd")
    told(good, "--tour", "8j19dkjhda4gd")
    assert admin(world, "import", tmp_path / "none", "--organisation", home).returncode == 1
    assert admin(world, "export", "8j19dkjhda4gd").returncode == 1
    assert answer(world, "list") == {"tours": []} and await audit(world) == []
    async with await Desk.open(world) as desk:
        for line in ("tour-import x", "tour-text ??", "tour-export x y z", "tour-delete",
                     "tour-export 8j19dkjhda4gd published 9223372036854775807"):
            assert (await desk.ask(line))["error"]["code"] in ("bad_argument", "not_found")


def largest(text="It was the first. "):
    """As much as a tour may have: 10,000 points, 1,000 corners and 100 stops, as GeoJSON."""
    turn = 2 * math.pi / 1_000
    corners = [point(4_000 * math.sin(n * turn), 4_000 * math.cos(n * turn)) for n in range(1_000)]
    route = [point(-1_000 + n * 0.2, 20 * math.sin(n / 50)) for n in range(10_000)]

    words_of = [{"language": "en", "text": text * 20}]
    features = [
        feature("area", "Polygon", [line(corners + corners[:1])], name=words("Walls")["words"],
                description=words_of),
        feature("route", "LineString", line(route), direction="forward"),
        *(feature("stop", "Point", [*line([route[100 * n]])[0], 30.0], object="preset:heart",
                  name=words("Gate")["words"], history=words_of, alternative=words_of) for n in range(100)),
    ]  # fmt: skip
    return json.dumps({"type": "FeatureCollection", "features": features})


async def test_the_largest_tour_goes_in_and_out(world, tmp_path):  # noqa: F811
    """TRM-3, TRM-4: 10,000 points, 1,000 corners and 100 stops, by operators in pieces, and out by both ways."""
    _, ada = await makers(world, "ada")
    file = tmp_path / "large.geojson"
    file.write_text(largest())
    assert file.stat().st_size > 500_000
    made = answer(world, "import", file, "--organisation", await organisation(ada), "--publish")
    out = admin(world, "export", made["tour"]).stdout.removesuffix("\n")
    assert out == await exported(ada, made["tour"])
    found, given = json.loads(out)["features"], json.loads(file.read_text())["features"]
    assert len(found) == len(given) == 102
    assert found[1]["geometry"]["coordinates"] == given[1]["geometry"]["coordinates"]
    # The ring may begin elsewhere, and goes counter-clockwise.
    rings = (one[0]["geometry"]["coordinates"][0][1:] for one in (found, given))
    assert sorted(next(rings)) == sorted(next(rings))
    file.write_text(out)
    again = answer(world, "import", file, "--organisation", await organisation(ada), "--tour", made["tour"])
    assert again["version"] == 1
    assert await exported(ada, made["tour"], draft=True) == out
