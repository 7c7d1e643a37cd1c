"""The Realm on devices: in perspective, with the camera's picture and motion sensors, and without WebGL. For WebXR see
test_play_xr.py."""

import math

import pytest

from playing import Player, browser, expect


async def test_aThing_isDrawnWhereAProjectionSays(world):
    """Walks around a thing; its pixels are within two of where a projection computed apart has them."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.place("preset:star")
        await ada.go("realm")
        await ada.page.wait_for_function(
            "() => document.getElementById('realm').scene?.instances.meshes.get('preset:star')?.count === 1")
        seen = 0
        for east, north, heading in [(0, 0, 0), (4, 2, 290), (-3, 8, 60), (1, 12, 175), (-6, 4, 85)]:
            found = await ada.page.evaluate(
                """async ([east, north, heading]) => {
                    const [{ setPlace, turn, own }, { Plane }, { items }] = await Promise.all(
                        ['place', 'geo', 'view'].map(name => import(`/play/js/${name}.js`)));
                    const start = window.start ??= { lat: own().lat, lon: own().lon };
                    setPlace(new Plane(start).place([east, north, 0]));
                    turn(heading);
                    const { scene } = Object.assign(document.getElementById('realm'));
                    scene.update(null);
                    const item = items()[0];
                    const drawn = scene.onScreen(item, 0);
                    const plane = new Plane({ ...own(), h: scene.plane.origin.h });
                    const frame = { width: scene.parent.clientWidth, height: scene.parent.clientHeight };
                    const { eye, pitch, camera: { fov } } = scene;
                    return { drawn, enu: plane.enu(item.place), eye, pitch, fov, ...frame };
                }""", [east, north, heading])
            e, n, u = found["enu"]
            h, p = math.radians(heading), math.radians(found["pitch"])
            right, ahead, up = e * math.cos(h) - n * math.sin(h), e * math.sin(h) + n * math.cos(h), u - found["eye"]
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
        sensors = ["camera", "accelerometer", "gyroscope", "magnetometer"]
        # Wide enough for what is 45 degrees aside.
        ada = await (await Player.open(chromium, world, size=(1400, 500), permissions=sensors)).by_name("ada")
        await ada.ready()
        await ada.page.evaluate(
            """async () => {
                const [{ client }, draft] = await Promise.all(
                    ['app', 'draft'].map(name => import(`/play/js/${name}.js`)));
                draft.beginNew('preset:flag', []);
                draft.putAt(6, 45);
                const pose = draft.draftPose();
                draft.discard();
                await client.place('preset:flag', pose, { text: 'north-east' });
            }""")
        await ada.go("realm")
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="With the camera").click()
        await expect(ada.page.locator("video.camera")).to_be_visible()
        await ada.page.wait_for_function("() => document.getElementById('realm').scene.isSeeThrough")
        ahead = """async alpha => {
            const turned = { absolute: true, alpha, beta: 90, gamma: 0 };
            const realm = await import('/play/js/realm/realm.js'), { frames } = realm;
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
        await expect(ada.page.locator("#list-body .line-title").first).to_have_text("Cairn: still here")
        ada.check()
