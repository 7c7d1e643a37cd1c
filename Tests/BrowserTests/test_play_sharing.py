"""Sharing where one is: what it shows to whom, and that it is offered once when the first friend is near."""

import pytest

from cairn import Client, away
from playing import PLACE, Player, browser, expect


@pytest.mark.seconds(120)
async def test_sharing_isOfferedOnce_whenAFriendIsNear_andSaysWhoSeesIt(world):
    ada = await Client.connect(world, "Ada", sharePosition=True, shareAccuracy=0)
    ben = await Client.connect(world, "ben")
    await ada.ask("requestFriend", {"account": ben.welcome["account"]})
    await ben.ask("answerFriendRequest", {"account": ada.welcome["account"], "accept": True})
    await ben.close()
    eve = await Client.connect(world, "Eve", sharePosition=True, shareAccuracy=0)
    await eve.stand_at(*away(*PLACE, north=10))
    async with browser() as chromium:
        player = await (await Player.open(chromium, world)).by_name("ben")
        await player.ready()
        banner = player.page.locator("#banner")
        # A stranger is near: nothing is offered.
        await expect(player.page.locator("#map .mark.person")).to_have_count(1)
        await expect(banner).to_be_hidden()
        await ada.stand_at(*away(*PLACE, north=20))
        await expect(banner).to_contain_text("Ada is near.")
        await expect(banner).to_contain_text("sees your name and where you are (to 10 m)")
        assert await player.violations() == []
        # Off until then.
        assert not await player.read("app.client.settings.get('privacy.sharePosition')")
        await banner.get_by_role("button", name="Close").click()
        await expect(banner).to_be_hidden()
        await player.page.reload()
        await player.ready()
        await expect(player.page.locator("#map .mark.person")).to_have_count(2)
        await expect(banner).to_be_hidden()
        # The switch stands beside the same sentence.
        await player.page.locator("#pill").click()
        await expect(player.page.locator("#sheet")).to_contain_text("sees your name and where you are (to 10 m)")
        await player.page.locator("#sharing").check()
        await player.holds("() => part('core/app')"
                           ".then(({ client }) => client.settings.get('privacy.sharePosition') === 'on')")
        # Who is shown to others is nobody else here; a friend is not asked for friendship.
        await player.page.keyboard.press("Escape")
        await player.holds("() => part('core/app').then(({ client }) => "
                           "client.people().some(({ id, pose }) => pose && id === client.welcome.account))")
        assert not [title for title in await player.in_list() if "ben" in title]
        await player.page.locator("#list-body .line-title", has_text="Ada").click()
        await expect(player.page.locator("#sheet")).to_contain_text("You and Ada are friends.")
        await expect(player.page.get_by_role("button", name="Ask to be friends")).to_have_count(0)
        # The setting is the account's: after a sign-in it counts again, which is said, with what ends it.
        await player.page.keyboard.press("Escape")
        await player.go("profile")
        await player.page.get_by_role("button", name="Sign out").click()
        await player.by_name("ben")
        await expect(banner).to_contain_text("You are sharing where you are, as you chose before")
        assert await player.violations() == []
        await banner.get_by_role("button", name="Stop sharing").click()
        await expect(player.page.locator("#toasts")).to_contain_text("Off. Nobody sees where you are now.")
        await player.holds("() => part('core/app')"
                           ".then(({ client }) => client.settings.get('privacy.sharePosition') === 'off')")
        await player.page.locator("#toasts").get_by_role("button", name="Close").click()
        await expect(banner).to_be_hidden()
        player.check()


@pytest.mark.seconds(120)
async def test_whatIsLookedAt_isNobodysPlace_whateverAnotherDeviceShares(world):
    """A page that looks elsewhere is no device that stands there, also when another device switches sharing on."""
    eve = await Client.connect(world, "Eve")
    await eve.stand_at(*PLACE)
    async with browser() as chromium:
        player = await Player.open(chromium, world, at="")
        await player.by_name("ben")
        await player.page.evaluate("([lat, lon]) => part('core/place').then(place => place.lookAt({ lat, lon }))",
                                   list(PLACE))
        await player.holds("() => part('core/app').then(({ client }) => client.core.position !== null)")
        phone = await Client.connect(world, "ben")
        await phone.ask("saveSettings", {"settings": [{"key": "privacy.sharePosition", "value": "on"}]})
        await player.holds("() => part('core/app')"
                           ".then(({ client }) => client.settings.get('privacy.sharePosition') === 'on')")
        # Where the page's own place is known, the setting counts.
        ada = await Client.connect(world, "Ada", sharePosition=True, shareAccuracy=0)
        await ada.stand_at(*PLACE)
        await eve.until(lambda: eve.person("Ada"), "Ada is seen")
        assert not eve.person("ben")
        await player.page.evaluate("([lat, lon]) => part('core/place').then(place => place.setPlace({ lat, lon }))",
                                   list(PLACE))
        await eve.until(lambda: eve.person("ben"), "ben is seen")
        player.check()
