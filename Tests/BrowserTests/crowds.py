"""Crowds around a page: things that bots leave, people that cairn-crowd lets walk, and what the page makes of them."""

import asyncio
import contextlib
import os
import re

from playing import PLACE
from server import binary, environment
from swarm import Bot

#: Quotas that let a few bots leave a thousand things.
FULL = {"placement__areaQuota": 1000, "placement__perMinute": 1000, "placement__perDay": 10000,
        "connections__messagesPerSecond": 2000, "connections__messagesBurst": 2000}


async def leave_things(server, count, bots=4, spread=0.0006):
    """Leaves flags evenly on a square around PLACE."""
    side = round(count ** 0.5 + 0.5)
    spots = [(PLACE[0] + spread * (2 * (n // side) / side - 1), PLACE[1] + spread * (2 * (n % side) / side - 1))
             for n in range(count)]
    for first in range(bots):
        bot = Bot(f"gardener{first}", PLACE)
        await bot.connect(server)
        for n in range(first, count, bots):
            bot.place(f"flag-{n}", at=spots[n])
        await bot.until(lambda bot=bot, first=first: len(bot.placed) == len(range(first, count, bots)))
        refused = [one for one in bot.placed.values() if isinstance(one, Exception)]
        assert not refused, refused[0]
        bot.transport.abort()


@contextlib.asynccontextmanager
async def walking(server, people, seconds=300):
    """People who walk around PLACE and share where they are, until the block ends. A crowd gives up when one of its
    people cannot connect, as happens on a loaded machine: then it comes again."""
    program = os.environ.get("CAIRN_CROWD_BIN") or str(binary().with_name("cairn-crowd"))
    command = [program, "run", "walk", "--people", people, "--for", f"{seconds}s", "--cells", 1, "--rate", 1,
               "--at", f"{PLACE[0]},{PLACE[1]}", "--url", server.url, "--with", "placeEvery=0",
               "--with", "reactEvery=0", "--with", "ground=apart", "--with", "sharingShare=1"]

    async def walk():
        for attempt in range(1, 5):
            process = await asyncio.create_subprocess_exec(
                *map(str, command), env=environment(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
            try:
                said, _ = await process.communicate()
            finally:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            found = re.search(r'"failure":"[^"]*"', said.decode(errors="replace"))
            print(f"crowd {attempt} is over:", found[0] if found else f"it ended with {process.returncode}")

    crowd = asyncio.create_task(walk())
    try:
        yield
    finally:
        crowd.cancel()
        await asyncio.gather(crowd, return_exceptions=True)


#: Frames that the Realm draws in some seconds, and the milliseconds of the page's own work in one: `seconds` is given.
FRAMES = """async seconds => {
    const realm = await part('realm/realm');
    const { scene } = document.getElementById('realm');
    const { Labels } = await part('realm/labels');
    const took = { update: 0, choose: 0, place: 0, draw: 0 };
    const kinds = { update: scene.constructor, draw: scene.constructor, choose: Labels, place: Labels };
    for (const [name, { prototype }] of Object.entries(kinds)) {
        const own = prototype[name];
        prototype[name] = function (...rest) {
            const began = performance.now();
            try { return own.apply(this, rest); } finally { took[name] += performance.now() - began; }
        };
    }
    const first = realm.frames, began = performance.now();
    await new Promise(then => setTimeout(then, seconds * 1000));
    const drawn = realm.frames - first;
    const people = (await part('core/view')).people().length;
    return { perSecond: drawn * 1000 / (performance.now() - began), took: Object.fromEntries(
        Object.entries(took).map(([name, all]) => [name, all / Math.max(1, drawn)])), people,
        ratio: scene.renderer.getPixelRatio(), triangles: scene.renderer.info.render.triangles,
        calls: scene.renderer.info.render.calls };
}"""
