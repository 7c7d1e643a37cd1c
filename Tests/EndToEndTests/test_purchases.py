"""Buying tours: one charge, one purchase, one entry of the ledger, whatever happens meanwhile (TRT-5, CMP-6).

The long form: CAIRN_PAYMENT_KILLS=100 pytest -s test_purchases.py -k kill
"""

import asyncio
import contextlib
import json
import os
import random
import sqlite3

import pytest

from accounts import sign_up
from cairn import Client, Ended, Refused, eventually
from payments import Payments
from purchases import PLAIN, PRICE, buy, ledger, year
from server import Server, run
from swarm import pause
from test_live_space import refused
from test_tours import NOWHERE, draft, makers, published

KILLS = int(os.environ.get("CAIRN_PAYMENT_KILLS", 5))


@pytest.fixture
def world(start):
    return start(**PLAIN)


async def test_a_tour_is_bought_once_and_listed(world):
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob = await sign_up(world, "bob")
    assert await bob.ask("listPurchases") == {}
    bought = await buy(bob, tour, key="one")
    assert (bought["tour"], bought["name"], bought["price"]) == (tour, "Walls", PRICE)
    assert bought["currency"] == bob.welcome["limits"]["currency"]
    assert await buy(bob, tour, key="one") == bought and await buy(bob, tour, key="two") == bought
    again = await Client.connect(world, token=bob.welcome["token"])
    assert (await again.ask("listPurchases"))["purchases"] == [bought]
    entries = ledger(world, await year(world))
    assert [(one["kind"], one["reference"], one["cents"]) for one in entries] == [("purchase", bought["id"], "299")]
    # What is bought can be walked (TRT-5).
    await refused("payment_required", (await sign_up(world, "eve")).ask("startTour", {"tour": tour}))
    assert (await bob.ask("startTour", {"tour": tour}))["tour"] == tour
    await bob.ask("leaveRun")
    # It stays bought when the tour is gone (TRM-10).
    await maker.ask("deleteTour", {"tour": tour})
    assert await buy(bob, tour) == bought


async def test_what_cannot_be_bought_has_its_code_and_charges_nobody(world):
    _, maker = await makers(world, "ada")
    tour, free = await published(maker), await published(maker, price=0)
    bob = await sign_up(world, "bob")
    await refused("not_found", buy(bob, NOWHERE))
    await refused("not_found", buy(bob, await draft(maker)))
    await refused("not_found", buy(bob, "nonsense"))
    assert (await refused("invalid_field", buy(bob, free, price=0))).details["reason"] == "free"
    assert (await refused("version_conflict", buy(bob, tour, price=199))).details["price"] == "299"
    await refused("missing_field", buy(bob, ""))
    await refused("missing_field", buy(bob, tour, method=""))
    await refused("missing_field", bob.ask("buyTour", {"tour": tour, "price": PRICE, "method": "card"}, key=""))
    await refused("invalid_field", buy(bob, tour, method="x" * 4097))
    await refused("invalid_field", buy(bob, tour, receipt={"store": "App Store", "data": "x"}))
    await refused("forbidden", buy(maker, tour))
    await refused("not_signed_in", buy(await Client.connect(world), tour))
    await refused("payment_declined", buy(bob, tour, method="standin-refused"))
    await refused("payment_invalid", buy(bob, tour, method="standin-invalid"))
    await refused("provider_unavailable", buy(bob, tour, method="standin-failing"))
    await refused("invalid_field", bob.ask("listPurchases", {"after": "x"}))
    assert await bob.ask("listPurchases") == {} and ledger(world, await year(world)) == []
    await buy(bob, tour, key="mine")
    other = await published(maker)
    await refused("key_reused", buy(bob, other, key="mine"))


async def test_a_key_that_was_answered_buys_nothing_else(world):
    """SYN-2: also one that was answered with a purchase that there was."""
    _, maker = await makers(world, "ada")
    tour, other = await published(maker), await published(maker)
    bob = await sign_up(world, "bob")
    bought = await buy(bob, tour, key="first")
    assert await buy(bob, tour, key="second") == bought
    await refused("key_reused", buy(bob, other, key="second"))
    await buy(bob, other, key="third")
    await refused("key_reused", buy(bob, other, key="first"))
    assert await buy(bob, tour, key="second") == bought
    done = run("admin", "purchase", "refund", bought["id"], "asked for", "--data", world.folder)
    assert done.returncode == 0, done.stderr
    await refused("key_reused", buy(bob, tour, key="second"))
    assert len(ledger(world, await year(world))) == 3


async def test_cards_are_not_tried_out(world):
    """Declined charges count by account, and ten times as many by address, which a school may share."""
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob = await sign_up(world, "bob")
    codes = []
    while "too_many_attempts" not in codes and len(codes) < 20:
        with pytest.raises(Refused) as refusal:
            await buy(bob, tour, method="standin-refused")
        codes.append(refusal.value.code)
    assert codes == ["payment_declined"] * 10 + ["too_many_attempts"]
    await refused("payment_declined", buy(await sign_up(world, "eve"), tour, method="standin-refused"))


async def test_of_two_people_with_one_receipt_one_buys(world):
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    people = [await sign_up(world, name) for name in ("bob", "eve")]
    for number in range(10):
        receipt = {"store": "app-store", "data": f"standin:r-{number}:{tour}"}
        answers = await asyncio.gather(*(buy(one, tour, receipt=receipt) for one in people), return_exceptions=True)
        lost = [answer for answer in answers if isinstance(answer, Refused)]
        assert [(one.code, one.details.get("reason")) for one in lost] == [("payment_invalid", "used")]
        people = [await sign_up(world, f"{name}-{number}") for name in ("bob", "eve")]
    assert "error" not in {json.loads(line)["level"] for line in world.log().splitlines()}


async def test_a_receipt_shown_as_one_of_another_store_buys_nothing(world):
    """H7: clients name the store. One that is made up is refused, and at all that are taken a transaction buys once."""
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob, eve = await sign_up(world, "bob"), await sign_up(world, "eve")
    data = f"standin:t-1:{tour}"
    for name in ("my-store", "app-store2", "payment", "app--store"):
        refusal = await refused("invalid_field", buy(eve, tour, receipt={"store": name, "data": data}))
        assert refusal.details == {"field": "store", "reason": "unknown"}
    await buy(bob, tour, receipt={"store": "app-store", "data": data})
    for name in ("play-store", "app-store"):
        refusal = await refused("payment_invalid", buy(eve, tour, receipt={"store": name, "data": data}))
        assert refusal.details["reason"] == "used"
    # At once, as receipts of both.
    people = [await sign_up(world, name) for name in ("cat", "dan")]
    data = f"standin:t-2:{tour}"
    answers = await asyncio.gather(
        *(buy(one, tour, receipt={"store": store, "data": data})
          for one, store in zip(people, ("app-store", "play-store"))), return_exceptions=True)
    assert [one.code for one in answers if isinstance(one, Refused)] == ["payment_invalid"]
    assert len(ledger(world, await year(world))) == 2


async def test_an_adaptor_says_whose_receipt_it_is(tmp_path, start):
    """One transaction of each store is another one where the adaptor vouches for the store, and no other store's."""
    script = tmp_path / "receipts.py"
    script.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    call = json.loads(line)\n"
        "    store, transaction = call['data'].split(':')\n"
        "    done = {'transaction': transaction, 'store': store}\n"
        "    print(json.dumps({'id': call['id'], 'done': done}), flush=True)\n"
    )
    world = start(**PLAIN, adaptors__receipts=f"/usr/bin/env python3 {script}", adaptors__receiptStores="a,b")
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob, eve = await sign_up(world, "bob"), await sign_up(world, "eve")
    refusal = await refused("payment_invalid", buy(bob, tour, receipt={"store": "b", "data": "a:1"}))
    assert refusal.details["reason"] == "store"
    await refused("invalid_field", buy(bob, tour, receipt={"store": "app-store", "data": "app-store:1"}))
    await buy(bob, tour, receipt={"store": "a", "data": "a:1"})
    assert (await refused("payment_invalid", buy(eve, tour, receipt={"store": "a", "data": "a:1"}))).details[
        "reason"] == "used"
    await buy(eve, tour, receipt={"store": "b", "data": "b:1"})


async def test_one_key_at_once_for_two_tours_buys_one(tmp_path, start):
    """SYN-2: the other is refused, now or when it is asked for again."""
    payments = Payments(tmp_path, seconds=0.5)
    world = start(**PLAIN, **payments.settings)
    _, maker = await makers(world, "ada")
    tours = [await published(maker) for _ in range(4)]
    bob = await sign_up(world, "bob")
    devices = [await Client.connect(world, token=bob.welcome["token"]) for _ in tours]
    answers = await asyncio.gather(
        *(buy(one, tour, key="one") for one, tour in zip(devices, tours)), return_exceptions=True)
    assert len([one for one in answers if isinstance(one, dict)]) == 1
    assert {one.code for one in answers if isinstance(one, Refused)} <= {"try_again", "key_reused"}
    bought = next(one for one in answers if isinstance(one, dict))
    for tour in tours:
        if tour != bought["tour"]:
            await refused("key_reused", buy(bob, tour, key="one"))
    assert len(payments.charged) == 1 and len((await bob.ask("listPurchases"))["purchases"]) == 1


async def test_two_keys_at_once_charge_once_and_neither_buys_again_after_a_refund(tmp_path, start):
    payments = Payments(tmp_path, seconds=0.3)
    world = start(**PLAIN, **payments.settings)
    _, maker = await makers(world, "ada")
    tour, other = await published(maker), await published(maker)
    bob = await sign_up(world, "bob")
    devices = [await Client.connect(world, token=bob.welcome["token"]) for _ in range(2)]
    keys = ("one", "two")
    await asyncio.gather(*(buy(one, tour, key=key) for one, key in zip(devices, keys)), return_exceptions=True)
    bought = [await buy(bob, tour, key=key) for key in keys]
    assert bought[0] == bought[1] and len(payments.charged) == 1
    done = run("admin", "purchase", "refund", bought[0]["id"], "asked for", "--data", world.folder)
    assert done.returncode == 0, done.stderr
    for key in keys:
        for wanted in (tour, other):
            await refused("key_reused", buy(bob, wanted, key=key))
    again = await buy(bob, tour, key="three")
    assert again["id"] != bought[0]["id"] and len(payments.charged) == 2
    for key in keys:
        await refused("key_reused", buy(bob, other, key=key))


@pytest.mark.parametrize("table", ["payments", "purchases"])
async def test_a_damaged_row_is_in_the_way_of_its_own_tour_alone(tmp_path, start, table):
    """B8: another tour can be bought, what was bought is listed, and nobody is charged twice for what is damaged."""
    payments = Payments(tmp_path, seconds=0.02)
    payments.set_mood("well")
    world = start(**PLAIN, **payments.settings)
    _, maker = await makers(world, "ada")
    first, second, third = [await published(maker) for _ in range(3)]
    bob = await sign_up(world, "bob")
    for tour in (first, second):
        await buy(bob, tour)
    world.stop()
    with contextlib.closing(sqlite3.connect(world.folder / "cairn.sqlite")) as database, database:
        if table == "payments":
            # As a charge that was interrupted: its row is no purchase yet.
            row = database.execute("SELECT id, account FROM purchases ORDER BY id LIMIT 1").fetchone()
            database.execute("INSERT INTO payments VALUES (?, ?, 77, zeroblob(90))", (row[0] + 1, row[1]))
        else:
            database.execute("UPDATE purchases SET sealed = zeroblob(90) WHERE id = (SELECT min(id) FROM purchases)")
    world = start(folder=world.folder, **PLAIN, **payments.settings)
    bob = await Client.connect(world, token=bob.welcome["token"])
    await buy(bob, third)
    listed = {one["tour"] for one in (await bob.ask("listPurchases"))["purchases"]}
    assert listed == ({first, second, third} if table == "payments" else {second, third})
    if table == "purchases":
        with pytest.raises(Refused):
            await buy(bob, first)
    assert len(payments.charged) == 3
    await world.until_figure(f'cairn_store_damaged_table_rows{{table="{table}"}}', 1)


async def test_a_receipt_of_a_store_buys_once(world):
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob, eve = await sign_up(world, "bob"), await sign_up(world, "eve")
    receipt = {"store": "app-store", "data": f"standin:t-1:{tour}"}
    await refused("payment_invalid", buy(bob, tour, receipt={"store": "app-store", "data": f"standin:t-1:{NOWHERE}"}))
    bought = await buy(bob, tour, receipt=receipt)
    assert await buy(bob, tour, receipt=receipt) == bought
    assert (await refused("payment_invalid", buy(eve, tour, receipt=receipt))).details["reason"] == "used"
    assert [one["provider"] for one in ledger(world, await year(world))] == ["app-store"]


async def test_a_tour_that_is_deleted_during_its_charge_is_paid_back(tmp_path, start):
    """TRT-5, TRM-10: both stand in the ledger; a provider that pays nothing back leaves the purchase."""
    payments = Payments(tmp_path)
    world = start(**PLAIN, **payments.settings)
    _, maker = await makers(world, "ada")
    bob = await sign_up(world, "bob")
    for mood, kinds in (("well", ["purchase", "refund"]), ("refusing", ["purchase", "refund", "purchase"])):
        payments.set_mood(mood)
        tour = await published(maker)
        payments.hold()
        begun = asyncio.create_task(buy(bob, tour))
        await eventually(lambda: payments_begun(world), "the charge")
        await maker.ask("deleteTour", {"tour": tour})
        payments.hold(False)
        if mood == "well":
            await refused("not_found", begun)
        else:
            await begun
        assert [one["kind"] for one in ledger(world, await year(world))] == kinds
    assert len(payments.charged) == 2 and len(payments.refunded) == 1
    assert len((await bob.ask("listPurchases"))["purchases"]) == 1


async def payments_begun(server):
    """Whether a charge is on disk that is not settled."""
    with contextlib.closing(sqlite3.connect(f"file:{server.folder}/cairn.sqlite?mode=ro", uri=True)) as database:
        return database.execute("SELECT count(*) FROM payments").fetchone()[0] == 1


async def test_a_price_in_another_currency_than_was_shown_charges_nobody(world):
    """TRT-5: the operators may have changed the currency since."""
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob = await sign_up(world, "bob")
    shown = bob.welcome["limits"]["currency"]
    other = await refused("version_conflict", buy(bob, tour, method="card", currency="KWD"))
    assert other.details == {"price": "299", "currency": shown}
    assert (await buy(bob, tour, method="card", currency=shown))["currency"] == shown


async def test_a_provider_that_names_two_charges_alike_sells_both(tmp_path, start):
    """TRT-5: each is bought and entered."""
    script = tmp_path / "alike.py"
    script.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'done': {'charge': 'ok'}}), flush=True)\n"
    )
    world = start(**PLAIN, adaptors__payment=f"/usr/bin/env python3 {script}")
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    for name in ("bob", "eve"):
        person = await sign_up(world, name)
        await buy(person, tour)
        assert (await person.ask("startTour", {"tour": tour}))["tour"] == tour
    charges = [one["charge"] for one in ledger(world, await year(world))]
    assert len(set(charges)) == 2 and all(one.startswith("ok") for one in charges)


async def test_many_devices_at_once_buy_one(tmp_path, start):
    payments = Payments(tmp_path, seconds=0.3)
    world = start(**PLAIN, **payments.settings)
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob = await sign_up(world, "bob")
    devices = [await Client.connect(world, token=bob.welcome["token"]) for _ in range(4)]
    answers = await asyncio.gather(*(buy(one, tour) for one in devices), return_exceptions=True)
    bought = [one["id"] for one in answers if isinstance(one, dict)]
    assert len(set(bought)) == 1
    assert all(one.code == "try_again" for one in answers if isinstance(one, Refused))
    assert len(payments.charged) == 1


@pytest.mark.seconds(60 + 12 * KILLS)
async def test_kill_9_around_payments_charges_nobody_twice_and_nobody_for_nothing(tmp_path):
    payments = Payments(tmp_path, seconds=0.15, wild=True)
    dice = random.Random(5)
    more = {**PLAIN, **payments.settings, "adaptors__timeoutSeconds": 1}
    folder = tmp_path / "data"
    with Server.start(folder, **more) as world:
        _, maker = await makers(world, "ada")
        tours = [await published(maker) for _ in range(3)]
        walkers = [(await sign_up(world, f"bob{number}")).welcome["token"] for number in range(6)]
        acknowledged = set()
        for client in Client.opened:
            await client.close()
    wanted = {(number, tour) for number in range(len(walkers)) for tour in tours}

    async def shop(server, number):
        client = await Client.connect(server, token=walkers[number])
        try:
            while True:
                await pause(0.03)  # fewer requests than the limit of a connection
                tour = dice.choice(tours)
                try:
                    bought = await buy(client, tour, key=f"{number}-{tour}")
                    acknowledged.add((number, bought["tour"], bought["id"]))
                except Refused as refusal:
                    assert refusal.code in ("provider_unavailable", "try_again", "payment_declined"), refusal
        except Ended:
            pass

    for _ in range(KILLS):
        server = Server.start(folder, **more)
        shops = [asyncio.create_task(shop(server, number)) for number in range(len(walkers))]
        await pause(0.3 + dice.random())
        server.kill()
        await asyncio.gather(*shops)
    with Server.start(folder, **more) as server:

        async def is_settled():
            return (await server.figures()).get("cairn_payments_waiting") == 0

        await pause(1.5)
        await eventually(is_settled, "every charge to be settled")
        purchases = {}
        for number, token in enumerate(walkers):
            client = await Client.connect(server, token=token)
            for one in (await client.ask("listPurchases")).get("purchases", []):
                purchases[(number, one["tour"])] = one["id"]
            await client.close()
        entries = ledger(server, await year(server))
        for client in Client.opened:
            await client.close()
    assert purchases.keys() <= wanted
    assert {(number, tour, id) for (number, tour), id in purchases.items()} >= acknowledged, "one was lost"
    # As many charges as purchases, each in the ledger, and none twice.
    charged = [key[:12] for key in payments.charged]
    assert sorted(one["charge"] for one in entries) == sorted(charged)
    assert sorted(one["reference"] for one in entries) == sorted(purchases.values())
    assert run("verify", "--data", folder, "--set", f"storage.keyFile={folder}.key").returncode == 0
    print(f"{KILLS} kills: {len(purchases)} purchases, {len(payments.states()) - len(charged)} charges closed")
