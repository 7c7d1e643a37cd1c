// Parts of cairn.js by themselves: ground, frames, clock, hostile frames.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import {
    CairnClient, ClientCore, LocalPlane, PositionTimer, cellAt, cellCentre, cellCorners, unityEUN, webXR,
} from '../../Sources/CairnPlay/Resources/cairn/index.js';
import { ClockOffset } from '../../Sources/CairnPlay/Resources/cairn/clock.js';
import { Emitter } from '../../Sources/CairnPlay/Resources/cairn/emitter.js';
import { encode } from '../../Sources/CairnPlay/Resources/cairn/codec.js';
import { random } from './random.mjs';
import { NodeSocket } from './socket.mjs';

const socket = (/** @type {string} */ url, /** @type {string} */ protocol) => (
    /** @type {any} */ (new NodeSocket(url, protocol)));

const near = (/** @type {number} */ a, /** @type {number} */ b, within = 1e-12) => assert.ok(
    Math.abs(a - b) <= within, `${a} is not ${b}`);

test('the shared vectors of the frames hold in both directions', () => {
    const { vectors } = JSON.parse(readFileSync(new URL('../../docs/frames.json', import.meta.url), 'utf8'));
    assert.equal(vectors.length, 5);
    const turn = (/** @type {number[]} */ [x, y, z, w]) => ({ x, y, z, w });
    for (const vector of vectors) {
        for (const [name, frame] of /** @type {[string, any][]} */ ([['webXR', webXR], ['unityEUN', unityEUN]])) {
            const { position, quaternion } = vector[name];
            const [there, back] = [frame.position(vector.enu.position), frame.enuPosition(position)];
            for (const axis of [0, 1, 2]) {
                near(there[axis], position[axis]);
                near(back[axis], vector.enu.position[axis]);
            }
            const [enu, own] = [turn(vector.enu.quaternion), turn(quaternion)];
            for (const axis of /** @type {const} */ (['x', 'y', 'z', 'w'])) {
                near(frame.orientation(enu)[axis], own[axis]);
                near(frame.enuOrientation(own)[axis], enu[axis]);
            }
        }
    }
});

test('cells are those of S2', () => {
    // Made with Google's library.
    const there = { lat: 51.5007, lon: -0.1246 };
    const tokens = { 10: '487605', 12: '487604d', 13: '487604c4', 14: '487604c5', 15: '487604c44', 16: '487604c43',
        17: '487604c43c', 19: '487604c43f4' };
    for (const [level, token] of Object.entries(tokens)) assert.equal(cellAt(there, Number(level)), token);
    const next = random(3);
    for (let round = 0; round < 2_000; round++) {
        const place = { lat: Math.asin(2 * next() - 1) * 180 / Math.PI, lon: 360 * next() - 180 };
        const token = cellAt(place, 16);
        assert.equal(cellAt(/** @type {any} */ (cellCentre(token)), 16), token);
        assert.equal(cellCorners(token)?.length, 4);
    }
    assert.equal(cellCentre('xyz'), null);
    assert.equal(cellCentre('0'), null);
});

test('positions are sent at a fixed rate, also with late timers, over pauses and after a shift', () => {
    const timer = new PositionTimer(5);
    const sent = [];
    let isShifted = false;
    for (let now = 1_000; now < 4_000; now += 7) {
        if (now > 2_000 && now < 2_500) continue;
        if (sent.length === 3 && !isShifted) {
            timer.shift(30);
            isShifted = true;
        }
        if (timer.wait(now) > 0) continue;
        timer.sent(now);
        sent.push(now);
    }
    const moment = (/** @type {number} */ index) => (sent[index] - 230) % 200;
    // The first is sent at once; from the next one on a timer of 7 ms is late by less than that.
    assert.equal(sent[0], 1_000);
    assert.ok(sent.length >= 12 && sent.length <= 14, `${sent}`);
    const before = timer.due;
    timer.shift(470);
    assert.equal(timer.due - before, 70);
    const late = sent.slice(4).map((_, index) => moment(index + 4)).filter((after) => after >= 7);
    assert.ok(late.length <= 1, `the moments ${sent}`);
});

test('the plane leads there and back', () => {
    const next = random(5);
    for (let round = 0; round < 1_000; round++) {
        const plane = new LocalPlane({ lat: 180 * next() - 90, lon: 360 * next() - 180 });
        const [east, north] = [2_000 * next() - 1_000, 2_000 * next() - 1_000];
        const back = plane.metres(plane.place(east, north));
        near(back.east, east, 1e-6);
        near(back.north, north, 1e-6);
    }
});

test('of several samples of the clock the one with the shortest round trip counts', () => {
    const clock = new ClockOffset();
    clock.sample(10_000, 0, 200);
    assert.equal(clock.serverNow(0), 9_900);
    clock.sample(10_300, 300, 310);
    assert.equal(clock.serverNow(0), 9_995);
    clock.sample(99_999, 400, 900);
    assert.equal(clock.serverNow(0), 9_995);
    assert.equal(clock.uncertainty, 5);
});

test('a million random bytes as frames are violations and nothing else', () => {
    const next = random(13);
    for (const format of /** @type {('proto' | 'json')[]} */ (['proto', 'json'])) {
        const core = new ClientCore({ format, random: next });
        core.connectionOpened(0);
        const welcome = { items: [{ reply: { id: core.helloID, welcome: { role: 'general', account: 'a' } } }] };
        core.receive(format === 'proto' ? encode('ServerMessage', welcome) : JSON.stringify(welcome), 1);
        assert.equal(core.phase, 'live');
        for (let bytes = 0; bytes < 500_000;) {
            const frame = Uint8Array.from({ length: 1 + Math.floor(next() * 80) }, () => Math.floor(next() * 256));
            // Half of them begin as a message does, so that they are read further.
            if (next() < 0.5) frame.set([0x0a, Math.max(0, frame.length - 2)].slice(0, frame.length));
            const data = format === 'proto' ? frame : String.fromCharCode(...frame);
            for (const [name] of core.receive(data, bytes)) assert.equal(typeof name, 'string');
            core.takeOutgoing();
            bytes += frame.length;
        }
    }
});

test('JSON of the right form and the wrong content throws nothing', () => {
    const core = new ClientCore({ format: 'json' });
    core.connectionOpened(0);
    const odd = [null, 1, 'x', [], {}, [null], { cursor: null }, { id: 7 }, { topic: 5 }, { instance: 3 }];
    for (const kind of ['reply', 'event', 'snapshot', 'presence', 'unfollowed', 'resync', 'closing', 'continued',
        'notice', 'signedOut', 'own', 'settings', 'notifications', 'realmSelected', 'standing']) {
        for (const content of odd) core.receive(JSON.stringify({ items: [{ [kind]: content }] }), 1);
    }
});

test('a listener that throws stops nobody else', () => {
    const emitter = new Emitter();
    /** @type {any[]} */
    const heard = [];
    emitter.on('error', (error) => heard.push(error.message));
    emitter.on('x', () => { throw new Error('mine'); });
    emitter.on('x', (detail) => heard.push(detail));
    emitter.emit('x', 1);
    assert.deepEqual(heard, ['mine', 1]);
});

test('a client without a network says so', async () => {
    const client = new CairnClient({ url: 'http://127.0.0.1:9', socket });
    await assert.rejects(client.connect(), { code: 'unreachable' });
    assert.equal(client.state, 'offline');
});

test('a view shows the nearest two hundred, and fifty on a weak device or what the app says (VIS-8)', () => {
    const here = { lat: 48, lon: 2 }, id = (/** @type {number} */ n) => String(n).padStart(4, '0');
    const at = (/** @type {number} */ n) => ({ lat: here.lat + n / 1e6, lon: here.lon });
    const things = Array.from({ length: 400 }, (_, n) => ({ id: id(n), pose: { geopose: { position: at(400 - n) } } }));
    const post = { id: 'post', post: { place: here, reach: 50, expires: Date.now() + 3_600_000 } };
    for (const [options, most] of /** @type {[any, number][]} */ ([
        [{}, 200], [{ profile: { deviceClass: 'DEVICE_CLASS_LOW' } }, 50], [{ shownMax: 7 }, 7],
    ])) {
        const client = new CairnClient({ url: 'ws://127.0.0.1:9', socket, ...options });
        assert.deepEqual(client.shownAround(), [], 'without a place nothing is around');
        client.core.position = here;
        client.core.welcome = /** @type {any} */ ({ limits: { viewRadius: 100 } });
        Object.defineProperty(client.core.view, 'instances', { value: [...things, post] });
        const nearest = Array.from({ length: most - 1 }, (_, n) => id(399 - n));
        assert.deepEqual(client.shownAround().map((one) => one.id), ['post', ...nearest]);
    }
});
