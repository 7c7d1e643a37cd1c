"""Without a network: the shell opens, and what was around is shown with its age, for display only (SYN-1, SYN-4)."""

import pytest

from cairn import eventually
from playing import Player, browser, expect


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
                    const { client } = await import('/play/js/app.js');
                    const kept = await client.store.get('lastView');
                    const files = await (await caches.open('cairn-play-shell-1')).keys();
                    return Boolean(kept?.items.length) && files.length > 30;
                }""")

        await eventually(is_kept, "neither view nor shell is kept", 30)
        # Only the shell is kept by the worker: no answer about a person.
        kept = await ada.page.evaluate(
            """async () => {
                const files = await (await caches.open('cairn-play-shell-1')).keys();
                return files.map(({ url }) => new URL(url).pathname);
            }""")
        assert [path for path in kept if path != "/play" and not path.startswith("/play/")] == []
        world.kill()
        await ada.page.reload()
        await expect(ada.page.locator("#sheet h2")).to_have_text("No connection", timeout=20000)
        await expect(ada.page.locator("#sheet")).to_contain_text("Cairn: Remember me")
        await expect(ada.page.locator("#sheet")).to_contain_text("ago, for display only")
        await expect(ada.page.locator("#pill")).not_to_have_attribute("data-state", "live")


async def test_manifest_isOneThatInstalls(world):
    async with browser() as chromium:
        ada = await Player.open(chromium, world)
        manifest = await ada.page.evaluate(
            "() => fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())")
        assert manifest["scope"] == "/play" and manifest["display"] == "standalone" and manifest["icons"]
