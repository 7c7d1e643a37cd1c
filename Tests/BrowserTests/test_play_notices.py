"""News on the page about actions of others: notifications, requests of organisations, and decisions of an admin."""

import pathlib
import re

import pytest

from accounts import MANY, PASSWORD
from cairn import away
from operators import Desk
from pictures import png
from playing import Player, browser, expect
from test_play_texts import OWNERS
from test_roles import admin
from test_tours import OLD_TOWN, makers, published

KINDS = pathlib.Path(__file__).resolve().parents[2] / "Sources/CairnCore/Notifications/NotificationKind.swift"


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
        await boss.page.locator("form:has([name=login]) button[type=submit]").click()
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


#: Two pages of notifications, as a server gives them that has more than one.
PAGES = """() => part('core/app').then(({ client }) => {
    const ask = client.request.bind(client);
    const one = (id) => ({ id, kind: "organisation_accepted", label: `Museum ${id}`, at: Date.now() });
    client.request = (kind, body) => kind !== "listNotifications" ? ask(kind, body) : Promise.resolve(body.after
        ? { notifications: [one("3")], unread: 3, mark: "m" }
        : { notifications: [one("1"), one("2")], unread: 3, mark: "m", next: "n" });
})"""


async def test_moreNotifications_areAddedToThoseThatAreThere(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        lines = ada.page.locator("#page ul.plain-list li")
        await ada.go("profile", "notifications")
        await expect(lines).to_have_text(["No notifications."])
        await expect(ada.page.get_by_role("button", name="Mark all as read")).to_have_count(0)
        await ada.go("profile")
        await ada.page.evaluate(PAGES)
        await ada.go("profile", "notifications")
        await expect(lines).to_have_count(2)
        await ada.page.get_by_role("button", name="More").click()
        await expect(lines).to_have_count(3)
        await expect(ada.page.get_by_role("button", name="Mark all as read")).to_be_visible()
        await expect(ada.page.get_by_role("button", name="More")).to_be_hidden()
        ada.check()


async def test_devices_ofAnAccountByNameAlone_areCalledNone(start):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, start(accounts__open="true"))).by_name("ada")
        await ada.go("profile", "devices")
        await expect(ada.page.locator("#page")).to_contain_text("No device is kept for this account")
        ada.check()


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


@pytest.mark.seconds(120)
async def test_tourNearby_isSwitchedOn_saidInWords_andLeadsToItsPreview(start):
    """Off by default (PRX-1): 100 m from the area, and more than 50 m from the start, so nothing else tells of it."""
    world = start(accounts__open="false", accounts__privacy="everyone", **MANY)
    _, maker = await makers(world, "mia")
    await published(maker, price=0)
    far, near = [dict(zip(("lat", "lon"), away(*OLD_TOWN, north=north))) for north in (3000, 1100)]
    async with browser() as chromium:
        eve, bob = [await (await Player.open(chromium, world, at=tuple(far.values()))).sign_up(name)
                    for name in ("eve", "bob")]
        await eve.go("profile", "settings")
        wanted = eve.page.get_by_label("Tours near me")
        await expect(wanted).to_have_value("off")
        await wanted.select_option("on")
        await eve.holds(
            """() => part('core/app').then(({ client }) =>
                client.settings.get('notifications.tour_nearby') === 'on')""")
        for player in (eve, bob):
            await player.page.evaluate(
                "here => part('core/place').then(({ setPlace }) => setPlace(here))", near)
        told = eve.page.locator(".toast").filter(has_text="You are near a tour: Walls")
        await told.get_by_role("button", name="Open").click()
        await expect(eve.page.get_by_role("button", name="Start the tour")).to_be_visible()
        await eve.go("profile", "notifications")
        await eve.page.get_by_role("link", name="You are near a tour: Walls").click()
        await expect(eve.page.get_by_role("button", name="Start the tour")).to_be_visible()
        # Bob was in the same place, and has not asked for it.
        await bob.go("profile", "notifications")
        await expect(bob.page.get_by_text("No notifications.")).to_be_visible()
        eve.check(), bob.check()


def test_everyNotification_hasWords():
    """Each kind that the server knows is a sentence on the page; none is shown by its bare name."""
    kinds = set(re.findall(r'NotificationKind\("(\w+)"\)', KINDS.read_text()))
    assert len(kinds) > 20
    assert {f"notified.{kind}" for kind in kinds} <= set(OWNERS)
