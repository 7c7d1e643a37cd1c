"""The console's overview: health, alarms until they are seen, curves, refusals in words, and room for all of it."""

import re

import pytest

from browser import console, expect
from cairn import Client, Refused, away, pose
from operators import Desk
from test_stats_health import broken, figures, until  # noqa: F401

#: What is on the page and does not fit: hidden or cut parts of elements, and what has to be scrolled sideways.
CUT_OFF = """() => {
    const cut = [];
    if (document.documentElement.scrollWidth > innerWidth) cut.push(['page', document.documentElement.scrollWidth]);
    for (const one of document.querySelectorAll('body *')) {
        const box = one.getBoundingClientRect();
        if (box.width < 2 || box.height < 2 || one.closest('.unseen, .leaflet-container, svg, .skip')) continue;
        if (box.right > innerWidth + 1 || box.left < -1) cut.push([one.tagName, one.id, one.className, 'outside']);
        const { overflowX } = getComputedStyle(one);
        if (overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1) {
            cut.push([one.tagName, one.id, one.className, one.scrollWidth, one.clientWidth]);
        }
    }
    return cut;
}"""


async def refuse(client, spot, times=1):
    """Has the server refuse something to a person."""
    for _ in range(times):
        with pytest.raises(Refused):
            await client.place(pose(*away(*spot, east=5_000)))


@pytest.mark.parametrize("size", [(390, 844), (1024, 768), (1440, 900), (2560, 1300)])
async def test_the_overview_uses_the_window_and_nothing_is_cut_off(server, spot, size):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    await refuse(ada, spot)
    async with console(server, size=size) as one:
        await one.ready()
        await one.until(one.listed, lambda listed: listed.get(cell) == 1, "Ada is in the list")
        await expect(one.page.locator("#noes tbody tr").first).to_be_visible()
        assert await one.page.evaluate(CUT_OFF) == []
        # From edge to edge.
        left, right = await one.page.evaluate(
            """() => {
                const boxes = [...document.querySelectorAll('main > *')].map((one) => one.getBoundingClientRect());
                return [Math.min(...boxes.map((one) => one.left)), Math.max(...boxes.map((one) => one.right))];
            }""")
        assert left <= 24 and right >= size[0] - 40
        order = await one.page.locator("main h2:visible, main h2.unseen").all_inner_texts()
        assert order[:5] == ["Health", "Totals", "Map", "Cells", "Refusals and drops"]


async def test_health_is_the_first_line_and_an_alarm_stays_until_it_is_seen(broken):  # noqa: F811
    server, mend = await broken()
    async with console(server) as one, await Desk.open(server) as desk:
        await one.ready()
        line = one.page.locator("#health-line")
        await expect(line).to_have_text(re.compile("^Trouble: The last backup failed"))
        alarm = one.page.locator("#alarms li", has_text="The last backup failed")
        await expect(alarm).to_contain_text("backup.directory")
        await mend()
        await until(desk, "health", lambda said: "backupFailing" not in figures(said), "the alarm is over")
        await expect(line).not_to_have_text(re.compile("backup"))
        await expect(alarm).to_have_text(re.compile(r"\d\d:\d\d to \d\d:\d\d, .* ago"))
        assert await one.violations() == []
        await one.page.reload()
        await one.ready()
        await expect(alarm).to_be_visible()
        await alarm.get_by_role("button", name="Mark as seen: The last backup failed").click()
        await expect(one.page.locator("#said")).to_contain_text("1 alarm marked as seen.")
        await expect(alarm).to_be_hidden()
        assert [kept["figure"] for kept in (await desk.ask("alarms"))["alarms"] if kept["seenBy"]] == ["backupFailing"]
        await one.page.get_by_text("earlier alarm").click()
        await expect(one.page.locator("#alarms-earlier li")).to_have_text(re.compile("seen by"))
        assert await one.violations() == []


async def test_a_page_whose_script_does_not_come_says_so_and_not_that_all_is_well(server):
    async with console(server) as one:
        one.expected = ["ERR_FAILED"]
        words = one.page.locator("#unloaded")
        await one.ready()
        await expect(words).to_have_count(0)
        await one.page.route("**/console/words.js", lambda route: route.abort())
        await one.page.reload()
        # It is seen by itself, after a while.
        await words.evaluate("(words) => words.getAnimations().forEach((one) => one.finish())")
        await expect(words).to_be_visible()
        await expect(one.page.locator("#state")).to_have_text("Loading")
        sign = await one.page.locator("#health-line").evaluate("(line) => getComputedStyle(line, '::before').content")
        assert sign != '"✓"'


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_alarms_and_reasons(broken, spot, scheme):  # noqa: F811
    server, _ = await broken()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await refuse(ada, spot)
    async with console(server, scheme=scheme) as one:
        await one.ready()
        await expect(one.page.locator("#alarms li").first).to_be_visible()
        await expect(one.page.locator("#noes tbody tr").first).to_be_visible()
        await one.page.get_by_role("slider", name="People, curve").focus()
        await one.page.keyboard.press("ArrowLeft")
        assert await one.violations() == []


# MARK: - Curves


async def test_a_curve_is_read_by_keyboard_and_says_least_most_and_now(server, spot):
    people = [await Client.connect(server, f"Person{number}") for number in range(3)]
    for person in people:
        await person.stand_at(*spot)
    async with console(server) as one:
        await one.ready()
        curve = one.page.get_by_role("slider", name="People, curve")
        await expect(curve).to_have_attribute("aria-valuetext", re.compile(r"^\d\d:\d\d:\d\d: [1-9]\d* people$"))
        words = one.page.locator(f"#{await curve.get_attribute('aria-describedby')}")
        await expect(words).to_have_text(
            re.compile(r"^People, the last five minutes: least \d+, most [1-9]\d*, now [1-9]\d* people\.$"))
        await curve.focus()
        newest = int(await curve.get_attribute("aria-valuemax"))
        await one.page.keyboard.press("ArrowLeft")
        await expect(curve).to_have_attribute("aria-valuenow", str(newest - 1))
        await one.page.keyboard.press("PageDown")
        await expect(curve).to_have_attribute("aria-valuenow", str(newest - 11))
        tip = curve.locator(".tip")
        await expect(tip).to_be_visible()
        await one.page.keyboard.press("Escape")
        await expect(tip).to_be_hidden()
        await one.page.keyboard.press("Home")
        await expect(curve).to_have_attribute("aria-valuetext", re.compile("nothing is known$"))
        await curve.hover()
        await expect(tip).to_be_visible()
        assert await curve.locator(".curve-top").inner_text()


async def test_the_reach_of_curves_is_chosen_and_remembered(server):
    async with console(server) as one:
        await one.ready()
        curve = one.page.get_by_role("slider", name="Connections, curve")
        await expect(curve).to_have_attribute("aria-valuemax", "299")
        await one.page.get_by_role("radio", name="24 h").check()
        await expect(curve).to_have_attribute("aria-valuemax", "287")
        await expect(one.page.locator("#curves-words")).to_contain_text("begin at the start of the server")
        await one.page.reload()
        await one.ready()
        await expect(one.page.get_by_role("radio", name="24 h")).to_be_checked()
        await expect(curve).to_have_attribute("aria-valuemax", "287")
        await expect(curve).to_have_attribute(
            "aria-valuetext", re.compile(r"^\d\d:\d\d to \d\d:\d\d: \d.* connections$"))


# MARK: - Refusals


async def test_refusals_say_what_they_mean_and_those_of_a_minute_are_picked_on_the_curve(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await refuse(ada, spot, times=3)
    async with console(server) as one:
        await one.ready()
        row = one.page.locator("#noes").get_by_role("row", name=re.compile("^too far"))
        await expect(row).to_contain_text("Somebody reached for a place further from them than reach allows.")
        await expect(row).to_contain_text("Nothing: they walk closer.")
        curve = one.page.get_by_role("slider", name="Refusals/s, curve")
        await expect(one.page.locator(".tile", has=curve)).to_contain_text("click: the reasons")
        await expect(one.page.locator(".tile", has=curve)).to_contain_text("on average in 5 min")
        await curve.focus()
        await one.page.keyboard.press("ArrowLeft")
        await one.page.keyboard.press("Enter")
        await expect(one.page.get_by_role("heading", name="Refusals and drops")).to_be_focused()
        await expect(one.page.locator("#noes-words")).to_have_text(re.compile(r"^\d\d:\d\d to \d\d:\d\d$"))
        await expect(one.page.locator("#noes-time")).to_have_value("picked")
        await one.page.get_by_label("Time").select_option("Last hour")
        await expect(row).to_be_visible()
        assert int(await row.get_by_role("cell").nth(0).inner_text()) >= 3
        assert await one.violations() == []


async def test_the_maps_colours_are_those_of_its_legend(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    async with console(server) as one:
        await one.ready()
        await one.until(one.drawn, lambda drawn: drawn.get(cell), "Ada is on the map")
        missing = await one.page.evaluate("""() => {
            const canvas = document.querySelector(".cells-canvas");
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const seen = new Set();
            for (let at = 0; at < data.length; at += 4) {
                if (data[at + 3] === 255) seen.add(data.slice(at, at + 3).join());
            }
            const legend = [...document.querySelectorAll("#legend li")].slice(0, 2);
            return legend.map((item) => [item.textContent, getComputedStyle(item.firstChild).backgroundColor])
                .filter(([, colour]) => !seen.has(colour.match(/\\d+/g).slice(0, 3).join())).map(([words]) => words);
        }""")
        assert missing == []
