"""Issue 32: an organisation makes a tour and loses nothing on the way; a person finds it, walks it and finishes it. Each
in few taps: a field that is typed into counts as one."""

import pytest

from accounts import MANY, sign_up
from pictures import png
from playing import Player, browser, expect
from test_play_tours import maker, sign_in, walk_to_the_gate

#: Most taps from the list of places to a tour that is published, and to one that is walked.
MAKING_MAX, WALKING_MAX = 25, 4


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

    async def ground(self, x, y):
        """A tap on the map, in pixels from its middle."""
        self.taps += 1
        before = await self.page.locator("#sheet [role=status]").inner_text()
        box = await self.page.locator("#map").bounding_box()
        await self.page.mouse.click(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 + y)
        await expect(self.page.locator("#sheet [role=status]")).not_to_have_text(before)

    async def draws(self, name, *points):
        await self.button(name, "#page")
        await expect(self.page.locator("#sheet[data-kind=drawing]")).to_be_visible()
        for point in points:
            await self.ground(*point)
        await self.button("Save", "#sheet")
        await expect(self.page.locator("#sheet")).to_be_hidden()


async def looked_at(player):
    """Brings the ground into the map as a person has it who has opened it before: a tour is made where one is."""
    await player.page.evaluate(
        """async () => {
            const { map } = await (await import('/play/js/map/map.js')).mapParts();
            const { own } = await import('/play/js/core/place.js');
            map.setView([own().lat, own().lon], 18, { animate: false });
        }""")


async def makes(mia, hand):
    page = mia.page
    facts = page.locator("form", has=page.locator("[name=description]"))
    await hand.tap(page.locator("#menu a[data-place=tours]"))
    await hand.tap(page.get_by_role("link", name="New tour"))
    await hand.types(facts.locator("[name=name]"), "The walls")
    await hand.types(facts.locator("[name=description]"), "As they stood.")
    # Too much: the server does not have it, and it stays entered.
    await hand.types(facts.locator("[name=price]"), "45,00 $")
    await hand.tap(facts.get_by_role("button", name="Save"))
    await expect(facts.get_by_role("alert")).to_contain_text("Write the price like CA$4.50")
    await expect(facts.locator("[name=price]")).to_be_focused()
    await expect(facts.locator("[name=price]")).to_have_attribute("aria-invalid", "true")
    await page.reload()
    await mia.live()
    for name, value in {"name": "The walls", "description": "As they stood.", "price": "45,00 $"}.items():
        await expect(facts.locator(f"[name={name}]")).to_have_value(value)
    await hand.types(facts.locator("[name=price]"), "4,50 $")
    await facts.locator("[name=picture]").or_(facts.get_by_label("Picture", exact=False).first).set_input_files(
        {"name": "walls.png", "mimeType": "image/png", "buffer": png(40, 30)})
    await expect(facts.get_by_text("Uploaded.")).to_be_visible()
    await hand.types(facts.locator("[name=pictureAlternative]"), "A wall of stone")
    await hand.tap(facts.get_by_role("button", name="Save"))
    # The map stands beside the form, and the tour has its own address.
    await expect(page.locator("#map")).to_be_visible()
    await expect(page.get_by_role("button", name="Route: tap its points")).to_be_visible()
    assert "/edit/new" not in page.url
    await looked_at(mia)
    await hand.draws("Area: tap its corners", (-200, -150), (10, -150), (-100, 250))
    # A route that leads out of the area is kept, and the point is named.
    await hand.draws("Route: tap its points", (-100, 60), (190, 60))
    await expect(page.get_by_role("alert").filter(has_text="Route, point 2")).to_contain_text("outside the area")
    await page.reload()
    await mia.live()
    await expect(page.get_by_text("Points: 2")).to_be_visible()
    await looked_at(mia)
    await hand.button("Route: tap its points", "#page")
    await hand.button("Undo", "#sheet")
    await hand.ground(-30, 0)
    await hand.button("Save", "#sheet")
    await expect(page.get_by_role("alert")).to_have_count(0)
    # A tap beside a point of the route is that point: the stop stands on it.
    await hand.draws("Stop: tap where it stands", (-37, 6))
    stop = page.locator("li details[open]")
    await expect(stop.locator("[name=name]")).to_have_value("Stop 1")
    await hand.types(stop.locator("[name=history]"), "It was the first.")
    await hand.button("Publish", "#page")
    await expect(page.get_by_text("Published.")).to_be_visible()
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
                const { client } = await import('/play/js/core/app.js');
                const { tours: [{ id }] } = await client.request('listOwnTours', {});
                const { readTour } = await import('/play/js/tours/content.js');
                const { ground, stops } = (await readTour(id)).content;
                return [ground.route[1], stops[0].pose.geopose.position];
            }""")
        assert [stop["lat"], stop["lon"]] == [route["lat"], route["lon"]]
        assert await mia.violations() == []
        mia.check()
