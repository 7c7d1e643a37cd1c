"""Refunds by operators: `cairn admin purchase refund` (CMP-6, TRT-5)."""

import asyncio
import json

import pytest

from accounts import sign_up
from cairn import Client, eventually
from operators import Desk
from payments import Payments
from server import run
from test_ledger import verify
from test_live_space import refused
from test_notifications import notified
from test_purchases import PLAIN, buy, ledger, world, year  # noqa: F401
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
        assert entry["reason"].endswith("Rain all day") and bought["id"] in entry["reason"]
        for line in ("purchase-refund x charge why", "purchase-refund", f"purchase-refund {anew['id']} other why"):
            assert (await desk.ask(line))["error"]["code"] in ("bad_argument", "not_found")
    world.stop()
    told = verify(world.folder)
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
    """The command is given again: the service pays back once, and the ledger has one entry of it."""
    payments.set_mood("well")
    told = refund(server, bought["id"], "Rain")
    assert told.returncode == 0, told
    assert await bob.ask("listPurchases") == {}
    assert payments.refunded == payments.charged and len(payments.charged) == 1
    entries = ledger(server, await year(server))
    assert [(one["kind"], one["cents"]) for one in entries] == [("purchase", "299"), ("refund", "-299")]
    server.stop()
    checked = verify(server.folder)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("mood", ["failing", "hanging", "silent"])
async def test_a_refund_without_an_answer_changes_nothing_until_it_is_repeated(tmp_path, start, mood):
    """The service fails, does nothing, or pays back without a word: the operator is told, and asks it again."""
    payments, server, bob, bought = await bought_at(tmp_path, start, adaptors__timeoutSeconds=1)
    payments.set_mood(mood)
    told = refund(server, bought["id"], "Rain")
    assert told.returncode == 1 and "provider_unavailable" in told.stdout, told
    assert (await bob.ask("listPurchases"))["purchases"] == [bought]
    assert [one["kind"] for one in ledger(server, await year(server))] == ["purchase"]
    assert payments.refunded == (payments.charged if mood == "silent" else [])
    await is_paid_back(server, bob, bought, payments)


async def test_a_crash_between_a_refund_and_its_record_is_settled_by_asking_the_service(tmp_path, start):
    """The money has gone back and nothing says so: the same command finds it out, and pays nothing back twice."""
    payments, server, bob, bought = await bought_at(tmp_path, start, adaptors__timeoutSeconds=60)
    payments.set_mood("silent")
    asked = asyncio.create_task(asyncio.to_thread(refund, server, bought["id"], "Rain"))

    async def has_gone_back():
        return payments.refunded

    await eventually(has_gone_back, "the refund")
    server.kill()
    assert (await asked).returncode != 0
    server = start(**PLAIN, **payments.settings)
    bob = await Client.connect(server, token=bob.welcome["token"])
    assert (await bob.ask("listPurchases"))["purchases"] == [bought]
    assert [one["kind"] for one in ledger(server, await year(server))] == ["purchase"]
    await is_paid_back(server, bob, bought, payments)
