"""Operators find people, things, cells, tours and organisations, and look at one (ROL-5, MOD-4, STA-3, PRF-8)."""

import sqlite3

import pytest

from cairn import Client, away, eventually, middle_of_square, pose
from operators import Desk
from test_operated_tours import organisation
from test_roles import audit
from test_runs import settings, tour_of, walker, world  # noqa: F401
from test_shared import create
from test_tours import makers, published, words

GRID = 1_000


async def hits(desk, text, kind=None):
    found = (await desk.ask(f"find {text}"))["hits"]
    return [hit["id"] for hit in found if kind in (None, hit["kind"])]


async def looked_up(desk):
    return [entry for entry in await audit(desk) if entry["what"] == "look_up"]


# MARK: - People


async def test_a_person_is_found_by_name_id_and_session_and_each_look_stands_in_the_record(start, spot):
    server = start(listen__loops=2)
    ada, adam = await Client.connect(server, "Ada"), await Client.connect(server, "Adam")
    account, session = ada.welcome["account"], ada.welcome["session"]
    cell = await ada.stand_at(*spot)
    await ada.place(pose(*spot))
    async with await Desk.open(server) as desk:
        answer = await desk.ask("find aDa")
        people = [hit for hit in answer["hits"] if hit["kind"] == "person"]
        assert [hit["title"] for hit in people] == ["Ada", "Adam"] and not answer["cut"]
        assert people[0] == {
            "kind": "person", "id": account, "title": "Ada", "where": "", "show": f"person {account}"}
        (entry,) = await looked_up(desk)
        # The log has ids and no names.
        assert entry["reason"] == f"by name or id: {account} {adam.welcome['account']}" and "account" not in entry
        assert (await hits(desk, account, "person")) == [account]
        assert (await hits(desk, session)) == [session]
        for who in (account, session, "ada"):
            shown = await desk.ask(f"person {who} a complaint")
            assert (shown["account"], shown["name"], shown["role"]) == (account, "Ada", "general")
            assert shown["holds"] == {"object": 1, "post": 0} and shown["suspended"] is None
            (one,) = shown["sessions"]
            assert (one["session"], one["cell"], one["isCut"]) == (session, cell, False)
            assert str(spot[0])[:6] not in str(shown), "never an exact position"
        entries = await looked_up(desk)
        assert [entry.get("account") for entry in entries[:3]] == [account] * 3
        assert entries[0]["reason"].endswith("a complaint")
        await desk.ask(f"ban {account} Shouting")
        shown = await desk.ask(f"person {account}")
        assert shown["suspended"]["reason"] == "Shouting" and "unban" in shown["can"] and shown["sessions"] == []
        assert "suspend" in [entry["what"] for entry in shown["audit"]]
        assert [hit["where"] for hit in (await desk.ask("find Ada"))["hits"] if hit["id"] == account] == ["suspended"]
        assert (await desk.refusal("person nobody"))["code"] == "not_found"


async def test_a_search_by_name_in_the_list_of_accounts_stands_in_the_record_too(start):
    server = start()
    await Client.connect(server, "Ada")
    async with await Desk.open(server) as desk:
        await desk.ask("accounts")
        assert await looked_up(desk) == []
        await desk.ask("accounts ad")
        assert len(await looked_up(desk)) == 1


async def test_many_people_of_one_beginning_are_cut_and_said_to_be(start):
    server = start(listen__connectionsPerAddress=0)
    for number in range(23):
        await Client.connect(server, f"Troll{number}")
    async with await Desk.open(server) as desk:
        answer = await desk.ask("find troll")
        assert len(answer["hits"]) == 20 and answer["cut"]
        (entry,) = await looked_up(desk)
        assert entry["reason"].endswith(" and 1 more")


async def test_names_of_ids_are_told_once_it_is_in_the_record_who_asked(start, tmp_path):
    server = start(stats__readSocketPath=tmp_path / "read.sock")
    ada, adam = await Client.connect(server, "Ada"), await Client.connect(server, "Adam")
    account, session, other = ada.welcome["account"], ada.welcome["session"], adam.welcome["account"]
    async with await Desk.open(server) as desk, await Desk.open(server, tmp_path / "read.sock") as reader:
        told = (await desk.ask(f"names {session} {other} {account} 0000000000000"))["names"]
        assert told == [
            {"id": session, "account": account, "name": "Ada"}, {"id": other, "account": other, "name": "Adam"},
            {"id": account, "account": account, "name": "Ada"},
            {"id": "0000000000000", "account": None, "name": None}]  # fmt: skip
        entries = await looked_up(desk)
        assert sorted((entry["account"], entry["reason"]) for entry in entries) == sorted(
            [(account, "name"), (other, "name")]), "one about each, and no name"
        for wrong in ("", f"{account} " * 51):
            assert (await desk.refusal(f"names {wrong}"))["code"] == "bad_argument", wrong
        assert (await reader.refusal(f"names {account}"))["code"] == "forbidden"


# MARK: - Things


async def test_a_thing_says_what_it_is_whose_it_is_and_after_its_removal_why(start, spot):
    server = start()
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve")
    cell = await ada.stand_at(*spot)
    await eve.stand_at(*spot)
    placed = await ada.place(pose(*spot), text="Call 555")
    await eve.react(placed, "like")
    async with await Desk.open(server) as desk:
        (hit,) = (await desk.ask(f"find {placed['id']}"))["hits"]
        assert (hit["kind"], hit["where"], hit["show"]) == ("object", f"in cell {cell}", f"thing {placed['id']}")
        shown = await desk.ask(hit["show"])
        assert (shown["owner"], shown["text"], shown["cell"]) == (ada.welcome["account"], "Call 555", cell)
        assert shown["counts"] == {"like": 1} and not shown["isHidden"] and shown["ends"] is None
        assert shown["at"] == pytest.approx([spot[1], spot[0]], abs=1e-6)
        assert "Ada" not in str(shown) and shown["can"] == ["remove"]
        # The search could have named somebody, and the page names nobody.
        assert [entry["reason"] for entry in await looked_up(desk)] == ["by name or id: nobody"]
        await desk.ask(f"remove {placed['id']} Shows a phone number")
        gone = await desk.ask(f"thing {placed['id']}")
        assert gone["isGone"] and gone["audit"][0]["reason"].endswith("Shows a phone number")
        assert (await desk.refusal("thing 0000000000000"))["code"] == "not_found"
        assert await hits(desk, placed["id"]) == []


async def test_what_was_never_for_everyone_shows_neither_text_nor_place(start, spot):
    server = start(accounts__privacy="everyone")
    ada = await Client.connect(server, "Ada")
    garden = await create(ada)
    cell = await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot), realms=[garden], text="secret")
    async with await Desk.open(server) as desk:
        shown = await desk.ask(f"thing {placed['id']}")
        assert (shown["text"], shown["at"], shown["audience"], shown["realms"]) == (None, None, "realms", [garden])
        listed = await desk.ask(f"things {cell}")
        assert "secret" not in str(shown) + str(listed) + str(await desk.ask(f"find {placed['id']}"))
        assert [thing["thing"] for thing in listed["things"]] == [placed["id"]]


async def test_a_post_has_its_score_and_is_said_to_be_hidden_by_it(start, spot):
    server = start(posts__hiddenScore=-1)
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve")
    cell = await ada.stand_at(*spot)
    await eve.stand_at(*spot)
    post = await ada.make_post("Buy here")
    async with await Desk.open(server) as desk:
        assert (await desk.ask(f"thing {post['id']}"))["counts"] == {"score": 0}
        await eve.vote(post, -1)
        shown = await desk.ask(f"thing {post['id']}")
        assert shown["counts"] == {"score": -1} and shown["isHidden"] and shown["text"] == "Buy here"
        assert shown["ends"] > shown["created"] and shown["cell"] == cell


async def test_the_things_of_a_cell_come_sorted_and_page_by_page_awake_or_not(start, tmp_path, spot):
    server = start(folder=tmp_path / "world")
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    placed = [(await ada.place(pose(*spot)))["id"] for _ in range(4)]
    post = (await ada.make_post("Hello"))["id"]
    await ada.close()
    server.stop()
    server = start(folder=tmp_path / "world")
    async with await Desk.open(server) as desk:
        assert (await desk.refusal(f"cell {cell}"))["code"] == "not_found", "it sleeps"
        whole = await desk.ask(f"things {cell}")
        assert [thing["thing"] for thing in whole["things"]] == [post, *reversed(placed)]
        assert (whole["of"], whole["next"], whole["damagedCount"]) == (5, None, 0)
        first = await desk.ask(f"things {cell} oldest top=3")
        rest = await desk.ask(f"things {cell} oldest from={first['next']}")
        assert [thing["thing"] for thing in first["things"] + rest["things"]] == [*placed, post]
        assert (await desk.ask(f"find {cell}"))["hits"][-1]["where"] == "asleep"
        for wrong in ("", "zzz", f"{cell} sideways", f"{cell} top=0", f"{cell} top=201", f"{cell[:4]}"):
            assert (await desk.refusal(f"things {wrong}"))["code"] == "bad_argument", wrong


async def test_a_damaged_row_costs_itself_alone_and_is_named(start, tmp_path, spot):
    server = start(folder=tmp_path / "world")
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    things = [await ada.place(pose(*spot)) for _ in range(2)]
    server.stop()
    with sqlite3.connect(tmp_path / "world/cairn.sqlite") as file:
        file.execute("UPDATE instances SET version = -1 WHERE id = (SELECT min(id) FROM instances)")
        (row,) = file.execute("SELECT min(id) FROM instances").fetchone()
        file.execute("UPDATE accounts SET role = 'admin'")
        file.execute("DELETE FROM cairn_copies")
    file.close()
    server = start(folder=tmp_path / "world")
    async with await Desk.open(server) as desk:
        page = await desk.ask(f"things {cell}")
        assert [thing["thing"] for thing in page["things"]] == [things[1]["id"]]
        assert page["damagedCount"] == 1 and page["damaged"] == [f"instances {row}"]
        assert (await desk.ask(f"thing {things[0]['id']}"))["isDamaged"]
        assert (await desk.ask(f"find {things[0]['id']}"))["hits"][0]["title"] == "its row is damaged"
        person = await desk.ask(f"person {ada.welcome['account']}")
        assert person["isDamaged"] and "name" not in person and person["holds"]["object"] == 2


# MARK: - Ground


async def test_places_tokens_and_links_find_their_cells_and_tours(world):  # noqa: F811
    _, ada = await makers(world, "ada")
    tour = await published(ada, name=words("The old walls"))
    home = await organisation(ada)
    await eventually(lambda: find_link(world, tour), "it is offered")
    async with await Desk.open(world) as desk:
        shown = await desk.ask(f"tour {tour}")
        code, url = shown["code"], shown["url"]
        assert (shown["name"], shown["organisation"], shown["state"]) == ("The old walls", home, "published")
        assert shown["stopCount"] == 1 and shown["runs"] == 0 and "tour-withdraw" in shown["can"]
        for text in (tour, code, code.lower(), url, f"{url}?from=a-wall", "OLD wall", f"/play#/tours/{tour}",
                     f"{world.http}/console#tour/{tour}"):
            assert await hits(desk, text, "tour") == [tour], text
        lon, lat = shown["at"]
        (cell,) = await hits(desk, f"{lat},{lon}", "cell")
        assert await hits(desk, f"{lat},{lon}", "tour") == [tour]
        for text in (cell, f"{lat}, {lon}", f"{world.http}/play?at={lat}%2C{lon}", f"/console#cell/{cell}", f"{cell}4"):
            assert await hits(desk, text, "cell") == [cell], text
        one = await desk.ask(f"organisation {home}")
        assert [row["tour"] for row in one["tours"]] == [tour] and one["can"] == ["organisation-suspend"]
        assert await hits(desk, "museum", "organisation") == [home] == await hits(desk, home)
        for wrong in ("", "x" * 513, "https://example.org/elsewhere"):
            assert (await desk.refusal(f"find {wrong}"))["code"] == "bad_argument", wrong
        await desk.ask(f"tour-withdraw {tour} Floods")
        shown = await desk.ask(f"tour {tour}")
        assert (shown["state"], shown["url"], shown["audit"][0]["reason"]) == ("draft", None, "Floods")


async def find_link(world, tour):  # noqa: F811
    async with await Desk.open(world) as desk:
        return (await desk.ask(f"tour {tour}"))["url"]


async def test_a_tour_says_how_many_walk_it_and_a_person_which_one(world):  # noqa: F811
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    bob = await walker(world, "bob")
    await bob.ask("startTour", {"tour": tour})
    async with await Desk.open(world) as desk:
        assert (await desk.ask(f"tour {tour}"))["runs"] == 1
        assert (await desk.ask("person bob"))["walks"] == tour


async def test_read_level_finds_cells_and_places_and_nothing_else(start, tmp_path, spot):
    server = start(stats__readSocketPath=tmp_path / "read.sock")
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    async with await Desk.open(server, tmp_path / "read.sock") as desk, await Desk.open(server) as admin:
        assert await hits(desk, cell) == [cell] == await hits(desk, f"{spot[0]},{spot[1]}")
        # A word that is the token of a large cell as well names nobody.
        for text in ("Ada", ada.welcome["account"], ada.welcome["session"], "/j/ABCDEFGH"):
            assert (await desk.refusal(f"find {text}"))["code"] == "forbidden", text
        for command in ("person Ada", f"thing {cell}", f"things {cell}", f"tour {cell}", f"organisation {cell}"):
            assert (await desk.refusal(command))["code"] == "forbidden", command
        assert (await desk.ask(f"squares {cell}"))["people"] == 1
        assert await looked_up(admin) == []


async def test_people_are_counted_by_whole_squares_of_the_coarsest_grid(start, spot):
    """PRF-8: whoever shares exactly and whoever shares nothing counts in the same square."""
    server = start(listen__loops=2)
    middle = middle_of_square(*spot, GRID)
    ada = await Client.connect(server, "Ada", sharePosition=True)
    bob, far = await Client.connect(server, "Bob"), await Client.connect(server, "Far")
    cell = await ada.stand_at(*middle)
    # In another cell, and in the same square.
    assert await bob.stand_at(*away(*middle, east=300)) != cell
    await far.stand_at(*away(*middle, north=2_500))
    async with await Desk.open(server) as desk:

        async def counted():
            return (await desk.ask(f"squares {cell}"))["people"] == 2

        await eventually(counted, "both stand there")
        answer = await desk.ask(f"squares {cell}")
        assert answer["metres"] == GRID
        (square,) = [one for one in answer["squares"] if one["people"]]
        (west, south), _, (east, north), _ = square["outline"]
        assert south < middle[0] < north and west < middle[1] < east
        assert (north - south) * 111_190 >= GRID - 1
        assert "cell" in answer and "Ada" not in str(answer)
        assert (await desk.refusal("squares 1"))["code"] == "bad_argument", "too large"


# MARK: - Feedback


async def test_an_entry_of_feedback_is_found_by_its_id(start):
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.ask("sendFeedback", {"category": "bug", "text": "It rains inside"})
    async with await Desk.open(server) as desk:
        (entry,) = (await desk.ask("feedback"))["feedback"]
        (hit,) = [hit for hit in (await desk.ask(f"find {entry['id']}"))["hits"] if hit["kind"] == "feedback"]
        assert (hit["title"], hit["show"]) == ("It rains inside", f"feedback id={entry['id']}")
        assert (await desk.ask(hit["show"]))["feedback"] == [entry]
