"""Two people and a third by keyboard alone and in the list alone (ACS-2): Realm and map are never looked at."""

import re

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
        await ada.use(ada.page.get_by_role("button", name="Add at once"))
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


#: What has the focus, in the words of a screen reader.
FOCUSED = "() => (document.activeElement.ariaLabel || document.activeElement.textContent).trim()"


@pytest.mark.seconds(180)
async def test_afterAnAction_theFocusIsAtWhatIsShown_andItIsSaid(world):
    async with browser() as chromium:
        ada = await Player.open(chromium, world)
        keys, page = Keys(ada), ada.page

        async def focused(text):
            """What has the focus begins so, by its label or its text."""
            await expect(page.locator(":focus")).to_have_accessible_name(re.compile(f"^{text}"))

        async def said(text):
            await expect(page.locator("#said")).to_contain_text(text)

        await ada.live()
        # A key of the menu leads to the heading; the name alone, sent from there, to the member's page.
        await keys.press("3")
        await focused("Tours")
        await keys.press("4")
        await focused("Welcome to Cairn")
        await keys.fill(page.locator("#page .by-name input"), "ada")
        await keys.press("Enter")
        await expect(page.locator("#page .hello h2")).to_have_text("ada")
        await focused("ada")
        await said("Signed in as ada.")
        # Back from a section.
        await keys.use(page.locator("a[href='#/profile/friends']"))
        await focused("Friends")
        await keys.use(page.locator("a.back"))
        await focused("ada")
        # A sheet that a key has opened is closed: there is nothing to go back to but the heading.
        await keys.press("2")
        await focused("Map")
        await ada.ready()
        await page.evaluate("() => document.activeElement.blur()")
        await keys.press("l")
        await focused("List")
        await said("There is nothing around you.")
        await keys.press("Escape")
        await focused("Map")
        # The skip link leads to the list, which says the same as the map.
        await page.locator("#skip").focus()
        await keys.press("Enter")
        await focused("List")
        await keys.press("Escape")
        await focused("To the list")
        # Signed out.
        await keys.press("4")
        await focused("ada")
        await keys.use(page.get_by_role("button", name="Sign out"))
        await focused("Welcome to Cairn")
        await said("You are signed out.")
        ada.check()


@pytest.mark.seconds(120)
async def test_onTheMap_keysChooseAPlace_andGoFromMarkerToMarker(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        keys, page = Keys(ada), ada.page
        await ada.ready()
        for object, metres in (("heart", 30), ("star", 60), ("flag", 90)):
            await page.evaluate("""([object, metres]) => Promise.all([part('core/app'), part('core/place'),
                part('core/geo')]).then(([{ client }, { own }, { Plane }]) => {
                    const { lat, lon, h } = new Plane(own()).place([metres, 0, 0]);
                    return client.place(`preset:${object}`, { geopose: { position: { lat, lon, h: h ?? 0 },
                        quaternion: { x: 0, y: 0, z: 0, w: 1 } } }, { text: object });
                })""", [object, metres])
        await page.wait_for_function("() => document.querySelectorAll('#map .mark-box').length === 3")
        # One of them is a stop of the Tab key: the nearest. Nothing is read twice.
        stops = page.locator("#map .mark-box[tabindex='0']")
        await expect(stops).to_have_count(1)
        await keys.to(stops)
        order = []
        for _ in range(4):
            order.append(await page.evaluate(FOCUSED))
            await keys.press("ArrowRight")
        assert [one.split(":")[0] for one in order] == ["Heart", "Star", "Flag", "Flag"]
        assert await page.locator("#map .mark-box[title]").count() == 0
        await keys.press("Home")
        await keys.press("Enter")
        await expect(page.locator(".details")).to_be_visible()
        await keys.press("Escape")
        # The place is chosen in the middle of the map, which the arrow keys move.
        before = await ada.read("place.own()")
        await ada.go("map", "choose")
        await expect(page.locator("#map .crosshair")).to_be_visible()
        middle = "() => part('map/map').then(({ mapParts }) => mapParts()).then(({ map }) => map.getCenter())"
        start = await page.evaluate(middle)
        await keys.press("ArrowRight")
        await ada.holds(f"start => ({middle})().then(({{ lng }}) => lng > start.lng)", start)
        await ada.holds("() => part('map/map').then(({ mapParts }) => mapParts())"
                        ".then(({ map }) => !map._panAnim?._inProgress)")
        await keys.press("Enter")
        await expect(page.locator("#map .crosshair")).to_have_count(0)
        after = await ada.read("place.own()")
        assert after["lon"] > before["lon"] and abs(after["lat"] - before["lat"]) < 1e-4, (before, after)
        await expect(page.locator("#said")).to_contain_text("Your place is known now")
        # In the Realm it is said what the keys have come to.
        await ada.go("realm")
        await page.wait_for_function("() => document.querySelector('#realm').scene?.plane")
        await page.locator("#realm").focus()
        await keys.press("Shift+ArrowRight")
        await expect(page.locator("#said")).to_contain_text("You look north")
        ada.check()


@pytest.mark.seconds(120)
async def test_aChoiceByKeys_countsWithEnter_andIsTheSameWhereverItIsShown(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        keys, page = Keys(ada), ada.page
        await ada.ready()
        await ada.go("profile", "settings")
        exactness = page.locator("select[data-key='privacy.accuracy']")
        assert await exactness.locator("option").all_text_contents() == ["To 1 km", "To 100 m", "To 10 m", "Exactly"]
        await expect(exactness).to_have_value("10")
        await exactness.focus()
        await keys.press("ArrowUp")
        await expect(page.locator("#page")).to_contain_text("Enter uses it.")
        assert await ada.read("app.client.settings.get('privacy.accuracy') ?? null") is None
        await keys.press("Enter")
        await expect(page.locator("#page")).to_contain_text("Off. Nobody sees where you are now.")
        await ada.holds("() => part('core/app')"
                        ".then(({ client }) => client.settings.get('privacy.accuracy') === '100')")
        # The language is chosen past others, and its field keeps the focus.
        language = page.locator("select[data-key='accessibility.language']")
        await language.focus()
        for _ in range(3):
            await keys.press("ArrowDown")
        await keys.press("Enter")
        await expect(page.locator("html")).to_have_attribute("lang", "fr")
        await expect(language).to_be_focused()
        await language.select_option("en")
        await expect(page.locator("html")).to_have_attribute("lang", "en")
        # What the sheet behind the pill switches is so in the settings, too.
        shares = page.locator("select[data-key='privacy.sharePosition']")
        await keys.press("2")
        await page.locator("#pill").click()
        await page.locator("#sharing").check()
        await expect(page.locator("#sheet .done")).to_have_text("On. People near by see where you are now (to 100 m).")
        await keys.press("Escape")
        await ada.go("profile", "settings")
        await expect(shares).to_have_value("on")
        await ada.read("app.client.saveSettings({ 'privacy.sharePosition': 'off' })")
        await expect(shares).to_have_value("off")
        ada.check()
