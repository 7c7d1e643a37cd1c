"""The Profile: one-time codes, devices, profile, policy, export, help, feedback (ACC-8, ACC-9, PRF, CMP, STA-5)."""

import asyncio
import base64
import hashlib
import hmac
import json
import re
import struct
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from accounts import MANY, Mailbox
from pictures import png
from playing import Player, browser, expect

PASSWORD = "Correct-Horse-7"


def one_time_code(secret, step=0):
    """RFC 6238, six digits."""
    key = base64.b32decode(secret.replace(" ", ""))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30 + step), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


async def reads(picture, path):
    """The address that a camera reads of a QR code on the screen."""
    await picture.screenshot(path=str(path))
    program = await asyncio.create_subprocess_exec(
        "zbarimg", "--raw", "--quiet", str(path), stdout=asyncio.subprocess.PIPE)
    return urlsplit((await program.communicate())[0].decode().strip())


@pytest.mark.seconds(120)
async def test_oneTimeCodes_areTurnedOnByQRCode_andAskedForAtTheNextSignIn(world, tmp_path):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.go("profile", "codes")
        await ada.page.locator("input[name=password]").fill(PASSWORD)
        await ada.page.locator("button[type=submit]").click()
        await expect(ada.page.locator("img.qr")).to_be_visible()
        assert await ada.page.locator("img.qr").evaluate("image => image.decode().then(() => image.naturalWidth > 20)")
        secret = await ada.page.locator("code.secret").inner_text()
        # What an authenticator's camera reads of the picture is what can be typed in.
        read = await reads(ada.page.locator("img.qr"), tmp_path / "code.png")
        assert read.scheme == "otpauth" and read.netloc == "totp" and "ada" in read.path
        assert parse_qs(read.query)["secret"] == [secret.replace(" ", "")]
        await ada.page.locator("input[name=code]").fill(one_time_code(secret))
        await ada.page.get_by_role("button", name="Turn on").click()
        await expect(ada.page.locator(".codes li").first).to_be_visible()
        codes = await ada.page.locator(".codes li").all_inner_texts()
        assert len(codes) >= 8
        await ada.go("profile")
        await ada.page.get_by_role("button", name="Sign out").click()
        await ada.go("profile", "signin")
        await ada.page.locator("input[name=login]").fill("ada")
        await ada.page.locator("input[name=password]").first.fill(PASSWORD)
        await ada.page.locator("form:has([name=login]) button[type=submit]").click()
        await ada.page.locator("#code").fill(codes[0])
        await ada.page.locator("form:has([name=login]) button[type=submit]").click()
        await ada.page.wait_for_function("() => location.hash === '#/map'")
        ada.check()


async def test_weakPassword_saysWhatIsMissing(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        await ada.go("profile", "signup")
        await ada.page.locator("input[name=username]").fill("ada")
        await ada.page.locator("input[name=email]").fill("ada@example.org")
        await ada.page.locator("input[name=password]").fill("weak")
        await ada.page.locator("input[name=agreed]").check()
        await ada.page.locator("button[type=submit]").click()
        await expect(ada.page.locator(".refusal[data-code=weak_password]")).to_contain_text("a capital letter")


@pytest.mark.seconds(120)
async def test_emptyFields_areCalledAsTheFormCallsThem(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        await ada.go("profile", "signup")
        await ada.page.locator("button[type=submit]").click()
        refusal = ada.page.locator(".refusal")
        await expect(refusal).to_contain_text("Please fill in: Name that others see, Email, Password, ")
        await expect(ada.page.locator("input[name=username]")).to_be_focused()
        await ada.by_name("ada")
        await ada.go("profile", "me")
        await ada.page.locator("input[name=firstName]").fill("a" * 65)
        await ada.page.locator("form button[type=submit]").click()
        await expect(refusal).to_contain_text("First name: ")
        await ada.page.evaluate("""async () => {
            const names = ['components/message', 'components/button'];
            const [{ copied }, { action }] = await Promise.all(names.map(name => part(name)));
            navigator.clipboard.writeText = () => Promise.reject(new DOMException('Write permission denied.'));
            document.querySelector('.page-body').append(action('Copy', () => copied('https://example.org/', '')));
        }""")
        await ada.page.get_by_role("button", name="Copy").click()
        await expect(ada.page.locator(".done")).to_contain_text("Copy it by hand: https://example.org/")
        ada.check()


async def test_profile_isEdited_exported_andOtherDevicesAreSignedOut(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        phone = await (await Player.open(chromium, world)).live()
        await phone.go("profile", "signin")
        await phone.page.locator("input[name=login]").fill("ada")
        await phone.page.locator("input[name=password]").first.fill(PASSWORD)
        await phone.page.locator("form:has([name=login]) button[type=submit]").click()
        await phone.page.wait_for_function("() => location.hash === '#/map'")
        await ada.go("profile", "me")
        await ada.page.locator("input[name=status]").fill("On the mountain")
        await ada.page.get_by_role("button", name="Save").click()
        await expect(ada.page.locator(".done")).to_have_text("Saved.")
        await ada.go("profile", "devices")
        await ada.page.get_by_role("button", name="Sign out", exact=True).click()
        await phone.holds("() => part('core/app').then(({ isSignedIn }) => !isSignedIn())")
        await ada.go("profile", "export")
        await ada.page.locator("input[name=password]").fill(PASSWORD)
        await ada.page.get_by_role("button", name="Make the file").click()
        link = ada.page.get_by_role("link", name="Download it")
        await expect(link).to_be_visible()
        async with ada.page.expect_download() as downloading:
            await link.click()
        content = json.loads(await _text(await downloading.value))
        assert "On the mountain" in json.dumps(content)
        ada.check()


async def test_anotherName_wantsAProof_whereAKeptSignInAloneIsShown(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.ready()
        await ada.page.reload()
        await ada.ready()
        await ada.go("profile", "me")
        save = ada.page.get_by_role("button", name="Save")
        await ada.page.locator("input[name=username]").fill("countess")
        await save.click()
        await ada.page.locator("input[name=password]").fill(PASSWORD)
        await ada.page.get_by_role("button", name="Prove it").click()
        await expect(ada.page.get_by_text("Now go on.")).to_be_visible()
        await save.click()
        await expect(ada.page.locator(".done")).to_have_text("Saved.")
        ada.check()


async def test_picture_isCroppedBeforeItIsUploaded(world):
    """The left half is red and the right half blue; what is taken is the right end of it."""
    rows = b"".join(b"\0" + b"\xff\0\0" * 64 + b"\0\0\xff" * 64 for _ in range(64))
    file = {"name": "halves.png", "mimeType": "image/png", "buffer": png(128, 64, rows=rows)}
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.go("profile", "me")
        await ada.page.locator("#picture").set_input_files(file)
        await ada.page.get_by_role("button", name="Cancel").click()
        assert (await ada.read("app.client.request('getProfile')")).get("picture", "") == ""
        await ada.page.locator("#picture").set_input_files(file)
        await ada.page.get_by_label("Left to right").focus()
        await ada.page.keyboard.press("End")
        assert await ada.violations() == []
        await ada.page.get_by_role("button", name="Use this part").click()
        await expect(ada.page.locator("#page").get_by_text("Saved.")).to_be_visible()
        stored = await ada.page.evaluate(
            """async () => {
                const { client } = await part('core/app');
                const { picture } = await client.request('getProfile');
                const image = new Image();
                image.src = await client.assetURL(picture);
                await image.decode();
                const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
                context.drawImage(image, 0, 0);
                const at = x => [...context.getImageData(x, image.height / 2, 1, 1).data].slice(0, 3);
                return [image.width, image.height, at(10), at(image.width - 10)];
            }""")
        assert stored[:2] == [64, 64]
        for red, green, blue in stored[2:]:
            assert red < 20 and green < 20 and blue > 230, stored
        await ada.page.locator("#picture").set_input_files(
            {"name": "no.png", "mimeType": "image/png", "buffer": b"no picture"})
        await expect(ada.page.get_by_text("no picture that the browser can read")).to_be_visible()
        ada.check()


async def _text(download):
    with open(await download.path(), encoding="utf-8") as file:
        return file.read()


async def test_helpPolicyAndFeedback(start):
    world = start(accounts__open="true", help__phone="+41 44 123 45 67")
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.go("profile", "help")
        await expect(ada.page.locator("a[href='tel:+41441234567']")).to_be_visible()
        await ada.go("profile", "policy")
        await expect(ada.page.locator("#page")).to_contain_text("What we keep")
        await ada.go("profile", "feedback")
        await ada.page.locator("textarea[name=text]").fill("It is calm.")
        await ada.page.locator("select[name=rating]").select_option("5")
        await ada.page.get_by_role("button", name="Send").click()
        await expect(ada.page.locator(".done")).to_contain_text("Thank you")
        ada.check()


@pytest.mark.seconds(120)
async def test_aForgottenPassword_isSetAnewByTheLinkOfAMail_inTheBrowser(start, tmp_path):
    """Asked for on the page, followed from the mail, and signed in with; the device that was signed in is not any
    more."""
    mailbox = Mailbox(tmp_path / "mail")
    world = start(accounts__open="true", **MANY, **mailbox.settings)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        page = await ada.page.context.new_page()

        async def follow(count):
            """Opens the link of the newest mail, at the address at which this server is."""
            text = (await mailbox.wait("ada@example.org", count)).get_content()
            await page.goto("about:blank")
            await page.goto(world.http + "/account#" + re.search(r"http\S+/account#(\S+)", text)[1])

        # Only to an address that is proved a link is sent.
        await follow(1)
        await page.get_by_role("button", name="Confirm my email address").click()
        await expect(page.get_by_role("status")).to_have_text("Your email address is confirmed.")
        phone = await (await Player.open(chromium, world)).live()
        await phone.go("profile", "signin")
        await phone.page.locator("#page a[href='#/profile/recover']").click()
        for email in ("nobody@example.org", "ada@example.org"):
            await phone.page.locator("input[name=email]").fill(email)
            await phone.page.get_by_role("button", name="Send me a link").click()
            # Whether there is such an account is told to nobody.
            await expect(phone.page.locator(".done")).to_contain_text("If the address is known")
        await follow(2)
        assert mailbox.mails("nobody@example.org") == []
        await page.get_by_label("New password").fill("New-Horse-7777")
        await page.get_by_label("Repeat the password").fill("New-Horse-7777")
        await page.get_by_role("button", name="Set the password").click()
        await expect(page.get_by_role("status")).to_contain_text("Your password is set.")
        await ada.holds("() => part('core/app').then(({ isSignedIn }) => !isSignedIn())")
        await phone.go("profile", "signin")
        await phone.page.locator("input[name=login]").fill("ada")
        await phone.page.locator("input[name=password]").first.fill(PASSWORD)
        await phone.page.locator("form:has([name=login]) button[type=submit]").click()
        await expect(phone.page.locator(".refusal")).to_be_visible()
        await phone.sign_in("ada", "New-Horse-7777")
        assert await phone.read("app.client.welcome.name") == "ada"
        phone.check()
