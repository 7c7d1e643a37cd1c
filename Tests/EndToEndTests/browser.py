"""Chromium by Playwright: one that stays up over the tests of a process, and the console with an operator's actions."""

import asyncio
import contextlib
import pathlib
from urllib.parse import urlsplit

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Error, async_playwright, expect

from cairn import eventually
from operators import Desk

# It has no windows, which take a fifth of a page's processor time. Playwright fetches the same elsewhere.
CHROMIUM = pathlib.Path("/usr/bin/chromium-headless-shell")
# All rules of levels A and AA, and axe's best practices.
AXE = {"resultTypes": ["violations"]}

__all__ = ["AXE", "Console", "browser", "console", "expect", "own_browser", "quiet_page"]

#: Milliseconds for a page to do or to show what is awaited: patience, and no claim. Beside other work a page is slow.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)

#: Seconds for Chromium to answer, to begin and to end.
CHROMIUM_SECONDS = 60

#: Features that are switched off: Playwright's own choice, which this argument replaces, as far as it concerns a test
#: here; and a process in advance of the next page, which has the lowest priority on a busy machine.
WITHOUT = ["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
           "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
           "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints",
           "NetworkTimeServiceQuerying", "SpareRendererForSitePerProcess"]


#: Frames come as on a busy machine, some fifteen a second: without a graphics card each costs the processor that the
#: tests beside it need. What measures frames has a browser of its own, and frames as they come.
FEW_FRAMES = """(() => {
    const next = window.requestAnimationFrame.bind(window);
    let [number, last, isAsked, waiting] = [0, 0, false, new Map()];
    const run = (now) => {
        const due = waiting;
        [last, isAsked, waiting] = [performance.now(), false, new Map()];
        for (const callback of due.values()) {
            try {
                callback(now);
            } catch (error) {
                reportError(error);
            }
        }
    };
    window.requestAnimationFrame = (callback) => {
        waiting.set(++number, callback);
        if (!isAsked) setTimeout(() => next(run), Math.max(0, last + 60 - performance.now()));
        isAsked = true;
        return number;
    };
    window.cancelAnimationFrame = (number) => { waiting.delete(number); };
})()"""


async def launched(playwright, *arguments, without=()):
    """Starts Chromium, without some more features."""
    # Without a system package Playwright uses the browser that scripts/bootstrap has fetched.
    program = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
    arguments = ["--no-sandbox", "--disable-features=" + ",".join([*WITHOUT, *without]), *arguments]
    return await playwright.chromium.launch(args=arguments, **program)


class Browser:
    """A use of a Chromium. The contexts that are made by it end with it: nothing of them is there for the next use."""

    def __init__(self, chromium, *, fewFrames=False):
        self.chromium, self.fewFrames = chromium, fewFrames
        self._contexts = []

    async def new_context(self, **options):
        made = await self.chromium.new_context(**options)
        made.set_default_timeout(PATIENCE_MS)
        if self.fewFrames:
            await made.add_init_script(FEW_FRAMES)
        self._contexts.append(made)
        return made

    async def new_page(self, **options):
        return await (await self.new_context(**options)).new_page()

    async def close(self):
        for context in self._contexts:
            await context.close()


@contextlib.asynccontextmanager
async def own_browser(*arguments):
    """A Chromium of the test's own, for a test that measures or crashes it."""
    async with async_playwright() as playwright:
        chromium = await launched(playwright, *arguments)
        try:
            yield Browser(chromium)
        finally:
            await chromium.close()


@contextlib.asynccontextmanager
async def browser(*arguments):
    """A browser without a past. With arguments, or where no test runs, it is one of its own."""
    if arguments or not SHARED.is_here():
        async with own_browser(*arguments) as one:
            yield one
        return
    one = Browser(SHARED.chromium, fewFrames=True)
    try:
        yield one
    finally:
        # One that does not end, as after a crash, is replaced before the next test.
        with contextlib.suppress(Error, TimeoutError):
            await asyncio.wait_for(one.close(), CHROMIUM_SECONDS)


class Shared:
    """A Chromium that stays up over the tests of a process, with Playwright and the event loop, which both need."""

    def __init__(self):
        self.chromium = None
        self._runner = None
        self._playwright = None

    def is_here(self):
        """Whether the code that asks runs on the loop of the Chromium."""
        return self._runner is not None and asyncio.get_running_loop() is self._runner.get_loop()

    def run(self, test):
        """Runs a test, a coroutine, and ends the tasks that it leaves."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(self._run(test))

    async def _run(self, test):
        if not await self._answers():
            await self._start()
        others = asyncio.all_tasks()  # Playwright's.
        try:
            return await test
        finally:
            left = asyncio.all_tasks() - others
            for task in left:
                task.cancel()
            if left:
                await asyncio.wait(left, timeout=CHROMIUM_SECONDS)

    async def _answers(self):
        """Whether Chromium is there, and without contexts of the test before."""
        if self.chromium is None:
            return False
        # An error in a listener of the test before is raised by the next call of Playwright: the first here.
        for _ in range(2):
            with contextlib.suppress(Error, TimeoutError):
                session = await asyncio.wait_for(self.chromium.new_browser_cdp_session(), CHROMIUM_SECONDS)
                await session.detach()
                return not self.chromium.contexts
        return False

    async def _start(self):
        await self._stop()
        self._playwright = await async_playwright().start()
        self.chromium = await launched(self._playwright)

    async def _stop(self):
        if self._playwright:
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(self.chromium.close(), CHROMIUM_SECONDS)
            await self._playwright.stop()
        self.chromium = self._playwright = None

    def close(self):
        """Ends Chromium, Playwright and the loop."""
        if self._runner:
            self._runner.run(self._stop())
            self._runner.close()
            self._runner = None


SHARED = Shared()


def is_used_in(module):
    """Whether tests of a module need the loop of the shared Chromium: they name what opens a page there."""
    return any(value is one for value in vars(module).values() for one in (browser, console, quiet_page))


@contextlib.asynccontextmanager
async def quiet_page(**context):
    """A page; fails at the end if a script or a policy complained."""
    complaints = []
    async with browser() as chromium:
        page = await chromium.new_page(**context)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
    assert complaints == []


@contextlib.asynccontextmanager
async def console(server, *, path=None, scheme="light", size=(1440, 1000), **context):
    """Opens the console by a single-use link, or the path; checks at the end that there was no fault in the page."""
    async with browser() as chromium:
        page = await chromium.new_page(
            color_scheme=scheme, viewport={"width": size[0], "height": size[1]}, **context)
        one = Console(server, page)
        await page.goto(server.http + (path or await link(server)))
        # The page of the link redirects to the console.
        await page.wait_for_url(server.http + "/console")
        yield one
        one.check()


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
