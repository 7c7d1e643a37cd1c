"""Guests who look at the world without an account (SES-14, PRF-5): what they see, what they may ask, and how much."""

import pytest

from accounts import MANY, PASSWORD, guest, sign_up
from cairn import Client, away, eventually, pose
from test_absence import of
from test_errors import refused
from test_slow_readers import LARGE, LIMITS, narrow_socket
from test_tours import makers, published

#: Guests look as where nothing is said of them and sign-in is open.
LOOKS = {"guests__look": None}
#: The name of guests' topics, behind that of the cell.
GUESTS = "/v0000000000000"
HOUR = 3_600_000


async def onlooker(server, at, **more):
    """A guest with a view; and the token of its cell."""
    client = await guest(server, **more)
    cell = await client.stand_at(*at)
    await client.view(cell + GUESTS)
    return client, cell


# MARK: - What they see


async def test_a_guest_sees_things_posts_and_tours_and_nobody(start, spot):
    server = start(**LOOKS)
    ada = await Client.connect(server, "Ada", sharePosition=True, shareAccuracy=0)
    cell = await ada.stand_at(*spot)
    heart = await ada.place(pose(*spot), text="welcome")
    post = await ada.make_post("a post")
    await ada.react(heart, "like")
    eye, seen = await onlooker(server, spot)
    assert seen == cell and eye.welcome["limits"]["guestsLook"] is True
    await eye.until(lambda: eye.sees(heart) and eye.sees(post), "what is public")
    assert {key: eye.sees(heart).get(key) for key in ("text", "placer", "created")} == {
        "text": "welcome", "placer": None, "created": None}  # fmt: skip
    assert eye.sees(heart)["reactions"] == [{"reaction": "like", "count": 1}]
    # Times of a post are those of the hour.
    told = eye.sees(post)["post"]
    assert int(told["created"]) % HOUR == 0 and int(told["expires"]) % HOUR == 0 and "editableUntil" not in told
    assert int(told["expires"]) >= int(post["post"]["expires"]) > int(told["expires"]) - HOUR
    # Changes come as they do for everybody.
    await ada.react(heart, "love")
    await eye.until(lambda: eye.sees(heart)["reactions"] == [{"reaction": "love", "count": 1}], "the reaction")
    other = await ada.place(pose(*away(*spot, north=3)))
    await eye.until(lambda: eye.sees(other), "another thing")
    await ada.remove(other)
    await eye.until(lambda: not eye.sees(other), "its end")
    # Ada walks about, and nothing of it is told.
    for step in range(5):
        await ada.stand_at(*away(*spot, east=step))
    selected = await eye.select(heart)
    assert selected["instance"]["id"] == heart["id"] and selected.keys() == {"instance"}
    assert "created" not in selected["instance"]
    read = await eye.read_post(post)
    assert read.keys() == {"post"} and int(read["post"]["post"]["created"]) % HOUR == 0
    assert not any("presence" in item for item in eye.items) and not eye.people and not eye.own


async def test_what_a_guest_may_not_do_needs_an_account(start, spot):
    server = start(**LOOKS)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    heart, post = await ada.place(pose(*spot)), await ada.make_post("a post")
    eye, cell = await onlooker(server, spot)
    there = {"instance": heart["id"], "cell": cell}
    for kind, body in {
        "place": {"object": "preset:heart", "pose": pose(*spot)}, "edit": {**there, "pose": pose(*spot), "version": 1},
        "remove": there, "react": {**there, "reaction": "like"}, "listReactions": there,
        "createPost": {"text": "me too"}, "vote": {"post": post["id"], "cell": cell, "vote": 1},
        "listTrendingPosts": {"cell": cell}, "listOwnPosts": {}, "share": {"position": True}, "selectRealm": {},
        "getSnapshot": {}, "readProfile": {"account": ada.welcome["account"]}, "findUsers": {"prefix": "A"},
        "findRealms": {"prefix": "A"}, "listOwnTours": {}, "exportTour": {"tour": heart["id"]},
        "getAsset": {"asset": heart["id"]}, "startTour": {"tour": heart["id"]},
    }.items():  # fmt: skip
        await refused("not_signed_in", eye.ask(kind, body))
    # What is not in view does not exist.
    far = away(*spot, north=3_000)
    await ada.stand_at(*far)
    thing = await ada.place(pose(*far))
    await refused("not_found", eye.select(thing))
    await refused("not_found", eye.ask("select", {"instance": "0000000000zz0", "cell": cell}))
    newcomer = await guest(server)
    await refused("position_required", newcomer.select(heart))


async def test_guests_see_nothing_where_the_operator_does_not_let_them(start, spot):
    server = start(guests__look="false")
    eye = await guest(server)
    assert "guestsLook" not in eye.welcome["limits"]
    await refused("not_signed_in", eye.stand_at(*spot))
    for kind in ("listTours", "getTour", "findTour", "select", "readPost", "getAsset"):
        await refused("not_signed_in", eye.ask(kind, {}))


@pytest.mark.parametrize(
    ("settings", "look"),
    [
        ({"opens": True, "guests__look": None}, True),
        ({"opens": False, "guests__look": None}, False),
        ({"accounts__open": "false", "guests__look": None}, True),
        ({"opens": False, "guests__look": "true"}, True),
        ({"opens": True, "guests__look": "false"}, False),
    ],
)  # fmt: skip
async def test_guests_look_where_a_world_is_tried_out_and_elsewhere_by_the_operators_word(start, spot, settings, look):
    eye = await guest(start(**settings))
    assert eye.welcome["limits"].get("guestsLook", False) is look
    if look:
        await eye.view(await eye.stand_at(*spot) + GUESTS)
    else:
        await refused("not_signed_in", eye.stand_at(*spot))


async def test_a_guest_reads_tours_and_their_assets_as_who_has_bought_nothing(start, spot):
    world = start(accounts__open="false", guests__look="true", **MANY)
    _, ada = await makers(world, "ada")
    tour = await published(ada)
    bob, eye = await sign_up(world, "bob"), await guest(world)
    listed = await eye.ask("listTours")
    assert listed == await bob.ask("listTours") and listed["tours"][0]["id"] == tour
    code = listed["tours"][0]["code"]
    assert await eye.ask("findTour", {"code": code}) == await bob.ask("findTour", {"code": code})
    assert await eye.ask("getTour", {"tour": tour}) == await bob.ask("getTour", {"tour": tour})
    await refused("forbidden", eye.ask("getTour", {"tour": tour, "draft": True}))
    await refused("not_found", eye.ask("getAsset", {"asset": "0000000000zz0", "tour": tour}))


# MARK: - A guest who becomes somebody


async def test_who_signs_in_goes_on_as_a_person_at_the_same_place(start, spot):
    server = start(guests__look="true", accounts__open="false", **MANY)
    ada = await sign_up(server, "ada")
    await ada.stand_at(*spot)
    heart = await ada.place(pose(*spot))
    eye, cell = await onlooker(server, spot)
    await eye.until(lambda: eye.sees(heart), "the thing")
    await refused("email_taken", eye.ask("signUp", {
        "email": "ada@example.org", "username": "eye", "password": "Correct-Horse-7", "consent": "1"}))  # fmt: skip
    # What failed has ended nothing.
    await ada.react(heart, "like")
    await eye.until(lambda: eye.sees(heart).get("reactions"), "the reaction")
    await eye.ask("signUp", {
        "email": "eye@example.org", "username": "eye", "password": "Correct-Horse-7", "consent": "1"})  # fmt: skip
    assert not eye.topics
    await eye.stand_at(*spot)
    await eye.view(cell)
    await eye.react(heart, "love")
    await eye.ask("signOut")
    assert not eye.topics
    await eye.stand_at(*spot)
    await eye.view(cell + GUESTS)


async def test_a_guest_who_comes_back_gets_what_it_missed(start, spot):
    server = start(**LOOKS)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    heart = await ada.place(pose(*spot))
    eye, cell = await onlooker(server, spot)
    topic = eye.topics[cell + GUESTS]
    cursor = {"topic": topic.name, **topic.cursor}
    await eye.drop()
    await ada.react(heart, "like")
    again = await guest(server, cursors=[cursor])
    again.topics[topic.name] = topic
    await again.stand_at(*spot)
    await again.until(lambda: again.sees(heart).get("reactions"), "what was missed")
    assert any("continued" in item for item in again.items)
    assert not any("snapshot" in item and item["snapshot"]["cursor"]["topic"] == topic.name for item in again.items)


async def test_a_cursor_of_guests_gives_a_person_nothing(start, spot):
    server = start(**LOOKS)
    eye, cell = await onlooker(server, spot)
    topic = eye.topics[cell + GUESTS]
    ada = await Client.connect(server, "Ada", cursors=[{"topic": topic.name, **topic.cursor}])
    ada.topics[topic.name] = topic
    await ada.stand_at(*spot)
    await ada.view(cell)
    assert topic.name not in ada.topics and not any("continued" in item for item in ada.items)


# MARK: - What people hide (PRF-5)


async def test_what_a_person_hides_leaves_the_views_of_guests(start, spot):
    server = start(**LOOKS)
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    for one in (ada, bob):
        await one.stand_at(*spot)
    hers, post = await ada.place(pose(*spot)), await ada.make_post("a post")
    his = await bob.place(pose(*away(*spot, east=3)))
    eye, cell = await onlooker(server, spot)
    await eye.until(lambda: all(map(eye.sees, (hers, post, his))), "everything")
    assert (await ada.ask("getProfile"))["guestsSee"] is True
    assert "guestsSee" not in await ada.ask("editProfile", {"guestsSee": False})
    # Gone when the change was answered: the answer to a later request comes behind it.
    await refused("not_found", eye.select(hers))
    await refused("not_found", eye.read_post(post))
    assert not eye.sees(hers) and not eye.sees(post) and eye.sees(his)
    before = len(eye.items)
    more = await ada.place(pose(*away(*spot, north=3)))
    await bob.react(hers, "like")
    await ada.edit(hers, pose(*away(*spot, north=2)))
    await bob.react(his, "like")
    await eye.until(lambda: eye.sees(his).get("reactions"), "the reaction")
    # The cells of a view come one by one.
    told = [item for item in eye.items[before:] if "snapshot" not in item]
    assert len(told) == 1, told
    # Signed-in people see it as ever, and over a restart it stays hidden.
    await bob.until(lambda: bob.sees(hers) and bob.sees(more), "hers")
    server.kill()
    server = start(**LOOKS)
    eye, _ = await onlooker(server, spot)
    assert eye.sees(his) and not eye.sees(hers) and not eye.sees(more) and not eye.sees(post)
    ada = await Client.connect(server, token=ada.welcome["token"])
    assert (await ada.ask("editProfile", {"guestsSee": True}))["guestsSee"] is True
    await eye.until(lambda: all(map(eye.sees, (hers, more, post))), "everything again")
    assert eye.sees(hers)["reactions"] == [{"reaction": "like", "count": 1}]


async def test_no_old_cursor_brings_back_what_a_person_hides(start, spot):
    server = start(**LOOKS)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    eye, cell = await onlooker(server, spot)
    topic = eye.topics[cell + GUESTS]
    cursor = {"topic": topic.name, **topic.cursor}
    hers, gone = await ada.place(pose(*spot), text="secret"), await ada.place(pose(*spot), text="secret too")
    await eye.until(lambda: eye.sees(hers) and eye.sees(gone), "hers")
    await ada.remove(gone)
    await ada.ask("editProfile", {"guestsSee": False})
    again = await guest(server, cursors=[cursor])
    await again.stand_at(*spot)
    await again.view(cell + GUESTS)
    assert not again.sees(hers) and "secret" not in str(again.items), again.items


@pytest.mark.parametrize("meanwhile", ["the thing is gone", "the guest looks elsewhere"])
async def test_a_guest_who_reads_slowly_is_not_sent_what_a_person_hides(start, spot, meanwhile):
    """Of what waits for the guest the cell knows nothing any more, or the guest does not follow the cell any more."""
    server = start(**LOOKS, **(LIMITS | {"connections__outboxBytesMax": None}))
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    for one in (ada, bob):
        await one.view(await one.stand_at(*spot))
    eye, _ = await onlooker(server, spot, sock=narrow_socket(server))
    thing = await bob.place(pose(*spot))
    await eye.until(lambda: eye.sees(thing), "the thing")
    eye.socket.transport.pause_reading()
    while (await server.figures())["cairn_readers_behind"] == 0:
        for number in range(10):
            thing = await bob.edit(thing, pose(*spot, float(number), anchor=LARGE))
    hers = await ada.place(pose(*spot), text="secret")
    if meanwhile == "the thing is gone":
        await ada.remove(hers)
    else:
        before = (await server.figures())["cairn_cells_awake"]
        await eye.send({"position": {"lat": spot[0] + 1, "lon": spot[1], "h": 30.0}})

        async def woke_others():
            return (await server.figures())["cairn_cells_awake"] > before

        await eventually(woke_others, "the cells there are awake")
    await ada.ask("editProfile", {"guestsSee": False})
    eye.socket.transport.resume_reading()
    await eye.ask("position", {"lat": spot[0], "lon": spot[1], "h": 30.0})
    last = await bob.place(pose(*away(*spot, north=2)))
    await eye.until(lambda: eye.sees(last), "what comes after it")
    assert "secret" not in str(eye.items), "it waited"


async def test_showing_guests_again_has_a_quota_and_hiding_has_none(start, spot):
    server = start(**LOOKS)
    ada = await Client.connect(server, "Ada")
    for _ in range(20):
        await ada.ask("editProfile", {"guestsSee": False})
        await ada.ask("editProfile", {"guestsSee": True})
    await ada.ask("editProfile", {"guestsSee": True})
    await ada.ask("editProfile", {"guestsSee": False})
    refusal = await refused("too_many_attempts", ada.ask("editProfile", {"guestsSee": True}))
    assert refusal.details == {"field": "guestsSee"} and refusal.retry_after > 0
    assert "guestsSee" not in await ada.ask("getProfile")
    await eventually(lambda: figure(server, 'cairn_sign_in_refused_total{attempt="guest_sight"}', 1), "the count")


async def test_what_a_deleted_person_has_left_is_gone_for_guests_at_once(start, spot):
    """CMP-3, also for the guests of a server that died before the deletion was done."""
    server = start(accounts__open="false", guests__look="true", placement__perMinute=100, **MANY)
    ada = await sign_up(server, "ada")
    await ada.stand_at(*spot)
    things = [await ada.place(pose(*away(*spot, north=step))) for step in range(20)]
    eye, cell = await onlooker(server, spot)
    await eye.until(lambda: all(map(eye.sees, things)), "her things")
    await ada.ask("deleteAccount", {"password": PASSWORD})
    for thing in things:
        await refused("not_found", eye.select(thing))
        assert not eye.sees(thing)
    server.kill()
    server = start(accounts__open="false", guests__look="true", placement__perMinute=100, **MANY)
    eye, _ = await onlooker(server, spot)
    assert not any(map(eye.sees, things)) and not any("event" in item for item in eye.items)


async def test_nothing_of_sub_realms_and_blocks_reaches_a_guest(start, spot):
    server = start(**LOOKS)
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    for one in (ada, bob):
        await one.stand_at(*spot)
    realm = (await ada.ask("createRealm", {"name": "Walkers"}))["id"]
    eye, cell = await onlooker(server, spot)
    before = len(eye.items)
    secret = await ada.place(pose(*spot), realms=[realm])
    await ada.react(secret, "like")
    await ada.ask("block", of(bob))
    await ada.remove(secret)
    public = await bob.place(pose(*spot))
    await eye.until(lambda: eye.sees(public), "what is public")
    # The cells of a view come one by one.
    told = [item for item in eye.items[before:] if "snapshot" not in item]
    assert len(told) == 1, told
    await refused("not_signed_in", eye.ask("selectRealm", {"realm": realm}))
    await refused("not_found", eye.select(secret))


async def figure(server, name, value):
    """Whether a metric has at least this value."""
    figures = await server.figures()
    return figures.get(name, 0) >= value


# MARK: - The demo


async def test_the_demos_own_walkers_are_shown_to_guests_and_nobody_else_is(start):
    server = start("--demo", "--demo-speed", "20", guests__look=None)
    park = (45.5048, -73.5872)
    eye = await guest(server)
    assert eye.welcome["limits"]["guestsLook"] is True
    await eye.stand_at(*park)
    await eye.until(lambda: any(eye.people.values()), "somebody who walks", 30)
    real = await Client.connect(server, "Real", sharePosition=True, shareAccuracy=0)
    await real.stand_at(*park)
    await real.until(lambda: real.person("Ada.demo") or any(real.people.values()), "a walker", 30)
    before = len(eye.items)
    await eye.until(lambda: len(eye.items) > before + 20, "walkers who go on", 30)
    names = {person.name for here in eye.people.values() for person in here.values()}
    assert names and all(name.endswith(".demo") for name in names)
    assert not eye.counts or set(eye.counts.values()) <= {0}
    assert not any(item.get("presence", {}).get("people") for item in eye.items)
