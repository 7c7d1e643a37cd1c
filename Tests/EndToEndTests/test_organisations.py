"""Organisations: requests, admins' decisions, members and suspension (ORG-1 to ORG-3, ROL-3).

Over real sockets, with the requests of clients and of `cairn admin organisation`.
"""

import asyncio
import json

import pytest

from accounts import MANY, PASSWORD, guest, sign_up
from backend import Backend
from cairn import Client, Refused, pose
from operators import Desk
from server import get
from test_live_space import refused
from test_notifications import notified
from test_roles import admin, audit

MUSEUM = {"name": "Museum of the Old Town", "justification": "We show the walls as they stood in 1640."}

#: What admins alone send, with bodies that are sound.
OF_ADMINS = {
    "listOrganisations": {}, "listOrganisationRequests": {},
    "getOrganisationRequest": {"request": "8j19dkjhda4gd"}, "acceptOrganisation": {"request": "8j19dkjhda4gd"},
    "denyOrganisation": {"request": "8j19dkjhda4gd", "reason": "x"},
    "suspendOrganisation": {"organisation": "8j19dkjhda4gd", "reason": "x"},
    "reinstateOrganisation": {"organisation": "8j19dkjhda4gd", "reason": "x"},
}  # fmt: skip


@pytest.fixture
def world(start):
    """A server without open sign-in."""
    return start(accounts__open="false", accounts__privacy="everyone", listen__loops=2, **MANY)


async def ask(client, **more):
    await client.ask("requestOrganisation", {**MUSEUM, **more})


async def open_requests(root):
    return (await root.ask("listOrganisationRequests")).get("requests", [])


async def accepted(root, *clients, **more):
    """Members of one organisation, accepted by an admin; its id."""
    for client in clients:
        await ask(client, **more)
        await root.ask("acceptOrganisation", {"request": (await open_requests(root))[0]["id"]})
    return (await clients[0].ask("getOrganisation"))["organisation"]["id"]


def standings(client):
    return [item["standing"] for item in client.items if "standing" in item]


def kinds(client):
    return [one["kind"] for one in notified(client)]


# MARK: - Asking (ORG-1)


async def test_a_request_needs_a_name_and_a_justification_and_one_is_open_at_a_time(world):
    """ORG-1: `missing_field`, `request_pending`."""
    eve = await sign_up(world, "eve")
    for body, code, field in [
        ({"name": ""}, "missing_field", "name"), ({"name": " \t "}, "missing_field", "name"),
        ({"justification": ""}, "missing_field", "justification"),
        ({"justification": " \n"}, "missing_field", "justification"),
        ({"name": "x" * 101}, "invalid_field", "name"), ({"name": "a\u202eb"}, "invalid_field", "name"),
        ({"name": "..."}, "invalid_field", "name"), ({"justification": "x" * 2001}, "invalid_field", "justification"),
    ]:  # fmt: skip
        refusal = await refused(code, ask(eve, **body))
        assert refusal.details == {"field": field}, body
    await refused("request_not_found", eve.ask("withdrawOrganisationRequest"))
    await ask(eve)
    await refused("request_pending", ask(eve))
    own = await eve.ask("getOrganisation")
    assert "organisation" not in own and "members" not in own
    assert own["request"]["state"] == "open" and own["request"]["name"] == MUSEUM["name"]
    await eve.ask("withdrawOrganisationRequest")
    assert (await eve.ask("getOrganisation"))["request"]["state"] == "withdrawn"
    await ask(eve)


async def test_other_roles_and_guests_may_not_ask(world):
    """ORG-1: `forbidden` for other roles."""
    async with await Desk.open(world) as desk:
        root, eve, stranger = await admin(world, desk), await sign_up(world, "eve"), await guest(world)
        await accepted(root, eve)
        for client in (root, eve):
            refusal = await refused("forbidden", ask(client))
            assert refusal.details == {"role": "general"}
        for kind in ("requestOrganisation", "withdrawOrganisationRequest", "getOrganisation", "leaveOrganisation"):
            await refused("not_signed_in", stranger.ask(kind))


async def test_the_backend_decides_about_accounts_of_its_own(start, tmp_path):
    """ORG-1, ACC-12: `forbidden`."""
    backend = Backend(tmp_path)
    server = start(**backend.settings)
    ada = await Client.connect(server, token=backend.token("u-1", "Ada"))
    refusal = await refused("forbidden", ask(ada))
    assert refusal.details == {"reason": "app_account"}


async def test_requests_of_a_person_are_limited_in_an_hour(start):
    """ORG-1: `rate_limited`, with the time to wait."""
    server = start(accounts__open="false", accounts__organisationRequestsPerHour=2, **MANY)
    eve = await sign_up(server, "eve")
    for _ in range(2):
        await ask(eve)
        await eve.ask("withdrawOrganisationRequest")
    refusal = await refused("rate_limited", ask(eve))
    assert refusal.retry_after > 3_000_000


# MARK: - Deciding (ORG-2, ORG-3)


async def test_admins_list_open_and_accept_requests_and_live_connections_change_role_at_once(world, spot):
    """ORG-2: list, details, acceptance, the notification, and every connection's role."""
    async with await Desk.open(world) as desk:
        root, eve = await admin(world, desk), await sign_up(world, "eve")
        second = await Client.connect(world, token=eve.welcome["token"])
        await eve.stand_at(*spot)
        await ask(eve)
        (request,) = await open_requests(root)
        assert (request["account"], request["accountName"]) == (eve.welcome["account"], "eve")
        assert request["name"] == MUSEUM["name"] and request["state"] == "open"
        assert "justification" not in request and "known" not in request
        details = await root.ask("getOrganisationRequest", {"request": request["id"]})
        assert details == {**request, "justification": MUSEUM["justification"]}

        await root.ask("acceptOrganisation", {"request": request["id"], "reason": "Checked by telephone"})
        own = await eve.ask("getOrganisation")
        for client in (eve, second):
            # It was sent before the decision was acknowledged, so it is here before the next answer.
            await client.ask("getProfile")
            assert standings(client) == [{"role": "organisation", "organisation": own["organisation"]}]
            await client.until(lambda client=client: "organisation_accepted" in kinds(client), "the notification")
        assert [one["name"] for one in own["members"]] == ["eve"] and own["request"]["state"] == "accepted"
        assert await open_requests(root) == []
        assert (await desk.ask("accounts role=organisation"))["count"] == 1
        await eve.place(pose(*spot))

        late = await Client.connect(world, token=eve.welcome["token"])
        assert late.welcome["role"] == "organisation" and late.welcome["organisation"] == own["organisation"]
        (entry,) = await audit(desk, "eve")
        assert entry == {
            "admin": root.welcome["account"], "account": eve.welcome["account"], "what": "organisation_accept",
            "organisation": own["organisation"]["id"], "from": "general", "to": "organisation",
            "reason": "Checked by telephone",
        }  # fmt: skip


async def test_a_denial_needs_a_reason_which_the_person_is_told(world):
    """ORG-3: `missing_field`, the notification, and a new request."""
    async with await Desk.open(world) as desk:
        root, eve = await admin(world, desk), await sign_up(world, "eve")
        await ask(eve)
        request = {"request": (await open_requests(root))[0]["id"]}
        for reason in ("", "  "):
            refusal = await refused("missing_field", root.ask("denyOrganisation", {**request, "reason": reason}))
            assert refusal.details == {"field": "reason"}
        await refused("invalid_field", root.ask("denyOrganisation", {**request, "reason": "x" * 501}))
        reason = "Nobody there knows you. " + "x" * 400
        await root.ask("denyOrganisation", {**request, "reason": reason})
        await eve.until(lambda: kinds(eve) == ["organisation_denied"], "the notification")
        assert notified(eve)[0]["label"] == reason[:256]
        kept = (await eve.ask("getOrganisation"))["request"]
        assert (kept["state"], kept["reason"]) == ("denied", reason) and "justification" not in kept
        assert await open_requests(root) == [] and standings(eve) == []
        await ask(eve)


async def test_two_admins_who_decide_at_once_decide_once(world):
    """ORG-2: `already_resolved`."""
    async with await Desk.open(world) as desk:
        root, second = await admin(world, desk), await admin(world, desk, "second")

        async def decided(deciding):
            try:
                await deciding
                return True
            except Refused as refusal:
                assert refusal.code == "already_resolved"
                return False

        for number in range(8):
            eve = await sign_up(world, f"eve{number}")
            await ask(eve)
            request = {"request": (await open_requests(root))[0]["id"]}
            outcomes = await asyncio.gather(
                decided(root.ask("acceptOrganisation", request)),
                decided(second.ask("denyOrganisation", {**request, "reason": "no"})))
            assert sorted(outcomes) == [False, True]
            assert len(await audit(desk, f"eve{number}")) == 1
            role = (await Client.connect(world, token=eve.welcome["token"])).welcome["role"]
            assert role == ("organisation" if outcomes[0] else "general")
        await refused("already_resolved", root.ask("acceptOrganisation", request))


async def test_what_an_admin_asks_wrongly_is_refused(world):
    """ORG-2: `not_found`, `missing_field`, `invalid_field`."""
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
        nobody = root.welcome["account"]
        entries = await audit(desk)
        for kind, body, code in [
            ("getOrganisationRequest", {}, "missing_field"),
            ("getOrganisationRequest", {"request": nobody}, "not_found"),
            ("acceptOrganisation", {}, "missing_field"), ("acceptOrganisation", {"request": "x"}, "not_found"),
            ("acceptOrganisation", {"request": nobody, "reason": "x" * 501}, "invalid_field"),
            ("denyOrganisation", {"request": nobody, "reason": "x"}, "not_found"),
            ("suspendOrganisation", {"reason": "x"}, "missing_field"),
            ("suspendOrganisation", {"organisation": nobody}, "missing_field"),
            ("suspendOrganisation", {"organisation": nobody, "reason": "x"}, "not_found"),
            ("reinstateOrganisation", {"organisation": nobody, "reason": "x"}, "not_found"),
            ("listOrganisations", {"after": "x"}, "invalid_field"),
            ("listOrganisationRequests", {"after": "x"}, "invalid_field"),
            ("setRole", {"account": "root", "role": "organisation", "reason": "x"}, "missing_field"),
            ("setRole", {"account": "root", "role": "admin", "organisation": "A", "reason": "x"}, "invalid_field"),
        ]:  # fmt: skip
            await refused(code, root.ask(kind, body))
        assert await audit(desk) == entries


async def test_nobody_but_admins_decides_and_strangers_learn_nothing(world):
    """ORG-2, ROL-4: `forbidden`, the same whether there is such a request or not."""
    async with await Desk.open(world) as desk:
        root, eve, bob = await admin(world, desk), await sign_up(world, "eve"), await sign_up(world, "bob")
        organisation = await accepted(root, bob)
        await ask(eve)
        request = (await open_requests(root))[0]["id"]
        real = {"request": request, "organisation": organisation, "reason": "x"}
        for client, code in ((eve, "forbidden"), (bob, "forbidden"), (await guest(world), "not_signed_in")):
            for kind, body in OF_ADMINS.items():
                told = [await refused(code, client.ask(kind, {**body, **more})) for more in ({}, {
                    name: value for name, value in real.items() if name in body
                })]  # fmt: skip
                assert [one.details for one in told] == [{"role": "admin"} if code == "forbidden" else {}] * 2
        assert (await refused("not_member", eve.ask("removeOrganisationMember", {
            "account": bob.welcome["account"]
        }))).message == (await refused("not_member", eve.ask("removeOrganisationMember", {
            "account": "0000000000000"
        }))).message  # fmt: skip
        assert "organisation" not in json.dumps(await eve.ask("readProfile", {"account": bob.welcome["account"]}))


# MARK: - Whoever changes meanwhile


async def test_a_person_who_deletes_the_account_takes_the_request_along(world):
    """ORG-2: `not_found`; CMP-3."""
    async with await Desk.open(world) as desk:
        root, eve = await admin(world, desk), await sign_up(world, "eve")
        await ask(eve)
        request = {"request": (await open_requests(root))[0]["id"]}
        await eve.ask("deleteAccount", {"password": PASSWORD})
        assert await open_requests(root) == []
        await refused("not_found", root.ask("acceptOrganisation", request))
        assert (await desk.ask("organisations"))["organisations"] == []


async def test_a_deleted_member_leaves_the_organisation(world):
    """ROL-3, CMP-3."""
    async with await Desk.open(world) as desk:
        root, eve, bob = await admin(world, desk), await sign_up(world, "eve"), await sign_up(world, "bob")
        await accepted(root, eve, bob)
        await eve.ask("deleteAccount", {"password": PASSWORD})
        assert [one["name"] for one in (await bob.ask("getOrganisation"))["members"]] == ["bob"]


async def test_the_request_of_a_person_who_becomes_an_admin_is_void(world):
    """ORG-2: `already_resolved`."""
    async with await Desk.open(world) as desk:
        root, eve = await admin(world, desk), await sign_up(world, "eve")
        await ask(eve)
        request = {"request": (await open_requests(root))[0]["id"]}
        await desk.ask("role eve admin")
        await refused("already_resolved", root.ask("acceptOrganisation", request))
        assert (await eve.ask("getOrganisation"))["request"]["state"] == "withdrawn"
        assert (await desk.ask("accounts role=admin"))["count"] == 2


# MARK: - One organisation (ROL-3)


async def test_several_users_belong_to_one_organisation_and_look_alikes_are_shown_to_the_admin(world):
    """ROL-3, ORG-2: `forbidden` with `looks_alike`; names are compared like those of people."""
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
        people = [await sign_up(world, name) for name in ("ada", "bob", "cid")]
        organisation = await accepted(root, people[0])
        await ask(people[1], name="  MUSEUM of the   old town ")
        (request,) = await open_requests(root)
        assert request["known"]["id"] == organisation and request["known"]["members"] == 1
        await root.ask("acceptOrganisation", {"request": request["id"]})
        await ask(people[2], name="Museurn of-the OldTown")
        (request,) = await open_requests(root)
        refusal = await refused("forbidden", root.ask("acceptOrganisation", {"request": request["id"]}))
        assert refusal.details == {"reason": "looks_alike", "organisation": organisation}
        await root.ask("acceptOrganisation", {"request": request["id"], "organisation": organisation})
        (listed,) = (await root.ask("listOrganisations"))["organisations"]
        assert listed["id"] == organisation and listed["members"] == 3 and listed["name"] == MUSEUM["name"]
        for client in people:
            assert [one["name"] for one in (await client.ask("getOrganisation"))["members"]] == ["ada", "bob", "cid"]


async def test_a_full_organisation_takes_nobody(start):
    """ORG-2: `limit_reached`."""
    server = start(accounts__open="false", accounts__organisationMembersMax=1, **MANY)
    async with await Desk.open(server) as desk:
        root, ada, bob = await admin(server, desk), await sign_up(server, "ada"), await sign_up(server, "bob")
        await accepted(root, ada)
        await ask(bob)
        request = {"request": (await open_requests(root))[0]["id"]}
        refusal = await refused("limit_reached", root.ask("acceptOrganisation", request))
        assert refusal.details == {"limit": "1"} and len(await open_requests(root)) == 1


async def test_a_member_leaves_and_is_a_general_user_at_once(world):
    """ROL-3: `not_member` for an account without an organisation."""
    async with await Desk.open(world) as desk:
        root, ada = await admin(world, desk), await sign_up(world, "ada")
        await refused("not_member", ada.ask("leaveOrganisation"))
        await accepted(root, ada)
        await ada.ask("leaveOrganisation")
        assert standings(ada)[-1] == {"role": "general"}
        await refused("not_member", ada.ask("leaveOrganisation"))
        await ask(ada)
        (request,) = await open_requests(root)
        assert request["known"].get("members", 0) == 0, "the organisation stays, and keeps its name"


async def test_a_member_is_removed_when_two_others_want_it(world):
    """ROL-3: one member alone removes no other."""
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
        ada, bob, cid = people = [await sign_up(world, name) for name in ("ada", "bob", "cid")]
        await accepted(root, *people)
        removal = {"account": cid.welcome["account"]}
        refusal = await refused("missing_field", ada.ask("removeOrganisationMember"))
        assert refusal.details == {"field": "account"}
        for other in (ada, root):
            await refused("not_member", ada.ask("removeOrganisationMember", {"account": other.welcome["account"]}))
        for _ in range(2):
            assert not (await ada.ask("removeOrganisationMember", removal)).get("removed")
        for client in (bob, cid):
            await client.until(lambda client=client: "organisation_removal_asked" in kinds(client), "the notification")
        members = (await bob.ask("getOrganisation"))["members"]
        assert [one.get("removalBy") for one in members] == [None, None, ada.welcome["account"]]
        assert (await bob.ask("removeOrganisationMember", removal))["removed"]
        await cid.until(lambda: "organisation_removed" in kinds(cid), "the notification")
        assert standings(cid)[-1] == {"role": "general"}
        assert (await audit(desk, "cid"))[0]["member"] == bob.welcome["account"]
        await refused("not_member", bob.ask("removeOrganisationMember", removal))


# MARK: - Suspension


async def test_a_suspended_organisation_tells_its_members_and_takes_nobody(world):
    """ORG-2, CMP-8: `forbidden` with `organisation_suspended`; the members are told at once."""
    async with await Desk.open(world) as desk:
        root, ada, bob = await admin(world, desk), await sign_up(world, "ada"), await sign_up(world, "bob")
        organisation = await accepted(root, ada)
        await root.ask("suspendOrganisation", {"organisation": organisation, "reason": "Private gardens"})
        await ada.ask("getProfile")
        told = standings(ada)[-1]["organisation"]
        assert told["suspended"] and told["reason"] == "Private gardens"
        await ada.until(lambda: "organisation_suspended" in kinds(ada), "the notification")
        await ask(bob)
        request = {"request": (await open_requests(root))[0]["id"]}
        refusal = await refused("forbidden", root.ask("acceptOrganisation", request))
        assert refusal.details == {"reason": "organisation_suspended"}
        body = {"organisation": organisation, "reason": "Changed"}
        await root.ask("reinstateOrganisation", body)
        await refused("not_found", root.ask("reinstateOrganisation", body))
        await ada.until(lambda: "organisation_reinstated" in kinds(ada), "the notification")
        await root.ask("acceptOrganisation", request)
        assert [entry["what"] for entry in (await audit(desk))[:3]] == [
            "organisation_accept", "organisation_reinstate", "organisation_suspend"
        ]  # fmt: skip
