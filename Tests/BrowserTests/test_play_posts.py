"""Posts on the page: written, read, voted on, removed, and how they appear (PST, RCT-3)."""

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
    """On the map and in the Realm of others; not for somebody with reduced motion, and not again on another view."""
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
