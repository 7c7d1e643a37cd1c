"""People who hold the page /play: what they do and what they see."""

import asyncio
from urllib.parse import urlsplit

from axe_playwright_python.async_playwright import Axe

from browser import AXE, PATIENCE_MS, browser, expect, own_browser

__all__ = ["PLACE", "Player", "address", "browser", "expect", "own_browser"]

PLACE = (45.5048, -73.5872)

#: Gives the tests a module of the page that runs, by its name: `part('core/app')` (scripts/play-bundle).
PART = """window.part = async name => {
    const parts = await import(new URL('parts.js', document.querySelector('script[type=module]').src));
    return parts.part(name);
};"""


def address(server):
    """Where the server serves the page."""
    return server.http + "/play"


class Player:
    """One person with one page, in a context of their own. `faults` has what the page complained of, `asked` the
    addresses of its requests."""

    def __init__(self, server, page):
        self.server, self.page = server, page
        self.faults, self.asked = [], []
        self.expected = ["GL Driver Message"]
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("websocket", lambda socket: self.asked.append(socket.url))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))

    @classmethod
    async def open(
            cls, chromium, server, *, at=PLACE, path="#/map", size=(900, 700), language="en-GB", script=None,
            workers="block", **context):
        opened = await chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, locale=language, service_workers=workers, **context)
        await opened.add_init_script(PART)
        if script:
            await opened.add_init_script(script)
        player = cls(server, await opened.new_page())
        query = f"?at={at[0]},{at[1]}" if at else ""
        await player.page.goto(address(server) + query + path)
        return player

    async def go(self, *parts):
        """Goes to a place of the page, as the browser's history would."""
        await self.page.evaluate("hash => { location.hash = hash; }", "#/" + "/".join(parts))

    async def by_name(self, name):
        """Signs in by a name alone, where the server is open."""
        await self.live()
        await self.go("profile", "signin")
        await self.page.locator("#page .by-name input").fill(name)
        await self.page.locator("#page .by-name button").click()
        await self.page.wait_for_function("() => location.hash === '#/map'")
        return self

    async def sign_up(self, name, password="Correct-Horse-7"):
        """Makes an account on the page."""
        await self.live()
        await self.go("profile", "signup")
        await self.page.locator("input[name=username]").fill(name)
        await self.page.locator("input[name=email]").fill(f"{name}@example.org")
        await self.page.locator("input[name=password]").fill(password)
        await self.page.locator("input[name=agreed]").check()
        await self.page.locator("button[type=submit]").click()
        await self.page.wait_for_function("() => location.hash === '#/map'")
        return self

    async def sign_in(self, name, password="Correct-Horse-7"):
        """Signs in to an account that was made by `sign_up`."""
        await self.live()
        await self.go("profile", "signin")
        await self.page.locator("input[name=login]").fill(name)
        await self.page.locator("input[name=password]").first.fill(password)
        await self.page.locator("form:has([name=login]) button[type=submit]").click()
        await self.page.wait_for_function("() => location.hash === '#/map'")
        return self

    async def select_realm(self, name):
        """Selects a sub-realm behind the pill."""
        await self.page.locator("#pill").click()
        await self.page.get_by_role("button", name=name).click()
        await expect(self.page.locator("#pill")).to_contain_text(name)
        await self.ready()

    async def live(self):
        """Waits until the page is connected."""
        await expect(self.page.locator("#pill")).to_have_attribute("data-state", "live")
        return self

    async def holds(self, condition, arg=None, seconds=PATIENCE_MS / 1000):
        """Waits until a condition holds that is a promise, such as one about a module of the page: Playwright's own
        wait takes any promise for true."""
        await asyncio.wait_for(self.page.evaluate(
            f"async arg => {{ while (!(await ({condition})(arg))) await new Promise(requestAnimationFrame); }}", arg),
            seconds)

    async def ready(self):
        """Waits until the page shows what is around: the server has taken the place."""
        await self.live()
        await self.holds(
            "() => part('core/app').then(({ client }) => client.view.topics.size > 0)")
        return self

    async def place(self, object, *, text=""):
        """Places an object some metres ahead, by the editor."""
        await self.page.locator("#add").click()
        await self.page.locator(f"[data-object='{object}']").click()
        if text:
            await self.page.locator(".editor textarea").fill(text)
        await self.page.locator(".editor button[type=submit]").click()
        await expect(self.page.locator("#sheet")).to_be_hidden()
        await expect(self.page.locator(".ghost")).to_have_count(0)

    async def in_list(self):
        """The titles of what the list shows."""
        if await self.page.locator("#list-body").count() == 0:
            await self.page.keyboard.press("l")
            await self.page.wait_for_selector("#list-body > *", state="attached")
        return await self.page.locator("#list-body .line-title").all_text_contents()

    async def read(self, source):
        """Reads a value from a module of the page: `app.client.view` and so on."""
        return await self.page.evaluate(
            "() => Promise.all(['app', 'view', 'place', 'draft'].map(name => part(`core/${name}`)))"
            f".then(([app, view, place, draft]) => ({source}))")

    async def violations(self):
        """The findings of axe: rule and elements."""
        found = await Axe().run(self.page, options=AXE)
        return [
            (one["id"], [(node["html"][:160], node.get("failureSummary", "")[:300]) for node in one["nodes"]])
            for one in found.response["violations"]]

    def check(self):
        """No fault in the page, and no request to any host but the server."""
        faults = [fault for fault in self.faults if not any(part in fault for part in self.expected)]
        assert not faults, faults
        own = {urlsplit(address(self.server)).netloc, f"{self.server.host}:{self.server.port}"}
        asked = [url for url in self.asked if not url.startswith(("data:", "blob:"))]
        strangers = {url for url in asked if urlsplit(url).netloc not in own}
        assert self.asked and not strangers, strangers
