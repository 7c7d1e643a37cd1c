"""Tours: made by users of an organisation, published, found by everybody (TRM-1 to TRM-10, TRT-2 to TRT-4, PRX-2).

Over real sockets, with the requests of clients.
"""

import asyncio
import json
import pathlib
import random
import shutil
import subprocess

import pytest

from accounts import MANY, sign_in, sign_up
from cairn import Client, away, pose
from operators import Desk
from pictures import png, upload
from test_live_space import refused
from test_notifications import notified
from test_organisations import accepted
from test_roles import admin
from test_settings import settings

OLD_TOWN = (45.5, -73.57)
NOWHERE = "8j19dkjhda4gd"


def words(*texts, language="en"):
    return {"words": [{"language": language, "text": text} for text in texts]}


FACTS = {"name": words("Walls"), "description": words("As they stood in 1640."), "price": 299}


def point(north=0.0, east=0.0):
    lat, lon = away(*OLD_TOWN, north=north, east=east)
    return {"lat": lat, "lon": lon}


def square(metres=1000.0, *, clockwise=False):
    corners = [point(-metres, -metres), point(-metres, metres), point(metres, metres), point(metres, -metres)]
    return corners[::-1] if clockwise else corners


def ground(**more):
    return {
        "area": square(), "route": [point(0, 0), point(300, 0), point(300, 400)],
        "direction": "TOUR_DIRECTION_FORWARD", **more,
    }  # fmt: skip


def stop(north=100.0, east=0.0, **more):
    at = point(north, east)
    return {
        "object": "preset:heart", "pose": pose(at["lat"], at["lon"]), "name": words("Gate"),
        "history": words("It was the first."), "alternative": words("A gate of stone."), **more,
    }  # fmt: skip


def popup(north=200.0, east=0.0, **more):
    return {"place": {**point(north, east), "h": 30.0}, "text": words("Mind the step."), **more}


@pytest.fixture
def world(start):
    """A server without open sign-in."""
    return start(accounts__open="false", listen__loops=2, tours__createdPerHour=1000, **MANY)


async def makers(world, *names, organisation="Museum of the Old Town", root=None):
    """Users of one organisation; the admin comes first."""
    async with await Desk.open(world) as desk:
        root = root or await admin(world, desk)
    people = [await sign_up(world, name) for name in names]
    await accepted(root, *people, name=organisation)
    return root, *people


async def draft(maker, *, facts=FACTS, area=None, stops=1, **more):
    """A complete draft; its id."""
    tour = (await maker.ask("createTour", {"facts": {**facts, **more}}))["tour"]
    await maker.ask("setTourGround", {"tour": tour, "ground": area or ground()})
    for number in range(stops):
        await maker.ask("setTourStop", {"tour": tour, "stop": stop(100.0 + 10 * number)})
    return tour


async def published(maker, **more):
    tour = await draft(maker, **more)
    assert (await maker.ask("publishTour", {"tour": tour})) == {"tour": tour, "version": 1}
    return tour


async def content(client, tour, **more):
    """Summary and whole content, page by page."""
    first = await client.ask("getTour", {"tour": tour, **more})
    whole = first["content"]
    for number in range(1, first["pages"]):
        page = (await client.ask("getTour", {"tour": tour, "page": number, **more}))["content"]
        for name, value in page.get("ground", {}).items():
            whole.setdefault("ground", {})
            whole["ground"][name] = whole["ground"].get(name, []) + value if isinstance(value, list) else value
        for name in ("stops", "popups"):
            if name in page:
                whole[name] = whole.get(name, []) + page[name]
    return first["tour"], whole


def versions(page):
    return {part["part"]: part["version"] for part in page["parts"]}


# MARK: - Making (TRM-1 to TRM-5)


async def test_only_users_of_an_organisation_make_tours_and_only_their_own(world):
    """TRM-1, TRM-6: `forbidden` for other roles, `not_found` for another organisation's."""
    root, ada = await makers(world, "ada")
    _, bea = await makers(world, "bea", organisation="Harbour Society", root=root)
    eve = await sign_up(world, "eve")
    tour = await draft(ada)
    asks = {
        "setTourFacts": {"facts": FACTS}, "setTourGround": {"ground": ground()}, "setTourStop": {"stop": stop()},
        "setTourPopup": {"popup": popup()}, "removeTourPart": {"part": NOWHERE}, "orderTourStops": {},
        "publishTour": {}, "discardTourDraft": {}, "deleteTour": {},
    }  # fmt: skip
    for kind, body in asks.items():
        await refused("forbidden", eve.ask(kind, {"tour": tour, **body}))
        await refused("forbidden", root.ask(kind, {"tour": tour, **body}))
        for name in (tour, NOWHERE, "x"):
            await refused("not_found", bea.ask(kind, {"tour": name, **body}))
    for kind, body in {"createTour": {"facts": FACTS}, "listOwnTours": {}, "openTour": {"tour": tour}}.items():
        await refused("forbidden", eve.ask(kind, body))
        await refused("forbidden", root.ask(kind, body))
    assert (await bea.ask("listOwnTours")) == {}
    # Nothing has changed.
    assert [one["state"] for one in (await ada.ask("listOwnTours"))["tours"]] == ["draft"]


async def test_facts_are_checked_and_all_blank_ones_are_listed(world):
    """TRM-2, TRM-5: `missing_field`, `invalid_price`, `invalid_link`, `invalid_field`."""
    _, ada = await makers(world, "ada")
    refusal = await refused("missing_field", ada.ask("createTour", {"facts": {}}))
    assert refusal.details["fields"] == "name,description"
    blank = {"name": words(" "), "description": words("x"), "picture": NOWHERE}
    refusal = await refused("missing_field", ada.ask("createTour", {"facts": blank}))
    assert refusal.details["fields"] == "name,picture_alternative"
    for more, code, details in [
        ({"price": 1000}, "invalid_price", {"limit": "999"}),
        ({"links": ["https://example.org", "ftp://example.org"]}, "invalid_link", {"index": "1", "limit": "20"}),
        ({"links": ["http://"]}, "invalid_link", {"index": "0", "limit": "20"}),
        ({"links": ["javascript:alert(1)"]}, "invalid_link", {"index": "0", "limit": "20"}),
        ({"links": ["https://example.org"] * 21}, "invalid_link", {"index": "20", "limit": "20"}),
        ({"name": words("x" * 101)}, "invalid_field", {"field": "name"}),
        ({"name": words("a\nb")}, "invalid_field", {"field": "name"}),
        ({"name": words("a", "b")}, "invalid_field", {"field": "name"}),
        ({"name": words("a", language="e")}, "invalid_field", {"field": "name"}),
        ({"description": words("x" * 5001)}, "invalid_field", {"field": "description"}),
        ({"seconds": 2_592_001}, "invalid_field", {"field": "seconds"}),
    ]:  # fmt: skip
        refusal = await refused(code, ada.ask("createTour", {"facts": {**FACTS, **more}}))
        assert refusal.details == details, more
    both = {"words": [{"language": "en", "text": "Walls"}, {"language": "fr", "text": "Murs"}]}
    await ada.ask("createTour", {"facts": {**FACTS, "name": both, "price": 999, "links": ["https://example.org/a?b"]}})


async def test_bad_geometry_is_named_with_line_index_and_reason(world):
    """TRM-3: `invalid_route`."""
    _, ada = await makers(world, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    bow = [point(-500, -500), point(500, 500), point(500, -500), point(-500, 500)]
    for more, line, index, reason in [
        ({"area": square()[:2]}, "area", "2", "too_few"), ({"route": [point()]}, "route", "1", "too_few"),
        ({"area": bow}, "area", "2", "crossing"), ({"area": square() + [point(-1000, -1000), point(0, -2000)]},
         "area", "4", "repeated"),
        ({"area": square(15_000)}, "area", "1", "too_large"),
        ({"route": [point(), point(300), point(1500)]}, "route", "2", "outside"),
        ({"route": [point(), {"lat": 91, "lon": 0}]}, "route", "1", "no_place"),
        ({"area": [*square(), {"lat": 45.5}]}, "area", "4", "no_place"),
        ({"route": [point(), point()]}, "route", "1", "repeated"),
    ]:  # fmt: skip
        refusal = await refused("invalid_route", ada.ask("setTourGround", {"tour": tour, "ground": ground(**more)}))
        assert refusal.details == {"line": line, "index": index, "reason": reason}, more
    # A number that JSON has no form for is no message at all.
    await ada.ask("setTourGround", {"tour": tour, "ground": ground(area=square(clockwise=True))})


async def test_a_route_through_a_restricted_area_is_refused(start):
    """TRM-3: `restricted_area`."""
    inner = "; ".join(f"{one['lat']} {one['lon']}" for one in (point(140, -20), point(140, 20), point(160, 0)))
    world = start(accounts__open="false", placement__restrictedAreas=inner, **MANY)
    _, ada = await makers(world, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    refusal = await refused("restricted_area", ada.ask("setTourGround", {"tour": tour, "ground": ground()}))
    assert refusal.details == {"line": "route", "index": "1"}


async def test_a_route_of_ten_thousand_points_comes_in_pieces(world):
    """TRM-3: what is larger than a message; no more points than the limit."""
    _, ada = await makers(world, "ada")
    tour = (await ada.ask("createTour", {"facts": FACTS}))["tour"]
    route = [point(n * 0.08, 200 * ((n // 100) % 2)) for n in range(10_000)]
    version = 0
    for begin in range(0, 10_000, 500):
        part = {"route": route[begin : begin + 500]}
        if begin == 0:
            part |= {"area": square(), "direction": "TOUR_DIRECTION_FORWARD"}
        body = {"tour": tour, "ground": part, "version": version, "append": True, "more": begin < 9_500}
        version = (await ada.ask("setTourGround", body))["version"]
        if begin == 0:
            refusal = await refused("tour_incomplete", ada.ask("publishTour", {"tour": tour}))
            assert refusal.details["missing"] == "ground,stops"
    one_more = {"tour": tour, "ground": {"route": [point()]}, "version": version, "append": True}
    refusal = await refused("invalid_route", ada.ask("setTourGround", one_more))
    assert refusal.details == {"line": "route", "index": "10000", "reason": "too_many"}
    _, whole = await content(ada, tour, draft=True)
    assert whole["ground"]["route"] == route


async def test_stops_and_popups_stand_along_the_route_and_say_what_they_show(world):
    """TRM-4, ACS-2: `off_route`, `missing_field`, `object_not_owned`, `bad_pose`."""
    _, ada = await makers(world, "ada")
    tour = await draft(ada)
    add = {"tour": tour}
    refusal = await refused("missing_field", ada.ask("setTourStop", {**add, "stop": {}}))
    assert refusal.details["fields"] == "object,pose,name,history,alternative"
    await refused("object_not_owned", ada.ask("setTourStop", {**add, "stop": stop(object="preset:nothing")}))
    twisted = pose(*OLD_TOWN, turned=(1.0, 1.0, 1.0, 1.0))
    await refused("bad_pose", ada.ask("setTourStop", {**add, "stop": stop(pose=twisted)}))
    refusal = await refused("off_route", ada.ask("setTourStop", {**add, "stop": stop(100, 60)}))
    assert refusal.details == {"part": "", "distance": "60", "limit": "50"}
    refusal = await refused("missing_field", ada.ask("setTourPopup", {**add, "popup": {"text": words("x")}}))
    assert refusal.details["fields"] == "place"
    await refused("off_route", ada.ask("setTourPopup", {**add, "popup": popup(100, -60)}))
    await refused("not_found", ada.ask("setTourStop", {**add, "stop": stop(id=NOWHERE)}))
    await ada.ask("setTourStop", {**add, "stop": stop(100, 40)})
    await ada.ask("setTourPopup", {**add, "popup": popup(100, -40)})
    # A route that leaves what stands along it is refused, and names it.
    elsewhere = ground(route=[point(-500), point(-600)])
    ours = versions(await ada.ask("getTour", {"tour": tour, "draft": True}))
    refusal = await refused(
        "off_route", ada.ask("setTourGround", {**add, "version": ours["ground"], "ground": elsewhere}))
    assert refusal.details["part"] in ours


async def test_a_tour_holds_so_many_parts_and_an_organisation_so_many_tours(start):
    """TRM-4: `space_full`; `limit_reached`."""
    world = start(accounts__open="false", tours__partsMax=2, tours__perOrganisationMax=1, **MANY)
    _, ada = await makers(world, "ada")
    tour = await draft(ada, stops=2)
    refusal = await refused("space_full", ada.ask("setTourPopup", {"tour": tour, "popup": popup()}))
    assert refusal.details == {"count": "2", "limit": "2"}
    refusal = await refused("limit_reached", ada.ask("createTour", {"facts": FACTS}))
    assert refusal.details == {"count": "1", "limit": "1"}


# MARK: - Editing together (TRM-9)


async def test_editors_of_different_parts_do_not_conflict_and_of_one_part_do(world):
    """TRM-9: `version_conflict` names the part; co-editors see each other's changes live."""
    _, ada, bob = await makers(world, "ada", "bob")
    tour = await draft(ada, stops=2)
    for client in (ada, bob):
        await client.ask("openTour", {"tour": tour})
    page = await bob.ask("getTour", {"tour": tour, "draft": True})
    first, second = page["content"]["stops"]
    ours = versions(page)
    await bob.until(lambda: any(name.startswith("tour:") and one.is_complete for name, one in bob.topics.items()))
    moved = {**first, "name": words("The old gate")}
    edited = await ada.ask("setTourStop", {"tour": tour, "version": ours[first["id"]], "stop": moved})
    await bob.ask("setTourStop", {"tour": tour, "version": ours[second["id"]], "stop": second})
    refusal = await refused(
        "version_conflict", bob.ask("setTourStop", {"tour": tour, "version": ours[first["id"]], "stop": first}))
    assert refusal.details == {"part": first["id"], "version": str(edited["version"])}
    await bob.until(lambda: len(bob.events("tourChanged")) == 2, "both changes")
    heard = bob.events("tourChanged")[0][2]
    assert heard == {"tour": tour, "part": first["id"], "version": edited["version"], "stop": moved}
    # The order is a part of its own.
    order = {"tour": tour, "version": ours["order"], "stops": [second["id"], first["id"]]}
    await refused("invalid_field", ada.ask("orderTourStops", {**order, "stops": [second["id"]]}))
    await ada.ask("orderTourStops", order)
    await refused("version_conflict", bob.ask("orderTourStops", order))
    now = versions(await ada.ask("getTour", {"tour": tour, "draft": True}))
    await refused("version_conflict", ada.ask("removeTourPart", {"tour": tour, "part": first["id"], "version": 1}))
    await ada.ask("removeTourPart", {"tour": tour, "part": first["id"], "version": now[first["id"]]})
    _, whole = await content(bob, tour, draft=True)
    assert [one["id"] for one in whole["stops"]] == [second["id"]]
    await ada.ask("closeTour", {"tour": tour})


async def test_nothing_of_a_draft_reaches_anybody_outside(world):
    """TRM-6: who leaves the organisation gets no byte from its answer on; others never get one."""
    root, ada, bob = await makers(world, "ada", "bob")
    _, bea = await makers(world, "bea", organisation="Harbour Society", root=root)
    tour = await draft(ada)
    for client in (ada, bob, bea):
        await client.ask("openTour", {"tour": tour})
    ours = versions(await ada.ask("getTour", {"tour": tour, "draft": True}))
    for draft_too in (True, False):
        await refused("not_found", bea.ask("getTour", {"tour": tour, "draft": draft_too}))
    await bob.ask("leaveOrganisation")
    await ada.ask("setTourFacts", {"tour": tour, "version": ours["facts"], "facts": FACTS})
    await ada.until(lambda: ada.events("tourChanged"), "the change")
    await refused("not_found", bob.ask("getTour", {"tour": tour, "draft": True}))
    await bea.ask("listOwnTours")
    assert not bob.events("tourChanged") and not bea.events("tourChanged")
    # A suspended organisation has no drafts, either.
    organisation = (await ada.ask("getOrganisation"))["organisation"]["id"]
    await root.ask("suspendOrganisation", {"organisation": organisation, "reason": "x"})
    await refused("forbidden", ada.ask("setTourFacts", {"tour": tour, "version": 99, "facts": FACTS}))
    await refused("not_found", ada.ask("getTour", {"tour": tour, "draft": True}))


async def test_a_tours_picture_is_seen_by_its_makers_and_once_published_by_everybody(world):
    """TRM-2, TRM-5, TRM-6: an asset is uploaded by who names it, and a use keeps it."""
    root, ada, bob = await makers(world, "ada", "bob")
    eve = await sign_up(world, "eve")
    own, others = await upload(ada, png(seed=1)), await upload(eve, png(seed=2))
    shown = {"picture": own, "pictureAlternative": words("A wall.")}
    for wrong in (others, NOWHERE, "x"):
        refusal = await refused("invalid_field", ada.ask("createTour", {"facts": {**FACTS, **shown, "picture": wrong}}))
        assert refusal.details == {"field": "asset"}
    tour = await draft(ada, **shown)
    ours = versions(await ada.ask("getTour", {"tour": tour, "draft": True}))
    spoken = {"words": [{"language": "en", "text": "Walls", "audio": others}]}
    change = {"tour": tour, "version": ours["facts"], "facts": {**FACTS, **shown, "name": spoken}}
    assert (await refused("invalid_field", bob.ask("setTourFacts", change))).details == {"field": "asset"}
    # Another maker may keep what the tour has.
    await bob.ask("setTourFacts", {**change, "facts": {**FACTS, **shown}})
    where = {"asset": own, "tour": tour}
    assert (await bob.ask("getAsset", where))["contentType"] == "image/png"
    await refused("not_found", eve.ask("getAsset", where))
    await ada.ask("publishTour", {"tour": tour})
    assert (await eve.ask("getAsset", where))["contentType"] == "image/png"
    await refused("not_found", eve.ask("getAsset", {"asset": own}))
    await ada.ask("deleteTour", {"tour": tour})
    await refused("not_found", eve.ask("getAsset", where))


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
    assert (await content(ada, tour, draft=True))[1] == (await content(eve, tour))[1]
    assert (await ada.ask("listOwnTours"))["tours"][0]["state"] == "published"
    assert (await ada.ask("publishTour", {"tour": tour}))["version"] == 2
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
    await eve.until(lambda: len(told()) == 1, "the tour", seconds=1)
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
    await asyncio.sleep(0.5)
    page = await eve.ask("listNotifications")
    assert [one["kind"] for one in page["notifications"]] == ["tour_nearby"] * 2
    assert len({one["instance"] for one in page["notifications"]}) == 2
    bob = await Client.connect(world, token=bob.welcome["token"])
    assert "tour_nearby" not in [one["kind"] for one in notified(bob) + notified(ada)]


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
        assert (await refused("invalid_field", ask(bad, version))).details == {"field": "geojson"}
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
    if not shutil.which("ogrinfo"):
        pytest.skip("there is no ogrinfo (Debian: gdal-bin)")
    file = tmp_path / "tour.geojson"
    file.write_text(await exported(ada, tour))
    told = subprocess.run(["ogrinfo", "-al", "-so", file], capture_output=True, text=True, check=True).stdout
    assert "Feature Count: 6" in told and "cairn: String" in told, told
