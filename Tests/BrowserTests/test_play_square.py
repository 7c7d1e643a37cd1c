"""A crowded square: markers that do not overlap, groups that open into lists, names where there is room; and what one
sees of it in 3D."""

import re

import pytest

from cairn import Client
from crowds import FULL, leave_things
from playing import PLACE, Player, browser, expect

#: Markers and names of the map that overlap, and how many there are; what lies under the own dot is drawn beside it.
OVERLAPS = """() => {
    const frame = document.getElementById('map').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('#map .mark, #map .mark-name, #map .own-dot')].map(element => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return { left, top, right, bottom, of: element.className, box: element.parentElement };
    }).filter(({ left, top, right, bottom }) => left < frame.right && right > frame.left && top < frame.bottom
        && bottom > frame.top).sort((a, b) => a.left - b.left);
    const found = [];
    boxes.forEach((a, n) => {
        for (let m = n + 1; m < boxes.length && boxes[m].left < a.right - 0.5; m++) {
            const b = boxes[m];
            if (a.box !== b.box && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5) found.push([a.of, b.of]);
        }
    });
    const count = kind => boxes.filter(({ of }) => of.startsWith(kind)).length;
    return { found, marks: count('mark ') , names: count('mark-name') };
}"""

#: Markers whose middle is not that of their box, which stands at the place on the map, and by how many pixels.
OFF_THEIR_PLACE = """() => [...document.querySelectorAll('#map .mark-box:not(.beside) > .mark')].flatMap(element => {
    const [mark, box] = [element, element.parentElement].map(one => one.getBoundingClientRect());
    const [across, down] = [mark.left + mark.right - box.left - box.right,
        mark.top + mark.bottom - box.top - box.bottom].map(twice => twice / 2);
    return Math.max(Math.abs(across), Math.abs(down)) > 0.5 ? [[element.className, across, down]] : [];
})"""

#: Five hundred people around the place, who stand, in place of those that the server tells of.
STANDING = """async () => {
    const [{ client }, { own }, { Plane }] = await Promise.all(
        ['core/app', 'core/place', 'core/geo'].map(name => part(name)));
    const plane = new Plane(own()), quaternion = { x: 0, y: 0, z: 0, w: 1 };
    const people = Array.from({ length: 500 }, (_, n) => {
        const away = 4 + n / 6, way = n * 2.4;
        const pose = plane.place([away * Math.sin(way), away * Math.cos(way), 1.6]);
        return { id: `p${n}`, name: `Person ${n}`, cell: '', pose: { ...pose, quaternion, at: 0 } };
    });
    client.people = () => people;
    client.emit('presence', {});
}"""

#: Waits until the map has moved and is drawn.
SETTLED = """async zoom => {
    const { mapParts, countComputed } = await part('map/map'), { map } = await mapParts(), first = countComputed();
    // The markers are computed again when the map has moved, and not any more when they are drawn.
    if (zoom !== null && zoom !== map.getZoom()) {
        map.setZoom(zoom, { animate: false });
        while (countComputed() === first) await new Promise(requestAnimationFrame);
    }
    for (let before = -1, still = 0; still < 3;) {
        await new Promise(then => setTimeout(then, 150));
        await new Promise(requestAnimationFrame);
        still = countComputed() === before ? still + 1 : 0;
        before = countComputed();
    }
}"""


@pytest.mark.seconds(240)
async def test_aCrowdedSquare_canBeUsed(start):
    """At 390 pixels, at every zoom; by keyboard; what lies under the own dot is reached."""
    world = start(accounts__open="true", **FULL)
    await leave_things(world, 1000)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=(390, 844), reduced_motion="reduce")).by_name("ada")
        await ada.holds("() => part('core/view').then(view => view.items().length >= 900)", None, 90)
        await ada.page.evaluate(STANDING)
        seen = []
        for zoom in (16, 17, 18, 19, 20, 21, 22):
            await ada.page.evaluate(SETTLED, zoom)
            found = await ada.page.evaluate(OVERLAPS)
            assert found["found"] == [], (zoom, found)
            assert await ada.page.evaluate(OFF_THEIR_PLACE) == [], zoom
            seen.append((found["marks"], found["names"]))
        # There is something to see at each of them, and names where there is room.
        assert min(marks for marks, _ in seen) >= 2 and max(names for _, names in seen) >= 8, seen
        await ada.page.evaluate(SETTLED, 18)
        assert await ada.violations() == []
        # Nothing is computed while nothing moves.
        await ada.holds("""async () => {
            const { countComputed } = await part('map/map'), before = countComputed();
            await new Promise(then => setTimeout(then, 700));
            return countComputed() === before;
        }""")
        # A marker that counts says what it holds and opens into a list of that, by keyboard; and back.
        group = ada.page.locator(".mark-box:has(.mark-count)").first
        label = await group.get_attribute("aria-label")
        assert label.startswith("Here: ") and ("things" in label or "people" in label), label
        await group.focus()
        await ada.page.keyboard.press("Enter")
        await expect(ada.page.locator("#sheet h2")).to_have_text("In this place")
        assert await ada.violations() == []
        lines = ada.page.locator("#sheet .line")
        count = int(await group.locator(".mark-count").inner_text())
        await expect(lines).to_have_count(min(count, 200))
        await lines.nth(1).focus()
        await ada.page.keyboard.press("Enter")
        await expect(ada.page.locator(".details")).to_be_visible()
        await ada.page.keyboard.press("Escape")
        await expect(lines.nth(1)).to_be_focused()
        await ada.page.keyboard.press("Escape")
        await expect(ada.page.locator("#sheet")).to_be_hidden()
        # The buttons go closer and further away.
        zoom = "part('map/map').then(({ mapParts }) => mapParts()).then(({ map }) => map.getZoom())"
        for name, then in (("Zoom in", 19), ("Zoom in", 20), ("Zoom out", 19)):
            await ada.page.get_by_role("button", name=name).click()
            await ada.holds(f"async then => await {zoom} === then", then)
        ada.check()


async def test_whatLiesUnderTheOwnDot_isDrawnBesideIt_andReachedByATap(world):
    async with browser() as chromium:
        ben = await Client.connect(world, "ben")
        await ben.stand_at(*PLACE)
        ada = await (await Player.open(chromium, world, size=(390, 844), has_touch=True)).by_name("ada")
        await ada.ready()
        await ada.read("app.client.createPost('Under your feet')")
        mark = ada.page.locator(".mark-box[aria-label*='Under your feet'] .mark")
        await expect(mark).to_be_visible()
        # It floats to its place.
        await ada.page.evaluate("() => Promise.all(document.getAnimations().map(one => one.finished)).then(() => null)")
        apart = await ada.page.evaluate("""() => {
            const [mark, dot] = ['.mark.post', '.own-dot'].map(one => document.querySelector(one)
                .getBoundingClientRect());
            return Math.max(mark.left - dot.right, dot.left - mark.right, mark.top - dot.bottom, dot.top - mark.bottom);
        }""")
        assert apart >= 0
        await mark.tap()
        await expect(ada.page.locator(".details")).to_contain_text("Under your feet")
        ada.check()


#: Two people ahead, one of them a member of the sub-realm "Garden", which is selected.
GARDEN = """async () => {
    const [{ client }, { own }, { Plane }, { selectRealm }] = await Promise.all(
        ['core/app', 'core/place', 'core/geo', 'realms/selection'].map(name => part(name)));
    const plane = new Plane(own()), quaternion = { x: 0, y: 0, z: 0, w: 1 }, { request } = client;
    const people = ['member', 'stranger'].map((id, n) => (
        { id, name: id, cell: '', pose: { ...plane.place([30 * n - 15, 25, 1.6]), quaternion, at: 0 } }));
    client.people = () => people;
    client.selectRealm = async () => {};
    client.request = (kind, ...rest) => kind === 'listMembers'
        ? Promise.resolve({ members: [{ user: { account: 'member' } }] }) : request.call(client, kind, ...rest);
    await selectRealm('garden', 'Garden');
    client.emit('presence', {});
}"""


async def test_inASubRealm_whoIsNotOfIt_stepsBack(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.page.evaluate(GARDEN)
        await expect(ada.page.locator(".mark-box.back")).to_have_count(1)
        await expect(ada.page.locator(".mark-box.back")).to_have_attribute("aria-label", re.compile("stranger"))
        # The member has a name there, the stranger has none.
        await expect(ada.page.locator(".mark-box:not(.back) .mark-name")).to_contain_text("member")
        await expect(ada.page.locator(".mark-box.back .mark-name")).to_have_count(0)
        await ada.go("realm")
        await ada.page.wait_for_function("""() => {
            const meshes = document.getElementById('realm').scene?.instances.meshes;
            const drawn = group => [...meshes ?? []].filter(([name]) => name.startsWith(`${group} `))
                .reduce((sum, [, { count }]) => sum + count, 0);
            return drawn('people') === 1 && drawn('back') === 1;
        }""")
        # In the public realm everybody is of it.
        await ada.page.evaluate("() => part('realms/selection').then(one => one.selectRealm('', ''))")
        await ada.go("map")
        await expect(ada.page.locator(".mark-box.back")).to_have_count(0)
        ada.check()


@pytest.mark.seconds(180)
async def test_theRealm_showsWhatIsThere(world):
    """From above and behind oneself; what is 80 m away is a sign; people walk; what is behind is said at the side."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=(390, 844))).by_name("ada")
        await ada.ready()
        await ada.page.evaluate(
            """async () => {
                const [{ client }, draft, { beginNew, draftPose }] = await Promise.all(
                    ['core/app', 'core/draft', 'things/pose'].map(name => part(name)));
                for (const [metres, degrees, text] of [[80, 4, 'far'], [3, 170, 'behind']]) {
                    beginNew('preset:star', []);
                    draft.putAt(metres, degrees);
                    const pose = draftPose();
                    draft.setDraft(null);
                    await client.place('preset:star', pose, { text });
                }
            }""")
        await ada.go("realm")
        await ada.page.wait_for_function(
            "() => document.getElementById('realm').scene?.instances.meshes.get('self self')?.count === 1")
        # The far star is a sign of 24 pixels at least, and has a shadow.
        pixels = """async text => {
            const { scene } = document.getElementById('realm'), { items } = await part('core/view');
            const item = items().find(({ instance }) => instance.text === text);
            for (const [name, drawn] of scene.instances.drawn) {
                const n = drawn.findIndex(({ key }) => key === item.key);
                if (n < 0) continue;
                const { instanceMatrix, geometry } = scene.instances.meshes.get(name);
                const { min, max } = geometry.boundingBox, at = instanceMatrix.array.subarray(16 * n, 16 * n + 16);
                const point = new scene.THREE.Vector3(at[12], at[13], at[14]);
                const away = point.distanceTo(scene.camera.getWorldPosition(new scene.THREE.Vector3()));
                const scale = Math.hypot(at[4], at[5], at[6]);
                return { pixels: (max.y - min.y) * scale * scene.focal / away, scale };
            }
        }"""
        far = await ada.page.evaluate(pixels, "far")
        assert far["pixels"] >= 24 and far["scale"] > 1, far
        assert await ada.page.evaluate("() => document.getElementById('realm').scene.instances.shadows.mesh.count") >= 2
        # At eye height one is not seen oneself. What is behind is at the side, and a tap turns to it.
        tools = ada.page.locator(".realm-tools")
        await tools.get_by_role("button", name="At eye height").click()
        await expect(tools.locator("[aria-pressed=true]")).to_have_attribute("data-look", "eyes")
        await ada.page.wait_for_function(
            "() => document.getElementById('realm').scene.instances.meshes.get('self self').count === 0")
        edge = ada.page.locator(".edge:visible")
        await expect(edge).to_have_count(1)
        await expect(edge).to_have_attribute("aria-label", "To the right, out of the picture: 1. The nearest: "
                                             "Star: behind, 3 m, south. Turn there")
        assert await ada.violations() == []
        await edge.click()
        assert abs(await ada.read("place.ownHeading()") - 170) < 1
        # The far one is out of the picture now.
        await expect(edge).to_have_attribute("aria-label", "To the left, out of the picture: 1. The nearest: "
                                             "Star: far, 80 m, north. Turn there")
        await tools.get_by_role("button", name="like a bird").click()
        await expect(tools.locator("[aria-pressed=true]")).to_have_attribute("data-look", "bird")
        # A bird sees a little behind itself, and not as far as that. The picture stands still: what it says stays.
        await expect(edge).to_have_count(1)
        await expect(edge).to_have_attribute("aria-label", re.compile("To the left, out of the picture: 1. .*: far"))
        # Somebody who walks to the east looks there, whatever their device does, and steps out.
        await ada.page.evaluate("""async () => {
            const [{ client }, { own }, { Plane }] = await Promise.all(
                ['core/app', 'core/place', 'core/geo'].map(name => part(name)));
            const plane = new Plane(own()), began = performance.now();
            client.people = () => [{ id: 'w', name: 'Walker', cell: '', pose: { at: 0,
                ...plane.place([1.3 * (performance.now() - began) / 1000 % 4000, 5, 1.6]),
                quaternion: { x: 0, y: 0, z: 0, w: 1 } } }];
            client.emit('presence', {});
        }""")
        await ada.page.wait_for_function("""() => {
            const { scene } = document.getElementById('realm');
            const mesh = scene.instances.meshes.get('people person');
            if (!mesh || mesh.count !== 1) return false;
            const [, , , , , , , , ahead, , south] = mesh.instanceMatrix.array;
            const stride = mesh.geometry.getAttribute('stride').array[0];
            window.most = Math.max(window.most ?? 0, Math.abs(stride));
            return -ahead > 0.95 && Math.abs(south) < 0.3 && window.most > 0.2;
        }""")
        ada.check()
