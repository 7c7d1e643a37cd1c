"""Finding in the console: one field, a page for each thing, ids that lead there, and what is done there (ROL-5)."""

import re

import pytest

from browser import console, expect
from cairn import Client, Refused, pose
from operators import Desk
from test_runs import settings, tour_of, walker, world  # noqa: F401
from test_tours import makers


def page(one):
    return one.page.locator("#page-card")


async def seek(one, text):
    """From wherever the focus is, by keyboard alone."""
    await one.page.locator("h1").click()
    await one.page.keyboard.press("/")
    await expect(one.page.get_by_label("Find", exact=True).first).to_be_focused()
    await one.page.keyboard.type(text)
    await one.page.keyboard.press("Enter")


async def recorded(desk, what):
    return [entry for entry in (await desk.ask("audit"))["audit"] if entry["what"] == what]


async def test_find_ada_and_see_whether_she_is_suspended_and_why(start, spot):
    """And sign her out everywhere, and let her in again."""
    server = start()
    ada, adam = await Client.connect(server, "Ada"), await Client.connect(server, "Adam")
    account = ada.welcome["account"]
    cell = await ada.stand_at(*spot)
    async with console(server) as one, await Desk.open(server) as desk:
        await one.ready()
        await seek(one, "ada")
        found = one.page.locator("#seek-found")
        await expect(found.get_by_role("link")).to_have_count(2)
        await one.page.keyboard.press("ArrowDown")
        await expect(found.get_by_role("link").first).to_be_focused()
        await one.page.keyboard.press("Enter")
        await expect(one.page).to_have_url(re.compile(f"#account/{account}$"))
        card, dialog = page(one), one.page.get_by_role("dialog")
        await expect(card.get_by_role("heading", name=f"Person {account}")).to_be_focused()
        await expect(card).to_contain_text("Ada")
        # Its beginning is in sight, though not its end.
        assert await one.page.evaluate("[scrollY, innerHeight < document.getElementById('page-card')"
                                       ".getBoundingClientRect().bottom]") == [0, True]
        await expect(card.get_by_role("link", name=cell)).to_be_visible()
        await expect(found).to_be_hidden()

        await card.get_by_role("button", name="Suspend").click()
        await dialog.get_by_label("Reason").fill("Shouting")
        await dialog.get_by_role("button", name="Suspend").click()
        assert (await ada.until_ended())[0] == 4200 and adam.end is None
        await expect(card.locator(".facts")).to_contain_text("Shouting")
        await expect(card.get_by_role("table", name="Record")).to_contain_text("Shouting")
        await card.get_by_role("button", name="Reinstate").click()
        await dialog.get_by_label("Reason").fill("She has said sorry")
        await dialog.get_by_role("button", name="Reinstate").click()
        await expect(card.get_by_role("button", name="Suspend")).to_be_visible()
        await card.get_by_role("button", name="Sign out everywhere").click()
        await dialog.get_by_role("button", name="Sign out").click()
        await expect(card.get_by_role("table", name="Record")).to_contain_text("sign out")
        with pytest.raises(Refused):
            await (await Client.connect(server, token=ada.welcome["token"])).stand_at(*spot)
        assert [entry["reason"] for entry in await recorded(desk, "reinstate")] == ["She has said sorry"]
        assert len(await recorded(desk, "look_up")) >= 2


async def test_who_left_this_and_remove_it(server, spot):
    """From the cell: its things, the thing, its owner."""
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot), text="Call 555")
    await ada.until(lambda: ada.sees(placed), "what was placed")
    async with console(server) as one, await Desk.open(server) as desk:
        await one.page.goto(f"{server.http}/console#cell/{cell}")
        await one.ready()
        card = one.page.locator("#cell-card")
        row = card.get_by_role("row", name=placed["id"])
        await expect(row).to_contain_text("Call 555")
        await expect(card.locator(".plan circle")).to_have_count(1)
        await expect(card.locator(".plan .people-1 + text")).to_have_text("1")
        await row.get_by_role("link", name=placed["id"]).click()
        thing, dialog = page(one), one.page.get_by_role("dialog")
        await expect(thing).to_contain_text("Call 555")
        await expect(thing).to_contain_text("Operators and admins have done nothing about this.")
        # Who it is is told when it is asked for, and that stands in the record.
        await expect(thing).not_to_contain_text("Ada")
        await thing.get_by_role("button", name="Look up names").click()
        owner = thing.get_by_role("link", name=f"Ada {ada.welcome['account']}")
        await expect(owner).to_be_focused()
        await expect(thing.get_by_role("button", name="Look up names")).to_be_hidden()
        assert [entry["reason"] for entry in await recorded(desk, "look_up")] == ["name"]
        await owner.click()
        await expect(thing.get_by_role("heading", name="Person")).to_contain_text("Ada")
        await thing.get_by_role("link", name=f"Back to Thing {placed['id']}").click()
        await expect(thing.get_by_role("link", name=f"Back to Cell {cell}")).to_be_visible()
        await thing.get_by_role("button", name="Remove").click()
        await dialog.get_by_label("Reason").fill("A phone number")
        await dialog.get_by_role("button", name="Remove").click()
        await ada.until(lambda: not ada.sees(placed), "it has left")
        await expect(thing).to_contain_text("It is gone.")
        await expect(thing.get_by_role("link", name=ada.welcome["account"]).first).to_be_visible()
        await expect(thing.get_by_role("table", name="Record")).to_contain_text("A phone number")
        assert len(await recorded(desk, "instance_remove")) == 1
        await one.page.keyboard.press("Escape")
        await expect(thing).to_be_hidden()
        await expect(one.page.locator("#list-card")).to_be_visible()


async def test_find_the_post_that_says_so_and_what_else_they_left_and_who_looked(start, spot):
    """And suspend whoever wrote it until a day, and read that in the audit log."""
    server = start(placement__perMinute=100, placement__areaQuota=100)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    post = await ada.make_post("I lost my hat on the bridge")
    for _ in range(52):
        await ada.place(pose(*spot))
    account = ada.welcome["account"]
    async with console(server) as one:
        await one.ready()
        await seek(one, "bridge lost")
        await expect(page(one)).to_contain_text("I lost my hat on the bridge")
        await page(one).get_by_role("link", name=account).first.click()
        left = page(one).get_by_role("table", name="What they left")
        await expect(left.locator("tbody tr")).to_have_count(50)
        await expect(page(one)).to_contain_text("The newest 50 of 53.")
        await page(one).get_by_role("button", name="Older").click()
        await expect(left.locator("tbody tr")).to_have_count(53)
        await expect(left.get_by_role("link", name=post["id"])).to_be_visible()

        await expect(page(one).locator(".scroll")).to_have_attribute("data-more", re.compile("bottom"))
        await page(one).get_by_role("button", name="Suspend").click()
        dialog = one.page.get_by_role("dialog")
        await dialog.get_by_role("link", name="What they left").click()
        await expect(dialog).to_be_hidden()
        await expect(page(one).get_by_role("heading", name="What they left")).to_be_focused()
        await page(one).get_by_role("button", name="Suspend").click()
        await dialog.get_by_label("Reason").fill("Litter")
        await dialog.get_by_label("Last day").fill("2999-12-31")
        await dialog.get_by_role("button", name="Suspend").click()
        await expect(page(one).locator(".facts")).to_contain_text("Jan 1, 3000")

        log = one.page.locator("#audit-card")
        table = log.get_by_role("table", name="Audit log")
        await log.get_by_label("About").fill("Ada")
        await log.get_by_role("button", name="Show").click()
        await expect(table.locator("tbody tr")).to_have_count(1)
        await expect(table).to_contain_text(": Litter")
        await log.get_by_label("What").select_option("look_up")
        await expect(table).to_contain_text("what they left")
        await log.get_by_label("About").fill("nobody-of-this-name")
        await log.get_by_role("button", name="Show").click()
        await expect(log.get_by_role("status")).to_contain_text("There is no account")
        await expect(table).to_be_hidden()
        assert await one.violations() == []
        assert await one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_end_this_tour_for_all(world):  # noqa: F811
    _, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    bob = await walker(world, "bob")
    await bob.ask("startTour", {"tour": tour})
    async with console(world) as one:
        await one.ready()
        await seek(one, tour)
        card, dialog = page(one), one.page.get_by_role("dialog")
        await expect(card.get_by_role("heading", name=f"Tour {tour}")).to_be_focused()
        await expect(card.locator(".facts div", has_text="Walking it now").locator("dd")).to_have_text("1")
        await expect(card.locator("ol li")).to_have_text(["Stop 0"])
        await card.get_by_role("button", name="Withdraw").click()
        await expect(dialog).to_contain_text("Runs under way end with notice: 1.")
        await dialog.get_by_label("Reason").fill("Floods")
        await dialog.get_by_role("button", name="Withdraw").click()
        await expect(card.get_by_role("table", name="Record")).to_contain_text("Floods")
        await expect(card.get_by_role("button", name="Withdraw")).to_be_hidden()
        await card.get_by_role("link", name="Museum of the Old Town").click()
        await expect(card.get_by_role("heading", name="Organisation")).to_be_focused()
        await expect(card.get_by_role("table", name="Tours").get_by_role("link", name=tour)).to_be_visible()


async def test_what_nothing_is_called_and_what_is_no_search_says_so_in_words(server):
    async with console(server) as one:
        await one.ready()
        words = one.page.locator("#seek-found").get_by_role("status")
        await seek(one, "nobody-of-this-name")
        await expect(words).to_contain_text("Nothing found")
        await one.page.keyboard.press("Escape")
        await expect(words).to_be_hidden()
        await one.page.get_by_label("Find", exact=True).first.fill("https://example.org/elsewhere")
        await one.page.keyboard.press("Enter")
        await expect(words).to_contain_text("names no tour, no place and no id")
        await one.page.goto(f"{server.http}/console#thing/0000000000000")
        await expect(page(one)).to_contain_text("There is no such instance")
        await one.page.goto(f"{server.http}/console#account/0000000000000")
        await expect(page(one)).to_contain_text("There is no session and no account")


@pytest.mark.parametrize(("scheme", "size"), [
    ("light", (390, 844)), ("light", (1024, 800)), ("light", (1440, 1000)), ("dark", (390, 844)),
], ids=["light-phone", "light-tablet", "light-desk", "dark-phone"])
async def test_axe_finds_nothing_and_nothing_is_cut_off(start, spot, size, scheme):
    server = start()
    ada, adam = await Client.connect(server, "Adele"), await Client.connect(server, "Adelheid")
    cell = await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot), text="A word that is as long as words can be " * 6)
    async with await Desk.open(server) as desk:
        await desk.ask(f"ban {adam.welcome['account']} " + "She shouts at people who only want to look. " * 5)
    async with console(server, size=size, scheme=scheme) as one:
        await one.ready()

        async def is_sound():
            assert await one.violations() == []
            assert await one.page.evaluate("document.documentElement.scrollWidth") <= size[0]

        await seek(one, "adel")
        await expect(one.page.locator("#seek-found a")).to_have_count(2)
        await is_sound()
        await one.page.keyboard.press("Escape")
        for address, shown in (
            (f"account/{adam.welcome['account']}", "She shouts"), (f"thing/{placed['id']}", "A word"),
            ("thing/0000000000000", "There is no such instance"),
        ):
            await one.page.goto(f"{server.http}/console#{address}")
            await expect(page(one)).to_contain_text(shown)
            await is_sound()
        await one.page.goto(f"{server.http}/console#cell/{cell}")
        await expect(one.page.locator("#cell-card .plan")).to_have_count(2)
        await is_sound()
