// What the 3D view decides without a picture: how people walk, how large what is far away is drawn, and what lies beside
// the picture. And how exactly times and places are told.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { page } from './page.mjs';
import { random } from './random.mjs';

const near = (/** @type {number} */ a, /** @type {number} */ b, within = 1e-9) => assert.ok(
    Math.abs(a - b) <= within, `${a} is not ${b}`);

// MARK: - Walking

const { Gaits } = await page('realm/gait.js');

/**
 * Somebody goes east and south at so many metres a second; what their gait is at the end, and the strides on the way.
 * @param {any} gaits @param {number} east @param {number} south @param {number} [seconds] @param {number} [begin]
 */
const walk = (gaits, east, south, seconds = 4, begin = 0) => {
    const strides = [];
    let gait = { facing: /** @type {number | null} */ (null), stride: 0 };
    for (let step = 1; step <= seconds * 20; step++) {
        const at = begin + step / 20;
        gait = gaits.step('a', east * at, south * at, at);
        strides.push(gait.stride);
    }
    return { ...gait, strides };
};

test('who walks faces where they go, whatever their device looks at', () => {
    for (const [east, south, facing] of [[0, -1.3, 0], [-1.3, 0, Math.PI / 2], [1.3, 0, -Math.PI / 2]]) {
        near(/** @type {number} */ (walk(new Gaits(), east, south).facing), facing, 0.01);
    }
    near(Math.abs(/** @type {number} */ (walk(new Gaits(), 0, 1.3).facing)), Math.PI, 0.01);
});

test('legs swing to both sides, by the length of the way, and stand still with the person', () => {
    const gaits = new Gaits(), { strides } = walk(gaits, 1.4, 0, 10);
    assert.ok(Math.max(...strides) > 0.4 && Math.min(...strides) < -0.4 && Math.max(...strides) < 0.7);
    // Ten seconds at 1.4 m a second are 14 m: ten times two steps.
    const turns = strides.filter((one, n) => n > 0 && Math.sign(one) !== Math.sign(strides[n - 1])).length;
    assert.ok(turns >= 18 && turns <= 22, `${turns} times`);
    let gait = null;
    for (let at = 10; at < 12; at += 0.05) gait = gaits.step('a', 14, 0, at);
    assert.deepEqual(gait, { facing: null, stride: 0 });
});

test('a fix that wanders a little, and a place far away, are no walk', () => {
    const next = random(5), gaits = new Gaits();
    for (let at = 0; at < 20; at += 0.5) {
        const { facing, stride } = gaits.step('a', 0.05 * next(), 0.05 * next(), at);
        assert.deepEqual([facing, stride], [null, 0]);
    }
    assert.deepEqual(gaits.step('a', 500, 0, 21), { facing: null, stride: 0 });
});

test('who is gone is forgotten', () => {
    const gaits = new Gaits();
    for (let n = 0; n < 100; n++) gaits.step(`p${n}`, 0, 0, n);
    gaits.forget(90);
    assert.equal(gaits.size, 10);
});

// MARK: - Signs

const { LEAST, beside, facing, growth } = await page('realm/signs.js');

test('within 100 m nothing is lower than 24 pixels; it grows into the thing without a jump', () => {
    const focal = 600;
    for (const height of [0.3, 0.6, 1, 1.75, 4]) {
        let before = Infinity;
        for (let away = 1; away <= 100; away += 0.25) {
            const grown = growth(away, height, focal), pixels = focal * height * grown / away;
            assert.ok(pixels >= 24 && pixels >= LEAST - 1e-9, `${height} m in ${away} m: ${pixels}`);
            assert.ok(pixels <= before + 1e-9, 'it gets smaller, or stays, with the distance');
            before = pixels;
        }
        // A thing before one's feet is as large as it is, and stands as it stands.
        assert.equal(growth(focal * height / LEAST / 2, height, focal), 1);
        assert.equal(facing(1), 0);
        near(growth(100, height, focal), growth(150, height, focal));
    }
    assert.equal(facing(growth(100, 1, focal)), 1);
    // Over the camera's picture everything is as it is.
    assert.equal(growth(80, 1, 0), 1);
});

test('what is out of the picture is at the side to which one turns to it, the nearest first', () => {
    /** What a picture of 25 degrees to either side, and from the feet up, has of it. @param {number} heading */
    const names = (heading) => {
        const spot = (/** @type {string} */ name, /** @type {number} */ bearing, /** @type {number} */ distance) => {
            const off = (((bearing - heading) % 360) + 540) % 360 - 180;
            const seen = Math.abs(off) > 80 ? null : { x: off / 25, y: distance < 2 ? -2 : 0 };
            return { name, bearing, distance, seen };
        };
        const { left, right } = beside([spot('ahead', 10, 20), spot('east', 90, 30), spot('behind', 190, 10),
            spot('near', 100, 5), spot('far', 90, 400), spot('feet', 0, 1)], heading);
        return [left, right].map((side) => side.map((/** @type {any} */ { name }) => name));
    };
    assert.deepEqual(names(0), [['behind'], ['near', 'east']]);
    assert.deepEqual(names(90), [['feet', 'ahead'], ['behind']]);
    assert.deepEqual(names(350), [['behind'], ['near', 'east']]);
});

test('what is below the picture is at a side where a turn brings it in, as behind a bird', () => {
    const seen = { x: 0, y: -3 };
    const { left, right } = beside([{ bearing: 194, distance: 80, seen }, { bearing: 4, distance: 1, seen }], 0);
    assert.deepEqual([left.map(({ distance }) => distance), right], [[80], []]);
});

// MARK: - Nothing is told more exactly than it is known

const { roughness, squareOf } = await page('core/grid.js');
const texts = await page('core/texts.js');

/** The middle of the square of a grid, as the server computes it. @param {any} place @param {number} metres */
const middle = ({ lat, lon }, metres) => {
    const degree = 6_371_010 * Math.PI / 180, bands = Math.trunc(180 * degree / metres), high = 180 / bands;
    const band = Math.trunc((lat + 90) / high), south = band * high - 90;
    const edge = Math.max(Math.abs(south), Math.abs(south + high));
    let columns = Math.max(Math.trunc(360 * degree * Math.cos(edge * Math.PI / 180) / metres), 1);
    const spare = columns.toString(2).length - 6;
    if (spare > 0) columns = Math.floor(columns / 2 ** spare) * 2 ** spare;
    const column = Math.trunc((lon + 180) / 360 * columns);
    return { lat: (band + 0.5) * high - 90, lon: (column + 0.5) * 360 / columns - 180 };
};

test('the square that a person shares is known by its middle', () => {
    const next = random(13);
    let wrong = 0;
    for (let round = 0; round < 3_000; round++) {
        const place = { lat: 140 * next() - 70, lon: 360 * next() - 180 };
        for (const metres of [10, 100, 1000]) {
            const { lat, lon } = middle(place, metres);
            // Places come in steps of some millimetres.
            const step = 0.000_000_02 * (next() - 0.5);
            if (squareOf({ lat: lat + step, lon: lon + step }) !== metres) wrong += 1;
        }
    }
    assert.ok(wrong <= 9, `${wrong} of 9,000`);
    const pose = { ...middle({ lat: 45.5, lon: -73.5 }, 100), quaternion: null };
    near(roughness({ id: 'a', pose }), 72);
    // On the way to the next square it is the size of the one before; who shares exactly is where they are.
    near(roughness({ id: 'a', pose: { ...pose, lat: pose.lat + 0.0001234 } }), 72);
    assert.equal(roughness({ id: 'b', pose: { ...pose, quaternion: { x: 0, y: 0, z: 0, w: 1 } } }), 0);
    assert.equal(roughness({ id: 'c', pose: null }), 0);
});

test('an hour is told as an hour, a moment as a moment; an accuracy is a word', async (context) => {
    const core = (/** @type {string} */ language) => JSON.parse(readFileSync(new URL(
        `../../Sources/CairnPlay/Resources/play/js/core/texts/${language}.json`, import.meta.url), 'utf8'));
    const before = [globalThis.fetch, globalThis.document];
    context.after(() => Object.assign(globalThis, { fetch: before[0], document: before[1] }));
    Object.assign(globalThis, { document: { documentElement: {} }, fetch: async (/** @type {string} */ url) => ({
        json: async () => ({ core: core(/** @type {any} */ (/(\w+)\.json/.exec(url))[1]) }) }) });
    const hour = new Date();
    hour.setHours(21, 0, 0, 0);
    const said = /** @type {Record<string, RegExp>} */ ({ en: /^today, about 21:00$/, es: /^hoy, hacia las 21:00$/,
        fr: /^aujourd’hui, vers 21:00$/, hi: /^आज, लगभग 9 pm$/i, zh: /^今天 21:00 左右$/ });
    for (const [language, words] of Object.entries(said)) {
        await texts.speak(language);
        assert.match(texts.madeAt(hour.getTime()), words);
        assert.ok(!words.test(texts.madeAt(hour.getTime() + 60_000)));
        const exact = [0.2, 1.5, 8, 40].map(texts.exactly);
        assert.equal(new Set(exact).size, 4);
        assert.ok(exact.slice(0, 3).every((one) => !/\d/.test(one)) && /40/.test(exact[3]), exact.join());
    }
    await texts.speak('en');
    const yesterday = new Date(hour);
    yesterday.setDate(yesterday.getDate() - 1);
    assert.match(texts.madeAt(yesterday.getTime()), /^yesterday, about 21:00$/);
    yesterday.setDate(yesterday.getDate() - 3);
    assert.match(texts.madeAt(yesterday.getTime()), /\d{4}, about 21:00$/);
    assert.match(texts.madeAt(hour.getTime() + 1), /21:00/);
    assert.doesNotMatch(texts.madeAt(hour.getTime() + 1), /about/);
});
