"""Guests on the page (SES-14): they see the world at once, are asked for a name where they touch what needs one, and
what they have begun goes on.
"""

import json

import pytest

from cairn import Client, away, pose
from playing import PLACE, Player, browser, expect

#: Guests look, as with `--demo` and `--open` by themselves.
LOOKS = {"guests__look": None}


async def lived_in(server):
    """Somebody who has left a thing and a post at the place, and stands there for all to see."""
    ada = await Client.connect(server, "Ada", sharePosition=True, shareAccuracy=0)
    await ada.stand_at(*PLACE)
    heart = await ada.place(pose(*away(*PLACE, north=25)), text="hello there")
    await ada.make_post("a post for all")
    return ada, heart


def ground(folder, **more):
    """A file of the ground: a park and a street around the place. `more` goes beside what is in it."""
    lat, lon = PLACE
    square = [[lon - 0.002, lat - 0.001], [lon + 0.002, lat - 0.001], [lon + 0.002, lat + 0.001],
              [lon - 0.002, lat + 0.001], [lon - 0.002, lat - 0.001]]
    file = folder / "ground.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", **more, "features": [
        {"type": "Feature", "properties": {"kind": "park"}, "geometry": {"type": "Polygon", "coordinates": [square]}},
    ]}))
    return file


async def taps(page):
    """Counts the taps of the person from now on; a field that is typed into counts as one."""
    await page.evaluate("""() => {
        window.taps = 0;
        addEventListener('click', event => { if (event.isTrusted) window.taps += 1; }, true);
        addEventListener('change', event => { if (event.target.matches('input, textarea')) window.taps += 1; }, true);
    }""")


@pytest.mark.seconds(120)
async def test_aGuest_seesTheWorldAtOnce_onMapListAndIn3D_andNobodyInIt(start, tmp_path):
    """From an address without a place: the operator's ground says where. Nothing was tapped or asked for."""
    server = start(**LOOKS, play__groundFile=ground(tmp_path))
    await lived_in(server)
    async with browser() as chromium:
        guest = await Player.open(chromium, server, at=None, size=(390, 844), has_touch=True, is_mobile=True)
        page = guest.page
        await expect(page.locator("#map .mark.thing")).to_have_count(1)
        await expect(page.locator("#map .mark.post")).to_have_count(1)
        await expect(page.locator("#sheet")).to_be_hidden()
        await expect(page.locator(".own-dot, .mark.person, .toast")).to_have_count(0)
        # The map shows ground: its middle is that of the operator's file, and the park is drawn.
        assert await page.locator("#map .leaflet-ground-pane canvas").count() == 1
        # That people are about is promised in a sentence.
        await expect(page.locator("#banner")).to_contain_text("or open the list. Who else is here is shown once")
        assert await guest.violations() == []
        await page.get_by_role("button", name="Next").click()
        await page.get_by_role("button", name="Next").click()
        await expect(page.locator("#banner")).to_contain_text("3 of 3")
        await page.locator("#banner").get_by_role("button", name="Close").click()
        await expect(page.locator("#banner")).to_be_hidden()
        assert await guest.in_list() == ["Post: a post for all", "Heart: hello there"]
        await page.locator("[data-tab=people]").click()
        await expect(page.locator("#list-body p").first).to_contain_text("when you have signed in")
        await page.keyboard.press("Escape")
        await guest.go("realm")
        await page.wait_for_function("() => document.querySelector('#realm').scene?.found?.length === 2")
        await expect(page.locator("#realm .hint")).to_be_hidden()
        # The next visit is not welcomed again, and looks where the person looked to last.
        await guest.go("map")
        await page.evaluate("""() => part('map/map').then(({ mapParts }) => mapParts())
            .then(({ map }) => { map.setView([48.137, 11.575], 18, { animate: false }); })""")
        await expect(page.locator("#map .mark.thing")).to_have_count(0)
        await page.goto("about:blank")
        await page.goto(f"{server.http}/play")
        await guest.live()
        await guest.holds("() => part('core/place').then(({ eye }) => eye()?.lat === 48.137)")
        await expect(page.locator("#banner")).to_be_hidden()
        guest.check()


@pytest.mark.seconds(120)
async def test_whatAGuestTouches_isAskedForThere_andGoesOn(start):
    server = start(**LOOKS)
    await lived_in(server)
    async with browser() as chromium:
        guest = await Player.open(chromium, server)
        page = guest.page
        await page.locator("#map .mark-box:has(.mark.thing)").click()
        await expect(page.locator(".details blockquote")).to_have_text("hello there")
        await page.locator(".details [data-reaction=love]").click()
        asked = page.locator(".details .entering")
        await expect(asked).to_contain_text("A reaction needs a name")
        await expect(asked.locator("input")).to_be_focused()
        assert await guest.violations() == []
        # Back from the page of signing in leads to the thing again.
        await asked.get_by_role("link", name="Sign in").click()
        await expect(page.locator("input[name=login]")).to_be_visible()
        await page.go_back()
        await expect(page.locator(".details blockquote")).to_have_text("hello there")
        await page.locator(".details [data-reaction=love]").click()
        await page.keyboard.type("zoe")
        await page.keyboard.press("Enter")
        mine = page.locator(".details [data-reaction=love][aria-pressed=true]")
        await expect(mine).to_contain_text("1")
        assert await guest.read("app.client.welcome.name") == "zoe"
        # And people are shown now: by a marker of their own, or in one with what is beside them.
        await expect(page.locator("#map :is(.mark.person, .mark.group[data-counts*=person])")).to_have_count(1)
        guest.check()


@pytest.mark.seconds(120)
async def test_whoMakesAnAccount_comesBackToWhatTheyBegan(start):
    """By the page of signing up, over a reload: the reaction is made, and Back does not lead to the signing up."""
    server = start(**LOOKS, accounts__signUpsPerHour=1000)
    ada, heart = await lived_in(server)
    async with browser() as chromium:
        guest = await Player.open(chromium, server)
        page = guest.page
        await page.locator("#map .mark-box:has(.mark.thing)").click()
        await page.locator(".details [data-reaction=like]").click()
        await page.locator(".details .entering").get_by_role("link", name="Create an account").click()
        await page.reload()
        await guest.live()
        await page.locator("input[name=username]").fill("mia")
        await page.locator("input[name=email]").fill("mia@example.org")
        await page.locator("input[name=password]").fill("Correct-Horse-7")
        await page.locator("input[name=agreed]").check()
        await page.locator("button[type=submit]").click()
        await page.wait_for_function("() => location.hash === '#/map'")
        await expect(page.locator(".details [data-reaction=like][aria-pressed=true]")).to_contain_text("1")
        await ada.until(lambda: ada.sees(heart)["reactions"] == [{"reaction": "like", "count": 1}], "the reaction")
        guest.check()


@pytest.mark.seconds(120)
async def test_aGuestPlacesTheirFirstThing_inSixTaps_fromAnAddressWithoutAPlace(start, tmp_path):
    """No position is given: who looks at a place may stand there."""
    server = start(**LOOKS, play__groundFile=ground(tmp_path, bbox=[
        PLACE[1] - 0.001, PLACE[0] - 0.001, PLACE[1] + 0.001, PLACE[0] + 0.001]))
    ada, _ = await lived_in(server)
    async with browser() as chromium:
        guest = await Player.open(chromium, server, at=None, size=(390, 844))
        page = guest.page
        await expect(page.locator("#map .mark.thing")).to_have_count(1)
        await taps(page)
        await page.locator("#add").click()
        await expect(page.locator("#sheet")).to_contain_text("others see it only if you share it")
        await page.get_by_role("button", name="Stand where I am looking").click()
        await page.locator("[data-object='preset:star']").click()
        await page.locator(".editor button[type=submit]").click()
        await expect(page.locator("#sheet .entering")).to_contain_text("belongs to somebody")
        await page.keyboard.type("noa")
        await page.keyboard.press("Enter")
        await expect(page.locator(".toast").filter(has_text="Placed.")).to_be_visible()
        await guest.holds("() => part('core/view').then(({ items }) => items().some(({ isOwn }) => isOwn))")
        # Enter sends what a tap on the button would.
        assert await page.evaluate("() => window.taps") <= 6
        await ada.until(lambda: any(
            one.get("object") == "preset:star" for topic in ada.topics.values() for one in topic.instances.values()),
            "the star")
        guest.check()


async def test_whoSeesNothing_isToldWhy_andHasOneWayOn(start, tmp_path):
    server = start(**LOOKS, play__groundFile=ground(tmp_path))
    await lived_in(server)
    async with browser() as chromium:
        # Far from everything, by the place of a link.
        far = await Player.open(chromium, server, at=(48.137, 11.575), size=(390, 844))
        banner = far.page.locator("#banner")
        await expect(banner).to_contain_text("Nothing is left within")
        await banner.get_by_role("button", name="Show the main place").click()
        await expect(far.page.locator("#map .mark.thing")).to_have_count(1)
        await expect(banner).not_to_contain_text("Nothing is left")
        # The map is moved away from all that is shown, and back.
        await far.page.evaluate(
            """() => part('map/map').then(({ mapParts }) => mapParts())
                .then(({ map }) => { map.setView([45.6, -73.5], 17, { animate: false }); })""")
        await expect(banner).to_contain_text("this is further away")
        await banner.get_by_role("button", name="Back").click()
        await expect(far.page.locator("#map .mark.thing")).to_have_count(1)
        await expect(banner).not_to_contain_text("further away")
        # Nobody has named a place to look at, or the map shows half a continent.
        guest = await Player.open(chromium, server, at=None, size=(390, 844))
        await expect(guest.page.locator("#map .mark.thing")).to_have_count(1)
        await guest.page.evaluate(
            """() => part('map/map').then(({ mapParts }) => mapParts())
                .then(({ map }) => { map.setView([30, 20], 5, { animate: false }); })""")
        await expect(guest.page.locator("#banner")).to_contain_text("Zoom in on a place")
        await guest.page.locator("#banner").get_by_role("button", name="Where are you?").click()
        await expect(guest.page.locator("#sheet h2")).to_have_text("Where are you?")
        for one in (far, guest):
            one.check()
