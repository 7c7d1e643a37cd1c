"""Drafts of tours: what their makers see of them, and what goes in and out as a file (TRM-3, TRM-4, TRM-8).

Over real sockets, with the requests of clients; texts and parts are in test_tours.py.
"""

import asyncio
import json

from accounts import MANY
from cairn import Refused
from test_live_space import refused
from test_tours import FACTS, content, draft, ground, makers, point, popup, stop, versions, world  # noqa: F401


async def test_a_draft_is_previewed_with_its_own_distance_time_and_start(world):  # noqa: F811
    """TRM-3, TRM-8: before it is published, and beside what is published."""
    _, ada = await makers(world, "ada")
    tour = await draft(ada)

    async def preview():
        seen = (await ada.ask("getTour", {"tour": tour, "draft": True}))["tour"]
        return round(seen["distance"], -1), round(seen["seconds"], -1), seen["start"]

    assert await preview() == (700, 500, point(0))
    await ada.ask("publishTour", {"tour": tour})
    version = versions(await ada.ask("getTour", {"tour": tour, "draft": True}))["ground"]
    shorter = ground(route=[point(0), point(140)], direction="TOUR_DIRECTION_BACKWARD")
    await ada.ask("setTourGround", {"tour": tour, "version": version, "ground": shorter})
    assert await preview() == (140, 100, point(140))
    seen = (await ada.ask("getTour", {"tour": tour}))["tour"]
    assert (round(seen["distance"], -1), seen["start"]) == (700, point(0))


async def test_a_new_part_that_is_off_the_route_is_named(world):  # noqa: F811
    """TRM-4: by its kind, and in a file by its place."""
    _, ada = await makers(world, "ada")
    tour = await draft(ada, stops=2)
    for kind, body in (("stop", stop(0, 500)), ("popup", popup(0, 500))):
        told = await refused("off_route", ada.ask(f"setTour{kind.title()}", {"tour": tour, kind: body}))
        assert told.details["part"] == kind
    file = json.loads((await ada.ask("exportTour", {"tour": tour, "draft": True}))["geojson"])
    stops = [one for one in file["features"] if one["properties"]["cairn"] == "stop"]
    del stops[1]["properties"]["id"]
    stops[1]["geometry"]["coordinates"][0] += 0.01
    version = versions(await ada.ask("getTour", {"tour": tour, "draft": True}))["facts"]
    body = {"tour": tour, "version": version, "geojson": json.dumps(file)}
    assert (await refused("off_route", ada.ask("importTour", body))).details["part"] == "stops[1]"


async def test_geojson_of_other_tools_and_of_an_unfinished_draft_is_imported(world):  # noqa: F811
    """TRM-3, TRM-6: members that are none of a tour's are skipped, whatever they are (RFC 7946 6.1)."""
    _, ada = await makers(world, "ada")
    tour = await draft(ada)

    async def imported(tour, text):
        parts = (await ada.ask("getTour", {"tour": tour, "draft": True}))["parts"]
        version = next(one["version"] for one in parts if one["part"] == "facts")
        await ada.ask("importTour", {"tour": tour, "version": version, "geojson": text})
        return (await content(ada, tour, draft=True))[1]

    text = (await ada.ask("exportTour", {"tour": tour, "draft": True}))["geojson"]
    before = (await content(ada, tour, draft=True))[1]
    file = json.loads(text)
    foreign = {"bbox": [0, 0, 1, 1], "crs": {"type": "name"}, "id": 7, "generator": None, "xyz_style": [1]}
    file.update(foreign)
    for feature in file["features"]:
        feature.update(foreign)
        kind = feature["properties"]["cairn"]
        feature["properties"].update({"marker-color": 7, "bbox": "x"})
        others = {"stop": {"price": "x", "text": 1}, "route": {"id": 7, "name": "Way"}}
        feature["properties"].update(others.get(kind, {}))
    assert await imported(tour, json.dumps(file)) == before
    # A number is no name of a part: the stop gets one of the server.
    stop_feature = next(one for one in file["features"] if one["properties"]["cairn"] == "stop")
    stop_feature["properties"]["id"] = 7
    renamed = await imported(tour, json.dumps(file))
    assert renamed["stops"][0].pop("id") != before["stops"][0].pop("id") and renamed == before
    # What has no ground yet.
    unfinished = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    text = (await ada.ask("exportTour", {"tour": unfinished, "draft": True}))["geojson"]
    before = (await content(ada, unfinished, draft=True))[1]
    assert await imported(unfinished, text) == before
    told = await refused("tour_incomplete", ada.ask("publishTour", {"tour": unfinished}))
    assert told.details["missing"] == "area,route,direction,stops"


async def test_many_who_make_tours_at_once_make_no_more_than_the_most(start):
    """TRM-4: `limit_reached` for each that is one too many."""
    world = start(accounts__open="false", tours__perOrganisationMax=3, tours__createdPerHour=1000, **MANY)
    _, ada, bea = await makers(world, "ada", "bea")
    for _ in range(3):

        async def make(maker):
            try:
                return (await maker.ask("createTour", {"facts": FACTS}))["tour"]
            except Refused as refusal:
                return refusal.code

        made = await asyncio.gather(*(make(maker) for maker in (ada, bea) * 6))
        tours = [one["id"] for one in (await ada.ask("listOwnTours"))["tours"]]
        assert sorted(one for one in made if one != "limit_reached") == sorted(tours) and len(tours) == 3, made
        for tour in tours:
            await ada.ask("deleteTour", {"tour": tour})
