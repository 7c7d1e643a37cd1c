"""What a form says before it asks the server, and what the page says where there is nothing to show or to keep."""

from playing import Player, browser, expect
from test_play_tours import maker, sign_in

#: One character to a reader, eight units of UTF-16.
FAMILY = "\U0001F468\u200d\U0001F469\u200d\U0001F467"

#: As a browser that refuses to keep anything.
REFUSES = """Object.defineProperty(window, "indexedDB", { value: {
    open() { throw new DOMException("The operation is insecure.", "SecurityError"); } } });"""


async def test_aText_mayBeAsLongAsReadersCountIt(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.go("profile", "me")
        field = ada.page.locator("input[name=status]")
        form = ada.page.locator("form", has=field)
        await field.fill(FAMILY * 141)
        await form.locator("button[type=submit]").click()
        await expect(form.get_by_role("alert")).to_contain_text("141 characters, and 140 at most.")
        await expect(field).to_be_focused()
        await field.fill(FAMILY * 140)
        await form.locator("button[type=submit]").click()
        await expect(form.get_by_role("alert")).to_have_count(0)
        await expect(form.locator(".done")).not_to_be_empty()
        await ada.page.reload()
        await expect(field).to_have_value(FAMILY * 140)
        ada.check()


async def test_aPrice_isTypedAsPeopleWriteIt(start):
    world = start(accounts__open="false", accounts__signUpsPerHour=1000)
    await maker(world)
    async with browser() as chromium:
        mia = await sign_in(await Player.open(chromium, world), "mia")
        await mia.go("tours", "edit", "new")
        form = mia.page.locator("form", has=mia.page.locator("[name=price]"))
        await form.locator("[name=name]").fill("The walls")
        await form.locator("[name=description]").fill("Along the walls")
        # What is no number is no price of 0 either.
        for price in ("-3", "1e3", "1-2", "12.50"):
            await form.locator("[name=price]").fill(price)
            await form.get_by_role("button", name="Save").click()
            await expect(form.get_by_role("alert")).to_contain_text("Write the price like CA$4.50")
            await expect(form.locator("[name=price]")).to_be_focused()
        await form.locator("[name=price]").fill("9,50 $")
        await form.get_by_role("button", name="Save").click()
        await mia.page.wait_for_function("() => !location.hash.endsWith('/new')")
        await expect(mia.page.locator("#page .card .quiet").first).to_contain_text("CA$9.50")
        # On the server: until then the draft on this device has it as it was typed.
        await mia.page.wait_for_function("() => !Object.values(localStorage).some((text) => text.includes('9,50'))")
        await mia.page.reload()
        await expect(mia.page.locator("[name=price]")).to_have_value("9.50")
        mia.check()


async def test_whereNoTourIsWalked_thatIsSaid(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.go("tours", "run")
        await expect(ada.page.locator("#page")).to_contain_text("You are on no tour now.")
        await expect(ada.page.locator("#page [role=alert]")).to_have_count(0)
        ada.check()


async def test_aBrowserThatKeepsNothing_isCalledSo_andOneSignsOutThere(world):
    async with browser() as chromium:
        ada = await Player.open(chromium, world, script=REFUSES)
        await ada.live()
        await expect(ada.page.locator("#toasts")).to_be_empty()
        await ada.by_name("ada")
        await expect(ada.page.locator("#toasts")).to_contain_text("When you close or reload it, you sign in again")
        await ada.ready()
        await ada.place("preset:heart")
        await ada.go("profile")
        await ada.page.get_by_role("button", name="Sign out").click()
        await expect(ada.page.get_by_role("link", name="Sign in").first).to_be_visible()
        ada.check()
