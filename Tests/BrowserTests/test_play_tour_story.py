"""An organisation makes a tour and loses nothing on the way; a person finds it, walks it and finishes it. Each in few
taps: a field that is typed into counts as one."""

import os

import pytest

from accounts import MANY, sign_up
from pictures import png
from playing import Player, browser, expect
from test_play_tours import maker, sign_in

#: Most taps from the list of places to a tour that is published, and to one that is walked.
MAKING_MAX, WALKING_MAX = 25, 4

#: Folder of pictures to be looked at; none without it.
SHOTS = os.environ.get("CAIRN_SHOTS", "")


async def shot(player, name):
    if SHOTS:
        await player.page.screenshot(path=f"{SHOTS}/{name}.png")


@pytest.fixture
def world(start):
    return start(accounts__open="false", **MANY)


class Hand:
    """Taps and types, and counts both."""

    def __init__(self, player):
        self.player, self.page, self.taps = player, player.page, 0

    async def tap(self, what):
        self.taps += 1
        await what.click()

    async def button(self, name, within="body"):
        await self.tap(self.page.locator(within).get_by_role("button", name=name))

    async def types(self, field, text):
        self.taps += 1
        await field.fill(text)

    async def ground(self, east, north, beside=(0, 0)):
        """A tap on the map, in metres from the own place; `beside` is what it misses that by, in pixels."""
        self.taps += 1
        status = self.page.locator("#sheet [role=status]")
        before = await status.inner_text()
        x, y = await self.page.evaluate(
            """async metres => {
                const { map } = await (await part('map/map')).mapParts();
                const [{ own }, { Plane }] = await Promise.all(
                    ['core/place', 'core/geo'].map(name => part(name)));
                const { lat, lon } = new Plane(own()).place([...metres, 0]);
                const { x, y } = map.latLngToContainerPoint([lat, lon]);
                const box = map.getContainer().getBoundingClientRect();
                return [box.x + x, box.y + y];
            }""", [east, north])
        await self.page.mouse.click(x + beside[0], y + beside[1])
        await expect(status).not_to_have_text(before)

    async def drawing(self):
        """Waits until the map is as large as it is while something is drawn, and shows that."""
        await expect(self.page.locator("#sheet[data-kind=drawing]")).to_be_visible()
        await expect(self.page.locator("#sheet[data-kind=drawing] [aria-busy]")).to_have_count(0)

    async def draws(self, name, *points):
        await self.button(name, "#page")
        await self.drawing()
        for point in points:
            await self.ground(*point)
        await self.button("Save", "#sheet")
        await expect(self.page.locator("#sheet")).to_be_hidden()


async def makes(mia, hand):
    page = mia.page
    facts = page.locator("form", has=page.locator("[name=description]"))
    await hand.tap(page.locator("#menu a[data-place=tours]"))
    await hand.tap(page.get_by_role("link", name="New tour"))
    await hand.types(facts.locator("[name=name]"), "The walls")
    await hand.types(facts.locator("[name=description]"), "As they stood.")
    # Too much: that is said without a tap, and it stays entered.
    await hand.types(facts.locator("[name=price]"), "45,00 $")
    await expect(facts.get_by_role("alert")).to_contain_text("Write the price like CA$4.50")
    await expect(facts.locator("[name=price]")).to_have_attribute("aria-invalid", "true")
    await page.reload()
    await mia.live()
    for name, value in {"name": "The walls", "description": "As they stood.", "price": "45,00 $"}.items():
        await expect(facts.locator(f"[name={name}]")).to_have_value(value)
    await hand.types(facts.locator("[name=price]"), "free")
    await facts.locator("[name=picture]").or_(facts.get_by_label("Picture", exact=False).first).set_input_files(
        {"name": "walls.png", "mimeType": "image/png", "buffer": png(40, 30)})
    await expect(facts.get_by_text("Uploaded.")).to_be_visible()
    await hand.types(facts.locator("[name=pictureAlternative]"), "A wall of stone")
    # The map stands beside the form, and the tour has its own address.
    await expect(page.locator("#map")).to_be_visible()
    await expect(page.get_by_role("button", name="Route: tap its points")).to_be_visible()
    assert "/edit/new" not in page.url
    await hand.draws("Area: tap its corners", (-80, 70), (80, 70), (0, -10))
    await shot(mia, "edit")
    # A route that leads out of the area is kept, and the point is named.
    await hand.draws("Route: tap its points", (0, 50), (-70, 10))
    await shot(mia, "route")
    await expect(page.get_by_role("alert").filter(has_text="Route, point 2")).to_contain_text("outside the area")
    await shot(mia, "refused")
    await page.reload()
    await mia.live()
    await expect(page.get_by_text("Points: 2")).to_be_visible()
    await hand.button("Route: tap its points", "#page")
    await hand.drawing()
    await hand.button("Undo", "#sheet")
    await hand.ground(10, 30)
    await hand.button("Save", "#sheet")
    await expect(page.get_by_role("alert")).to_have_count(0)
    # A tap beside a point of the route is that point: the stop stands on it.
    await hand.button("Stop: tap where it stands", "#page")
    await hand.drawing()
    await hand.ground(10, 30, beside=(7, -6))
    await hand.button("Save", "#sheet")
    stop = page.locator("li details[open]")
    await expect(stop.locator("[name=name]")).to_have_value("Stop 1")
    await hand.types(stop.locator("[name=history]"), "It was the first.")
    await shot(mia, "stop")
    await hand.button("Publish", "#page")
    await expect(page.locator(".toast").filter(has_text="Published.")).to_be_visible()
    # There is nothing more to publish or to discard.
    for name in ("Publish", "Discard the draft"):
        await expect(page.get_by_role("button", name=name)).to_have_count(0)


@pytest.mark.seconds(240)
async def test_aTour_isMadeOverAReloadAndARefusal_andFoundWalkedAndFinished(world):
    await maker(world)
    await sign_up(world, "ada")
    async with browser() as chromium:
        mia = await sign_in(await Player.open(chromium, world, size=(1280, 800)), "mia")
        hand = Hand(mia)
        await makes(mia, hand)
        assert hand.taps <= MAKING_MAX, hand.taps
        route, stop = await mia.page.evaluate(
            """async () => {
                const { client } = await part('core/app');
                const { tours: [{ id }] } = await client.request('listOwnTours', {});
                const { readTour } = await part('tours/content');
                const { ground, stops } = (await readTour(id)).content;
                return [ground.route[1], stops[0].pose.geopose.position];
            }""")
        assert [stop["lat"], stop["lon"]] == [route["lat"], route["lon"]]
        assert await mia.violations() == []
        # A draft is on this device until a sign-out, which forgets it.
        kept = "() => Object.keys(localStorage).filter(key => key.startsWith('cairn-play-draft'))"
        await mia.page.context.set_offline(True)
        await mia.page.locator("[name=minutes]").fill("12")
        assert await mia.page.evaluate(kept)
        await mia.page.context.set_offline(False)
        await mia.go("profile")
        await mia.page.get_by_role("button", name="Sign out").click()
        await expect(mia.page.get_by_role("link", name="Sign in").first).to_be_visible()
        await mia.holds(f"() => ({kept})().length === 0")
        mia.check()
        await walks(await sign_in(await Player.open(chromium, world, size=(390, 844)), "ada"))


async def walk(player):
    """Walks to the stop that comes next, a step of 2 m at a time."""
    for _ in range(60):
        await player.page.evaluate(
            """() => Promise.all(['core/place', 'core/geo', 'tours/run'].map(name => part(name)))
                .then(([{ own, setPlace }, { Plane }, { run }]) => {
                    const target = run?.target?.pose.geopose.position;
                    if (!target) return;
                    const [east, north] = new Plane(own()).enu(target), metres = Math.hypot(east, north);
                    const part = Math.min(1, 2 / metres);
                    setPlace(new Plane(own()).place([east * part, north * part, 0]));
                })""")
        await player.page.wait_for_timeout(700)
        if await player.page.evaluate("() => location.hash") == "#/tours/done":
            return


async def walks(ada):
    hand, page = Hand(ada), ada.page
    await hand.tap(page.locator("#menu a[data-place=tours]"))
    card = page.locator(".tour-card")
    for part in ("The walls", "by Museum", "free", "Stops: 1", "away"):
        await expect(card).to_contain_text(part)
    await expect(card.get_by_role("img", name="A wall of stone")).to_be_visible()
    await expect(card.locator(".tour-map .tour-route")).to_have_count(1)
    await shot(ada, "list")
    assert await ada.violations() == []
    await hand.tap(card)
    await hand.button("Start the tour")
    await expect(page.locator(".run-state")).to_have_text("On tour")
    # It is said wherever one is.
    bar = page.get_by_role("region", name="On tour")
    for place in ("profile", "realm", "map", "tours/run"):
        await ada.go(*place.split("/"))
        await expect(bar).to_contain_text("On tour: The walls")
        await expect(bar).to_contain_text("0 of 1 stops")
        await expect(bar.get_by_role("button", name="Leave")).to_be_visible()
        await shot(ada, f"run-{place.split('/')[0]}")
    await walk(ada)
    await page.wait_for_function("() => location.hash === '#/tours/done'")
    await expect(page.locator(".totals")).to_contain_text("1 of 1 stops")
    await expect(page.locator("#page")).to_contain_text("It was the first.")
    await expect(bar).to_have_count(0)
    await shot(ada, "done")
    assert await ada.violations() == []
    await hand.tap(page.get_by_role("link", name="Back to the map"))
    assert hand.taps <= WALKING_MAX, hand.taps
    # It is over for the server, too: what is around is there again, and another tour may begin.
    await ada.ready()
    await ada.place("preset:heart")
    # After a reload the summary is still there.
    await ada.go("tours", "done")
    await page.reload()
    await ada.live()
    await expect(page.locator(".totals")).to_contain_text("1 of 1 stops")
    ada.check()
