"""The server's log: machine-readable lines that clients can neither forge nor flood, and that reveal nothing about
people (CMP-4, ENG-1; pitfalls B33)."""

import asyncio
import collections
import json

import pytest

from cairn import Client, Refused, eventually, pose

SETTINGS = {"logging__level": "trace"}


def lines_of(server):
    return [json.loads(line) for line in server.log().splitlines()]


async def test_every_line_is_one_object_with_time_level_and_message(server):
    ada = await Client.connect(server, "Ada")
    with pytest.raises(Refused):
        await ada.stand_at(95, 0)
    lines = await eventually(lambda: logged(server, code="bad_position"), "the refusal")
    assert {"time", "level", "message", "correlation", "component"} <= set(lines[-1])


async def logged(server, **wanted):
    return [line for line in lines_of(server) if wanted.items() <= line.items()]


async def test_nobody_is_in_the_log_by_name_token_text_or_place(server, spot):
    name = "Zebedee.Quux"
    somebody = await Client.connect(server, name, sharePosition=True)
    await somebody.stand_at(*spot, 1234.5678)
    thing = await somebody.place(pose(*spot, 1234.5678))
    with pytest.raises(Refused):
        await somebody.place(pose(*spot, scale=0.0001))
    with pytest.raises(Refused):
        await somebody.react(thing, "no-such-reaction")
    with pytest.raises(Refused):
        await Client.connect(server, "x\r\n{\"level\":\"critical\"}\x1b[31m")
    await somebody.ask("signOut")
    await eventually(lambda: logged(server, code="unknown_reaction"), "the refusals")
    log = server.log()
    secrets = [name, somebody.welcome["token"], somebody.welcome["account"], "1234.56", "no-such-reaction"]
    secrets += [str(spot[0])[:9], str(spot[1])[:9]]
    assert not [secret for secret in secrets if secret in log]
    assert not [line for line in lines_of(server) if line["level"] == "critical"]
    assert "\x1b" not in log and "\r" not in log


async def test_services_are_logged_by_their_names_and_not_by_the_settings_in_them(start):
    secret = "kept-between-us-" + "x" * 27
    server = start(logging__level="debug", stats__credential=secret)
    assert await asyncio.to_thread(server.stop) == 0
    named = {line["sl-service"] for line in lines_of(server) if line["message"] == "Starting service"}
    assert named == {"signals", "expiry", "backups", "mails", "deletions", "charges", "memory", "serving", "reloads"}
    assert secret not in server.log()


async def test_a_refusal_is_in_the_log_at_its_usual_level_by_its_correlation(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    with pytest.raises(Refused) as refused:
        await ada.stand_at(95, 0)
    assert refused.value.correlation
    await eventually(lambda: logged(server, correlation=refused.value.correlation), "the refusal")


async def test_a_flood_of_refusals_writes_a_hundred_lines_a_second(server):
    flood = await Client.connect(server, "Flood")
    for _ in range(400):
        await flood.post("position", {"lat": 95, "lon": 0})
    held = await eventually(lambda: logged(server, message="more lines than 100 a second were held back"), "its line")
    assert int(held[-1]["heldBack"]) > 0 and held[-1]["level"] == "warning"
    by_second = collections.Counter(line["time"][:19] for line in lines_of(server))
    assert max(by_second.values()) <= 100
