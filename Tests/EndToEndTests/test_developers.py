"""Engagement and feedback for the developers of apps (STA-4 to STA-6)."""

import asyncio
import csv
import datetime
import io
import json
import uuid

import pytest

from cairn import Client, Refused, eventually, pose
from operators import Desk
from server import run

TODAY = "%Y-%m-%d"


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime(TODAY)


def feedback(text="It is too loud", category="bug", **more):
    return {"category": category, "text": text, **more}


# MARK: - Engagement


async def counted(desk, wanted):
    """Waits until today's counts are these; they are written every few seconds."""

    async def are_they():
        total = (await desk.ask("engagement 1"))["total"]
        return total if total == wanted else None

    return await eventually(are_they, lambda: f"engagement {wanted}")


async def test_engagement_is_counted_by_day_and_kept_over_a_restart(start, spot):
    server = start()
    ada, bob, guest = (
        await Client.connect(server, "Ada"), await Client.connect(server, "Bob"), await Client.connect(server))
    await ada.stand_at(*spot)
    await bob.stand_at(*spot)
    key = uuid.uuid4().hex
    heart = await ada.place(pose(*spot), key=key)
    assert await ada.place(pose(*spot), key=key) == heart  # the same once more is no second placement
    await ada.place(pose(*spot))
    with pytest.raises(Refused):
        await ada.place(pose(*spot), "preset:nonsense")
    await bob.view(heart["cell"])
    for reaction in ("like", "like", "wow", ""):  # the second says nothing new, the last takes it back
        await bob.react(heart, reaction)
    await bob.ask("sendFeedback", feedback())
    post = await ada.make_post("Counted")
    for vote in (1, 1, -1, 0):  # as with reactions
        await bob.vote(post, vote)
    wanted = {
        "activeUsers": 2, "accounts": 2, "placements": 2, "reactions": 2, "posts": 1, "votes": 2, "feedback": 1,
        "friendships": 0, "realms": 0, "tours": 0, "tours_started": 0, "tours_completed": 0, "tours_abandoned": 0,
        "groups_opened": 0, "groups_followed": 0}
    async with await Desk.open(server) as desk:
        if today() == (await desk.ask("engagement 1"))["to"]:
            await counted(desk, wanted)
    assert await asyncio.to_thread(server.stop) == 0
    again = start()
    await (await Client.connect(again, "Ada")).stand_at(*spot)
    await Client.connect(again, "Cem")
    async with await Desk.open(again) as desk:
        await counted(desk, wanted | {"activeUsers": 3, "accounts": 3})
        answer = await desk.ask("engagement")
        assert len(answer["days"]) == 30 and answer["to"] == today()
        assert answer["days"][-1] == {"day": today(), **answer["total"]}
        assert all(day["placements"] == 0 for day in answer["days"][:-1])
        first, last = answer["days"][3]["day"], answer["days"][5]["day"]
        assert [day["day"] for day in (await desk.ask(f"engagement {first} {last}"))["days"]] == [
            day["day"] for day in answer["days"][3:6]]
        for line in ("engagement 0", "engagement 401", "engagement x", "engagement 2026-02-30 2026-03-01",
                     "engagement 2026-03-02 2026-03-01", "engagement 2024-01-01 2026-01-01", "engagement 1 2 3"):
            assert (await desk.refusal(line))["code"] == "bad_argument", line
    assert guest.welcome["role"] == "guest"


async def test_what_is_counted_survives_an_orderly_stop_at_once(start, spot):
    """A shutdown writes the latest counts at once."""
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    for _ in range(3):
        await ada.place(pose(*spot))
    assert await asyncio.to_thread(server.stop) == 0
    async with await Desk.open(start()) as desk:
        assert (await desk.ask("engagement 1"))["total"]["placements"] == 3


async def test_engagement_is_exported_as_csv_and_json(server, spot):
    await (await Client.connect(server, "Ada")).stand_at(*spot)
    arguments = ["engagement", "--days", "3", "--data", server.folder]
    table = await asyncio.to_thread(run, *arguments)
    assert table.returncode == 0, table
    rows = list(csv.DictReader(io.StringIO(table.stdout)))
    assert [row["day"] for row in rows][2:] == [today(), "total"] and int(rows[2]["activeUsers"]) >= 0
    counts = ("accounts", "friendships", "realms", "placements", "reactions", "posts", "votes", "feedback")
    of_tours = ("tours", "tours_started", "tours_completed", "tours_abandoned")
    assert set(rows[0]) == {"day", "activeUsers", *counts, *of_tours, "groups_opened", "groups_followed"}
    answer = json.loads((await asyncio.to_thread(run, *arguments, "--format", "json")).stdout)
    assert [day["day"] for day in answer["days"]] == [row["day"] for row in rows[:3]]
    assert (await asyncio.to_thread(run, *arguments[:2], "500", *arguments[3:])).returncode == 1
    assert (await asyncio.to_thread(run, "engagement", "--data", f"{server.folder}-none")).returncode == 2


# MARK: - Feedback


async def test_feedback_is_listed_filtered_and_handled(start):
    server = start()
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    said = feedback(
        "Das Herz schwebt ✓\n\x1b[31mzweite Zeile", rating=4, appVersion="2.1.0", intuitive=5, satisfying=3,
        undistracting=1)
    first = (await ada.ask("sendFeedback", said))["feedback"]
    second = (await bob.ask("sendFeedback", feedback("Lovely", "praise")))["feedback"]
    async with await Desk.open(server) as desk:
        answer = await desk.ask("feedback")
        assert answer["open"] == 2 and [one["id"] for one in answer["feedback"]] == [second, first]
        told = answer["feedback"][1]
        assert {name: told[name] for name in said} == said and told["handledAt"] is None
        assert answer["feedback"][0]["rating"] is None and answer["feedback"][0]["appVersion"] == ""
        schema = (await desk.ask("schema"))["feedback"]
        assert set(told) == set(schema)
        assert "Ada" not in json.dumps(answer) and ada.welcome["account"] not in json.dumps(answer)

        async def ids(line):
            return [one["id"] for one in (await desk.ask(line))["feedback"]]

        assert await ids("feedback category=praise") == [second]
        assert await ids("feedback rating=4") == [first] and await ids("feedback rating=5") == []
        assert await ids("feedback top=1") == [second] and await ids(f"feedback before={second}") == [first]
        assert await desk.ask(f"handle {first}") == {"id": first, "handled": True}
        assert await ids("feedback") == [second] and await ids("feedback handled") == [first]
        at = (await desk.ask("feedback handled"))["feedback"][0]["handledAt"]
        await desk.ask(f"handle {first}")
        assert (await desk.ask("feedback handled"))["feedback"][0]["handledAt"] == at > 0
        assert await ids("feedback all") == [second, first]
        assert await desk.ask(f"handle {first} open") == {"id": first, "handled": False}
        assert await ids("feedback") == [second, first]
        assert (await desk.refusal("handle 0000000000000"))["code"] == "not_found"
        for line in ("handle", "handle x", f"handle {first} shut", "feedback rating=6", "feedback opne"):
            assert (await desk.refusal(line))["code"] == "bad_argument", line
    assert await asyncio.to_thread(server.stop) == 0
    async with await Desk.open(start()) as desk:
        assert (await desk.ask("feedback"))["open"] == 2
    # Users' texts are sealed, and are in no log (DAT-7, CMP-4).
    for path in (server.folder / "cairn.sqlite", server.folder / "cairn.sqlite-wal", server.log_file):
        if path.exists():
            content = path.read_bytes()
            assert b"schwebt" not in content and b"Lovely" not in content and b"2.1.0" not in content, path


async def test_feedback_that_says_nothing_or_too_much_is_refused(start):
    server = start(feedback__charactersMax=20)
    ada, guest = await Client.connect(server, "Ada"), await Client.connect(server)
    assert ada.welcome["limits"]["feedbackCharacters"] == 20
    assert ada.welcome["limits"]["feedbackCategories"] == ["bug", "idea", "praise", "other"]
    for body, code in (
        (feedback(""), "text_empty"), (feedback(" \n\t"), "text_empty"), (feedback("x" * 21), "text_too_long"),
        (feedback(category="rant"), "invalid_field"), (feedback(category=""), "invalid_field"),
        (feedback("Well", rating=0), "invalid_field"), (feedback("Well", rating=6), "invalid_field"),
        (feedback("Well", intuitive=9), "invalid_field"), (feedback("Well", appVersion="x" * 65), "invalid_field"),
    ):
        with pytest.raises(Refused) as refusal:
            await ada.ask("sendFeedback", body)
        assert refusal.value.code == code, body
    with pytest.raises(Refused) as refusal:
        await ada.ask("sendFeedback", feedback("Well"), key="")
    assert refusal.value.code == "missing_field"
    with pytest.raises(Refused) as refusal:
        await guest.ask("sendFeedback", feedback("Well"))
    assert refusal.value.code == "not_signed_in"
    assert (await ada.ask("sendFeedback", feedback("é" * 20)))["feedback"]


async def test_feedback_is_rated_by_the_hour_over_devices_and_restarts_and_kept_once_a_key(start):
    server = start(feedback__perHour=3)
    ada, tablet = await Client.connect(server, "Ada"), await Client.connect(server, "Ada", called="tablet")
    first = await ada.ask("sendFeedback", feedback(), key="same")
    assert await tablet.ask("sendFeedback", feedback(), key="same") == first
    answers = await asyncio.gather(
        *(client.ask("sendFeedback", feedback(f"{n}")) for n, client in enumerate((ada, tablet) * 3)),
        return_exceptions=True)
    assert sum(isinstance(answer, dict) for answer in answers) == 2
    assert {answer.code for answer in answers if isinstance(answer, Refused)} == {"rate_limited"}
    await asyncio.to_thread(server.kill)
    again = start(feedback__perHour=3)
    with pytest.raises(Refused) as refusal:
        await (await Client.connect(again, "Ada")).ask("sendFeedback", feedback())
    assert refusal.value.code == "rate_limited" and 0 < refusal.value.retry_after <= 3_600_000
    await (await Client.connect(again, "Bob")).ask("sendFeedback", feedback())
    async with await Desk.open(again) as desk:
        assert (await desk.ask("feedback"))["open"] == 4


async def test_feedback_is_the_admins_and_engagement_everybodys(start, tmp_path):
    path = tmp_path / "read.sock"
    server = start(stats__readSocketPath=path)
    async with await Desk.open(server, path) as desk:
        assert "total" in await desk.ask("engagement")
        for line in ("feedback", "handle 0000000000000"):
            assert (await desk.refusal(line))["code"] == "forbidden"
