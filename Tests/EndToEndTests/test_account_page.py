"""The page that links in mails lead to, in a browser (ACC-10, ACS-1)."""

import re

import pytest
from axe_playwright_python.async_playwright import Axe

from accounts import MANY, PASSWORD, Mailbox, guest, sign_in, sign_up
from browser import AXE, expect, quiet_page

NEW = "New-Horse-7777"


@pytest.fixture
def mailbox(tmp_path):
    return Mailbox(tmp_path / "mail")


@pytest.fixture
def world(start, mailbox):
    return start(accounts__open="false", **mailbox.settings, **MANY)


async def link(mailbox, to, count=1):
    """The link of the newest mail to an address."""
    return re.search(r"http\S+", (await mailbox.wait(to, count)).get_content())[0]


async def test_the_link_of_a_mail_proves_the_email_and_the_next_sets_a_password(world, mailbox, tmp_path):
    requests = []
    await sign_up(world, "ada")
    async with quiet_page(color_scheme="light", viewport={"width": 390, "height": 700}) as page:
        page.on("request", lambda request: requests.append(request.url))
        await page.goto(await link(mailbox, "ada@example.org"))
        await page.get_by_role("button", name="Confirm my email address").click()
        await expect(page.get_by_role("status")).to_have_text("Your email address is confirmed.")
        await page.goto("about:blank")
        await (await guest(world)).ask("recover", {"email": "ada@example.org"})
        address = await link(mailbox, "ada@example.org", 2)
        code = address.split("=")[1]
        await page.goto(address)
        # Neither the address bar nor the history shows the code any more.
        assert page.url == address.split("#")[0]
        found = await Axe().run(page, options=AXE)
        assert found.response["violations"] == []
        await page.screenshot(path=str(tmp_path / "page.png"))
        first, second = page.get_by_label("New password"), page.get_by_label("Repeat the password")
        save = page.get_by_role("button", name="Set the password")
        await first.fill("weakweakweak")
        await second.fill("weakweakwea")
        await save.click()
        await expect(page.get_by_role("alert")).to_have_text("The two passwords differ.")
        await second.fill("weakweakweak")
        await save.click()
        await expect(page.get_by_role("alert")).to_have_text(
            "The password needs more: a capital letter, a digit, a symbol.")
        await first.fill(NEW)
        await second.fill(NEW)
        await save.click()
        await expect(page.get_by_role("status")).to_contain_text("Your password is set.")
        await page.goto("about:blank")
        await page.goto(address)
        await first.fill(NEW)
        await second.fill(NEW)
        await save.click()
        await expect(page.get_by_role("alert")).to_contain_text("This link is no longer valid.")
    assert (await sign_in(world, "ada", NEW)).welcome["name"] == "ada"
    # No request over HTTP carried the code.
    assert requests and not any(code in url.split("#")[0] for url in requests)
    assert code not in world.log()


@pytest.mark.parametrize(
    "language, title", [("fr-CA", "Votre compte"), ("hi", "आपका खाता"), ("tlh", "Your account")]
)
async def test_the_page_speaks_the_language_of_the_browser(world, language, title):
    async with quiet_page(locale=language) as page:
        await page.goto(world.http + "/account")
        await expect(page.get_by_role("heading")).to_have_text(title)
        assert await page.title() == title


async def test_the_page_is_told_to_run_nothing_from_elsewhere(world):
    async with quiet_page() as page:
        response = await page.goto(world.http + "/account")
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy
        assert response.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("purpose, button", [("verify", "Confirm my email address"), ("reset", None)])
async def test_to_open_the_link_of_a_mail_changes_nothing_and_sends_nothing(world, mailbox, purpose, button):
    """B13: a mail scanner that opened the link and ran its page proved an address."""
    ada = await sign_up(world, "ada")
    address = await link(mailbox, "ada@example.org")
    if purpose == "reset":
        await (await guest(world)).ask("recover", {"email": "ada@example.org"})
        address = await link(mailbox, "ada@example.org", 2)
    assert f"#{purpose}=" in address
    sockets = []
    async with quiet_page() as page:
        page.on("websocket", lambda socket: sockets.append(socket.url))
        await page.goto(address, wait_until="networkidle")
        name = button or "Set the password"
        await expect(page.get_by_role("button", name=name)).to_be_visible()
        # A program that looks at a page waits until nothing is under way, moves about, and scrolls.
        await page.mouse.move(50, 50)
        await page.keyboard.press("End")
        assert sockets == [] and not (await ada.ask("getProfile")).get("emailVerified")
        if button is None:
            return
        found = await Axe().run(page, options=AXE)
        assert found.response["violations"] == []
        await page.get_by_role("button", name=button).click()
        await expect(page.get_by_role("status")).to_have_text("Your email address is confirmed.")
    assert len(sockets) == 1 and (await ada.ask("getProfile"))["emailVerified"]


async def test_the_link_of_a_mail_undoes_a_change_by_a_tap_alone(world, mailbox):
    """ACC-13: a program that opens the links of mails undoes nothing."""
    ada = await sign_up(world, "ada")
    await ada.ask("verifyEmail", {"code": await mailbox.code("ada@example.org", "verify")})
    await ada.ask("changeEmail", {"email": "new@example.org", "password": PASSWORD})
    address = await link(mailbox, "ada@example.org", 2)
    async with quiet_page() as page:
        await page.goto(address)
        button = page.get_by_role("button", name="Undo the change")
        await expect(button).to_be_visible()
        assert (await ada.ask("getProfile"))["pendingEmail"] == "new@example.org"
        found = await Axe().run(page, options=AXE)
        assert found.response["violations"] == []
        await button.click()
        await expect(page.get_by_role("status")).to_contain_text("The change is undone.")
    assert "pendingEmail" not in await (await sign_in(world, "ada")).ask("getProfile")
