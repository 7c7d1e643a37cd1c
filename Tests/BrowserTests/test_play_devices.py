"""The Realm on devices: in perspective, with the camera's picture and motion sensors, and without WebGL. For WebXR see
test_play_xr.py."""

import math

import pytest

from doubles import WEBXR
from playing import Player, browser, expect

#: What the camera's way asks for.
SENSORS = ["camera", "accelerometer", "gyroscope", "magnetometer"]


async def test_aThing_isDrawnWhereAProjectionSays(world):
    """Walks around a thing; its pixels are within two of where a projection computed apart has them."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.place("preset:star")
        await ada.go("realm")
        await ada.page.wait_for_function(
            "() => document.getElementById('realm').scene?.instances.meshes.get('around preset:star')?.count === 1")
        seen = 0
        for east, north, heading in [(0, 0, 0), (4, 2, 290), (-3, 8, 60), (1, 12, 175), (-6, 4, 85)]:
            found = await ada.page.evaluate(
                """async ([east, north, heading]) => {
                    const [{ setPlace, turn, own }, { Plane }, { items }] = await Promise.all(
                        ['core/place', 'core/geo', 'core/view'].map(name => part(name)));
                    const start = window.start ??= { lat: own().lat, lon: own().lon };
                    setPlace(new Plane(start).place([east, north, 0]));
                    turn(heading);
                    const { scene } = Object.assign(document.getElementById('realm'));
                    scene.update(null);
                    const item = items()[0];
                    const drawn = scene.onScreen(item, 0);
                    const plane = new Plane({ ...own(), h: scene.plane.origin.h });
                    const frame = { width: scene.parent.clientWidth, height: scene.parent.clientHeight };
                    const { back, eye, pitch, camera: { fov } } = scene;
                    return { drawn, enu: plane.enu(item.place), back, eye, pitch, fov, ...frame };
                }""", [east, north, heading])
            e, n, u = found["enu"]
            h, p = math.radians(heading), math.radians(found["pitch"])
            # The view is behind oneself, and above.
            right, ahead = e * math.cos(h) - n * math.sin(h), e * math.sin(h) + n * math.cos(h) + found["back"]
            up = u - found["eye"]
            depth, rise = ahead * math.cos(p) + up * math.sin(p), up * math.cos(p) - ahead * math.sin(p)
            f = found["height"] / 2 / math.tan(math.radians(found["fov"]) / 2)
            x, y = found["width"] / 2 + f * right / depth, found["height"] / 2 - f * rise / depth
            if depth < 0.5 or not (0 < x < found["width"] and 0 < y < found["height"]):
                continue
            assert abs(found["drawn"]["x"] - x) < 2 and abs(found["drawn"]["y"] - y) < 2, (found, x, y)
            seen += 1
        assert seen >= 4
        ada.check()


async def test_camera_turnsWithTheSensors(world):
    async with browser("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream") as chromium:
        # Wide enough for what is 45 degrees aside.
        ada = await (await Player.open(chromium, world, size=(1400, 500), permissions=SENSORS)).by_name("ada")
        await ada.ready()
        await ada.page.evaluate(
            """async () => {
                const [{ client }, draft, { beginNew, draftPose }] = await Promise.all(
                    ['core/app', 'core/draft', 'things/pose'].map(name => part(name)));
                beginNew('preset:flag', []);
                draft.putAt(6, 45);
                const pose = draftPose();
                draft.setDraft(null);
                await client.place('preset:flag', pose, { text: 'north-east' });
            }""")
        await ada.go("realm")
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="With the camera").click()
        await expect(ada.page.locator("video.camera")).to_be_visible()
        await ada.page.wait_for_function("() => document.getElementById('realm').scene.isSeeThrough")
        ahead = """async alpha => {
            const turned = { absolute: true, alpha, beta: 90, gamma: 0 };
            const realm = await part('realm/realm'), { frames } = realm;
            dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute', turned));
            while (realm.frames < frames + 1) await new Promise(requestAnimationFrame);
            return new Promise(then => requestAnimationFrame(() => {
                const { scene } = document.getElementById('realm');
                const e = scene.camera.matrixWorld.elements;
                const words = document.querySelector('.label').getBoundingClientRect();
                const frame = document.getElementById('realm').getBoundingClientRect();
                then({ ahead: [-e[8], e[10]], at: words.left + words.width / 2 - frame.left, width: frame.width,
                    focal: frame.height / 2 / Math.tan(scene.camera.fov * Math.PI / 360) });
            }));
        }"""
        north, east = await ada.page.evaluate(ahead, 0), await ada.page.evaluate(ahead, 270)
        assert north["ahead"] == pytest.approx([0, 1], abs=1e-3) and east["ahead"] == pytest.approx([1, 0], abs=1e-3)
        # Turned by 90 degrees, from north to east: what was 45 degrees to the right is as far to the left, in pixels.
        assert north["at"] == pytest.approx(north["width"] / 2 + north["focal"], abs=2)
        assert east["at"] == pytest.approx(east["width"] / 2 - east["focal"], abs=2)
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="3D view").click()
        await expect(ada.page.locator("video.camera")).to_have_count(0)
        ada.check()


async def test_withoutWebGL_theListRemains(world):
    script = """
        HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
            apply: (get, canvas, [kind, ...rest]) =>
                kind.startsWith('webgl') ? null : Reflect.apply(get, canvas, [kind, ...rest]),
        });"""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, script=script)).by_name("ada")
        ada.expected += ["WebGL"]
        await ada.ready()
        await ada.place("preset:cairn", text="still here")
        await ada.go("realm")
        await expect(ada.page.locator("#list-body .line-title").first).to_have_text("Stone pile: still here")
        ada.check()


@pytest.mark.seconds(120)
async def test_theThreeWays_areSwitched_bestFirst(world):
    """AR, camera and 3D view, each from each other; what is around stays, and what a way has begun is ended."""
    async with browser("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream") as chromium:
        ada = await (await Player.open(chromium, world, script=WEBXR, permissions=SENSORS)).by_name("ada")
        await ada.ready()
        await ada.place("preset:star", text="Here")
        await ada.go("realm")
        await ada.page.wait_for_function("() => document.getElementById('realm').scene?.plane")
        ways = ada.page.locator("#sheet .row .row button")

        async def change(name):
            await ada.page.locator("#pill").click()
            await expect(ways).to_have_text(["In the room (AR)", "With the camera", "3D view"])
            await ways.filter(has_text=name).click()

        async def is_on(name):
            video = ada.page.locator("video.camera")
            await expect(video).to_have_count(1 if name == "With the camera" else 0)
            await ada.page.wait_for_function(
                "isOn => document.body.classList.contains('in-xr') === isOn && (window.xr.session !== null) === isOn",
                arg=name == "In the room (AR)")
            # The picture is there a moment before the way has begun.
            await ada.page.wait_for_function(
                "isThrough => document.getElementById('realm').scene.isSeeThrough === isThrough",
                arg=name != "3D view")
            await ada.page.wait_for_function(
                "() => document.getElementById('realm').scene.instances.meshes.get('around preset:star')?.count === 1")
            await ada.page.locator("#pill").click()
            await expect(ways.locator("xpath=self::*[contains(@class, 'accent')]")).to_have_text(name)
            await ada.page.keyboard.press("Escape")

        await is_on("3D view")
        # One picture is drawn at a time, however often the way was changed.
        await ada.page.evaluate(
            """() => {
                const soon = window.requestAnimationFrame, asked = window.asked = new Map();
                window.requestAnimationFrame = then => {
                    asked.set(then, (asked.get(then) ?? 0) + 1);
                    return soon(then);
                };
            }""")
        order = ["With the camera", "In the room (AR)", "3D view", "In the room (AR)", "With the camera", "3D view"]
        for name in order:
            await change(name)
            await is_on(name)
        asked, frames = await ada.page.evaluate(
            """async () => {
                let frames = 0;
                window.asked.clear();
                await new Promise(done => {
                    const count = () => { frames += 1; if (frames < 20) requestAnimationFrame(count); else done(); };
                    requestAnimationFrame(count);
                });
                const times = [...window.asked].map(([then, n]) => then.name === 'count' ? 0 : n);
                return [Math.max(...times), frames];
            }""")
        assert abs(asked - frames) <= 2, (asked, frames)
        # Who leaves the Realm leaves the camera on for nobody.
        await change("With the camera")
        await is_on("With the camera")
        await ada.go("map")
        await expect(ada.page.locator("video.camera")).to_have_count(0)
        ada.check()


async def test_aThing_isSelectedByTouch_inTheRealmAndOnTheMap(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=(390, 760), has_touch=True, is_mobile=True)).by_name("ada")
        await ada.ready()
        await ada.place("preset:star", text="Here")
        await ada.page.locator(".mark-box").first.tap()
        await expect(ada.page.locator(".details blockquote")).to_have_text("Here")
        await ada.page.locator("#sheet").get_by_role("button", name="Close").tap()
        await ada.go("realm")
        await ada.page.wait_for_function(
            "() => document.getElementById('realm').scene?.instances.meshes.get('around preset:star')?.count === 1")
        # The thing itself, below its words.
        x, y = await ada.page.evaluate(
            """async () => {
                const { items } = await part('core/view');
                const realm = document.getElementById('realm'), box = realm.getBoundingClientRect();
                const { x, y } = realm.scene.onScreen(items()[0], 0.5);
                return [box.x + x, box.y + y];
            }""")
        await ada.page.touchscreen.tap(x, y)
        await expect(ada.page.locator(".details blockquote")).to_have_text("Here")
        ada.check()


async def test_theView_isTurnedByDrag_andWalkedByKeys(world):
    """The 3D view without any sensor: drag and arrow keys turn it, W A S D walk, plus and minus zoom."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.go("realm")
        await ada.page.wait_for_function("() => document.getElementById('realm').scene?.plane")
        fov, height = await ada.page.evaluate(
            "() => (({ scene, clientHeight }) => [scene.camera.fov, clientHeight])(document.getElementById('realm'))")
        heading, keys = "place.ownHeading()", ada.page.keyboard
        # What is dragged to the left lets one look to the right.
        await ada.page.mouse.move(500, 300)
        await ada.page.mouse.down()
        await ada.page.mouse.move(300, 300, steps=8)
        await ada.page.mouse.up()
        assert await ada.read(heading) == pytest.approx(200 * fov / height, abs=0.5)
        # The picture follows: straight ahead is where the user looks to.
        ahead = "() => { const e = document.getElementById('realm').scene.camera.matrixWorld.elements;"
        east, north = await ada.page.evaluate(
            "() => new Promise(requestAnimationFrame).then(" + ahead + " return [-e[8], e[10]]; })")
        assert math.degrees(math.atan2(east, north)) == pytest.approx(await ada.read(heading), abs=0.1)
        await ada.page.locator("#realm").focus()
        before = await ada.read(heading)
        await keys.press("ArrowLeft")
        assert await ada.read(heading) == pytest.approx((before - 5) % 360)
        await ada.page.evaluate("() => part('core/place').then(({ turn }) => turn(90))")
        first = await ada.read("place.own()")
        for key in "wwd":
            await keys.press(key)
        # Two metres to the east, and one to the right of that, which is south.
        last = await ada.read("place.own()")
        metre = 1 / 111_195
        assert (last["lon"] - first["lon"]) * math.cos(math.radians(first["lat"])) == pytest.approx(
            2 * metre, rel=0.01)
        assert last["lat"] - first["lat"] == pytest.approx(-metre, rel=0.01)
        await keys.press("+")
        assert await ada.page.evaluate("() => document.getElementById('realm').scene.camera.fov") < fov
        ada.check()
