"""Tours on the page: drawn in the editor, published, found by the link, walked and finished (TRM, TRT)."""

import json

import pytest

from accounts import MANY, PASSWORD, sign_up
from operators import Desk
from playing import PLACE, Player, browser, expect
from test_organisations import accepted
from test_roles import admin
from test_tours import makers, point, published


@pytest.fixture
def world(start):
    return start(accounts__open="false", **MANY)


async def maker(world, name="mia", organisation="Museum"):
    """An account of an organisation user."""
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
    person = await sign_up(world, name)
    await accepted(root, person, name=organisation)


async def sign_in(player, name):
    await player.live()
    await player.go("profile", "signin")
    await player.page.locator("input[name=login]").fill(name)
    await player.page.locator("input[name=password]").first.fill(PASSWORD)
    await player.page.locator("form:has([name=login]) button[type=submit]").click()
    await player.page.wait_for_function("() => location.hash === '#/map'")
    return await player.ready()


async def draw(player, button, points):
    """Draws a part by taps, in pixels from the middle of the map, and saves it."""
    await player.page.get_by_role("button", name=button).click()
    await expect(player.page.locator("#sheet[data-kind=drawing]")).to_be_visible()
    # Until then the map is brought to what is drawn: it would move away from under the taps.
    await expect(player.page.locator("#sheet[data-kind=drawing] [aria-busy]")).to_have_count(0)
    await player.page.evaluate(
        """async () => {
            const { map } = await (await part('map/map')).mapParts();
            const { own } = await part('core/place');
            map.setView([own().lat, own().lon], 18, { animate: false });
        }""")
    box = await player.page.locator("#map").bounding_box()
    for x, y in points:
        await player.page.mouse.click(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 + y)
        await player.page.wait_for_timeout(350)
    await player.page.locator("#sheet").get_by_role("button", name="Save").click()
    await expect(player.page.locator("#page")).to_be_visible()


async def new_tour(player, name, description):
    """Begins a tour in the editor; it is on the server when this returns."""
    await player.go("tours", "edit", "new")
    form = player.page.locator("form", has=player.page.locator("[name=description]"))
    await form.locator("[name=name]").fill(name)
    await form.locator("[name=description]").fill(description)
    await form.get_by_role("button", name="Save").click()
    await expect(player.page.get_by_role("button", name="Route: tap its points")).to_be_visible()


async def publish(player):
    """Makes a tour of one stop in the editor and publishes it; returns its code."""
    await new_tour(player, "The walls", "As they stood.")
    await draw(player, "Area: tap its corners", [(-300, -150), (10, -150), (10, 150), (-300, 150)])
    await draw(player, "Route: tap its points", [(-240, 60), (-120, 60), (-20, 60)])
    await draw(player, "Stop: tap where it stands", [(-60, 60)])
    # A new stop is open, and has a name already.
    stop = player.page.locator("li details[open]")
    await expect(stop.locator("input[name=name]")).to_have_value("Stop 1")
    await stop.locator("input[name=name]").fill("The gate")
    await stop.locator("textarea[name=history]").fill("It was the first.")
    await stop.get_by_role("button", name="Save").click()
    await expect(player.page.locator("summary").filter(has_text="The gate")).to_be_visible()
    await player.page.get_by_role("button", name="Publish").click()
    await expect(player.page.locator(".toast").filter(has_text="Published.")).to_be_visible()
    return (await player.page.locator("#page .card .quiet").first.inner_text()).split(" · ")[-1]


async def walk_to_the_gate(player):
    """On foot, south-west of where the person is."""
    for metres in range(0, 40, 2):
        await player.page.evaluate(
            """metres => Promise.all(['core/place', 'core/geo'].map(name => part(name)))
                .then(([{ own, setPlace }, { Plane }]) => {
                    const start = window.start ??= { lat: own().lat, lon: own().lon };
                    setPlace(new Plane(start).place([-metres * 0.7, -metres * 0.7, 0]));
                })""", metres)
        await player.page.wait_for_timeout(700)
        if "all stops" in await player.page.locator(".run-state").inner_text():
            break


@pytest.mark.seconds(180)
async def test_tour_isDrawnPublishedAndFoundByItsLink(world):
    await maker(world)
    await sign_up(world, "ada")
    async with browser() as chromium:
        mia = await sign_in(await Player.open(chromium, world), "mia")
        code = await publish(mia)
        ada = await sign_in(await Player.open(chromium, world), "ada")
        await ada.go("tours", "code", code)
        await expect(ada.page.locator("#page h2").first).to_have_text("The walls")
        await expect(ada.page.locator("#page")).to_contain_text("1. The gate")
        await ada.page.get_by_role("button", name="Show on the map").click()
        await expect(ada.page.locator(".mark.stop")).to_have_count(1)
        assert await ada.violations() == []
        mia.check()


@pytest.mark.seconds(180)
async def test_tapOnAMarker_whileATourIsDrawn_isAPointWhereItStands(world):
    """It does not open what the marker stands for, which would end the drawing."""
    await maker(world)
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).sign_up("ada")
        await ada.ready()
        await ada.place("preset:star")
        star = await ada.read("view.items()[0].place")
        mia = await sign_in(await Player.open(chromium, world), "mia")
        await new_tour(mia, "The star", "It shines.")
        await mia.page.get_by_role("button", name="Stop: tap where it stands").click()
        marker = mia.page.locator("#map .mark-box[aria-label*='Star']")
        await marker.focus()
        await mia.page.keyboard.press("Enter")
        await expect(mia.page.locator("#sheet[data-kind=drawing]")).to_contain_text("Points: 1")
        await mia.page.locator("#sheet").get_by_role("button", name="Save").click()
        await expect(mia.page.locator("summary").filter(has_text="1.")).to_be_visible()
        stop = await mia.page.evaluate("""async () => {
            const { client } = await part('core/app');
            const { tours: [{ id }] } = await client.request('listOwnTours', {});
            const { readTour } = await part('tours/content');
            return (await readTour(id, true)).content.stops[0].pose.geopose.position;
        }""")
        assert [stop["lat"], stop["lon"]] == pytest.approx([star["lat"], star["lon"]], abs=1e-9)
        # The drawing is over: a marker is selected again.
        await mia.go("map")
        await marker.focus()
        await mia.page.keyboard.press("Enter")
        # The draft's stop, which stands there too, is not on the map outside its editor.
        await expect(mia.page.locator("#sheet[data-kind=details]")).to_be_visible()
        ada.check(), mia.check()


@pytest.mark.seconds(180)
async def test_preview_showsTheCodeForPrinting(world):
    """The picture is drawn, has words, and is downloaded by keyboard as the server gives it."""
    await maker(world)
    async with browser() as chromium:
        mia = await sign_in(await Player.open(chromium, world), "mia")
        code = await publish(mia)
        await mia.go("tours", "code", code)
        picture = mia.page.get_by_role("img", name="QR code of the link to The walls")
        await expect(picture).to_be_visible()
        await mia.page.wait_for_function("() => document.querySelector('#page .qr').naturalWidth > 0")
        await mia.page.get_by_role("link", name="Download for printing").focus()
        async with mia.page.expect_download() as downloading:
            await mia.page.keyboard.press("Enter")
        download = await downloading.value
        assert download.suggested_filename == f"{code}.svg"
        served = await mia.page.evaluate("path => fetch(path).then(one => one.text())", f"/j/{code}.svg")
        with open(await download.path(), encoding="utf-8") as file:
            assert file.read() == served
        assert await mia.violations() == []
        mia.check()


async def begin(player, code):
    """Starts the tour of a link; its first stop is the gate."""
    await player.go("tours", "code", code)
    await player.page.get_by_role("button", name="Start the tour").click()
    await expect(player.page.locator("#page h2").first).to_have_text("Next: The gate")


@pytest.mark.seconds(240)
async def test_tour_isWalkedAndFinished_overAReload(world):
    await maker(world)
    await sign_up(world, "ada")
    async with browser() as chromium:
        code = await publish(await sign_in(await Player.open(chromium, world), "mia"))
        ada = await sign_in(await Player.open(chromium, world), "ada")
        await begin(ada, code)
        await expect(ada.page.locator(".arrow-to")).to_be_visible()
        await ada.page.get_by_role("button", name="Pause").click()
        await expect(ada.page.locator(".run-state")).to_contain_text("Paused")
        await ada.page.reload()
        await ada.live()
        await ada.page.get_by_role("button", name="Go on").click()
        await expect(ada.page.locator(".run-state")).to_contain_text("On tour")
        await walk_to_the_gate(ada)
        await expect(ada.page.locator(".run-state")).to_contain_text("all stops")
        await expect(ada.page.locator("#page")).to_contain_text("It was the first.")
        ada.check()
        assert await ada.violations() == []
        await expect(ada.page.locator(".totals")).to_contain_text("1 of 1 stops")
        # The run is over: nothing says that one is on a tour.
        await expect(ada.page.locator("#bar")).to_be_hidden()
        # Begun again and withdrawn by an operator, the page of the run says that it is over.
        await ada.page.evaluate("([lat, lon]) => part('core/place').then(place => place.setPlace({ lat, lon }))",
                                list(PLACE))
        await begin(ada, code)
        async with await Desk.open(world) as desk:
            (tour,) = (await desk.ask("tours"))["tours"]
            await desk.ask(f"tour-withdraw {tour['tour']} Floods")
        await expect(ada.page.locator("#page")).to_contain_text("You are on no tour now.")
        await expect(ada.page.locator("#page .arrow-to")).to_be_hidden()
        await expect(ada.page.locator("#bar")).to_be_hidden()


@pytest.mark.seconds(240)
async def test_aPausedTour_goesOnAtTheStop_andASecondStartLeadsToIt(world):
    await maker(world)
    await sign_up(world, "ada")
    async with browser() as chromium:
        code = await publish(await sign_in(await Player.open(chromium, world), "mia"))
        ada = await sign_in(await Player.open(chromium, world), "ada")
        await begin(ada, code)
        await ada.go("tours", "code", code)
        await ada.page.get_by_role("button", name="Start the tour").click()
        await ada.page.locator(".refusal").get_by_role("link", name="Go on with my tour").click()
        await ada.page.get_by_role("button", name="Pause").click()
        await expect(ada.page.locator(".run-state")).to_contain_text("Paused")
        await ada.page.evaluate(
            """() => Promise.all(['tours/run', 'core/place'].map(name => part(name)))
                .then(([{ stops }, { setPlace }]) => setPlace(stops()[0].pose.geopose.position))""")
        await ada.page.get_by_role("button", name="Go on").click()
        await expect(ada.page.locator(".run-state")).to_contain_text("all stops")
        ada.check()


@pytest.mark.seconds(240)
async def test_tour_isBegunOnOneDevice_andFinishedOnAnother(world):
    await maker(world)
    await sign_up(world, "ada")
    async with browser() as chromium:
        code = await publish(await sign_in(await Player.open(chromium, world), "mia"))
        phone = await sign_in(await Player.open(chromium, world), "ada")
        await begin(phone, code)
        await phone.page.context.close()
        other = await sign_in(await Player.open(chromium, world), "ada")
        await other.go("tours")
        await other.page.locator("#bar a[href='#/tours/run']").click()
        await expect(other.page.locator("#page h2").first).to_have_text("Next: The gate")
        go_on = other.page.get_by_role("button", name="Go on")
        if await go_on.is_visible():
            await go_on.click()
        await walk_to_the_gate(other)
        await expect(other.page.locator(".run-state")).to_contain_text("all stops")
        await expect(other.page.locator(".totals")).to_contain_text("1 of 1 stops")
        other.check()


@pytest.mark.seconds(180)
async def test_tour_isGivenOutAndTakenFromAFile(world):
    """The exported file of one draft makes another draft equal to it; a file that is no tour is refused."""
    await maker(world)
    async with browser() as chromium:
        mia = await sign_in(await Player.open(chromium, world), "mia")
        await publish(mia)
        await mia.page.get_by_role("button", name="Make a GeoJSON file").click()
        async with mia.page.expect_download() as downloading:
            await mia.page.get_by_role("link", name="Download it").click()
        path = await (await downloading.value).path()
        with open(path, encoding="utf-8") as file:
            first = file.read()
        assert {one["properties"]["cairn"] for one in json.loads(first)["features"]} >= {"area", "route", "stop"}
        await new_tour(mia, "Another", "Empty so far.")
        chooser = mia.page.get_by_label("Take a GeoJSON file")
        await chooser.set_input_files({"name": "no.geojson", "mimeType": "application/json", "buffer": b"[1, 2"})
        await expect(mia.page.locator("#tour-file ~ div .refusal")).to_be_visible()
        await expect(mia.page.locator("#page h2").first).to_have_text("Another")
        await chooser.set_input_files(
            {"name": "walls.geojson", "mimeType": "application/geo+json", "buffer": first.encode()})
        await expect(mia.page.locator("#page h2").first).to_have_text("The walls")
        await expect(mia.page.locator("summary").filter(has_text="The gate")).to_be_visible()
        await mia.page.get_by_role("button", name="Publish").click()
        await expect(mia.page.locator(".toast").filter(has_text="Published.")).to_be_visible()
        assert await mia.violations() == []
        mia.check()


@pytest.mark.seconds(120)
async def test_editor_saysWhatIsMissing_untilATourIsWhole(world):
    await maker(world)
    async with browser() as chromium:
        mia = await sign_in(await Player.open(chromium, world), "mia")
        await new_tour(mia, "The walls", "As they stood.")
        await mia.page.get_by_role("button", name="Publish").click()
        refusal = mia.page.locator(".refusal[data-code=tour_incomplete]")
        await expect(refusal).to_be_visible()
        await expect(mia.page.locator(".lacks button")).to_have_text(["Area", "Route", "Stops"])
        # Each leads to where it is entered.
        await mia.page.locator(".lacks button").nth(1).click()
        await expect(mia.page.get_by_role("button", name="Route: tap its points")).to_be_focused()
        # A description that was emptied is missing, too.
        description = mia.page.locator("[name=description]")
        await description.fill("")
        await mia.page.get_by_role("button", name="Publish").click()
        await expect(mia.page.locator(".lacks button")).to_have_text(["Description", "Area", "Route", "Stops"])
        # Where there is room for the map now, the form stays as it is.
        await mia.page.set_viewport_size({"width": 1000, "height": 800})
        await expect(mia.page.locator("body.with-beside")).to_have_count(0)
        await description.focus()
        await mia.page.set_viewport_size({"width": 1280, "height": 800})
        await expect(mia.page.locator("body.with-beside")).to_have_count(1)
        await expect(description).to_be_focused()
        # In a field Ctrl+Z undoes what was typed, and no point of the map.
        await mia.page.get_by_role("button", name="Area: tap its corners").click()
        sheet = mia.page.locator("#sheet[data-kind=drawing]")
        await sheet.get_by_role("button", name="Add the middle of the map").click()
        await expect(sheet).to_contain_text("Points: 1")
        await description.press_sequentially("x")
        await description.press("Control+z")
        await expect(description).to_have_value("")
        await expect(sheet).to_contain_text("Points: 1")
        await sheet.get_by_role("button", name="Save").click()
        # A draft that is thrown away is gone after a question.
        await mia.page.get_by_role("button", name="Delete the tour").click()
        await mia.page.locator("dialog").get_by_role("button", name="Delete the tour").click()
        await mia.page.locator("[data-tab=own]").click()
        await expect(mia.page.get_by_text("There are no tours here yet.")).to_be_visible()
        # What one does oneself is no news.
        assert "Somebody else" not in await mia.page.locator("#toasts").inner_text()
        mia.check()


@pytest.mark.seconds(120)
async def test_lists_haveToursNearByAndAll_andSomebodyNearIsTold(world):
    _, mia = await makers(world, "mia")
    tour = await published(mia, price=0)
    await sign_up(world, "ada")
    begin = point(0)
    async with browser() as chromium:
        ada = await sign_in(await Player.open(chromium, world, at=(begin["lat"], begin["lon"])), "ada")
        await ada.go("tours")
        line = ada.page.locator(f"[data-tour='{tour}']")
        await expect(ada.page.locator("[data-tab=near]")).to_have_attribute("aria-pressed", "true")
        await expect(line).to_contain_text("Walls")
        await expect(line).to_contain_text("begins here")
        await expect(ada.page.locator("#toasts")).to_contain_text("A tour begins near you: Walls")
        await expect(line).to_contain_text("Stops: 1")
        await expect(line.locator(".tour-map .tour-route")).to_have_count(1)
        # All: in no order of the place, which is said all the same.
        await ada.page.locator("[data-tab=all]").click()
        await expect(line).to_contain_text("begins here")
        await line.click()
        await expect(ada.page.locator("#page h2").first).to_have_text("Walls")
        ada.check()
