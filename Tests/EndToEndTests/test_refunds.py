"""Refunds by operators: `cairn admin purchase refund` (CMP-6, TRT-5)."""

import asyncio
import json
import random

import pytest

from accounts import PASSWORD, sign_up
from cairn import Client, Refused, eventually
from operators import Desk
from payments import Payments
from purchases import PLAIN, buy, ledger, year
from server import Server, run
from swarm import pause
from test_ledger import verify
from test_live_space import refused
from test_notifications import notified
from test_purchases import KILLS, world  # noqa: F401
from test_tours import makers, published


def refund(server, purchase, *words):
    return run("admin", "purchase", "refund", purchase, *words, "--data", server.folder)


async def test_a_refund_ends_the_right_with_notice_and_the_tour_is_bought_again(world):  # noqa: F811
    """The ledger has both and is whole; a run on the tour ends; the key of before buys no more."""
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob = await sign_up(world, "bob")
    bought = await buy(bob, tour, key="one")
    await bob.ask("startTour", {"tour": tour})
    told = refund(world, bought["id"], "Rain", "all", "day")
    assert told.returncode == 0, told
    answer = json.loads(told.stdout)
    assert answer["purchase"] == bought["id"] and answer["refunded"].startswith("2.99 ")

    async def is_told():
        return {"purchase_refunded", "tour_ended"} <= {entry["kind"] for entry in notified(bob)}

    await eventually(is_told, lambda: notified(bob))
    assert [one["label"] for one in notified(bob) if one["kind"] == "purchase_refunded"] == ["Walls"]
    await refused("not_found", bob.ask("getRun"))
    await refused("payment_required", bob.ask("startTour", {"tour": tour}))
    assert await bob.ask("listPurchases") == {}
    await refused("key_reused", buy(bob, tour, key="one"))
    again = refund(world, bought["id"], "Rain")
    assert again.returncode == 1 and "already" in again.stdout
    anew = await buy(bob, tour, key="two")
    assert anew["id"] != bought["id"]
    assert (await bob.ask("startTour", {"tour": tour}))["tour"] == tour
    entries = ledger(world, await year(world))
    assert [(one["kind"], one["cents"], one["reference"]) for one in entries] == [
        ("purchase", "299", bought["id"]), ("refund", "-299", bought["id"]), ("purchase", "299", anew["id"]),
    ]  # fmt: skip
    assert entries[0]["charge"] == entries[1]["charge"] != entries[2]["charge"]
    async with await Desk.open(world) as desk:
        (entry,) = [one for one in (await desk.ask("audit"))["audit"] if one["what"] == "purchase_refund"]
        assert entry["reason"].endswith("Rain all day") and entry["purchase"] == bought["id"]
        for line in ("purchase-refund x charge why", "purchase-refund", f"purchase-refund {anew['id']} other why"):
            assert (await desk.ask(line))["error"]["code"] in ("bad_argument", "not_found")
    world.stop()
    told = verify(world.folder)
    assert told.returncode == 0, told.stdout


async def test_a_key_charges_once_however_often_its_tour_is_paid_back(tmp_path, start):
    """TRT-5, CMP-6: the key of each earlier purchase is known."""
    payments = Payments(tmp_path)
    server = start(**PLAIN, **payments.settings)
    _, maker = await makers(server, "ada")
    tour = await published(maker)
    bob = await sign_up(server, "bob")
    for key in ("one", "two", "three"):
        bought = await buy(bob, tour, key=key)
        assert refund(server, bought["id"], "Rain").returncode == 0
    for key in ("one", "two", "three"):
        await refused("key_reused", buy(bob, tour, key=key))
    assert len(payments.charged) == 3 == len(payments.refunded)
    server.stop()
    told = verify(server.folder)
    assert told.returncode == 0, told.stdout


async def test_what_a_store_has_paid_back_is_entered_as_paid(world):  # noqa: F811
    """A receipt that was paid back buys nothing more."""
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob = await sign_up(world, "bob")
    receipt = {"store": "app-store", "data": f"standin:t-1:{tour}"}
    bought = await buy(bob, tour, receipt=receipt)
    told = refund(world, bought["id"], "Rain")
    assert told.returncode == 1 and "store" in told.stdout
    assert await bob.ask("listPurchases") != {}
    assert refund(world, bought["id"], "--paid", "Rain").returncode == 0
    assert await bob.ask("listPurchases") == {}
    assert (await refused("payment_invalid", buy(bob, tour, receipt=receipt))).details["reason"] == "used"
    entries = ledger(world, await year(world))
    assert [(one["kind"], one["provider"], one["charge"]) for one in entries] == [
        ("purchase", "app-store", "t-1"), ("refund", "app-store", "t-1"),
    ]  # fmt: skip


async def bought_at(tmp_path, start, **more):
    """A server with an outside service of payments, and a purchase at it."""
    payments = Payments(tmp_path)
    server = start(**{**PLAIN, **payments.settings, **more})
    _, maker = await makers(server, "ada")
    tour = await published(maker)
    bob = await sign_up(server, "bob")
    return payments, server, bob, await buy(bob, tour, key="one")


async def is_paid_back(server, bob, bought, payments):
    """It happens by itself: the service has paid back once, the person is told, and the ledger has one entry of it."""

    async def is_settled():
        return await bob.ask("listPurchases") == {}

    await eventually(is_settled, "the refund to be entered")

    async def is_told():
        return [entry["label"] for entry in notified(bob) if entry["kind"] == "purchase_refunded"] == ["Walls"]

    await eventually(is_told, lambda: notified(bob))
    assert payments.refunded == payments.charged and len(payments.charged) == 1
    entries = ledger(server, await year(server))
    assert [(one["kind"], one["cents"]) for one in entries] == [("purchase", "299"), ("refund", "-299")]
    async with await Desk.open(server) as desk:
        (entry,) = [one for one in (await desk.ask("audit"))["audit"] if one["what"] == "purchase_refund"]
        assert entry["reason"].endswith("Rain") and entry["purchase"] == bought["id"]
    # The command, given again, finds it done.
    told = refund(server, bought["id"], "Again")
    assert told.returncode == 1 and "already" in told.stdout
    server.stop()
    checked = verify(server.folder)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("mood", ["failing", "hanging", "silent"])
async def test_a_refund_without_an_answer_is_made_as_soon_as_there_is_one(tmp_path, start, mood):
    """The service fails, does nothing, or pays back without a word: the operator is told, the purchase stays, and the
    server asks again by itself. A run on the tour ends then."""
    payments, server, bob, bought = await bought_at(tmp_path, start, adaptors__timeoutSeconds=1)
    await bob.ask("startTour", {"tour": bought["tour"]})
    payments.set_mood(mood)
    told = refund(server, bought["id"], "Rain")
    assert told.returncode == 1 and "provider_unavailable" in told.stdout, told
    assert (await bob.ask("listPurchases"))["purchases"] == [bought]
    assert [one["kind"] for one in ledger(server, await year(server))] == ["purchase"]

    async def again():
        said = refund(server, bought["id"], "Snow").stdout
        return "try_again" not in said and said

    # The same command again is the same refund; meanwhile the server asks by itself.
    assert "provider_unavailable" in await eventually(again, "an answer that is not that it is under way")
    payments.set_mood("well")

    async def has_ended():
        return [one for one in notified(bob) if one["kind"] == "tour_ended"]

    await eventually(has_ended, "the run to end")
    await refused("not_found", bob.ask("getRun"))
    await is_paid_back(server, bob, bought, payments)


async def test_a_refund_that_the_service_refuses_is_not_tried_again(tmp_path, start):
    payments, server, bob, bought = await bought_at(tmp_path, start)
    payments.set_mood("refusing")
    told = refund(server, bought["id"], "Rain")
    assert told.returncode == 1 and "refused the refund" in told.stdout, told
    assert (await bob.ask("listPurchases"))["purchases"] == [bought]
    payments.set_mood("well")
    # Longer than the server waits before it looks at what is under way.
    await pause(6)
    assert payments.refunded == []
    assert refund(server, bought["id"], "Rain").returncode == 0
    await is_paid_back(server, bob, bought, payments)


async def test_a_crash_between_a_refund_and_its_record_is_settled_by_the_server_itself(tmp_path, start):
    """The money has gone back and nothing in the ledger says so: the next life of the server finds it out."""
    payments, server, bob, bought = await bought_at(tmp_path, start, adaptors__timeoutSeconds=60)
    payments.set_mood("silent")
    asked = asyncio.create_task(asyncio.to_thread(refund, server, bought["id"], "Rain"))

    async def has_gone_back():
        return payments.refunded

    await eventually(has_gone_back, "the refund")
    server.kill()
    assert (await asked).returncode != 0
    server = start(**PLAIN, **payments.settings, adaptors__timeoutSeconds=1)
    bob = await Client.connect(server, token=bob.welcome["token"])
    assert (await bob.ask("listPurchases"))["purchases"] == [bought]
    payments.set_mood("well")
    await is_paid_back(server, bob, bought, payments)


async def test_a_refund_under_way_is_entered_when_its_account_is_gone(tmp_path, start):
    payments, server, bob, bought = await bought_at(tmp_path, start, adaptors__timeoutSeconds=1)
    payments.set_mood("silent")
    assert refund(server, bought["id"], "Rain").returncode == 1
    await bob.ask("deleteAccount", {"password": PASSWORD})
    payments.set_mood("well")
    assert await refunds_in(server, 1) == [bought["id"]]
    assert payments.refunded == payments.charged
    server.stop()
    checked = verify(server.folder)
    assert checked.returncode == 0, checked.stdout


async def refunds_in(server, count):
    """The references of refunds in the ledger, once there are so many."""
    number = await year(server)

    async def are_entered():
        kinds = [one["reference"] for one in ledger(server, number) if one["kind"] == "refund"]
        return kinds if len(kinds) >= count else None

    return await eventually(are_entered, f"{count} refunds")


async def test_kill_9_around_refunds_pays_back_once_and_enters_each(tmp_path):
    """A slow service that loses answers and answers twice; operators ask for each purchase, and never again."""
    payments = Payments(tmp_path, seconds=0.15, wild=True)
    dice = random.Random(7)
    more = {**PLAIN, **payments.settings, "adaptors__timeoutSeconds": 1}
    folder, bought = tmp_path / "data", []
    with Server.start(folder, **more) as server:
        _, maker = await makers(server, "ada")
        tours = [await published(maker) for _ in range(2)]
        for number in range(KILLS):
            bob = await sign_up(server, f"bob{number}")
            for tour in tours:

                async def has_bought(bob=bob, tour=tour, key=f"{number}-{tour}"):
                    try:
                        return (await buy(bob, tour, key=key))["id"]
                    except Refused:
                        return None

                bought.append(await eventually(has_bought, "a purchase"))
        for client in Client.opened:
            await client.close()
    for number in range(KILLS):
        server = Server.start(folder, **more)
        asked = [
            asyncio.create_task(asyncio.to_thread(refund, server, one, "Rain"))
            for one in bought[2 * number : 2 * number + 2]
        ]
        await pause(0.2 + dice.random() * 0.4)
        server.kill()
        await asyncio.gather(*asked)
    with Server.start(folder, **more) as server:
        for one in bought:
            # Whom a kill has kept from being heard asks; what is under way is the same refund.
            refund(server, one, "Rain")
        assert sorted(await refunds_in(server, len(bought))) == sorted(bought), "each once"
    assert payments.refunded == payments.charged and len(payments.charged) == len(bought)
    checked = verify(folder)
    assert checked.returncode == 0, checked.stdout
