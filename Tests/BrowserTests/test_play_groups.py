"""Groups on tours on the page: opened, joined by the code, seen, led, left and ended (TRM-11)."""

import pytest

from accounts import MANY, sign_up
from playing import Player, browser, expect
from test_runs import WALKING, tour_of
from test_tours import makers, point


@pytest.fixture
def world(start):
    return start(accounts__open="false", **WALKING, **MANY)


async def people(world, *names, popups=()):
    """A tour of two stops, its maker, and walkers whose names everybody may know."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100, 200, popups=popups)
    for name in names:
        one = await sign_up(world, name)
        await one.ask("editProfile", {"interactionsVisibleTo": "everyone"})
        await one.close()
    await ada.close()
    return tour


async def arrive(chromium, world, name, *permissions, script=None):
    """A person with a page at the start of the tour, who shares their position."""
    here = point(0)
    player = await Player.open(chromium, world, at=(here["lat"], here["lon"]), path="#/profile", script=script,
                               permissions=["clipboard-read", "clipboard-write", *permissions])
    await player.sign_in(name)
    await player.read("app.client.saveSettings({ 'privacy.sharePosition': 'on' })")
    return player


async def start_tour(player, tour):
    await player.go("tours", tour)
    await player.page.get_by_role("button", name="Start the tour").click()
    await expect(player.page.locator("#page h2").first).to_have_text("Next: Stop 0")


async def stand(player, north):
    """Stands somewhere for as long as it takes to count, and for a group to be told, which is every 2 s."""
    for _ in range(10):
        await player.page.evaluate(
            "here => part('core/place').then(({ setPlace }) => setPlace(here))", point(north))
        await player.page.wait_for_timeout(250)


def line(player, name):
    """The line of a member in the group's list."""
    return player.page.locator(".group .person").filter(has_text=name)


async def join(player, code):
    """By keyboard alone."""
    field = player.page.locator(".group input[name=code]")
    await field.focus()
    await field.press("Control+a")
    await player.page.keyboard.type(code)
    await player.page.keyboard.press("Enter")


async def opened(player):
    """Opens a group and shows one's place in it; returns the code."""
    await player.page.get_by_label("The group sees where I am").check()
    await player.page.get_by_role("button", name="Open a group").click()
    return await player.page.locator(".group-code").inner_text()


@pytest.mark.seconds(240)
async def test_group_isOpenedJoinedSeenLedAndEnded(world):
    tour = await people(world, "eve", "bob")
    async with browser() as chromium:
        eve, bob = [await arrive(chromium, world, name) for name in ("eve", "bob")]
        await start_tour(eve, tour), await start_tour(bob, tour)
        # A code that nobody has is refused, with what mends it.
        await join(bob, "AAAAAAAA")
        refused = bob.page.locator(".group .refusal")
        await expect(refused).to_have_attribute("data-code", "not_found")
        await expect(refused).to_contain_text("Check the code")
        code = await opened(eve)
        await eve.page.get_by_role("button", name="Copy the code").click()
        await eve.holds("async code => await navigator.clipboard.readText() === code", code)
        await join(bob, code.lower())
        # Each sees the other, and at which stop.
        await expect(line(eve, "You")).to_contain_text("guides · 0 of 2 stops")
        await expect(line(eve, "bob")).to_contain_text("0 of 2 stops")
        await expect(line(bob, "eve")).to_contain_text("guides")
        await expect(bob.page.locator(".group-code")).to_have_count(0)
        await stand(bob, 100)
        await expect(line(eve, "bob")).to_contain_text("1 of 2 stops")
        # Places by consent alone: the guide's is known, the follower's after the switch.
        await stand(eve, 10)
        await expect(line(bob, "eve")).to_contain_text("m, south")
        assert await eve.violations() == [] and await bob.violations() == []
        await bob.page.get_by_role("button", name="Show on the map").click()
        await expect(bob.page.locator(".mark-box[aria-label*='eve'] .mark.fellow.guide")).to_be_visible()
        await eve.page.get_by_role("button", name="Show on the map").click()
        # The second stop is beyond the edge of the picture.
        await eve.page.get_by_role("button", name="Zoom out").click()
        await expect(eve.page.locator(".mark.stop")).to_have_count(2)
        await expect(eve.page.locator(".mark-box[aria-label*='bob']")).to_have_count(0)
        await bob.go("tours", "run")
        consent = bob.page.get_by_label("The group sees where I am")
        await consent.check()
        await stand(bob, 110)
        await expect(eve.page.locator(".mark-box[aria-label*='bob']")).to_be_visible()
        assert await eve.violations() == []
        await consent.uncheck()
        await expect(eve.page.locator(".mark-box[aria-label*='bob']")).to_have_count(0)
        # The guide leads all back to the first stop.
        await expect(bob.page.locator("#page h2").first).to_have_text("Next: Stop 1")
        await eve.go("tours", "run")
        await eve.page.get_by_label("Lead everybody to").select_option(label="Stop 0")
        await eve.page.get_by_role("button", name="Lead there").click()
        await expect(bob.page.locator(".group")).to_contain_text("The guide leads to: Stop 0")
        await expect(bob.page.locator("#page h2").first).to_have_text("Next: Stop 0")
        # A reload changes nothing; the guide ends it, and the run goes on.
        await bob.page.reload()
        await bob.live()
        await expect(line(bob, "eve")).to_contain_text("guides")
        await eve.page.get_by_role("button", name="End the group").click()
        await eve.page.locator("dialog").get_by_role("button", name="End the group").click()
        await expect(bob.page.locator("#toasts")).to_contain_text("You are in the group no longer.")
        await expect(bob.page.get_by_role("button", name="Open a group")).to_be_visible()
        await expect(bob.page.locator(".run-state")).to_have_text("On tour")
        await expect(bob.page.locator("#page h2").first).to_have_text("Next: Stop 1")
        eve.check(), bob.check()


@pytest.mark.seconds(180)
async def test_group_isGuidedWithoutARun_andLeft(world):
    tour = await people(world, "bob")
    async with browser() as chromium:
        ada, bob = [await arrive(chromium, world, name) for name in ("ada", "bob")]
        await ada.go("tours", tour)
        code = await opened(ada)
        # Consent to the group alone shows nothing: the page says what else it takes.
        await ada.read("app.client.saveSettings({ 'privacy.sharePosition': 'off' })")
        await expect(ada.page.locator(".group .far")).to_contain_text("Share where I am")
        await ada.read("app.client.saveSettings({ 'privacy.sharePosition': 'on' })")
        await expect(ada.page.locator(".group .far")).to_be_hidden()
        await start_tour(bob, tour)
        await join(bob, code)
        await expect(line(ada, "bob")).to_contain_text("0 of 2 stops")
        await ada.page.get_by_label("Lead everybody to").select_option(label="Stop 1")
        await ada.page.get_by_role("button", name="Lead there").click()
        await expect(bob.page.locator(".group")).to_contain_text("The guide leads to: Stop 1")
        await ada.page.reload()
        await ada.live()
        await expect(line(ada, "bob")).to_be_visible()
        await ada.page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
        assert await ada.violations() == []
        await bob.page.get_by_role("button", name="Leave the group").click()
        await expect(bob.page.get_by_role("button", name="Open a group")).to_be_visible()
        await expect(line(ada, "bob")).to_have_count(0)
        assert "no longer" not in await bob.page.locator("#toasts").inner_text()
        ada.check(), bob.check()
