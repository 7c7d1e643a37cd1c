"""Friends and sub-realms beyond the plain way: requests that are withdrawn and declined, invitations, asking to join,
leaving, the end of a sub-realm; and the edit window of a post."""

import pytest

from playing import Player, browser, expect
from test_play_people import friends, share_a_realm


async def ask(one, name):
    """Sends a friend request."""
    await one.go("profile", "friends")
    await one.page.locator("input[name=prefix]").fill(name)
    await one.page.locator("button[type=submit]").click()
    await one.page.get_by_role("button", name="Ask to be friends").click()
    await expect(one.page.get_by_role("button", name="Withdraw")).to_be_visible()


async def make_realm(one, name, *boxes):
    await one.go("profile", "realms")
    await one.page.locator("input[name=name]").fill(name)
    for box in boxes:
        await one.page.locator(f"input[name={box}]").check()
    await one.page.get_by_role("button", name="Create").click()
    await expect(one.page.get_by_role("heading", name=name)).to_be_visible()


@pytest.mark.seconds(120)
async def test_requests_areWithdrawnAndDeclined(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        ben = await (await Player.open(chromium, world)).sign_up("ben")
        await ask(ada, "ben")
        await ada.page.get_by_role("button", name="Withdraw").click()
        await expect(ada.page.get_by_text("No open requests.")).to_be_visible()
        await ben.go("profile", "friends")
        await expect(ben.page.get_by_text("No requests.")).to_be_visible()
        await ask(ada, "ben")
        # The page that is open hears of it.
        await ben.page.get_by_role("button", name="Decline").click()
        await expect(ben.page.get_by_text("No requests.")).to_be_visible()
        for one in (ada, ben):
            await one.go("profile")
            await one.go("profile", "friends")
            await expect(one.page.get_by_text("No friends yet.")).to_be_visible()
            one.check()


@pytest.mark.seconds(180)
async def test_subRealms_areJoinedByInvitationAndByAsking_leftAndDeleted(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        ben = await (await Player.open(chromium, world)).sign_up("ben")
        await ada.ready(), await ben.ready()
        await friends(ada, ben, "ben")
        # By invitation: declined, then accepted, then left.
        await make_realm(ada, "Attic")
        await expect(ada.page.locator("#page")).to_contain_text("An invitation can be declined.")
        await ada.page.get_by_role("button", name="Invite").click()
        # What is open hears of it.
        await ben.go("profile", "realms")
        for answer in ("Decline", "Accept"):
            await ben.page.get_by_role("button", name=answer).click()
            await expect(ben.page.get_by_role("button", name=answer)).to_have_count(0)
            if answer == "Decline":
                await expect(ben.page.get_by_text("You are in no sub-realm yet.")).to_be_visible()
                # What has been done is said in place of the button, until the page is opened again.
                await expect(ada.page.get_by_text("ben is invited.")).to_be_visible()
                await ada.page.reload()
                await ada.page.get_by_role("button", name="Invite").click()
        await ben.page.get_by_role("link", name="Members: 2").click()
        await ben.page.get_by_role("button", name="Leave").click()
        await ben.page.locator("dialog").get_by_role("button", name="Leave").click()
        await expect(ben.page.get_by_text("You are in no sub-realm yet.")).to_be_visible()
        # Open, with approval: Ben finds it and asks, Ada approves.
        await make_realm(ada, "Cellar", "open", "approval")
        await ben.page.locator("input[name=prefix]").fill("Cel")
        await ben.page.get_by_role("button", name="Find").click()
        await ben.page.get_by_role("button", name="Join").click()
        await ada.page.get_by_role("button", name="Approve").click()
        await expect(ada.page.get_by_role("button", name="Approve")).to_have_count(0)
        await ben.go("map")
        await ben.select_realm("Cellar")
        # What is deleted is shown to nobody any more: Ben is back in the public realm.
        await ada.page.get_by_role("button", name="Delete").click()
        await ada.page.locator("dialog").get_by_role("button", name="Delete").click()
        await expect(ben.page.locator("#pill")).not_to_contain_text("Cellar")
        ada.check(), ben.check()


@pytest.mark.seconds(120)
async def test_whatItsOwnerChanges_theMembersOfASubRealmSee(world):
    """SUB-7: name, description and rule; the pill of who has selected it and an open list have the new name."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        ben = await (await Player.open(chromium, world)).sign_up("ben")
        laptop = await (await Player.open(chromium, world)).sign_in("ben")
        await ada.ready(), await ben.ready(), await laptop.ready()
        await share_a_realm(ada, ben, "ben")
        await laptop.go("profile", "realms")
        await expect(laptop.page.locator("#page")).to_contain_text("Garden")
        await ada.go("profile", "realms")
        await ada.page.get_by_role("link", name="Members: 2").click()
        form = ada.page.locator("#page form").filter(has=ada.page.get_by_role("button", name="Save"))
        await form.locator("input[name=name]").fill("Orchard")
        await form.locator("textarea[name=description]").fill("With apples.")
        await form.locator("input[name=open]").check()
        await form.get_by_role("button", name="Save").click()
        for one in (ada, ben):
            await expect(one.page.locator("#pill")).to_contain_text("Orchard")
        await expect(laptop.page.locator("#page")).to_contain_text("Orchard")
        await expect(laptop.page.locator("#page")).to_contain_text("With apples.")
        # Members have no such form.
        await laptop.page.get_by_role("link", name="Members: 2").click()
        await expect(laptop.page.get_by_role("heading", name="Orchard")).to_be_visible()
        await expect(laptop.page.locator("#page form")).to_have_count(0)
        # After a reload it is selected under its new name.
        await ben.page.reload()
        await ben.ready()
        await expect(ben.page.locator("#pill")).to_contain_text("Orchard")
        for one in (ada, ben, laptop):
            one.check()


async def test_aPost_isEditedInItsWindow_andNotByOthers(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ben = await (await Player.open(chromium, world)).by_name("ben")
        await ada.ready(), await ben.ready()
        await ada.page.locator("#add").click()
        await ada.page.get_by_role("button", name="Write a post here").click()
        await ada.page.locator("#sheet textarea").fill("Free cofee")
        await expect(ada.page.locator(".count-of")).to_contain_text("10")
        await ada.page.locator("#sheet button[type=submit]").click()
        await ben.page.locator(".mark-box[aria-label*='cofee']").click()
        await expect(ben.page.locator(".details").get_by_role("button", name="Vote up")).to_be_visible()
        assert await ben.page.locator(".details").get_by_role("button", name="Edit").count() == 0
        await ada.page.locator(".mark-box[aria-label*='cofee']").click()
        await ada.page.locator(".details").get_by_role("button", name="Edit").click()
        await expect(ada.page.locator("#sheet")).to_contain_text("You can edit it until")
        await ada.page.locator("#sheet textarea").fill("Free coffee")
        await ada.page.locator("#sheet button[type=submit]").click()
        await expect(ben.page.locator(".mark-box[aria-label*='Free coffee']")).to_be_visible()
        ada.check(), ben.check()
