"""Buying a tour on the page: confirmed, paid once under one key, refused with the remedy, listed (TRT-5)."""

import pytest

from accounts import MANY, sign_up
from cairn import Client, eventually
from payments import Payments
from playing import Player, browser, expect
from test_play_tours import sign_in
from test_tours import makers, published

PLAIN = {"accounts__open": "false", **MANY}
BUY = "Buy for CAD 2.99"


@pytest.fixture
def world(start):
    return start(**PLAIN)


async def pay(player, method):
    """Types the payment code and confirms."""
    await player.page.get_by_label("Payment code").fill(method)
    await player.page.get_by_label("Payment code").press("Enter")
    await player.page.get_by_role("dialog").get_by_role("button", name=BUY).press("Enter")


@pytest.mark.seconds(120)
async def test_tour_isBought_andStarts_andIsListed(world):
    _, maker = await makers(world, "mia")
    tour = await published(maker)
    await sign_up(world, "ada")
    async with browser() as chromium:
        ada = await sign_in(await Player.open(chromium, world), "ada")
        await ada.go("tours", tour)
        await expect(ada.page.locator("#page .card .quiet").first).to_contain_text("CAD 2.99")
        await expect(ada.page.get_by_role("button", name="Start the tour")).to_have_count(0)
        for method, code, remedy in [
                ("standin-refused", "payment_declined", "Choose another means of payment."),
                ("standin-invalid", "payment_invalid", "Check the payment code")]:
            await pay(ada, method)
            refusal = ada.page.locator(f".refusal[data-code={code}]")
            await expect(refusal).to_contain_text(remedy)
        assert await ada.violations() == []
        # Who thinks better of it pays nothing.
        await ada.page.get_by_label("Payment code").fill("card")
        await ada.page.get_by_role("button", name=BUY).click()
        await ada.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        await ada.go("profile", "purchases")
        await expect(ada.page.get_by_text("You have bought nothing yet.")).to_be_visible()
        await ada.go("tours", tour)
        await pay(ada, "card")
        await expect(ada.page.locator(".run-state")).to_contain_text("On tour")
        await ada.go("profile", "purchases")
        await expect(ada.page.locator("#page .line")).to_have_count(1)
        await expect(ada.page.locator("#page .line")).to_contain_text("Walls")
        await expect(ada.page.locator("#page .line")).to_contain_text("CAD 2.99")
        assert await ada.violations() == []
        ada.check()


@pytest.mark.seconds(120)
async def test_payment_thatIsOpen_isAskedForAgainUnderItsKey(world):
    _, maker = await makers(world, "mia")
    tour = await published(maker)
    await sign_up(world, "ada")
    async with browser() as chromium:
        ada = await sign_in(await Player.open(chromium, world), "ada")
        await ada.go("tours", tour)
        await pay(ada, "standin-failing")
        await expect(ada.page.locator(".refusal[data-code=provider_unavailable]")).to_contain_text("Ask again later.")
        kept = f"app.client.store.get('purchase:{tour}')"
        first = await ada.read(kept)
        assert first["body"]["method"] == "standin-failing"
        await ada.page.reload()
        await ada.live()
        await expect(ada.page.get_by_text("Your payment was not answered yet.")).to_be_visible()
        await expect(ada.page.get_by_label("Payment code")).to_be_hidden()
        assert await ada.violations() == []
        await ada.page.get_by_role("button", name="Ask again").click()
        await expect(ada.page.locator(".refusal[data-code=provider_unavailable]")).to_be_visible()
        assert await ada.read(kept) == first
        ada.check()


@pytest.mark.seconds(120)
async def test_reload_whileThePaymentIsUnderWay_buysOnce(tmp_path, start):
    payments = Payments(tmp_path, seconds=2)
    world = start(**PLAIN, **payments.settings)
    _, maker = await makers(world, "mia")
    tour = await published(maker)
    token = (await sign_up(world, "ada")).welcome["token"]
    async with browser() as chromium:
        ada = await sign_in(await Player.open(chromium, world), "ada")
        await ada.go("tours", tour)
        await pay(ada, "card")
        await ada.holds(f"async () => (await (await import('/play/js/app.js')).client.store.get('purchase:{tour}'))")
        await ada.page.reload()
        await ada.live()
        await expect(ada.page.get_by_role("button", name="Start the tour")).to_be_visible()
        await ada.holds(f"async () => !(await (await import('/play/js/app.js')).client.store.get('purchase:{tour}'))")
        again = await Client.connect(world, token=token)

        async def is_listed():
            return len((await again.ask("listPurchases")).get("purchases", [])) == 1

        await eventually(is_listed, "the purchase")
        assert len(payments.charged) == 1
        ada.check()
