"""The console in a browser: Chromium by Playwright, and what an operator would see, press and hear of it."""

import contextlib
import pathlib
from urllib.parse import urlsplit

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import async_playwright, expect

from cairn import eventually
from operators import Desk

CHROMIUM = pathlib.Path("/usr/bin/chromium")
# Everything of levels A and AA, and what axe calls good practice.
AXE = {"resultTypes": ["violations"]}

__all__ = ["Console", "console", "expect"]


@contextlib.asynccontextmanager
async def console(server, *, path=None, scheme="light", size=(1440, 1000), **context):
    """Opens the console by a link that works once, or the path; checks at the end that nothing went wrong in it."""
    async with async_playwright() as playwright:
        # Without a package of the system's own Playwright takes the one that bootstrap had it fetch.
        program = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
        browser = await playwright.chromium.launch(args=["--no-sandbox"], **program)
        try:
            opened = await browser.new_context(
                color_scheme=scheme, viewport={"width": size[0], "height": size[1]}, **context)
            page = await opened.new_page()
            one = Console(server, page)
            await page.goto(server.http + (path or await link(server)))
            # The page that takes a link goes on to the console by itself.
            await page.wait_for_url(server.http + "/console")
            yield one
            one.check()
        finally:
            await browser.close()


async def link(server):
    async with await Desk.open(server) as desk:
        return (await desk.ask("link"))["path"]


class Console:
    """One page. `asked` are the addresses of everything that it requested, WebSockets included."""

    def __init__(self, server, page):
        self.server, self.page = server, page
        self.asked, self.faults = [], []
        self.expected = []  # parts of messages that are no faults
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("websocket", lambda socket: self.asked.append(socket.url))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))

    def check(self):
        """No fault in the page, and nothing was asked of anybody but the server."""
        faults = [fault for fault in self.faults if not any(part in fault for part in self.expected)]
        assert not faults, faults
        strangers = {url for url in self.asked if urlsplit(url).netloc != f"{self.server.host}:{self.server.port}"}
        assert self.asked and not {url for url in strangers if not url.startswith("data:")}, strangers

    # MARK: What it shows

    async def ready(self):
        """Waits until the page shows the server's figures."""
        await expect(self.page.locator("#state")).to_have_text("Live")
        await expect(self.page.locator("#totals .value").first).not_to_have_text("–")
        return self

    async def listed(self):
        """What the list says: token -> people."""
        return dict(
            await self.page.eval_on_selector_all(
                "#list tbody tr", "rows => rows.map(row => [row.dataset.key, +row.children[1].textContent])"))

    async def drawn(self):
        """What the map shows: token -> people."""
        return dict(await self.page.evaluate("[...document.getElementById('map').cellsDrawn()]"))

    async def both(self):
        """List and map at one moment."""
        listed, drawn = await self.page.evaluate(
            """() => [
                [...document.querySelectorAll('#list tbody tr')]
                    .map(row => [row.dataset.key, +row.children[1].textContent]),
                [...document.getElementById('map').cellsDrawn()],
            ]""")
        return dict(listed), dict(drawn)

    async def until(self, look, condition, what):
        """Waits until what `look` gives meets the condition; gives it."""
        seen = None

        async def is_it():
            nonlocal seen
            seen = await look()
            return condition(seen)

        await eventually(is_it, lambda: f"{what}; seen: {seen}")
        return seen

    async def scheme(self):
        """The colours that the page is in: light or dark."""
        return await self.page.evaluate("getComputedStyle(document.body).colorScheme")

    async def violations(self):
        """What axe finds: rule and elements."""
        found = await Axe().run(self.page, options=AXE)
        return [
            (one["id"], [(node["html"][:120], node.get("failureSummary", "")[:300]) for node in one["nodes"]])
            for one in found.response["violations"]]
