"""The way to the next stop, and popups, over the picture of the Realm during a run (TRT-6, TRT-8)."""

import math
import re

import pytest

from cairn import eventually
from doubles import WEBXR
from playing import browser, expect
from test_play_groups import arrive, join, opened, people, stand, start_tour, world  # noqa: F401

DEVICE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]


async def turned(player):
    """How far the arrow over the picture is turned from straight ahead, clockwise."""
    style = await player.page.locator(".aim .arrow-to").evaluate("arrow => arrow.style.transform")
    return (float(re.search(r"rotate\((.+)deg\)", style).group(1)) + 90) % 360


async def points(player, degrees):
    """Waits until the arrow points there, to a degree."""
    now = None

    async def is_there():
        nonlocal now
        now = await turned(player)
        return abs((now - degrees + 180) % 360 - 180) < 1

    await eventually(is_there, lambda: f"the arrow points to {now} and not to {degrees}")


async def turn(player, degrees):
    await player.page.evaluate("degrees => part('core/place').then(({ turn }) => turn(degrees))", degrees)


async def test_theMapOfARun_showsOneselfAndTheNextStop_withTheWayInWords(world):  # noqa: F811
    """However far it is, and while one walks."""
    tour = await people(world, "bob")
    async with browser() as chromium:
        bob = await arrive(chromium, world, "bob")
        await start_tour(bob, tour)
        await stand(bob, -700)
        await bob.page.get_by_role("button", name="Show on the map").click()
        inside = """async () => {
            const { left, right, top, bottom } = document.querySelector('#map').getBoundingClientRect();
            return ['.own-dot', '.mark.stop.target'].every(name => {
                const box = document.querySelector(name)?.getBoundingClientRect();
                return box && box.left > left && box.right < right && box.top > top && box.bottom < bottom;
            });
        }"""
        await bob.holds(inside)
        await expect(bob.page.locator("#bar")).to_contain_text(re.compile("(799|800) m, north"))
        await expect(bob.page.locator(".mark-box:has(.target) .mark-away")).to_have_text(re.compile("(799|800) m"))
        await stand(bob, -690)
        await expect(bob.page.locator("#bar")).to_contain_text(re.compile("(789|790) m, north"))
        await bob.holds(inside)
        bob.check()


@pytest.mark.seconds(240)
async def test_arrowAndPopups_areOverTheRealmDuringARun(world):  # noqa: F811
    """The stop lies north: the arrow turns against the look, in the 3D view and over the camera's picture."""
    tour = await people(world, "bob", popups=[50])
    async with browser(*DEVICE) as chromium:
        bob = await arrive(chromium, world, "bob", "camera", "accelerometer", "gyroscope", "magnetometer")
        await bob.go("realm")
        aim = bob.page.locator(".aim")
        await expect(aim).to_be_hidden()
        await start_tour(bob, tour)
        await bob.page.get_by_role("link", name="In 3D").click()
        await expect(aim).to_contain_text("Next: Stop 0")
        await expect(aim).to_contain_text("100 m, north")
        for heading in (0, 90, 200):
            await turn(bob, heading)
            await points(bob, -heading)
        assert await bob.violations() == []
        # Over a reload, and nearer to what pops up.
        await bob.page.reload()
        await bob.live()
        await expect(aim).to_contain_text("Next: Stop 0")
        await stand(bob, 50)
        await expect(bob.page.locator("#toasts")).to_contain_text("Mind the step.")
        await expect(aim).to_contain_text("50 m, north")
        # Over the camera's picture it goes by the sensors: the device is upright and looks west.
        await bob.page.locator("#pill").click()
        await bob.page.get_by_role("button", name="With the camera").click()
        await expect(bob.page.locator("video.camera")).to_be_visible()
        await bob.page.wait_for_function("() => document.getElementById('realm').scene.isSeeThrough")
        await bob.page.keyboard.press("Escape")
        await bob.page.evaluate(
            """() => dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute',
                { alpha: 90, beta: 90, gamma: 0, absolute: true }))""")
        await points(bob, 90)
        await expect(aim).to_be_visible()
        # The arrow leads to the page of the run; without a run there is none.
        await aim.click()
        await bob.page.get_by_role("button", name="Leave the tour").click()
        await bob.page.locator("dialog").get_by_role("button", name="Leave the tour").click()
        await expect(bob.page.get_by_text(" m in ").first).to_be_visible()
        await bob.go("realm")
        await expect(bob.page.locator(".scene")).to_be_visible()
        await expect(aim).to_be_hidden()
        bob.check()


@pytest.mark.seconds(180)
async def test_arrow_goesByTheDeviceInASession_andLeadsWhereTheGuideSays(world):  # noqa: F811
    """WebXR turns the camera alone. The page of the run was not opened since the reload: the stops are read."""
    tour = await people(world, "eve", "bob")
    async with browser() as chromium:
        eve, bob = await arrive(chromium, world, "eve"), await arrive(chromium, world, "bob", script=WEBXR)
        await start_tour(eve, tour), await start_tour(bob, tour)
        await join(bob, await opened(eve))
        await expect(bob.page.locator(".group")).to_contain_text("eve")
        await bob.go("realm")
        await bob.page.reload()
        await bob.live()
        aim = bob.page.locator(".aim")
        await expect(aim).to_contain_text("Next: Stop 0")
        await eve.page.get_by_label("Lead everybody to").select_option(label="Stop 1")
        await eve.page.get_by_role("button", name="Lead there").click()
        await expect(aim).to_contain_text("Next: Stop 1")
        await expect(aim).to_contain_text("200 m, north")
        await turn(bob, 40)
        await bob.page.locator("#pill").click()
        await bob.page.get_by_role("button", name="In the room (AR)").click()
        await bob.page.wait_for_function("() => window.xr.frames > 3")
        await points(bob, -40)
        # The device is turned to the left by 70 degrees more than the user was when the session began.
        await bob.page.evaluate(
            "([y, w]) => { window.xr.viewer.orientation = { x: 0, y, z: 0, w }; }",
            [math.sin(math.radians(35)), math.cos(math.radians(35))])
        await points(bob, 30)
        eve.check(), bob.check()
