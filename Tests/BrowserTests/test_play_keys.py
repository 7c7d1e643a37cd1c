"""Two people and a third by keyboard alone and in the list alone (ACS-2): Realm and map are never looked at."""

import pytest

from keys import Keys
from playing import Player, browser, expect


@pytest.mark.seconds(240)
async def test_keyboardAndListAlone_friendsInASubRealm(world):
    async with browser() as chromium:
        people = [await Player.open(chromium, world) for _ in range(3)]
        ada, ben, eve = (Keys(one) for one in people)
        for keys, name in ((ada, "ada"), (ben, "ben"), (eve, "eve")):
            await keys.sign_up(name)
        # Friends.
        await ada.section("friends")
        await ada.fill(ada.page.locator("input[name=prefix]"), "ben")
        await ada.press("Enter")
        await ada.use(ada.page.get_by_role("button", name="Ask to be friends"))
        await ben.section("friends")
        await ben.use(ben.page.get_by_role("button", name="Accept"))
        await expect(ben.page.get_by_role("button", name="End friendship")).to_be_visible()
        # A sub-realm with both in it.
        await ada.section("realms")
        await ada.fill(ada.page.locator("input[name=name]"), "Garden")
        await ada.use(ada.page.get_by_role("button", name="Create"))
        await ada.use(ada.page.get_by_role("button", name="Add", exact=True))
        await expect(ada.page.locator("[data-account]").filter(has_text="ben").first).to_be_visible()
        for keys in (ada, ben):
            await keys.press("2")
            await keys.select_realm("Garden")
            await expect(keys.page.locator("#pill")).to_contain_text("Garden")
            await keys.player.ready()
        # Ada places, Ben finds it in the list, opens it and reacts.
        await ada.press("n")
        await ada.use(ada.page.locator("[data-object='preset:heart']"))
        await ada.to(ada.page.locator(".editor textarea"))
        await ada.type("For us")
        await ada.use(ada.page.locator(".editor button[type=submit]"))
        await ben.line("For us")
        await ben.use(ben.page.locator("[data-reaction=love]"))
        await expect(ben.page.locator("[data-reaction=love]")).to_have_attribute("aria-pressed", "true")
        # Ada sees the reaction and edits what is written; Ben sees it.
        await ada.line("For us")
        await expect(ada.page.locator("[data-reaction=love] .count")).to_have_text("1")
        await ada.use(ada.page.locator(".details").get_by_role("button", name="Edit"))
        await ada.fill(ada.page.locator(".editor textarea"), "For both of us")
        await ada.use(ada.page.locator(".editor button[type=submit]"))
        await expect(ben.page.locator("blockquote")).to_have_text("For both of us")
        # Eve's list has nothing of it.
        await eve.press("2")
        assert await eve.player.in_list() == []
        # Ada removes it, and it is gone from Ben's list.
        await ada.line("For both of us")
        await ada.use(ada.page.locator(".details").get_by_role("button", name="Remove"))
        await ada.use(ada.page.locator("dialog").get_by_role("button", name="Remove"))
        await ben.player.holds("() => part('core/view').then(({ items }) => items().length === 0)")
        await ben.press("Escape")
        assert await ben.player.in_list() == []
        for one in people:
            one.check()


async def test_theFocusStays_whereSomethingIsDrawnAnew(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.page.evaluate(
            """() => part('core/app')
                .then(({ client }) => client.request('createRealm', { name: 'Nest' }))""")
        await ada.go("profile", "realms")
        line = ada.page.locator("[data-realm]")
        await line.get_by_role("button", name="Show").focus()
        await ada.page.keyboard.press("Enter")
        await expect(ada.page.locator("#pill")).to_contain_text("Nest")
        await ada.holds("() => document.activeElement.closest('[data-realm]') !== null")
        ada.check()


async def test_anAccountWithoutAPassword_isToldWhereToSetOne(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        for section in ("email", "codes"):
            await ada.go("profile", section)
            await expect(ada.page.locator("#page")).to_contain_text("Your account has no password yet.")
            await expect(ada.page.locator("#page a[href='#/profile/password']")).to_be_visible()
        ada.check()


async def test_whatIsTyped_staysWhenThePageIsDrawnAnew(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        realm = await ada.page.evaluate("""() => part('core/app')
            .then(({ client }) => client.request('createRealm', { name: 'Nest' })).then(({ id }) => id)""")
        await ada.go("profile", "realms", realm)
        about = ada.page.locator("textarea[name=description]")
        await about.fill("Half a sent")
        await ada.page.locator("#page h2").first.focus()
        await ada.page.evaluate("""() => part('core/app')
            .then(({ client }) => client.emit('notified', { notifications: [], unread: 0 }))""")
        await ada.page.evaluate("""() => part('core/app')
            .then(({ client }) => client.request('listFriends'))""")
        await expect(about).to_have_value("Half a sent")
        ada.check()
