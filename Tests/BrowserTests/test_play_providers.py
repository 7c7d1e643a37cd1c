"""Signing in on the page by the account of a provider (ACC-7), with a provider of the test's own on loopback."""

import contextlib
import http.server
import threading
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from playing import Player, browser, expect
from test_providers import Provider


class SignInPage(http.server.BaseHTTPRequestHandler):
    """An authorization endpoint: it shows who asks, and sends the window back by a link, as providers do."""

    def do_GET(self):
        asked = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}
        if not self.path.startswith("/authorize?"):
            self.send_error(404)
            return
        self.server.asked.append(asked)
        answers = {
            "Allow": {"id_token": self.server.provider.token(asked["nonce"], subject=self.server.subject)},
            "Refuse": {"error": "access_denied"}, "Another nonce": {"id_token": self.server.provider.token("stale")},
        }
        links = "".join(
            f'<p><a href="{asked["redirect_uri"]}#{urlencode({"state": asked["state"], **answer})}">{word}</a></p>'
            for word, answer in answers.items())
        body = f"<!doctype html><title>Provider</title><h1>Provider</h1>{links}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        # As the large ones have it: the window is no longer the page's that opened it.
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def google(tmp_path):
    """A provider with its page; its settings name both."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), SignInPage) as server:
        server.provider, server.subject, server.asked = Provider(tmp_path), "g-1", []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/authorize?client_id=app-1"
        server.settings = {**server.provider.settings, "play__providers": f"google {address}"}
        yield server
        server.shutdown()


@contextlib.asynccontextmanager
async def window(player, button, part="body"):
    """The window that a button in a part of the page opens, at the provider."""
    async with player.page.context.expect_page() as opening:
        await player.page.locator(part).get_by_role("button", name=button, exact=True).click()
    page = await opening.value
    await expect(page.get_by_role("heading", name="Provider")).to_be_visible()
    yield page


async def test_aGuest_signsInByAProvider_andUnlinksNothingElse(start, google):
    world = start(**google.settings)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        await ada.go("profile", "signin")
        # Without consent no account is made.
        async with window(ada, "Sign in with Google") as page:
            await page.get_by_role("link", name="Allow").click()
        await expect(ada.page.locator(".toast.bad").first).to_be_visible()
        assert not await ada.read("app.isSignedIn()")
        await ada.page.locator("input[name=providerAgreed]").check()
        # The provider says no, and a token of another connection is taken for nobody's.
        async with window(ada, "Sign in with Google") as page:
            await page.get_by_role("link", name="Refuse").click()
        await expect(ada.page.get_by_text("Google has not signed you in (access_denied).").first).to_be_visible()
        async with window(ada, "Sign in with Google") as page:
            await page.get_by_role("link", name="Another nonce").click()
        await expect(ada.page.get_by_text("Your sign-in with this provider was not accepted").first).to_be_visible()
        assert await ada.violations() == []
        async with window(ada, "Sign in with Google") as page:
            await page.get_by_role("link", name="Allow").click()
        await ada.page.wait_for_function("() => location.hash === '#/map'")
        assert await ada.read("app.client.welcome.name") == "ada.lovelace"
        asked = google.asked[-1]
        assert asked["client_id"] == "app-1" and asked["response_type"] == "id_token"
        assert asked["redirect_uri"] == world.http + "/play" and len({one["nonce"] for one in google.asked}) == 4
        # Nothing else signs in to this account, so the way in is not taken away.
        await ada.go("profile", "providers")
        await ada.page.get_by_role("button", name="Unlink").click()
        await expect(ada.page.locator(".refusal[data-code=forbidden]")).to_be_visible()
        assert await ada.violations() == []
        ada.check()


async def test_aPerson_linksAProvider_andSignsInByItElsewhere(start, google):
    world = start(**google.settings)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.go("profile", "providers")
        async with window(ada, "Link") as page:
            await page.get_by_role("link", name="Allow").click()
        await expect(ada.page.get_by_role("button", name="Unlink")).to_be_visible()
        other = await (await Player.open(chromium, world)).live()
        await other.go("profile", "signin")
        async with window(other, "Sign in with Google") as page:
            await page.get_by_role("link", name="Allow").click()
        await other.page.wait_for_function("() => location.hash === '#/map'")
        assert await other.read("app.client.welcome.name") == "ada"
        await ada.page.get_by_role("button", name="Unlink").click()
        await expect(ada.page.get_by_role("button", name="Link", exact=True)).to_be_visible()
        ada.check(), other.check()


async def test_withoutAPassword_theProviderProvesWhoExportsAndDeletes(start, google):
    world = start(**google.settings)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        await ada.go("profile", "signin")
        await ada.page.locator("input[name=providerAgreed]").check()
        async with window(ada, "Sign in with Google") as page:
            await page.get_by_role("link", name="Allow").click()
        await ada.page.wait_for_function("() => location.hash === '#/map'")
        await ada.go("profile", "export")
        async with window(ada, "Make the file") as page:
            await page.get_by_role("link", name="Allow").click()
        async with ada.page.expect_download() as download:
            await ada.page.get_by_role("link", name="Download").click()
        assert "ada.lovelace" in (await (await download.value).path()).read_text()
        # Somebody else's account at the provider proves nothing.
        google.subject = "g-2"
        for expected in (True, False):
            await ada.go("profile", "delete")
            await ada.page.get_by_role("button", name="Delete my account").click()
            async with window(ada, "Delete my account", "dialog") as page:
                await page.get_by_role("link", name="Allow").click()
            if expected:
                await expect(ada.page.locator(".toast.bad").first).to_be_visible()
                assert await ada.read("app.isSignedIn()")
                google.subject = "g-1"
                await ada.go("map")
        await ada.holds("() => part('core/app').then(({ isSignedIn }) => !isSignedIn())")
        await expect(ada.page.locator("#slot")).to_contain_text("Your account is deleted.")


async def test_anAnswerThatNobodyAskedFor_signsNobodyIn_andLeavesNoToken(start, google):
    world = start(**google.settings)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        strange = await ada.page.context.new_page()
        await strange.goto(world.http + "/play#state=stolen&id_token=a.b.c")
        await expect(strange.get_by_text("You can close this window.")).to_be_visible()
        assert await strange.evaluate("() => location.hash") == ""
        assert not await ada.read("app.isSignedIn()")
        ada.check()


async def test_withoutSuchAPage_noProviderIsOffered(start, google):
    world = start(**google.provider.settings)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        await ada.go("profile", "signin")
        await expect(ada.page.locator("input[name=login]")).to_be_visible()
        await ada.page.wait_for_timeout(300)
        assert await ada.page.get_by_role("button", name="Sign in with").count() == 0
        ada.check()
