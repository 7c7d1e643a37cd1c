"""What operators are told of the server's state: in one line, by alarms until they are seen, by reasons in words."""

import json
import shutil

import pytest

from cairn import Client, Refused, away, eventually, pose
from operators import Desk, fetch
from test_top import Screen, command


@pytest.fixture
def broken(start, tmp_path):
    """A server whose backup failed, and a function that lets it succeed."""

    async def make():
        server = start(folder=tmp_path / "world", backup__directory=tmp_path / "backups", backup__hours=0)
        shutil.rmtree(tmp_path / "backups", ignore_errors=True)
        (tmp_path / "backups").write_text("no folder")
        async with await Desk.open(server) as desk:
            assert "error" in await desk.ask("backup")

        async def mend():
            (tmp_path / "backups").unlink()
            (tmp_path / "backups").mkdir()
            async with await Desk.open(server) as desk:
                assert "done" in await desk.ask("backup")

        return server, mend

    return make


async def until(desk, line, condition, what):
    """Asks a command until its answer meets the condition; returns the answer."""
    answer = None

    async def is_it():
        nonlocal answer
        answer = await desk.ask(line)
        return condition(answer)

    await eventually(is_it, lambda: f"{what}; the last answer: {answer}")
    return answer


def figures(answer):
    return [one["figure"] for one in answer["alarms"]]


# MARK: - Health and alarms


async def test_a_sound_server_says_so_in_one_line_everywhere(server):
    async with await Desk.open(server) as desk:
        health = await desk.ask("health")
        totals = (await desk.ask("totals"))["totals"]
        ready = await desk.ask("check")
    for told in (health, totals, ready):
        # A busy machine may have an alarm of its loops.
        grave = {alarm["severity"] for alarm in told["alarms"]}
        assert told["health"]["state"] == ("trouble" if "bad" in grave else "watch" if grave else "healthy")
        assert not {"store", "queues"} & {alarm["section"] for alarm in told["alarms"]}
        assert told["health"]["line"].startswith(told["health"]["state"].capitalize())
    assert command(server, "top", "--once").stdout.split("\n")[1].startswith(("HEALTHY", "WATCH", "TROUBLE"))


async def test_what_is_wrong_is_said_alike_with_what_to_do(broken):
    server, _ = await broken()
    async with await Desk.open(server) as desk:
        health = await until(desk, "health", lambda said: "backupFailing" in figures(said), "the alarm is raised")
        assert health["health"]["state"] == "trouble"
        assert health["health"]["line"].startswith("Trouble: The last backup failed")
        alarm = next(one for one in health["alarms"] if one["figure"] == "backupFailing")
        assert (alarm["severity"], alarm["section"], alarm["amount"]) == ("bad", "store", None)
        assert "backup.directory" in alarm["remedy"]
        for name in ("totals", "check"):
            told = await desk.ask(name)
            assert "backupFailing" in figures(told.get("totals", told))
    words = f"{alarm['text']}: {alarm['remedy']}"
    once = command(server, "top", "--once").stdout
    assert "TROUBLE" in once and words in once
    ready = command(server, "check")
    assert ready.returncode == 0 and f"  bad  {words}\n" in ready.stdout
    said = json.loads(command(server, "check", "--format", "json").stdout)
    assert said["health"] == "trouble" and words in said["alarms"]
    assert words in command(server, "check", "--format", "nagios").stdout


async def test_an_alarm_that_came_and_went_stays_until_it_is_seen(broken):
    server, mend = await broken()
    async with await Desk.open(server) as desk:
        await until(desk, "health", lambda said: "backupFailing" in figures(said), "the alarm is raised")
        await mend()
        await until(desk, "health", lambda said: "backupFailing" not in figures(said), "the alarm is over")

        def kept(answer):
            return next(one for one in answer["alarms"] if one["figure"] == "backupFailing")

        one = kept(await desk.ask("alarms"))
        assert one["began"] <= one["ended"] and one["seenBy"] is None and one["times"] == 1
        assert one["text"] == "The last backup failed" and one["remedy"]
        before = (await desk.ask("health"))["health"]["unseen"]
        assert before >= 1
        page = Screen(server, 40, 120)
        page.until(r"earlier: press !")
        page.press("!")
        page.until(rf"(?s)The last backup failed: began .* ago, over after .*cairn stats seen {one['alarm']}")
        page.press("q")
        assert page.wait() == 0
        assert (await desk.refusal("seen 999"))["code"] == "not_found"
        assert (await desk.refusal("seen x"))["code"] == "bad_argument"
        assert (await desk.ask(f"seen {one['alarm']}")) == {"seen": 1, "unseen": before - 1}
        assert kept(await desk.ask("alarms"))["seenBy"]
    server.logged("an alarm is raised")


async def test_who_may_only_look_marks_nothing_as_seen(start, tmp_path):
    path = tmp_path / "look.sock"
    server = start(stats__readSocketPath=path)
    async with await Desk.open(server, path=path) as desk:
        assert all(alarm["seenBy"] is None for alarm in (await desk.ask("alarms"))["alarms"])
        assert (await desk.refusal("seen all"))["code"] == "forbidden"


# MARK: - Reasons


def far(answer):
    """How often somebody was refused because of the distance."""
    return sum(one["count"] for one in answer["reasons"] if one["reason"] == "too_far")


async def test_every_counted_reason_says_what_it_means_and_what_to_do(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    with pytest.raises(Refused):
        await ada.place(pose(*away(*spot, east=5_000)))
    assert fetch(server, "/v1/operator")[0] == 403
    async with await Desk.open(server) as desk:
        said = await until(desk, "refusals", far, "it is counted")
        words = (await desk.ask("schema"))["explanations"]
    reasons = {(one["group"], one["reason"]): one for one in said["reasons"]}
    one = reasons["refusals", "too_far"]
    assert (one["count"], one["lately"], one["outcome"]) == (said["refusals"]["too_far"], 1, "refused")
    assert ("operators", "credential") in reasons
    for (group, reason), one in reasons.items():
        assert one["meaning"] and one["remedy"]
        assert words[group][reason] == {"meaning": one["meaning"], "remedy": one["remedy"]}
    counted = {(group, reason) for group, counts in said.items() if isinstance(counts, dict)
               for reason, count in counts.items() if count > 0}
    assert counted == set(reasons)


async def test_reasons_of_a_time_are_those_that_were_counted_in_it(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    async with await Desk.open(server) as desk:
        assert far(await desk.ask("refusals 1440")) == 0
        for _ in range(3):
            with pytest.raises(Refused):
                await ada.place(pose(*away(*spot, east=5_000)))
        for line in ("refusals 1440", "refusals 5"):
            said = await until(desk, line, lambda said: far(said) == 3, "they are counted")
            assert said["from"] <= said["to"] == said["at"]
        for line in ("refusals x", "refusals 5 6", "refusals -1", "refusals 1441", "refusals nan", "refusals 3 2 1"):
            assert (await desk.refusal(line))["code"] == "bad_argument", line


async def test_history_reaches_back_in_seconds_minutes_and_five_minutes(server):
    async with await Desk.open(server) as desk:
        for line, steps in (("history", 1), ("history 5min", 1), ("history 1h", 60), ("history 24h", 300)):
            said = await until(desk, line, lambda said: said["people"], "there is a course")
            assert said["stepSeconds"] == steps and 0 <= said["newestSeconds"] <= steps
            length = len(said["people"])
            if steps > 1:
                for part in ("least", "most"):
                    assert len(said[part]["people"]) == length
                pairs = zip(said["least"]["connections"], said["connections"], said["most"]["connections"])
                assert all(low <= mean <= high for low, mean, high in pairs if mean is not None)
        assert (await desk.refusal("history 2h"))["code"] == "bad_argument"


async def test_top_says_what_refusals_mean(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    with pytest.raises(Refused):
        await ada.place(pose(*away(*spot, east=5_000)))
    for rows, columns in ((40, 120), (24, 80)):
        screen = Screen(server, rows, columns)
        screen.until("CELL")
        screen.press("!")
        screen.until(r"LAST MINUTE +SINCE START")
        drawn = screen.until(r"too_far, refused")
        assert "reached for a place" in drawn or "reached for a place" in screen.until("reached for a place")
        screen.press("\x1b")
        screen.until("CELL")
        screen.press("q")
        assert screen.wait() == 0
