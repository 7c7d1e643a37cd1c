"""Two people and a third on the page: accounts, friends, a sub-realm, and what each sees of it (PLC, FRD, SUB, RCT)."""

import pytest

from playing import Player, browser, expect


async def friends(one, other, name):
    """`one` asks `other`, whose name is `name`, and `other` accepts."""
    await one.go("profile", "friends")
    await one.page.locator("input[name=prefix]").fill(name)
    await one.page.locator("button[type=submit]").click()
    await one.page.get_by_role("button", name="Ask to be friends").click()
    await other.go("profile", "friends")
    await other.page.get_by_role("button", name="Accept").click()
    await expect(other.page.get_by_role("button", name="End friendship")).to_be_visible()


async def share_a_realm(one, other, name):
    """Both become friends, are in the sub-realm Garden of `one`, and have selected it on the map."""
    await friends(one, other, name)
    await one.go("profile", "realms")
    await one.page.locator("input[name=name]").fill("Garden")
    await one.page.get_by_role("button", name="Create").click()
    await one.page.get_by_role("button", name="Add at once").click()
    await expect(one.page.locator("[data-account]").filter(has_text=name).first).to_be_visible()
    for person in (one, other):
        await person.go("map")
        await person.select_realm("Garden")


@pytest.mark.seconds(120)
async def test_friendsInASubRealm_placeEditReactRemove_andAThirdSeesNothing(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        ben = await (await Player.open(chromium, world)).sign_up("ben")
        eve = await (await Player.open(chromium, world)).sign_up("eve")
        for one in (ada, ben, eve):
            await one.ready()
        await share_a_realm(ada, ben, "ben")
        await ada.place("preset:heart", text="For us")
        await expect(ben.page.locator(".mark-box[aria-label*='For us']")).to_be_visible()
        assert await ben.in_list() == ["Heart: For us"]
        place = "view.items().map(({ place }) => [place.lat, place.lon, place.h])"
        assert await ada.read(place) == await ben.read(place)
        # In the Realm, too, at the same place.
        await ben.go("realm")
        await expect(ben.page.locator(".label").filter(has_text="For us")).to_be_visible()
        # Ben reacts, Ada sees the total.
        await ben.page.locator(".label").filter(has_text="For us").click()
        await ben.page.locator("[data-reaction=love]").click()
        await expect(ben.page.locator("[data-reaction=love]")).to_have_attribute("aria-pressed", "true")
        await ada.page.locator(".mark-box[aria-label*='For us']").click()
        await expect(ada.page.locator("[data-reaction=love] .count")).to_have_text("1")
        # Ada edits it, and Ben sees it.
        await ada.page.locator(".details").get_by_role("button", name="Edit").click()
        await ada.page.locator(".editor textarea").fill("For both of us")
        await ada.page.locator(".editor button[type=submit]").click()
        await expect(ben.page.locator("blockquote")).to_have_text("For both of us")
        # Eve sees nothing of all that.
        assert await eve.in_list() == []
        await ada.page.locator(".mark-box[aria-label*='For both']").click()
        await ada.page.locator(".details").get_by_role("button", name="Remove").click()
        await ada.page.locator("dialog").get_by_role("button", name="Remove").click()
        await expect(ben.page.locator(".label").filter(has_text="For both")).to_have_count(0)
        assert await ben.read("view.items().length") == 0
        for one in (ada, ben, eve):
            one.check()


async def test_aStack_isBrowsedOneByOne(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.place("preset:star", text="below")
        await ada.place("preset:heart", text="above")
        await ada.page.keyboard.press("l")
        await ada.page.locator("#list-body .line").first.click()
        first = await ada.page.locator("blockquote").inner_text()
        await ada.page.locator("[data-also]").click()
        await expect(ada.page.locator("blockquote")).not_to_have_text(first)
        ada.check()


async def test_blockedPerson_isNoLongerFound(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ben = await (await Player.open(chromium, world)).by_name("ben")
        await friends(ada, ben, "ben")
        await ben.page.get_by_role("button", name="Block").click()
        await ben.page.locator("dialog").get_by_role("button", name="Block").click()
        await expect(ben.page.get_by_role("button", name="Unblock")).to_be_visible()
        await ada.go("profile", "friends")
        await ada.page.locator("input[name=prefix]").fill("ben")
        await ada.page.locator("button[type=submit]").click()
        await expect(ada.page.get_by_text("Nothing found.")).to_be_visible()
        ada.check(), ben.check()


async def test_hostileNamesAndTexts_areOnlyText(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        text = "<img src=x onerror=\"document.title='gone'\"><b>bold</b>"
        await ada.place("preset:star", text=text)
        await ada.page.locator(".mark-box").first.click()
        await expect(ada.page.locator("blockquote")).to_have_text(text)
        await ada.go("realm")
        await expect(ada.page.locator(".label").first).to_contain_text("<img")
        # The same as the name of a sub-realm and as a post.
        await ada.go("profile", "realms")
        name = "<img src=x onerror=\"document.title='gone'\">"
        await ada.page.locator("input[name=name]").fill(name)
        # A list that is empty is nothing, and no word of the program.
        await expect(ada.page.get_by_text("false")).to_have_count(0)
        await ada.page.get_by_role("button", name="Create").click()
        # Its page is there, which the sheet behind the pill would not outlast.
        await expect(ada.page.get_by_role("button", name="Show what is in it")).to_be_visible()
        await ada.page.locator("#pill").click()
        await expect(ada.page.locator("#sheet .line-title").filter(has_text="<img")).to_have_text(name)
        await ada.page.keyboard.press("Escape")
        await ada.go("map")
        await ada.page.locator("#add").click()
        await ada.page.get_by_role("button", name="Write a post here").click()
        await ada.page.locator("#sheet textarea").fill(text)
        await ada.page.locator("#sheet button[type=submit]").click()
        await ada.page.locator(".mark.post, .mark.group").first.click()
        await ada.page.locator("#sheet .line").filter(has_text="Post").or_(ada.page.locator(".details")).first.click()
        await expect(ada.page.locator(".details")).to_contain_text(text)
        assert await ada.page.locator("img[src=x]").count() == 0
        assert "gone" not in await ada.page.title()
        ada.check()


async def test_objectsOfOtherKinds_areAPlainShape_andNothingIsFetched(world):
    """The protocol has no models; what a later server may name as one is drawn as a shape of the page's own."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        for number in range(3):
            await ada.place("preset:star", text=str(number))
        await ada.go("realm")
        await ada.page.wait_for_function("() => document.getElementById('realm').scene?.plane")
        asked = len(ada.asked)
        await ada.page.evaluate(
            """async () => {
                const [{ client }, { changed }] = await Promise.all(
                    ['core/app', 'core/view'].map(name => part(name)));
                const objects = ['https://evil.example/x.glb', 'asset:../../etc/passwd.gltf', '__proto__'];
                client.view.instances.forEach((instance, n) => { instance.object = objects[n]; });
                changed();
            }""")
        await ada.page.wait_for_function(
            "() => document.getElementById('realm').scene.instances.meshes.get('around other')?.count === 3")
        await ada.go("map")
        await expect(ada.page.locator(".mark-count")).to_have_text("3")
        assert len(await ada.in_list()) == 3
        assert ada.asked[asked:] == [url for url in ada.asked[asked:] if url.startswith(world.http + "/play/")]
        ada.check()
