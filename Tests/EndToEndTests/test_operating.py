"""What an operator finds, sees and does in a minute: who guesses, who wrote that, whose it was, what somebody left and
what was done (ROL-5, MOD-4, STA-1, STA-2)."""

import asyncio
import time

from cairn import Client, Refused, eventually, pose
from operators import Desk, credential_of, fetch, refused, stats_url
from test_live_space import refused as refusing
from test_operated_tours import organisation
from test_posts import FREE
from test_roles import audit
from test_runs import settings, world  # noqa: F401
from test_shared import create
from test_tours import makers, published, words


async def recorded(desk, what):
    return (await desk.ask(f"audit what={what}"))["audit"]


async def alarm(desk):
    return [one for one in (await desk.ask("alarms"))["alarms"] if one["figure"] == "wrongCredentials"]


# MARK: - Who guesses


async def test_wrong_credentials_raise_an_alarm_with_their_addresses_until_it_is_seen(start, tmp_path):
    server = start(stats__readSocketPath=tmp_path / "read.sock")
    async with await Desk.open(server) as desk, await Desk.open(server, tmp_path / "read.sock") as reader:
        for number in range(5):
            assert await refused(stats_url(server), credential=f"guess-{number}") == 403
        # Whoever shows nothing tries nothing.
        for _ in range(12):
            assert await refused(stats_url(server)) == 403
        assert await alarm(desk) == [] and await recorded(desk, "wrong_credentials") == []
        for number in range(5):
            assert (await asyncio.to_thread(fetch, server, f"/console?link=guess-{number}"))[0] == 403
        (one,) = await alarm(desk)
        assert (one["severity"], one["seenAt"], one["addresses"]) == ("warn", None, ["127.0.0.1 (10)"])
        assert (await desk.ask("health"))["health"]["state"] == "watch"
        assert [found["addresses"] for found in await alarm(reader)] == [[]], "addresses are for admins"

        async def noted():
            return await recorded(desk, "wrong_credentials")

        (entry,) = await eventually(noted, "it stands in the audit log")
        assert entry["operator"] == "the server" and entry["reason"] == "10 since the start, from 127.0.0.1 (10)"
        await desk.ask(f"seen {one['alarm']}")
        assert (await alarm(desk))[0]["seenAt"] is not None
        assert await refused(stats_url(server), credential="guess-again") == 403
        assert len(await recorded(desk, "wrong_credentials")) == 1, "one an hour"


async def test_behind_a_proxy_the_records_name_the_client_and_not_the_proxy(start):
    server = start(listen__behindProxy="true", accounts__open="false")

    def page(path, client, **headers):
        return fetch(server, path, **{"X-Forwarded-For": client}, **headers)[0]

    assert await refused(stats_url(server), credential="guess", client="198.51.100.1") == 403
    guesses = (("/v1/operator", 403), ("/console", 403), ("/metrics", 401))
    for number, (path, status) in enumerate(guesses, 2):
        assert page(path, f"198.51.100.{number}", Authorization="Bearer guess") == status
    # What a client writes in front of its own address is not believed.
    assert page("/console?link=guess", "127.0.0.1, 198.51.100.5") == 403
    for _ in range(6):
        assert page("/v1/operator", "198.51.100.5", Authorization="Bearer guess") == 403
    async with await Desk.open(server) as desk:
        (one,) = await alarm(desk)
        assert sorted(one["addresses"]) == [
            *(f"198.51.100.{number} (1)" for number in (1, 2, 3, 4)), "198.51.100.5 (7)"]
        # What an operator does stands in the log with the address of the operator.
        how = {"credential": credential_of(server), "client": "198.51.100.7"}
        async with await Desk.over_websocket(stats_url(server), **how) as own:
            await own.ask("find nobody")
        names = {entry["operator"] for entry in await recorded(desk, "look_up")}
        assert names == {"the credential, from 198.51.100.7"}


async def test_who_guesses_passwords_is_named_to_admins_and_whoever_mistypes_is_not(start, tmp_path):
    server = start(stats__readSocketPath=tmp_path / "read.sock")

    async def guessed(desk):
        alarms = (await desk.ask("alarms"))["alarms"]
        return [one["addresses"] for one in alarms if one["figure"] == "guessers"]

    async with await Desk.open(server) as desk, await Desk.open(server, tmp_path / "read.sock") as reader:
        guest = await Client.connect(server)
        for number in range(20):
            assert await guessed(desk) == []
            code = "invalid_credentials" if number < 10 else "too_many_attempts"
            await refusing(code, guest.ask("signIn", {"login": "nobody", "password": f"guess {number}"}))
        assert await eventually(lambda: guessed(desk), "the alarm") == [["127.0.0.1 (20)"]]
        assert await guessed(reader) == [[]], "addresses are for admins"


# MARK: - Who wrote that


async def test_posts_and_things_are_found_by_words_and_whose_they_are_stands_in_the_record(start, tmp_path, spot):
    server = start(folder=tmp_path / "world", accounts__privacy="everyone")
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve")
    cell = await ada.stand_at(*spot)
    await eve.stand_at(*spot)
    post = await ada.make_post("I lost my hat on the Brücke")
    thing = await eve.place(pose(*spot), text="A HAT was found")
    garden = await create(eve)
    await eve.place(pose(*spot), realms=[garden], text="my secret hat")
    # Hatter: a name, a post and a thing may all be meant.
    await Client.connect(server, "Hatter")
    async with await Desk.open(server) as desk:
        answer = await desk.ask("find hat")
        assert [(hit["kind"], hit["id"]) for hit in answer["hits"]][-2:] == [
            ("object", thing["id"]), ("post", post["id"])], "the newest first, and nothing that is not for everyone"
        assert answer["hits"][0]["title"] == "Hatter" and answer["texts"]["next"] is None
        (hit,) = (await desk.ask("find brucke LOST"))["hits"]
        assert hit == {
            "kind": "post", "id": post["id"], "title": "I lost my hat on the Brücke",
            "where": f"in cell {cell}, by {ada.welcome['account']}", "show": f"thing {post['id']}"}
        looks = await recorded(desk, "look_up")
        assert [(entry["reason"], entry.get("account")) for entry in looks[:2]] == [
            ("by words in texts", ada.welcome["account"]), ("by name or id: nobody", None)]
        assert (await desk.ask("texts secret"))["hits"] == []
        assert (await recorded(desk, "look_up"))[0]["reason"] == "by words in texts: nobody"
        rest = await desk.ask(f"texts before={thing['id']} hat")
        assert [hit["id"] for hit in rest["hits"]] == [post["id"]]
        for wrong in ("", "x", "before=x hat", "one two three four five six seven eight nine"):
            assert (await desk.refusal(f"texts {wrong}"))["code"] == "bad_argument", wrong
    server.stop()
    server = start(folder=tmp_path / "world", stats__readSocketPath=tmp_path / "read.sock")
    async with await Desk.open(server) as desk, await Desk.open(server, tmp_path / "read.sock") as reader:
        assert len((await desk.ask("find lost"))["hits"]) == 1, "nobody is near it"
        for command in ("texts hat", "left Ada"):
            assert (await reader.refusal(command))["code"] == "forbidden"


async def test_a_search_in_texts_goes_on_where_the_one_before_ended(start, spot):
    server = start(**FREE)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    posts = [(await ada.make_post(f"Number {number} of many"))["id"] for number in range(23)]
    async with await Desk.open(server) as desk:
        first = await desk.ask("texts many number")
        assert first["cut"] and len(first["hits"]) == 20
        rest = await desk.ask(f"texts before={first['texts']['next']} many number")
        assert not rest["cut"] and rest["texts"]["next"] is None
        assert [hit["id"] for hit in first["hits"] + rest["hits"]] == posts[::-1]


# MARK: - Whose it was


async def test_what_is_gone_still_says_whose_it_was_as_far_as_records_go(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    thing, kept = await ada.place(pose(*spot), text="Call 555"), await ada.place(pose(*spot))
    post = await ada.make_post("Hello")
    account = ada.welcome["account"]
    async with await Desk.open(server) as desk:
        await desk.ask(f"remove {thing['id']} A phone number")
        gone = await desk.ask(f"thing {thing['id']}")
        assert gone["isGone"] and gone["owner"] == account and gone["isOwnerProven"]
        (entry,) = [one for one in (await desk.ask(f"person {account}"))["audit"] if one["what"] == "instance_remove"]
        assert (entry["thing"], entry["reason"]) == (thing["id"], "A phone number")
        # What its owner has removed: the log of posts knows it for a day, and nothing knows it of things.
        await ada.ask("removePost", {"post": post["id"], "cell": post["cell"]})
        await ada.remove(kept)
        gone = await desk.ask(f"thing {post['id']}")
        assert (gone["isGone"], gone["owner"], gone["audit"]) == (True, account, [])
        assert not gone["isOwnerProven"], "whoever can write the file can change the log of posts"
        assert (await desk.refusal(f"thing {kept['id']}"))["code"] == "not_found"


# MARK: - What somebody left


async def test_what_a_person_left_is_listed_page_by_page_and_each_look_is_recorded(start, spot):
    server = start()
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve")
    cell = await ada.stand_at(*spot)
    await eve.stand_at(*spot)
    account = ada.welcome["account"]
    things = [(await ada.place(pose(*spot)))["id"] for _ in range(3)]
    post = (await ada.make_post("Hello"))["id"]
    await eve.place(pose(*spot))
    things.append((await ada.place(pose(*spot)))["id"])
    newest = [things[3], post, *things[2::-1]]
    async with await Desk.open(server) as desk:
        shown = await desk.ask("person Ada")
        assert [thing["thing"] for thing in shown["left"]["things"]] == newest and shown["left"]["next"] is None
        assert shown["left"]["things"][1]["text"] == "Hello" and shown["left"]["things"][0]["cell"] == cell
        assert len(await recorded(desk, "look_up")) == 1
        assert [thing["at"] for thing in shown["left"]["things"]] == [None] * 5, "never a person's places"
        first = await desk.ask(f"left {account} top=2")
        rest = await desk.ask(f"left {account} before={first['next']}")
        assert [thing["thing"] for thing in first["things"] + rest["things"]] == newest and rest["next"] is None
        entries = await recorded(desk, "look_up")
        assert [(entry["reason"], entry["account"]) for entry in entries[:2]] == [("what they left", account)] * 2
        # Whoever is looked at often is still seen to have been suspended.
        await desk.ask(f"ban {account} Shouting")
        for _ in range(22):
            shown = await desk.ask(f"person {account}")
        assert "suspend" in [entry["what"] for entry in shown["audit"]]
        for wrong in ("", f"{account} sideways", f"{account} top=0", f"{account} top=201"):
            assert (await desk.refusal(f"left {wrong}"))["code"] == "bad_argument", wrong
        assert (await desk.refusal("left nobody"))["code"] == "not_found"


async def test_tours_are_found_by_name_also_as_drafts_and_listed_with_who_may_make_them(world):  # noqa: F811
    _, ada = await makers(world, "ada")
    tour = await published(ada, name=words("The old walls"))
    await organisation(ada)
    async with await Desk.open(world) as desk:

        async def found():
            return [hit["where"] for hit in (await desk.ask("find old wall"))["hits"] if hit["kind"] == "tour"]

        await eventually(found, "it is offered")
        assert [one["tour"] for one in (await desk.ask("person ada"))["left"]["tours"]] == [tour]
        await desk.ask(f"tour-withdraw {tour} Floods")
        assert await found() == ["draft"]


# MARK: - What was done


async def test_the_audit_log_is_filtered_and_read_page_by_page(start):
    server = start(listen__connectionsPerAddress=0)
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve")
    account = ada.welcome["account"]
    began = int(time.time() * 1_000) - 60_000
    async with await Desk.open(server) as desk:
        for number in range(5):
            await desk.ask(f"ban {account} Number {number}")
        await desk.ask(f"unban {account}")
        await desk.ask(f"sign-out {eve.welcome['account']}")
        await desk.ask("find Eve")

        async def reasons(filters):
            return [entry["reason"] for entry in (await desk.ask(f"audit {filters}"))["audit"]]

        assert await reasons("what=suspend") == [f"Number {number}" for number in (4, 3, 2, 1, 0)]
        assert len(await reasons("what=suspend,reinstate")) == 6
        assert len(await reasons("what=-look_up")) == 7 and len(await reasons("")) == 8
        assert len(await reasons(f"{account} what=-look_up")) == 6
        operator = (await desk.ask("audit"))["audit"][0]["operator"]
        part = operator.split(",")[0].split()[0][1:].swapcase()
        assert part and part not in operator
        assert len(await reasons(f"by={part}")) == 8 and await reasons("by=nobody-at-all") == []
        assert len(await reasons(f"from={began}")) == 8 and await reasons(f"to={began}") == []
        assert len(await reasons("from=2020-01-01 to=2999-12-31")) == 8
        first = await desk.ask("audit what=suspend top=2")
        second = await desk.ask(f"audit what=suspend top=2 before={first['next']}")
        third = await desk.ask(f"audit what=suspend top=2 before={second['next']}")
        pages = [[entry["reason"][-1] for entry in page["audit"]] for page in (first, second, third)]
        assert pages == [["4", "3"], ["2", "1"], ["0"]] and third["next"] is None
        assert "suspend" in first["actions"]
        assert (await desk.refusal("audit what=suspendd"))["nearest"] == "suspend"


# MARK: - Until Friday


async def test_a_suspension_ends_by_itself_and_says_when(start, tmp_path):
    server = start(folder=tmp_path / "world")
    ada = await Client.connect(server, "Ada")
    account, token = ada.welcome["account"], ada.welcome["token"]
    end = int(time.time() * 1_000) + 86_400_000
    # The server's clock follows the machine's.
    about_then = range(end - 60_000, end + 60_000)
    async with await Desk.open(server) as desk:
        await desk.ask(f"ban {account} until={end} Until tomorrow")
        assert (await ada.until_ended())[0] == 4200
        assert (await audit(desk))[0]["reason"].startswith("until 20")
    # It outlives a restart, with its end.
    server.stop()
    server = start(folder=tmp_path / "world")
    async with await Desk.open(server) as desk:
        (one,) = (await desk.ask("bans"))["suspended"]
        assert one["until"] in about_then and one["reason"] == "Until tomorrow"
        assert (await desk.ask(f"person {account}"))["suspended"]["until"] == one["until"]
        try:
            await Client.connect(server, token=token)
            raise AssertionError("she got in")
        except Refused as refusal:
            assert refusal.code == "account_suspended"
            assert int(refusal.details["until"]) in about_then
        for wrong in ("until=yesterday", "until=2020-01-01", "until=0"):
            assert (await desk.refusal(f"ban {account} {wrong}"))["code"] == "bad_argument", wrong
        # An end has to lie ahead when the server reads it: a machine that is slow gets one that is later.
        for milliseconds in (1_000, 4_000, 16_000):
            told = await desk.ask(f"ban {account} until={int(time.time() * 1_000) + milliseconds}")
            if "error" not in told:
                break
        else:
            raise AssertionError(told)

        async def is_in():
            try:
                return (await Client.connect(server, token=token)).welcome["account"] == account
            except Refused:
                return False

        await eventually(is_in, "she gets in again")
        assert (await desk.ask("bans"))["suspended"] == []
        assert (await desk.ask(f"person {account}"))["suspended"] is None


# MARK: - Settings, backups, the disk


async def test_a_reload_says_first_what_it_would_change(start, tmp_path):
    file = tmp_path / "cairn.yaml"
    file.write_text("feedback: {perHour: 7}\n")
    server = start("--config", str(file))
    async with await Desk.open(server) as desk:
        assert await desk.ask("reload check") == {"applied": [], "waiting": []}
        file.write_text("feedback: {perHour: 9}\nbackup: {keep: 3}\n")
        changes = await desk.ask("reload check")
        assert changes == {"applied": ["feedback.perHour: 7 -> 9"], "waiting": ["backup.keep: 28 -> 3"]}
        assert await desk.ask("reload check") == changes, "it changes nothing"
        await desk.ask("reload")

        async def is_read():
            return (await desk.ask("reload check"))["applied"] == []

        await eventually(is_read, "the settings are read")
        file.write_text("feedback: {perHour: many}\n")
        assert "feedback.perHour" in (await desk.refusal("reload check"))["message"]
        assert (await desk.refusal("reload chekc"))["code"] == "bad_argument"


async def test_the_disk_says_what_is_free_and_backups_whether_they_are_on(server):
    async with await Desk.open(server) as desk:

        async def known():
            return (await desk.ask("queues"))["store"]["diskBytes"] > 0

        await eventually(known, "the disk is read")
        store = (await desk.ask("queues"))["store"]
        assert 0 < store["diskFreeBytes"] <= store["diskBytes"] and store["diskFullSeconds"] is None
        backups = (await desk.ask("info"))["backups"]
        assert backups["isOn"] == ("backup" in [one["command"] for one in (await desk.ask("help"))["commands"]])
