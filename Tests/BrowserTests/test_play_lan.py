"""The page over `cairn serve --lan`: a phone's browser that was told to go on in spite of the warning."""

from playing import Player, browser, expect

WALK = ("--lan", "--address", "127.0.0.1")


async def test_two_people_of_the_network_see_each_other_over_tls(start):
    server = start(*WALK, accounts__signUpsPerHour=1000)
    assert server.http.startswith("https://")
    async with browser() as chromium:
        # As after "Advanced" and "go on": the certificate is nobody's but the server's.
        ada = await (await Player.open(chromium, server, ignore_https_errors=True)).sign_up("ada.lan")
        bob = await (await Player.open(chromium, server, ignore_https_errors=True)).sign_up("bob.lan")
        for one in (ada, bob):
            await one.ready()
            # What camera, motion, position and WebXR ask for.
            assert await one.page.evaluate("() => window.isSecureContext && 'xr' in navigator")
        await ada.place("preset:star", text="by the door")
        await bob.page.keyboard.press("l")
        await expect(bob.page.locator("#list-body")).to_contain_text("by the door")
        await bob.place("preset:heart", text="by the gate")
        await ada.page.keyboard.press("l")
        await expect(ada.page.locator("#list-body")).to_contain_text("by the gate")
        assert not ada.faults and not bob.faults, (ada.faults, bob.faults)


async def test_without_being_told_so_the_browser_goes_no_further(start):
    server = start(*WALK)
    async with browser() as chromium:
        page = await (await chromium.new_context()).new_page()
        failed = None
        try:
            await page.goto(server.http + "/play")
        except Exception as error:
            failed = str(error)
        assert failed and "ERR_CERT_AUTHORITY_INVALID" in failed, failed
