"""Two people near each other share a live space: place, see, edit, react, remove, walk (PLC, RCT, VIS, SES-5 to 9)."""

import asyncio
import math
import os
import time

import pytest

import s2
from cairn import Client, Refused, away, bits, middle_of_square, pose, totals
from transcript import story


# Enough for all tests of this file together; the limits themselves are tested in test_errors.py.
SETTINGS = {"placement__perMinute": 10_000, "placement__perDay": 10_000, "reactions__perMinute": 10_000}


async def refused(code, asking):
    """Awaits a refusal with that code; returns it."""
    with pytest.raises(Refused) as caught:
        await asking
    assert caught.value.code == code, caught.value
    return caught.value


async def two(server, spot, **more):
    """Two people who stand at the same spot and have its cell in view."""
    ada = await Client.connect(server, "Ada", **more)
    bob = await Client.connect(server, "Bob", **more)
    cell = await ada.stand_at(*spot)
    assert await bob.stand_at(*spot) == cell
    await ada.view(cell)
    await bob.view(cell)
    return ada, bob, cell


# MARK: - The story


async def test_two_people_share_a_space_from_hello_to_a_walk_and_back(start):
    """With CAIRN_TRANSCRIPT=1 (and pytest -s) it prints the transcript that the README shows."""
    server = start()

    def restart():
        server.kill()
        return start()

    await story(server, print if os.environ.get("CAIRN_TRANSCRIPT") == "1" else lambda line: None, restart)


# MARK: - Hello


async def test_welcome_names_the_limits_in_force(start):
    server = start(placement__areaQuota=7, reactions__names="like,wow", cells__viewRadiusMetres=80)
    began = time.time()
    ada = await Client.connect(server, "Ada")
    limits = ada.welcome["limits"]
    assert limits["areaQuota"] == 7
    assert limits["reactions"] == ["like", "wow"]
    assert limits["viewRadius"] == 80
    assert limits["messageBytes"] == 65536
    assert limits["cellLevel"] == s2.LEVEL
    assert "preset:heart" in limits["presets"]
    assert ada.welcome["role"] == "general"
    assert began - 1 < int(ada.welcome["serverTime"]) / 1000 < time.time() + 1


async def test_a_position_is_in_the_s2_cell_that_holds_it(server):
    ada = await Client.connect(server, "Ada")
    for lat, lon in [(45.5, -73.57), (-33.8568, 151.2153), (0.0, 0.0), (89.99, 12.0), (10.0, 180.0), (-90.0, 0.0)]:
        assert await ada.stand_at(lat, lon) == s2.token(lat, lon)


async def test_a_token_resumes_the_account_on_a_later_connection(start):
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.close()
    server.stop()
    again = await Client.connect(start(), token=ada.welcome["token"])
    assert again.welcome["account"] == ada.welcome["account"]
    assert again.welcome["name"] == "Ada"
    assert again.welcome["role"] == "general"


async def test_a_token_that_is_no_good_leaves_a_guest_who_is_told_so(server):
    stranger = await Client.connect(server, token="AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    assert stranger.welcome["role"] == "guest"
    assert stranger.welcome["tokenExpired"] is True
    assert not stranger.welcome.get("account")


async def test_a_token_is_dead_after_signing_out_and_the_connection_is_a_guest(server, spot):
    ada, bob, cell = await two(server, spot)
    await ada.ask("signOut")
    await refused("not_signed_in", ada.place(pose(*spot)))
    await refused("not_signed_in", ada.stand_at(*spot))
    again = await Client.connect(server, token=ada.welcome["token"])
    assert again.welcome["role"] == "guest"
    assert again.welcome["tokenExpired"] is True


async def test_one_name_in_any_case_is_one_account(server):
    one = await Client.connect(server, "Grace.Hopper")
    other = await Client.connect(server, "grace.hopper")
    assert one.welcome["account"] == other.welcome["account"]


# MARK: - Place, edit, react, select, remove


async def test_what_one_places_the_other_sees_exactly_as_placed(server, spot):
    ada, bob, cell = await two(server, spot)
    anchor = {"provider": "arcore.cloud", "id": "a-17", "transform": [0.1 * n for n in range(16)], "data": "AAEC/w=="}
    sent = pose(*spot, 31.25, turned=(0.5, -0.5, 0.5, 0.5), scale=2.5, accuracy=3.75, anchor=anchor)
    placed = await ada.place(sent, "preset:star")
    assert placed["version"] == 1
    assert placed["object"] == "preset:star"
    assert placed["cell"] == cell == s2.token(*spot)
    assert len(placed["id"]) == 13
    assert bits(placed["pose"]) == bits(sent)
    assert await bob.until(lambda: bob.sees(placed), "heart") == placed
    assert await ada.until(lambda: ada.sees(placed), "own heart") == placed


async def test_an_edit_is_seen_with_its_version_and_pose(server, spot):
    ada, bob, cell = await two(server, spot)
    placed = await ada.place(pose(*spot))
    target = pose(*away(*spot, north=2), 33.5, turned=(0, 0, math.sqrt(0.5), math.sqrt(0.5)), scale=0.5)
    edited = await ada.edit(placed, target)
    assert edited["version"] == 2
    assert bits(edited["pose"]) == bits(target)
    seen = await bob.until(lambda: bob.sees(placed, version=2), "edit")
    assert bits(seen["pose"]) == bits(target)


async def test_an_edit_of_an_old_version_is_refused_with_the_present_one(server, spot):
    ada, bob, cell = await two(server, spot)
    placed = await ada.place(pose(*spot))
    edited = await ada.edit(placed, pose(*spot, 35.0))
    refusal = await refused("version_conflict", ada.edit(placed, pose(*spot, 99.0)))
    assert refusal.details["version"] == "2"
    assert bits((await bob.select(edited))["instance"]["pose"]) == bits(pose(*spot, 35.0))


async def test_of_two_edits_at_once_one_wins_and_one_conflicts(server, spot):
    ada, bob, cell = await two(server, spot)
    phone = await Client.connect(server, token=ada.welcome["token"])
    await phone.stand_at(*spot)
    placed = await ada.place(pose(*spot))
    outcomes = await asyncio.gather(
        ada.edit(placed, pose(*spot, 41.0)), phone.edit(placed, pose(*spot, 42.0)), return_exceptions=True
    )
    won = [outcome for outcome in outcomes if isinstance(outcome, dict)]
    lost = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert len(won) == 1 and [refusal.code for refusal in lost] == ["version_conflict"]
    seen = await bob.until(lambda: bob.sees(placed, version=2), "winning edit")
    assert bits(seen["pose"]) == bits(won[0]["pose"])


async def test_only_the_placer_may_edit_or_remove(server, spot):
    ada, bob, cell = await two(server, spot)
    placed = await ada.place(pose(*spot))
    await refused("forbidden", bob.edit(placed, pose(*spot, 35.0)))
    await refused("forbidden", bob.remove(placed))
    assert (await bob.select(placed))["instance"] == placed


async def test_a_reaction_is_replaced_repeated_and_withdrawn(server, spot):
    ada, bob, cell = await two(server, spot)
    placed = await ada.place(pose(*spot))
    assert await bob.react(placed, "love") == {"love": 1}
    await ada.until(lambda: totals(ada.sees(placed) or {}) == {"love": 1}, "love")
    assert await ada.react(placed, "love") == {"love": 2}
    assert await bob.react(placed, "wow") == {"love": 1, "wow": 1}
    await ada.until(lambda: totals(ada.sees(placed)) == {"love": 1, "wow": 1}, "wow instead of love")
    assert await bob.react(placed, "") == {"love": 1}
    assert await ada.react(placed, "") == {}
    await bob.until(lambda: totals(bob.sees(placed)) == {}, "no reaction")


async def test_the_same_reaction_again_changes_nothing_and_tells_nobody(server, spot):
    ada, bob, cell = await two(server, spot)
    placed = await ada.place(pose(*spot))
    await bob.react(placed, "like")
    assert await bob.react(placed, "like") == {"like": 1}
    assert await bob.react(placed, "") == {}
    assert await bob.react(placed, "") == {}
    # The next event of the topic follows these two, with no other event in between.
    await ada.until(lambda: len(ada.events("reacted")) == 2, "two reactions")
    last = await ada.place(pose(*spot))
    await ada.until(lambda: ada.sees(last), "the placement after the reactions")
    assert [totals(event) for _, _, event in ada.events("reacted")] == [{"like": 1}, {}]


async def test_selecting_tells_own_reaction_placer_and_actions(server, spot):
    ada, bob, cell = await two(server, spot)
    placed = await ada.place(pose(*spot))
    await bob.react(placed, "wow")
    seen_by_bo = await bob.select(placed)
    assert seen_by_bo["ownReaction"] == "wow"
    assert "placerName" not in seen_by_bo, "the name is for friends"
    assert seen_by_bo["actions"] == ["react"]
    assert totals(seen_by_bo["instance"]) == {"wow": 1}
    seen_by_ada = await ada.select(placed)
    assert seen_by_ada.get("ownReaction", "") == ""
    assert sorted(seen_by_ada["actions"]) == ["edit", "react", "remove"]


async def test_what_is_removed_is_gone_for_all_and_may_be_removed_again(server, spot):
    ada, bob, cell = await two(server, spot)
    placed = await ada.place(pose(*spot))
    await bob.react(placed, "like")
    await bob.until(lambda: bob.sees(placed), "heart")
    await ada.remove(placed)
    await bob.until(lambda: not bob.sees(placed), "the end of the heart")
    await ada.until(lambda: not ada.sees(placed), "the end of the heart")
    await ada.remove(placed)
    for asking in (ada.select(placed), bob.react(placed, "wow"), ada.edit(placed, pose(*spot))):
        await refused("not_found", asking)


async def test_the_same_key_gives_the_first_answer_from_any_device(server, spot):
    ada, bob, cell = await two(server, spot)
    phone = await Client.connect(server, token=ada.welcome["token"])
    first = await ada.place(pose(*spot), key="only-once")
    assert await ada.place(pose(*spot), key="only-once") == first
    assert await phone.place(pose(*spot), key="only-once") == first
    edited = await ada.edit(first, pose(*spot, 36.0), key="edit-once")
    assert await ada.edit(first, pose(*spot, 36.0), key="edit-once") == edited
    # Others' keys are their own.
    other = await bob.place(pose(*spot), key="only-once")
    assert other["id"] != first["id"]
    last = await ada.place(pose(*spot))
    await bob.until(lambda: bob.sees(last), "the last placement")
    assert set(bob.topics[cell].instances) == {first["id"], other["id"], last["id"]}


async def test_ten_requests_with_one_key_at_once_place_one_thing(server, spot):
    ada, bob, cell = await two(server, spot)
    phone = await Client.connect(server, token=ada.welcome["token"])
    await phone.stand_at(*spot)
    placed = await asyncio.gather(*(device.place(pose(*spot), key="race") for device in [ada, phone] * 5))
    assert len({instance["id"] for instance in placed}) == 1
    last = await bob.place(pose(*spot))
    await bob.until(lambda: bob.sees(last), "the last placement")
    assert set(bob.topics[cell].instances) == {placed[0]["id"], last["id"]}


async def test_a_second_device_acts_for_the_same_person(server, spot):
    ada, bob, cell = await two(server, spot)
    phone = await Client.connect(server, token=ada.welcome["token"])
    assert phone.welcome["account"] == ada.welcome["account"]
    await phone.stand_at(*spot)
    await phone.view(cell)
    placed = await ada.place(pose(*spot))
    await phone.until(lambda: phone.sees(placed), "what the other device placed")
    edited = await phone.edit(placed, pose(*spot, 44.0))
    await ada.until(lambda: ada.sees(placed, version=2), "the other device's edit")
    await phone.react(edited, "like")
    assert await ada.react(edited, "wow") == {"wow": 1}, "one reaction per person, not per device"
    # The end of one device's connection does not affect the other.
    await ada.close()
    await phone.remove(edited)
    await bob.until(lambda: not bob.sees(placed), "the end of the heart")


# MARK: - Into another cell


def border_walk():
    """A place where cells lie along north and east: a border, and the length of a cell to the east, in metres."""
    at = s2.border((0.5, 1.0), (0, 1e-4))
    beyond = s2.border(at, (0, 1e-4))
    return at, (beyond[1] - at[1]) * 111_320 * math.cos(math.radians(at[0]))


async def test_moving_an_instance_into_another_cell_is_one_step_for_all_who_look(start):
    server = start(listen__loops=4, placement__perMinute=1000, placement__perDay=1000)
    (lat, lon), width = border_walk()
    west, east = away(lat, lon, east=-10), away(lat, lon, east=10)
    old, new = s2.token(*west), s2.token(*east)
    ada = await Client.connect(server, "Ada")
    of_both = await Client.connect(server, "Both")
    of_old = await Client.connect(server, "Old")
    of_new = await Client.connect(server, "New")
    await ada.stand_at(lat, lon)
    await of_both.stand_at(lat, lon)
    await of_old.stand_at(*away(lat, lon, east=-width - 50))
    await of_new.stand_at(*away(lat, lon, east=width + 50))
    await of_both.view(old, new)
    await of_old.view(old)
    await of_new.view(new)
    assert new not in of_old.topics and old not in of_new.topics

    placed = await ada.place(pose(*west, 30.0, turned=(0.5, 0.5, 0.5, 0.5)))
    await ada.react(placed, "love")
    await of_both.until(lambda: totals(of_both.sees(placed) or {}), "the heart and its reaction")
    await of_old.until(lambda: totals(of_old.sees(placed) or {}), "the heart and its reaction")
    hidden = []
    of_both.witness = lambda item: of_both.sees(placed) or hidden.append(item)

    target = pose(*east, 31.0, turned=(0.5, 0.5, 0.5, 0.5))
    moved = await ada.edit(placed, target)
    assert (moved["id"], moved["cell"], moved["version"]) == (placed["id"], new, 2)
    assert totals(moved) == {"love": 1}
    await of_both.until(lambda: of_both.events("movedOut"), "the end in the old cell")
    await of_old.until(lambda: not of_old.sees(placed), "the end in the old cell")
    await of_new.until(lambda: of_new.sees(placed), "the heart in the new cell")

    [(topic, _, entered)] = [event for event in of_both.events("entered") if event[0] == new]
    assert "movedFrom" not in entered and entered["instance"] == moved
    [(topic, _, left)] = of_both.events("movedOut")
    assert (topic, left["version"]) == (old, 2) and "cell" not in left
    assert of_both.sees(placed)["version"] == 2
    assert not hidden, "there was a moment without the instance"
    [(topic, _, left)] = of_old.events("movedOut")
    assert (topic, left["version"]) == (old, 2) and new not in str(left), "of a cell out of view nothing is told"
    assert not of_old.events("left"), "to those who see only the old cell it moved on, it was not removed"
    [(topic, _, entered)] = of_new.events("entered")
    assert (topic, entered["instance"]) == (new, moved) and old not in str(entered)

    # From now on it is in the new cell, with its reactions.
    assert await of_new.react(moved, "wow") == {"love": 1, "wow": 1}
    again = await ada.edit(moved, pose(*east, 32.0))
    await of_new.until(lambda: of_new.sees(placed, version=3), "the next edit")
    await ada.remove(again)
    await of_both.until(lambda: not of_both.sees(placed), "the end of the heart")


async def test_moving_back_and_forth_over_a_border_never_hides_or_doubles_an_instance(start):
    server = start(listen__loops=4)
    (lat, lon), _ = border_walk()
    ada = await Client.connect(server, "Ada")
    viewers = [await Client.connect(server, f"Viewer{n}") for n in range(4)]
    cells = [s2.token(*away(lat, lon, east=east)) for east in (-10, 10)]
    for client in [ada, *viewers]:
        await client.stand_at(lat, lon)
        await client.view(*cells)
    placed = await ada.place(pose(*away(lat, lon, east=-10)))
    for viewer in viewers:
        await viewer.until(lambda: viewer.sees(placed), "heart")
    hidden = []
    for viewer in viewers:
        viewer.witness = lambda item, viewer=viewer: viewer.sees(placed) or hidden.append(item)
    instance = placed
    for turn in range(20):
        instance = await ada.edit(instance, pose(*away(lat, lon, east=10 if turn % 2 == 0 else -10)))
        assert instance["cell"] == cells[1 - turn % 2]
    for viewer in viewers:
        await viewer.until(lambda: len(viewer.events("movedOut")) == 20, "twenty moves")
        assert viewer.sees(placed)["version"] == 21
        assert sum(placed["id"] in topic.instances for topic in viewer.topics.values()) == 1
    assert not hidden


async def test_an_instance_that_moved_cannot_be_taken_for_removed_by_its_old_cell(server):
    (lat, lon), _ = border_walk()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(lat, lon)
    placed = await ada.place(pose(*away(lat, lon, east=-10)))
    moved = await ada.edit(placed, pose(*away(lat, lon, east=10)))
    # A client that does not know of the move yet names the old cell. Every answer to it has to be true.
    try:
        await ada.remove(placed)
        is_removed = True
    except Refused:
        is_removed = False
    try:
        await ada.select(moved)
        is_there = True
    except Refused as refusal:
        assert refusal.code == "not_found"
        is_there = False
    assert is_there != is_removed, "`removed` was answered, and the instance is still there"


async def test_an_edit_into_a_cell_where_the_quota_is_used_up_leaves_everything_as_it_was(start):
    server = start(placement__areaQuota=2)
    (lat, lon), _ = border_walk()
    west, east = away(lat, lon, east=-10), away(lat, lon, east=10)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(lat, lon)
    await ada.view(s2.token(*west), s2.token(*east))
    stays = await ada.place(pose(*west))
    for _ in range(2):
        await ada.place(pose(*east))
    refusal = await refused("quota_area", ada.edit(stays, pose(*east)))
    assert (refusal.details["count"], refusal.details["limit"]) == ("2", "2")
    assert (await ada.select(stays))["instance"] == stays
    # The move is not half done: the instance can still be edited where it is.
    await ada.edit(stays, pose(*west, 33.0))


# MARK: - Walking


async def test_walking_over_two_borders_and_back_loses_doubles_and_reorders_nothing(start):
    server = start(
        connections__positionsPerSecond=1000, connections__messagesPerSecond=1000, connections__messagesBurst=1000,
        placement__perMinute=10_000, placement__perDay=10_000, placement__areaQuota=1000, reactions__perMinute=10_000,
        listen__loops=4,
    )
    (lat, lon), width = border_walk()
    begin, end = away(lat, lon, east=-30), away(lat, lon, east=width + 40)
    walker = await Client.connect(server, "Walker", sharePosition=True)
    builders = [await Client.connect(server, f"Builder{n}") for n in range(3)]
    sites = [away(lat, lon, north=20), away(*begin, north=10), away(*end, north=-20)]
    for builder, site in zip(builders, sites):
        await builder.stand_at(*site)

    turns = [0] * len(builders)
    is_walking = True

    async def build(number):
        """Places, moves (sometimes over the border), reacts and removes without a pause, as long as the walk lasts."""
        builder, site, things = builders[number], sites[number], []
        while is_walking:
            turns[number] += 1
            spread = away(*site, north=turns[number] * 7 % 60 - 30, east=turns[number] * 13 % 60 - 30)
            things.append(await builder.place(pose(*spread)))
            things[-1] = await builder.edit(things[-1], pose(*away(*spread, east=15)))
            await builder.react(things[-1], ["like", "wow", ""][turns[number] % 3])
            if len(things) > 6:
                await builder.remove(things.pop(0))

    building = [asyncio.create_task(build(number)) for number in range(len(builders))]
    cells, steps = [], 60
    for step in [*range(steps), *range(steps, -1, -1)]:
        cells.append(await walker.stand_at(*(a + (b - a) * step / steps for a, b in zip(begin, end))))
        while min(turns) < len(cells) / 2:  # so that every step is taken amid changes
            await asyncio.wait(building, timeout=0.001, return_when=asyncio.FIRST_EXCEPTION)
            [task.result() for task in building if task.done()]
    is_walking = False
    await asyncio.gather(*building)

    path = [cell for at, cell in enumerate(cells) if at == 0 or cells[at - 1] != cell]
    assert len(path) == 5 and path == path[::-1], f"two borders out and two back: {path}"
    # When no change is under way, the walker, a new client at the same place and all other viewers have the same state.
    newcomer = await Client.connect(server, "Newcomer")
    await newcomer.stand_at(*begin)
    await newcomer.view(*walker.topics)
    for name, topic in walker.topics.items():
        latest = newcomer.topics[name]
        await walker.until(lambda: topic.sequence == latest.sequence, f"event {latest.sequence} of {name}")
        assert (topic.epoch, topic.instances) == (latest.epoch, latest.instances)
        for builder in builders:
            if held := builder.topics.get(name):
                await builder.until(lambda: held.sequence == latest.sequence, f"event {latest.sequence} of {name}")
                assert (held.epoch, held.instances) == (latest.epoch, latest.instances)
    assert sum(len(topic.instances) for topic in walker.topics.values()) > 0


async def test_what_is_out_of_sight_is_let_go_and_comes_back_whole(server, spot):
    ada, bob, cell = await two(server, spot)
    placed = await ada.place(pose(*spot))
    await bob.until(lambda: bob.sees(placed), "heart")
    await bob.stand_at(*away(*spot, north=900))
    await bob.until(lambda: cell not in bob.topics, "`unfollowed`")
    edited = await ada.edit(placed, pose(*spot, 50.0))
    await bob.stand_at(*spot)
    await bob.view(cell)
    assert bob.sees(placed) == edited


async def test_small_steps_at_a_border_do_not_flicker(server):
    (lat, lon), _ = border_walk()
    walker = await Client.connect(server, "Flicker")
    home = await walker.stand_at(*away(lat, lon, east=-3))
    for east in (3, -3, 4, -4, 3, -3):
        assert await walker.stand_at(*away(lat, lon, east=east)) == home
    assert await walker.stand_at(*away(lat, lon, east=12)) != home


async def test_a_client_that_comes_back_with_its_cursors_gets_only_what_it_missed(server, spot):
    ada, bob, cell = await two(server, spot)
    before = await ada.place(pose(*spot))
    await bob.until(lambda: bob.sees(before), "heart")
    cursor = bob.topics[cell].cursor
    await bob.drop()
    missed = await ada.place(pose(*spot), "preset:star")
    again = await Client.connect(server, token=bob.welcome["token"], cursors=[cursor], hello=False)
    # It has the topic in the state of the connection before.
    again.topics[cell] = bob.topics[cell]
    again.welcome = await again.ask(
        "hello", {"version": 1, "frontEnd": "bot", "token": bob.welcome["token"], "cursors": [cursor]}
    )
    await again.stand_at(*spot)
    await again.until(lambda: again.sees(missed), "what was missed")
    snapshots = [item["snapshot"]["cursor"]["topic"] for item in again.items if "snapshot" in item]
    assert cell not in snapshots
    assert again.sees(before) == before


# MARK: - Visible people (VIS-9)


async def test_nobody_is_seen_unless_they_share_their_position(server, spot):
    ada, bob, cell = await two(server, spot)
    cleo = await Client.connect(server, "Cleo", sharePosition=True)
    await cleo.stand_at(*spot)
    await ada.until(lambda: ada.person("Cleo"), "who shares")
    await bob.stand_at(*away(*spot, north=4))
    before = ada.person("Cleo").at
    await cleo.stand_at(*away(*spot, north=25))
    await ada.until(lambda: ada.person("Cleo").at != before, "the next pose of Cleo")
    names = {person["name"] for item in ada.items for person in item.get("presence", {}).get("joined", [])}
    assert names == {"Cleo"}
    assert bob.welcome["session"] not in str(ada.items), "nothing of who does not share reaches others"


async def test_sharing_can_be_switched_on_and_off(server, spot):
    ada, bob, cell = await two(server, spot)
    assert bob.person("Ada") is None
    await ada.ask("share", {"position": True, "accuracy": 0})
    await bob.until(lambda: bob.person("Ada") and bob.person("Ada").at, "Ada")
    await ada.ask("share", {"position": False})
    await bob.until(lambda: bob.person("Ada") is None, "Ada's disappearance")
    heard = len(bob.items)
    await ada.stand_at(*away(*spot, north=3))
    await bob.ask("share", {"position": True})
    await ada.until(lambda: ada.person("Bob"), "Bob")
    await bob.until(lambda: bob.person("Bob"), "oneself")
    assert "Ada" not in str(bob.items[heard:])


@pytest.mark.parametrize("grid", [100, 1000])
async def test_who_is_shown_roughly_is_in_the_cell_of_the_place_that_is_shown(server, spot, grid):
    """A person's cell would reveal more than their accuracy allows (PRF-8, pitfalls B21)."""
    ada, bob, cell = await two(server, spot)
    await ada.ask("share", {"position": True, "accuracy": 0})
    await bob.until(lambda: bob.person("Ada"), "Ada, exactly")
    there = middle_of_square(*spot, grid)
    cleo = await Client.connect(server, "Cleo", sharePosition=True, shareAccuracy=0)
    shown = await cleo.stand_at(*there)
    await cleo.view(shown)
    await ada.ask("share", {"position": True, "accuracy": grid})

    def is_beside_cleo():
        here = {p.name: p.at for p in cleo.people.get(shown, {}).values()}
        return here.get("Ada") and here.get("Cleo") and math.dist(here["Ada"][:2], here["Cleo"][:2]) < 0.5

    await cleo.until(is_beside_cleo, "Ada, where Cleo stands")
    if shown != cell:
        await bob.until(lambda: all(p.name != "Ada" for p in bob.people[cell].values()), "Ada out of her own cell")
        heard = len(bob.items)
        await ada.stand_at(*away(*spot, north=3))
        await bob.ask("share", {"position": False})
        assert all("Ada" not in str(item) for item in bob.items[heard:] if item.get("presence", {}).get("cell") == cell)
    await ada.ask("share", {"position": False})
    await cleo.until(lambda: cleo.person("Ada") is None, "Ada's disappearance")


async def test_without_a_word_about_accuracy_positions_are_told_on_a_grid_of_ten_metres(server, spot):
    ada, bob, cell = await two(server, spot, sharePosition=True)
    rough = await bob.until(lambda: bob.place_of("Ada"), "Ada")
    await ada.ask("share", {"position": True, "accuracy": 0})
    await bob.until(lambda: (bob.place_of("Ada") or rough) != rough, "Ada, exactly")
    assert 0 < math.dist(rough, bob.place_of("Ada")) <= 10 * math.sqrt(0.5) + 0.1


def pose_told(client, name):
    """The pose of a person in the newest batch that has one, as received."""
    slot = next(slot for here in client.people.values() for slot, person in here.items() if person.name == name)
    batches = [item["presence"] for item in client.items if "presence" in item]
    return [told for batch in batches for told in batch.get("livePoses", []) if told.get("slot", 0) == slot][-1]


async def test_who_reads_json_is_told_poses_as_numbers(server, spot):
    ada, bob, cell = await two(server, spot, sharePosition=True, shareAccuracy=0)
    turned = {"x": 0.5, "y": -0.5, "z": 0.5, "w": 0.5}
    await bob.until(lambda: bob.place_of("Ada"), "Ada")
    begin = bob.person("Ada").at
    lat, lon = away(*spot, north=6, east=8)
    await ada.ask("position", {"lat": lat, "lon": lon, "h": 31.25, "quaternion": turned, "accuracy": 3.5})
    await bob.until(lambda: bob.person("Ada").at != begin, "Ada's step")
    told = pose_told(bob, "Ada")
    assert set(told) - {"slot"} == {"lat", "lon", "h", "quaternion", "age", "accuracy"}
    assert (told["lat"], told["lon"]) == pytest.approx((lat, lon), abs=2e-7)
    assert told["h"] == pytest.approx(31.25, abs=0.011) and told["accuracy"] == 3.5
    assert told["quaternion"] == pytest.approx(turned, abs=3e-3) and 0 <= told["age"] <= 1020


async def test_of_who_shares_roughly_json_tells_the_middle_of_the_square_and_nothing_else(server, spot):
    # Near an edge it may be the neighbouring square: how wide that is is each account's secret.
    spot = middle_of_square(*spot, 10)
    ada, bob, cell = await two(server, spot, sharePosition=True, shareAccuracy=10)
    await bob.until(lambda: bob.place_of("Ada"), "Ada")
    told = pose_told(bob, "Ada")
    assert set(told) - {"slot"} == {"lat", "lon"}
    assert (told["lat"], told["lon"]) == pytest.approx(middle_of_square(*spot, 10), abs=2e-7)


async def test_who_walks_is_seen_walking_and_who_goes_is_seen_going(server, spot):
    ada, bob, cell = await two(server, spot, sharePosition=True, shareAccuracy=0)
    begin = await bob.until(lambda: bob.person("Ada") and bob.person("Ada").at, "Ada")
    await ada.stand_at(*away(*spot, north=6, east=8), 32.0)
    at = await bob.until(lambda: bob.person("Ada").at != begin and bob.person("Ada").at, "Ada's step")
    assert math.dist(begin, at) == pytest.approx(math.sqrt(36 + 64 + 4), abs=0.1)
    await ada.close()
    await bob.until(lambda: bob.person("Ada") is None, "Ada's end")


async def test_somebody_who_crosses_a_border_is_the_same_person_in_one_cell(server):
    (lat, lon), _ = border_walk()
    cells = [s2.token(*away(lat, lon, east=east)) for east in (-20, 20)]
    watcher = await Client.connect(server, "Watcher")
    walker = await Client.connect(server, "Wanda", sharePosition=True, shareAccuracy=0)
    await watcher.stand_at(lat, lon)
    await watcher.view(*cells)

    def cells_with_her():
        return [cell for cell, here in watcher.people.items() if any(p.name == "Wanda" for p in here.values())]

    ids = set()
    for turn in range(6):
        await walker.stand_at(*away(lat, lon, east=-20 if turn % 2 == 0 else 20))
        await watcher.until(lambda: cells_with_her() == [cells[turn % 2]], "Wanda in one cell, the right one")
        ids.add(watcher.person("Wanda").id)
    assert len(ids) == 1


# MARK: - Cut links


async def test_who_does_not_come_back_after_a_cut_is_gone_for_all_and_the_server_serves_on(start, spot):
    server = start(presence__graceSeconds=1)
    watcher = await Client.connect(server, "Watcher")
    cell = await watcher.stand_at(*spot)
    await watcher.view(cell)
    lost = [await Client.connect(server, f"Lost{n}", sharePosition=True) for n in range(13)]
    for number, client in enumerate(lost):
        await client.stand_at(*away(*spot, north=number * 500))
    await watcher.until(lambda: watcher.person("Lost0"), "the one who is near")
    for client in lost:
        await client.drop()
    await watcher.until(lambda: not watcher.person("Lost0"), "the end of the one who was near")
    await server.until_figure("cairn_people", 1)
    assert await watcher.stand_at(*spot) == cell


async def test_who_answers_no_ping_is_dropped_and_gone_for_all(start, spot):
    server = start(connections__pingSeconds=1, connections__silenceSeconds=2, presence__graceSeconds=0)
    watcher = await Client.connect(server, "Watcher")
    await watcher.view(await watcher.stand_at(*spot))
    sleeper = await Client.connect(server, "Sleeper", sharePosition=True)
    await sleeper.stand_at(*spot)
    await watcher.until(lambda: watcher.person("Sleeper"), "the sleeper")
    sleeper.socket.transport.pause_reading()
    # Two seconds of silence, up to one until the next check, two for the answer to our CLOSE.
    await watcher.until(lambda: not watcher.person("Sleeper"), "the sleeper's end")
    sleeper.socket.transport.resume_reading()
    await sleeper.until_ended()
    # A client that answers pings may be silent without a limit.
    await watcher.stand_at(*spot)


async def test_a_session_taken_over_in_time_is_not_missed_by_others(server, spot):
    ada, bob, cell = await two(server, spot, sharePosition=True)
    await bob.until(lambda: bob.person("Ada") and bob.person("Ada").at, "Ada")
    await ada.drop()
    again = await Client.connect(
        server, token=ada.welcome["token"], session=ada.welcome["session"], sharePosition=True, called="Ada"
    )
    assert again.welcome["resumed"] is True
    assert again.welcome["session"] == ada.welcome["session"]
    await again.view(cell)
    # It has its old position without having sent it again.
    placed = await again.place(pose(*spot))
    await bob.until(lambda: bob.sees(placed), "what Ada placed after coming back")
    before = bob.person("Ada").at
    await again.stand_at(*away(*spot, north=20))
    await bob.until(lambda: bob.person("Ada").at != before, "Ada's next step")
    batches = [item["presence"] for item in bob.items if "presence" in item]
    told = [person["name"] for batch in batches if not batch.get("keyframe") for person in batch.get("joined", [])]
    assert told.count("Ada") <= 1 and not any(batch.get("left") for batch in batches)


async def test_a_session_that_is_still_connected_is_closed_there_when_it_is_taken_over(server, spot):
    ada, bob, cell = await two(server, spot)
    again = await Client.connect(server, token=ada.welcome["token"], session=ada.welcome["session"])
    assert again.welcome["resumed"] is True
    assert await ada.until_ended() == (4201, "session_taken_over")
    # It keeps its view: what was around does not go from the screen because another device has the session.
    assert not any("unfollowed" in item for item in ada.items)
    await again.view(cell)
    placed = await again.place(pose(*spot))
    await bob.until(lambda: bob.sees(placed), "what Ada placed")


async def test_somebody_elses_session_cannot_be_taken_over(server, spot):
    ada, bob, cell = await two(server, spot)
    mallory = await Client.connect(server, "Mallory", session=ada.welcome["session"])
    assert not mallory.welcome.get("resumed")
    assert mallory.welcome["account"] != ada.welcome["account"]
    await refused("position_required", mallory.place(pose(*spot)))
    placed = await ada.place(pose(*spot))
    await bob.until(lambda: bob.sees(placed), "what Ada placed")


# MARK: - Too fast


async def test_positions_that_come_too_fast_are_conflated_to_the_newest(start, spot):
    limits = {"connections__messagesPerSecond": 1000, "connections__messagesBurst": 1000}
    server = start(connections__positionsPerSecond=5, **limits)
    ada = await Client.connect(server, "Ada", sharePosition=True, shareAccuracy=0)
    bob = await Client.connect(server, "Bob")
    cell = await bob.stand_at(*spot)
    await bob.view(cell)
    await ada.stand_at(*spot)
    origin = await bob.until(lambda: bob.person("Ada") and bob.person("Ada").at, "Ada")
    told = bob.person("Ada").poses
    for north in range(1, 41):
        await ada.send({"position": dict(zip(("lat", "lon"), away(*spot, north=north / 2)), h=30)})
    at = await bob.until(lambda: bob.person("Ada").at[1] - origin[1] > 19.9 and bob.person("Ada").at, "the newest")
    assert at[1] - origin[1] == pytest.approx(20, abs=0.1)
    assert bob.person("Ada").poses - told <= 8, "of forty positions at once few are looked at"
