"""Organisations: notifications, exports, what files and figures show, and `cairn admin organisation` (ORG-1 to ORG-3).

What clients ask and admins decide is in test_organisations.py.
"""

import json

from accounts import PASSWORD, sign_up
from cairn import Client, eventually
from operators import Desk
from server import get, run
from test_export import export
from test_notifications import acknowledge, notified
from test_organisations import MUSEUM, accepted, ask, kinds, open_requests, standings, world  # noqa: F401
from test_roles import admin
from test_stolen_files import find, forms


# MARK: - Notifications, exports, files, figures


async def test_a_notification_waits_for_who_is_away_and_its_kind_can_be_switched_off(world):
    """ORG-2, NTF-1, NTF-2: once per device, and not of a kind that is off."""
    async with await Desk.open(world) as desk:
        root, eve = await admin(world, desk), await sign_up(world, "eve")
        await ask(eve)
        await eve.close()
        await root.ask("acceptOrganisation", {"request": (await open_requests(root))[0]["id"]})
        back = await Client.connect(world, token=eve.welcome["token"])
        await back.until(lambda: kinds(back) == ["organisation_accepted"], "the notification")
        assert notified(back)[0]["label"] == MUSEUM["name"]
        await acknowledge(back)
        setting = {"key": "notifications.organisation_removed", "value": "off"}
        await back.ask("saveSettings", {"settings": [setting]})
        await desk.ask("organisation-remove eve Moved on")
        again = await Client.connect(world, token=eve.welcome["token"])
        assert again.welcome["role"] == "general" and "organisation" not in again.welcome
        assert [one["kind"] for one in (await again.ask("listNotifications"))["notifications"]] == [
            "organisation_accepted"
        ]  # fmt: skip


async def test_an_export_has_the_membership_and_the_requests(world):
    """CMP-2."""
    async with await Desk.open(world) as desk:
        root, eve = await admin(world, desk), await sign_up(world, "eve")
        organisation = await accepted(root, eve)
        held = (await export(world, eve))["held"]
        assert held["organisations"] == [{"organisation": organisation, "name": MUSEUM["name"]}]
        assert held["organisation_members"][0]["organisation"] == organisation
        assert held["organisation_requests"][0]["state"] == "accepted"
        assert (await export(world, root))["held"]["organisations"] == []


async def test_no_file_holds_what_was_asked_and_decided(world):
    """DAT-7: names, justifications and reasons are sealed."""
    async with await Desk.open(world) as desk:
        root, eve = await admin(world, desk), await sign_up(world, "eve")
        organisation = await accepted(root, eve)
        await root.ask("suspendOrganisation", {"organisation": organisation, "reason": "private gardens everywhere"})
        bob = await sign_up(world, "bob")
        await ask(bob, name="Society of the seven poplars", justification="because we planted every poplar")
        secrets = [
            *MUSEUM.values(), "private gardens everywhere", "Society of the seven poplars", "planted every poplar"]
        found, _ = find(world.folder, {text: list(forms(text)) for text in secrets})
        assert found == []


async def test_operators_see_how_many_requests_wait(world):
    """ORG-2."""
    async with await Desk.open(world) as desk:
        root, eve, bob = await admin(world, desk), await sign_up(world, "eve"), await sign_up(world, "bob")
        await accepted(root, eve)
        await ask(bob)

        async def are_counted():
            figures = (await get(f"{world.http}/metrics"))[2]
            return all(
                line in figures
                for line in (
                    "cairn_organisations_requests_open 1\n", "cairn_organisations 1\n",
                    "cairn_organisations_members 1\n",
                    'cairn_organisations_requests_total{outcome="accepted"} 1\n',
                )
            )  # fmt: skip

        await eventually(are_counted, "the figures")
        await bob.ask("deleteAccount", {"password": PASSWORD})
        assert (await desk.ask("organisations"))["open"] == 0


# MARK: - cairn admin organisation


async def test_operators_decide_over_the_stats_socket(world):
    """ORG-2, ORG-3, ROL-3: every code of the commands."""
    async with await Desk.open(world) as desk:
        ada, bob = await sign_up(world, "ada"), await sign_up(world, "bob")
        await ask(ada)
        (request,) = (await desk.ask("organisations"))["requests"]
        assert request["name"] == MUSEUM["name"] and request["justification"] == MUSEUM["justification"]
        assert request["account"] == ada.welcome["account"] and "known" not in request
        done = await desk.ask(f"organisation-accept {request['request']}")
        assert done["account"] == ada.welcome["account"] and done["connections"] == 1
        assert standings(ada) == [] or standings(ada)[-1]["role"] == "organisation"
        await ask(bob)
        (second,) = (await desk.ask("organisations"))["requests"]
        assert second["known"] == done["organisation"]
        assert await desk.ask(f"organisation-deny {second['request']} Nobody knows you") == {
            "account": bob.welcome["account"]
        }  # fmt: skip
        for command, code in [
            ("organisation-accept", "bad_argument"), ("organisation-accept x", "not_found"),
            (f"organisation-accept {request['request']}", "already_resolved"),
            (f"organisation-deny {second['request']}", "bad_argument"),
            (f"organisation-deny {second['request']} no", "already_resolved"),
            (f"organisation-deny {second['request']} {'x' * 501}", "bad_argument"),
            (f"organisation-accept {ada.welcome['account']}", "not_found"),
            ("organisation-add bob", "bad_argument"), ("organisation-add nobody A shop", "not_found"),
            ("organisation-remove bob", "not_member"), ("organisation-suspend", "bad_argument"),
            ("organisation-suspend x", "not_found"), (f"organisation-reinstate {done['organisation']}", "not_found"),
            ("organisations now", "bad_argument"), ("role bob organisation", "bad_argument"),
        ]:  # fmt: skip
            assert (await desk.refusal(command))["code"] == code, command
        assert (await desk.ask("organisation-add bob museum OF the old town"))["organisation"] == done["organisation"]
        assert await desk.ask(f"organisation-suspend {done['organisation']} Private gardens") == {
            "organisation": done["organisation"], "connections": 2
        }  # fmt: skip
        (listed,) = (await desk.ask("organisations"))["organisations"]
        assert listed["suspended"] and listed["reason"] == "Private gardens" and len(listed["members"]) == 2
        await desk.ask(f"organisation-reinstate {done['organisation']}")
        assert (await desk.ask("organisation-remove bob Moved on"))["role"] == "general"
        await bob.until(lambda: "organisation_removed" in kinds(bob), "the notification")


async def test_who_has_read_level_neither_lists_nor_decides(start, tmp_path):
    """ORG-2: `forbidden`."""
    path = tmp_path / "read.sock"
    server = start(stats__readSocketPath=path)
    async with await Desk.open(server, path) as looking:
        for command in ("organisations", "organisation-accept x", "organisation-deny x y", "organisation-add a b"):
            assert (await looking.refusal(command))["code"] == "forbidden"


async def test_cairn_admin_organisation_prints_the_servers_answers(world):
    """ORG-2, ORG-3, ROL-3: list, accept, deny, add, remove, suspend and reinstate."""
    ada, bob = await sign_up(world, "ada"), await sign_up(world, "bob")
    await ask(ada)
    await ask(bob)

    def order(*arguments, ends=0):
        done = run("admin", "organisation", *arguments, "--data", world.folder)
        assert done.returncode == ends, done.stderr
        return json.loads(done.stdout)

    first, second = (one["request"] for one in order("list")["requests"])
    organisation = order("accept", first)["organisation"]
    assert order("accept", first, ends=1)["error"]["code"] == "already_resolved"
    assert order("deny", second, "Nobody", "knows", "you")["account"] == bob.welcome["account"]
    assert order("add", "bob", "The", "Gardens")["connections"] == 1
    assert order("remove", "bob", "Moved", "on")["role"] == "general"
    assert order("suspend", organisation, "Private", "gardens")["connections"] == 1
    assert order("reinstate", organisation)["organisation"] == organisation
    assert [one["name"] for one in order("list")["organisations"]] == [MUSEUM["name"], "The Gardens"]
    for wrong in (["deny", second], ["accept", ""], ["add", "bob"]):
        assert run("admin", "organisation", *wrong, "--data", world.folder).returncode == 64
