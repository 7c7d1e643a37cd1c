"""The cost of a visit on a slow network: requests, bytes, and requests that wait for one another."""

import asyncio
import contextlib
import json
import os
import re
import time
from urllib.parse import urlsplit

import pytest

from playing import PLACE, Player, address, browser
from server import ROOT
from test_play_offline import shell_is_kept
from test_play_texts import LANGUAGES, served

#: Most requests and bytes until a first visit shows the map and what is on it (issue 32, section 3).
REQUESTS_MAX, BYTES_MAX = 12, 110_000
#: Parts that are loaded when they are needed.
LATER = ("three", "realm.js", "tours.js", "people.js", "countries")

#: What scripts/play-bundle has made.
BUILT = next((ROOT / ".build").glob("*/share/cairn/play/built"))


def named_in_advance():
    """The addresses that the document has fetched at once, and those that its first script adds: texts, the map."""
    document, (texts,) = (BUILT / "index.html").read_text(), BUILT.glob("*/texts-en.json")
    named = re.findall(r'(?:href|src)="(/play/(?:built|lib)/[^"]+)"', document)
    (library,) = re.findall(r'"(/play/lib/leaflet-[^"]+)"', (texts.parent / "opening.js").read_text())
    return [*named, f"/play/built/{texts.parent.name}/{texts.name}", library]


def test_theFirstView_isInOneFile():
    """It imports nothing, and all other scripts name files that are there."""
    (main,) = BUILT.glob("*/main.js")
    for script in main.parent.glob("*.js"):
        text = script.read_text()
        at_once = re.findall(r"""\b(?:from|import)["'](/?[.\w][\w./-]+)["']""", text)
        later = re.findall(r"""\bimport\(["']([^"']+)["']\)""", text)
        assert script != main or at_once == []
        for one in at_once + later:
            name = one.removeprefix(f"/play/built/{main.parent.name}/").removeprefix("./")
            assert one.startswith("/play/lib/") or (main.parent / name).is_file(), (script, one)


@pytest.mark.seconds(120)
async def test_aFirstVisit_asksForLittle_andForNothingThatIsNeededLater(world):
    """At 50 kB/s and 150 ms each way; `CAIRN_TIMED=1` prints how long it takes."""
    async with browser() as chromium:
        context = await chromium.new_context(service_workers="block")
        player = Player(world, await context.new_page())
        session = await context.new_cdp_session(player.page)
        asked, byte_counts = {}, {}
        session.on("Network.requestWillBeSent", lambda said: asked.update({said["requestId"]: said["request"]["url"]}))
        session.on("Network.loadingFinished", lambda said: byte_counts.update(
            {said["requestId"]: said["encodedDataLength"]}))
        await session.send("Network.enable")
        await session.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": 150, "downloadThroughput": 51_200, "uploadThroughput": 51_200})
        began = time.monotonic()
        await player.page.goto(address(world) + f"?at={PLACE[0]},{PLACE[1]}#/map", wait_until="commit")
        # It can be used when it is connected and the map is there.
        await player.page.wait_for_selector("#pill[data-state=live]", state="attached")
        await player.page.wait_for_selector("#map .own-dot", state="attached")
        seconds = time.monotonic() - began
        # What begins after the page is open is no part of it: the ground, and the other places.
        named = named_in_advance()
        last = max(n for n, url in enumerate(asked.values()) if urlsplit(url).path in named)
        opening = dict(list(asked.items())[:last + 1])
        urls, byte_count = list(opening.values()), sum(byte_counts.get(one, 0) for one in opening)
        if os.environ.get("CAIRN_TIMED"):
            print(f"\n{seconds:.1f} s, {len(urls)} requests, {byte_count} bytes")
        assert 0 < len(urls) <= REQUESTS_MAX, len(urls)
        assert 0 < byte_count <= BYTES_MAX, byte_count
        assert [url for url in urls if any(part in url for part in LATER)] == []
        # Each module was asked for once, though it was named in advance.
        scripts = [url for url in urls if url.endswith((".js", ".json"))]
        assert len(scripts) == len(set(scripts))
        player.check()


@pytest.mark.parametrize("language", LANGUAGES)
def test_theTextsOfTheFirstView_areAFewOfAll_andTheRestComesLater(language):
    """What the modules of the first view name is there at once; the two files have each text once."""
    (main,) = BUILT.glob("*/main.js")
    first, more = (json.loads((main.parent / f"texts-{part}{language}.json").read_text()) for part in ("", "more-"))
    both = {folder: {**first.get(folder, {}), **more.get(folder, {})} for folder in {*first, *more}}
    assert both == served(language)
    keys, others = ({key for texts in part.values() for key in texts} for part in (first, more))
    assert keys and not keys & others and len(others) > len(keys)
    named = re.findall(r"""["'`]([a-zA-Z][\w.]*)["'`]""", main.read_text())
    assert others & set(named) == set()


class Counter:
    """A relay to a server that notes what is asked for."""

    def __init__(self, server):
        self.server, self.asked = server, []

    async def relay(self, reader, writer):
        there, here = await asyncio.open_connection(self.server.host, self.server.port)

        async def pass_on(source, target, note):
            with contextlib.suppress(ConnectionError):
                while data := await source.read(65_536):
                    if note:
                        self.asked += [one.decode() for one in re.findall(rb"GET (\S+) HTTP/1", data)]
                    target.write(data)
                    await target.drain()
            target.close()

        await asyncio.gather(pass_on(reader, here, True), pass_on(there, writer, False))


@pytest.mark.seconds(120)
async def test_aSecondVisit_asksForThePageAndForWhatHasChanged(world):
    counter = Counter(world)
    relay = await asyncio.start_server(counter.relay, world.host, 0)
    port = relay.sockets[0].getsockname()[1]
    async with relay, browser() as chromium:
        context = await chromium.new_context()
        player = Player(world, await context.new_page())
        where = f"http://{world.host}:{port}/play?at={PLACE[0]},{PLACE[1]}#/map"
        await player.page.goto(where)
        await player.live()
        await shell_is_kept(player)
        counter.asked.clear()
        await player.page.reload()
        await player.live()
        await player.page.wait_for_selector("#map .own-dot", state="attached")
        asked = {one.split("?")[0] for one in counter.asked}
        assert {"/play", "/play/files.json"} <= asked
        # The ground may have changed, and has no state that is listed.
        assert asked <= {"/play", "/play/files.json", "/play/sw.js", "/play/ground.json", "/v1"}, asked
