"""The export of everything that is held on a person, as one JSON file with their assets (CMP-2)."""

import base64
import json
import time

import pytest

from accounts import MANY, PASSWORD, Mailbox, guest, sign_in, sign_up
from cairn import Client, away, pose
from pictures import fetch, png, show, upload
from test_friends import befriend, of
from test_live_space import refused
from test_settings import settings
from test_shared import create

PLAIN = {"accounts__open": "false", "accounts__privacy": "everyone", **MANY}


@pytest.fixture
def world(start, tmp_path):
    return start(**PLAIN, **Mailbox(tmp_path / "mail").settings)


def download(server, address, **headers):
    """Status and the file."""
    status, _, body = fetch(server, address["path"], **headers)
    return status, json.loads(body) if status == 200 else None


async def export(server, client, proof=None):
    status, found = download(server, await client.ask("exportAccount", proof or {"password": PASSWORD}))
    assert status == 200
    return found


async def test_the_file_has_all_that_was_given_and_nothing_of_others(world, spot):
    bob, eve = await sign_up(world, "bob"), await sign_up(world, "eve")
    ada = await sign_up(world, "ada", deviceName="Ada's glasses")
    await bob.stand_at(*spot)
    tree = await bob.place(pose(*spot), text="bob's secret tree")
    await ada.stand_at(*spot)
    heart = await ada.place(pose(*away(*spot, north=2)), text="a line \"in\" quotes \u2028 हाय")
    post = await ada.make_post("ada was here")
    await ada.react(tree, "love")
    await befriend(ada, bob)
    await eve.ask("block", of(ada))
    garden = await create(ada, bob, name="Garden", description="Ours")
    await ada.ask("saveSettings", settings(accessibility__language="fr"))
    await ada.ask("sendFeedback", {"category": "idea", "text": "more hearts"}, key="feedback")
    await ada.ask("editProfile", {"bio": "Writes programs."})
    pictures = {await show(ada, png(seed=4)), await upload(ada, png(300, 300, seed=5))}

    began = time.time()
    found = await export(world, ada)
    assert found["format"] == "cairn.export.1" and began - 1 < found["made"] / 1000 < time.time() + 1
    held = found["held"]
    account = ada.welcome["account"]
    assert held["accounts"] == [
        {"account": account, "name": "ada", "role": "general", "created": held["accounts"][0]["created"]}
    ]
    assert held["credentials"][0]["email"] == "ada@example.org" and held["credentials"][0]["policyVersion"] == "1"
    assert held["profiles"][0]["bio"] == "Writes programs."
    assert held["tokens"][0]["device"] == "Ada's glasses"
    (thing,) = held["instances"]
    assert (thing["instance"], thing["text"]) == (heart["id"], "a line \"in\" quotes \u2028 हाय")
    assert thing["latitude"] == pytest.approx(away(*spot, north=2)[0], abs=1e-9)
    assert [(one["post"], one["text"]) for one in held["posts"]] == [(post["id"], "ada was here")]
    assert held["reactions"] == [{"instance": tree["id"], "reaction": "love"}]
    (friend,) = held["relations"]
    assert friend["person"] == {"account": bob.welcome["account"], "name": "bob"} and friend["friendsSince"]
    assert [(one["realm"], one["name"], one["owner"]) for one in held["realms"]] == [(garden, "Garden", True)]
    assert held["user_settings"] == [{"settings": {"accessibility.language": "fr"}}]
    assert held["feedback"][0]["text"] == "more hearts"
    assert {one["kind"] for one in held["notifications"]} >= {"friend_accepted"}
    files = {one["asset"]: base64.b64decode(one["base64"]) for one in found["files"]}
    assert set(files) == pictures == {one["asset"] for one in held["assets"]}
    for asset, content in files.items():
        address = await ada.ask("getAsset", {"asset": asset})
        assert fetch(world, address["path"])[2] == content
    # What others wrote and did is not the person's: not even who has blocked them.
    everything = json.dumps(found)
    others = ("bob's secret tree", '"eve"', eve.welcome["account"], "bob@")
    for word in (*others, PASSWORD, "argon2", ada.welcome["token"]):
        assert word not in everything, word


async def test_only_the_person_gets_it_and_only_while_signed_in(world):
    ada = await sign_up(world, "ada")
    await refused("invalid_credentials", ada.ask("exportAccount"))
    await refused("invalid_credentials", ada.ask("exportAccount", {"password": "wrong"}))
    await refused("not_signed_in", (await guest(world)).ask("exportAccount", {"password": PASSWORD}))
    address = await ada.ask("exportAccount", {"password": PASSWORD})
    assert address["contentType"].startswith("application/json") and "length" not in address
    assert download(world, address)[0] == 200
    path = address["path"]
    for other in (path[:-1] + ("A" if path[-1] != "A" else "B"), path[:-4]):
        assert fetch(world, other)[0] == 404
    await ada.ask("signOut")
    assert download(world, address)[0] == 404
    ada = await sign_in(world, "ada")
    address = await ada.ask("exportAccount", {"password": PASSWORD})
    await ada.ask("deleteAccount", {"password": PASSWORD})
    assert download(world, address)[0] == 404


async def test_it_is_asked_for_a_few_times_an_hour(start):
    server = start(accounts__exportsPerHour=2)
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    for _ in range(2):
        assert (await export(server, ada, {}))["held"]["accounts"][0]["name"] == "Ada"
    refusal = await refused("rate_limited", ada.ask("exportAccount"))
    assert refusal.retry_after > 60_000
    assert (await export(server, bob, {}))["held"]["accounts"][0]["name"] == "Bob"


async def test_many_rows_and_large_pictures_come_whole(start, spot):
    server = start(
        placement__perMinute=1000, placement__perDay=1000, placement__areaQuota=1000, accounts__privacy="everyone",
        connections__messagesPerSecond=1000, connections__messagesBurst=1000,
        connections__bytesPerSecond=10_000_000, connections__bytesBurst=20_000_000,
    )  # fmt: skip
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    await ada.stand_at(*spot)
    await befriend(bob, ada)
    ids = {(await ada.place(pose(*spot)))["id"] for _ in range(130)}
    sizes = [png(seed=1), png(200, 200, seed=2), png(260, 260, seed=3)]
    for data in sizes:
        await upload(ada, data)
    found = await export(server, ada, {})
    assert {one["instance"] for one in found["held"]["instances"]} == ids
    assert len(found["held"]["relations"]) == 1 and len(found["files"]) == 3
    packed = fetch(server, (await ada.ask("exportAccount"))["path"], Accept_Encoding="gzip")
    assert packed[0] == 200 and packed[1]["content-encoding"] == "gzip" and packed[2][:2] == b"\x1f\x8b"


async def test_the_file_tells_of_no_block_by_others(world):
    ada, bob, dan = await sign_up(world, "ada"), await sign_up(world, "bob"), await sign_up(world, "dan")
    await dan.ask("requestFriend", of(bob))
    garden = await create(dan, name="Garden")
    await dan.ask("invite", {"realm": garden, **of(bob)})
    held = (await export(world, bob))["held"]
    assert held["relations"] and held["notifications"] and held["realm_candidates"]
    await ada.ask("block", of(bob))
    await ada.ask("unblock", of(bob))
    await dan.ask("block", of(bob))
    held = (await export(world, bob))["held"]
    assert [held[table] for table in ("relations", "notifications", "realm_candidates")] == [[], [], []]
    # The end of the block brings back what was said, but no friend request and no invitation.
    await dan.ask("unblock", of(bob))
    held = (await export(world, bob))["held"]
    assert {one["kind"] for one in held["notifications"]} == {"friend_request", "realm_invitation"}
    assert held["relations"] == [] and held["realm_candidates"] == []
