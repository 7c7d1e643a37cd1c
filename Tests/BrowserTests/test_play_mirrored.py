"""Where writing goes from right to left the page is drawn mirrored: a language file says so, or `?dir=rtl`. The map,
and the picture of the Realm with what is in it, stay as the world is."""

import json

import pytest

from looks import Scene, violations
from playing import PLACE, Player, address, browser, expect
from test_play_axe import AROUND, found_realm, settle_in

#: Where parts of the page are, from the side at which lines begin: [begin, end] in pixels.
BOXES = """([selectors, isMirrored]) => selectors.map(selector => {
    const element = document.querySelector(selector);
    if (!element?.checkVisibility()) return [selector, null];
    const { left, right } = element.getBoundingClientRect(), width = innerWidth;
    return [selector, (isMirrored ? [width - right, width - left] : [left, right]).map(Math.round)];
})"""
#: Parts of the page by the scene that shows them.
PARTS = {
    "map": (Scene("map"), ["#menu", "#menu a:first-of-type", "#pill", ".map-tools", "#add"]),
    "thing": (AROUND["a thing"], ["#sheet", "#sheet h2", "#sheet header button", ".details", ".reactions button",
                                  "blockquote"]),
    "list": (AROUND["the list"], ["#list-body", ".line-mark", ".line-title", ".tabs button"]),
    "placing": (AROUND["placing"], [".slider label", ".slider input", ".slider output"]),
    "realm": (Scene("realm", shows=".label"), [".realm-tools", "#pill"]),
    "settings": (Scene("profile", "settings"), [".back", "#page h2", ".field label", ".field select"]),
    "friends": (Scene("profile", "realms"), [".person strong", ".person a", "#page form button"]),
    "tours": (Scene("tours"), ["#page h2", ".tabs button", "#page input"]),
}


async def boxes(player, is_mirrored):
    found = {}
    for name, (scene, selectors) in PARTS.items():
        await scene.open(player)
        if name == "settings":
            # A message is where the page has room for it.
            await player.page.evaluate("() => part('components/message').then(({ toast }) => { toast('Saved so'); })")
            selectors = [*selectors, ".toast"]
        # What the scene shows first is not all that it has.
        for selector in selectors:
            await expect(player.page.locator(selector).first).to_be_visible()
        await player.page.evaluate("() => new Promise(requestAnimationFrame)")
        found[name] = await player.page.evaluate(BOXES, [selectors, is_mirrored])
        wide = await player.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (name, wide)
    return found


@pytest.mark.seconds(180)
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
async def test_rightToLeft_drawsThePageMirrored_andTheWorldAsItIs(world, size):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=size, reduced_motion="reduce")).by_name("ada")
        await settle_in(ada)
        plain = await boxes(ada, False)
        assert all(box for parts in plain.values() for _, box in parts), plain
        world_of = """() => [...document.querySelectorAll('.own-dot, .mark-box, #map .leaflet-pane')].map(one => {
            const dot = document.querySelector('.own-dot').getBoundingClientRect();
            return Math.round(one.getBoundingClientRect().left - dot.left); })"""
        await Scene("map", shows=".mark-box").open(ada)
        marks = await ada.page.evaluate(world_of)
        await ada.page.goto(f"{address(world)}?at={PLACE[0]},{PLACE[1]}&dir=rtl#/map")
        await ada.ready()
        await expect(ada.page.locator("html")).to_have_attribute("dir", "rtl")
        for name, parts in (await boxes(ada, True)).items():
            for (selector, box), (_, before) in zip(parts, plain[name]):
                assert box and all(abs(a - b) <= 2 for a, b in zip(box, before)), (name, selector, box, before)
        await Scene("map", shows=".mark-box").open(ada)
        await expect(ada.page.locator(".mark-box").first).to_be_visible()
        assert await ada.page.evaluate(world_of) == marks
        # What means "back" points to where one came from; what points in the world does not turn.
        await Scene("profile", "settings").open(ada)
        assert await ada.page.locator(".back .icon").evaluate("icon => getComputedStyle(icon).scale") == "-1 1"
        scenes = {name: AROUND[name] for name in ("the map", "the list", "a thing", "a post", "placing", "the Realm")}
        scenes |= {one: Scene("profile", one) for one in ("me", "friends", "settings", "help")}
        scenes["tours"] = Scene("tours")
        assert await violations(ada, scenes, languages=("en",)) == []
        ada.check()


async def test_aLanguageFile_saysThatItsWritingGoesFromRightToLeft(world):
    async def other(route):
        texts = await (await route.fetch()).json()
        texts["core"]["dir"] = "rtl"
        await route.fulfill(body=json.dumps(texts), content_type="application/json")

    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        root = ada.page.locator("html")
        await expect(root).to_have_attribute("dir", "ltr")
        await ada.page.route("**/texts-fr.json", other)
        await found_realm(ada)
        await ada.go("profile", "settings")
        await ada.page.get_by_label("Language", exact=True).select_option("fr")
        await expect(root).to_have_attribute("dir", "rtl")
        await ada.page.locator("[data-key='accessibility.language']").select_option("es")
        await expect(root).to_have_attribute("dir", "ltr")
        ada.check()
