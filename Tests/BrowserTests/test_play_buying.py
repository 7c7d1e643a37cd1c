"""Buying a tour on the page: confirmed, paid once under one key, refused with the remedy, listed (TRT-5)."""

import pytest

from accounts import MANY, sign_up
from cairn import Client, eventually
from payments import Payments
from playing import Player, browser, expect
from test_play_tours import sign_in
from test_tours import makers, published

PLAIN = {"accounts__open": "false", **MANY}
BUY = "Buy for CA$2.99"


@pytest.fixture
def world(start):
    return start(**PLAIN)


async def offered(world):
    """A tour with a price; Ada, who has an account, may buy it."""
    _, maker = await makers(world, "mia")
    tour = await published(maker)
    await sign_up(world, "ada")
    return tour


async def looking(chromium, world, tour):
    """Ada, who looks at the tour."""
    ada = await sign_in(await Player.open(chromium, world), "ada")
    await ada.go("tours", tour)
    return ada


async def pay(player, method):
    """Types the payment code and confirms."""
    await player.page.get_by_label("Payment code").fill(method)
    await player.page.get_by_label("Payment code").press("Enter")
    await player.page.get_by_role("dialog").get_by_role("button", name=BUY).press("Enter")


@pytest.mark.seconds(120)
async def test_tour_isBought_andStarts_andIsListed(world):
    tour = await offered(world)
    async with browser() as chromium:
        ada = await looking(chromium, world, tour)
        await expect(ada.page.locator("#page .card .quiet").first).to_contain_text("CA$2.99")
        await expect(ada.page.get_by_role("button", name="Start the tour")).to_have_count(0)
        await expect(ada.page.locator(".withheld")).to_contain_text("histories (1)")
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
        await expect(ada.page.locator("#page .line")).to_contain_text("CA$2.99")
        assert await ada.violations() == []
        ada.check()


@pytest.mark.seconds(120)
async def test_payment_thatIsOpen_isAskedForAgainUnderItsKey(world):
    tour = await offered(world)
    async with browser() as chromium:
        ada = await looking(chromium, world, tour)
        await pay(ada, "standin-failing")
        await expect(ada.page.locator(".refusal[data-code=provider_unavailable]")).to_contain_text("Ask again later.")
        kept = f"app.client.store.get(`purchase:${{app.client.core.account}}:{tour}`)"
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
async def test_reload_beforeTheAnswer_buysOnce(tmp_path, start):
    """The charge is made and its answer is lost: the page that is loaded again sends the same key."""
    payments = Payments(tmp_path)
    world = start(**PLAIN, **payments.settings)
    _, maker = await makers(world, "mia")
    tour = await published(maker)
    token = (await sign_up(world, "ada")).welcome["token"]
    again = await Client.connect(world, token=token)
    is_deaf = False

    def relay(socket):
        server = socket.connect_to_server()
        server.on_message(lambda message: None if is_deaf else socket.send(message))

    async def is_charged():
        return len((await again.ask("listPurchases")).get("purchases", [])) == 1

    async with browser() as chromium:
        ada = await sign_in(await Player.open(chromium, world), "ada")
        await ada.page.route_web_socket(lambda url: True, relay)
        await ada.go("tours", tour)
        await ada.page.reload()
        await ada.live()
        await expect(ada.page.get_by_label("Payment code")).to_be_visible()
        is_deaf = True
        await pay(ada, "card")
        await eventually(is_charged, "the charge")
        kept = f"app.client.store.get(`purchase:${{app.client.core.account}}:{tour}`)"
        assert (await ada.read(kept))["body"]["method"] == "card"
        is_deaf = False
        await ada.page.reload()
        await ada.live()
        await expect(ada.page.get_by_role("button", name="Start the tour")).to_be_visible()
        await ada.holds(
            f"async () => {{ const app = await part('core/app'); return !(await {kept}); }}")
        await ada.page.get_by_role("button", name="Start the tour").press("Enter")
        await expect(ada.page.locator(".run-state")).to_contain_text("On tour")
        assert await is_charged() and len(payments.charged) == 1
        ada.check()
