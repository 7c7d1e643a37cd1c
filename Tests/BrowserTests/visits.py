"""How long visits of /play take on a slow network: to the first paint, and to the first thing on the map."""

import contextlib
import statistics

from cairn import Client, away, pose
from playing import PLACE, Player, own_browser
from slow_link import SlowLink
from test_play_offline import shell_is_kept

#: Issue 32, section 3: bytes a second, and the most seconds until the first paint and until a thing is there.
NETWORKS = {"50 KB/s": (51_200, 1.5, 4.0), "400 KB/s": (409_600, 0.8, 1.5)}
#: Seconds from a request to its answer on these networks, and most seconds of a second visit.
ROUND_TRIP, AGAIN_MAX = 0.15, 1.0

#: Notes when the map gets its first mark of a thing, and when the page without a network shows what was there.
WATCH = """(() => {
    window.cameAt = null;
    const what = '#map .mark.thing, #map .mark.group, #sheet .line-title, #sheet h2';
    const look = () => { if (document.querySelector(what)) window.cameAt ??= performance.now(); };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
})()"""
#: Seconds until the first paint with content, and until the first thing.
TIMES = """() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return [paint?.startTime / 1000, window.cameAt / 1000];
}"""
HAS_COME = "() => window.cameAt !== null && performance.getEntriesByName('first-contentful-paint').length > 0"


async def furnished(server, count=9):
    """Somebody leaves so many things at the place."""
    async with contextlib.AsyncExitStack() as stack:
        ada = await Client.connect(server, "Ada")
        stack.push_async_callback(ada.close)
        await ada.stand_at(*PLACE)
        for n in range(count):
            await ada.place(pose(*away(*PLACE, north=20 * (n % 3) - 20, east=20 * (n // 3) - 20)))


async def visit(context, url):
    """One visit, in a page of its own: the page, and its times."""
    page = await context.new_page()
    await page.goto(url, wait_until="commit")
    await page.wait_for_function(HAS_COME)
    return page, await page.evaluate(TIMES)


async def visits(server, rate):
    """{visit: its two times}, of a guest in a browser of their own, and the bytes of the first visit."""
    async with own_browser() as chromium, SlowLink.to(server, bytes_per_second=rate, round_trip=ROUND_TRIP) as link:
        context = await chromium.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
        await context.add_init_script(WATCH)
        where = f"{link.http}/play?at={PLACE[0]},{PLACE[1]}#/map"
        # The browser itself has begun, which no visit is to wait for.
        blank = await context.new_page()
        page, first = await visit(context, where)
        byte_count = link.down.byte_count
        await shell_is_kept(Player(server, page))
        await page.close()
        page, again = await visit(context, where)
        await page.close()
        await context.set_offline(True)
        page, offline = await visit(context, where)
        await blank.close()
        return {"first visit": first, "second visit": again, "without a network": offline}, byte_count


async def medians(server, rate, runs, tell=lambda _: None):
    """{visit: the medians of its two times}; each run is told."""
    found = []
    for _ in range(runs):
        found.append((await visits(server, rate))[0])
        tell(found[-1])
    return {name: [statistics.median(run[name][n] for run in found) for n in range(2)] for name in found[0]}


def limits(network):
    """{visit: the most seconds of its two times}."""
    _, paint, thing = NETWORKS[network]
    return {"first visit": (paint, thing), "second visit": (AGAIN_MAX,) * 2, "without a network": (AGAIN_MAX,) * 2}


def beyond(network, found):
    """Which medians are beyond the limits, in words."""
    return [f"{network}, {name}, {what}: {seconds:.2f} s, the limit is {most} s"
            for name, all in limits(network).items()
            for what, seconds, most in zip(("first paint", "things"), found[name], all) if seconds > most]
