"""Moderation of people and instances in the console: by mouse, by keyboard, and checked with axe (ROL-5)."""

import pytest

from browser import console, expect
from cairn import Client, Refused, pose
from operators import Desk

NOBODY = "0000000000000"


def card(one):
    return one.page.get_by_role("region", name="Moderation")


async def suspended(desk):
    return {row["account"]: row["reason"] for row in (await desk.ask("bans"))["suspended"]}


async def test_the_account_of_a_session_is_suspended_listed_and_reinstated(start, spot):
    server = start()
    mallory, bob = await Client.connect(server, "Mallory"), await Client.connect(server, "Bob")
    account = mallory.welcome["account"]
    cell = await mallory.stand_at(*spot)
    await bob.stand_at(*spot)
    async with console(server) as one, await Desk.open(server) as desk:
        await expect(card(one)).to_contain_text("No account is suspended.")
        await one.page.get_by_role("link", name=cell).click()
        await one.page.get_by_role("button", name=f"Suspend {mallory.welcome['session']}").click()
        dialog = one.page.get_by_role("dialog")
        await expect(dialog).to_contain_text(mallory.welcome["session"])
        await dialog.get_by_role("button", name="Cancel").click()
        assert mallory.end is None and await suspended(desk) == {}
        await one.page.get_by_role("button", name=f"Suspend {mallory.welcome['session']}").click()
        await dialog.get_by_label("Reason").fill("Shouting\tat people")
        await dialog.get_by_role("button", name="Suspend").click()
        assert (await mallory.until_ended())[0] == 4200 and bob.end is None
        await expect(one.page.locator("#said")).to_contain_text(f"{account} is suspended; 1 connection closed.")
        row = card(one).get_by_role("row", name=account)
        await expect(row).to_contain_text("Shouting at people")
        assert await suspended(desk) == {account: "Shouting at people"}

        await row.get_by_role("button", name=f"Reinstate {account}").click()
        await dialog.get_by_role("button", name="Reinstate").click()
        await expect(card(one)).to_contain_text("No account is suspended.")
        await expect(one.page.get_by_role("heading", name="Moderation")).to_be_focused()
        assert await suspended(desk) == {}
        # A session ends and its person stays: the page is the person's.
        await one.page.goto(f"{server.http}/console#account/{bob.welcome['session']}")
        await expect(one.page).to_have_url(f"{server.http}/console#account/{bob.welcome['account']}")
    assert (await Client.connect(server, token=mallory.welcome["token"])).welcome["account"] == account


async def test_an_account_that_is_not_connected_is_suspended_by_its_id(start):
    server = start()
    mallory = await Client.connect(server, "Mallory")
    await mallory.close()
    async with console(server) as one:
        await card(one).get_by_role("button", name="Suspend").click()
        dialog = one.page.get_by_role("dialog")
        whom = dialog.get_by_label("Session or account")
        await expect(whom).to_be_focused()
        # The text after a space would be taken for the reason.
        await whom.fill("two words")
        await dialog.get_by_role("button", name="Suspend").click()
        await expect(dialog).to_be_visible()
        await whom.fill(f" {mallory.welcome['account']} ")
        await dialog.get_by_role("button", name="Suspend").click()
        await expect(card(one).get_by_role("row", name=mallory.welcome["account"])).to_contain_text(
            "no reason given")
        with pytest.raises(Refused) as refusal:
            await Client.connect(server, token=mallory.welcome["token"])
        assert refusal.value.code == "account_suspended"


async def test_a_thing_is_removed_by_its_id_once_it_is_confirmed(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    placed = await ada.place(pose(*spot))
    await ada.until(lambda: ada.sees(placed), "what was placed")
    async with console(server) as one, await Desk.open(server) as desk:
        for button in ("Cancel", "Remove"):
            assert ada.sees(placed)
            await card(one).get_by_role("button", name="Remove instance").click()
            dialog = one.page.get_by_role("dialog")
            await dialog.get_by_label("Instance").fill(placed["id"])
            await dialog.get_by_role("button", name=button, exact=True).click()
        await ada.until(lambda: not ada.sees(placed), "it has left")
        await expect(one.page.locator("#said")).to_contain_text(f"{placed['id']} is removed.")
        (entry,) = (await desk.ask("audit what=instance_remove"))["audit"]
        assert (entry["thing"], entry["reason"]) == (placed["id"], ""), "an id is no reason"
        await one.page.locator("#audit-card").get_by_role("button", name="Show").click()
        await expect(one.page.get_by_role("table", name="Audit log").locator("tbody")).to_contain_text(
            "no reason given")


async def test_ids_that_nothing_has_are_said_to_be_none(server):
    async with console(server) as one:
        for button, field, action, said in (
            ("Kick", "Session or account", "Kick", "nobody of that id is connected"),
            ("Suspend", "Session or account", "Suspend", "there is no session and no account of that id"),
            ("Remove instance", "Instance", "Remove", "there is no such instance"),
        ):
            await card(one).get_by_role("button", name=button).click()
            dialog = one.page.get_by_role("dialog")
            await dialog.get_by_label(field).fill(NOBODY)
            await dialog.get_by_role("button", name=action, exact=True).click()
            await expect(one.page.locator("#said")).to_contain_text(said)


async def test_what_another_operator_suspends_is_listed_after_a_reload_and_many_are_bounded(start):
    server = start(listen__connectionsPerAddress=0)
    async with await Desk.open(server) as desk:
        for number in range(103):
            client = await Client.connect(server, f"Troll{number}")
            await desk.ask(f"ban {client.welcome['account']} number {number}")
    async with console(server) as one:
        await expect(card(one)).to_contain_text("103 accounts; the 100 newest are here")
        rows = card(one).locator("tbody tr")
        await expect(rows).to_have_count(100)
        await expect(rows.first).to_contain_text("number 102")
        await card(one).get_by_role("button", name="Look up names").click()
        await expect(rows.first).to_contain_text("Troll102")
        await expect(rows.last).to_contain_text("Troll3")


async def test_suspending_and_removing_are_done_by_keyboard(start, spot):
    server = start()
    mallory = await Client.connect(server, "Mallory")
    cell = await mallory.stand_at(*spot)
    placed = await mallory.place(pose(*spot))
    eve = await Client.connect(server, "Eve")
    await eve.view(await eve.stand_at(*spot))
    async with console(server) as one:
        await one.page.goto(f"{server.http}/console#cell/{cell}")
        await one.ready()
        press, write = one.page.keyboard.press, one.page.keyboard.type
        await one.page.get_by_role("button", name=f"Suspend {mallory.welcome['session']}").focus()
        await press("Enter")
        await expect(one.page.get_by_label("Reason")).to_be_focused()
        await write("Enough")
        await press("Enter")
        assert (await mallory.until_ended())[0] == 4200
        await expect(one.page.get_by_role("heading", name=f"Cell {cell}")).to_be_focused()

        remove = card(one).get_by_role("button", name="Remove instance")
        await remove.focus()
        await press("Enter")
        await expect(one.page.get_by_label("Instance", exact=True)).to_be_focused()
        await write(placed["id"])
        await press("Escape")
        await expect(one.page.get_by_role("dialog")).to_be_hidden()
        await expect(remove).to_be_focused()
        await press("Enter")
        await write(placed["id"])
        await press("Enter")
        await eve.until(lambda: not eve.sees(placed), "it has left")

        account = mallory.welcome["account"]
        await card(one).get_by_role("button", name=f"Reinstate {account}").focus()
        await press("Enter")
        await expect(one.page.get_by_role("dialog").get_by_label("Reason")).to_be_focused()
        await write("Apologised")
        await press("Enter")
        await expect(card(one)).to_contain_text("No account is suspended.")


@pytest.mark.parametrize("size", [(390, 844), (1440, 1000)], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_card_and_dialogs(server, size, scheme):
    ada = await Client.connect(server, "Ada")
    async with await Desk.open(server) as desk:
        await desk.ask(f"ban {ada.welcome['account']} " + "She shouts at people who only want to look. " * 5)
    async with console(server, size=size, scheme=scheme) as one:
        await one.ready()
        await expect(card(one).get_by_role("row", name=ada.welcome["account"])).to_be_visible()
        assert await one.violations() == []
        assert await one.page.evaluate("document.documentElement.scrollWidth") <= size[0]
        for button in await card(one).get_by_role("button").filter(has_not_text="Look up names").all():
            await button.click()
            await expect(one.page.get_by_role("dialog")).to_be_visible()
            assert await one.violations() == []
            await one.page.keyboard.press("Escape")
        await card(one).get_by_role("button", name=f"Reinstate {ada.welcome['account']}").click()
        await one.page.get_by_role("dialog").get_by_role("button", name="Reinstate").click()
        await expect(card(one)).not_to_contain_text(ada.welcome["account"])
