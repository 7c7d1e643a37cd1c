"""What the page says of others' doings: notifications, requests for organisation accounts, and an admin's decisions."""

import pytest

from accounts import MANY, PASSWORD
from operators import Desk
from pictures import png
from playing import Player, browser, expect
from test_roles import admin


@pytest.fixture
def world(start):
    return start(accounts__open="false", **MANY)


@pytest.mark.seconds(120)
async def test_organisationAccount_isAskedFor_accepted_andNotified(world):
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.go("profile", "organisation")
        await ada.page.locator("input[name=name]").fill("Museum")
        await ada.page.locator("textarea[name=justification]").fill("We make tours.")
        await ada.page.get_by_role("button", name="Send").click()
        await expect(ada.page.get_by_text("Museum: not decided yet")).to_be_visible()
        boss = await (await Player.open(chromium, world)).live()
        await boss.go("profile", "signin")
        await boss.page.locator("input[name=login]").fill(root.name)
        await boss.page.locator("input[name=password]").first.fill(PASSWORD)
        await boss.page.locator("button[type=submit]").first.click()
        await boss.page.wait_for_function("() => location.hash === '#/map'")
        await boss.go("profile", "admin")
        await boss.page.get_by_role("button", name="Look at it").click()
        await expect(boss.page.get_by_text("We make tours.")).to_be_visible()
        assert await boss.violations() == []
        await boss.page.get_by_role("button", name="Accept").click()
        await expect(boss.page.get_by_text("No open requests.")).to_be_visible()
        # The other is told at once, and goes by the new role.
        await expect(ada.page.locator(".toast").filter(has_text="You belong to “Museum” now.")).to_be_visible()
        await expect(ada.page.locator("#menu .badge")).to_contain_text("1")
        await ada.go("profile", "notifications")
        await ada.page.get_by_role("button", name="Mark all as read").click()
        await expect(ada.page.locator("#menu .badge")).to_have_count(0)
        assert await ada.read("app.client.welcome.role") == "organisation"


async def test_pictureOfTheProfile_isUploadedAndShown(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.go("profile", "me")
        await ada.page.locator("#picture").set_input_files(
            {"name": "me.png", "mimeType": "image/png", "buffer": png(64, 64)})
        await ada.page.get_by_role("button", name="Use this part").click()
        await expect(ada.page.get_by_text("Saved.")).to_be_visible()
        await ada.go("profile")
        await ada.go("profile", "me")
        await expect(ada.page.locator(".portrait img")).to_be_visible()
        assert await ada.page.locator(".portrait img").evaluate(
            "image => image.decode().then(() => image.naturalWidth)") == 64
        ada.check()
