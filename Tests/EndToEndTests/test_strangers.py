"""People learn nothing about others that those do not share (VIS-9, PRF-8)."""

import math

import s2
from cairn import Client, away, pose
from test_live_space import refused, two


SETTINGS = {"placement__perMinute": 10_000, "placement__perDay": 10_000}


# MARK: - Count of hidden people


async def others(server, spot, *names):
    """People at the place who do not share their position."""
    clients = [await Client.connect(server, name) for name in names]
    for client in clients:
        await client.stand_at(*spot)
    return clients


async def test_who_does_not_share_only_counts_from_three_others_on(server, spot):
    ada, bob, cell = await two(server, spot)
    await others(server, spot, "Cleo")
    assert not ada.counts.get(cell)
    await others(server, spot, "Dan")
    await ada.until(lambda: ada.counts.get(cell) == 3, "the count of three others")
    await others(server, spot, "Eve")
    await ada.until(lambda: ada.counts.get(cell) == 4, "the count of four others")
    assert not [item for item in ada.items if item.get("presence", {}).get("joined")]
    counts = [item["presence"]["people"] for item in ada.items if item.get("presence", {}).get("people")]
    assert counts == [3, 4], "two others are not counted"


async def test_the_count_cannot_be_reached_with_connections_of_ones_own(server, spot):
    """A person with several connections learns nothing about one or two strangers (findings B2)."""
    ada, bob, cell = await two(server, spot)
    more = [await Client.connect(server, token=ada.welcome["token"]) for _ in range(4)]
    for one in more:
        await one.stand_at(*spot)
        await one.view(cell)
    (cleo,) = await others(server, spot, "Cleo")
    await cleo.close()
    # An event in the same cell arrives after all earlier messages about it.
    sign = await Client.connect(server, "Sign", sharePosition=True, shareAccuracy=0)
    await sign.stand_at(*spot)
    for one in [ada, *more]:
        await one.until(lambda: one.person("Sign"), "the sign")
        told = [item["presence"]["people"] for item in one.items if item.get("presence", {}).get("people")]
        assert not told, f"{told} of two strangers at most"


async def test_a_count_that_falls_below_three_is_taken_back(server, spot):
    ada, bob, cell = await two(server, spot)
    cleo, dan = await others(server, spot, "Cleo", "Dan")
    await ada.until(lambda: ada.counts.get(cell) == 3, "the count of three others")
    await dan.close()
    await ada.until(lambda: not ada.counts.get(cell), "the end of the count")


# MARK: - Out of view


FAR = (-33.8568, 151.2153)


async def test_a_thing_out_of_view_is_answered_as_one_that_never_was(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot, 31.0))
    eve = await Client.connect(server, "Eve")
    await eve.view(await eve.stand_at(*FAR))
    never = {**placed, "id": "0000000000zz0"}
    for thing in (placed, never):
        for asking in (eve.edit(thing, pose(*FAR)), eve.select(thing), eve.react(thing, "like")):
            refusal = await refused("not_found", asking)
            assert "cell" not in refusal.details, refusal
        await eve.remove(thing)
    await ada.view(placed["cell"])
    assert placed["id"] in ada.topics[placed["cell"]].instances


async def test_asking_for_a_thing_wakes_no_cell(start, spot):
    server = start()
    eve = await Client.connect(server, "Eve")
    await eve.view(await eve.stand_at(*FAR))
    for number in range(50):
        cell = s2.token(*away(*spot, north=1_000 * number))
        thing = {"id": "0000000000zz0", "cell": cell, "version": 1}
        await refused("not_found", eve.edit(thing, pose(*FAR)))
        await eve.remove(thing)
    # The figures of one page belong to one moment.
    await server.until_figure('cairn_refusals_total{code="not_found"}', 50)
    assert (await server.figures())["cairn_cell_wakeups_total"] == len(eve.topics)


async def test_an_owner_reaches_a_thing_that_is_out_of_view(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot, 31.0))
    await ada.stand_at(*FAR)
    await refused("too_far", ada.edit(placed, pose(*spot, 32.0)))
    await ada.remove(placed)
    await ada.view(await ada.stand_at(*spot))
    assert placed["id"] not in ada.topics[placed["cell"]].instances


async def test_a_thing_tells_strangers_neither_whose_it_is_nor_since_when(server, spot):
    ada, bob, cell = await two(server, spot)
    answers = [
        await ada.ask("place", {"object": "preset:heart", "pose": pose(*spot, 30.0 + number)}) for number in range(4)
    ]
    placed = [answer["instance"] for answer in answers]
    assert all(thing["placer"] == ada.welcome["account"] and thing["created"] for thing in placed)
    cleo = await Client.connect(server, "Cleo")
    await cleo.stand_at(*spot)
    for one in (bob, cleo):
        await one.until(lambda: all(one.sees(thing) for thing in placed), "all four")
        assert ada.welcome["account"] not in str(one.items)
        assert not any("created" in thing or "placer" in thing for thing in one.topics[cell].instances.values())
        assert cell not in one.own
    selected = (await bob.ask("select", {"instance": placed[0]["id"], "cell": cell}))["instance"]
    assert int(selected["created"]) == int(placed[0]["created"]) // 3_600_000 * 3_600_000
    assert "placer" not in selected


async def test_who_comes_back_is_told_which_things_are_their_own(server, spot):
    ada, bob, cell = await two(server, spot)
    mine = await ada.ask("place", {"object": "preset:heart", "pose": pose(*spot, 31.0)})
    await bob.place(pose(*spot, 32.0))
    again = await Client.connect(server, token=ada.welcome["token"])
    await again.view(await again.stand_at(*spot))
    await again.until(lambda: cell in again.own, "one's own things")
    assert again.own[cell][mine["instance"]["id"]] == int(mine["instance"]["created"])
    assert len(again.own[cell]) < len(again.topics[cell].instances)


async def test_ids_are_in_no_order(server, spot):
    """A stored id contains its milliseconds; the id on the wire is a permutation of it."""
    ada, bob, cell = await two(server, spot)
    ids = [(await ada.place(pose(*spot, 30.0 + number)))["id"] for number in range(16)]
    assert len({each[:4] for each in ids}) > 8, ids
    assert ids != sorted(ids)


async def test_the_number_of_a_snapshot_does_not_tell_how_much_has_happened(server):
    """Eight cells in which nothing has happened yet begin with eight different numbers (findings B13)."""
    eve = await Client.connect(server, "Eve")
    numbers = set()
    for number in range(8):
        cell = await eve.stand_at(*away(12.0, 34.0, north=2_000 * number))
        await eve.view(cell)
        numbers.add(eve.topics[cell].sequence)
    assert len(numbers) == 8


# MARK: - Position of a person who shares a square only


async def test_a_shared_position_lies_on_the_grid_that_its_owner_chose(server, spot):
    # Nobody of other tests: a square that was told before is held where it reaches, band and column apart.
    ada = await Client.connect(server, "Walker")
    bob = await Client.connect(server, "Bob")
    for client in (ada, bob):
        await client.view(await client.stand_at(*spot))
    await ada.ask("share", {"position": True, "accuracy": 0})
    exact = await bob.until(lambda: bob.place_of("Walker"), "Ada, exactly")
    await ada.ask("share", {"position": True, "accuracy": 10})
    await bob.until(lambda: (bob.place_of("Walker") or exact) != exact, "Ada, roughly")
    # It arrives after all earlier messages about the same cell.
    sign = await Client.connect(server, "Sign", sharePosition=True, shareAccuracy=0)
    await sign.stand_at(*spot)
    await bob.until(lambda: bob.place_of("Sign"), "the sign")
    told, before = [bob.place_of("Walker")], bob.person("Walker").poses
    for step, north in enumerate(range(0, 44, 3)):
        await ada.stand_at(*away(*spot, north=north), 30.0 + north)
        seen = bob.person("Sign").poses
        await sign.stand_at(*away(*spot, east=step % 2))
        await bob.until(lambda: bob.person("Sign").poses > seen, "the next pose of the sign")
        if bob.place_of("Walker") != told[-1]:
            told.append(bob.place_of("Walker"))
    # A square is held beyond its edge by a margin of up to one more.
    assert 3 <= len(told) <= 44 / 10 + 2, f"44 m on a grid of 10 m: {told}"
    assert all(math.dist(exact, at) <= 10 * 1.75 + 44 for at in told), (exact, told)
    assert bob.person("Walker").poses == before + len(told) - 1, "a step within the square is nobody's business"
    assert bob.person("Walker").at[2] is None, "the height that Ada climbed to is not told"
    assert abs(bob.person("Sign").at[2] - 30) < 0.1
