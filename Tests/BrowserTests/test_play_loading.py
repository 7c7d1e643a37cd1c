"""A script of the page that does not arrive: the document says so in the reader's language, and the page comes back."""

import asyncio
import datetime
import re

import pytest

from cairn import Client, away, pose
from playing import PLACE, Player, address, browser, expect
from test_play_texts import LANGUAGES, PLAY

#: How the words begin.
WORDS = {"en": "Cairn has not opened yet", "fr": "Cairn n’est pas encore ouvert", "hi": "Cairn अभी नहीं खुला है"}


async def refusing(chromium, server, path, status, language, hasClock=False):
    """A page one of whose files is refused with a status, or, without one, not reached. `hasClock`: time stands still
    until it is told to run."""
    opened = await chromium.new_context(locale=language, service_workers="block")
    player = Player(server, await opened.new_page())

    async def refuse(route):
        if status is None:
            await route.abort()
        else:
            await route.fulfill(status=status, body="too much at once\n", content_type="text/plain")

    await player.page.route(path, refuse)
    if hasClock:
        await player.page.clock.install(time=datetime.datetime(2026, 12, 1, 12))
        await player.page.clock.pause_at(datetime.datetime(2026, 12, 1, 13))
    await player.page.goto(address(server) + f"?at={PLACE[0]},{PLACE[1]}#/map")
    return player


async def ticking(clock, doing):
    """What `doing` returns, while the time that stands still goes on by milliseconds: it has timers of its own, and
    ends long before the page loads itself again."""
    task = asyncio.ensure_future(doing)
    while not task.done():
        await clock.run_for(1)
        await asyncio.wait([task], timeout=0.02)
    return task.result()


@pytest.mark.parametrize(
    "path, status, language",
    [("**/built/*/main.js", 503, "fr-CA"), ("**/built/*/main.js", 429, "hi-IN"),
     ("**/built/*/main.js", None, "fr"), ("**/built/*/texts-en.json", 429, "en-US")])
async def test_aScriptThatDoesNotArrive_isSaidInTheReadersLanguage_andThePageComesBack(world, path, status, language):
    async with browser() as chromium:
        ada = await refusing(chromium, world, path, status, language, hasClock=True)
        words = ada.page.locator("#opening p:visible")
        await expect(words).to_have_count(1)
        await expect(words).to_contain_text(WORDS[language[:2]])
        assert await ada.page.evaluate("() => document.documentElement.lang") == language[:2]
        assert await ticking(ada.page.clock, ada.violations()) == []
        # The server has time again: the page loads itself, and shows the place that it was to show.
        await ada.page.unroute(path)
        async with ada.page.expect_navigation():
            # Each timer that is due runs once. `run_for` would go on in the page that has come back, frame by frame.
            await ada.page.clock.fast_forward(4_000)
        await ada.page.clock.resume()
        await ada.live()
        await expect(ada.page.locator("#opening")).to_have_count(0)
        await expect(ada.page.locator("body")).to_have_attribute("data-place", "map")


async def test_aSlowNetwork_isCalledSo_inTheColoursOfTheSystem(world):
    async with browser() as chromium:
        opened = await chromium.new_context(locale="en-GB", service_workers="block", color_scheme="dark")
        page = await opened.new_page()
        await page.route("**/built/*/main.js", lambda route: None)  # It is on its way for ever.
        sockets = []
        page.on("websocket", lambda socket: sockets.append(socket.url))
        await page.goto(address(world), wait_until="commit")
        # The sign is there before the words, and the connection is opened meanwhile.
        await expect(page.locator("#opening .opening-sign")).to_be_visible()
        # Until the style sheet and opening.js are there, every language counts as visible, which is refused at once.
        await expect(page.locator("#opening[data-begun]")).to_be_attached()
        words = page.locator("#opening p:visible")
        await expect(words).to_have_text("Cairn is opening. On a slow network this takes a while.")
        ground = await page.locator("#opening").evaluate("one => getComputedStyle(one).backgroundColor")
        assert ground == "rgb(13, 18, 24)"
        assert len(sockets) == 1


async def test_whatIsOnTheMap_doesNotWaitForTheGround(start):
    server = start(guests__look=None)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*PLACE)
    await ada.place(pose(*away(*PLACE, north=25)))
    async with browser() as chromium:
        opened = await chromium.new_context(locale="en-GB", service_workers="block")
        page = await opened.new_page()
        await page.route("**/ground.json", lambda route: None)  # It is on its way for ever.
        await page.goto(f"{address(server)}?at={PLACE[0]},{PLACE[1]}#/map", wait_until="commit")
        await expect(page.locator("#map .mark.thing")).to_have_count(1)


async def test_afterSomeReloads_thePageWaitsForThePerson(world):
    async with browser() as chromium:
        ada = await refusing(chromium, world, "**/built/*/main.js", 429, "en-GB", hasClock=True)
        words = ada.page.locator("#opening[data-failed]")
        for _ in range(3):
            await expect(words).to_be_visible()
            async with ada.page.expect_navigation():
                await ada.page.clock.run_for(40_000)
        await expect(words).to_be_visible()
        loads = []
        ada.page.on("request", lambda request: loads.append(request.url))
        await ada.page.clock.run_for(400_000)
        await ada.page.wait_for_timeout(500)
        assert loads == []
        await ada.page.unroute("**/built/*/main.js")
        await ada.page.get_by_role("link", name="Try again").click()
        await expect(ada.page.locator("#opening")).to_have_count(0)


async def test_withoutAnyScript_theWordsAreThereInAllLanguages(world):
    async with browser() as chromium:
        ada = await refusing(chromium, world, "**/built/*/opening.js", 429, "es-ES")
        words = ada.page.locator("#opening p.missing")
        # The style sheet holds them back for some seconds.
        await expect(words.first).to_be_visible()
        assert await words.evaluate_all("all => all.map(({ lang }) => lang)") == list(LANGUAGES)
        await ada.page.unroute("**/built/*/opening.js")
        await ada.page.get_by_role("link", name="Reintentar").click()
        await ada.live()


async def test_whereScriptsAreSwitchedOff_thatIsSaid(world):
    # Playwright's own switch comes too late for the parser, which then takes <noscript> for nothing.
    async with browser("--blink-settings=scriptEnabled=false") as chromium:
        page = await (await chromium.new_context(locale="es-ES")).new_page()
        await page.goto(address(world))
        session = await page.context.new_cdp_session(page)
        # The other words would be there after four seconds.
        await page.wait_for_timeout(4500)
        nodes = (await session.send("Accessibility.getFullAXTree"))["nodes"]
        said = " ".join(node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "StaticText")
        assert "Esta página necesita JavaScript" in said and "Reintentar" not in said, said


async def test_aPlaceWhoseLibraryDoesNotArrive_saysSo_andIsLoadedAgain(world):
    async with browser() as chromium:
        ada = await refusing(chromium, world, "**/play/lib/leaflet*", 429, "en-GB")
        await expect(ada.page.locator("#page")).to_contain_text("This part could not be loaded")
        await ada.page.unroute("**/play/lib/leaflet*")
        await ada.page.locator("#page").get_by_role("button", name="Try again").click()
        await expect(ada.page.locator("#map .leaflet-pane").first).to_be_attached()


def test_theDocument_hasItsWordsInEveryLanguage():
    document = (PLAY / "index.html").read_text()
    # That it opens, that a part is missing, and that there is no script.
    assert re.findall(r'<p lang="(\w+)"', document) == 3 * list(LANGUAGES)
