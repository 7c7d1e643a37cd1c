// cairn.js against a server: what one client does the other sees, over cuts and kills.

import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import test, { after, before } from 'node:test';

import { CairnClient, MemoryStore, Refusal } from '../../Sources/CairnPlay/Resources/cairn/index.js';
import { random } from './random.mjs';
import { startServer } from './server.mjs';
import { NodeSocket } from './socket.mjs';

/** @type {any} */
let server;
before(async () => { server = await startServer(); });
/** @type {CairnClient[]} */
const clients = [];
after(async () => {
    // Those of a test that failed too: they would come back for ever, and Node would wait for them.
    for (const client of clients) client.disconnect();
    await server.stop();
});

let spots = 0;
/** A place of one's own for each test. */
const spot = () => ({ lat: 40 + spots++ / 10, lon: 20, h: 100 });
const poseAt = (/** @type {any} */ position) => ({ geopose: { position, quaternion: { x: 0, y: 0, z: 0, w: 1 } } });

const socket = (/** @type {string} */ url, /** @type {string} */ protocol) => (
    /** @type {any} */ (new NodeSocket(url, protocol)));

/** @param {any} [options] */
function made(options) {
    const client = new CairnClient({ url: server.url, socket, ...options });
    clients.push(client);
    return client;
}

/** @param {string} name @param {any} [options] */
async function connected(name, options = {}) {
    const client = made({ profile: { name, sharesPosition: true, shareAccuracy: 0 }, ...options });
    client.violations = [];
    client.on('violation', (/** @type {any} */ violation) => client.violations.push(violation));
    await client.connect();
    return client;
}

/** @param {() => boolean} holds @param {string} what */
async function eventually(holds, what, milliseconds = 8_000) {
    const end = Date.now() + milliseconds;
    while (!holds()) {
        assert.ok(Date.now() < end, `not in time: ${what}`);
        await new Promise((resolve) => { setTimeout(resolve, 10); });
    }
}

for (const format of ['proto', 'json']) {
    test(`what one places, edits and removes the other sees (${format})`, async () => {
        const here = spot();
        const [ada, ben] = [await connected(`ada-${format}`, { format }), await connected(`ben-${format}`)];
        await ada.locate(here);
        await ben.locate(here);
        const heart = await ada.place('preset:heart', poseAt(here), { text: 'here' });
        await eventually(() => ben.view.instance(heart.id)?.text === 'here', 'Ben sees the heart');
        assert.equal(ada.view.isOwn(heart.id), true);
        assert.equal(ben.view.isOwn(heart.id), false);
        assert.deepEqual(ben.thingsAround().map(({ id }) => id), [heart.id]);

        const totals = await ben.react(heart, 'like');
        assert.deepEqual(totals, [{ reaction: 'like', count: 1 }]);
        await eventually(() => ada.view.instance(heart.id)?.reactions[0]?.count === 1, 'Ada sees the reaction');

        const edited = await ada.edit(ada.view.instance(heart.id), { ...poseAt(here), scale: 2 });
        assert.equal(edited.text, 'here');
        await eventually(() => ben.view.instance(heart.id)?.pose.scale === 2, 'Ben sees the edit');

        await ada.remove(edited);
        await eventually(() => ben.view.instance(heart.id) === undefined, 'it is gone');
        assert.deepEqual([...ada.violations, ...ben.violations], []);
        ada.disconnect();
        ben.disconnect();
    });

    test(`people near by are shown where they are (${format})`, async () => {
        const here = spot();
        const there = { ...here, lat: here.lat + 0.0002 };
        const [ada, ben] = [await connected(`cleo-${format}`, { format }), await connected(`dan-${format}`)];
        await ada.locate(here);
        await ben.locate(here);
        ben.move({ ...there, quaternion: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } });
        const shown = () => ada.people().find(({ name }) => name === `dan-${format}`)?.pose;
        await eventually(() => Math.abs((shown()?.lat ?? 0) - there.lat) < 2e-6, 'Ben stands there');
        assert.ok(Math.abs(shown().lon - there.lon) < 2e-6);
        assert.ok(Math.abs(shown().h - 100) < 0.1);
        assert.ok(Math.abs(shown().quaternion.z - Math.SQRT1_2) < 0.005);
        assert.deepEqual(ada.violations, []);
        ada.disconnect();
        ben.disconnect();
    });
}

test('a refusal is typed and names its remedy', async () => {
    const ada = await connected('eve');
    const here = spot();
    await ada.locate(here);
    await assert.rejects(ada.place('preset:nothing', poseAt(here)), (error) => {
        assert.ok(error instanceof Refusal);
        assert.equal(error.code, 'object_not_owned');
        assert.equal(error.remedy, 'Add it to the inventory first.');
        return true;
    });
    assert.throws(() => ada.move({ latitude: 1 }), /Position has no field latitude/);
    ada.disconnect();
});

test('changes over cuts are each made once', async () => {
    const here = spot();
    const next = random(11);
    const [ada, ben] = [await connected('fay'), await connected('gus')];
    await ada.locate(here);
    await ben.locate(here);
    /** @type {string[]} */
    const seen = [];
    ben.on('appeared', (instance) => seen.push(instance.text));
    const cuts = Number(process.env.CAIRN_CUTS ?? 60);
    let resumed = 0;
    for (const client of [ada, ben]) client.on('welcomed', (welcome) => { resumed += welcome.resumed ? 1 : 0; });
    const placed = [];
    for (let number = 0; number < cuts * 3; number++) {
        placed.push(ada.place('preset:heart', poseAt(here), { text: String(number) }));
        if (number % 3 === 2) {
            const [one, pause] = [next() < 0.5 ? ada : ben, next() * 20];
            await new Promise((resolve) => { setTimeout(resolve, pause); });
            one.cut();
            one.hurry();
        }
    }
    const ids = (await Promise.all(placed)).map(({ id }) => id);
    assert.equal(new Set(ids).size, cuts * 3);
    const has = () => ben.view.instances.filter(({ id }) => ids.includes(id)).length;
    await eventually(() => has() === cuts * 3, 'Ben sees all', 20_000);
    assert.equal(ben.view.instances.length, cuts * 3);
    assert.equal(new Set(seen).size, seen.length);
    assert.ok(resumed > 0);
    assert.deepEqual([...ada.violations, ...ben.violations], []);
    ada.disconnect();
    ben.disconnect();
});

test('a change that was on its way when the page died is made by the next page, once', async () => {
    const here = spot();
    const store = new MemoryStore();
    const first = await connected('hal', { store });
    await first.locate(here);
    // The page dies between sending and the answer.
    first.core.outgoing = [];
    void first.place('preset:heart', poseAt(here), { text: 'kept' }).catch(() => {});
    first.socket.onmessage = null;
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    first.socket.close();
    first.socket.onclose = null;

    const second = made({ store });
    const answered = second.next('answered');
    await second.connect();
    assert.equal(second.welcome.name, 'hal');
    second.move(here);
    const { kind, result } = await answered;
    assert.equal(kind, 'place');
    assert.equal(result.placed?.instance?.text ?? result.instance.text, 'kept');
    await eventually(() => second.view.instances.length === 1, 'it is there once');
    assert.equal((await store.load()).requests.length, 0);
    second.disconnect();
});

test('what one person has left to be done is not done in the name of another', async () => {
    const here = spot();
    const store = new MemoryStore();
    const first = await connected('liv', { store });
    first.disconnect();
    // The next page load, without a network: it is still hers.
    const second = made({ url: 'http://127.0.0.1:9', store });
    await second.load();
    const placing = second.place('preset:heart', poseAt(here));
    assert.equal((await store.load()).requests[0].account, first.welcome.account);
    void placing.catch(() => {});
    await store.putProfile({ token: '', deviceKey: '', account: '' });
    const other = await connected('max', { store });
    await other.locate(here);
    await other.place('preset:star', poseAt(here));
    await eventually(() => other.view.instances.length === 1, 'his is there');
    assert.equal(other.view.instances[0].object, 'preset:star');
    assert.equal(other.unansweredCount, 1);
    other.disconnect();
});

test('a hello of its own that arrives late takes the session, and the client takes it back', async () => {
    const here = spot();
    // The second connection's hello is on its way for longer than the third one's.
    let sockets = 0;
    /** @type {(() => void) | undefined} */
    let arrive;
    const late = (/** @type {string} */ url, /** @type {string} */ protocol) => {
        const one = socket(url, protocol);
        if (++sockets === 2) {
            const send = one.send.bind(one);
            one.send = (/** @type {any} */ data) => { arrive = () => send(data); };
        }
        return one;
    };
    const lou = await connected('lou', { socket: late });
    await lou.locate(here);
    await lou.place('preset:star', poseAt(here));
    let disappeared = 0;
    lou.on('disappeared', () => { disappeared++; });
    lou.cut();
    lou.hurry();
    await eventually(() => arrive !== undefined, 'the second hello is sent');
    lou.cut();
    lou.hurry();
    await lou.next('welcomed');
    const ended = lou.next('disconnected');
    arrive?.();
    assert.equal((await ended).code, 4201);
    await eventually(() => lou.isLive, 'it is back');
    assert.equal((await lou.place('preset:heart', poseAt(here))).object, 'preset:heart');
    assert.equal(sockets, 4);
    assert.equal(disappeared, 0);
    lou.disconnect();
});

test('who signs out is a guest, and nothing of them is kept or sent', async () => {
    const here = spot();
    const store = new MemoryStore();
    const kim = await connected('kim', { store });
    await kim.locate(here);
    await kim.place('preset:heart', poseAt(here));
    assert.equal(kim.isSignedIn, true);
    // It will not be answered before the sign-out.
    kim.cut();
    const waiting = kim.place('preset:heart', poseAt(here));
    kim.hurry();
    await kim.next('welcomed');
    const gone = kim.next('emptied');
    await Promise.allSettled([waiting, kim.signOut()]);
    await gone;
    assert.equal(kim.isSignedIn, false);
    assert.equal((await store.load()).profile.token, '');
    assert.equal(kim.unansweredCount, 0);
    await assert.rejects(kim.place('preset:heart', poseAt(here)), { code: 'not_signed_in' });
    kim.disconnect();
});

test('a sign-out that another tab is ahead of is done', async () => {
    const store = new MemoryStore();
    const kim = await connected('kim-in-two-tabs', { store });
    const leaving = kim.signOut();
    await store.empty();
    await leaving;
    assert.equal(kim.isSignedIn, false);
    assert.equal((await store.load()).profile.token, '');
    kim.disconnect();
});

test('who was signed out elsewhere while they were away leaves nothing behind', async () => {
    const store = new MemoryStore();
    const kim = await connected('kim-is-away', { store });
    await store.put('draft', 'of kim');
    const token = kim.core.profile.token;
    kim.disconnect();
    const other = await connected('', { profile: { token } });
    await other.signOut();
    const again = made({ store });
    const gone = again.next('emptied');
    await again.connect();
    await gone;
    assert.equal(again.isSignedIn, false);
    assert.equal(await store.get('draft'), undefined);
    [other, again].forEach((one) => one.disconnect());
});

test('a store that cannot be read yet does not forget who is signed in', async () => {
    const store = new MemoryStore();
    const kim = await connected('kim-is-kept', { store });
    await kim.keeper.profile();
    kim.disconnect();
    const { load } = store;
    store.load = () => Promise.reject(new Error('late'));
    const guest = made({ store });
    await guest.connect();
    await guest.keeper.profile();
    guest.disconnect();
    store.load = load;
    assert.notEqual((await store.load()).profile.token, '');
});

test('a client that is closed while it reads its store does not come back', async () => {
    const store = new MemoryStore();
    const kim = made({ store });
    const coming = kim.connect();
    kim.disconnect();
    await assert.rejects(coming, { code: 'client_closed' });
    assert.equal(kim.socket, null);
});

for (const format of ['proto', 'json']) {
    test(`a request that is too large is refused here, and not kept (${format})`, async () => {
        const store = new MemoryStore();
        const kim = await connected(`kim-at-large-${format}`, { store, format });
        const text = 'x'.repeat(kim.welcome.limits.messageBytes);
        await assert.rejects(kim.request('createPost', { text }), { code: 'too_large', component: 'client' });
        assert.equal((await store.load()).requests.length, 0);
        assert.equal(kim.unansweredCount, 0);
        assert.equal(kim.isLive, true);
        kim.disconnect();
    });
}

test('who shares nothing on this device shares nothing after a cut', async () => {
    const here = spot();
    const [kim, lou] = [await connected('kim-unseen'), await connected('lou-sees')];
    await lou.locate(here);
    await kim.share(false);
    await kim.saveSettings({ 'privacy.sharePosition': 'on' });
    kim.cut();
    kim.hurry();
    await kim.next('welcomed');
    await kim.locate(here);
    // What the server would have told of kim comes before what kim does now.
    await kim.place('preset:heart', poseAt(here));
    await eventually(() => lou.view.things(100, here).length === 1, 'what kim placed');
    assert.deepEqual(lou.people().map((/** @type {any} */ { name }) => name), ['lou-sees']);
    await kim.share(true);
    await eventually(() => lou.people().length === 2, 'kim is seen');
    [kim, lou].forEach((one) => one.disconnect());
});

test('a guest looks around, and goes on as a person at the same place', async () => {
    const here = spot();
    const kim = await connected('kim-looked-at');
    await kim.locate(here);
    const instance = await kim.place('preset:heart', poseAt(here));
    const eye = made({ profile: {} });
    await eye.connect();
    assert.equal(eye.isSignedIn, false);
    assert.equal(eye.isLooking, false);
    eye.move(here);
    await eventually(() => eye.view.instance(instance.id) !== undefined, 'what is public');
    assert.equal(eye.isLooking, true);
    assert.equal(eye.people().length, 0);
    const asked = { instance: instance.id, cell: instance.cell };
    const { placerName = '', actions = [] } = await eye.request('select', asked);
    assert.deepEqual([placerName, actions], ['', []]);
    await assert.rejects(eye.react(instance, 'like'), { code: 'not_signed_in' });
    await eye.request('signUp', {
        email: 'eye@example.org', username: 'eye-of-kim', password: 'Correct-Horse-7',
        consent: eye.welcome.limits.policyVersion,
    });
    assert.equal(eye.isLooking, false);
    await eventually(() => eye.view.topics.has(instance.cell), 'the view of the person');
    await eye.react(instance, 'like');
    eye.disconnect();
    kim.disconnect();
});

test('settings that were made without a network are saved with the next connection, the latest wins', async () => {
    const store = new MemoryStore();
    const phone = await connected('ida', { store });
    phone.disconnect();
    await phone.saveSettings({ 'display.theme': 'dark' });
    assert.equal(phone.settings.get('display.theme'), 'dark');
    const laptop = await connected('ida');
    const told = laptop.next('settings');
    await phone.connect();
    assert.equal((await told)[0].value, 'dark');
    await eventually(() => store.settings.length === 0, 'nothing waits');
    phone.disconnect();
    laptop.disconnect();
});

test('a link that a network has dropped without a word is noticed, and the session goes on over another', async () => {
    const quick = await startServer(['connections.pingSeconds=1', 'connections.silenceSeconds=60']);
    // A network in between, whose links stay open and carry nothing any more when they are cut.
    /** @type {import('node:net').Socket[]} */
    const ends = [];
    /** @type {(() => void)[]} */
    const cuts = [];
    const network = createServer((near) => {
        const far = connect(Number(new URL(quick.url).port), '127.0.0.1');
        let isDead = false;
        cuts.push(() => { isDead = true; });
        ends.push(near, far);
        for (const [one, other] of [[near, far], [far, near]]) {
            one.on('data', (data) => { if (!isDead) other.write(data); });
            one.on('error', () => {});
            one.on('close', () => { if (!isDead) other.destroy(); });
        }
    });
    await new Promise((then) => { network.listen(0, '127.0.0.1', () => then(undefined)); });
    const { port } = /** @type {import('node:net').AddressInfo} */ (network.address());
    const client = made({ url: `http://127.0.0.1:${port}`, profile: { name: 'kim' } });
    try {
        await client.connect();
        const here = spot();
        await client.locate(here);
        // A server that has nothing to tell answers when it is asked, and the link stays.
        let signs = 0;
        client.on('frame', ({ direction, message }) => {
            if (direction !== 'in') return;
            signs += message.items.filter((/** @type {any} */ { reply }) => reply?.settingList).length;
        });
        await eventually(() => signs >= 2, 'the server has answered twice');
        const told = client.next('disconnected');
        for (const cut of cuts) cut();
        const placed = client.place('preset:heart', poseAt(here));
        assert.equal((await told).reason, 'silent');
        const { id } = await placed;
        assert.ok(client.welcome?.resumed);
        await eventually(() => client.view.instance(id) !== undefined, 'the heart is in view');
    } finally {
        client.disconnect();
        for (const end of ends) end.destroy();
        network.close();
        await quick.stop();
    }
});

test('after kill -9 of the server the view and the changes go on', async () => {
    const here = spot();
    const ada = await connected('joe');
    await ada.locate(here);
    const first = await ada.place('preset:heart', poseAt(here));
    await server.kill();
    const second = ada.place('preset:arrow', poseAt(here));
    await server.start();
    const { id } = await second;
    await eventually(() => ada.view.instance(id) !== undefined && ada.view.instance(first.id) !== undefined, 'both');
    assert.deepEqual(ada.violations, []);
    ada.disconnect();
});
