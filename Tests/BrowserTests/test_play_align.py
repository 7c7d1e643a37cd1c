"""Aligning the device's space with the ground: by compass, by hand, by what stands there, and by anchor data; and how
exact the page says to be (PLC-4, VIS-2)."""

import math

import pytest

from doubles import WEBXR
from playing import PLACE, Player, browser, expect
from test_play_xr import about, enu, in_session, in_xr, named, times, turned

CAMERA = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
SENSORS = ["camera", "accelerometer", "gyroscope", "magnetometer"]

# Places a flag so many metres east and north of the own place; gives its id.
FLAG = """async ([east, north, accuracy]) => {
    const [{ client }, { own }, { Plane }, view] = await Promise.all(
        ['core/app', 'core/place', 'core/geo', 'core/view'].map(name => part(name)));
    const position = new Plane({ ...own(), h: view.groundHeight() }).place([east, north, 0]);
    const pose = { geopose: { position, quaternion: { x: 0, y: 0, z: 0, w: 1 } }, accuracy };
    const { id } = await client.place('preset:flag', pose);
    while (!view.itemOf(id)) await new Promise(requestAnimationFrame);
    return id;
}"""

# Where a thing is in the space of the session: there the device would see it.
IN_SESSION = """async id => {
    const { itemOf } = await part('core/view');
    const { scene } = document.getElementById('realm');
    scene.rig.updateMatrixWorld();
    const { x, y, z } = scene.point(itemOf(id).place).applyMatrix4(scene.rig.matrixWorld.clone().invert());
    return [x, y, z];
}"""


async def select(player, key):
    await player.page.evaluate("key => part('core/picked').then(({ pick }) => pick(key))", key)
    await expect(player.page.locator(".details [data-reaction]").first).to_be_visible()


async def align(player, key, by):
    """Selects a thing and aligns by it."""
    await select(player, key)
    folded = player.page.locator("#sheet details:not([open]):has([data-align])")
    if await folded.count():
        await folded.locator("summary").click()
    await player.page.locator(f"[data-align={by}]").click()
    await expect(player.page.locator("#sheet .done")).to_contain_text("Aligned.")


async def own(player):
    return await player.read("place.own()")


def apart(place, other):
    east, north, _ = enu({**place, "h": 0}, {**other, "h": 0})
    return math.hypot(east, north)


async def fixed(player, north, accuracy=8):
    """The browser finds the device so many metres north, and the page has heard of it."""
    await player.page.context.set_geolocation(
        {"latitude": PLACE[0] + north / 111_170, "longitude": PLACE[1], "accuracy": accuracy})


async def test_whoStandsOnAThing_correctsTheFixes(world):
    """By a tap on the map, too: the fixes that come later are corrected as well, and lose exactness on the way."""
    async with browser() as chromium:
        ada = await (await Player.open(
            chromium, world, at=None, permissions=["geolocation"],
            geolocation={"latitude": PLACE[0], "longitude": PLACE[1], "accuracy": 8})).by_name("ada")
        await ada.ready()
        flag = await ada.page.evaluate(FLAG, [4, 0, 0.5])
        await align(ada, flag, "stand")
        thing = await ada.read(f"view.itemOf('{flag}').place")
        here = await own(ada)
        assert apart(here, thing) < 0.01 and here["accuracy"] == pytest.approx(0.8)
        await expect(ada.page.locator("#sheet .done")).to_contain_text("exact to 0.8 m")
        # 20 m on: the fix is wrong by the same 4 m.
        await fixed(ada, 20)
        await ada.holds("() => part('core/place').then(({ own }) => own().accuracy > 2)")
        here = await own(ada)
        east, north, _ = enu({**here, "h": 0}, {**thing, "h": 0})
        assert (east, north) == pytest.approx((0, 20), abs=0.1)
        assert here["accuracy"] == pytest.approx(0.8 + 2, abs=0.05)
        # Fixes of a device that stays where it is are put together; the mean is exact to no less than the best of them.
        await fixed(ada, 26, accuracy=16)
        await ada.holds("n => part('core/place').then(({ own }) => own().lat > n)", here["lat"])
        moved = enu({**await own(ada), "h": 0}, {**here, "h": 0})[1]
        assert moved == pytest.approx(6 / 5, abs=0.1)
        ada.check()


async def shown(player):
    """The text about place and direction in the sheet behind the pill."""
    await player.page.locator("#pill").click()
    text = await player.page.locator("#sheet .row .quiet").first.inner_text()
    await player.page.keyboard.press("Escape")
    return text


async def sense(player, alpha):
    await player.page.evaluate(
        """alpha => dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute',
            { absolute: true, alpha, beta: 90, gamma: 0 }))""", alpha)


async def drag(player, pixels):
    """Draws the picture to the right by hand, in steps of a pixel."""
    await player.page.mouse.move(450, 150)
    await player.page.mouse.down()
    await player.page.mouse.move(450 + pixels, 150, steps=abs(pixels))
    await player.page.mouse.up()


async def looks(player, degrees):
    await player.holds(
        """degrees => part('core/place').then(({ ownHeading }) =>
            Math.abs((ownHeading() - degrees + 540) % 360 - 180) < 1.1)""", degrees)


async def test_camera_isAlignedByHandAndByWhatOneLooksAt(world):
    """By keys: the slider turns the picture; by a thing: its bearing is where the device looks to."""
    async with browser(*CAMERA) as chromium:
        ada = await (await Player.open(chromium, world, permissions=SENSORS)).by_name("ada")
        await ada.ready()
        flag = await ada.page.evaluate(FLAG, [0, 40, 0.5])
        await ada.go("realm")
        assert "direction" not in await shown(ada)
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="With the camera").click()
        await ada.page.wait_for_function("() => document.getElementById('realm').scene.isSeeThrough")
        await sense(ada, 0)
        await looks(ada, 0)
        assert "exact to 15°, by the compass" in await shown(ada)
        # A tap that moves a little aligns nothing; a drag does.
        await drag(ada, 3)
        await sense(ada, 0)
        assert "exact to 15°, by the compass" in await shown(ada)
        # A narrow page ends where a sheet begins: the picture is drawn again in its new size.
        await ada.page.set_viewport_size({"width": 400, "height": 700})
        frames = "part('realm/realm').then(({ frames }) => frames)"
        before = await ada.page.evaluate(f"() => {frames}")
        await ada.page.locator("#pill").click()
        await ada.holds(f"async before => await {frames} > before", before)
        await ada.page.set_viewport_size({"width": 900, "height": 700})
        await ada.page.keyboard.press("Escape")
        # What is seen lies 10 degrees further to the right than the picture says: the device looks less far to it.
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="Align").click()
        await ada.page.locator("#sheet input[type=range]").focus()
        for _ in range(20):
            await ada.page.keyboard.press("ArrowRight")
        await looks(ada, -10)
        await expect(ada.page.locator("#sheet [role=status]")).to_contain_text("exact to 3°, set by hand")
        assert await ada.violations() == []
        await ada.page.get_by_role("button", name="It fits").click()
        await drag(ada, 60)
        await drag(ada, -60)
        await looks(ada, -10)
        # The compass goes on, and is as wrong as before; what was set by hand is still what counts.
        await sense(ada, 330)
        await looks(ada, 20)
        assert "set by hand" in await shown(ada)
        # The flag is straight ahead, whatever the compass says: it lies north, 40 m away, known to 1.3 m.
        await align(ada, flag, "ahead")
        await looks(ada, 0)
        assert "exact to 2°, by a thing" in await shown(ada)
        ada.check()


async def pose_of(player, key):
    return await player.page.evaluate(
        "key => part('core/app').then(({ client }) => client.view.instance(key).pose)", key)


async def hit(player, position, turn=(0, 0, 0, 1)):
    """The point that the device points at, in the session's space."""
    await player.page.evaluate(
        """async hit => {
            window.xr.hit = hit;
            const { frames } = window.xr;
            while (window.xr.frames < frames + 2) await new Promise(requestAnimationFrame);
        }""", {"position": named(position), "orientation": named(turn)})


async def stands_at(player, key, position, within=0.02):
    """Where the picture has a thing, in the session's space."""
    found = await player.page.evaluate(IN_SESSION, key)
    assert math.dist(found, position) < within, (found, position)


@pytest.mark.seconds(120)
async def test_anchorData_alignAnotherDevice(world):
    """Ada puts a flag on a wall and one on the ground. Bob's device is wrong by metres and by 40 degrees; he points at
    the wall, and both flags are where they are, to centimetres. Then his own fix of two things on the ground."""
    async with browser() as chromium:
        async with in_xr(chromium, world, 70) as (ada, floor):
            start = {"lat": PLACE[0], "lon": PLACE[1], "h": floor}
            await ada.page.evaluate(
                "() => part('core/alignment').then(({ aligned }) => aligned('compass', 5))")
            # A wall to the right of the session's forward; a surface's own Y points away from it.
            wall = ((3, 1.4, -4), times(about((0, 1, 0), 25), about((0, 0, 1), 90)))
            ground = ((-2, 0, -9), about((0, 1, 0), 33))
            keys = []
            for position, turn in (wall, ground):
                await ada.page.locator("#add").click()
                await ada.page.locator("[data-object='preset:flag']").click()
                await hit(ada, position, turn)
                await ada.page.evaluate(
                    "() => window.xr.session.tap({ x: 0, y: 1.6, z: 0 }, { x: 0, y: 0, z: 0, w: 1 })")
                # Turned before it is confirmed: the surface stays as it is.
                slider = ada.page.locator(".editor input[type=range]").nth(3)
                await slider.focus()
                await slider.press("End")
                before = set(await ada.read("view.items().map(({ key }) => key)"))
                await ada.page.locator(".editor button[type=submit]").click()
                await ada.page.wait_for_function("() => document.getElementById('sheet').hidden")
                await ada.holds(
                    "n => part('core/view').then(({ items }) => items().length > n)", len(before))
                keys += set(await ada.read("view.items().map(({ key }) => key)")) - before
            pose = await pose_of(ada, keys[0])
            assert pose["anchor"]["provider"] == "webxr.surface" and len(pose["anchor"]["transform"]) == 16
            # The flag stands where the wall was found; where the truth is in Ada's space is known by the way.
            assert math.dist(in_session(enu(pose["geopose"]["position"], start), 70), wall[0]) < 0.01

            bob = await (await Player.open(
                chromium, world, at=(PLACE[0] + 0.00003, PLACE[1] - 0.00002), script=WEBXR)).by_name("bob")
            await bob.ready()
            await bob.holds("key => part('core/view').then(({ itemOf }) => itemOf(key))", keys[1])
            await bob.go("realm")
            await bob.page.locator("#pill").click()
            await bob.page.get_by_role("button", name="In the room (AR)").click()
            await bob.page.wait_for_function("() => window.xr.frames > 3")
            assert "may be wrong: align" in await shown(bob)
            # Without a surface there is nothing to align by.
            await select(bob, keys[0])
            await bob.page.locator("[data-align=point]").click()
            await expect(bob.page.locator("#sheet .refusal")).to_contain_text("finds no surface there")

            # Where all is in Bob's space: he began elsewhere, with his floor 30 cm lower, and turned.
            def seen(position, turn=(0, 0, 0, 1)):
                ahead = about((0, 1, 0), -110)
                x, y, z = turned(ahead, position)
                return (x + 1.5, y + 0.3, z + 2), times(ahead, turn)

            await hit(bob, *seen(*wall))
            await align(bob, keys[0], "point")
            assert "exact to 5°, by a thing" in await shown(bob)
            for key, (position, _) in zip(keys, (wall, ground)):
                await stands_at(bob, key, seen(position)[0])
            # The own place is that of the device by now.
            x, _, z = turned(about((0, 1, 0), 110), (-1.5, 0, -2))
            here = in_session(enu({**await own(bob), "h": floor}, start), 70)
            assert math.dist((here[0], here[2]), (x, z)) < 0.02
            # Turned by hand it fits no more; by two things on the ground, neither of which has a direction, it does.
            await bob.page.evaluate("() => part('realm/realm').then(({ xr }) => xr.turn(15))")
            assert "set by hand" in await shown(bob)
            await hit(bob, seen(ground[0])[0])
            await align(bob, keys[1], "point")
            await stands_at(bob, keys[1], seen(ground[0])[0])
            await stands_at(bob, keys[0], seen(wall[0])[0])
            bob.check()


async def test_whoStandsOnAThingInASession_hasItUnderTheirFeet(world):
    async with browser() as chromium:
        async with in_xr(chromium, world) as (ada, _):
            flag = await ada.page.evaluate(FLAG, [2, 6, 0.5])
            await ada.page.evaluate(
                """async () => {
                    window.xr.viewer.position = { x: 1, y: 1.6, z: -7 };
                    const { frames } = window.xr;
                    while (window.xr.frames < frames + 2) await new Promise(requestAnimationFrame);
                }""")
            await align(ada, flag, "stand")
            await stands_at(ada, flag, (1, 0, -7))
            # A turn is one about where the device is.
            await ada.page.locator("#pill").click()
            await ada.page.get_by_role("button", name="Align").click()
            await ada.page.locator("#sheet input[type=range]").focus()
            await ada.page.keyboard.press("End")
            await stands_at(ada, flag, (1, 0, -7))
            await expect(ada.page.locator("#sheet [role=status]")).to_contain_text("set by hand")


async def test_session_beginsByTheCompass(world):
    """The sensors say where north is while the session begins; the heading of the 3D view counts without them."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, script=WEBXR)).by_name("ada")
        await ada.ready()
        await ada.go("realm")
        await ada.page.wait_for_function("() => document.getElementById('realm').scene?.plane")
        await ada.page.evaluate(
            """() => setInterval(() => dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute',
                { absolute: true, alpha: 300, beta: 60, gamma: 0 })), 20)""")
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="In the room (AR)").click()
        await ada.page.wait_for_function("() => window.xr.frames > 3")
        turned_ = await ada.page.evaluate("() => document.getElementById('realm').scene.rig.rotation.y")
        assert turned_ == pytest.approx(math.radians(-60))
        assert "exact to 15°, by the compass" in await shown(ada)
        ada.check()
