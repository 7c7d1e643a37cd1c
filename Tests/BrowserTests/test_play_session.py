"""Sessions of the page: what survives a reload, a cut and a crash of the server, and what a sign-out empties."""

import pytest

from cairn import eventually
from playing import PLACE, Player, address, browser, expect

KEPT = """async () => {
    const found = [];
    for (const { name } of await indexedDB.databases()) {
        const opening = indexedDB.open(name);
        await new Promise((then, fail) => { opening.onsuccess = then; opening.onerror = fail; });
        const db = opening.result;
        for (const store of db.objectStoreNames) {
            const all = db.transaction(store).objectStore(store).getAll();
            await new Promise(then => { all.onsuccess = then; });
            found.push(...all.result.map(row => JSON.stringify(row)));
        }
        db.close();
    }
    return JSON.stringify([found, { ...localStorage }, { ...sessionStorage }]);
}"""


async def emptied(player, token):
    """Waits until the page is a guest's, and nothing of the person is kept."""
    await player.holds("() => part('core/app').then(({ isSignedIn }) => !isSignedIn())")

    async def is_gone():
        return token not in await player.page.evaluate(KEPT)

    await eventually(is_gone, "something of the person is kept")


async def test_reload_keepsTheSignIn_andASignOutEmptiesEveryTab(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.ready()
        await ada.page.reload()
        await ada.ready()
        token = await ada.read("app.client.core.profile.token")
        assert token and token in await ada.page.evaluate(KEPT)
        other = Player(world, await ada.page.context.new_page())
        await other.page.goto(address(world) + f"?at={PLACE[0]},{PLACE[1]}#/map")
        await other.ready()
        await ada.go("profile")
        await ada.page.get_by_role("button", name="Sign out").click()
        for one in (ada, other):
            await emptied(one, token)
            assert await one.read("view.items().length") == 0
        ada.check(), other.check()


@pytest.mark.seconds(120)
async def test_aSignOutWithoutAServer_countsAtOnce_andEndsTheTokenLater(world, start):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        ada.expected += ["WebSocket connection", "ERR_CONNECTION_"]
        await ada.ready()
        token = await ada.read("app.client.core.profile.token")
        await ada.go("profile")
        world.kill()
        await expect(ada.page.locator("#pill")).not_to_have_attribute("data-state", "live")
        await ada.page.get_by_role("button", name="Sign out").click()
        await ada.holds("() => part('core/app').then(({ isSignedIn }) => !isSignedIn())")
        await ada.holds("() => part('core/app').then(({ client }) => client.store.load())"
                        ".then(kept => !kept.profile.token)")
        start(accounts__open="true", accounts__signUpsPerHour=1000, folder=world.folder, port=world.port)
        await ada.page.reload()
        await ada.live()
        assert not await ada.read("app.isSignedIn()")
        await emptied(ada, token)
        assert await ada.page.evaluate("""async token => {
            const { CairnClient } = await import('/play/cairn/client.js');
            const client = new CairnClient({ url: location.origin, profile: { token } });
            await client.connect();
            const { isSignedIn } = client;
            client.disconnect();
            return isSignedIn;
        }""", token) is False
        ada.check()


async def test_deletion_emptiesTheStorage_inOtherTabsToo(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        token = await ada.read("app.client.core.profile.token")
        other = Player(world, await ada.page.context.new_page())
        await other.page.goto(address(world) + f"?at={PLACE[0]},{PLACE[1]}#/map")
        await other.ready()
        await ada.go("profile", "delete")
        await ada.page.locator("input[name=password]").fill("Correct-Horse-7")
        await ada.page.locator("button[type=submit]").click()
        await ada.page.locator("dialog").get_by_role("button", name="Delete my account").click()
        for one in (ada, other):
            await emptied(one, token)
        # Which of the tabs hears first that the sign-ins have ended is open.
        await ada.page.wait_for_function("() => location.hash === '#/map'")
        await expect(ada.page.locator("#page .refusal")).to_have_count(0)


@pytest.mark.seconds(120)
async def test_cutAndCrash_loseAndDoubleNothing(world, start):
    """An instance that is placed while the connection is cut, or while the server is killed, is there once."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ben = await (await Player.open(chromium, world)).by_name("ben")
        ada.expected += ["WebSocket connection", "ERR_CONNECTION_"]
        ben.expected += ["WebSocket connection", "ERR_CONNECTION_"]
        await ada.ready(), await ben.ready()
        place = """async text => {
            const [{ client }, draft, { beginNew, draftPose }] = await Promise.all(
                ['core/app', 'core/draft', 'things/pose'].map(name => part(name)));
            beginNew('preset:flag', []);
            const pose = draftPose();
            draft.setDraft(null);
            client.place('preset:flag', pose, { text });
        }"""
        texts = """() => part('core/view')
            .then(({ items }) => items().map(({ instance }) => instance.text).sort())"""
        await ada.page.evaluate("() => part('core/app').then(({ client }) => client.cut())")
        await ada.page.evaluate(place, "cut")
        await ada.live()
        port, folder = world.port, world.folder
        world.kill()
        await expect(ada.page.locator("#pill")).not_to_have_attribute("data-state", "live")
        await ada.page.evaluate(place, "killed")
        start(accounts__open="true", accounts__signUpsPerHour=1000, folder=folder, port=port)
        for one in (ada, ben):
            async def has_both(one=one):
                return len(await one.page.evaluate(texts)) >= 2

            await eventually(has_both, "what was placed is not there")
            assert await one.page.evaluate(texts) == ["cut", "killed"]
        ada.check(), ben.check()


@pytest.mark.seconds(120)
async def test_aChangeOfBefore_isShownAndSaid(world, start):
    """A sub-realm that is made while the server is away, and a reload before it is back."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        ada.expected += ["WebSocket connection", "ERR_CONNECTION_"]
        await ada.ready()
        await ada.go("profile", "realms")
        make = ada.page.locator("form").filter(has=ada.page.locator("input[name=name]"))
        await make.locator("input[name=name]").fill("Nest")
        world.kill()
        await expect(ada.page.locator("#pill")).not_to_have_attribute("data-state", "live")
        await make.locator("button[type=submit]").click()
        await ada.holds("() => part('core/app').then(({ client }) => client.store.load())"
                        ".then(kept => kept.requests.length === 1)")
        start(accounts__open="true", accounts__signUpsPerHour=1000, folder=world.folder, port=world.port)
        await ada.page.reload()
        await ada.live()
        await expect(ada.page.locator(".toast")).to_contain_text("is done now")
        await expect(ada.page.locator("#page")).to_contain_text("Nest")
        ada.check()


async def test_refusal_showsItsRemedy_andCancellingLeavesNoTrace(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ben = await (await Player.open(chromium, world)).by_name("ben")
        await ada.ready(), await ben.ready()
        await ada.page.locator("#add").click()
        await ada.page.locator("[data-object='preset:star']").click()
        await expect(ada.page.locator(".ghost")).to_have_count(1)
        await ada.page.keyboard.press("Escape")
        await expect(ada.page.locator(".ghost")).to_have_count(0)
        assert await ada.read("draft.draft") is None
        await ada.page.locator("#add").click()
        await ada.page.locator("[data-object='preset:star']").click()
        await ada.page.evaluate("() => part('core/draft').then(({ putAt }) => putAt(150, 90))")
        await expect(ada.page.locator(".far")).to_contain_text("Too far")
        await ada.page.locator(".editor button[type=submit]").click()
        refusal = ada.page.locator(".refusal[data-code=too_far]")
        await expect(refusal).to_contain_text("Go closer")
        assert await ben.read("view.items().length") == 0
        ada.check()


async def test_aGuest_seesThePublicRealmsState_andIsAskedToSignIn(world):
    async with browser() as chromium:
        guest = await (await Player.open(chromium, world)).live()
        await expect(guest.page.locator("#pill")).to_contain_text("Guest")
        await guest.page.locator("#add").click()
        await guest.page.locator("#sheet").get_by_role("link", name="Sign in").click()
        await expect(guest.page.locator("input[name=login]")).to_be_visible()
        guest.check()


async def test_place_isAskedFor_givenByTheBrowser_andShownWithItsAccuracy(world):
    async with browser() as chromium:
        where = {"latitude": 47.3769, "longitude": 8.5417, "accuracy": 25}
        ada = await Player.open(chromium, world, at=None, geolocation=where)
        await expect(ada.page.locator("#sheet h2")).to_have_text("Welcome to Cairn")
        await ada.by_name("ada")
        await expect(ada.page.locator("#sheet h2")).to_have_text("Where are you?")
        await ada.page.context.grant_permissions(["geolocation"])
        await ada.page.get_by_role("button", name="Use my location").click()
        await ada.ready()
        own = await ada.read("(({ lat, lon, accuracy }) => [lat, lon, accuracy])(place.own())")
        assert own == [47.3769, 8.5417, 25]
        await expect(ada.page.locator(".own-mark")).to_be_visible()
        await ada.page.locator("#pill").click()
        await expect(ada.page.locator("#sheet")).to_contain_text("Your place is exact to 25 m.")
        ada.check()


async def test_place_isChosenByHandOnTheMap(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, at=None)).by_name("ada")
        await ada.page.get_by_role("button", name="Choose on the map").click()
        told = ada.page.locator(".toast").filter(has_text="Tap the map where you are")
        await expect(told).to_be_visible()
        # Led here twice at once, the page asks once.
        await ada.page.evaluate("() => [1, 2].forEach(() => dispatchEvent(new HashChangeEvent('hashchange')))")
        await expect(told).to_have_count(1)
        # A finger covers half a country there: nothing is where it points.
        await ada.page.locator("#map").click(position={"x": 300, "y": 250})
        await expect(ada.page.locator(".toast").filter(has_text="Choose again, closer")).to_be_visible()
        assert await ada.read("place.own()") is None
        for _ in range(5):
            await ada.page.locator("#map").click(position={"x": 300, "y": 400})
            await ada.page.wait_for_timeout(400)  # A second tap sooner is a double tap to the map.
            if await ada.read("place.own()"):
                break
        await ada.ready()
        await expect(told).to_have_count(0)
        chosen = await ada.read("place.own()")
        assert chosen["isSet"] and 1 < chosen["accuracy"] <= 100
        await ada.page.reload()
        await ada.ready()
        assert await ada.read("place.own()") == chosen
        # Who signs out stands nowhere: the page looks on at about that place.
        await ada.go("profile")
        await ada.page.get_by_role("button", name="Sign out").click()
        await expect(ada.page.locator("#toasts")).to_contain_text("What you left stays where it is")
        await expect(ada.page.locator("#page")).to_contain_text("You are here as a guest.")
        await ada.go("map")
        await expect(ada.page.locator(".own-mark")).to_have_count(0)
        assert await ada.read("place.own()") is None
        seen = await ada.read("place.eye()")
        assert all(abs(seen[one] - chosen[one]) <= 0.00005 for one in ("lat", "lon")) and seen["accuracy"] is None
        ada.check()


@pytest.mark.seconds(120)
async def test_theSixthTab_saysOnceWhatMendsIt(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        for _ in range(5):
            tab = Player(world, await ada.page.context.new_page())
            await tab.page.goto(address(world) + f"?at={PLACE[0]},{PLACE[1]}#/map")
            await tab.page.wait_for_function("() => !document.getElementById('opening')")
            if _ < 4:
                await tab.live()
        toast = tab.page.locator(".toast")
        await expect(toast).to_have_text("You are connected in too many tabs or devices. "
                                         "Close one of them, then try again.Try again")
        await ada.page.close()
        await toast.get_by_role("button", name="Try again").click()
        await tab.live()
        tab.check()


async def test_anotherTab_saysWhenSomebodyElseSignsIn(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        other = Player(world, await ada.page.context.new_page())
        await other.page.goto(address(world) + f"?at={PLACE[0]},{PLACE[1]}#/map")
        await other.live()
        await ada.by_name("ada")
        await other.by_name("ben")
        await expect(ada.page.locator(".toast")).to_contain_text("Somebody else has signed in in another tab")
        await ada.page.get_by_role("button", name="Load again").click()
        await ada.page.wait_for_function("() => !document.getElementById('opening')")
        await ada.live()
        assert await ada.read("app.client.welcome.name") == "ben"
        ada.check()


async def test_aLinkThatIsCutOff_opensThePage(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, path="#/tours/50%")).live()
        await expect(ada.page.locator("#page .page-body")).to_be_visible()
        await expect(ada.page.locator("#opening")).to_have_count(0)
        ada.check()


async def test_thePage_runsNoInlineScript_andNoEval(world):
    """Injected scripts do not run: the page's policy allows the server's own files alone."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        ada.expected += ["Content Security Policy"]
        assert await ada.page.evaluate(
            """async () => {
                const script = document.createElement('script');
                script.textContent = 'window.wasRun = true';
                document.body.append(script);
                const image = document.createElement('div');
                image.innerHTML = '<img src="data:," onerror="window.wasRun = true">';
                document.body.append(image);
                await new Promise(then => setTimeout(then, 300));
                const evaluated = [];
                for (const attempt of [() => (0, eval)('1'), () => new Function('return 1')(),
                    () => fetch('https://evil.example/')]) {
                    try { await attempt(); evaluated.push(attempt.toString()); } catch { /* as it should be */ }
                }
                return { wasRun: Boolean(window.wasRun), evaluated };
            }""") == {"wasRun": False, "evaluated": []}
        # That the browser has not even tried to reach the other host is in what it asked for.
        assert not [url for url in ada.asked if "evil" in url]
