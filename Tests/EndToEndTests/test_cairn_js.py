"""cairn.js: its tests under Node, and the same library in a browser."""

import asyncio
import os
import shutil
import subprocess

import pytest

from browser import browser, own_browser
from server import ROOT, binary


@pytest.mark.seconds(240)
def test_its_own_tests_pass():
    """Golden messages, conversations, hostile frames; and clients over cuts and a kill of the server."""
    done = subprocess.run(
        [shutil.which("node"), "--test", "--test-timeout=600000", "Tests/PlayTests/"], cwd=ROOT, capture_output=True,
        text=True, timeout=900, env=os.environ | {"CAIRN_BIN": str(binary())})
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
        client.resumed = 0;
        client.on('welcomed', ({ resumed }) => { client.resumed += Number(resumed); });
        client.on('violation', ({ rule, detail }) => client.found.push(rule + ': ' + detail));
        await client.connect();
        await client.locate({ lat: 47.2, lon: 8.2, h: 0 });
        return client;
    };
    const [ada, ben] = [await make('cut-a'), await make('cut-b')];
    const position = { lat: 47.2, lon: 8.2, h: 0 };
    const geopose = { position, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    const appeared = [];
    ben.on('appeared', ({ id }) => appeared.push(id));
    // The numbers of the events by which Ben was told, for each of what Ada placed; snapshots have none.
    const numbers = [];
    ben.on('frame', ({ direction, message }) => {
        if (direction !== 'in') return;
        for (const { event } of message.items) {
            if (event?.entered) numbers[Number(event.entered.instance.text)] = event.sequence;
        }
    });
    // How long a link takes to be there again on this machine, as it is now.
    const began = performance.now(), again = new Promise((resolve) => ben.on('welcomed', resolve));
    ben.cut();
    ben.hurry();
    await again;
    const pause = Math.max(60, 4 * (performance.now() - began));
    ben.resumed = 0;
    const placed = [];
    for (let cut = 0; cut < cuts; cut++) {
        placed.push(ada.place('preset:heart', { geopose }, { text: String(cut) }));
        // Long enough for some to be welcomed and to hear of what they missed, and too short for others.
        await new Promise((resolve) => setTimeout(resolve, random() * pause));
        const one = random() < 0.5 ? ada : ben;
        one.cut();
        one.hurry();
    }
    const ids = (await Promise.all(placed)).map(({ id }) => id);
    const all = () => ids.every((id) => ben.view.instance(id));
    for (let wait = 0; wait < 200 && !all(); wait++) await new Promise((resolve) => setTimeout(resolve, 50));
    const twice = appeared.length - new Set(appeared).size;
    const told = numbers.filter((one) => one !== undefined);
    const reordered = told.filter((one, at) => at > 0 && one <= told[at - 1]).length;
    return { distinct: new Set(ids).size, seen: all(), count: ben.view.instances.length, twice, reordered,
        hasHeard: told.length > 0, resumed: ada.resumed + ben.resumed, found: [...ada.found, ...ben.found] };
}"""
HOSTILE = r"""async ([format, golden, least]) => {
    const { CairnClient, decode, encode, fromJSON, toJSON } = await import('/play/cairn/index.js');
    let state = 23;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const below = (count) => Math.floor(random() * count);
    const told = { thrown: [], outside: [], errors: [], violations: 0, others: 0, frames: 0, bytes: 0 };
    addEventListener('error', ({ message }) => told.outside.push(message));
    addEventListener('unhandledrejection', ({ reason }) => told.outside.push(String(reason?.stack ?? reason)));

    // A link whose other end welcomes everybody.
    let link;
    class Socket {
        constructor() {
            this.readyState = 0;
            link = this;
            queueMicrotask(() => {
                this.readyState = 1;
                this.onopen?.({});
            });
        }
        send(data) {
            const { id, hello } = format === 'proto' ? decode('ClientMessage', data)
                : fromJSON('ClientMessage', JSON.parse(data));
            if (hello) queueMicrotask(() => this.say({ items: [{ reply: { id, welcome: { role: 'general', account: 'a',
                session: 's', token: 't' } } }] }));
        }
        say(message) { this.hear(format === 'proto' ? encode('ServerMessage', message)
            : JSON.stringify(toJSON('ServerMessage', message))); }
        hear(data) { this.onmessage?.({ data: typeof data === 'string' ? data : data.slice().buffer }); }
        close() { this.readyState = 3; }
    }
    const client = new CairnClient({ url: location.origin, format, random, socket: () => new Socket() });
    client.on('error', (error) => told.errors.push(String(error?.stack ?? error)));
    client.on('violation', () => { told.violations += 1; });
    for (const name of ['state', 'welcomed', 'signedOut', 'appeared', 'changed', 'disappeared', 'presence', 'notice',
        'settings', 'standing', 'selectionReset', 'realmChanged', 'notified', 'closing', 'answered', 'refused']) {
        client.on(name, () => { told.others += 1; });
    }

    const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
    const texts = golden.map(({ json }) => json), frames = golden.map(({ hex }) => bytesOf(hex));
    const noise = () => Uint8Array.from({ length: 1 + below(120) }, () => below(256));
    /** Pure noise, or a message, perhaps one that is cut off, has some bytes changed, or ends as another one does. */
    const frame = () => {
        const kind = below(6), own = frames[below(frames.length)];
        if (kind === 0) return noise();
        if (kind === 1) return own.slice(0, below(own.length));
        if (kind === 2) return own;
        if (kind === 3) {
            const other = frames[below(frames.length)];
            return Uint8Array.from([...own.slice(0, below(own.length)), ...other.slice(below(other.length))]);
        }
        const changed = own.slice();
        for (let times = 0; times < 1 + below(6); times++) changed[below(changed.length)] = below(256);
        return changed;
    };
    const word = () => ['null', '-1', '1e400', '[]', '{}', '"x"', 'true', '"\ud800"', '{"__proto__":null}'][below(9)];
    const text = () => {
        const kind = below(5), own = texts[below(texts.length)];
        if (kind === 0) return String.fromCharCode(...noise());
        if (kind === 1) return own.slice(0, below(own.length));
        if (kind === 2) return own;
        // A value in place of another one.
        const values = [...own.matchAll(/"[^"]*"(?!\s*:)|-?\d+(?:\.\d+)?|\{\}|\[\]/g)];
        if (values.length === 0) return own;
        const { index, 0: value } = values[below(values.length)];
        return own.slice(0, index) + word() + own.slice(index + value.length);
    };

    await client.connect();
    while (told.bytes < least) {
        if (!client.isLive) {
            client.hurry();
            await client.connect();
        }
        const data = format === 'proto' ? frame() : text();
        try {
            link.hear(data);
        } catch (error) {
            told.thrown.push(String(error?.stack ?? error));
        }
        told.frames += 1;
        told.bytes += data.length;
        // What listeners promised comes to light.
        if (told.frames % 200 === 0) await new Promise((then) => setTimeout(then));
        for (const one of ['thrown', 'outside', 'errors']) if (told[one].length > 20) return told;
    }
    // It still works: a thing appears.
    client.disconnect();
    await client.connect();
    await new Promise((then) => setTimeout(then, 50));
    const before = client.view.instances.length;
    link.say({ items: [{ snapshot: { cursor: { topic: 'after/public', epoch: 1, sequence: 1 }, first: true, last: true,
        instances: [{ id: 'd837eymr8qfy3', version: 1, object: 'preset:heart' }] } }] });
    return { ...told, isWell: client.view.instances.length === before + 1 };
}"""
SETTINGS = {"placement__perMinute": 100_000, "placement__perDay": 100_000, "placement__areaQuota": 100_000,
            "connections__messagesPerSecond": 10_000, "connections__messagesBurst": 100_000}


@pytest.mark.seconds(120)
async def test_the_outbox_survives_a_crash_of_the_tab_and_a_sign_out_empties_it(server):
    async with own_browser() as chromium:
        context = await chromium.new_context()
        page = await context.new_page()
        await page.goto(server.http + "/play/two")
        await page.evaluate(OUTBOX, server.http)
        await page.evaluate(DYING, 20)
        # The tab's process is gone; another tab of the same origin goes on.
        session = await context.new_cdp_session(page)
        async with page.expect_event("crash"):
            crashing = asyncio.create_task(session.send("Page.crash"))
        crashing.cancel()
        await asyncio.gather(crashing, return_exceptions=True)
        page = await context.new_page()
        await page.goto(server.http + "/play/two")
        told = await page.evaluate(REVIVED, [server.http, 20])
        assert told == {"texts": [str(number) for number in range(20)], "waits": 0, "name": "tab",
                        "seen": sorted(str(number) for number in range(20))}
        await page.evaluate(OUTBOX, server.http)
        assert await page.evaluate(EMPTIED) == ["", 0, 0, True]


@pytest.mark.seconds(240)
async def test_cuts_in_a_browser_lose_double_and_reorder_nothing(server):
    """The short form; CAIRN_CUTS=1000 is the long one."""
    cuts = int(os.environ.get("CAIRN_CUTS", 100))
    async with browser() as chromium:
        page = await chromium.new_page()
        await page.goto(server.http + "/play/two")
        told = await page.evaluate(CUTS, [server.http, cuts])
        # Most of them came back before they were cut again.
        assert told.pop("resumed") > cuts / 4, told
        assert told == {"distinct": cuts, "seen": True, "count": cuts, "twice": 0, "reordered": 0,
                        "hasHeard": True, "found": []}


@pytest.mark.seconds(300)
@pytest.mark.parametrize("format", ("proto", "json"))
async def test_a_million_hostile_bytes_reach_nothing_but_the_error_channel(server, format):
    """Noise, and messages with bytes changed, cut off and put together; CAIRN_HOSTILE_BYTES is for more of them."""
    least = int(os.environ.get("CAIRN_HOSTILE_BYTES", 1_000_000))
    golden = [{"json": path.read_text(), "hex": "".join(path.with_suffix(".hex").read_text().split())}
              for path in sorted((ROOT / "Tests/CairnWireTests/Golden").glob("**/server/**/*.json"))]
    assert len(golden) > 30
    async with browser() as chromium:
        page = await chromium.new_page()
        await page.goto(server.http + "/play/two")
        told = await page.evaluate(HOSTILE, [format, golden, least])
        print({name: value for name, value in told.items() if value})
        # Failures of listeners and of the store are events `error`; here none fails.
        assert (told["thrown"], told["outside"], told["errors"]) == ([], [], [])
        assert told["violations"] > 100 and told["others"] > 100 and told["isWell"]
