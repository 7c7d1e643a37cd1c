"""The files of /play: contents, policies, and code that pages of other sites import."""

import gzip
import json
import re
import urllib.request

from operators import fetch
from server import ROOT

CAIRN_JS = ROOT / "Sources/CairnPlay/Resources/cairn"


async def test_every_module_of_cairn_js_is_served_as_it_is_to_pages_of_any_site(server):
    for path in CAIRN_JS.glob("*.js"):
        status, headers, text = fetch(server, f"/play/cairn/{path.name}", Origin="https://app.example")
        assert (status, text) == (200, path.read_text()), path
        assert headers["Content-Type"] == "text/javascript; charset=utf-8"
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert headers["Cache-Control"] == "no-cache"
    # A client whose socket is refused reads there which version of the protocol the server speaks.
    status, headers, text = fetch(server, "/play/cairn/package.json", Origin="https://app.example")
    assert (status, headers["Access-Control-Allow-Origin"], json.loads(text)["cairn"]) == (200, "*", {"protocol": 1})


async def test_what_cairn_js_is_packed_into_is_downloaded_under_its_version(start, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "cairn").symlink_to(CAIRN_JS)
    server = start(play__path=folder)
    for path in ("/play/cairn/", "/play/cairn/dist/cairn-js-0.1.0.tgz"):
        status, _, text = fetch(server, path)
        assert status == 404 and "make cairn-js" in text
    made = {"cairn-js-0.1.0.tgz": ("application/gzip", bytes(range(256))),
            "cairn.js": ("text/javascript; charset=utf-8", b"export {};"),
            "index.html": ("text/html; charset=utf-8", b"<!doctype html><title>cairn.js 0.1.0</title>")}
    (folder / "dist").mkdir()
    for name, (_, content) in made.items():
        (folder / "dist" / name).write_bytes(content)
    for name, (content_type, content) in made.items():
        with urllib.request.urlopen(f"{server.http}/play/cairn/dist/{name}") as answer:
            assert (answer.headers["Content-Type"], answer.read()) == (content_type, content)
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
    status, headers, text = fetch(server, "/play/cairn/")
    assert (status, text) == (200, made["index.html"][1].decode())
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    # A browser that keeps the page's files keeps none of them.
    assert not any("dist" in path for path in json.loads(fetch(server, "/play/files.json")[2]))


async def test_the_page_runs_nothing_from_elsewhere_and_has_what_a_phone_has(server):
    status, headers, text = fetch(server, "/play/two")
    assert status == 200 and text.startswith("<!doctype html>")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy and "unsafe" not in policy
    assert f"ws://{server.host}:{server.port}" in policy
    permissions = headers["Permissions-Policy"]
    for feature in ("geolocation", "camera", "accelerometer", "gyroscope", "magnetometer", "microphone",
                    "xr-spatial-tracking"):
        assert f"{feature}=(self)" in permissions
    assert headers["X-Frame-Options"] == "DENY" and headers["X-Content-Type-Options"] == "nosniff"
    # Two lines of one name would make the policy the stricter of both, or none.
    assert "Access-Control-Allow-Origin" not in headers


async def test_policies_are_those_of_documents_and_workers_and_code_goes_without(server):
    for path in ("/play", "/play/two", "/play/lib/licences.html", "/play/icon.svg", "/play/sw.js"):
        headers = fetch(server, path)[1]
        assert "default-src 'none'" in headers["Content-Security-Policy"], path
        assert headers["X-Frame-Options"] == "DENY" and headers["X-Content-Type-Options"] == "nosniff", path
    for path in ("/play/cairn/client.js", "/play/two/main.js", "/play/texts/en.json"):
        headers = fetch(server, path)[1]
        assert sum(len(name) + len(value) + 4 for name, value in headers.items()) < 350, path
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Cache-Control"] == "no-cache"


async def test_the_listing_has_the_state_of_every_file(server):
    tags = json.loads(fetch(server, "/play/files.json")[2])
    assert {"/play/built/index.html", "/play/cairn/client.js", "/play/icon.svg"} <= tags.keys()
    for path in (built_into(server) + "main.js", "/play/cairn/client.js", "/play/lib/countries.json"):
        assert fetch(server, path)[1]["ETag"] == f'"{tags[path]}"'


def built_into(server):
    """The address of the folder that the page is built into, as its document names it."""
    return re.search(r'src="(/play/built/[0-9a-f]{16}/)opening.js"', fetch(server, "/play")[2])[1]


async def test_what_the_page_is_built_into_is_kept_for_ever_and_its_sources_are_not_served(start):
    server = start()
    folder = built_into(server)
    status, headers, text = fetch(server, folder + "main.js")
    assert status == 200 and headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert len(text) > 50_000 and "\n\n" not in text
    request = urllib.request.Request(server.http + folder + "main.js", headers={"Accept-Encoding": "gzip, br"})
    with urllib.request.urlopen(request) as answer:
        assert answer.headers["Content-Encoding"] == "br" and len(answer.read()) < len(text) / 3
        tag = answer.headers["ETag"]
    assert tag != headers["ETag"]
    assert fetch(server, folder + "main.js", **{"If-None-Match": tag, "Accept-Encoding": "br"})[0] == 304
    assert fetch(server, folder + "main.js.br")[0] == 404
    assert fetch(server, "/play")[1]["Cache-Control"] == "no-cache"
    assert fetch(server, "/play/built/index.html")[1]["Cache-Control"] == "no-cache"
    tags = json.loads(fetch(server, "/play/files.json")[2])
    for path in ("/play/js/main.js", "/play/css/frame.css", "/play/index.html"):
        assert fetch(server, path)[0] == 404 and path not in tags
    assert fetch(server, "/play/built/0000000000000000/main.js")[0] == 404


async def test_who_develops_the_page_is_served_its_sources(start):
    server = start(play__sources="true")
    assert 'src="/play/js/opening.js"' in fetch(server, "/play")[2]
    tags = json.loads(fetch(server, "/play/files.json")[2])
    for path in ("/play/js/main.js", "/play/css/frame.css"):
        status, headers, text = fetch(server, path)
        assert (status, headers["Cache-Control"]) == (200, "no-cache") and path in tags
        assert text == (ROOT / "Sources/CairnPlay/Resources" / path.strip("/")).read_text()


async def test_the_texts_of_all_features_are_one_answer_in_each_language(server):
    tags = json.loads(fetch(server, "/play/files.json")[2])
    page = ROOT / "Sources/CairnPlay/Resources/play"
    for language in ("en", "es", "fr", "hi", "zh"):
        status, headers, text = fetch(server, f"/play/texts/{language}.json")
        assert (status, headers["Content-Type"]) == (200, "application/json")
        parts = {path.parent.parent.name: json.loads(path.read_text())
                 for path in page.glob(f"js/*/texts/{language}.json")}
        assert len(parts) > 15 and json.loads(text) == parts
        assert headers["ETag"] == f'"{tags[f"/play/texts/{language}.json"]}"'
    assert fetch(server, "/play/texts/ar.json")[0] == fetch(server, "/play/js/core/texts/en.json")[0] == 404
    assert not any(path.startswith("/play/js/") and path.endswith(".json") for path in tags)


async def test_libraries_are_packed_and_kept_for_ever_under_names_with_a_version(server):
    request = urllib.request.Request(server.http + "/play/lib/three-r180.js", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert len(body) < 250_000 and b"export{" in gzip.decompress(body)
        tag = answer.headers["ETag"]
    assert fetch(server, "/play/lib/three-r180.js", **{"If-None-Match": tag, "Accept-Encoding": "gzip"})[0] == 304
    assert fetch(server, "/play/lib/three-r180.js", Range="bytes=0-9")[0] == 206
    status, headers, text = fetch(server, "/play/lib/three.js")
    assert (status, headers["Cache-Control"]) == (200, "no-cache") and "three-r180.js" in text
    page = fetch(server, "/play/lib/licences.html")[2]
    assert "three.js authors" in page and "CloudMade" in page and "Natural Earth" in page


async def test_the_ground_is_the_operators_or_the_outlines_of_countries(start, tmp_path):
    town = tmp_path / "town.geojson"
    town.write_text('{"type":"FeatureCollection","features":[]}')
    server = start(play__tileURL="https://tiles.example/{z}/{x}/{y}.png", play__groundFile=str(town))
    status, _, ground = fetch(server, "/play/ground.json")
    assert status == 200 and '"tiles":"https:\\/\\/tiles.example\\/{z}\\/{x}\\/{y}.png"' in ground
    assert fetch(server, "/play/ground.geojson")[2] == town.read_text()
    policy = fetch(server, "/play/two")[1]["Content-Security-Policy"]
    assert "img-src 'self' data: blob: https://tiles.example;" in policy
    assert len(fetch(server, "/play/lib/countries.json")[2]) > 100_000


async def test_nothing_but_files_of_the_page_is_served(server):
    for path in ("/play/../lib/three.js", "/play/cairn/..%2f..%2f..%2fPackage.swift", "/play/cairn/.git", "/play/x.js",
                 "/play/lib/.unpacked", "/play/ground.geojson", "/play/two.html/x"):
        status, _, text = fetch(server, path)
        assert status in (400, 404) and "<html" not in text, (path, status)


async def test_a_server_without_the_page_says_which_setting_it_is(start, tmp_path):
    server = start(play__enabled="false")
    status, _, text = fetch(server, "/play/two")
    assert status == 404 and "play.enabled" in text
    assert not any(line.strip().startswith("Play") for line in server.greeting)
    server.kill()
    server = start(play__path=str(tmp_path / "nowhere"))
    assert "play.path" in fetch(server, "/play/two")[2]
