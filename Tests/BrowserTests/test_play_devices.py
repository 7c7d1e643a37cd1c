"""The Realm on devices: WebXR by a double, the camera's picture with motion sensors, and a device without WebGL."""

import math
import random

import pytest

from doubles import WEBXR
from playing import Player, browser, expect

ENTER = "() => import('/play/js/realm/realm.js').then(({ changeWay }) => changeWay('xr'))"


def turned(random_):
    q = [random_.gauss(0, 1) for _ in range(4)]
    norm = math.sqrt(sum(one * one for one in q))
    return dict(zip("xyzw", (one / norm for one in q)))


@pytest.mark.seconds(120)
async def test_webXR_storesThePoseOfTheHit(world):
    """Enters, places at the hit of the double, and compares the stored GeoPose for 1,000 poses: 1 mm, 0.01 degrees."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, script=WEBXR)).by_name("ada")
        await ada.ready()
        await ada.go("realm")
        await ada.page.wait_for_function("() => document.getElementById('realm').scene?.plane")
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="In the room (AR)").click()
        await ada.page.wait_for_function("() => window.xr.frames > 3")
        await ada.page.evaluate("() => import('/play/js/draft.js').then(({ beginNew }) => beginNew('preset:flag', []))")
        seeds = random.Random(15)
        poses = [
            {"position": {axis: seeds.uniform(-40, 40) for axis in "xyz"}, "orientation": turned(seeds)}
            for _ in range(1000)]
        worst = await ada.page.evaluate(
            """async poses => {
                const { draft, draftPose } = await import('/play/js/draft.js');
                const { LocalPlane } = await import('/play/cairn/geo.js');
                const { own } = await import('/play/js/place.js');
                const scene = document.getElementById('realm').scene;
                const base = scene.plane.origin.h, here = new LocalPlane(own());
                let metres = 0, degrees = 0;
                for (const pose of poses) {
                    scene.xr.hit = new XRRigidTransform(pose.position, pose.orientation);
                    scene.xr.putAtHit();
                    const { position, quaternion } = draftPose().geopose;
                    const { east, north } = here.metres(position);
                    const { x, y, z } = pose.position;
                    metres = Math.max(metres, Math.hypot(east - x, north + z, position.h - base - y));
                    // East, north, up of the double's axes: x, -z, y; both frames are re-based.
                    const o = pose.orientation;
                    const q = quaternion, dot = Math.abs(q.x * o.x - q.y * o.z + q.z * o.y + q.w * o.w);
                    degrees = Math.max(degrees, 2 * Math.acos(Math.min(1, dot)) * 180 / Math.PI);
                }
                return { metres, degrees };
            }""", poses)
        assert worst["metres"] < 0.001 and worst["degrees"] < 0.01, worst
        # The last one is stored as it is.
        await ada.page.evaluate(
            """async () => {
                const { client } = await import('/play/js/app.js');
                const draft = await import('/play/js/draft.js');
                document.getElementById('realm').scene.xr.hit = new XRRigidTransform({ x: 2, y: 0.5, z: -3 });
                document.getElementById('realm').scene.xr.putAtHit();
                window.stored = client.place('preset:flag', draft.draftPose());
            }""")
        stored = await ada.page.evaluate("() => window.stored.then(({ pose }) => pose.geopose)")
        expected = await ada.read("draft.draftPose().geopose")
        assert stored["position"] == expected["position"]
        # What stands ahead is chosen by a tap of the controller, whose ray goes along its -Z.
        await ada.page.evaluate("() => import('/play/js/draft.js').then(({ discard }) => discard())")
        await ada.holds("() => import('/play/js/view.js').then(({ items }) => items().length === 1)")
        await ada.page.wait_for_timeout(300)
        await ada.page.evaluate(
            """() => import('/play/js/view.js').then(({ items }) => {
                const { scene } = document.getElementById('realm'), { x, y, z } = scene.point(items()[0].place);
                window.xr.session.tap({ x: x + 0.02, y: y + 1.08, z: z + 3 }, { x: 0, y: 0, z: 0, w: 1 });
            })""")
        await expect(ada.page.locator(".details")).to_be_visible()
        # Tracking is lost and found again, and the session ends.
        await ada.page.evaluate("() => { window.xr.isTracked = false; }")
        await expect(ada.page.get_by_text("lost its bearings").first).to_be_visible()
        await ada.page.evaluate("() => { window.xr.isTracked = true; }")
        await expect(ada.page.get_by_text("found its bearings").first).to_be_visible()
        await ada.page.evaluate("() => window.xr.session.end()")
        await ada.page.wait_for_function("() => !document.body.classList.contains('in-xr')")
        ada.check()


async def test_aThing_isDrawnWhereAProjectionSays(world):
    """Walks around a thing; its pixels are within two of where a projection computed apart has them."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.place("preset:star")
        await ada.go("realm")
        await ada.page.wait_for_function(
            "() => document.getElementById('realm').scene?.instances.meshes.get('preset:star')?.count === 1")
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
        ada.check()


async def test_camera_turnsWithTheSensors(world):
    async with browser("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream") as chromium:
        sensors = ["camera", "accelerometer", "gyroscope", "magnetometer"]
        ada = await (await Player.open(chromium, world, permissions=sensors)).by_name("ada")
        await ada.ready()
        await ada.go("realm")
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="With the camera").click()
        await expect(ada.page.locator("video.camera")).to_be_visible()
        await ada.page.wait_for_function("() => document.getElementById('realm').scene.isSeeThrough")
        ahead = """alpha => {
            const turned = { absolute: true, alpha, beta: 90, gamma: 0 };
            dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute', turned));
            return new Promise(then => setTimeout(() => {
                const { scene } = document.getElementById('realm');
                const e = scene.camera.matrixWorld.elements;
                then([-e[8], e[10]]);
            }, 400));
        }"""
        north, east = await ada.page.evaluate(ahead, 0), await ada.page.evaluate(ahead, 270)
        # Looking north, then turned by 90 degrees to the east: what was ahead is on the left.
        assert north == pytest.approx([0, 1], abs=1e-3) and east == pytest.approx([1, 0], abs=1e-3)
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
