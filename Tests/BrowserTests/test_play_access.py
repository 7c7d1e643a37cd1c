"""The page for everybody: keyboard alone in the list, narrow pages, large text, what is always on the screen. What axe
says is in test_play_axe.py."""

import pytest

from playing import Player, browser, expect


@pytest.mark.seconds(120)
async def test_keyboardAlone_placesEditsReactsAndRemoves(world):
    """Everything by keys, in the list: the pointer is never used after the sign-up."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.ready()
        keys = ada.page.keyboard

        async def to(locator):
            """Tabs until the element has the focus."""
            for _ in range(60):
                if await locator.evaluate("element => element === document.activeElement"):
                    return
                await keys.press("Tab")
            raise AssertionError(f"not reached by keys: {locator}")

        await keys.press("n")
        await to(ada.page.locator("[data-object='preset:balloon']"))
        await keys.press("Enter")
        await to(ada.page.get_by_label("Distance"))
        for _ in range(10):
            await keys.press("ArrowRight")
        await to(ada.page.locator(".editor textarea"))
        await keys.type("By keys")
        await to(ada.page.locator(".editor button[type=submit]"))
        await keys.press("Enter")
        await expect(ada.page.locator("#sheet")).to_be_hidden()
        await keys.press("l")
        line = ada.page.locator("#list-body .line").first
        await expect(line).to_contain_text("Balloon: By keys")
        await to(line)
        await keys.press("Enter")
        await to(ada.page.locator("[data-reaction=wow]"))
        await keys.press("Enter")
        await expect(ada.page.locator("[data-reaction=wow]")).to_have_attribute("aria-pressed", "true")
        await to(ada.page.locator(".details").get_by_role("button", name="Edit"))
        await keys.press("Enter")
        await to(ada.page.get_by_label("Size"))
        await keys.press("End")
        await to(ada.page.locator(".editor button[type=submit]"))
        await keys.press("Enter")
        await expect(ada.page.locator("#sheet")).to_be_hidden()
        assert await ada.read("view.items()[0].instance.pose.scale") > 5
        await keys.press("l")
        await to(ada.page.locator("#list-body .line").first)
        await keys.press("Enter")
        await to(ada.page.locator(".details").get_by_role("button", name="Remove"))
        await keys.press("Enter")
        await to(ada.page.locator("dialog").get_by_role("button", name="Remove"))
        await keys.press("Enter")
        await ada.holds(
            "() => part('core/view').then(({ items }) => items().length === 0)")
        ada.check()


async def test_placesAreReached_byMenuKeysAndHistory(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        for key, place in (("1", "realm"), ("4", "profile"), ("2", "map"), ("3", "tours")):
            await ada.page.keyboard.press(key)
            await expect(ada.page.locator("body")).to_have_attribute("data-place", place)
        await ada.page.go_back()
        await expect(ada.page.locator("body")).to_have_attribute("data-place", "map")
        await ada.page.locator("#menu a[data-place=realm]").click()
        await expect(ada.page.locator("#menu a[aria-current]")).to_have_text("3D view")
        # What is no place has a key, too (docs/play.md).
        await ada.page.keyboard.press("2")
        for key, title in (("g", "What is shown"), ("n", "Place something"), ("l", "List")):
            await ada.page.keyboard.press(key)
            await expect(ada.page.locator("#sheet h2")).to_have_text(title)
            await ada.page.keyboard.press("Escape")
        await ada.page.keyboard.press("?")
        await ada.page.wait_for_function("() => location.hash === '#/profile/help'")


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
async def test_permanentControls_takeAtMostATenthOfTheScreen(world, size):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=size)).by_name("ada")
        await ada.ready()
        # What is said does not stay.
        await expect(ada.page.locator(".toast")).to_have_count(0)
        for place in ("map", "realm"):
            await ada.go(place)
            await ada.page.wait_for_timeout(500)
            area = await ada.page.evaluate(
                """() => ['#menu', '#pill', '.map-tools button', '.realm-tools button', '#sheet', '#toasts']
                    .flatMap(one => [...document.querySelectorAll(one)])
                    .map(element => element.getBoundingClientRect())
                    .reduce((sum, { width, height }) => sum + width * height, 0)""")
            assert area <= 0.1 * size[0] * size[1], (place, area / size[0] / size[1])


@pytest.mark.parametrize("size, scale", [((320, 568), 1), ((640, 700), 2)])
async def test_narrowPagesAndLargeText_needNoSidewaysScrolling(world, size, scale):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=size)).by_name("ada")
        await ada.ready()
        await ada.page.evaluate("scale => { document.documentElement.style.fontSize = `${scale * 100}%`; }", scale)
        sections = [("profile", one) for one in ("settings", "realms", "me")]
        for parts in (("map",), ("profile",), *sections, ("tours",)):
            await ada.go(*parts)
            await ada.page.wait_for_timeout(300)
            wide = await ada.page.evaluate(
                """() => ['page', 'sheet', 'menu'].map(id => document.getElementById(id))
                    .filter(element => element.scrollWidth > element.clientWidth + 1).map(({ id }) => id)""")
            assert wide == [], parts
        await ada.go("map")
        await ada.page.locator("#add").click()
        await ada.page.locator("[data-object]").first.click()
        assert await ada.page.locator("#sheet").evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
        ada.check()


async def test_settings_countAtOnceAndOnTheOtherDevice(world):
    async with browser() as chromium:
        phone = await (await Player.open(chromium, world)).sign_up("ada")
        laptop = await (await Player.open(chromium, world)).live()
        await laptop.go("profile", "signin")
        await laptop.page.locator("input[name=login]").fill("ada")
        await laptop.page.locator("input[name=password]").first.fill("Correct-Horse-7")
        await laptop.page.locator("form:has([name=login]) button[type=submit]").click()
        await laptop.ready()
        await phone.go("profile", "settings")
        for key, value, attribute in (
                ("display.theme", "dark", "data-theme"), ("accessibility.contrast", "high", "data-contrast"),
                ("accessibility.textSize", "largest", "data-size")):
            await phone.page.locator(f"select[data-key='{key}']").select_option(value)
            for one in (phone, laptop):
                await expect(one.page.locator("html")).to_have_attribute(attribute, value)
        await phone.page.locator("select[data-key='accessibility.language']").select_option("es")
        for one in (phone, laptop):
            await expect(one.page.locator("#menu a[data-place=map]")).to_contain_text("Mapa")
        await phone.place("preset:heart")
        await phone.go("profile", "settings")
        await phone.page.locator("select[data-key='display.objects']").select_option("off")
        await laptop.holds(
            "() => part('core/view').then(({ items }) => items().length === 0)")
        phone.check(), laptop.check()
