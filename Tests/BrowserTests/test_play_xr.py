"""The Realm in WebXR, by a double of a device: the poses that it stores, and where things are in its picture."""

import contextlib
import math
import os
import random

import pytest

from crowds import FULL
from doubles import WEBXR
from playing import PLACE, Player, browser, expect

#: Poses that are placed; CAIRN_POSES=1000 for all of them.
POSES = int(os.environ.get("CAIRN_POSES", 100))


def times(a, b):
    """The product of two quaternions."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def back(q):
    return (-q[0], -q[1], -q[2], q[3])


def turned(q, v):
    """A vector, turned by a unit quaternion."""
    return times(times(q, (*v, 0)), back(q))[:3]


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return (*(math.sin(half) * one for one in axis), math.cos(half))


def any_turn(seeds):
    q = [seeds.gauss(0, 1) for _ in range(4)]
    norm = math.sqrt(sum(one * one for one in q))
    return tuple(one / norm for one in q)


def named(values, names="xyzw"):
    return dict(zip(names, values))


def earth(place):
    """Metres in the axes of the Earth (WGS 84)."""
    lat, lon, h = math.radians(place["lat"]), math.radians(place["lon"]), place["h"]
    a, e2 = 6_378_137, 0.00669437999014
    n = a / math.sqrt(1 - e2 * math.sin(lat) ** 2)
    return ((n + h) * math.cos(lat) * math.cos(lon), (n + h) * math.cos(lat) * math.sin(lon),
            (n * (1 - e2) + h) * math.sin(lat))


def enu(place, origin):
    """East, north and up of a place, in metres."""
    x, y, z = (one - other for one, other in zip(earth(place), earth(origin)))
    lat, lon = math.radians(origin["lat"]), math.radians(origin["lon"])
    east, ahead = y * math.cos(lon) - x * math.sin(lon), x * math.cos(lon) + y * math.sin(lon)
    return east, z * math.cos(lat) - ahead * math.sin(lat), z * math.sin(lat) + ahead * math.cos(lat)


def in_session(vector, heading):
    """A vector in east, north, up in the axes of a session that began looking to a heading: +X right, -Z ahead."""
    (east, north, up), h = vector, math.radians(heading)
    return (east * math.cos(h) - north * math.sin(h), up, -east * math.sin(h) - north * math.cos(h))


@contextlib.asynccontextmanager
async def in_xr(chromium, server, heading=0):
    """A person in a session that began looking to a heading; and the metres above the ellipsoid of its floor."""
    ada = await (await Player.open(chromium, server, script=WEBXR)).by_name("ada")
    await ada.ready()
    await ada.go("realm")
    await ada.page.evaluate(
        "heading => part('core/place').then(({ turn }) => turn(heading))", heading)
    await ada.page.wait_for_function("() => document.getElementById('realm').scene?.plane")
    await ada.page.locator("#pill").click()
    await ada.page.get_by_role("button", name="In the room (AR)").click()
    await ada.page.wait_for_function("() => window.xr.frames > 3")
    yield ada, await ada.page.evaluate("() => document.getElementById('realm').scene.plane.origin.h")
    ada.check()


# Places one flag for each pose that the hit test finds, by taps; gives the poses that the server has.
TAPS = """async poses => {
    const [{ client }, draft, { beginNew, draftPose }] = await Promise.all(
        ['core/app', 'core/draft', 'things/pose'].map(name => part(name)));
    const placed = [];
    for (const pose of poses) {
        beginNew('preset:flag', []);
        window.xr.hit = pose;
        const { frames } = window.xr;
        while (window.xr.frames < frames + 2) await new Promise(requestAnimationFrame);
        window.xr.session.tap(pose.position, pose.orientation);
        placed.push(client.place('preset:flag', draftPose()));
        draft.setDraft(null);
    }
    const found = await Promise.all(placed);
    await part('core/view').then(async ({ items }) => {
        while (items().length < poses.length) await new Promise(requestAnimationFrame);
    });
    // As the view has them, and not as the answers say.
    return found.map(({ id }) => client.view.instance(id).pose.geopose);
}"""


@pytest.mark.seconds(240)
async def test_webXR_storesThePoseOfTheHit(start):
    """The stored GeoPoses are the double's poses, to 1 mm and 0.01 degrees, wherever the session looked to first."""
    world = start(accounts__open="true", **FULL)
    async with browser() as chromium:
        seeds = random.Random(15)
        heading = seeds.uniform(0, 360)
        async with in_xr(chromium, world, heading) as (ada, floor):
            own = {"lat": PLACE[0], "lon": PLACE[1], "h": floor}
            poses = [([seeds.uniform(-40, 40), seeds.uniform(-2, 20), seeds.uniform(-40, 40)], any_turn(seeds))
                     for _ in range(POSES)]
            stored = await ada.page.evaluate(
                TAPS, [{"position": named(position), "orientation": named(turn)} for position, turn in poses])
            metres = degrees = 0
            for (position, turn), geopose in zip(poses, stored, strict=True):
                at = in_session(enu(geopose["position"], own), heading)
                metres = max(metres, math.dist(at, position))
                x, y, z, w = (geopose["quaternion"].get(axis, 0) for axis in "xyzw")
                # Both frames are re-based; then the session's own turn about the vertical.
                q = times(about((0, 1, 0), heading), (x, z, -y, w))
                dot = min(1, abs(sum(one * other for one, other in zip(q, turn))))
                degrees = max(degrees, math.degrees(2 * math.acos(dot)))
            print(f"{len(poses)} poses: {metres * 1000:.3f} mm, {degrees:.5f} degrees")
            assert metres < 0.001 and degrees < 0.01


# The corners of what is drawn in the next frame, in pixels from the top left: all that is not see-through.
EXTENT = """async () => {
    const { scene } = document.getElementById('realm');
    const { frames } = window.xr;
    while (window.xr.frames < frames + 2) await new Promise(requestAnimationFrame);
    return new Promise(then => {
        const { draw } = scene;
        scene.draw = function () {
            draw.call(scene);
            scene.draw = draw;
            const gl = scene.renderer.getContext(), { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
            const pixels = new Uint8Array(w * h * 4);
            gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
            let left = w, right = 0, bottom = h, top = 0;
            for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) {
                if (pixels[4 * (y * w + x) + 3] < 128) continue;
                left = Math.min(left, x), right = Math.max(right, x + 1);
                bottom = Math.min(bottom, y), top = Math.max(top, y + 1);
            }
            then([left, h - top, right, h - bottom]);
        };
    });
}"""

CORNERS = """() => [...document.getElementById('realm').scene.instances.meshes.get('around preset:flag')
    .geometry.attributes.position.array]"""


@pytest.mark.seconds(120)
async def test_webXR_aThingsPixelsAreWhereAProjectionSays_aroundIt(world):
    """Walks around a thing that stands askew; its pixels reach as far, to two, as those of a projection that knows the
    GeoPose, the shape and the device's pose alone."""
    async with browser() as chromium:
        heading = 137
        async with in_xr(chromium, world, heading) as (ada, floor):
            own = {"lat": PLACE[0], "lon": PLACE[1], "h": floor}
            askew = times(about((0, 0, 1), 40), about((1, 0, 0), 20))
            geopose = await ada.page.evaluate(
                """async ([base, quaternion]) => {
                    const [{ client }, draft, { beginNew, draftPose }] = await Promise.all(
                        ['core/app', 'core/draft', 'things/pose'].map(name => part(name)));
                    beginNew('preset:flag', []);
                    const { geopose } = draftPose();
                    draft.setDraft(null);
                    const pose = { geopose: { position: { ...geopose.position, h: base }, quaternion } };
                    const placed = await client.place('preset:flag', pose);
                    const { scene } = document.getElementById('realm');
                    while (!scene.instances.meshes.get('around preset:flag')?.count) {
                        await new Promise(requestAnimationFrame);
                    }
                    return placed.pose.geopose;
                }""", [floor, named(askew)])
            flat = await ada.page.evaluate(CORNERS)
            q = tuple(geopose["quaternion"].get(axis, 0) for axis in "xyzw")
            foot = enu(geopose["position"], own)
            corners = []
            for n in range(0, len(flat), 3):
                # The model's axes are those of glTF; +Y is up.
                x, y, z = flat[n:n + 3]
                corners.append(in_session(
                    [one + other for one, other in zip(turned(q, (x, -z, y)), foot)], heading))
            width, height = (await ada.page.evaluate("() => [innerWidth, innerHeight]"))
            f = height / 2 / math.tan(math.radians(30))
            seeds, middle = random.Random(3), in_session(foot, heading)
            worst = 0
            for way in range(0, 360, 30):
                away = seeds.uniform(4, 7)
                viewer = [middle[0] + away * math.sin(math.radians(way)), seeds.uniform(1, 2),
                          middle[2] + away * math.cos(math.radians(way))]
                # Towards the thing, a little past it, and not quite upright.
                look = about((0, 1, 0), way + seeds.uniform(-6, 6))
                look = times(look, about((1, 0, 0), seeds.uniform(-20, -8)))
                look = times(look, about((0, 0, 1), seeds.uniform(-12, 12)))
                await ada.page.evaluate(
                    "viewer => { window.xr.viewer = viewer; }",
                    {"position": named(viewer), "orientation": named(look)})
                seen = [turned(back(look), [one - other for one, other in zip(corner, viewer)]) for corner in corners]
                across = [width / 2 + f * x / -z for x, _, z in seen]
                down = [height / 2 - f * y / -z for _, y, z in seen]
                expected = [min(across), min(down), max(across), max(down)]
                assert 0 < expected[0] and expected[2] < width and 0 < expected[1] and expected[3] < height, expected
                found = await ada.page.evaluate(EXTENT)
                worst = max(worst, *(abs(one - other) for one, other in zip(found, expected)))
                assert worst < 2, (way, found, expected)
            print(f"{worst:.2f} pixels at most, of {width} x {height}")


async def test_webXR_selectsByATap_andLosesAndFindsItsBearings(world):
    async with browser() as chromium:
        async with in_xr(chromium, world) as (ada, _):
            await ada.page.evaluate(
                """async () => {
                    const [{ client }, draft, { beginNew, draftPose }] = await Promise.all(
                        ['core/app', 'core/draft', 'things/pose'].map(name => part(name)));
                    beginNew('preset:flag', []);
                    const pose = draftPose();
                    draft.setDraft(null);
                    await client.place('preset:flag', pose);
                }""")
            await ada.page.wait_for_function(
                "() => document.getElementById('realm').scene.instances.meshes.get('around preset:flag')?.count === 1")
            # What stands ahead is chosen by a tap of the controller, whose ray goes along its -Z.
            await ada.page.evaluate(
                """() => part('core/view').then(({ items }) => {
                    const { scene } = document.getElementById('realm'), { x, y, z } = scene.point(items()[0].place);
                    window.xr.session.tap({ x: x + 0.02, y: y + 1.08, z: z + 3 }, { x: 0, y: 0, z: 0, w: 1 });
                })""")
            await expect(ada.page.locator(".details")).to_be_visible()
            # Tracking is lost, and found again somewhere else: what stands there is drawn as before.
            await ada.page.evaluate("() => { window.xr.viewer.position.z = 1; }")
            before = await ada.page.evaluate(EXTENT)
            await ada.page.evaluate("() => { window.xr.isTracked = false; }")
            await expect(ada.page.get_by_text("lost its bearings").first).to_be_visible()
            await ada.page.evaluate("() => { window.xr.isTracked = true; }")
            await expect(ada.page.get_by_text("found its bearings").first).to_be_visible()
            assert await ada.page.evaluate(EXTENT) == before
            # The device tells every step in a session: fixes of the same steps move nothing once more.
            await ada.page.evaluate(
                """async () => {
                    const { own, setPlace } = await part('core/place');
                    setPlace({ lat: own().lat + 0.00003, lon: own().lon });
                    const { scene } = document.getElementById('realm');
                    scene.update(null);
                }""")
            assert await ada.page.evaluate(EXTENT) == before
            await ada.page.evaluate("() => window.xr.session.end()")
            await ada.page.wait_for_function("() => !document.body.classList.contains('in-xr')")
