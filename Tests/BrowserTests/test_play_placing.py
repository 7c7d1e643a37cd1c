"""Placing (PLC-2 to PLC-5, PLC-10): the scope, moving, turning and resizing before it is confirmed, limits and quotas
that are shown, and what is cancelled."""

import math

import pytest

from playing import Player, browser, expect
from test_play_people import friends


@pytest.mark.seconds(120)
async def test_scope_isChosenWithTheObject_andTheSubRealmIsAlwaysNamed(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        ben = await (await Player.open(chromium, world)).sign_up("ben")
        await ada.ready(), await ben.ready()
        await friends(ada, ben, "ben")
        await ada.go("profile", "realms")
        # Both have a password, and others need none here.
        await expect(ada.page.locator("#page")).to_contain_text("some sign in by a name alone")
        await ada.page.locator("input[name=name]").fill("Garden")
        await ada.page.get_by_role("button", name="Create").click()
        await ada.page.get_by_role("button", name="Add at once").click()
        await expect(ada.page.locator("[data-account]").filter(has_text="ben").first).to_be_visible()
        await ada.go("map")
        # From the public realm, for the people of the sub-realm alone.
        await ada.page.locator("#add").click()
        scope = ada.page.get_by_role("group", name="Who sees it")
        await expect(scope.get_by_label("Public")).to_be_checked()
        await scope.get_by_label("Garden").check()
        await expect(scope.get_by_label("Public")).not_to_be_checked()
        await ada.page.locator("[data-object='preset:star']").click()
        # The last sheet says once more who will see it.
        await expect(ada.page.locator(".editor")).to_contain_text("Only the members of Garden will see it.")
        await ada.page.locator(".editor textarea").fill("Just us")
        await ada.page.locator(".editor button[type=submit]").click()
        await expect(ada.page.locator("#sheet")).to_be_hidden()
        await ada.place("preset:heart", text="For all")
        assert await ben.in_list() == ["Heart: For all"]
        await ben.page.keyboard.press("Escape")
        await ben.select_realm("Garden")
        await expect(ben.page.locator(".mark-box[aria-label*='Just us']")).to_be_visible()
        # What is shown is named everywhere.
        for place in ("realm", "tours", "profile", "map"):
            await ben.go(place)
            await expect(ben.page.locator("#pill")).to_be_visible()
            await expect(ben.page.locator("#pill")).to_contain_text("Garden")
        ada.check(), ben.check()


async def test_theDraft_isMovedTurnedAndResized_beforeItIsConfirmed(world):
    """Dragged over the map and in the Realm, turned and resized by sliders; the other sees the end of it alone."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ben = await (await Player.open(chromium, world)).by_name("ben")
        await ada.ready(), await ben.ready()
        await ada.page.locator("#add").click()
        await ada.page.locator("[data-object='preset:flag']").click()
        ghost = ada.page.locator(".mark-box:has(.ghost)")
        await expect(ghost).to_be_visible()
        first = await ada.read("draft.draft.place")
        box = await ghost.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await ada.page.mouse.move(x, y)
        await ada.page.mouse.down()
        await ada.page.mouse.move(x + 40, y + 30, steps=6)
        await ada.page.mouse.up()
        moved = await ada.read("draft.draft.place")
        assert moved["lon"] > first["lon"] and moved["lat"] < first["lat"]
        # A tap says where, on the map and on the ground of the picture; too far is said at once.
        await ada.page.mouse.click(x - 60, y - 45)
        tapped = await ada.read("draft.draft.place")
        assert tapped["lon"] < first["lon"] and tapped["lat"] > first["lat"]
        await ada.go("realm")
        await ada.page.wait_for_function("() => document.querySelector('#realm').scene?.marks.ghost.visible")
        await ada.page.mouse.click(x - 120, y + 150)
        await ada.holds(
            "before => part('core/draft').then(({ draft }) => draft.place.lat < before)", tapped["lat"])
        await ada.go("map")
        turn, size = ada.page.get_by_label("Turn"), ada.page.get_by_label("Size")
        await turn.focus()
        await ada.page.keyboard.press("End")
        await size.focus()
        for _ in range(3):
            await ada.page.keyboard.press("ArrowRight")
        wanted = await ada.read("(({ place, turned, scale }) => [place.lat, place.lon, turned, scale])(draft.draft)")
        assert wanted[2] != 0 and wanted[3] != 1 and await ben.read("view.items().length") == 0
        pose = await ada.page.evaluate("() => part('things/pose').then(({ draftPose }) => draftPose())")
        await ada.page.locator(".editor button[type=submit]").click()
        await expect(ada.page.locator("#sheet")).to_be_hidden()
        await expect(ben.page.locator(".mark-box").first).to_be_visible()
        seen = await ben.read("view.items()[0].instance.pose")
        assert seen["scale"] == pytest.approx(pose["scale"], rel=1e-5)
        there, asked = seen["geopose"], pose["geopose"]
        assert [there["position"][one] for one in ("lat", "lon", "h")] == pytest.approx(
            [asked["position"][one] for one in ("lat", "lon", "h")], abs=1e-7)
        dot = sum(there["quaternion"].get(one, 0) * asked["quaternion"][one] for one in "xyzw")
        assert math.degrees(2 * math.acos(min(1, abs(dot)))) < 0.01
        ada.check(), ben.check()


async def test_quotasAndReach_areShown_andARefusalSaysWhatMendsIt(start):
    world = start(accounts__open="true", placement__areaQuota=2, placement__reachMetres=50)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        for count in range(2):
            await ada.page.locator("#add").click()
            words = ada.page.locator("#sheet .quiet").last
            await expect(words).to_contain_text(f"You have {count} here. At most 2 in one area")
            await expect(words).to_contain_text("within 50 m")
            await ada.page.locator("[data-object='preset:star']").click()
            await expect(ada.page.locator(".editor")).to_contain_text(f"You have {count} here")
            await ada.page.locator(".editor button[type=submit]").click()
            await expect(ada.page.locator("#sheet")).to_be_hidden()
        await ada.page.locator("#add").click()
        await ada.page.locator("[data-object='preset:star']").click()
        await ada.page.locator(".editor button[type=submit]").click()
        refusal = ada.page.locator(".refusal[data-code=quota_area]")
        await expect(refusal).to_be_visible()
        # What was wrong, and then what to do.
        await expect(refusal.locator("strong")).not_to_be_empty()
        await expect(refusal.locator("p")).not_to_be_empty()
        await ada.page.keyboard.press("Escape")
        await expect(ada.page.locator(".ghost")).to_have_count(0)
        assert await ada.read("view.items().length") == 2
        ada.check()


async def test_anEditThatIsCancelled_leavesNoTrace(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ben = await (await Player.open(chromium, world)).by_name("ben")
        await ada.ready(), await ben.ready()
        await ada.place("preset:star", text="Before")
        await expect(ben.page.locator(".mark-box[aria-label*='Before']")).to_be_visible()
        before = await ben.read("JSON.stringify(view.items()[0].instance)")
        await ada.page.locator(".mark-box[aria-label*='Before']").click()
        await ada.page.locator(".details").get_by_role("button", name="Edit").click()
        await ada.page.get_by_label("Distance").focus()
        await ada.page.keyboard.press("End")
        await ada.page.locator(".editor textarea").fill("After")
        await ada.page.locator(".editor").get_by_role("button", name="Cancel").click()
        await expect(ada.page.locator(".ghost")).to_have_count(0)
        assert await ada.read("draft.draft") is None
        # What comes later is there, and the cancelled edit is not.
        await ada.place("preset:heart", text="Later")
        await expect(ben.page.locator(".mark-box[aria-label*='Later']")).to_be_visible()
        after = "view.items().find(({ instance }) => instance.text !== 'Later').instance"
        assert await ben.read(f"JSON.stringify({after})") == before
        assert await ada.read(f"{after}.text") == "Before"
        ada.check(), ben.check()


async def test_placing_beginsOnTheStage_andDoesNotWaitForTheSubRealms(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.go("profile", "friends")
        await expect(ada.page.locator("#page h2")).to_have_text("Friends")
        await ada.page.evaluate("""() => part('core/app').then(({ client }) => {
            const { request } = client;
            client.request = (kind, ...rest) =>
                kind === 'listRealms' ? new Promise(() => {}) : request.call(client, kind, ...rest);
        })""")
        await ada.page.locator("#add").click()
        await ada.page.locator("[data-object='preset:heart']").click()
        await expect(ada.page.locator("#map")).to_be_visible()
        await expect(ada.page.locator("#page")).to_be_hidden()
        await expect(ada.page.locator(".ghost")).to_have_count(1)
        ada.check()


async def test_wordsAreLeftWithinReach_byATapOnTheMap_andTooFarIsRefused(start):
    """Where a post would stand with its author: the words hang on a flag, and are there again if it is not placed."""
    world = start(accounts__open="true", placement__reachMetres=20)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=(390, 844))).by_name("ada")
        await ada.ready()
        await ada.page.locator("#add").click()
        await ada.page.get_by_role("button", name="Write a post here").click()
        await ada.page.locator("#sheet textarea").fill("Meet me on the bridge")
        await ada.page.mouse.click(60, 200)
        await ada.page.locator(".toast").get_by_role("button", name="Leave it at another spot").click()
        await expect(ada.page.locator(".editor textarea")).to_have_value("Meet me on the bridge")
        await expect(ada.page.locator(".editor .far")).to_contain_text("Too far")
        await ada.page.locator(".editor button[type=submit]").click()
        await expect(ada.page.locator(".refusal[data-code=too_far] p")).to_contain_text("move it nearer")
        await ada.page.get_by_role("button", name="Cancel").click()
        await ada.page.locator("#add").click()
        await ada.page.get_by_role("button", name="Write a post here").click()
        await expect(ada.page.locator("#sheet textarea")).to_have_value("Meet me on the bridge")
        await ada.page.locator("#sheet").get_by_role("button", name="Leave it at another spot").click()
        here = await ada.page.evaluate(
            """() => part('map/map').then(({ mapParts }) => mapParts()).then(({ map }) => {
                const { x, y } = map.latLngToContainerPoint([45.50485, -73.5872]);
                return [x, y];
            })""")
        await ada.page.mouse.click(*here)
        await expect(ada.page.locator(".editor .far")).to_be_empty()
        await ada.page.locator(".editor button[type=submit]").click()
        await expect(ada.page.locator("#sheet")).to_be_hidden()
        placed = await ada.read("view.items().map(({ kind, place, instance }) => [kind, place.lat, instance.text])")
        assert placed == [["thing", pytest.approx(45.50485, abs=4e-5), "Meet me on the bridge"]]
        ada.check()
