"""The playground /play/two in a browser: two phones side by side, and every frame in words."""

import contextlib
from urllib.parse import urlsplit

from axe_playwright_python.async_playwright import Axe

from browser import AXE, browser, expect


@contextlib.asynccontextmanager
async def playground(server, *, scheme="light", size=(1280, 900), query="?at=45.5,-73.58"):
    """The page with both phones connected; at the end without an error or a request to another host."""
    async with browser() as chromium:
        page = await chromium.new_page(color_scheme=scheme, viewport={"width": size[0], "height": size[1]})
        faults, asked = [], []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        await page.goto(server.http + "/play/two" + query)
        for letter in "ab":
            await expect(page.locator(f"#{letter} .state").first).to_have_text("connected")
        yield page
        # A cut link is a failed connection to the browser.
        assert not [fault for fault in faults if "WebSocket" not in fault], faults
        own = {f"{server.host}:{server.port}", ""}
        assert not [url for url in asked if urlsplit(url).netloc not in own], asked


async def test_what_one_phone_leaves_the_other_sees_also_after_a_cut(server):
    async with playground(server) as page:
        sees = page.get_by_label("What Phone B sees")
        await expect(sees).to_contain_text("phone-a")
        await page.locator("#a").get_by_role("button", name="Place it here").click()
        await expect(sees).to_contain_text("preset:")
        await page.locator("#b").get_by_role("button", name="Cut the link").click()
        await expect(page.locator("#b .state").first).to_contain_text("cut off")
        await page.locator("#a").get_by_role("button", name="Place it here").click()
        await expect(page.get_by_label("What Phone A sees").locator("li", has_text="preset:")).to_have_count(2)
        await expect(sees.locator("li", has_text="preset:")).to_have_count(1)
        await page.locator("#b").get_by_role("button", name="Restore the link").click()
        await expect(sees.locator("li", has_text="preset:")).to_have_count(2)
        log = page.get_by_label("Frames, newest first")
        for words in ("says hello as phone-a", "places preset:", "is on disk", "is new here", "and resumes"):
            await expect(log).to_contain_text(words)


async def test_phones_walk_and_are_dragged_and_a_slow_link_is_late(server):
    async with playground(server, query="?at=45.6,-73.58") as page:
        latitude = page.get_by_label("Latitude of Phone A")
        before = float(await latitude.input_value())
        await page.get_by_role("button", name="Phone A: 5 m north").click()
        await expect(latitude).not_to_have_value(f"{before:.6f}")
        walk = page.locator("#b").get_by_role("button", name="Walk")
        place = await page.get_by_label("Longitude of Phone B").input_value()
        await page.locator("#choose-b").check()
        box = await page.locator("#map").bounding_box()
        await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
        await walk.click()
        await expect(page.get_by_label("Longitude of Phone B")).not_to_have_value(place)
        await walk.click()
        pin = page.locator(".pin-a")
        start = await pin.bounding_box()
        await page.mouse.move(start["x"] + 13, start["y"] + 13)
        await page.mouse.down()
        await page.mouse.move(start["x"] + 73, start["y"] + 13, steps=5)
        await page.mouse.up()
        assert float(await page.get_by_label("Longitude of Phone A").input_value()) > -73.58
        await page.get_by_label("Delay of Phone A").fill("1500")
        await page.locator("#a").get_by_role("button", name="Place it here").click()
        await expect(page.locator("#a .state").first).to_contain_text("1 unanswered")
        await expect(page.locator("#a .state").first).to_have_text("connected")


async def test_any_message_is_composed_from_its_schema(server):
    async with playground(server, query="?at=45.7,-73.58") as page:
        form = page.locator("#compose")
        await expect(form.get_by_label("Request")).to_have_value("place")
        await form.get_by_role("button", name="Send").click()
        await expect(page.locator("#answer")).to_contain_text('Answered: {')
        await expect(page.get_by_label("What Phone B sees")).to_contain_text("preset:heart")
        await form.get_by_label("Request").select_option("createPost")
        await expect(page.locator("#about")).to_contain_text("Leave a post")
        await form.get_by_role("button", name="Send").click()
        await expect(page.locator("#answer")).to_contain_text("Refused, text_empty")
        await form.get_by_label("Body").fill('{"text": 5}')
        await form.get_by_role("button", name="Send").click()
        await expect(page.locator("#answer")).to_contain_text("5 is no string")


async def test_the_page_is_for_everybody(server):
    for scheme, size in (("light", (1280, 900)), ("dark", (360, 640))):
        async with playground(server, scheme=scheme, size=size) as page:
            found = await Axe().run(page, options=AXE)
            assert found.violations_count == 0, found.generate_report()
            width = await page.evaluate("() => document.documentElement.scrollWidth")
            assert width <= size[0], width
