"""Notifications and pushes: once per device, over cuts and deaths of the server (NTF-1 to NTF-3).

What causes them is a sign-in from a new device. The long form: CAIRN_KILLS=45 pytest -s test_notifications.py
"""

import asyncio
import itertools
import json
import os
import random
import socket
import sqlite3

import pytest
import websockets

from accounts import MANY, PASSWORD, guest, sign_up
from backend import Backend
from cairn import Client, Ended, eventually
from swarm import pause
from test_adaptors import figure, script
from test_friends import of
from test_live_space import refused
from test_shared import create

KILLS = int(os.environ.get("CAIRN_KILLS", 4))

#: Hashes that cost next to nothing.
CHEAP = {
    "accounts__open": "false", "accounts__passwordKibibytes": 8192, "accounts__passwordPasses": 1,
    "connections__perAccountMax": 1000, **MANY,
}  # fmt: skip

#: Takes every call, writes it to a file, and answers after a while.
RECORDER = """
import select
for line in sys.stdin:
    select.select([], [], [], 0.1)
    with open({log!r}, "a") as file:
        file.write(line)
    print(json.dumps({{"id": json.loads(line)["id"], "done": {{}}}}), flush=True)
"""

addresses = itertools.count(1)


async def elsewhere(server):
    """A connected socket at an address that nobody else has."""
    one, number = socket.socket(), next(addresses)
    one.bind((f"127.2.{number >> 8}.{number & 255}", 0))
    one.setblocking(False)
    await asyncio.get_running_loop().sock_connect(one, (server.host, server.port))
    return one


async def stranger(server):
    """A guest's connection from an address that no account knows."""
    return await guest(server, sock=await elsewhere(server))


async def new_device(server):
    """A connection that signs Ada in from an address that her account does not know: she is notified of it."""
    client = await stranger(server)
    client.welcome = await client.ask("signIn", {"login": "ada", "password": PASSWORD})
    return client


async def back(server, token):
    """A device that comes back."""
    return await Client.connect(server, token=token)


def batches(client):
    return [item["notifications"] for item in client.items if "notifications" in item]


def notified(client):
    return [one for batch in batches(client) for one in batch.get("notifications", [])]


def ids(notifications):
    return [one["id"] for one in notifications]


def unread(client):
    """None = nothing was said of it."""
    return batches(client)[-1].get("unread", 0) if batches(client) else None


async def acknowledge(client):
    marks = [batch["mark"] for batch in batches(client) if "mark" in batch]
    await client.ask("receivedNotifications", {"mark": marks[-1]})


async def listed(client):
    """All notifications that the server keeps, newest first."""
    found, after = [], ""
    while True:
        page = await client.ask("listNotifications", {"count": 100, "after": after})
        found += page.get("notifications", [])
        if not (after := page.get("next", "")):
            return found


async def receive_all(client, count):
    """Acknowledges whatever comes, until there are `count`."""
    done = 0
    while True:
        await client.until(lambda: len(notified(client)) > done or len(notified(client)) >= count, f"{count} of them")
        done = len(notified(client))
        await acknowledge(client)
        if done >= count:
            return notified(client)


async def test_connected_devices_are_notified_at_once_and_others_when_they_are_back(start):
    server = start(**CHEAP)
    phone = await sign_up(server, "ada")
    bob = await sign_up(server, "bob")
    glasses = await new_device(server)
    for device in (phone, glasses):
        await device.until(lambda: len(notified(device)) == 1, "the notification")
        assert notified(device)[0]["kind"] == "new_device" and unread(device) == 1
    assert ids(notified(phone)) == ids(notified(glasses))
    # The phone is cut before it acknowledges; its next connection gets both, once it has acknowledged none.
    token = phone.welcome["token"]
    await phone.drop()
    await (await new_device(server)).close()
    phone = await back(server, token)
    await phone.until(lambda: len(notified(phone)) == 2, "both")
    assert ids(notified(phone))[:1] == ids(notified(glasses))[:1]
    await acknowledge(phone)
    await phone.drop()
    phone = await back(server, token)
    await phone.until(lambda: unread(phone) == 2, "the number of unread ones")
    assert notified(phone) == []
    # What one device reads is read on all.
    await glasses.ask("markRead", {"ids": ids(notified(glasses))[:1]})
    for device in (phone, glasses):
        await device.until(lambda: unread(device) == 1, "one unread")
    assert [one.get("read", False) for one in await listed(phone)] == [False, True]
    await bob.ask("listDevices")
    assert batches(bob) == [] and await listed(bob) == []


async def test_a_device_that_signs_in_again_goes_on_and_a_new_one_gets_all(start):
    server = start(**CHEAP)
    phone = await sign_up(server, "ada")
    key = phone.welcome["deviceKey"]
    await (await new_device(server)).close()
    await phone.until(lambda: notified(phone), "the notification")
    await acknowledge(phone)
    again = await guest(server)
    await again.ask("signIn", {"login": "ada", "password": PASSWORD, "deviceKey": key})
    await again.until(lambda: unread(again) == 1, "the number of unread ones")
    assert notified(again) == []
    # A new password gives the device another token; its mark and its address stay.
    token = (await again.ask("changePassword", {"current": PASSWORD, "password": PASSWORD + "x"}))["token"]
    again = await back(server, token)
    await again.until(lambda: unread(again) == 2, "the number of unread ones")
    assert [one["kind"] for one in notified(again)] == ["sign_in_changed"]
    other = await guest(server)
    await other.ask("signIn", {"login": "ada", "password": PASSWORD + "x"})
    await other.until(lambda: len(notified(other)) == 2, "all that is kept")


async def test_a_kind_that_is_switched_off_is_neither_sent_nor_counted_nor_pushed(start, tmp_path):
    log = tmp_path / "calls"
    server = start(adaptors__push=script(tmp_path, RECORDER.format(log=str(log))), **CHEAP)
    phone = await sign_up(server, "ada")
    await phone.ask("registerPush", {"address": "phone-1"})
    await phone.ask("saveSettings", {"settings": [{"key": "notifications.new_device", "value": "off"}]})
    await refused(
        "invalid_setting",
        phone.ask("saveSettings", {"settings": [{"key": "notifications.new_device", "value": "maybe"}]}))
    other = await new_device(server)
    assert await listed(other) == [] and batches(other) == []
    await phone.close()

    def decided():
        with sqlite3.connect(tmp_path / "data/cairn.sqlite") as database:
            return database.execute("SELECT count(*) FROM notifications WHERE push IS NULL").fetchone()[0]

    async def is_decided():
        return decided() == 1

    await eventually(is_decided, "the decision about a push")
    assert not log.exists() and await figure(server, "cairn_pushes_waiting") == 0


async def test_a_push_goes_to_devices_that_are_away_and_says_nothing_of_the_content(start, tmp_path):
    log = tmp_path / "calls"
    server = start(adaptors__push=script(tmp_path, RECORDER.format(log=str(log))), **CHEAP)
    phone = await sign_up(server, "ada", language="fr")
    await phone.ask("registerPush", {"address": "phone-1"})
    await phone.close()
    await (await new_device(server)).close()

    async def is_sent():
        return log.exists() and log.read_text()

    (line,) = (await eventually(is_sent, "the push")).splitlines()
    call = json.loads(line)
    assert set(call) == {"id", "do", "device", "text", "kind", "date"} and call["device"] == "phone-1"
    assert call["kind"] == "new_device" and call["text"].startswith("Une connexion à votre compte")
    # Nothing of an address or a text is in a copied folder or in the log.
    assert b"phone-1" not in (tmp_path / "data/cairn.sqlite").read_bytes() and "phone-1" not in server.log()
    # No address, no pushes.
    phone = await back(server, phone.welcome["token"])
    await phone.ask("registerPush", {"address": ""})
    await phone.close()
    await (await new_device(server)).close()
    await pause(7)
    assert len(log.read_text().splitlines()) == 1


async def test_a_sign_in_by_an_apps_token_has_a_mark_for_its_session(start, tmp_path):
    backend = Backend(tmp_path)
    server = start(**backend.settings)
    bob = await Client.connect(server, token=backend.token("u-1", "Bob"))
    await refused("forbidden", bob.ask("registerPush", {"address": "phone-1"}))
    assert await listed(bob) == []
    await refused("invalid_field", bob.ask("receivedNotifications", {"mark": "nonsense"}))


@pytest.mark.seconds(120 + 15 * KILLS)
async def test_kill_9_loses_and_doubles_no_notification_and_no_push(start, tmp_path):
    log, dice = tmp_path / "calls", random.Random(18)
    settings = {**CHEAP, "adaptors__push": script(tmp_path, RECORDER.format(log=str(log)))}
    server = start(**settings)
    phone = await sign_up(server, "ada")
    token = phone.welcome["token"]
    await phone.ask("registerPush", {"address": "phone-1"})
    await phone.close()
    # The phone is away, so this one is pushed; the kills may come before any later push.
    await (await new_device(server)).close()
    attempted = acknowledged = 1
    received = {}

    async def is_pushed():
        return log.exists() and log.read_text()

    await eventually(is_pushed, "the first push")

    async def sign_in_again_and_again():
        nonlocal attempted, acknowledged
        # An account has 100 devices, and the phone is to stay one of them.
        for _ in range(90 // KILLS):
            await pause(dice.uniform(0, 4 * KILLS / 90))
            attempted += 1
            device = await new_device(server)
            acknowledged += 1
            await device.drop()

    for _ in range(KILLS):
        running = asyncio.create_task(sign_in_again_and_again())
        # The phone comes now and then, receives what there is, and may die with the server amid it.
        await pause(dice.uniform(0.2, 1.5))
        try:
            if dice.random() < 0.5:
                raise Ended("the phone stays away")
            phone = await back(server, token)
            await pause(dice.uniform(0, 0.3))
            for one in notified(phone):
                assert one["id"] not in received or received[one["id"]] == "sent"
                received[one["id"]] = "sent"
            if notified(phone):
                known = ids(notified(phone))
                await acknowledge(phone)
                received.update(dict.fromkeys(known, "acknowledged"))
        except (Ended, OSError, websockets.WebSocketException):
            pass
        await pause(dice.uniform(0, 6))
        server.kill()
        running.cancel()
        (outcome,) = await asyncio.gather(running, return_exceptions=True)
        kinds = (type(None), Ended, OSError, websockets.WebSocketException, asyncio.CancelledError)
        assert isinstance(outcome, kinds), outcome
        server = start(**settings)
    phone = await back(server, token)
    kept = await listed(phone)
    assert len(ids(kept)) == len(set(ids(kept)))
    assert acknowledged <= len(kept) <= attempted
    missing = set(ids(kept)) - {one for one, state in received.items() if state == "acknowledged"}
    if missing:
        last = await receive_all(phone, len(missing))
        assert set(ids(last)) == missing and len(ids(last)) == len(missing), "a device got one twice, or not at all"
    assert len(kept) == unread(phone)

    # Every notification that the phone had not received in time was pushed, and the rest was not.
    def undecided():
        with sqlite3.connect(tmp_path / "data/cairn.sqlite") as database:
            waiting = database.execute("SELECT count(*) FROM notifications WHERE push IS NOT NULL").fetchone()[0]
            return waiting + database.execute("SELECT count(*) FROM outbox").fetchone()[0]

    async def is_over():
        return undecided() == 0

    await eventually(is_over, lambda: f"{undecided()} pushes")
    calls = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    pushed = {call["id"] for call in calls}
    assert len(pushed) <= len(kept) and pushed
    assert all(call["device"] == "phone-1" for call in calls)
    figures = f"{attempted} sign-ins, {len(kept)} notifications, {len(pushed)} pushes in {len(calls)} calls"
    print(f"\n{KILLS} kills, {figures}")


async def test_who_is_absent_is_not_counted_and_causes_no_push(start, tmp_path):
    log = tmp_path / "calls"
    server = start(adaptors__push=script(tmp_path, RECORDER.format(log=str(log))), **CHEAP)
    ada, bob, eve = [await sign_up(server, name) for name in ("ada", "bob", "eve")]
    await ada.ask("registerPush", {"address": "phone-1"})
    await bob.ask("requestFriend", of(ada))
    assert (await ada.ask("listNotifications"))["unread"] == 1
    garden = await create(ada, open=True, approval=True)
    await ada.ask("block", of(bob))
    assert "unread" not in await ada.ask("listNotifications")
    await ada.close()
    for one in (bob, eve):
        assert (await one.ask("joinRealm", {"realm": garden}))["standing"] == "pending"

    async def is_sent():
        return log.exists() and log.read_text()

    # Eve's is decided last, in the order of the notifications.
    (line,) = (await eventually(is_sent, "the push")).splitlines()
    assert json.loads(line)["kind"] == "realm_join_request"
    ada = await back(server, ada.welcome["token"])
    await ada.until(lambda: notified(ada), "what Eve has caused")
    assert [one["personName"] for one in notified(ada)] == ["eve"] and unread(ada) == 1
    assert (await ada.ask("listNotifications"))["unread"] == 1
    await ada.ask("unblock", of(bob))
    assert (await ada.ask("listNotifications"))["unread"] == 3
