"""Tours: published, found by everybody, exported and imported (TRM-3, TRM-4, TRM-6 to TRM-10, TRT-2 to TRT-4, PRX).

Over real sockets, with the requests of clients; how tours are made is in test_tours.py.
"""

import json
import pathlib
import random
import subprocess

from accounts import MANY, sign_in, sign_up
from cairn import Client, away
from swarm import pause
from test_live_space import refused
from test_notifications import notified
from test_settings import settings
from test_tours import (  # noqa: F401
    FACTS, NOWHERE, OLD_TOWN, content, draft, ground, makers, point, popup, published, square, stop, versions, words,
    world,
)  # fmt: skip


# MARK: - Publishing (TRM-6 to TRM-10)


async def test_what_is_missing_is_listed_before_a_tour_is_published(world):
    """TRM-7: `tour_incomplete`."""
    _, ada = await makers(world, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    refusal = await refused("tour_incomplete", ada.ask("publishTour", {"tour": tour}))
    assert refusal.details == {"missing": "area,route,direction,stops"}
    unsaid = ground(direction="TOUR_DIRECTION_UNSPECIFIED")
    await ada.ask("setTourGround", {"tour": tour, "ground": unsaid})
    refusal = await refused("tour_incomplete", ada.ask("publishTour", {"tour": tour}))
    assert refusal.details == {"missing": "direction,stops"}


async def test_a_tour_is_published_edited_beside_discarded_and_deleted_over_restarts(start):
    """TRM-6 to TRM-10, TRT-2 to TRT-4."""

    def again():
        return start(accounts__open="false", accounts__privacy="everyone", **MANY)

    world = again()
    _, ada = await makers(world, "ada")
    eve = await sign_up(world, "eve")
    tour = await draft(ada)
    await refused("not_found", eve.ask("getTour", {"tour": tour}))
    assert (await eve.ask("listTours")) == {}
    await ada.ask("publishTour", {"tour": tour})
    summary = (await eve.ask("listTours"))["tours"][0]
    assert summary["id"] == tour and summary["organisationName"] == "Museum of the Old Town"
    assert summary["version"] == 1 and abs(summary["distance"] - 700) < 2 and "state" not in summary
    assert summary["seconds"] == round(summary["distance"] / 1.4) and summary["price"] == 299
    assert len(summary["code"]) == 8 and not set(summary["code"]) & set("ILOU01")
    assert (await eve.ask("findTour", {"code": summary["code"].lower()}))["tours"] == [summary]
    assert (await content(eve, tour))[0] == summary
    # A draft beside it leaves what is published in force.
    ours = versions(await ada.ask("getTour", {"tour": tour, "draft": True}))
    longer = {"tour": tour, "version": ours["facts"], "facts": {**FACTS, "name": words("Longer"), "seconds": 60}}
    await ada.ask("setTourFacts", longer)
    assert (await ada.ask("listOwnTours"))["tours"][0]["state"] == "edited"
    assert (await eve.ask("listTours"))["tours"] == [summary]
    world.kill()
    world = again()
    ada = await Client.connect(world, token=ada.welcome["token"])
    eve = await Client.connect(world, token=eve.welcome["token"])
    assert (await eve.ask("listTours"))["tours"] == [summary]
    assert (await content(ada, tour, draft=True))[1]["facts"]["name"] == words("Longer")
    await ada.ask("discardTourDraft", {"tour": tour})
    assert (await content(ada, tour, draft=True))[1] == (await content(ada, tour))[1]
    # Who has not bought it is shown the preview (TRT-4).
    assert (await content(eve, tour))[1]["facts"] == (await content(ada, tour))[1]["facts"]
    assert (await ada.ask("listOwnTours"))["tours"][0]["state"] == "published"
    # Nothing has changed.
    assert (await ada.ask("publishTour", {"tour": tour}))["version"] == 1
    await ada.ask("deleteTour", {"tour": tour})
    assert (await eve.ask("listTours")) == {} and (await ada.ask("listOwnTours")) == {}
    await refused("not_found", eve.ask("getTour", {"tour": tour}))
    await refused("not_found", eve.ask("findTour", {"code": summary["code"]}))
    await refused("not_found", ada.ask("getTour", {"tour": tour, "draft": True}))
    await refused("not_found", ada.ask("publishTour", {"tour": tour}))


async def test_the_tours_of_a_suspended_organisation_are_withdrawn_and_come_back(world):
    """TRM-10 and the issue's rule of suspension."""
    root, ada = await makers(world, "ada")
    eve = await sign_up(world, "eve")
    tour = await published(ada)
    organisation = (await ada.ask("getOrganisation"))["organisation"]["id"]
    await root.ask("suspendOrganisation", {"organisation": organisation, "reason": "x"})
    assert (await eve.ask("listTours")) == {}
    await refused("not_found", eve.ask("getTour", {"tour": tour}))
    await root.ask("reinstateOrganisation", {"organisation": organisation, "reason": "x"})
    assert [one["id"] for one in (await eve.ask("listTours"))["tours"]] == [tour]


# MARK: - Finding (TRT-2, PRX-2)


async def test_pages_neither_repeat_nor_hide_a_tour_when_others_come_and_go(world):
    """TRT-2: by organisation, and by nearness."""
    root, ada = await makers(world, "ada")
    _, bea = await makers(world, "bea", organisation="Harbour Society", root=root)
    eve = await sign_up(world, "eve")
    tours = []
    for number in range(22):
        route = [point(number * 10.0), point(number * 10.0 + 200)]
        maker = bea if number % 2 else ada
        area = ground(route=route)
        tour = (await maker.ask("createTour", {"facts": FACTS}))["tour"]
        await maker.ask("setTourGround", {"tour": tour, "ground": area})
        await maker.ask("setTourStop", {"tour": tour, "stop": stop(number * 10.0)})
        await maker.ask("publishTour", {"tour": tour})
        tours.append(tour)
    near = {"near": point()}
    first = await eve.ask("listTours", near)
    assert [one["id"] for one in first["tours"]] == tours[:20]
    assert abs(first["tours"][3]["away"] - 30) < 0.2
    await ada.ask("deleteTour", {"tour": tours[0]})
    await published(ada)
    rest = await eve.ask("listTours", {**near, "cursor": first["next"]})
    assert [one["id"] for one in rest["tours"]] == tours[20:] and "next" not in rest
    first = await eve.ask("listTours")
    rest = await eve.ask("listTours", {"cursor": first["next"]})
    listed = [one["organisation"] for one in first["tours"] + rest["tours"]]
    assert len(listed) == 22 and len(set(listed)) == 2 and listed.index(listed[-1]) == 11
    own = await eve.ask("listTours", {"organisation": listed[0]})
    assert {one["organisation"] for one in own["tours"]} == {listed[0]} and len(own["tours"]) == 11
    assert (await eve.ask("listTours", {"organisation": NOWHERE})) == {}
    await refused("invalid_field", eve.ask("listTours", {"cursor": "x"}))
    await refused("invalid_field", eve.ask("listTours", {"near": {"lat": 91, "lon": 0}}))
    page = await ada.ask("listOwnTours")
    assert len(page["tours"]) == 11 and "next" not in page


async def test_live_views_tell_of_tours_that_begin_near(world):
    """PRX-2: it comes and goes with the user, and when a tour is published or withdrawn."""
    _, ada = await makers(world, "ada")
    eve = await sign_up(world, "eve")

    def told():
        return [item["nearbyTours"].get("tours", []) for item in eve.items if "nearbyTours" in item]

    await eve.stand_at(*away(*OLD_TOWN, north=40))
    tour = await published(ada)
    await eve.until(lambda: len(told()) == 1, "the tour")
    assert [one["id"] for one in told()[0]] == [tour] and 38 < told()[0][0]["away"] < 42
    await eve.stand_at(*away(*OLD_TOWN, north=55))  # hysteresis
    assert len(told()) == 1
    await eve.stand_at(*away(*OLD_TOWN, north=70))
    await eve.until(lambda: len(told()) == 2, "that it is left behind")
    assert told()[1] == []
    await eve.stand_at(*away(*OLD_TOWN, north=55))
    await eve.stand_at(*away(*OLD_TOWN, north=45))
    await eve.until(lambda: len(told()) == 3, "the tour again")
    await ada.ask("deleteTour", {"tour": tour})
    await eve.until(lambda: len(told()) == 4, "that it is gone")
    assert told()[3] == []


async def test_who_wants_is_notified_of_a_tour_once_a_day_over_devices_and_restarts(start):
    """PRX-1, PRX-3: within 200 m of the area, off by default, so many an hour in all."""

    def again():
        return start(accounts__open="false", accounts__privacy="everyone", tours__noticesPerHour=2, **MANY)

    world = again()
    _, ada = await makers(world, "ada")
    tour = await published(ada)
    eve, bob = await sign_up(world, "eve"), await sign_up(world, "bob")
    await eve.ask("saveSettings", settings(notifications__tour_nearby="on"))
    for person in (eve, bob, ada):
        await person.stand_at(*away(*OLD_TOWN, north=1250))
        await person.stand_at(*away(*OLD_TOWN, north=1190))
    await eve.until(lambda: notified(eve), "the notice")
    told = notified(eve)[0]
    assert (told["kind"], told["instance"], told["label"]) == ("tour_nearby", tour, "Walls")
    # On another device, and after a restart, it is not told again.
    other = await sign_in(world, "eve")
    await other.stand_at(*away(*OLD_TOWN, north=1100))
    world.kill()
    world = again()
    eve = await Client.connect(world, token=eve.welcome["token"])
    await eve.stand_at(*OLD_TOWN)
    ada = await Client.connect(world, token=ada.welcome["token"])
    for _ in range(3):
        await published(ada)
    await eve.stand_at(*away(*OLD_TOWN, north=10))
    await eve.until(lambda: len(notified(eve)) >= 1, "one more")
    await pause(0.5)
    page = await eve.ask("listNotifications")
    assert [one["kind"] for one in page["notifications"]] == ["tour_nearby"] * 2
    assert len({one["instance"] for one in page["notifications"]}) == 2
    bob = await Client.connect(world, token=bob.welcome["token"])
    assert "tour_nearby" not in [one["kind"] for one in notified(bob) + notified(ada)]


async def test_who_switches_the_notices_on_near_a_tour_is_told_without_moving(start):
    """PRX-1: the position of before counts, on every device of the person."""
    world = start(accounts__open="false", accounts__privacy="everyone", **MANY)
    _, ada = await makers(world, "ada")
    tour = await published(ada)
    eve = await sign_up(world, "eve")
    await eve.stand_at(*away(*OLD_TOWN, north=1190))
    other = await sign_in(world, "eve")
    await other.ask("saveSettings", settings(notifications__tour_nearby="on"))
    for device in (eve, other):
        await device.until(lambda: notified(device), "the notice")
        assert [(one["kind"], one["instance"]) for one in notified(device)] == [("tour_nearby", tour)]


# MARK: - GeoJSON (TRM-3, TRM-4)


async def exported(client, tour, **more):
    first = await client.ask("exportTour", {"tour": tour, **more})
    text = first["geojson"]
    for number in range(1, first["pages"]):
        text += (await client.ask("exportTour", {"tour": tour, "page": number, **more}))["geojson"]
    return text


async def test_geojson_that_is_exported_and_imported_again_is_the_same_tour(world):
    """Bit for bit, also into another tour, but for the ids of its parts."""
    _, ada = await makers(world, "ada")
    eve = await sign_up(world, "eve")
    tour = await draft(ada, stops=2, links=["https://example.org/walls"], seconds=3600)
    chance = random.Random(7)
    for _ in range(3):
        crooked = popup(200 + chance.random() * 50, chance.random() * 30, text=words("Où? 哪里 \"here\" \\ \n."))
        await ada.ask("setTourPopup", {"tour": tour, "popup": crooked})
    await ada.ask("publishTour", {"tour": tour})
    text = await exported(ada, tour, draft=True)
    _, whole = await content(ada, tour, draft=True)
    collection = json.loads(text)
    assert collection["type"] == "FeatureCollection"
    kinds = [one["properties"]["cairn"] for one in collection["features"]]
    assert kinds == ["area", "route"] + ["stop"] * 2 + ["popup"] * 3
    ring = collection["features"][0]["geometry"]["coordinates"][0]
    assert ring[0] == ring[-1]
    turning = sum((b[0] - a[0]) * (b[1] + a[1]) for a, b in zip(ring, ring[1:]))
    assert turning < 0, "RFC 7946: an outer ring is counter-clockwise"
    ours = versions(await ada.ask("getTour", {"tour": tour, "draft": True}))
    await refused("version_conflict", ada.ask("importTour", {"tour": tour, "version": 99, "geojson": text}))
    await ada.ask("importTour", {"tour": tour, "version": ours["facts"], "geojson": text})
    assert (await content(ada, tour, draft=True))[1] == whole
    assert await exported(ada, tour, draft=True) == text
    other = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    await ada.ask("importTour", {"tour": other, "version": 1, "geojson": text})
    _, copy = await content(ada, other, draft=True)
    for one in copy["stops"] + copy["popups"] + whole["stops"] + whole["popups"]:
        del one["id"]
    assert sorted(map(json.dumps, copy.pop("popups"))) == sorted(map(json.dumps, whole.pop("popups")))
    assert copy == whole
    assert json.loads(await exported(eve, tour))["features"][0] == collection["features"][0]
    await refused("not_found", eve.ask("exportTour", {"tour": other}))
    await refused("forbidden", eve.ask("importTour", {"tour": tour, "geojson": text}))


async def test_a_map_editors_geojson_is_taken_and_hostile_ones_are_refused(world):
    """Clockwise rings, altitudes, unknown members; deep nesting, NaN, crossing edges, wrong forms."""
    _, ada = await makers(world, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]

    def line(points, height=0.0):
        return [[one["lon"], one["lat"], height] for one in points]

    corners = square(clockwise=True)
    area = {
        "type": "Feature", "id": 1, "bbox": [0, 0, 1, 1], "geometry": {
            "type": "Polygon", "coordinates": [line(corners + corners[:1])], "extra": {"deep": [1]}},
        "properties": {"cairn": "area", "stroke": "#f00", "name": FACTS["name"]["words"],
                       "description": FACTS["description"]["words"]},
    }  # fmt: skip
    route = {"type": "Feature", "geometry": {"type": "LineString", "coordinates": line([point(), point(300)], 30)},
             "properties": {"cairn": "route", "direction": "backward"}}  # fmt: skip
    alien = {"type": "Feature", "geometry": None, "properties": {"name": "a text", "links": 7}}
    good = {"type": "FeatureCollection", "generator": "x", "features": [alien, area, route]}

    def ask(geojson, version):
        text = geojson if isinstance(geojson, str) else json.dumps(geojson)
        return ada.ask("importTour", {"tour": tour, "version": version, "geojson": text})

    version = (await ask(good, 1))["version"]
    _, whole = await content(ada, tour, draft=True)
    assert whole["ground"]["direction"] == "TOUR_DIRECTION_BACKWARD" and len(whole["ground"]["area"]) == 4
    bow = [point(-500, -500), point(500, 500), point(500, -500), point(-500, 500)]
    crossing = {**area, "geometry": {"type": "Polygon", "coordinates": [line(bow)]}}
    hole = {**area, "geometry": {"type": "Polygon", "coordinates": [line(corners), line(corners)]}}
    swapped = {**route, "geometry": {"type": "Point", "coordinates": [0, 0]}}
    for bad in (
        "", "[" * 30_000, '{"type":"FeatureCollection","features":' + "[" * 20_000,
        json.dumps(good).replace("30]", "NaN]", 1),
        '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"cairn":"route"}}]}',
        {**good, "type": "Feature"}, {**good, "features": [area, swapped]}, {**good, "features": [hole, route]},
    ):  # fmt: skip
        assert (await refused("invalid_field", ask(bad, version))).details["field"] == "geojson"
    refusal = await refused("invalid_route", ask({**good, "features": [crossing, route]}, version))
    assert refusal.details["reason"] == "crossing"
    assert (await content(ada, tour, draft=True))[1] == whole


async def test_the_sample_tour_is_published_as_it_is_and_opens_in_gdal(world, tmp_path):
    """config/demo/park.geojson, in five languages; what Cairn writes is read by another program."""
    _, ada = await makers(world, "ada")
    sample = pathlib.Path(__file__).parents[2] / "config/demo/park.geojson"
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    await ada.ask("importTour", {"tour": tour, "version": 1, "geojson": sample.read_text()})
    await ada.ask("publishTour", {"tour": tour})
    _, whole = await content(ada, tour)
    texts = [whole["facts"]["name"], *(one["history"] for one in whole["stops"])]
    assert all([one["language"] for one in text["words"]] == ["en", "es", "fr", "hi", "zh"] for text in texts)
    file = tmp_path / "tour.geojson"
    file.write_text(await exported(ada, tour))
    told = subprocess.run(["ogrinfo", "-al", "-so", file], capture_output=True, text=True, check=True).stdout
    assert "Feature Count: 6" in told and "cairn: String" in told, told
