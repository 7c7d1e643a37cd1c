"""Tours and runs in the console: started, completed, and where they were left (TRT-12, STA-4), checked with axe."""

from browser import console, expect
from operators import Desk
from test_console_accounts import card
from test_runs import reached, settings, tour_of, walk, walker, world  # noqa: F401
from test_tours import makers


async def test_tours_are_shown_by_what_became_of_them_and_by_stop(world):  # noqa: F811
    """Without names: one is completed, one is left at its first stop, one before it, and one goes on."""
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100, 200)
    people = [await walker(world, f"walker{number}") for number in range(4)]
    for one in people:
        await one.ask("startTour", {"tour": tour})
    await walk(people[0], 100, 200)
    await reached(people[0], 2)
    await walk(people[1], 100)
    await reached(people[1], 1)
    for one in people[1:3]:
        await one.ask("leaveRun")
    async with await Desk.open(world) as desk, console(world) as one:
        tours = card(one, "Tours")
        await expect(tours).to_contain_text("Runs since the start4")
        await expect(tours).to_contain_text("Completed1")
        await expect(tours).to_contain_text("Left early2")
        # The stop, how often it was reached, and how many left before the next.
        await expect(tours.locator("tbody tr")).to_have_text(["none1", "121", "210"])
        assert "walker" not in await tours.inner_text()
        await tours.get_by_role("button", name="List the tours").click()
        listed = tours.get_by_role("table", name="All tours").get_by_role("row")
        await expect(listed.nth(1).get_by_role("link").first).to_have_attribute("href", f"#tour/{tour}")
        await expect(listed.nth(1)).to_contain_text("published")
        assert await one.violations() == []
        totals = (await desk.ask("totals"))["totals"]
        assert totals["tourStops"] == {"1": 2, "2": 1} and totals["toursAbandoned"] == {"0": 1, "1": 1}
