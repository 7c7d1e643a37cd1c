"""The console as operators use it: in a browser, by mouse and by keyboard, over the stats WebSocket."""

import os
import re
import signal

import pytest

from browser import browser, console, expect, link
from cairn import Client, Refused, away, pose
from operators import Desk, credential_of, dial, fetch, refused, stats_url


def console_link(server):
    return re.search(r"/console\?link=\S+", "\n".join(server.greeting)).group()


# MARK: - Sign-in


async def test_the_link_of_the_first_start_opens_the_console_and_it_asks_nobody_else(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    async with console(server, path=console_link(server)) as one:
        await one.ready()
        await expect(one.page).to_have_title("Cairn console")
        await one.until(one.listed, lambda listed: listed.get(cell) == 1, "Ada is in the list")
        await one.until(one.drawn, lambda drawn: drawn.get(cell) == 1, "Ada is on the map")
        assert await one.page.locator(".leaflet-control-scale-line").inner_text()
        assert any(url.endswith("/v1/stats") for url in one.asked)
        assert any(url.endswith("/console/leaflet.js") for url in one.asked)


async def test_without_a_session_there_is_a_form_that_wants_the_credential(server):
    async with console(server, path="/console") as one:
        one.expected = ["403"]
        field = one.page.get_by_label("Operators' credential")
        await field.fill("x" * 43)
        await field.press("Enter")
        await expect(one.page.get_by_role("alert")).to_contain_text("not the operators' credential of this server")
        await field.fill(credential_of(server))
        await one.page.get_by_role("button", name="Sign in").click()
        await one.ready()
        cookies = await one.page.context.cookies()
        assert [(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies] == [(True, "Strict")]
        await one.page.get_by_role("button", name="Sign out").click()
        await expect(one.page.get_by_label("Operators' credential")).to_be_visible()
        pair = f"{cookies[0]['name']}={cookies[0]['value']}"
        assert fetch(server, "/console", Cookie=pair)[0] == 403
        assert await refused(stats_url(server), cookie=pair) == 403


async def test_a_used_link_says_so_in_words_and_how_to_get_another(server):
    used = await link(server)
    assert fetch(server, used)[0] == 200
    status, headers, text = fetch(server, used)
    assert status == 403 and headers["Content-Type"].startswith("text/html")
    assert "a link works once" in text and "cairn stats link" in text
    async with browser() as chromium:
        page = await chromium.new_page()
        await page.goto(server.http + used)
        await expect(page.get_by_role("alert")).to_contain_text("a link works once")
        await page.get_by_label("Operators' credential").fill(credential_of(server))
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.locator("#state")).to_have_text("Live")


async def test_a_frozen_server_is_not_shown_as_live(start):
    server = start()
    async with console(server) as one:
        await one.ready()
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            await expect(one.page.locator("#state")).to_have_text("No news")
            await expect(one.page.locator("#silence")).to_have_text(re.compile(r"for ([3-9]|[1-9][0-9])"))
            assert await one.violations() == []
        finally:
            os.kill(server.process.pid, signal.SIGCONT)
        await expect(one.page.locator("#state")).to_have_text("Live")
        await expect(one.page.locator("#silence")).to_be_hidden()


async def test_after_a_restart_there_is_the_form_by_itself(start, tmp_path):
    server = start(folder=tmp_path / "kept")
    async with console(server) as one:
        one.expected = ["403", "WebSocket", "ERR_CONNECTION_REFUSED"]
        await one.ready()
        server.kill()
        await expect(one.page.locator("#state")).to_contain_text("not reached")
        start(folder=tmp_path / "kept", port=server.port)
        await expect(one.page.get_by_label("Operators' credential")).to_be_visible()


async def test_pages_come_with_a_strict_policy_and_a_tag(server):
    pair = fetch(server, "/v1/operator", Authorization=f"Bearer {credential_of(server)}")[1]["Set-Cookie"].split(";")[0]
    for path, status in (("/console", 200), ("/console/main.js", 200), ("/console", 403)):
        headers = {"Cookie": pair} if status == 200 else {}
        got, said, text = fetch(server, path, **headers)
        policy = dict(part.strip().split(" ", 1) for part in said["Content-Security-Policy"].split(";"))
        assert got == status and "unsafe" not in said["Content-Security-Policy"]
        assert policy["default-src"] == "'none'" and policy["frame-ancestors"] == "'none'"
        assert policy["script-src"] == "'self'" and policy["img-src"] == "'self' data:"
        assert said["X-Content-Type-Options"] == "nosniff" and said["ETag"] and "Cache-Control" in said
        assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=", text) or path.endswith(".js")
        if status == 200:
            assert fetch(server, path, **headers, **{"If-None-Match": said["ETag"]})[0] == 304
    assert fetch(server, "/console/nothing.js")[0] == 404
    assert fetch(server, "/v1/operator/end")[0] == 405


async def test_another_sites_page_gets_no_socket_although_the_browser_has_the_cookie(server):
    pair = fetch(server, "/v1/operator", Authorization=f"Bearer {credential_of(server)}")[1]["Set-Cookie"].split(";")[0]
    await (await dial(stats_url(server), cookie=pair, origin=server.http)).close()
    assert await refused(stats_url(server), cookie=pair, origin="https://evil.example") == 403
    assert await refused(stats_url(server), cookie=pair, origin=f"http://localhost:{server.port}") == 403


async def test_tiles_are_allowed_from_their_host_alone(start):
    server = start(console__tileURL="https://tiles.example.org/a/{z}/{x}/{y}.png", console__tileAttribution="A & <B>")
    headers = {"Authorization": f"Bearer {credential_of(server)}"}
    _, said, text = fetch(server, "/console", **headers)
    assert "img-src 'self' data: https://tiles.example.org;" in said["Content-Security-Policy"]
    assert "https://tiles.example.org/a/{z}/{x}/{y}.png" in text and "A &amp; &lt;B&gt;" in text


async def test_without_leaflet_there_is_the_list(start, tmp_path, spot):
    server = start(play__path=tmp_path / "nothing")
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    async with console(server) as one:
        await one.ready()
        await one.until(one.listed, lambda listed: listed.get(cell) == 1, "Ada is in the list")
        await expect(one.page.locator("#map")).to_be_hidden()


# MARK: - Contents


async def test_who_walks_moves_on_the_map_and_in_the_list_alike(server, spot):
    people = [await Client.connect(server, name) for name in ("Ada", "Bob", "Cyd")]
    first = {await one.stand_at(*spot) for one in people}
    async with console(server) as one, await Desk.open(server) as desk:
        await one.ready()
        (home,) = first
        await one.until(one.both, lambda both: all(said.get(home) == 3 for said in both), "three at home")
        for metres in range(20, 420, 20):
            cell = await people[0].stand_at(*away(*spot, east=metres))
        assert cell != home
        await one.until(one.listed, lambda listed: listed.get(home) == 2 and listed.get(cell) == 1, "one has moved")
        await one.page.get_by_role("button", name="Show all").click()
        await one.until(one.drawn, lambda drawn: drawn.get(home) == 2 and drawn.get(cell) == 1, "the map follows")
        await one.page.get_by_role("button", name="Zoom out").click()

        await desk.watch()

        async def said():
            await desk.update()
            return *await one.both(), {token: row["people"] for token, row in desk.cells.items()}

        # Socket, list and map learn of a sleeping cell at different moments.
        listed, _, _ = await one.until(
            said, lambda said: said[0] == said[1] == said[2] and said[0].get(cell) == 1, "all say the same")
        assert await one.page.locator("#totals .value").first.inner_text() == str(sum(listed.values()))


async def test_a_cell_page_says_who_is_there_what_waits_and_what_was_refused(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    heart = await ada.place(pose(*spot))
    with pytest.raises(Refused):
        await ada.edit(heart, pose(*spot), version=heart["version"] + 7)
    async with console(server) as one:
        await one.ready()
        await one.page.get_by_role("link", name=cell).click()
        page = one.page.locator("#cell-card")
        await expect(page.get_by_role("heading", name=f"Cell {cell}")).to_be_focused()
        await expect(one.page).to_have_title(f"Cell {cell} · Cairn console")
        await expect(page.locator(".facts div", has_text="Instances").locator("dd")).to_have_text("1")
        await expect(page.get_by_role("row", name=re.compile("version conflict"))).to_be_visible()
        await expect(page.get_by_role("rowheader", name=ada.welcome["session"])).to_be_visible()
        assert "Ada" not in await page.inner_text()
        await expect(one.page.locator("#noes").get_by_role("row", name=re.compile("version conflict"))).to_be_visible()
        await one.page.go_back()
        await expect(page).to_be_hidden()


# MARK: - Actions


async def test_a_kick_closes_the_connection_and_says_so(server, spot):
    ada = await Client.connect(server, "Ada")
    bob = await Client.connect(server, "Bob")
    cell = await ada.stand_at(*spot)
    await bob.stand_at(*spot)
    async with console(server) as one:
        await one.page.goto(f"{server.http}/console#cell/{cell}")
        await one.ready()
        await one.page.get_by_role("button", name=f"Kick {ada.welcome['session']}").click()
        dialog = one.page.get_by_role("dialog")
        await expect(dialog).to_contain_text(ada.welcome["session"])
        await dialog.get_by_role("button", name="Cancel").click()
        assert ada.end is None
        await one.page.get_by_role("button", name=f"Kick {ada.welcome['session']}").click()
        await dialog.get_by_role("button", name="Kick").click()
        await ada.until_ended()
        assert ada.closing["code"] == "kicked" and bob.end is None
        await expect(one.page.locator("#said")).to_contain_text("1 connection closed.")
        await expect(one.page.get_by_role("rowheader", name=ada.welcome["session"])).to_be_hidden()
        await expect(one.page.get_by_role("rowheader", name=bob.welcome["session"])).to_be_visible()


async def test_a_notice_reaches_everybody_or_those_in_a_cell(server, spot):
    ada = await Client.connect(server, "Ada")
    bob = await Client.connect(server, "Bob")
    cell = await ada.stand_at(*spot)
    await bob.stand_at(*away(*spot, north=3_000))
    async with console(server) as one:
        await one.ready()
        await one.page.get_by_role("button", name="Notice", exact=True).click()
        await one.page.get_by_role("dialog").get_by_label("Text").fill("The fair closes\tat six")
        await one.page.keyboard.press("Enter")
        for person in (ada, bob):
            await person.until(lambda: person.notices, "notice")
            assert person.notices[-1]["text"] == "The fair closes at six"
        await expect(one.page.locator("#said")).to_contain_text("told.")
        await one.page.get_by_role("link", name=cell).click()
        await one.page.get_by_role("button", name="Notice to this cell").click()
        await one.page.get_by_role("dialog").get_by_label("Text").fill("Mind the step")
        await one.page.get_by_role("dialog").get_by_role("button", name="Send").click()
        await ada.until(lambda: len(ada.notices) == 2, "notice to the cell")
        await expect(one.page.locator("#said")).to_contain_text("1 connection told.")
        assert len(bob.notices) == 1


async def test_buttons_are_those_of_the_servers_help_and_drain_stops_it(start):
    server = start()
    async with await Desk.open(server) as desk:
        commands = [one["command"] for one in (await desk.ask("help"))["commands"]]
    async with console(server) as one:
        one.expected = ["WebSocket", "ERR_CONNECTION_REFUSED"]
        await one.ready()
        buttons = await one.page.locator("#actions button").evaluate_all("all => all.map(one => one.dataset.action)")
        assert buttons == [name for name in ("notice", "backup", "reload", "drain") if name in commands]
        await one.page.get_by_role("button", name="Drain").click()
        await one.page.get_by_role("dialog").get_by_role("button", name="Drain and stop").click()
        await expect(one.page.locator("#state")).to_contain_text("not reached")
    assert server.wait() == 0


# MARK: - Themes, sizes and assistive technology


async def test_axe_finds_nothing_on_a_phone(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    async with console(server, size=(390, 844)) as one:
        await one.ready()
        await one.until(one.drawn, lambda drawn: drawn.get(cell), "Ada is on the map")
        assert await one.violations() == []
        assert await one.page.evaluate("document.documentElement.scrollWidth") <= 390
        await one.page.get_by_role("link", name=cell).click()
        await expect(one.page.get_by_role("rowheader", name=ada.welcome["session"])).to_be_visible()
        assert await one.violations() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing(server, spot, scheme):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    with pytest.raises(Refused):
        await ada.select({"id": "06xxxxxxxxxxx", "cell": cell})
    async with console(server, path="/console", scheme=scheme) as one:
        one.expected = ["403"]
        assert await one.violations() == []
    async with console(server, scheme=scheme) as one:
        await one.ready()
        await one.until(one.drawn, lambda drawn: drawn.get(cell), "Ada is on the map")
        await expect(one.page.locator("#noes tbody tr").first).to_be_visible()
        assert await one.scheme() == scheme
        assert await one.violations() == []
        await one.page.get_by_role("link", name=cell).click()
        await expect(one.page.get_by_role("rowheader", name=ada.welcome["session"])).to_be_visible()
        assert await one.violations() == []
        for button in await one.page.locator('[data-action="notice"], [data-action="drain"]').all():
            await button.click()
            await expect(one.page.get_by_role("dialog")).to_be_visible()
            assert await one.violations() == []
            await one.page.keyboard.press("Escape")


async def test_colours_can_be_chosen_and_stay(server):
    async with console(server) as one:
        await one.ready()
        for scheme in ("dark", "light"):
            await one.page.get_by_label("Colours", exact=True).select_option(scheme)
            await one.page.reload()
            await one.ready()
            assert await one.scheme() == scheme


async def test_everything_is_done_by_keyboard(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    async with console(server) as one:
        await one.ready()
        press = one.page.keyboard.press
        await one.until(one.drawn, lambda drawn: drawn.get(cell), "Ada is on the map")
        await press("Tab")
        await expect(one.page.get_by_role("link", name="Skip to the list of cells")).to_be_focused()
        await press("Enter")
        await one.page.get_by_label("Filter").focus()
        await one.page.keyboard.type(cell)
        await expect(one.page.locator("#list tbody tr")).to_have_count(1)
        # Past the box and the heads of the six columns.
        for _ in range(9):
            await press("Tab")
            if await one.page.evaluate("document.activeElement.matches('#list tbody a')"):
                break
        await expect(one.page.get_by_role("link", name=cell)).to_be_focused()
        await press("Enter")
        await expect(one.page.get_by_role("heading", name=f"Cell {cell}")).to_be_focused()
        await one.page.get_by_role("button", name=f"Kick {ada.welcome['session']}").focus()
        await press("Enter")
        await expect(one.page.get_by_role("dialog").get_by_label("Reason")).to_be_focused()
        await press("Escape")
        await expect(one.page.get_by_role("dialog")).to_be_hidden()
        await press("Escape")
        await expect(one.page.get_by_role("link", name=cell)).to_be_focused()
        await one.page.get_by_label("Filter").fill("")
        await one.until(one.listed, lambda listed: len(listed) > 2, "all cells are listed again")
        await one.page.get_by_role("link", name=cell).focus()
        await press("ArrowDown")
        assert await one.page.evaluate("document.activeElement.textContent") != cell
        await one.page.locator("#map").focus()
        await press("+")
        await one.until(one.drawn, lambda drawn: cell in drawn, "the map is nearer")

        async def further():
            await press("ArrowLeft")
            return await one.drawn()

        await one.until(further, lambda drawn: cell not in drawn, "the map has moved on")


async def test_nothing_moves_by_itself_for_those_who_do_not_want_it(server):
    async with console(server, reduced_motion="reduce") as one:
        await one.ready()
        assert await one.page.locator("#map.leaflet-zoom-anim, #map.leaflet-fade-anim").count() == 0
        moving = await one.page.evaluate(
            """[...document.querySelectorAll('*')].map((one) => getComputedStyle(one))
                .filter((style) => style.transitionDuration !== '0s' || style.animationName !== 'none').length""")
        assert moving == 0


#: Milliseconds that a page works at something of which no part is quick: letters of this many tokens put in order.
SORTING = """(count) => {
    const began = performance.now();
    [...Array(count).keys()].map((n) => (n * 2654435761 % 4294967296).toString(36).split('').sort().join('')).sort();
    return performance.now() - began;
}"""

#: The longest task of a page from now on.
LONGEST = """() => {
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longest = Math.max(longest, duration);
    }).observe({ type: "longtask" });
}"""

#: Milliseconds from a filter to the next frame.
FILTERING = """async (token) => {
    const began = performance.now();
    const filter = document.getElementById('filter');
    filter.value = token;
    filter.dispatchEvent(new Event('input'));
    await new Promise(requestAnimationFrame);
    return performance.now() - began;
}"""


@pytest.mark.alone
@pytest.mark.seconds(150)
async def test_ten_thousand_cells_leave_the_page_responsive(start):
    """What the page does at a time is little more than to sort the letters of ten tokens for each cell."""
    server = start(cells__level=17, cells__viewRadiusMetres=380)
    crowd = []
    async with await Desk.open(server) as desk:
        while (await desk.ask("totals"))["totals"]["cells"] < 10_000:
            crowd.append(await Client.connect(server, f"P{len(crowd):03}"))
            await crowd[-1].stand_at(40 + 0.02 * (len(crowd) // 10), 10 + 0.02 * (len(crowd) % 10))
        awake = (await desk.ask("totals"))["totals"]["cells"]
    async with console(server) as one:
        await one.ready()
        await one.until(one.drawn, lambda drawn: len(drawn) >= 10_000, "all cells are on the map")
        sorting = await one.page.evaluate(SORTING, 10 * awake)
        await one.page.evaluate(LONGEST)
        # All people walk while the operator searches for a cell.
        for step in range(1, 6):
            for number, person in enumerate(crowd, 1):
                await person.stand_at(*away(40 + 0.02 * (number // 10), 10 + 0.02 * (number % 10), north=25 * step))
        home = next(iter(await one.listed()))
        answered = await one.page.evaluate(FILTERING, home)
        await expect(one.page.locator("#list tbody tr")).to_have_count(1)
        await one.page.locator("#map").focus()
        await one.page.keyboard.press("-")
        longest = await one.page.evaluate("longest")
        sorting = max(sorting, await one.page.evaluate(SORTING, 10 * awake))
    print(f"{awake} cells: sorted in {sorting:.0f} ms, filtered in {answered:.0f} ms, the longest task took",
          f"{longest:.0f} ms")  # fmt: skip
    assert answered < sorting and longest < 2.5 * sorting, (answered, longest, sorting)
