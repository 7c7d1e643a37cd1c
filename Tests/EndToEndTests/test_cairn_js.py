"""cairn.js: its generated tables, its types, its tests under Node, and the same library in a browser."""

import os
import shutil
import subprocess

import pytest
from playwright.async_api import async_playwright

from browser import CHROMIUM
from server import ROOT, binary

RESOURCES = ROOT / "Sources/CairnPlay/Resources"


def test_its_tables_are_those_of_the_schema():
    done = subprocess.run([ROOT / "scripts/generate-js-codec", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_its_types_fit():
    done = subprocess.run([shutil.which("tsc"), "-p", RESOURCES], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.seconds(240)
def test_its_own_tests_pass():
    """Golden messages, conversations, hostile frames; and clients over cuts and a kill of the server."""
    done = subprocess.run(
        [shutil.which("node"), "--test", "Tests/PlayTests/"], cwd=ROOT, capture_output=True, text=True, timeout=200,
        env=os.environ | {"CAIRN_BIN": str(binary())})
    assert done.returncode == 0, done.stdout[-6000:]


# MARK: - In a browser

OUTBOX = """async (server) => {
    const { CairnClient, IndexedStore } = await import(server + '/play/cairn/index.js');
    const store = new IndexedStore('test');
    const client = new CairnClient({ url: server, store, profile: { name: 'tab' } });
    await client.connect();
    const position = { lat: 47.1, lon: 8.1, h: 0 };
    await client.locate(position);
    const geopose = { position, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    window.here = { client, geopose };
}"""
DYING = """async (count) => {
    const { client, geopose } = window.here;
    // The link takes nothing any more, as in a tunnel; what is placed is kept all the same.
    client.socket.send = () => {};
    for (let number = 0; number < count; number++) {
        client.place('preset:heart', { geopose }, { text: String(number) }).catch(() => {});
    }
    for (;;) {
        if ((await client.store.load()).requests.length === count) return;
    }
}"""
REVIVED = """async ([server, count]) => {
    const { CairnClient, IndexedStore } = await import(server + '/play/cairn/index.js');
    const client = new CairnClient({ url: server, store: new IndexedStore('test') });
    const texts = [];
    client.on('answered', ({ result }) => texts.push(result.instance.text));
    client.move({ lat: 47.1, lon: 8.1, h: 0 });
    await client.connect();
    while (texts.length < count) await client.next('answered');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { requests } = await client.store.load();
    const seen = client.view.instances.map(({ text }) => text).sort();
    return { texts, seen, waits: requests.length, name: client.welcome.name };
}"""
EMPTIED = """async () => {
    const { client } = window.here;
    const { IndexedStore } = await import('/play/cairn/index.js');
    const told = new Promise((resolve) => new IndexedStore('test').onEmptied(() => resolve(true)));
    await client.signOut();
    const { profile, requests, settings } = await client.store.load();
    return [profile.token, requests.length, settings.length, await told];
}"""
CUTS = """async ([server, cuts]) => {
    const { CairnClient } = await import(server + '/play/cairn/index.js');
    let state = 17;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const make = async (name) => {
        const client = new CairnClient({ url: server, profile: { name }, random });
        client.found = [];
        client.on('violation', ({ rule, detail }) => client.found.push(rule + ': ' + detail));
        await client.connect();
        await client.locate({ lat: 47.2, lon: 8.2, h: 0 });
        return client;
    };
    const [ada, ben] = [await make('cut-a'), await make('cut-b')];
    const position = { lat: 47.2, lon: 8.2, h: 0 };
    const geopose = { position, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    const order = [];
    const appeared = [];
    ben.on('appeared', ({ id }) => appeared.push(id));
    const placed = [];
    for (let cut = 0; cut < cuts; cut++) {
        placed.push(ada.place('preset:heart', { geopose }, { text: String(cut) }));
        await new Promise((resolve) => setTimeout(resolve, random() * 10));
        const one = random() < 0.5 ? ada : ben;
        one.cut();
        one.hurry();
    }
    const ids = (await Promise.all(placed)).map(({ id }) => id);
    const all = () => ids.every((id) => ben.view.instance(id));
    for (let wait = 0; wait < 200 && !all(); wait++) await new Promise((resolve) => setTimeout(resolve, 50));
    const twice = appeared.length - new Set(appeared).size;
    return { distinct: new Set(ids).size, seen: all(), count: ben.view.instances.length, twice,
        found: [...ada.found, ...ben.found] };
}"""
SETTINGS = {"placement__perMinute": 100_000, "placement__perDay": 100_000, "placement__areaQuota": 100_000,
            "connections__messagesPerSecond": 10_000, "connections__messagesBurst": 100_000}


async def launched(playwright):
    program = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
    return await playwright.chromium.launch(args=["--no-sandbox"], **program)


@pytest.mark.seconds(120)
async def test_the_outbox_survives_a_crash_of_the_tab_and_a_sign_out_empties_it(server):
    async with async_playwright() as playwright:
        browser = await launched(playwright)
        context = await browser.new_context()
        page = await context.new_page()
        await page.goto(server.http + "/play/two")
        await page.evaluate(OUTBOX, server.http)
        await page.evaluate(DYING, 20)
        # The tab is gone without a word; a new one of the same origin goes on.
        await page.close(run_before_unload=False)
        page = await context.new_page()
        await page.goto(server.http + "/play/two")
        told = await page.evaluate(REVIVED, [server.http, 20])
        assert told == {"texts": [str(number) for number in range(20)], "waits": 0, "name": "tab",
                        "seen": sorted(str(number) for number in range(20))}
        await page.evaluate(OUTBOX, server.http)
        assert await page.evaluate(EMPTIED) == ["", 0, 0, True]
        await browser.close()


@pytest.mark.seconds(240)
async def test_cuts_in_a_browser_lose_double_and_reorder_nothing(server):
    """The short form; CAIRN_CUTS=1000 is the long one."""
    cuts = int(os.environ.get("CAIRN_CUTS", 100))
    async with async_playwright() as playwright:
        browser = await launched(playwright)
        page = await browser.new_page()
        await page.goto(server.http + "/play/two")
        told = await page.evaluate(CUTS, [server.http, cuts])
        assert told == {"distinct": cuts, "seen": True, "count": cuts, "twice": 0, "found": []}
        await browser.close()
