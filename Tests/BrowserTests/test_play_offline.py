"""Without a network: the shell opens, and what was around is shown with its age, for display only (SYN-1, SYN-4)."""

import pytest

from cairn import eventually
from playing import Player, browser, expect

#: Whether the worker has every file of the shell, and the page itself.
HAS_SHELL = """async () => {
    const kept = await (await caches.open('cairn-play-shell-1')).keys();
    const paths = new Set(kept.map(({ url }) => new URL(url).pathname));
    const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
        .filter(path => path.startsWith('/play/') && /\\.(js|css|json)$/.test(path) && path !== '/play/sw.js');
    // The rest is fetched when the page has time.
    const listed = Object.keys(await (await fetch('/play/files.json', { cache: 'no-store' })).json())
        .filter(path => !/^\\/play\\/(two[./]|cairn\\/|texts\\/|lib\\/(images|licences))/.test(path))
        .filter(path => !/^\\/play\\/built\\/([^/]+\\/(parts|pieces)\\.|index)/.test(path));
    return paths.has('/play') && files.length > 4 && [...files, ...listed].every(path => paths.has(path));
}"""


async def shell_is_kept(player):
    async def is_kept():
        return await player.page.evaluate(HAS_SHELL)

    await eventually(is_kept, "the shell is not kept")
    # Until the worker is active, a reload goes past it.
    await player.holds("() => navigator.serviceWorker.ready.then(({ active }) => active?.state === 'activated')")


@pytest.mark.seconds(120)
async def test_withoutANetwork_theShellOpensWithTheLastView(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, workers="allow")).by_name("ada")
        ada.expected += ["WebSocket connection", "Failed to load resource"]
        await ada.ready()
        await ada.place("preset:cairn", text="Remember me")

        async def is_kept():
            return await ada.page.evaluate(
                """async () => {
                    const { client } = await part('core/app');
                    return Boolean((await client.store.get('lastView'))?.items.length);
                }""")

        await eventually(is_kept, "the view is not kept")
        await shell_is_kept(ada)
        # Only the shell is kept by the worker: no answer about a person.
        kept = await ada.page.evaluate(
            """async () => {
                const files = await (await caches.open('cairn-play-shell-1')).keys();
                return files.map(({ url }) => new URL(url).pathname);
            }""")
        assert [path for path in kept if path != "/play" and not path.startswith("/play/")] == []
        world.kill()
        await ada.page.reload()
        await expect(ada.page.locator("#sheet h2")).to_have_text("No connection")
        await expect(ada.page.locator("#sheet")).to_contain_text("Stone pile: Remember me")
        await expect(ada.page.locator("#sheet")).to_contain_text("ago, for display only")
        await expect(ada.page.locator("#pill")).not_to_have_attribute("data-state", "live")
        # It is the list for as long as there is no network, also after it was closed.
        await ada.page.keyboard.press("Escape")
        await expect(ada.page.locator("#sheet")).to_be_hidden()
        await ada.page.keyboard.press("l")
        await expect(ada.page.locator("#sheet")).to_contain_text("Stone pile: Remember me")


@pytest.mark.seconds(120)
async def test_withoutANetwork_aPersonIsNoGuest(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, workers="allow")).by_name("ada")
        ada.expected += ["WebSocket connection", "Failed to load resource"]
        await ada.ready()
        await shell_is_kept(ada)
        world.kill()
        await ada.page.reload()
        await expect(ada.page.locator("#sheet h2")).to_have_text("No connection")
        await ada.page.keyboard.press("n")
        await expect(ada.page.locator("#toasts")).to_contain_text("This needs the network.")
        while await (close := ada.page.locator("#toasts").get_by_role("button", name="Close")).count():
            await close.first.click()
        for place in ("tours", "profile"):
            await ada.go(place)
            await expect(ada.page.locator("#page")).to_contain_text("You are signed in on this device.")
            await expect(ada.page.get_by_role("link", name="Sign in")).to_have_count(0)
        await ada.page.get_by_role("button", name="Sign out").click()
        await expect(ada.page.get_by_role("link", name="Sign in").first).to_be_visible()


async def test_manifest_isOneThatInstalls(world):
    async with browser() as chromium:
        ada = await Player.open(chromium, world)
        manifest = await ada.page.evaluate(
            "() => fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())")
        assert manifest["scope"] == "/play" and manifest["display"] == "standalone" and manifest["icons"]
        # The browser itself has read it, and has nothing to say against it.
        session = await ada.page.context.new_cdp_session(ada.page)
        read = await session.send("Page.getAppManifest")
        assert read["url"].endswith("/play/manifest.webmanifest") and read["errors"] == [], read
        found = (await session.send("Page.getInstallabilityErrors"))["installabilityErrors"]
        # A context of Playwright's counts as a private window, in which nothing is installed.
        assert [one["errorId"] for one in found if one["errorId"] != "in-incognito"] == []


@pytest.mark.seconds(120)
async def test_withoutANetwork_settingsCountAtOnce_andAreSavedLater(world, start):
    """SYN-3: changed while the server is away, over a reload too, and on the other device when it is back."""
    async with browser() as chromium:
        phone = await (await Player.open(chromium, world, workers="allow")).sign_up("ada")
        laptop = await (await Player.open(chromium, world)).sign_in("ada")
        for one in (phone, laptop):
            one.expected += ["WebSocket connection", "Failed to load resource"]
            await one.ready()
        await shell_is_kept(phone)
        await phone.go("profile", "settings")
        port, folder = world.port, world.folder
        world.kill()
        await expect(phone.page.locator("#pill")).not_to_have_attribute("data-state", "live")
        await phone.page.locator("select[data-key='display.theme']").select_option("dark")
        await expect(phone.page.locator("html")).to_have_attribute("data-theme", "dark")
        await expect(laptop.page.locator("html")).not_to_have_attribute("data-theme", "dark")
        await phone.page.reload()
        await expect(phone.page.locator("html")).to_have_attribute("data-theme", "dark")
        start(accounts__open="true", accounts__signUpsPerHour=1000, folder=folder, port=port)
        await expect(laptop.page.locator("html")).to_have_attribute("data-theme", "dark")
        phone.check(), laptop.check()


@pytest.mark.seconds(120)
async def test_withoutANetwork_aPlainWordSaysWhatNeedsIt(world):
    """A guest has no last view; and a place that was never opened cannot be drawn."""
    async with browser() as chromium:
        guest = await (await Player.open(chromium, world, workers="allow", path="#/profile")).live()
        guest.expected += ["WebSocket connection", "Failed to load resource"]
        await shell_is_kept(guest)
        world.kill()
        await guest.go("map")
        await guest.page.reload()
        await expect(guest.page.locator("#sheet h2")).to_have_text("No connection")
        await expect(guest.page.locator("#sheet")).to_contain_text("This needs the network.")
        await guest.go("profile", "help")
        await expect(guest.page.locator("#page [role=status]")).to_have_text(
            "This needs the network. The page keeps trying to connect.")
