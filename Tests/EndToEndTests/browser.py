"""The console in a browser: Chromium by Playwright, with the actions of an operator and the contents of the page."""

import contextlib
import pathlib
from urllib.parse import urlsplit

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import async_playwright, expect

from cairn import eventually
from operators import Desk

CHROMIUM = pathlib.Path("/usr/bin/chromium")
# All rules of levels A and AA, and axe's best practices.
AXE = {"resultTypes": ["violations"]}

__all__ = ["Console", "console", "expect"]


@contextlib.asynccontextmanager
async def console(server, *, path=None, scheme="light", size=(1440, 1000), **context):
    """Opens the console by a single-use link, or the path; checks at the end that there was no fault in the page."""
    async with async_playwright() as playwright:
        # Without a system package Playwright uses the browser that scripts/bootstrap has fetched.
        program = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
        browser = await playwright.chromium.launch(args=["--no-sandbox"], **program)
        try:
            opened = await browser.new_context(
                color_scheme=scheme, viewport={"width": size[0], "height": size[1]}, **context)
            page = await opened.new_page()
            one = Console(server, page)
            await page.goto(server.http + (path or await link(server)))
            # The page of the link redirects to the console.
            await page.wait_for_url(server.http + "/console")
            yield one
            one.check()
        finally:
            await browser.close()


async def link(server):
    async with await Desk.open(server) as desk:
        return (await desk.ask("link"))["path"]


class Console:
    """One page. `asked` has the addresses of all its requests, including WebSockets."""

    def __init__(self, server, page):
        self.server, self.page = server, page
        self.asked, self.faults = [], []
        self.expected = []  # parts of messages that are no faults
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("websocket", lambda socket: self.asked.append(socket.url))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))

    def check(self):
        """No fault in the page, and no request to any host but the server."""
        faults = [fault for fault in self.faults if not any(part in fault for part in self.expected)]
        assert not faults, faults
        strangers = {url for url in self.asked if urlsplit(url).netloc != f"{self.server.host}:{self.server.port}"}
        assert self.asked and not {url for url in strangers if not url.startswith("data:")}, strangers

    # MARK: Contents

    async def ready(self):
        """Waits until the page shows the server's figures."""
        await expect(self.page.locator("#state")).to_have_text("Live")
        await expect(self.page.locator("#totals .value").first).not_to_have_text("–")
        return self

    async def listed(self):
        """The people in the list, by token."""
        return dict(
            await self.page.eval_on_selector_all(
                "#list tbody tr", "rows => rows.map(row => [row.dataset.key, +row.children[1].textContent])"))

    async def drawn(self):
        """The people on the map, by token."""
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
        """Waits until the result of `look` meets the condition; returns the result."""
        seen = None

        async def is_it():
            nonlocal seen
            seen = await look()
            return condition(seen)

        await eventually(is_it, lambda: f"{what}; seen: {seen}")
        return seen

    async def scheme(self):
        """The theme of the page: light or dark."""
        return await self.page.evaluate("getComputedStyle(document.body).colorScheme")

    async def violations(self):
        """The findings of axe: rule and elements. What fades in is judged when it is there."""
        await self.page.evaluate(
            "() => Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)")
        found = await Axe().run(self.page, options=AXE)
        return [
            (one["id"], [(node["html"][:120], node.get("failureSummary", "")[:300]) for node in one["nodes"]])
            for one in found.response["violations"]]
