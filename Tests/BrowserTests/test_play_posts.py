"""Posts on the page: written, read, voted on, removed, and how they appear (PST, RCT-3)."""

import re

from playing import PLACE, Player, browser, expect


async def test_post_isWrittenVotedOnAndRemoved(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ben = await (await Player.open(chromium, world)).by_name("ben")
        await ada.ready(), await ben.ready()
        await ada.page.locator("#add").click()
        await ada.page.get_by_role("button", name="Write a post here").click()
        await ada.page.locator("#sheet textarea").fill("Free coffee")
        await ada.page.locator("#sheet button[type=submit]").click()
        await ben.page.locator(".mark-box[aria-label*='Free coffee']").click()
        await ben.page.get_by_role("button", name="Vote up").click()
        await expect(ben.page.locator(".score")).to_have_text("1")
        await ada.page.keyboard.press("l")
        await ada.page.locator("[data-tab=mine]").click()
        await expect(ada.page.locator("#list-body")).to_contain_text("Free coffee")
        await ada.page.locator("[data-tab=trending]").click()
        await ada.page.locator("#list-body .line").first.click()
        await ada.page.locator(".details").get_by_role("button", name="Remove").click()
        await ada.page.locator("dialog").get_by_role("button", name="Remove").click()
        await expect(ben.page.locator(".mark-box[aria-label*='Free coffee']")).to_have_count(0)
        ada.check(), ben.check()


async def test_bubble_floatsOnceWhenMade_andNotWhereThePageIsStill(world):
    """On the map and in the Realm of others; not for a person with reduced motion, and not again on another view."""
    watch = """
        window.floated = [];
        addEventListener('animationend', event => {
            if (event.animationName === 'float') floated.push(event.target.classList[0]);
        });
        addEventListener('animationstart', event => { window.isFloating ||= event.animationName === 'float'; });
    """
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ben = await (await Player.open(chromium, world, script=watch)).by_name("ben")
        # South of it: the eye of the Realm looks north.
        south = (PLACE[0] - 0.00009, PLACE[1])
        cem = await (await Player.open(chromium, world, at=south, script=watch)).by_name("cem")
        dee = await (await Player.open(chromium, world, script=watch, reduced_motion="reduce")).by_name("dee")
        for player in (ada, ben, cem, dee):
            await player.ready()
        await cem.go("realm")
        await ada.page.locator("#add").click()
        await ada.page.get_by_role("button", name="Write a post here").click()
        await ada.page.locator("#sheet textarea").fill("Free coffee")
        await ada.page.locator("#sheet button[type=submit]").click()
        await ben.page.wait_for_function("() => floated.length > 0")
        await cem.page.wait_for_function("() => floated.includes('label')")
        await expect(dee.page.locator(".mark-box[aria-label*='Free coffee']")).to_be_visible()
        assert not await dee.page.evaluate("() => window.isFloating")
        assert await ben.page.evaluate("() => floated") == ["mark"]
        await ben.page.evaluate("() => { window.isFloating = false; }")
        await ben.go("tours")
        await expect(ben.page.locator("#page")).to_be_visible()
        await ben.go("map")
        await expect(ben.page.locator(".mark-box[aria-label*='Free coffee']")).to_be_visible()
        await ben.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert not await ben.page.evaluate("() => window.isFloating")
        for player in (ada, ben, cem, dee):
            player.check()


async def test_post_isReadOnTheWholeOfASmallScreen(world):
    """By keys from the list: nothing of the map is reached behind it, and Escape gives the map back."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=(360, 640))).by_name("ada")
        await ada.ready()
        await ada.page.locator("#add").click()
        await ada.page.get_by_role("button", name="Write a post here").click()
        await ada.page.locator("#sheet textarea").fill("Free coffee")
        await ada.page.locator("#sheet button[type=submit]").click()
        mark = ada.page.locator(".mark-box[aria-label*='Free coffee']")
        await mark.focus()
        await ada.page.keyboard.press("Enter")
        await expect(ada.page.locator("#sheet blockquote")).to_have_text("Free coffee")
        # A message is above it, and never over its heading; without one it begins below what is shown.
        said = ada.page.locator(".toast").filter(has_text="Posted.")
        if await said.count():
            message, sheet = [await ada.page.locator(one).bounding_box() for one in ("#toasts", "#sheet")]
            assert message["y"] + message["height"] <= sheet["y"]
            await said.get_by_role("button", name="Close").evaluate("button => button.click()")
            await expect(said).to_have_count(0)
        await ada.holds("() => document.getElementById('sheet').getBoundingClientRect().y <= 50")
        sheet, menu = [await ada.page.locator(one).bounding_box() for one in ("#sheet", "#menu")]
        assert (sheet["x"], sheet["width"]) == (0, 360)
        assert sheet["y"] <= 50 and abs(sheet["y"] + sheet["height"] - menu["y"]) <= 1
        await expect(ada.page.locator("#pill")).to_be_visible()
        await expect(ada.page.locator("#map")).not_to_be_visible()
        assert await ada.violations() == []
        await ada.page.keyboard.press("Escape")
        await expect(mark).to_be_visible()
        await expect(mark).to_be_focused()
        # On a wide one it stays beside the map.
        await ada.page.set_viewport_size({"width": 900, "height": 700})
        await mark.focus()
        await ada.page.keyboard.press("Enter")
        await expect(ada.page.locator("#sheet blockquote")).to_be_visible()
        await expect(ada.page.locator("#map")).to_be_visible()
        ada.check()


async def finger(player, x, y, *steps, lift=True):
    """A finger that is put down and drawn along these steps, by the browser's own touch input."""
    devtools = await player.page.context.new_cdp_session(player.page)

    async def touch(kind, *points):
        await devtools.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": one, "y": other} for one, other in points]})

    await touch("touchStart", (x, y))
    for across, down in steps:
        for part in range(1, 9):
            await touch("touchMove", (x + across * part / 8, y + down * part / 8))
        x, y = x + across, y + down
    # It rests: after a fling the browser takes the next tap for what stops it.
    await player.page.wait_for_timeout(200)
    await touch("touchMove", (x, y))
    if lift:
        await touch("touchEnd")
    return touch


async def middle(locator):
    box = await locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def test_ownPost_isSwipedAway_andNobodyElses(world):
    """With a finger, after a question; scrolling, a short swipe and a tap do something else, and a swipe is no tap."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=(400, 800), has_touch=True)).by_name("ada")
        ben = await (await Player.open(chromium, world, size=(400, 800), has_touch=True)).by_name("ben")
        await ada.ready(), await ben.ready()
        for number in range(2):
            await ada.page.locator("#add").click()
            await ada.page.get_by_role("button", name="Write a post here").click()
            await ada.page.locator("#sheet textarea").fill(f"Coffee {number}")
            await ada.page.locator("#sheet button[type=submit]").click()
        # Both were written in one place.
        both = ben.page.locator(".mark-box[aria-label*='Coffee 0'][aria-label*='Coffee 1']")
        await expect(both).to_have_count(1)
        await ada.page.keyboard.press("l")
        line = ada.page.locator("#list-body li", has_text="Coffee 0")
        ask = ada.page.locator("dialog")
        # Too short, or up and down: nothing.
        x, y = await middle(line)
        await finger(ada, x, y, (-60, 0))
        await finger(ada, x, y, (0, -80), (-150, 0))
        await expect(ask).to_have_count(0)
        await expect(ada.page.locator("#list-body")).to_be_visible()
        assert await line.evaluate("line => line.style.translate") == ""
        # Far enough: it asks, and "cancel" brings the line back.
        x, y = await middle(line)
        touch = await finger(ada, x + 60, y, (-200, 8), lift=False)
        await expect(line).to_have_class(re.compile("far-aside"))
        await touch("touchEnd")
        await expect(ask).to_contain_text("Coffee 0")
        await ask.get_by_role("button", name="Cancel").tap()
        await expect(both).to_have_count(1)
        await expect(ada.page.locator("#list-body")).to_be_visible()
        await finger(ada, x - 60, y, (200, 0))
        await ask.get_by_role("button", name="Remove").tap()
        await expect(both).to_have_count(0)
        await expect(ben.page.locator(".mark-box[aria-label*='Coffee 1']")).to_have_count(1)
        await expect(line).to_have_count(0)
        # On the own posts, too, and the button is still there.
        await ada.page.locator("[data-tab=mine]").click()
        other = ada.page.locator("#list-body li", has_text="Coffee 1")
        x, y = await middle(other)
        await finger(ada, x + 60, y, (-200, 0))
        await ask.get_by_role("button", name="Cancel").tap()
        await expect(other).not_to_have_class(re.compile("far-aside"))
        await ada.page.touchscreen.tap(x, y)
        await expect(ada.page.locator(".details").get_by_role("button", name="Remove")).to_be_visible()
        # Ben swipes Ada's: nothing but his own look at it.
        await ben.page.keyboard.press("l")
        x, y = await middle(ben.page.locator("#list-body li", has_text="Coffee 1"))
        await finger(ben, x + 60, y, (-200, 0))
        await expect(ben.page.locator("dialog")).to_have_count(0)
        await expect(ben.page.locator(".mark-box[aria-label*='Coffee 1']")).to_have_count(1)
        ada.check(), ben.check()


async def test_ownPost_thatIsOutOfView_isOpenedAndRemovedByButton(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.page.locator("#add").click()
        await ada.page.get_by_role("button", name="Write a post").click()
        await ada.page.locator("#sheet textarea").fill("Left behind")
        await ada.page.locator("#sheet button[type=submit]").click()
        await expect(ada.page.locator(".mark-box[aria-label*='Left behind']")).to_be_visible()
        await ada.page.evaluate(
            "() => part('core/place').then(({ setPlace }) => setPlace({ lat: 46, lon: 8 }))")
        await ada.holds("() => part('core/view').then(({ items }) => items().length === 0)")
        await ada.page.keyboard.press("l")
        await ada.page.get_by_role("button", name="My posts").click()
        await ada.page.locator("#list-body .line").click()
        await expect(ada.page.locator(".details")).to_contain_text("Left behind")
        await ada.page.locator(".details").get_by_role("button", name="Remove").click()
        await ada.page.locator("dialog").get_by_role("button", name="Remove").click()
        await expect(ada.page.locator(".toast").filter(has_text="Removed.")).to_be_visible()
        ada.check()
