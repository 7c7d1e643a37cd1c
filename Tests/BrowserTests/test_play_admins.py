"""The actions of admins on the page, except requests of organisations (ROL-5)."""

import pytest

from accounts import MANY
from operators import Desk
from playing import Player, browser, expect
from test_roles import admin


@pytest.fixture
def world(start):
    return start(accounts__open="false", **MANY)


@pytest.mark.seconds(120)
async def test_admins_findAccounts_suspendThem_andLetThemInAgain(world):
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.ready()
        boss = await (await Player.open(chromium, world)).sign_in(root.name)
        await boss.go("profile", "admin")
        one = boss.page.locator("#page details").filter(has_text="ada")

        async def found():
            await boss.page.locator("#page input[name=prefix]").fill("ad")
            await boss.page.get_by_role("button", name="Find").click()
            await one.locator("summary").click()

        async def act(button):
            form = one.locator("form").filter(has=boss.page.get_by_role("button", name=button))
            await form.locator("input[name=reason]").fill("We have talked.")
            await form.get_by_role("button", name=button).click()

        await found()
        await act("Suspend")
        await expect(one.locator("summary")).to_contain_text("suspended")
        # Whoever is suspended reads why, for how long, and what they can do; also when they come back.
        for _ in range(2):
            sheet = ada.page.locator("#sheet[data-kind=suspended]")
            await expect(sheet.locator("h2")).to_have_text("Your account is suspended")
            await expect(sheet).to_contain_text("This account is suspended: We have talked.")
            await expect(sheet).to_contain_text("until the operator lets you in again. Whom to ask stands in the help.")
            await expect(ada.page.locator(".toast")).to_have_count(0)
            await ada.page.reload()
        # Not while it loads: a page without its content has nowhere to skip to.
        await expect(sheet.locator("h2")).to_be_visible()
        assert await ada.violations() == []
        await expect(ada.page.locator("#pill")).not_to_have_attribute("data-state", "live")
        await sheet.get_by_role("button", name="Go on as a guest").click()
        await ada.page.wait_for_function("() => location.hash === '#/profile/help'")
        await expect(sheet).to_be_hidden()
        await expect(ada.page.locator("#page h2")).to_have_text("Help")
        await ada.live()
        await ada.go("profile", "signin")
        await ada.page.locator("input[name=login]").fill("ada")
        await ada.page.locator("input[name=password]").first.fill("Correct-Horse-7")
        await ada.page.locator("form:has([name=login]) button[type=submit]").click()
        await expect(ada.page.locator(".refusal")).to_contain_text("This account is suspended: We have talked.")
        await expect(ada.page.locator(".refusal a")).to_have_attribute("href", "#/profile/help")
        await one.locator("summary").click()
        await act("Let in again")
        await expect(one.locator("summary")).not_to_contain_text("suspended")
        back = await (await Player.open(chromium, world)).sign_in("ada")
        # Others have no such section.
        for path in (["profile", "admin"], ["profile"]):
            await back.go(*path)
            await expect(back.page.locator("#page nav")).to_be_visible()
            assert await back.page.locator("#page a[href='#/profile/admin'], #page input[name=prefix]").count() == 0
        boss.check()
