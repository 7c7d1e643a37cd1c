"""Pieces of the page in Chromium, without a server: its files come from the tree."""

import contextlib
import re

from browser import browser
from test_play_texts import PLAY, served

#: Where the page believes to be. Nothing is asked for there: each request is answered from the tree, or refused.
ORIGIN = "https://cairn.test"
#: What the components expect of the document.
DOCUMENT = """<!doctype html><html lang="en"><head>
<link rel="stylesheet" href="/play/css/frame.css"><link rel="stylesheet" href="/play/css/parts.css">
<link rel="stylesheet" href="/play/css/world.css"><link rel="stylesheet" href="/play/lib/leaflet.css"></head>
<body><div id="stage"></div><div id="page"></div><aside id="sheet" hidden></aside>
<div id="slot"><section id="toasts"></section></div><div id="said"></div><div id="warned"></div></body></html>"""
TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}


async def answer(route):
    """Answers a request for a file of the page as the server would."""
    path = route.request.url.removeprefix(ORIGIN).split("?")[0]
    if path == "/play":
        await route.fulfill(body=DOCUMENT, content_type="text/html")
        return
    if language := re.fullmatch(r"/play/texts/(\w+)\.json", path):
        await route.fulfill(json=served(language[1]))
        return
    name = path.removeprefix("/play/")
    file = PLAY.parent / name if name.startswith("cairn/") else PLAY / name
    if file.suffix in TYPES and file.is_file():
        await route.fulfill(path=file, content_type=TYPES[file.suffix])
    else:
        await route.fulfill(status=404, body="")


@contextlib.asynccontextmanager
async def piece(*names, language="en"):
    """A document with these modules of the page as `window.NAME`, and its texts. It has no fault at the end."""
    async with browser() as chromium:
        context = await chromium.new_context(service_workers="block")
        await context.route("**/*", answer)
        page = await context.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        await page.goto(f"{ORIGIN}/play")
        await page.evaluate(
            """async ([names, language]) => {
                for (const name of [...names, 'core/texts', 'core/extensions']) {
                    window[name.split('/').pop()] = await import(`/play/js/${name}.js`);
                }
                window.extensions.register([]);
                await window.texts.speak(language);
            }""", [list(names), language])
        yield page
        assert faults == []
