"""Groups on tours: a guide and followers, each with a run of their own (TRM-11).

Over real sockets, with the requests of clients; runs themselves are in test_runs.py.
"""

from accounts import sign_up
from cairn import Client, eventually
from operators import Desk
from server import Server
from swarm import pause
from test_listed_texts import LANGUAGES
from test_live_space import refused
from test_runs import events, reached, settings, stand, tour_of, walk, walker, world  # noqa: F401
from test_tours import FACTS, makers, point


def told(client):
    """The group as the client was shown it last."""
    return ([{}] + [item["group"] for item in client.items if "group" in item])[-1]


def fellow(group, name):
    return next((one for one in group.get("members", []) if one.get("name") == name), None)


async def sees(client, name, what):
    """Waits until the client sees a member of its group like this."""

    async def seen():
        found = fellow(told(client), name)
        return found is not None and what(found)

    await eventually(seen, lambda: f"{name}: {told(client)}")


async def test_a_blocked_person_cannot_tell_the_code_of_a_group_from_no_code(world):  # noqa: F811
    """TRM-11, FRD-7: the same answers, one after the other."""
    _, _, eve, bob = await on_tour(world, "eve", "bob")
    group = await eve.ask("openGroup", {})
    await eve.ask("block", {"account": bob.welcome["account"]})
    for code in (group["code"], "ABCDEFGH", group["code"], group["code"]):
        await refused("not_found", bob.ask("joinGroup", {"code": code}))
        # The run hears that it is free a moment later.
        await pause(0.2)


async def led_far(client):
    """Waits until the way leads to the second stop and not to the first."""

    def ways():
        return [item["guidance"]["metres"] for item in client.items if "guidance" in item]

    async def led():
        return ways() and 190 <= ways()[-1] <= 200

    await eventually(led, ways)


async def on_tour(world, *names, norths=(100, 200)):
    """Walkers with runs on one tour of one organisation; the maker and the tour come first."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, *norths)
    walkers = [await walker(world, name) for name in names]
    for one in walkers:
        await one.ask("share", {"position": True})
        await one.ask("editProfile", {"interactionsVisibleTo": "everyone"})
        await one.ask("startTour", {"tour": tour})
    return ada, tour, *walkers


async def test_a_long_look_at_the_own_run_leaves_the_walker_in_the_group(start, settings):
    """TRM-11: what is counted of looks is kept beside the group and not in its place."""
    world = start(**settings, connections__messageBytesMax=1 << 20)
    _, ada = await makers(world, "ada")
    long = {"words": [{"language": one, "text": "x" * 4_900} for one in LANGUAGES[:20]]}
    tour = await tour_of(ada, 20, 200, history=long)
    eve, bob = await walker(world, "eve"), await walker(world, "bob")
    for one in (eve, bob):
        await one.ask("editProfile", {"interactionsVisibleTo": "everyone"})
        await one.ask("startTour", {"tour": tour})
    group = await eve.ask("openGroup", {})
    await bob.ask("joinGroup", {"code": group["code"]})
    await walk(bob, 0, 20)
    await reached(bob, 1)
    assert len(str(await bob.ask("getRun"))) > 90_000
    assert len((await bob.ask("getGroup"))["members"]) == 2
    await bob.ask("leaveGroup")
    await sees_none(eve, "bob")


async def sees_none(client, name):
    async def is_gone():
        return fellow(told(client), name) is None

    await eventually(is_gone, lambda: f"{name}: {told(client)}")


async def test_followers_and_guide_see_each_others_stop_and_by_consent_place(world):
    """TRM-11: names and stops of all, places of those who agree; a stranger near by learns nothing."""
    _, _, eve, bob, cat = await on_tour(world, "eve", "bob", "cat")
    mallory = await sign_up(world, "mallory")
    await stand(mallory, 5)
    group = await eve.ask("openGroup", {"sharesPlace": True})
    assert len(group["code"]) == 8 and group["members"][0]["guide"] and group["members"][0]["own"]
    joined = await bob.ask("joinGroup", {"code": group["code"].lower(), "sharesPlace": True})
    assert joined["id"] == group["id"] and joined.get("code", "") == ""
    await cat.ask("joinGroup", {"code": group["code"]})
    await walk(bob, 100)
    await reached(bob, 1)
    await sees(eve, "bob", lambda one: one["reached"] == 1 and abs(one["lat"] - point(100)["lat"]) < 2e-4)
    await stand(cat, 50)
    await stand(eve, 10)
    await pause(2.1)
    await stand(eve, 11)
    await sees(cat, "eve", lambda one: one.get("guide") and "lat" in one)
    await sees(eve, "cat", lambda one: "lat" not in one and not one.get("sharesPlace"))
    # Who shares no position with anybody shares none with the group.
    await eve.ask("share", {"position": False})
    await pause(2.1)
    await stand(eve, 12)
    await sees(cat, "eve", lambda one: "lat" not in one and one["sharesPlace"])
    # Names are hidden from who may not know them.
    await eve.ask("editProfile", {"interactionsVisibleTo": "nobody"})
    hidden = [one for one in (await cat.ask("getGroup"))["members"] if one.get("guide")]
    assert len(hidden) == 1 and "name" not in hidden[0] and "account" not in hidden[0]
    # Consent ends at once.
    await bob.ask("shareGroupPlace", {"sharesPlace": False})
    await sees(eve, "bob", lambda one: "lat" not in one)
    # Nothing of it has reached anybody else.
    assert not [item for item in mallory.items if "group" in item]
    assert group["id"] not in str(mallory.items) and group["code"] not in str(mallory.items)
    assert group["code"] not in str(bob.items)
    assert (await world.figures())["cairn_people_in_spaces"] == 3


async def test_who_stands_still_is_seen_in_a_group_at_the_place_of_before(world):  # noqa: F811
    """TRM-11: a guide without a run and a follower, who send no position after they have asked."""
    ada, tour, bob = await on_tour(world, "bob")
    await stand(ada, 0)
    await ada.ask("share", {"position": True})
    await ada.ask("editProfile", {"interactionsVisibleTo": "everyone"})
    group = await ada.ask("openGroup", {"tour": tour, "sharesPlace": True})
    await bob.ask("joinGroup", {"code": group["code"], "sharesPlace": True})
    await sees(bob, "ada", lambda one: "lat" in one)
    await sees(ada, "bob", lambda one: "lat" in one)


async def test_a_code_that_admits_nobody_is_unknown_and_guessing_is_limited(start, settings):  # noqa: F811
    """TRM-11: wrong, of another tour, ended, lapsed and full."""
    server = start(**{**settings, "tours__followersMax": 1, "tours__codesPerHour": 6})
    ada, _, eve, bob, cat = await on_tour(server, "eve", "bob", "cat")
    other = await tour_of(ada, 150)
    dan = await walker(server, "dan")
    await refused("forbidden", dan.ask("openGroup"))
    await dan.ask("startTour", {"tour": other})
    group = await eve.ask("openGroup")
    await refused("already_member", eve.ask("openGroup"))
    await refused("not_found", dan.ask("joinGroup", {"code": group["code"]}))
    await refused("not_found", cat.ask("joinGroup", {"code": "AAAAAAAA"}))
    await refused("not_found", cat.ask("getGroup"))
    await bob.ask("joinGroup", {"code": group["code"]})
    full = await refused("limit_reached", cat.ask("joinGroup", {"code": group["code"]}))
    assert full.details == {"count": "1", "limit": "1"}
    await refused("forbidden", bob.ask("setGroupTarget", {"stop": ""}))
    # Without its guide it ends.
    await eve.ask("leaveGroup")

    async def ended():
        return [one["group"] for one in events(bob, "groupEnded")]

    assert await eventually(ended, "the end") == [group["id"]]
    await refused("not_found", bob.ask("getGroup"))
    for _ in range(4):
        await refused("not_found", dan.ask("joinGroup", {"code": group["code"]}))
    await refused("not_found", dan.ask("joinGroup", {"code": "AAAAAAAA"}))
    # The wait is long, so it is told and not made (ACC-4).
    limit = await refused("too_many_attempts", dan.ask("joinGroup", {"code": group["code"]}))
    assert 60_000 < limit.retry_after <= 3_600_000
    await bob.ask("getRun")


async def test_the_guide_sets_the_target_for_all_and_a_group_survives_a_crash(start, settings):  # noqa: F811
    """TRM-11: the way leads to the guide's stop; members, target and code are the same after `kill -9`."""
    server = start(**settings)
    _, _, eve, bob = await on_tour(server, "eve", "bob")
    page = await bob.ask("getRunContent")
    last = page["content"]["stops"][1]["id"]
    group = await eve.ask("openGroup", {"sharesPlace": True})
    await bob.ask("joinGroup", {"code": group["code"]})
    await refused("invalid_field", eve.ask("setGroupTarget", {"stop": "nowhere"}))
    await eve.ask("setGroupTarget", {"stop": last})
    await sees(bob, "eve", lambda _: told(bob).get("target") == last)
    await stand(bob, 1)

    await led_far(bob)
    server.kill()
    server = Server.start(server.folder, **settings)
    try:
        await goes_on(server, group, last, eve, bob)
    finally:
        server.stop()


async def goes_on(server, group, last, *members):
    """The guide and a follower go on after a restart, until the guide leaves."""
    eve, bob = [await Client.connect(server, token=one.welcome["token"]) for one in members]
    again = await eve.ask("getGroup")
    assert (again["id"], again["code"], again["target"]) == (group["id"], group["code"], last)
    assert [one["name"] for one in again["members"]] == ["eve", "bob"]
    await stand(bob, 3)
    await led_far(bob)
    await eve.ask("leaveRun")

    async def over():
        return events(bob, "groupEnded")

    await eventually(over, "the end")


async def test_a_user_of_the_organisation_guides_without_a_run(world):
    """TRM-11, ROL-3: in a space of their own; others of other organisations may not; the end gives the world back."""
    ada, tour, bob = await on_tour(world, "bob")
    await stand(ada, 0)
    await ada.ask("share", {"position": True})
    await ada.ask("editProfile", {"interactionsVisibleTo": "everyone"})
    await refused("not_found", ada.ask("openGroup", {"tour": "8j19dkjhda4gd"}))
    group = await ada.ask("openGroup", {"tour": tour, "sharesPlace": True})
    assert "reached" not in group["members"][0]
    await refused("already_member", ada.ask("openGroup", {"tour": tour}))
    await bob.ask("joinGroup", {"code": group["code"]})
    await stand(ada, 20)
    await pause(2.1)
    await stand(ada, 21)
    await sees(bob, "ada", lambda one: "lat" in one and "reached" not in one)
    await sees(ada, "bob", lambda one: one.get("reached", 0) == 0)
    assert (await world.figures())["cairn_people_in_spaces"] == 2
    await ada.ask("deleteTour", {"tour": tour})

    async def back():
        return (await world.figures())["cairn_people_in_spaces"] == 0

    await eventually(back, "the end")
    await refused("not_found", ada.ask("getGroup"))


async def test_who_has_blocked_somebody_is_not_in_a_group_with_them(world):
    """TRM-11, FRD-7: the guide's code is unknown; followers are left out of each other's group, at once."""
    _, _, eve, bob, cat = await on_tour(world, "eve", "bob", "cat")
    group = await eve.ask("openGroup", {"sharesPlace": True})
    await bob.ask("joinGroup", {"code": group["code"], "sharesPlace": True})
    await cat.ask("joinGroup", {"code": group["code"], "sharesPlace": True})
    await sees(bob, "cat", lambda one: True)
    await bob.ask("block", {"account": cat.welcome["account"]})
    await stand(bob, 1)
    await stand(cat, 1)
    for one, name in ((bob, "cat"), (cat, "bob")):

        async def gone():
            return fellow(told(one), name) is None and fellow(told(one), "eve")

        await eventually(gone, lambda: told(one))
    await cat.ask("leaveGroup")
    await cat.ask("block", {"account": eve.welcome["account"]})
    await refused("not_found", cat.ask("joinGroup", {"code": group["code"]}))


async def test_a_device_that_comes_during_a_pause_learns_the_group_at_once(world):
    """TRM-11, TRT-5: it needs no movement; the way is not shown until the walker resumes."""
    _, _, eve, bob = await on_tour(world, "eve", "bob")
    group = await eve.ask("openGroup")
    await bob.ask("joinGroup", {"code": group["code"]})
    await stand(bob, 1)
    await sees(bob, "eve", lambda one: one.get("guide"))
    await bob.ask("pauseRun")
    for name in ("eve", "bob"):
        late = await Client.connect(world, token={"eve": eve, "bob": bob}[name].welcome["token"])
        await sees(late, name, lambda one: one.get("own") and told(late)["id"] == group["id"])
        # Eve, who does not pause, is shown the way from where she has stood since before the start.
        assert name == "eve" or not [item for item in late.items if "guidance" in item]


async def test_a_guide_on_an_earlier_version_sets_a_stop_of_it(world):  # noqa: F811
    """TRM-11, TRM-9: the stop is no part of the version that is offered by now."""
    ada, tour, eve, bob = await on_tour(world, "eve", "bob", norths=(100, 200, 300))
    group = await eve.ask("openGroup", {})
    await bob.ask("joinGroup", {"code": group["code"]})
    stops = [one["id"] for one in (await eve.ask("getRunContent"))["content"]["stops"]]
    parts = (await ada.ask("getTour", {"tour": tour, "draft": True}))["parts"]
    version = next(one["version"] for one in parts if one["part"] == stops[2])
    await ada.ask("removeTourPart", {"tour": tour, "part": stops[2], "version": version})
    await ada.ask("publishTour", {"tour": tour})
    for stop in (stops[2], stops[1]):
        assert (await eve.ask("setGroupTarget", {"stop": stop}))["target"] == stop
    assert (await refused("invalid_field", eve.ask("setGroupTarget", {"stop": tour}))).details["field"] == "stop"


async def shown_with_place(world, *names):
    """A group of walkers in which the first guides and is seen at a place by the others."""
    _, _, guide, *others = await on_tour(world, *names)
    group = await guide.ask("openGroup", {"sharesPlace": True})
    for one in others:
        await one.ask("joinGroup", {"code": group["code"], "sharesPlace": True})
    await pause(2.1)
    for north in (10, 11):
        await stand(guide, north)
    for one in others:
        await sees(one, names[0], lambda seen: "lat" in seen)
    return guide, *others


async def test_a_place_goes_with_sharing_with_the_link_and_with_a_suspension(start, settings):  # noqa: F811
    """TRM-11, PRF-8: it needs no further movement."""
    server = start(**{**settings, "presence__graceSeconds": 1})
    guide, bob = await shown_with_place(server, "eve", "bob")
    await guide.ask("share", {"position": False})
    await sees(bob, "eve", lambda seen: "lat" not in seen and seen["sharesPlace"])
    await guide.ask("share", {"position": True})
    # A place is told every two seconds at most.
    await pause(2.1)
    await stand(guide, 12)
    await sees(bob, "eve", lambda seen: "lat" in seen)
    await guide.drop()
    await sees(bob, "eve", lambda seen: "lat" not in seen)
    guide = await Client.connect(server, token=guide.welcome["token"])
    await guide.ask("share", {"position": True})
    # A place counts in the group from when the connection is back in it.
    await sees(guide, "bob", lambda seen: True)
    await pause(2.1)
    await stand(guide, 13)
    await sees(bob, "eve", lambda seen: "lat" in seen)
    async with await Desk.open(server) as desk:
        await desk.ask(f"ban {guide.welcome['account']} abuse")
    await sees(bob, "eve", lambda seen: "lat" not in seen)


async def test_a_block_within_a_group_takes_effect_without_a_step(world):  # noqa: F811
    """TRM-11, FRD-7: in both directions."""
    guide, bob, cat = await shown_with_place(world, "eve", "bob", "cat")
    await guide.ask("block", {"account": bob.welcome["account"]})

    async def apart():
        return fellow(told(bob), "eve") is None and fellow(told(guide), "bob") is None

    await eventually(apart, lambda: (told(bob), told(guide)))
    assert fellow(told(cat), "eve") and fellow(told(cat), "bob")
