"""Tours: made and edited by users of an organisation (TRM-1 to TRM-6, TRM-9).

Over real sockets, with the requests of clients; what becomes of a finished tour is in test_published_tours.py.
"""

import pytest

from accounts import MANY, sign_up
from cairn import away, pose
from operators import Desk
from pictures import png, upload
from test_live_space import refused
from test_organisations import accepted
from test_roles import admin

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
    """TRM-1, TRM-6: `forbidden` for other roles, whatever the tour, and for a published one of another organisation;
    `not_found` for its drafts."""
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
    for name in (tour, NOWHERE, "x"):
        await refused("forbidden", eve.ask("getTour", {"tour": name, "draft": True}))
        await refused("not_found", bea.ask("getTour", {"tour": name, "draft": True}))
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
    # Nobody sees these letters.
    for text in ("\u200b", "\u2060 \u00ad", "\u3164", "\u2800"):
        await refused("missing_field", ada.ask("createTour", {"facts": {**FACTS, "name": words(text)}}))
    # What is wrong with a character is no matter of length.
    for field, text in (("name", "a\tb"), ("description", "a\r\nb")):
        refusal = await refused("invalid_field", ada.ask("createTour", {"facts": {**FACTS, field: words(text)}}))
        assert "tabs" in refusal.message and "at most" not in refusal.message, refusal.message
    # Optional fields that a form has left blank are none.
    tour = (await ada.ask("createTour", {
        "facts": {**FACTS, "links": ["", "https://example.org"], "pictureAlternative": words("")},
    }))["tour"]  # fmt: skip
    kept = (await ada.ask("getTour", {"tour": tour, "draft": True}))["content"]["facts"]
    assert kept["links"] == ["https://example.org"] and "pictureAlternative" not in kept
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
    assert refusal.details == {"part": "stop", "distance": "60", "limit": "50"}
    refusal = await refused("missing_field", ada.ask("setTourPopup", {**add, "popup": {"text": words("x")}}))
    assert refusal.details["fields"] == "lat"
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
    await refused("forbidden", bob.ask("getTour", {"tour": tour, "draft": True}))
    await bea.ask("listOwnTours")
    assert not bob.events("tourChanged") and not bea.events("tourChanged")
    # A suspended organisation has no drafts, either.
    organisation = (await ada.ask("getOrganisation"))["organisation"]["id"]
    await root.ask("suspendOrganisation", {"organisation": organisation, "reason": "x"})
    await refused("forbidden", ada.ask("setTourFacts", {"tour": tour, "version": 99, "facts": FACTS}))
    await refused("forbidden", ada.ask("getTour", {"tour": tour, "draft": True}))


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
