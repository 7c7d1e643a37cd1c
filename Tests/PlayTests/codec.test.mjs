// The codec against the golden messages, which the Swift codec reads and writes too.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { MalformedMessage, decode, encode } from '../../Sources/CairnPlay/Resources/cairn/codec.js';
import { ClientCore } from '../../Sources/CairnPlay/Resources/cairn/index.js';
import { fromJSON, toJSON } from '../../Sources/CairnPlay/Resources/cairn/json.js';
import { random } from './random.mjs';

const GOLDEN = new URL('../CairnWireTests/Golden', import.meta.url).pathname;

const golden = readdirSync(GOLDEN, { recursive: true })
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({
        name,
        type: name.includes('client/') ? 'ClientMessage' : 'ServerMessage',
        json: JSON.parse(readFileSync(join(GOLDEN, name), 'utf8')),
        bytes: new Uint8Array(Buffer.from(
            readFileSync(join(GOLDEN, name.replace(/json$/, 'hex')), 'utf8').replace(/\s/g, ''), 'hex')),
    }));

// Poses are bytes in one form and numbers in the other.
const hasPoses = ({ name }) => name.includes('presence');

test('the golden messages are read alike in both forms', () => {
    assert.ok(golden.length > 100);
    for (const one of golden) {
        if (hasPoses(one)) continue;
        assert.deepEqual(decode(one.type, one.bytes), fromJSON(one.type, one.json), one.name);
    }
});

test('what is read is written as the golden messages have it', () => {
    for (const one of golden) {
        const message = decode(one.type, one.bytes);
        assert.deepEqual(decode(one.type, encode(one.type, message)), message, one.name);
        if (hasPoses(one)) continue;
        assert.deepEqual(toJSON(one.type, fromJSON(one.type, one.json)), one.json, one.name);
        assert.equal(Buffer.from(encode(one.type, message)).toString('hex'), Buffer.from(one.bytes).toString('hex'),
            one.name);
    }
});

test('damaged messages are malformed and nothing worse', () => {
    const next = random(7);
    for (let round = 0; round < 20_000; round++) {
        const one = golden[Math.floor(next() * golden.length)];
        const bytes = one.bytes.slice(0, Math.floor(next() * (one.bytes.length + 1)));
        for (let flips = 0; flips < 3 && bytes.length > 0; flips++) {
            bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
        }
        try {
            decode(one.type, bytes);
        } catch (error) {
            assert.ok(error instanceof MalformedMessage, `${one.name}: ${error}`);
        }
    }
});

test('a name that the schema does not have is a mistake', () => {
    assert.throws(() => encode('ClientMessage', { place: { objekt: 'preset:heart' } }), /Place has no field objekt/);
    assert.throws(() => toJSON('ClientMessage', { palce: {} }), /ClientMessage has no field palce/);
});

test('what a device does not know of its position is left out, whether it is sent at once or asked', () => {
    const core = new ClientCore({ random: Math.random });
    core.phase = 'live';
    const given = { lat: 47.3769, lon: 8.5417, accuracy: NaN, heading: NaN, speed: NaN };
    core.move(given);
    core.ask('position', given);
    core.move({ ...given, heading: 90 });
    const place = { lat: 47.3769, lon: 8.5417 };
    assert.deepEqual(core.outgoing.map(({ position }) => position), [place, place, { ...place, heading: 90 }]);
});
