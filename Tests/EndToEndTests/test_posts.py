"""Posts and votes over sockets, on disk, across restarts (PST, RCT-3 to RCT-5)."""

import asyncio
import random
import time

import pytest

from cairn import Client, Refused, away
from swarm import pause
from test_live_space import refused, two

FREE = {"posts__perMinute": 10_000, "posts__perDay": 10_000, "reactions__perMinute": 10_000}


def held(client, post):
    """A post in a client's view, or None."""
    topic = client.topics.get(post["cell"])
    return topic and topic.instances.get(post["id"])


def score(post):
    return post["post"].get("score", 0)


# MARK: - Making, editing, removing


async def test_post_appears_to_everybody_at_once_and_says_nobody_whose_it_is(start, spot):
    ada, bob, cell = await two(start(**FREE), spot)
    post = await ada.make_post("Fresh coffee ☕")
    for client in (ada, bob):
        await client.until(lambda: held(client, post), "the post")
    seen = held(bob, post)
    assert seen["text"] == "Fresh coffee ☕" and seen["cell"] == cell
    assert "placer" not in seen and "created" not in seen and "pose" not in seen
    assert int(seen["post"]["expires"]) - int(seen["post"]["created"]) == 86_400_000
    assert ada.welcome["account"] not in str(bob.items)


async def test_post_stands_on_its_authors_grid_however_exactly_the_author_stands(start, spot):
    server = start(**FREE)
    places = set()
    for metres in (0, 3, 6):
        ada = await Client.connect(server, "Ada", shareAccuracy=1000)
        await ada.stand_at(*away(*spot, north=metres))
        place = (await ada.make_post("somewhere"))["post"]["place"]
        places.add((place["lat"], place["lon"]))
        assert "h" not in place
    assert len(places) == 1 and places.isdisjoint({tuple(spot)})


async def test_edit_reaches_viewers_and_the_window_closes(start, spot):
    server = start(posts__editSeconds=2, **FREE)
    ada, bob, _ = await two(server, spot)
    post = await ada.make_post("Frist")
    body = {"post": post["id"], "cell": post["cell"], "text": "First"}
    edited = (await ada.ask("editPost", body))["post"]
    await bob.until(lambda: held(bob, post) and held(bob, post)["text"] == "First", "the new text")
    assert edited["version"] == 2 and edited["post"]["edited"] == held(bob, post)["post"]["edited"]
    await refused("forbidden", bob.ask("editPost", body))
    deadline = int(post["post"]["editableUntil"]) / 1000
    while time.time() <= deadline + 0.05:
        await ada.stand_at(*spot)
    await refused("edit_window_closed", ada.ask("editPost", {**body, "text": "Second"}))


async def test_removal_reaches_viewers_and_the_disk(start, spot):
    server = start(**FREE)
    ada, bob, _ = await two(server, spot)
    post = await ada.make_post("Gone soon")
    await bob.until(lambda: held(bob, post), "the post")
    body = {"post": post["id"], "cell": post["cell"]}
    await refused("forbidden", bob.ask("removePost", body))
    await ada.ask("removePost", body)
    await bob.until(lambda: not held(bob, post), "its end")
    await refused("not_found", ada.ask("removePost", body))
    server.kill()
    again = await Client.connect(start(**FREE), "Cid")
    await again.view(await again.stand_at(*spot))
    assert not held(again, post)


async def test_own_posts_are_listed_edited_and_removed_from_anywhere_and_by_nobody_else(start, spot):
    server = start(**FREE)
    ada, bob, _ = await two(server, spot)
    posts = [await ada.make_post(f"post {number}") for number in range(5)]
    await bob.make_post("Bob's")
    for client in (ada, bob):
        await client.stand_at(spot[0] + 20, spot[1])
    listed, page = [], {"next": ""}
    while "next" in page:
        page = await ada.ask("listOwnPosts", {"count": 2, "after": page["next"]})
        listed += page["posts"]
    assert [each["text"] for each in listed] == [f"post {number}" for number in reversed(range(5))]
    body = {"post": posts[0]["id"], "cell": posts[0]["cell"]}
    await refused("not_found", bob.ask("editPost", {**body, "text": "mine"}))
    await refused("not_found", bob.ask("removePost", body))
    assert (await ada.ask("editPost", {**body, "text": "from afar"}))["post"]["text"] == "from afar"
    await ada.ask("removePost", body)
    assert len((await ada.ask("listOwnPosts"))["posts"]) == 4


async def test_key_gives_the_first_answer_again_after_a_kill(start, spot):
    server = start(**FREE)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    post = await ada.make_post("Only once", key="once")
    server.kill()
    again = await Client.connect(start(**FREE), token=ada.welcome["token"])
    cell = await again.stand_at(*spot)
    assert await again.make_post("Only once", key="once") == post
    assert len((await again.view(cell)).instances) == 1


async def test_author_of_a_post_is_told_on_the_other_device_that_it_is_the_authors_own(start, spot):
    server = start(**FREE)
    ada = await Client.connect(server, "Ada")
    device = await Client.connect(server, token=ada.welcome["token"])
    for client in (ada, device):
        await client.view(await client.stand_at(*spot))
    post = await ada.make_post("Mine")
    await device.until(lambda: post["id"] in device.own.get(post["cell"], {}), "the own post")


async def test_quota_is_of_the_person_over_devices_and_restarts(start, spot):
    server = start(posts__perMinute=2, posts__perDay=3)
    ada = await Client.connect(server, "Ada")
    device = await Client.connect(server, token=ada.welcome["token"])
    for client in (ada, device):
        await client.stand_at(*spot)
    await ada.make_post("one")
    await device.make_post("two")
    refusal = await refused("quota_period", ada.make_post("three"))
    assert refusal.details["limit"] == "2"
    server.kill()
    again = await Client.connect(start(posts__perMinute=3, posts__perDay=3), token=ada.welcome["token"])
    await again.stand_at(*spot)
    await again.make_post("three")
    await refused("quota_period", again.make_post("four"))


# MARK: - Votes


async def test_votes_move_score_size_and_reach_for_everybody_alike(start, spot):
    server = start(**FREE)
    ada, bob, _ = await two(server, spot)
    cid = await Client.connect(server, "Cid")
    await cid.stand_at(*spot)
    post = await ada.make_post("Vote for me")
    await bob.until(lambda: held(bob, post), "the post")
    for voter, vote, expected in [(bob, 1, 1), (cid, 1, 2), (bob, -1, 0), (cid, 0, -1), (bob, -1, -1)]:
        answer = await voter.vote(post, vote)
        assert answer.get("score", 0) == expected and answer.get("vote", 0) == vote
        await ada.until(lambda: score(held(ada, post)) == expected, f"score {expected}")
        told = held(ada, post)["post"]
        assert (told["size"], told["reach"]) == (answer["size"], answer["reach"])
    await refused("own_post", ada.vote(post, 1))
    said = [item["event"] for item in ada.items if "voted" in item.get("event", {})]
    assert len(said) == 4 and set().union(*(event["voted"] for event in said)) <= {"post", "score", "size", "reach"}


async def test_hidden_post_is_its_authors_alone_live_and_after_a_restart(start, spot):
    server = start(posts__hiddenScore=-2, **FREE)
    ada, bob, cell = await two(server, spot)
    cid = await Client.connect(server, "Cid")
    await cid.view(await cid.stand_at(*spot))
    post = await ada.make_post("Buy my stuff")
    await bob.vote(post, -1)
    answer = await cid.vote(post, -1)
    assert answer["hidden"]
    await bob.until(lambda: not held(bob, post), "its end")
    for stranger in (bob, cid):
        hidden = await refused("not_found", stranger.read_post(post))
        absent = await refused("not_found", stranger.read_post({**post, "id": bob.welcome["account"]}))
        assert hidden.message == absent.message
        await refused("not_found", stranger.vote(post, 0))
        assert not (await stranger.ask("listTrendingPosts", {"cell": cell})).get("posts")
    server.kill()
    server = start(posts__hiddenScore=-2, **FREE)
    ada, bob = [await Client.connect(server, token=client.welcome["token"]) for client in (ada, bob)]
    for client in (ada, bob):
        await client.view(await client.stand_at(*spot))
    await ada.until(lambda: post["id"] in ada.topics[cell].hidden, "the hidden post")
    assert ada.topics[cell].hidden[post["id"]]["post"]["hidden"]
    own = (await ada.ask("listOwnPosts"))["posts"]
    assert [each["id"] for each in own] == [post["id"]] and own[0]["post"]["hidden"]
    await bob.ask("listOwnPosts")  # all earlier messages have arrived by now
    assert post["id"] not in str(bob.items)


async def test_posts_are_in_reach_or_they_are_not_there(start, spot):
    server = start(**FREE)
    ada, bob, _ = await two(server, spot, shareAccuracy=0)
    post = await ada.make_post("Here")
    await bob.stand_at(*away(*spot, north=52))
    await refused("not_found", bob.vote(post, 1))
    assert "vote" not in (await bob.read_post(post)).get("actions", [])
    await bob.stand_at(*away(*spot, north=49))
    assert (await bob.vote(post, 1))["reach"] == 55


@pytest.mark.seconds(120)
async def test_scores_are_the_serial_count_over_switches_cuts_and_kills(start, spot):
    server = start(posts__hiddenScore=-1000, **FREE)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    posts = [await ada.make_post(f"post {number}") for number in range(6)]
    dice = random.Random(7)
    last = {}

    async def vote(number, voter, rounds):
        """Sends votes until they are answered, over cuts and restarts, with the key of the first attempt."""
        for _ in range(rounds):
            post, choice = dice.choice(posts), dice.choice([1, -1, 0])
            key = f"{number}-{dice.random()}"
            answer = await voter.vote(post, choice, key=key)
            assert answer.get("vote", 0) == choice
            last[(number, post["id"])] = choice
            if dice.random() < 0.1:
                await voter.drop()
                voter = await Client.connect(server, token=voter.welcome["token"])
                await voter.stand_at(*spot)
                assert await voter.vote(post, choice, key=key) == answer

    tokens = []
    for turn in range(2):
        voters = []
        for number in range(12):
            name = {"token": tokens[number]} if tokens else {}
            voter = await Client.connect(server, "" if tokens else f"voter{number}", **name)
            await voter.stand_at(*spot)
            voters.append(voter)
        tokens = [voter.welcome["token"] for voter in voters]
        await asyncio.gather(*(vote(number, voter, 25) for number, voter in enumerate(voters)))
        server.kill()
        server = start(posts__hiddenScore=-1000, **FREE)
    viewer = await Client.connect(server, "Viewer")
    await viewer.view(await viewer.stand_at(*spot))
    for post in posts:
        assert score(held(viewer, post)) == sum(vote for (_, id), vote in last.items() if id == post["id"])


# MARK: - Lists


async def test_trending_posts_come_best_first_then_newest_in_pages(start, spot):
    server = start(**FREE)
    ada, bob, cell = await two(server, spot)
    posts = [await ada.make_post(f"{number}") for number in range(7)]
    for number in (2, 5):
        await bob.vote(posts[number], 1)
    await bob.vote(posts[6], -1)
    listed, page = [], {"next": ""}
    while "next" in page:
        page = await bob.ask("listTrendingPosts", {"cell": cell, "count": 3, "after": page["next"]})
        listed += [each["text"] for each in page["posts"]]
    assert listed == ["5", "2", "4", "3", "1", "0", "6"]
    assert [each["text"] for each in (await bob.ask("listTrendingPosts"))["posts"]] == listed, "of the whole view"
    await refused("invalid_field", bob.ask("listTrendingPosts", {"cell": cell, "after": "nonsense"}))


# MARK: - The end


QUICK = {"connections__messagesPerSecond": 10_000, "connections__messagesBurst": 10_000}


async def is_gone_before(client, post, later):
    """Asks for the later post until it has ended: the end of the other one came before the last answer that it was
    there. What comes on a connection is in the order of the server, so a slow client changes nothing."""
    is_early = is_gone = None
    while True:
        try:
            await client.read_post(later)
        except Refused as refusal:
            assert refusal.code == "post_expired", refusal
            assert is_gone, "told no sooner than the end of the next post"
            assert not is_early, "told before its time"
            return
        if is_gone is None and not held(client, post):
            is_gone, is_early = True, time.time() < int(post["post"]["expires"]) / 1000 - 0.05
        await pause(0.02)


async def test_ended_post_is_served_to_nobody_by_the_clock_alone(start, spot):
    server = start(posts__lifeSeconds=2, **FREE)
    ada, bob, cell = await two(server, spot)
    post = await ada.make_post("Quick")
    ends = int(post["post"]["expires"]) / 1000
    while time.time() <= ends:
        await bob.stand_at(*spot)
    await refused("post_expired", bob.read_post(post))
    await refused("post_expired", bob.vote(post, 1))
    await refused("post_expired", ada.ask("removePost", {"post": post["id"], "cell": cell}))
    assert not (await bob.ask("listTrendingPosts", {"cell": cell})).get("posts")
    assert not (await ada.ask("listOwnPosts")).get("posts")
    server.kill()
    again = await Client.connect(start(posts__lifeSeconds=2, **FREE), "Cid")
    await again.view(await again.stand_at(*spot))
    assert not held(again, post)
    await refused("post_expired", again.read_post(post))


async def test_end_of_a_post_is_seen_by_all_within_a_second_of_its_time(start, spot):
    """Of posts that end a second after one another each is gone from every view before the next one ends."""
    server = start(posts__lifeSeconds=5, **QUICK, **FREE)
    ada, bob, cell = await two(server, spot)
    posts = []
    for number in range(4):
        while posts and time.time() < int(posts[-1]["post"]["created"]) / 1000 + 1:
            await ada.stand_at(*spot)
        posts.append(await ada.make_post(f"post {number}"))
    await bob.until(lambda: all(held(bob, post) for post in posts), "the posts")
    for post, later in zip(posts, posts[1:]):
        await asyncio.gather(*(is_gone_before(client, post, later) for client in (ada, bob)))
    for client in (ada, bob):
        await client.until(lambda: not held(client, posts[-1]), "the last end")
        assert time.time() > int(posts[-1]["post"]["expires"]) / 1000 - 0.05, "before its time"
    assert not ada.topics[cell].instances and not bob.topics[cell].instances


async def test_posts_end_at_their_time_over_a_kill(start, spot):
    settings = {"posts__lifeSeconds": 4, **QUICK, **FREE}
    server = start(**settings)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    first = await ada.make_post("first")
    while time.time() < int(first["post"]["created"]) / 1000 + 2:
        await ada.stand_at(*spot)
    second = await ada.make_post("second")
    server.kill()
    bob = await Client.connect(start(**settings), "Bob")
    await bob.view(await bob.stand_at(*spot))
    assert held(bob, second)
    await is_gone_before(bob, first, second)
    for post in (first, second):
        ends = int(post["post"]["expires"]) / 1000
        await bob.until(lambda: not held(bob, post), "its end")
        assert time.time() > ends - 0.05, "not before its time"
