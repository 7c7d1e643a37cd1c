"""Links of tours: the page behind a code on a wall, its QR code, and the apps that open it (TRT-3, SES-2, ACS-1)."""

import asyncio
import json
import subprocess
import urllib.request

import pytest
from axe_playwright_python.async_playwright import Axe

from browser import AXE, browser
from cairn import PATIENCE
from pictures import png, upload
from purchases import PLAIN
from server import get, run
from test_tours import draft, makers, published, words

FINGERPRINT = ":".join(["AB"] * 32)
TITLES = {"en": "Tour", "es": "Recorrido", "fr": "Visite", "hi": "यात्रा", "zh": "导览"}


@pytest.fixture
def world(start):
    return start(**PLAIN)


async def code_of(client, tour):
    return (await client.ask("getTour", {"tour": tour}))["tour"]["code"]


async def page(server, path, language=""):
    """Status, headers and text of a page."""
    return await get(urllib.request.Request(server.http + path, headers={"Accept-Language": language}))


def read(picture):
    """The text that an independent QR reader finds in a picture."""
    done = subprocess.run(
        ["zbarimg", "--quiet", "--raw", str(picture)], capture_output=True, text=True, timeout=PATIENCE)
    return done.stdout.strip()


async def test_a_link_shows_name_and_organisation_in_the_readers_language(world):
    _, maker = await makers(world, "ada", organisation="Museum <of> the Town")
    tour = await published(maker, name={"words": [
        {"language": "en", "text": "Walls & gates"}, {"language": "fr", "text": "Murs"}]})
    code = await code_of(maker, tour)
    for language, title in TITLES.items():
        status, headers, text = await page(world, f"/j/{code}", f"{language}-XX, de;q=0.9")
        assert status == 200 and f'<html lang="{language}">' in text and title in text
        assert "Museum &lt;of&gt; the Town" in text
        assert ("Murs" if language == "fr" else "Walls &amp; gates") in text
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "script-src" not in policy and "<script" not in text
        assert headers["Referrer-Policy"] == "no-referrer" and headers["Vary"] == "Accept-Language"
        # Nothing else of the tour: no place, no price, no description.
        assert "1640" not in text and "299" not in text and "45.5" not in text and tour not in text
    assert '<html lang="en">' in (await page(world, f"/j/{code}", "tlh"))[2]
    assert '<html lang="zh">' in (await page(world, f"/j/{code}", "fr;q=0.1, zh-Hans;q=0.8, en;q=0"))[2]
    assert (await page(world, f"/j/{code.lower()}"))[0] == 200


async def test_unknown_draft_and_deleted_answer_the_same(world):
    _, maker = await makers(world, "ada")
    shown, gone, hidden = await published(maker), await published(maker), await draft(maker)
    codes = [await code_of(maker, gone)]
    summaries = (await maker.ask("listOwnTours"))["tours"]
    codes.append(next(one["code"] for one in summaries if one["id"] == hidden))
    await maker.ask("deleteTour", {"tour": gone})
    codes += ["ABCDEFGH", "x", "%F0%9F%97%BA", "A" * 500]
    answers = set()
    for code in codes:
        for suffix in ("", ".svg"):
            status, headers, text = await page(world, f"/j/{code}{suffix}", "fr")
            del headers["Date"]
            answers.add((status, tuple(headers.items()), text))
    assert len(answers) == 1, answers
    ((status, _, text),) = answers
    assert status == 404 and "pas de visite" in text
    assert (await page(world, f"/j/{await code_of(maker, shown)}", "fr"))[0] == 200


async def test_the_picture_of_a_tour_is_on_its_page_for_guests(world):
    _, maker = await makers(world, "ada")
    picture = png(40, 30)
    own = await upload(maker, picture)
    tour = await published(maker, picture=own, pictureAlternative=words("A wall of stone."))
    code = await code_of(maker, tour)
    _, _, text = await page(world, f"/j/{code}")
    assert f'src="/link/picture/{code}"' in text and 'alt="A wall of stone."' in text
    with await asyncio.to_thread(urllib.request.urlopen, f"{world.http}/link/picture/{code}") as answer:
        assert answer.headers["Content-Type"] == "image/png" and answer.read()[:4] == b"\x89PNG"
    bare = await code_of(maker, await published(maker))
    for path in (f"/link/picture/{bare}", "/link/picture/ABCDEFGH"):
        assert (await page(world, path))[0] == 404
    assert "/link/picture/" not in (await page(world, f"/j/{bare}"))[2]
    await maker.ask("deleteTour", {"tour": tour})
    assert (await page(world, f"/link/picture/{code}"))[0] == 404


async def test_a_suspended_organisations_links_show_nothing(world):
    root, maker = await makers(world, "ada")
    code = await code_of(maker, await published(maker))
    (organisation,) = (await root.ask("listOrganisations"))["organisations"]
    await root.ask("suspendOrganisation", {"organisation": organisation["id"], "reason": "x"})
    assert (await page(world, f"/j/{code}"))[0] == 404


@pytest.mark.seconds(120)
async def test_the_page_has_no_fault_for_axe_and_the_code_is_read_back(start, tmp_path):
    world = start(**PLAIN, accounts__publicURL="https://walks.example.org")
    _, maker = await makers(world, "ada")
    code = await code_of(maker, await published(maker))
    address = f"https://walks.example.org/j/{code}"
    async with browser() as chromium:
        for language in TITLES:
            for scheme in ("light", "dark"):
                context = await chromium.new_context(
                    locale=language, color_scheme=scheme, viewport={"width": 390, "height": 800})
                opened, asked, faults = await context.new_page(), [], []
                opened.on("request", lambda request: asked.append(request.url))
                opened.on("console", lambda line: line.type == "error" and faults.append(line.text))
                for path in (f"/j/{code}", "/j/ABCDEFGH"):
                    await opened.goto(world.http + path)
                    found = await Axe().run(opened, options=AXE)
                    assert found.response["violations"] == [], (language, scheme, path)
                assert all(url.startswith(world.http) for url in asked) and asked
                assert [one for one in faults if "404" not in one] == []
                await context.close()
        opened = await chromium.new_page()
        await opened.goto(f"{world.http}/j/{code}")
        await opened.screenshot(path=str(tmp_path / "page.png"))
        assert read(tmp_path / "page.png") == address
        await opened.set_viewport_size({"width": 400, "height": 400})
        await opened.goto(f"{world.http}/j/{code}.svg")
        await opened.screenshot(path=str(tmp_path / "code.png"))
        assert read(tmp_path / "code.png") == address
        # In the terminal: light letters on dark ground, as most are.
        done = run("admin", "tour", "link", code, "--data", world.folder)
        assert done.returncode == 0 and done.stdout.splitlines()[1] == address
        blocks = "\n".join(done.stdout.splitlines()[2:])
        await opened.goto("about:blank")  # a picture cannot be written to
        await opened.set_content(
            "<body style='margin:0;background:#000;color:#fff'><pre style='margin:20px;font:16px/16px monospace;"
            f"letter-spacing:0'>{blocks}</pre>")
        await opened.set_viewport_size({"width": 900, "height": 600})
        await opened.screenshot(path=str(tmp_path / "terminal.png"))
        assert read(tmp_path / "terminal.png") == address


async def test_links_of_no_tour_have_no_code_in_the_terminal(world):
    done = run("admin", "tour", "link", "ABCDEFGH", "--data", world.folder)
    assert done.returncode == 1 and "no published tour" in done.stderr


async def test_apps_are_named_where_platforms_look(start):
    paths = ("/.well-known/apple-app-site-association", "/.well-known/assetlinks.json")
    server = start()
    assert [(await get(server.http + path))[0] for path in paths] == [404, 404]
    server.stop()
    server = start(
        links__appleApps="A1B2C3D4E5.org.example.walks", links__androidApps=f"org.example.walks {FINGERPRINT}")
    status, headers, text = await get(server.http + paths[0])
    assert status == 200 and headers["Content-Type"] == "application/json"
    assert json.loads(text) == {"applinks": {"details": [
        {"appIDs": ["A1B2C3D4E5.org.example.walks"], "components": [{"/": "/j/*"}]}]}}
    (link,) = json.loads((await get(server.http + paths[1]))[2])
    assert link["target"] == {
        "namespace": "android_app", "package_name": "org.example.walks", "sha256_cert_fingerprints": [FINGERPRINT]}
