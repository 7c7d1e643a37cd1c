"""Friends and blocks: requests, answers, lists, searches, and people who are absent for each other (FRD-1 to FRD-7)."""

import asyncio

import pytest

from cairn import Client, Refused, pose, totals
from test_live_space import refused


@pytest.fixture
def world(start):
    return start()


def of(client):
    """The id by which requests name a person."""
    return {"account": client.welcome["account"]}


async def people(server, *names):
    return [await Client.connect(server, name) for name in names]


async def befriend(one, other):
    await one.ask("requestFriend", of(other))
    await other.ask("answerFriendRequest", {**of(one), "accept": True})


def names(users):
    return [user["name"] for user in users]


async def friends(client, **more):
    return names((await client.ask("listFriends", more)).get("friends", []))


async def notified(client, kind):
    """Waits for the notification of a kind."""

    def entry():
        entries = [
            entry for item in client.items for entry in item.get("notifications", {}).get("notifications", [])
        ]  # fmt: skip
        return next((entry for entry in entries if entry["kind"] == kind), None)

    return await client.until(entry, f"notification {kind}")


async def test_a_request_that_is_accepted_makes_two_friends(world):
    ada, bob = await people(world, "Ada", "Bob")
    assert "friends" not in await ada.ask("requestFriend", of(bob))
    lists = await bob.ask("listFriends")
    assert [entry["user"]["name"] for entry in lists["received"]] == ["Ada"] and "sent" not in lists
    assert [entry["user"]["name"] for entry in (await ada.ask("listFriends"))["sent"]] == ["Bob"]
    await bob.ask("answerFriendRequest", {**of(ada), "accept": True})
    assert await friends(ada) == ["Bob"] and await friends(bob) == ["Ada"]
    assert "received" not in await bob.ask("listFriends")


async def test_faults_of_requests_and_answers_have_their_codes(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    await refused("self_request", ada.ask("requestFriend", of(ada)))
    for name in ("0000000000000", "", "no such account"):
        await refused("user_not_found", ada.ask("requestFriend", {"account": name}))
    await refused("request_not_found", bob.ask("answerFriendRequest", {**of(ada), "accept": True}))
    await refused("request_not_found", ada.ask("withdrawFriendRequest", of(bob)))
    await refused("not_friends", ada.ask("unfriend", of(bob)))
    await ada.ask("requestFriend", of(bob))
    await refused("request_pending", ada.ask("requestFriend", of(bob)))
    # Only the person who was asked answers.
    await refused("request_not_found", ada.ask("answerFriendRequest", {**of(bob), "accept": True}))
    await refused("request_not_found", eve.ask("answerFriendRequest", {**of(ada), "accept": True}))
    await refused("request_not_found", bob.ask("withdrawFriendRequest", of(ada)))
    await bob.ask("answerFriendRequest", {**of(ada), "accept": True})
    await refused("already_friends", bob.ask("requestFriend", of(ada)))


async def test_two_people_who_ask_each_other_are_friends_at_once(world):
    ada, bob = await people(world, "Ada", "Bob")
    await ada.ask("requestFriend", of(bob))
    assert (await bob.ask("requestFriend", of(ada)))["friends"] is True
    assert await friends(ada) == ["Bob"] and await friends(bob) == ["Ada"]


async def test_a_request_is_withdrawn_or_rejected(world):
    ada, bob = await people(world, "Ada", "Bob")
    await ada.ask("requestFriend", of(bob))
    await notified(bob, "friend_request")
    await ada.ask("withdrawFriendRequest", of(bob))
    assert await bob.ask("listFriends") == {} and await ada.ask("listFriends") == {}
    # Its notification goes with it: no device gets it any more, and those that have it learn that none is unread.
    assert await bob.ask("listNotifications") == {}
    await bob.until(lambda: any(item.get("notifications") == {} for item in bob.items), "the count")
    await ada.ask("requestFriend", of(bob))
    await bob.ask("answerFriendRequest", of(ada))
    assert await bob.ask("listFriends") == {} and await ada.ask("listFriends") == {}


async def test_unfriending_ends_both_entries_and_all_of_it_outlives_a_kill(start):
    server = start()
    ada, bob, eve = await people(server, "Ada", "Bob", "Eve")
    await befriend(ada, bob)
    await befriend(ada, eve)
    await bob.ask("unfriend", of(ada))
    server.kill()
    again = await Client.connect(start(), "Ada")
    assert await friends(again) == ["Eve"]


async def test_the_same_key_asks_once(world):
    ada, bob = await people(world, "Ada", "Bob")
    first = await ada.ask("requestFriend", of(bob), key="one")
    assert await ada.ask("requestFriend", of(bob), key="one") == first
    await refused("key_reused", ada.ask("unfriend", of(bob), key="one"))


async def test_the_list_of_friends_is_shown_as_its_owner_wants(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    await befriend(ada, bob)
    # At first friends may see it, and nobody else (PRF-5).
    assert await friends(bob, **of(ada)) == ["Bob"]
    await refused("profile_hidden", eve.ask("listFriends", of(ada)))
    await ada.ask("editProfile", {"friendsVisibleTo": "everyone"})
    assert await friends(eve, **of(ada)) == ["Bob"]
    assert (await eve.ask("listFriends", of(ada))).keys() == {"friends"}
    await ada.ask("editProfile", {"friendsVisibleTo": "nobody"})
    await refused("profile_hidden", bob.ask("listFriends", of(ada)))
    assert await friends(ada, **of(ada)) == ["Bob"]


async def test_a_profile_is_shown_to_friends(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    await befriend(ada, bob)
    await ada.ask("editProfile", {"status": "Here"})
    assert (await bob.ask("readProfile", of(ada)))["status"] == "Here"
    await refused("profile_hidden", eve.ask("readProfile", of(ada)))
    await bob.ask("unfriend", of(ada))
    await refused("profile_hidden", bob.ask("readProfile", of(ada)))


async def test_people_are_found_by_the_beginning_of_their_names(start):
    server = start(accounts__searchResults=3)
    ada, *_ = await people(server, "Ada", "anna", "Annabel", "ANNE", "Bob", "Änne")

    async def find(prefix):
        return names((await ada.ask("findUsers", {"prefix": prefix})).get("users", []))

    assert await find("ANN") == ["anna", "Annabel", "ANNE"]
    assert await find("anna") == ["anna", "Annabel"]
    assert await find("ä") == ["Änne"]
    # Behind those that begin with it, those that have it further on.
    assert await find("nn") == ["anna", "Annabel", "ANNE"] and await find("b") == ["Bob", "Annabel"]
    assert await find("nab") == ["Annabel"] and await find("Ada") == [] and await find("nx") == []
    assert len(await find("a")) == 3
    await refused("missing_field", ada.ask("findUsers", {}))
    await refused("not_signed_in", (await Client.connect(server)).ask("findUsers", {"prefix": "a"}))


async def test_a_new_name_is_found_and_the_old_one_is_not(world):
    ada, bob = await people(world, "Ada", "Bob")
    await bob.ask("editProfile", {"username": "Robert"})
    assert names((await ada.ask("findUsers", {"prefix": "rob"}))["users"]) == ["Robert"]
    assert await ada.ask("findUsers", {"prefix": "bob"}) == {}


async def test_too_many_searches_and_requests_are_refused(start):
    server = start(accounts__searchesPerMinute=5, friends__requestsPerHour=2)
    ada, bob, eve, dan = await people(server, "Ada", "Bob", "Eve", "Dan")
    for _ in range(5):
        await ada.ask("findUsers", {"prefix": "b"})
    refusal = await refused("rate_limited", ada.ask("findUsers", {"prefix": "b"}))
    assert 0 < refusal.retry_after <= 60_000
    await ada.ask("requestFriend", of(bob))
    await ada.ask("requestFriend", of(eve))
    await refused("rate_limited", ada.ask("requestFriend", of(dan)))


async def test_limits_of_friends_and_requests(start):
    server = start(friends__friendsMax=1, friends__requestsMax=1, friends__blocksMax=1)
    ada, bob, eve = await people(server, "Ada", "Bob", "Eve")
    await ada.ask("requestFriend", of(bob))
    refusal = await refused("limit_reached", ada.ask("requestFriend", of(eve)))
    assert refusal.details == {"count": "1", "limit": "1"}
    await bob.ask("answerFriendRequest", {**of(ada), "accept": True})
    await refused("limit_reached", ada.ask("requestFriend", of(eve)))
    await eve.ask("requestFriend", of(ada))
    await refused("limit_reached", ada.ask("answerFriendRequest", {**of(eve), "accept": True}))
    await ada.ask("block", of(eve))
    await refused("limit_reached", ada.ask("block", of(bob)))


async def test_people_with_a_block_between_them_are_absent_for_each_other(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    await befriend(ada, bob)
    await ada.ask("editProfile", {"visibleTo": "everyone", "friendsVisibleTo": "everyone"})
    await bob.ask("editProfile", {"visibleTo": "everyone", "friendsVisibleTo": "everyone"})
    nobody = {"account": "0000000000000"}
    absent = await refused("user_not_found", bob.ask("requestFriend", nobody))
    await ada.ask("block", of(bob))
    await ada.ask("block", of(bob))  # again is success
    for one, other in ((bob, ada), (ada, bob)):
        refusal = await refused("user_not_found", one.ask("requestFriend", of(other)))
        # The same in every word, but for what finds it in the log.
        assert (refusal.message, refusal.component, refusal.details) == (
            absent.message, absent.component, absent.details)  # fmt: skip
        await refused("user_not_found", one.ask("readProfile", of(other)))
        await refused("user_not_found", one.ask("listFriends", of(other)))
        found = await one.ask("findUsers", {"prefix": other.name})
        assert found == {}
        assert await friends(one) == []
    # Others see both.
    assert names((await eve.ask("findUsers", {"prefix": "ada"}))["users"]) == ["Ada"]
    assert names((await ada.ask("listBlocks"))["users"]) == ["Bob"] and await bob.ask("listBlocks") == {}
    # The blocked person is answered about a block in turn as about nobody.
    for kind in ("block", "unblock"):
        await refused("user_not_found", bob.ask(kind, of(ada)))
    await ada.ask("unblock", of(bob))
    await ada.ask("unblock", of(bob))
    await ada.ask("requestFriend", of(bob))
    assert await friends(ada) == []
    await refused("self_request", ada.ask("block", of(ada)))
    await refused("user_not_found", ada.ask("block", nobody))


async def test_a_block_ends_an_open_request_without_a_word(world):
    ada, bob = await people(world, "Ada", "Bob")
    await bob.ask("requestFriend", of(ada))
    await ada.ask("block", of(bob))
    assert await bob.ask("listFriends") == {} and await ada.ask("listFriends") == {}
    await refused("request_not_found", ada.ask("answerFriendRequest", {**of(bob), "accept": True}))


async def test_without_friends_everything_of_them_is_refused_but_blocks(start):
    server = start(accounts__friends="false")
    ada, bob = await people(server, "Ada", "Bob")
    for kind in ("requestFriend", "answerFriendRequest", "withdrawFriendRequest", "listFriends"):
        await refused("forbidden", ada.ask(kind, of(bob)))
    # Who has friends from before may end that.
    await refused("not_friends", ada.ask("unfriend", of(bob)))
    await refused("profile_hidden", bob.ask("readProfile", of(ada)))
    await ada.ask("block", of(bob))
    await refused("user_not_found", bob.ask("readProfile", of(ada)))


async def test_guests_have_no_friends(world):
    ada, = await people(world, "Ada")
    guest = await Client.connect(world)
    for kind in ("requestFriend", "block", "listFriends", "listBlocks"):
        await refused("not_signed_in", guest.ask(kind, of(ada)))


async def test_requests_and_answers_are_notified(world):
    ada, bob = await people(world, "Ada", "Bob")
    await ada.ask("requestFriend", of(bob))
    assert (await notified(bob, "friend_request"))["personName"] == "Ada"
    await bob.ask("answerFriendRequest", {**of(ada), "accept": True})
    assert (await notified(ada, "friend_accepted"))["personName"] == "Bob"


async def test_the_placer_is_named_as_their_privacy_allows(world):
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    await befriend(ada, bob)
    spot = (48.8584, 2.2945)
    for client in (ada, bob, eve):
        await client.view(await client.stand_at(*spot))
    placed = await ada.place(pose(*spot))

    async def named(client):
        await client.until(lambda: client.sees(placed), "the instance")
        return (await client.select(placed)).get("placerName", "")

    # At first friends see the name.
    assert [await named(client) for client in (ada, bob, eve)] == ["Ada", "Ada", ""]
    await ada.ask("editProfile", {"interactionsVisibleTo": "everyone", "username": "Countess"})
    assert [await named(client) for client in (ada, bob, eve)] == ["Countess"] * 3, "a name is frozen"
    await ada.ask("editProfile", {"interactionsVisibleTo": "nobody"})
    assert [await named(client) for client in (ada, bob, eve)] == ["Countess", "", ""]


async def test_authors_and_those_who_react_are_named_as_their_privacy_allows(world):
    """RCT-2, PST-8, PRF-5."""
    ada, bob, eve = await people(world, "Ada", "Bob", "Eve")
    await befriend(ada, bob)
    spot = (48.8584, 2.2945)
    for client in (ada, bob, eve):
        await client.view(await client.stand_at(*spot))
    placed = await eve.place(pose(*spot))
    post = await ada.make_post("hello")
    await ada.until(lambda: ada.sees(placed), "the instance")
    assert await ada.react(placed, "love") == {"love": 1}
    await bob.react(placed, "wow")

    async def named(client):
        """The people who have reacted, and the author of the post."""
        await client.until(lambda: client.sees(post), "the post")
        listed = await client.ask("listReactions", {"instance": placed["id"], "cell": placed["cell"]})
        reactions = [(entry["user"]["name"], entry["reaction"]) for entry in listed.get("reactions", [])]
        return reactions, (await client.read_post(post)).get("authorName", "")

    # At first friends see the names; each sees the own one first. The totals are everyone's.
    assert await named(ada) == ([("Ada", "love"), ("Bob", "wow")], "Ada")
    assert await named(bob) == ([("Bob", "wow"), ("Ada", "love")], "Ada")
    assert await named(eve) == ([], "")
    assert totals((await eve.select(placed))["instance"]) == {"love": 1, "wow": 1}
    await ada.ask("editProfile", {"interactionsVisibleTo": "everyone", "username": "Countess"})
    assert await named(eve) == ([("Countess", "love")], "Countess")
    await ada.ask("editProfile", {"interactionsVisibleTo": "nobody"})
    assert await named(bob) == ([("Bob", "wow")], "")
    # Somebody with a block between the two is not named, whatever they show.
    await ada.ask("editProfile", {"interactionsVisibleTo": "everyone"})
    await bob.ask("block", of(ada))
    listed = await ada.ask("listReactions", {"instance": placed["id"], "cell": placed["cell"]})
    assert [entry["user"]["name"] for entry in listed["reactions"]] == ["Countess"]
    await refused("unknown_reaction", eve.ask("listReactions", {
        "instance": placed["id"], "cell": placed["cell"], "reaction": "nonsense"}))  # fmt: skip
    await refused("not_found", eve.ask("listReactions", {"instance": "0000000000000", "cell": placed["cell"]}))


async def test_a_list_of_friends_leaves_out_who_is_absent_for_its_reader(world):
    ada, bob, cat = await people(world, "Ada", "Bob", "Cat")
    await befriend(cat, ada)
    await befriend(cat, bob)
    assert await friends(bob, **of(cat)) == ["Ada", "Bob"]
    await ada.ask("block", of(bob))
    assert await friends(bob, **of(cat)) == ["Bob"] and await friends(ada, **of(cat)) == ["Ada"]
    await ada.ask("unblock", of(bob))
    assert await friends(bob, **of(cat)) == ["Ada", "Bob"]


async def at_once(client, kind, bodies):
    """Sends requests without waiting, and returns how many succeeded, and the codes of the others."""
    answers = await asyncio.gather(*(client.ask(kind, body) for body in bodies), return_exceptions=True)
    return sum(isinstance(one, dict) for one in answers), {one.code for one in answers if isinstance(one, Refused)}
