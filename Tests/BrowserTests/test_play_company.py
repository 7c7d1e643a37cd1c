"""Stops of the tour that is walked, and members of the own group, in the picture of the Realm (TRT-8, TRM-11)."""

import math

import pytest

from cairn import eventually
from doubles import WEBXR
from playing import browser, expect
from test_play_aim import turn
from test_play_groups import arrive, join, opened, people, stand, start_tour, world  # noqa: F401
from test_play_xr import enu
from test_tours import point

DRAWN = """kind => {
    const { scene } = document.getElementById('realm');
    if (!scene?.plane) return [[NaN, NaN]];
    const own = scene.point({ lat: %f, lon: %f });
    return ['', ' far away'].flatMap(end => {
        const mesh = scene.instances.meshes.get(kind + end);
        return Array.from({ length: mesh?.count ?? 0 }, (_, n) => {
            const [x, y, z] = mesh.instanceMatrix.array.slice(16 * n + 12, 16 * n + 15);
            return [x - own.x, -(z - own.z)];
        });
    });
}""" % (point(0)["lat"], point(0)["lon"])


def metres(north, start=0.0):
    """East and north of the point of a tour, computed apart."""
    return enu({**point(north), "h": 0}, {**point(start), "h": 0})[:2]


async def drawn(player, kind, *norths):
    """Waits until what is drawn of a kind is at these points of the tour."""
    places, found = [metres(north) for north in norths], None

    async def are_there():
        nonlocal found
        found = sorted(await player.page.evaluate(DRAWN, kind), key=lambda one: one[1])
        return len(found) == len(places) and all(
            math.dist(one, other) < 0.1 for one, other in zip(found, places))

    await eventually(are_there, lambda: f"{kind} at {found} and not at {places}")


@pytest.mark.seconds(240)
async def test_stopsAndFellows_standInTheRealm(world):  # noqa: F811
    """Where they are, the next stop as such, over a reload; who withdraws consent is gone."""
    tour = await people(world, "eve", "bob")
    async with browser() as chromium:
        eve, bob = await arrive(chromium, world, "eve"), await arrive(chromium, world, "bob")
        for player in (eve, bob):
            await player.read("app.client.saveSettings({ 'privacy.accuracy': 'exact' })")
        await start_tour(eve, tour), await start_tour(bob, tour)
        await join(bob, await opened(eve))
        await expect(bob.page.locator(".group")).to_contain_text("guides")
        await bob.page.get_by_role("link", name="In 3D").click()
        await drawn(bob, "added preset:heart", 100, 200)
        await drawn(bob, "bases target", 100)
        await drawn(bob, "bases ring", 200)
        await stand(eve, 12)
        await drawn(bob, "added guide", 12)
        await bob.page.reload()
        await bob.live()
        await drawn(bob, "bases target", 100)
        await drawn(bob, "added guide", 12)
        label = bob.page.locator(".label.stop").first
        await expect(label).to_have_text("1. Stop 0")
        await expect(bob.page.locator(".label.fellow")).to_have_text("eve")
        assert await bob.violations() == []
        # By keyboard: what it is, and the way to the run.
        await label.focus()
        await bob.page.keyboard.press("Enter")
        await expect(bob.page.locator("#sheet")).to_contain_text("Stop · next · 100 m, north")
        await expect(bob.page.locator("#sheet h2")).to_have_text("1. Stop 0")
        await bob.page.keyboard.press("Escape")
        # The list says the same, and does.
        await bob.page.keyboard.press("l")
        lines = bob.page.locator("#list-body .line")
        await expect(lines).to_have_text(
            ["In your group: eve12 m, north", "Stop: 1. Stop 0100 m, north", "Stop: 2. Stop 1200 m, north"])
        await lines.nth(1).press("Enter")
        await expect(bob.page.locator("#sheet h2")).to_have_text("1. Stop 0")
        await bob.page.keyboard.press("Escape")
        # The stop is reached: the other one is next.
        await stand(bob, 100)
        await drawn(bob, "bases target", 200)
        # Bob shows himself, and withdraws.
        await bob.go("tours", "run")
        consent = bob.page.get_by_label("The group sees where I am")
        await consent.check()
        await stand(bob, 104)
        await eve.go("realm")
        await drawn(eve, "added fellow", 104)
        await consent.uncheck()
        await drawn(eve, "added fellow")
        # Without a run there is none of it.
        await bob.page.get_by_role("button", name="Leave the tour").click()
        await bob.page.locator("dialog").get_by_role("button", name="Leave the tour").click()
        await expect(bob.page.get_by_text(" m in ").first).to_be_visible()
        await bob.go("realm")
        for kind in ("bases target", "bases ring", "added preset:heart", "added guide"):
            await drawn(bob, kind)
        eve.check(), bob.check()


@pytest.mark.seconds(120)
async def test_stop_isWhereAProjectionSays_andIsChosenByATap_inASession(world):  # noqa: F811
    tour = await people(world, "bob")
    async with browser() as chromium:
        bob = await arrive(chromium, world, "bob", script=WEBXR)
        await start_tour(bob, tour)
        await stand(bob, 70)
        await bob.go("realm")
        await turn(bob, 0)
        await drawn(bob, "bases target", 100)
        await bob.page.locator("#pill").click()
        await bob.page.get_by_role("button", name="In the room (AR)").click()
        await bob.page.wait_for_function("() => window.xr.frames > 3")
        # The session looks north from 70 m: the stop is 30 m ahead. A tap along -Z, half a metre above its foot.
        foot = await bob.page.evaluate(
            """() => part('tours/company').then(({ stopsAround }) => {
                const { scene } = document.getElementById('realm');
                scene.rig.updateMatrixWorld();
                const { x, y, z } = scene.point(stopsAround()[0].place)
                    .applyMatrix4(scene.rig.matrixWorld.clone().invert());
                return [x, y, z];
            })""")
        assert foot[0] == pytest.approx(0, abs=0.1) and foot[2] == pytest.approx(-metres(100, 70)[1], abs=0.05)
        await bob.page.evaluate(
            "([x, y, z]) => window.xr.session.tap({ x, y: y + 0.5, z: z + 4 }, { x: 0, y: 0, z: 0, w: 1 })", foot)
        await expect(bob.page.locator("#sheet h2")).to_have_text("1. Stop 0")
        bob.check()
