// What cairn.js promises to apps: dead links are noticed, other versions of the protocol are refused, what cannot be
// stored is told and tried again, and a store of snapshots shows one moment at a time.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test, { after } from 'node:test';

import {
    CairnClient, ClientCore, MemoryStore, decode, encode, liveStore, placeOf, poseAt, webXR,
} from '../../Sources/CairnPlay/Resources/cairn/index.js';
import { NodeSocket } from './socket.mjs';

const HERE = { lat: 47.3769, lon: 8.5417, h: 408 };
const WELCOME = { role: 'general', account: 'a', name: 'ada', session: 's', token: 't', limits: { pingInterval: 20 } };

// MARK: - The core, by a clock of the test's own

/** @param {any} [welcome] */
function greeted(welcome = WELCOME) {
    const core = new ClientCore({ profile: { name: 'ada' } });
    core.connectionOpened(0);
    const [{ message }] = core.takeOutgoing();
    say(core, { reply: { id: message.id, welcome } }, 0);
    core.takeOutgoing();
    return core;
}

/** @param {ClientCore} core @param {any} item @param {number} now */
function say(core, item, now) { return core.receive(encode('ServerMessage', { items: [item] }), now); }

test('a server that is quiet for a ping interval is asked, and the link is dead after another one', () => {
    const core = greeted();
    assert.equal(core.nextWake, 20_000);
    assert.deepEqual(core.wake(19_999), []);
    assert.deepEqual(core.takeOutgoing(), []);
    assert.deepEqual(core.wake(20_000), []);
    const [{ message }] = core.takeOutgoing();
    assert.ok(message.id > 0 && message.getSettings);
    assert.equal(core.nextWake, 40_000);
    assert.deepEqual(core.wake(39_999), []);
    assert.deepEqual(core.wake(40_000), [['silent', undefined]]);
    // It counts as no request of the app's.
    assert.equal(core.ledger.count, 0);
});

test('any message is a sign of life, and the answer to the question tells nothing', () => {
    const core = greeted();
    core.wake(20_000);
    const [{ message }] = core.takeOutgoing();
    assert.deepEqual(say(core, { reply: { id: message.id, settingList: { settings: [] } } }, 21_000), []);
    assert.equal(core.nextWake, 41_000);
    core.wake(41_000);
    assert.equal(core.takeOutgoing().length, 1);
    say(core, { notice: { text: 'hello' } }, 60_000);
    assert.deepEqual(core.wake(61_000), []);
    assert.equal(core.nextWake, 80_000);
});

test('a device that slept asks once more before it gives a link up', () => {
    const core = greeted();
    core.wake(20_000);
    core.takeOutgoing();
    // The answer may lie unread: an hour has passed in between.
    assert.deepEqual(core.wake(3_620_000), []);
    assert.equal(core.takeOutgoing().length, 1);
    assert.deepEqual(core.wake(3_640_000), [['silent', undefined]]);
});

test('a page in the background, whose timers are always late, gives a dead link up, too', () => {
    const core = greeted();
    core.wake(60_000);
    assert.deepEqual(core.wake(120_000), []);
    assert.deepEqual(core.wake(180_000), [['silent', undefined]]);
    // One that lives stays.
    const other = greeted();
    for (let now = 60_000; now < 600_000; now += 60_000) {
        assert.deepEqual(other.wake(now), []);
        for (const { message } of other.takeOutgoing()) {
            say(other, { reply: { id: message.id, settingList: { settings: [] } } }, now + 100);
        }
    }
});

test('a device that wakes doubts a server that was quiet, for ten seconds at most', () => {
    const core = greeted();
    core.doubt(2_000);
    assert.deepEqual(core.takeOutgoing(), []);
    core.doubt(6_000);
    assert.equal(core.takeOutgoing().length, 1);
    assert.deepEqual(core.wake(15_999), []);
    assert.deepEqual(core.wake(16_000), [['silent', undefined]]);
});

test('a guest who looks asks by the position, and one who does not asks only while something waits', () => {
    const limits = { pingInterval: 20, guestsLook: true };
    const core = greeted({ role: 'guest', limits });
    assert.equal(core.nextWake, null);
    core.ask('signIn', { login: 'ada', password: 'x' });
    core.takeOutgoing();
    core.wake(20_000);
    assert.ok(core.takeOutgoing()[0].message.getPolicy);
    assert.deepEqual(core.wake(40_000), [['silent', undefined]]);
    const looking = greeted({ role: 'guest', limits });
    looking.move(HERE);
    looking.takeOutgoing();
    looking.wake(20_000);
    const [{ message }] = looking.takeOutgoing();
    assert.ok(message.id > 0);
    assert.deepEqual(message.position, HERE);
});

test('a server that names no ping interval is not watched', () => {
    const core = greeted({ ...WELCOME, limits: {} });
    assert.equal(core.nextWake, null);
    assert.deepEqual(core.wake(1e9), []);
    assert.deepEqual(core.takeOutgoing(), []);
});

// MARK: - Clients on links of the test's own

/** The other end of a client's links: answers hello and what a test adds. */
class FakeServer {
    constructor() {
        /** @type {any[]} */
        this.links = [];
        /** @type {any[]} */
        this.heard = [];
        /** What answers a hello. @type {(id: number) => any} */
        this.greets = (id) => ({ id, welcome: WELCOME });
        this.isMute = false;
    }

    /** @returns {any} */
    open() {
        const link = {
            readyState: 0,
            send: (/** @type {Uint8Array} */ bytes) => {
                const message = decode('ClientMessage', bytes);
                this.heard.push(message);
                if (message.hello && !this.isMute) queueMicrotask(() => this.say({ reply: this.greets(message.id) }));
            },
            close: () => { link.readyState = 3; },
        };
        this.links.push(link);
        queueMicrotask(() => {
            link.readyState = 1;
            /** @type {any} */ (link).onopen?.({});
        });
        return link;
    }

    /** @param {any[]} items */
    say(...items) { this.links.at(-1).onmessage?.({ data: encode('ServerMessage', { items }).slice().buffer }); }
}

/** @param {FakeServer} server @param {any} [options] */
function clientOf(server, options = {}) {
    return new CairnClient({ url: 'http://127.0.0.1:1', socket: () => server.open(), random: () => 0.01, ...options });
}

test('a client on a dead link says so, comes back, and sends what was not answered', async () => {
    const server = new FakeServer();
    server.greets = (id) => ({ id, welcome: { ...WELCOME, limits: { pingInterval: 1 } } });
    const client = clientOf(server);
    await client.connect();
    // From now on nothing arrives on this link, and nothing says that it is gone.
    const [link] = server.links;
    link.send = () => {};
    void client.place('preset:heart', poseAt(HERE)).catch(() => {});
    const { reason, after } = await client.next('disconnected');
    assert.equal(reason, 'silent');
    assert.ok(after !== null && after < 1_000);
    await client.next('welcomed');
    assert.equal(server.links.length, 2);
    const [hello, place] = server.heard.slice(1);
    assert.equal(hello.hello.session, 's');
    assert.ok(place.place && place.key);
    // To close it would end the session.
    assert.equal(link.readyState, 1);
    client.disconnect();
});

test('a client takes a socket that was opened before it', async () => {
    const server = new FakeServer();
    const socket = server.open();
    await new Promise((done) => setTimeout(done));
    assert.equal(socket.readyState, 1);
    const client = clientOf(server, { socket: () => socket });
    assert.equal((await client.connect()).session, 's');
    assert.equal(server.heard.length, 1);
    client.disconnect();
});

test('a client wakes with its device, until it is closed', async () => {
    const device = new EventTarget();
    Object.assign(globalThis, { addEventListener: device.addEventListener.bind(device) });
    try {
        const server = new FakeServer();
        const client = clientOf(server, { random: () => 0.99 });
        await client.connect();
        const asked = () => server.heard.filter(({ getSettings }) => getSettings).length;
        device.dispatchEvent(new Event('pageshow'));
        assert.equal(asked(), 0);
        // The server was heard an hour ago.
        client.core.link.heardAt -= 3_600_000;
        device.dispatchEvent(new Event('pageshow'));
        assert.equal(asked(), 1);
        // In a pause it tries again at once.
        client.cut();
        assert.equal(client.state, 'pausing');
        const back = client.next('welcomed');
        device.dispatchEvent(new Event('online'));
        assert.equal(client.state, 'connecting');
        await back;
        client.disconnect();
        device.dispatchEvent(new Event('online'));
        assert.deepEqual([client.state, server.links.length], ['offline', 2]);
    } finally {
        delete (/** @type {any} */ (globalThis).addEventListener);
    }
});

for (const [server, older] of [[2, 'the app'], [0, 'the server']]) {
    test(`a hello that is refused for its version tells that ${older} is older`, async () => {
        const fake = new FakeServer();
        const refusal = { code: 'unsupported_version', message: 'no', details: { version: String(server) } };
        fake.greets = (id) => ({ id, refusal });
        const client = clientOf(fake);
        /** @type {any[]} */
        const told = [];
        client.on('unsupported', (versions) => told.push(versions));
        await assert.rejects(client.connect(), { code: 'unsupported_version' });
        assert.deepEqual([told, client.state], [[{ client: 1, server }], 'offline']);
    });
}

test('a server that is replaced by one of another version is not asked for ever', async () => {
    const server = new FakeServer();
    const client = clientOf(server);
    await client.connect();
    const refusal = { code: 'unsupported_version', message: 'no', details: { version: '2' } };
    server.greets = (id) => ({ id, refusal });
    client.cut();
    const told = client.next('unsupported');
    client.hurry();
    const [refused, gone] = [client.next('refused'), client.next('disconnected')];
    assert.deepEqual(await told, { client: 1, server: 2 });
    assert.equal(client.state, 'offline');
    // As of any end for good.
    assert.equal((await refused).code, 'unsupported_version');
    assert.equal((await gone).after, null);
});

for (const [protocol, code] of [[2, 'unsupported_version'], [1, 'unreachable'], [null, 'unreachable']]) {
    test(`a server that takes no socket and serves cairn.js of protocol ${protocol}: ${code}`, async () => {
        const server = createServer((asked, answer) => {
            const isThere = asked.url === '/play/cairn/package.json' && protocol !== null;
            answer.writeHead(isThere ? 200 : 404).end(JSON.stringify({ cairn: { protocol } }));
        });
        server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'));
        await new Promise((then) => { server.listen(0, '127.0.0.1', () => then(undefined)); });
        const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
        const socket = (/** @type {string} */ url, /** @type {string} */ protocol) => (
            /** @type {any} */ (new NodeSocket(url, protocol)));
        const client = new CairnClient({ url: `http://127.0.0.1:${port}`, socket });
        const other = code === 'unreachable' ? null : client.next('unsupported');
        await assert.rejects(client.connect(), { code });
        assert.deepEqual(other && await other, other && { client: 1, server: 2 });
        server.closeAllConnections();
        server.close();
    });
}

// MARK: - Storage

// A client that waits to store something keeps no process up, and so not the tests.
const waits = setInterval(() => {}, 1_000);
after(() => clearInterval(waits));

test('what cannot be stored is told, tried again, and told to be stored', async () => {
    const store = new MemoryStore();
    const put = store.putRequest.bind(store);
    let isClosed = true;
    store.putRequest = async (request) => {
        if (isClosed) throw new Error('the database is closed');
        return put(request);
    };
    // Each change has a key of its own.
    const client = clientOf(new FakeServer(), { store, random: Math.random });
    /** @type {any[]} */
    const errors = [];
    client.on('error', (error) => errors.push(error));
    const told = client.next('kept');
    client.place('preset:heart', poseAt(HERE)).catch(() => {});
    client.place('preset:star', poseAt(HERE)).catch(() => {});
    assert.deepEqual(await told, { isKept: false, waiting: 2 });
    assert.equal(errors.length, 1);
    isClosed = false;
    assert.deepEqual(await client.next('kept'), { isKept: true, waiting: 0 });
    assert.deepEqual((await store.load()).requests.map(({ body }) => body.object), ['preset:heart', 'preset:star']);
});

test('what was answered or signed out in the meantime is not stored any more', async () => {
    const store = new MemoryStore();
    store.putRequest = async () => { throw new Error('the database is closed'); };
    const client = clientOf(new FakeServer(), { store });
    client.on('error', () => {});
    client.place('preset:heart', poseAt(HERE)).catch(() => {});
    await client.next('kept');
    const told = client.next('kept');
    await store.empty();
    assert.deepEqual(await told, { isKept: true, waiting: 0 });
});

// MARK: - Snapshots

const topic = { topic: '5d0b5/public', epoch: 1n, sequence: 1n };
const thing = (/** @type {string} */ id, /** @type {number} */ version = 1) => ({
    id, version, object: 'preset:heart', cell: '5d0b5', pose: poseAt(HERE) });
const IDS = ['d837eymr8qfy3', 'd837eymr8qfy4'];

test('what happens between the first snapshot and the subscription is in the next snapshot', async () => {
    const server = new FakeServer();
    server.greets = (id) => ({ id, welcome: WELCOME });
    const client = clientOf(server);
    const store = liveStore(client);
    assert.equal(store.getSnapshot().state, 'offline');
    await client.connect();
    const end = store.subscribe(() => {});
    assert.equal(store.getSnapshot().state, 'live');
    end();
    client.disconnect();
});

test('a snapshot stays the same object until something changes, and its parts until they do', async () => {
    const server = new FakeServer();
    server.greets = (id) => ({ id, welcome: { ...WELCOME, limits: { viewRadius: 300 } } });
    const client = clientOf(server);
    const store = liveStore(client);
    let count = 0;
    const end = store.subscribe(() => { count += 1; });
    client.move(HERE);
    await client.connect();
    await Promise.resolve();
    const before = store.getSnapshot();
    assert.equal(before, store.getSnapshot());
    assert.equal(before.state, 'live');
    assert.equal(before.account?.name, 'ada');
    count = 0;
    server.say({ snapshot: { cursor: topic, first: true, last: true, instances: IDS.map((id) => thing(id)) } });
    // Not before the message is read to its end, and once for all of it.
    assert.equal(store.getSnapshot(), before);
    await Promise.resolve();
    const after = store.getSnapshot();
    assert.deepEqual([count, after.things.map(({ id }) => id)], [1, IDS]);
    assert.equal(after.settings, before.settings);
    assert.equal(after.people, before.people);
    assert.ok(Object.isFrozen(after));
    server.say({ notice: { text: 'nothing of this' } });
    server.say({ event: { topic: topic.topic, sequence: 2n, reacted: {
        instance: IDS[0], reactions: [{ reaction: 'like', count: 1 }] } } });
    await Promise.resolve();
    const [reacted, other] = store.getSnapshot().things;
    assert.deepEqual([count, reacted.reactions[0].count], [2, 1]);
    assert.notEqual(reacted, after.things[0]);
    assert.equal(other, after.things[1]);
    assert.equal(after.things[0].reactions.length, 0);
    end();
    server.say({ event: { topic: topic.topic, sequence: 3n, left: { instance: IDS[0] } } });
    await Promise.resolve();
    assert.equal(count, 2);
    // Without listeners it is made when it is asked for.
    assert.equal(store.getSnapshot().things.length, 1);
    client.disconnect();
});

test('poses and places go both ways', () => {
    const pose = poseAt(HERE, 90);
    assert.deepEqual(placeOf({ pose }), HERE);
    assert.equal(placeOf({}), null);
    assert.deepEqual(placeOf({ post: { place: { lat: 1, lon: 2 } } }), { lat: 1, lon: 2, h: 0 });
    // A quarter clockwise, seen from above: three.js turns about +Y the other way.
    const { y, w } = webXR.orientation(pose.geopose.quaternion);
    assert.ok(Math.abs(y + Math.SQRT1_2) < 1e-12 && Math.abs(w - Math.SQRT1_2) < 1e-12);
});
