"""Refunds by operators: `cairn admin purchase refund` (CMP-6, TRT-5)."""

import json

from accounts import sign_up
from cairn import eventually
from operators import Desk
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
