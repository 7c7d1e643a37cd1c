"""The browser's Back: it closes what lies over the page before it leaves the place."""

from playing import Player, browser, expect


async def on_the_map(chromium, world):
    """A person who came from the page Tours, with one thing in view."""
    ada = await (await Player.open(chromium, world)).by_name("ada")
    await ada.ready()
    await ada.place("preset:heart")
    await ada.go("tours")
    await expect(ada.page.locator("body")).to_have_attribute("data-place", "tours")
    await ada.page.locator("#menu a[data-place=map]").click()
    await expect(ada.page.locator("body")).to_have_attribute("data-place", "map")
    return ada


async def test_back_closesTheSheet_thenLeavesThePlace(world):
    async with browser() as chromium:
        ada = await on_the_map(chromium, world)
        sheet, body = ada.page.locator("#sheet"), ada.page.locator("body")
        await ada.page.keyboard.press("l")
        await ada.page.locator("#list-body .line").first.click()
        await expect(ada.page.locator("#sheet .details")).to_be_visible()
        # The thing lay over the list.
        await ada.page.go_back()
        await expect(ada.page.locator("#list-body")).to_be_visible()
        await ada.page.go_back()
        await expect(sheet).to_be_hidden()
        await expect(body).to_have_attribute("data-place", "map")
        await ada.page.go_back()
        await expect(body).to_have_attribute("data-place", "tours")
        # Forward comes back to the map, and to no sheet.
        await ada.page.go_forward()
        await expect(body).to_have_attribute("data-place", "map")
        await expect(sheet).to_be_hidden()
        ada.check()


async def test_back_isNotSpent_onASheetThatItsButtonHasClosed(world):
    async with browser() as chromium:
        ada = await on_the_map(chromium, world)
        sheet, body = ada.page.locator("#sheet"), ada.page.locator("body")
        for _ in range(3):
            await ada.page.keyboard.press("l")
            await expect(sheet).to_be_visible()
            await sheet.get_by_role("button", name="Close").click()
            await expect(sheet).to_be_hidden()
        await ada.page.go_back()
        await expect(body).to_have_attribute("data-place", "tours")
        ada.check()


async def test_list_isThereAgain_afterAThingThatWasOpenedFromIt(world):
    async with browser() as chromium:
        ada = await on_the_map(chromium, world)
        sheet, body = ada.page.locator("#sheet"), ada.page.locator("body")
        await ada.page.keyboard.press("l")
        line = ada.page.locator("#list-body .line").first
        for close in ("button", "Escape"):
            await line.click()
            await expect(ada.page.locator("#sheet .details")).to_be_visible()
            if close == "button":
                await sheet.get_by_role("button", name="Close").click()
            else:
                await ada.page.keyboard.press("Escape")
            await expect(line).to_be_focused()
        await ada.page.keyboard.press("Escape")
        await expect(sheet).to_be_hidden()
        # A thing that was not opened from the list closes alone.
        await ada.page.locator("#map .mark-box:has(.mark.thing)").first.click()
        await expect(ada.page.locator("#sheet .details")).to_be_visible()
        await ada.page.keyboard.press("Escape")
        await expect(sheet).to_be_hidden()
        await ada.page.go_back()
        await expect(body).to_have_attribute("data-place", "tours")
        ada.check()


async def test_back_comesToTheMapAtOnce_fromWhereASheetLed(world):
    async with browser() as chromium:
        ada = await on_the_map(chromium, world)
        body = ada.page.locator("body")
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="Sub-realms").click()
        await expect(body).to_have_attribute("data-place", "profile")
        await ada.page.go_back()
        await expect(body).to_have_attribute("data-place", "map")
        await expect(ada.page.locator("#sheet")).to_be_hidden()
        await ada.page.go_back()
        await expect(body).to_have_attribute("data-place", "tours")
        ada.check()


async def test_back_answersAQuestionByNo_andClosesTheSheetBelowItNext(world):
    async with browser() as chromium:
        ada = await on_the_map(chromium, world)
        sheet, dialog = ada.page.locator("#sheet"), ada.page.locator("dialog")
        await ada.page.keyboard.press("l")
        await ada.page.locator("#list-body .line").first.click()
        await ada.page.locator(".details").get_by_role("button", name="Remove").click()
        await expect(dialog).to_be_visible()
        await ada.page.go_back()
        await expect(dialog).to_have_count(0)
        await expect(ada.page.locator("#sheet .details")).to_be_visible()
        await ada.page.go_back()
        await expect(ada.page.locator("#list-body")).to_be_visible()
        await ada.page.go_back()
        await expect(sheet).to_be_hidden()
        assert await ada.read("view.items().length") == 1
        ada.check()


async def test_back_closesASheetThatStaysOpen_whereOneGoesWithIt(world):
    async with browser() as chromium:
        ada = await on_the_map(chromium, world)
        sheet, body = ada.page.locator("#sheet"), ada.page.locator("body")
        await ada.page.keyboard.press("l")
        await expect(sheet).to_be_visible()
        await ada.page.keyboard.press("1")
        await expect(body).to_have_attribute("data-place", "realm")
        await expect(sheet).to_be_visible()
        await ada.page.go_back()
        await expect(sheet).to_be_hidden()
        await expect(body).to_have_attribute("data-place", "realm")
        await ada.page.go_back()
        await expect(body).to_have_attribute("data-place", "map")
        ada.check()
