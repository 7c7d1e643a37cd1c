"""The promise of scopes and blocks, under everything at once: an oracle reads every byte that 24 people get (VIS-5,
SUB-5, SUB-9, FRD-7).

The long form: CAIRN_VISIBILITY_EVENTS=1000000 CAIRN_VISIBILITY_PEOPLE=200 CAIRN_VISIBILITY_REALMS=50.
"""

import json
import os
import time

import pytest

from visibility import Block, Realm, Thing, item_of
from visible_crowd import Crowd

EVENTS = int(os.environ.get("CAIRN_VISIBILITY_EVENTS", 3_000))
PEOPLE = int(os.environ.get("CAIRN_VISIBILITY_PEOPLE", 24))
SEED = int(os.environ.get("CAIRN_VISIBILITY_SEED", 7))
SETTINGS = {
    "accounts__privacy": "everyone", "placement__perMinute": 1_000_000, "placement__perDay": 1_000_000,
    "placement__changesPerDay": 10_000_000, "placement__areaQuota": 1_000, "reactions__perMinute": 1_000_000,
    "friends__looksPerMinute": 1_000_000,
    "friends__blocksPerHour": 1_000_000, "friends__requestsPerHour": 1_000_000, "friends__requestsPerDay": 1_000_000,
    "realms__invitationsPerHour": 1_000_000, "realms__joinsPerHour": 1_000_000, "realms__perPersonMax": 1_000,
    "connections__messagesPerSecond": 10_000, "connections__messagesBurst": 10_000,
    "travel__cellsPerSecond": 1_000_000, "travel__cellsBurst": 1_000_000, "travel__speedMetresPerSecond": 1_000_000,
    "storage__synchronous": "normal",
}  # fmt: skip


async def run(start):
    crowd, began = Crowd(start(**SETTINGS), SEED), time.monotonic()
    await crowd.open(PEOPLE)
    await crowd.run(EVENTS)
    oracle = crowd.oracle
    print(f"\n{crowd.steps} steps of {PEOPLE} people in {time.monotonic() - began:.0f} s: {crowd.done}; "
          f"{oracle.items} messages read, {oracle.secrets} secrets in them, {len(oracle.leaks)} leaks")  # fmt: skip
    assert not oracle.leaks, oracle.leaks[:5]
    return crowd


@pytest.mark.seconds(120 if EVENTS < 10_000 else 7_200)
async def test_nothing_of_a_sub_realm_reaches_anybody_who_is_not_in_it(start):
    crowd = await run(start)
    assert crowd.oracle.secrets > EVENTS / 2
    assert crowd.oracle.met > EVENTS
    needed = {"block", "place", "edit", "react", "select", "kick", "leave", "invite", "join", "cut", "delete"}
    assert set(crowd.done) >= needed


@pytest.mark.seconds(120)
async def test_a_server_that_leaks_one_event_in_ten_thousand_is_caught(start):
    crowd = Crowd(start(**SETTINGS), SEED, leak_every=10_000)
    await crowd.open(PEOPLE)
    await crowd.gather()
    with pytest.raises(AssertionError, match=" got "):
        await crowd.run(100_000)
    assert crowd.events >= 10_000


async def test_the_oracle_notices_what_does_not_belong_to_a_connection(start):
    crowd = Crowd(start(**SETTINGS), SEED)
    await crowd.open(2)
    member, stranger = crowd.people
    realm = Realm("c1c1c1c1c1c1c", member.id)
    realm.id = (await member.device.ask("createRealm", {"name": realm.name}))["id"]
    crowd.oracle.add_realm(realm, realm.name, realm.id)
    thing = Thing(member.id, [realm])
    crowd.oracle.add_thing(thing, "a1a1a1a1a1a1a")
    for text, leaks in [
        ('{"text": "a1a1a1a1a1a1a"}', True),
        (f'{{"realm": "{realm.id}"}}', True),
        (f'{{"name": "{realm.name}"}}', True),
        ('{"text": "b1a1a1a1a1a1a"}', False),
    ]:
        crowd.oracle.leaks.clear()
        crowd.oracle.judge(member.id, member.device, item_of(json.loads(text)))
        assert not crowd.oracle.leaks
        crowd.oracle.judge(stranger.id, stranger.device, item_of(json.loads(text)))
        assert bool(crowd.oracle.leaks) is leaks, text

    # A public thing, and a person, of whom somebody has blocked the other.
    crowd.oracle.leaks.clear()
    crowd.oracle.add_thing(Thing(member.id, []), "d1d1d1d1d1d1d")
    seen = ('{"event": "d1d1d1d1d1d1d"}', f'{{"presence": "{member.id}"}}')
    for text in seen:
        crowd.oracle.judge(stranger.id, stranger.device, item_of(json.loads(text)))
    assert not crowd.oracle.leaks
    block = crowd.oracle.blocks[frozenset((member.id, stranger.id))] = Block()
    block.known = True
    for number, text in enumerate(seen, 1):
        crowd.oracle.judge(stranger.id, stranger.device, item_of(json.loads(text)))
        crowd.oracle.judge(member.id, member.device, item_of(json.loads(text)))
        assert len(crowd.oracle.leaks) == number
