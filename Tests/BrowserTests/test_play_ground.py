"""The ground of map and Realm: the operator's tiles and GeoJSON file, the own dot, and `?at=` (SES-5, VIS-1)."""

import http.server
import json
import threading

import pytest

from cairn import eventually
from pictures import png
from playing import PART, PLACE, Player, browser, expect

#: A house of 20 m and a street, beside PLACE.
LAT, LON = PLACE
TOWN = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"kind": "house", "height": 9}, "geometry": {"type": "Polygon", "coordinates": [[
        [LON, LAT + 0.0002], [LON + 0.0002, LAT + 0.0002], [LON + 0.0002, LAT + 0.0004], [LON, LAT + 0.0004],
        [LON, LAT + 0.0002]]]}},
    {"type": "Feature", "properties": {"kind": "street"}, "geometry": {"type": "LineString", "coordinates": [
        [LON - 0.001, LAT], [LON + 0.001, LAT]]}}]}

#: What the layers of the map are, near the middle: polygons and lines with their colours, and circles with radii.
LAYERS = """async () => {
    const { map } = await (await part('map/map')).mapParts(), middle = map.getCenter(), found = [];
    map.eachLayer(layer => {
        if (layer.getRadius && layer.setRadius && layer.options.interactive === false) {
            const { lat, lng } = layer.getLatLng();
            found.push({ kind: 'circle', radius: layer.getRadius(), at: [lat, lng] });
        } else if (layer.getBounds && layer.getLatLngs) {
            const bounds = layer.getBounds();
            found.push({ kind: layer.options.dashArray ? 'cell' : 'shape', color: layer.options.color,
                holds: bounds.contains(middle), metres: bounds.getSouthWest().distanceTo(bounds.getNorthEast()) });
        }
    });
    return found;
}"""


@pytest.fixture
def tiles():
    """A host of pictures of the ground."""
    class Tiles(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.asked.append((self.path, dict(self.headers)))
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.end_headers()
            self.wfile.write(png(256, 256))

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tiles) as server:
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


async def test_theOperatorsTiles_areTheGround_andNobodyElseIsAsked(start, tiles):
    host = f"http://127.0.0.1:{tiles.server_port}"
    world = start(accounts__open="true", play__tileURL=host + "/{z}/{x}/{y}.png",
                  play__tileAttribution="<b>Our</b> town & country")
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        loaded = ada.page.locator("img.leaflet-tile-loaded")
        await expect(loaded.first).to_be_visible()
        assert await loaded.first.evaluate("image => image.naturalWidth") == 256
        # The source is named, as text.
        await expect(ada.page.locator(".leaflet-control-attribution")).to_have_text("<b>Our</b> town & country")
        # That host learns which pictures are asked for and for which site, and neither the person nor their place.
        assert tiles.asked and all(path.endswith(".png") for path, _ in tiles.asked)
        assert {headers.get("Referer") for _, headers in tiles.asked} <= {None, world.http + "/"}
        assert not any("Cookie" in headers for _, headers in tiles.asked)
        strangers = [url for url in ada.asked if url.startswith("http") and not url.startswith(world.http)]
        assert strangers and all(url.startswith(host + "/") for url in strangers), strangers
        assert ada.faults == []


async def test_theOperatorsFile_isDrawnOnTheMapAndInTheRealm(start, tmp_path):
    file = tmp_path / "town.geojson"
    file.write_text(json.dumps(TOWN))
    world = start(accounts__open="true", play__groundFile=str(file))
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        shapes = []

        async def is_drawn():
            shapes[:] = [one for one in await ada.page.evaluate(LAYERS)
                         if one["kind"] == "shape" and one["metres"] < 1000]
            return len(shapes) == 2

        # The map does not wait for its ground.
        await eventually(is_drawn, "the file is not drawn")
        assert len({one["color"] for one in shapes}) == 2, shapes
        assert sorted(round(one["metres"]) // 50 for one in shapes) == [0, 3]
        await ada.go("realm")
        await ada.page.wait_for_function("() => document.getElementById('realm').scene?.plane")
        # Drawn there, too: the triangles of a street, and of a house that is 9 m high.
        await ada.page.wait_for_function(
            """() => {
                const { scene } = document.getElementById('realm'), heights = [];
                scene.plane && scene.scene?.traverse?.(one => {
                    const corners = one.geometry?.attributes?.position;
                    if (!corners || one.isInstancedMesh) return;
                    one.geometry.computeBoundingBox();
                    heights.push(Math.round(one.geometry.boundingBox.max.y));
                });
                return heights.includes(9);
            }""")
        ada.check()


@pytest.mark.parametrize("accuracy", [4, 60])
async def test_theOwnDotWithItsAccuracy_isDrawnOnTheMap_andNoBordersOfCells(world, accuracy):
    async with browser() as chromium:
        where = {"latitude": LAT, "longitude": LON, "accuracy": accuracy}
        ada = await Player.open(chromium, world, at=None, geolocation=where, permissions=["geolocation"])
        await ada.by_name("ada")
        await ada.ready()
        await expect(ada.page.locator(".own-mark")).to_be_visible()
        await ada.holds("""() => part('map/map').then(async ({ mapParts }) => {
            const { map } = await mapParts();
            let is = false;
            map.eachLayer(layer => { is ||= Boolean(layer.getRadius && layer.setRadius); });
            return is;
        })""")
        layers = await ada.page.evaluate(LAYERS)
        (halo,) = [one for one in layers if one["kind"] == "circle"]
        assert halo["radius"] == accuracy and halo["at"] == pytest.approx(PLACE)
        # Players know nothing of cells.
        assert await ada.read("app.client.view.topics.size") > 1
        assert [one for one in layers if one["kind"] == "cell"] == []
        # The dot is where the map has the place, to a pixel.
        off = await ada.page.evaluate(
            """async ([lat, lng]) => {
                const { map } = await (await part('map/map')).mapParts();
                const frame = map.getContainer().getBoundingClientRect();
                const { x, y } = map.latLngToContainerPoint([lat, lng]);
                const dot = document.querySelector('.own-mark').getBoundingClientRect();
                return Math.hypot(dot.x + dot.width / 2 - frame.x - x, dot.y + dot.height / 2 - frame.y - y);
            }""", [LAT, LON])
        assert off < 1.5
        ada.check()


async def test_theAddress_saysWhereOneIs(world):
    asked = {"?at=47.5,8.25": [47.5, 8.25], "?at= -33.9 , 151.2 ": [-33.9, 151.2],
             "?at=91,0": None, "?at=here": None, "": None}
    async with browser() as chromium:
        for query, own in asked.items():
            page = await (await chromium.new_context(service_workers="block")).new_page()
            await page.add_init_script(PART)
            ada = Player(world, page)
            await page.goto(world.http + "/play" + query + "#/map")
            await ada.by_name("ada")
            if own:
                await ada.ready()
                assert await ada.read("(({ lat, lon, isSet }) => [lat, lon, isSet])(place.own())") == [*own, True]
                await expect(page.locator(".own-mark")).to_be_visible()
            else:
                await expect(page.locator("#sheet h2")).to_have_text("Where are you?")
                assert await ada.read("place.own()") is None, query
            ada.check()
            await page.context.close()
