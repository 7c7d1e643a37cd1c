// What the map does in a crowd, without a map: markers that do not overlap, and names where there is room.

import assert from 'node:assert/strict';
import test from 'node:test';

import { page } from './page.mjs';
import { random } from './random.mjs';

const { merged, named, past } = await page('map/crowd.js');

/** Pixels of the page at its usual size of text: of a marker that counts, and between two. */
const GROUP = 34, GAP = 4, OWN = 24;
const WIDTH = 390, HEIGHT = 844;
const PLACE = { lat: 45.5048, lon: -73.5872 };

/** @param {number} lat @param {number} lon @param {number} zoom */
const pixels = (lat, lon, zoom) => {
    const world = 256 * 2 ** zoom, sine = Math.sin(lat * Math.PI / 180);
    return { x: world * (lon / 360 + 0.5), y: world * (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) };
};

/** @param {any} a @param {any} b */
const overlap = (a, b) => a.left < b.left + b.width && b.left < a.left + a.width
    && a.top < b.top + b.height && b.top < a.top + a.height;

/** @param {any} mark */
const square = ({ x, y, size }) => ({ left: x - size / 2, top: y - size / 2, width: size, height: size });

/** Pairs that overlap, by a sweep from left to right. @param {any[]} boxes */
const overlapping = (boxes) => {
    const sorted = [...boxes].sort((a, b) => a.left - b.left), found = [];
    for (let n = 0; n < sorted.length; n++) {
        for (let m = n + 1; m < sorted.length && sorted[m].left < sorted[n].left + sorted[n].width; m++) {
            if (overlap(sorted[n], sorted[m])) found.push([sorted[n], sorted[m]]);
        }
    }
    return found;
};

/** Things and people on a square of ground, some of them in heaps. @param {() => number} next */
const crowd = (next, things = 2_000, people = 500) => {
    const heaps = Array.from({ length: 12 }, () => [next() - 0.5, next() - 0.5]);
    return Array.from({ length: things + people }, (_, n) => {
        const heap = n % 3 === 0 ? heaps[n % heaps.length] : [next() - 0.5, next() - 0.5];
        const [lat, lon] = heap.map((one) => one * 0.002 + (next() - 0.5) * 0.0001);
        const kind = n >= things ? 'person' : n % 5 === 0 ? 'post' : 'thing';
        return { key: `${kind}:${n}`, kind, lat: PLACE.lat + lat, lon: PLACE.lon + lon,
            size: kind === 'person' ? 18 : kind === 'post' ? 27 * (0.7 + 1.3 * next()) : 27 };
    });
};

/** @param {any[]} all @param {number} zoom */
const spots = (all, zoom) => all.map(({ key, kind, lat, lon, size }) => ({
    key, size, ...pixels(lat, lon, zoom), rank: kind === 'person' ? 2 : 1, counts: { [kind]: 1 },
}));

/** @param {any[]} marks @param {() => number} next */
const wanted = (marks, next) => marks.map(({ key }) => ({ key, width: 30 + 90 * next(), height: 18 }));

test('at every zoom no two markers and no two names overlap, whatever the crowd', () => {
    let markers = 0, names = 0;
    for (let round = 0; round < 5; round++) {
        const next = random(round + 1), all = crowd(next);
        for (let zoom = 2; zoom <= 22; zoom++) {
            const own = round % 2 ? { ...pixels(PLACE.lat, PLACE.lon, zoom), size: OWN } : null;
            const options = { group: GROUP, gap: GAP, own, apart: round % 3 ? GROUP : 60, loose: round % 2 ? 2 : Infinity };
            const marks = merged(spots(all, zoom), options);
            const found = named(marks, wanted(marks, next), { gap: GAP, own });
            const boxes = [...marks.map(square), ...found.values(), ...(own ? [square(own)] : [])];
            assert.deepEqual(overlapping(boxes), [], `round ${round}, zoom ${zoom}`);
            // Everything is in exactly one of them, and counted.
            const held = marks.flatMap((/** @type {any} */ { spots: of }) => of.map(
                (/** @type {any} */ one) => one.key));
            assert.equal(new Set(held).size, all.length);
            assert.equal(held.length, all.length);
            assert.equal(marks.reduce((/** @type {number} */ sum, /** @type {any} */ { count }) => sum + count, 0),
                all.length);
            markers += marks.length;
            names += found.size;
        }
    }
    // It is no empty map that has no overlaps.
    assert.ok(markers > 5 * 21 * 20 && names > 5 * 21 * 5, `${markers} markers, ${names} names`);
});

test('the same spots are the same markers, in any order, wherever the map is moved to', () => {
    const next = random(7), all = spots(crowd(next), 18);
    const options = { group: GROUP, gap: GAP, loose: 2, own: { ...pixels(PLACE.lat, PLACE.lon, 18), size: OWN } };
    const before = merged(all, options);
    const shuffled = [...all].map((one) => ({ one, by: next() })).sort((a, b) => a.by - b.by).map(({ one }) => one);
    assert.deepEqual(merged(shuffled, options), before);
    const names = wanted(before, random(9));
    assert.deepEqual(named(before, names, { gap: GAP }), named(before, names, { gap: GAP }));
    // The world is in pixels of the zoom: a part of it that is seen is merged as the whole.
    const moved = all.map((spot) => ({ ...spot, x: spot.x - 4096, y: spot.y - 8192 }));
    const there = merged(moved, { ...options, own: { ...options.own, x: options.own.x - 4096,
        y: options.own.y - 8192 } });
    assert.deepEqual(there.map((/** @type {any} */ { key, count }) => [key, count]),
        before.map((/** @type {any} */ { key, count }) => [key, count]));
});

test('who walks past changes nothing of how things are merged', () => {
    const all = spots(crowd(random(3), 400, 0), 18), options = { group: GROUP, gap: GAP, loose: 2 };
    const before = merged(all, options).map((/** @type {any} */ { x, y }) => [x, y]);
    for (let step = 0; step < 20; step++) {
        const walker = { key: 'person:a', x: all[0].x + step * 9, y: all[0].y, size: 18, rank: 2,
            counts: { person: 1 } };
        const now = merged([...all, walker], options).map((/** @type {any} */ { x, y }) => [x, y]);
        assert.deepEqual(now.slice(0, before.length), before);
    }
});

test('what lies apart stays apart, and stands where it is', () => {
    const at = (/** @type {string} */ key, /** @type {number} */ x) => (
        { key, x, y: 50, size: 27, rank: 1, counts: { thing: 1 } });
    const marks = merged([at('a', 0), at('b', 38), at('c', 90)], { group: GROUP, gap: GAP });
    assert.deepEqual(marks.map((/** @type {any} */ { key, x, count }) => [key, x, count]),
        [['a', 0, 1], ['b', 38, 1], ['c', 90, 1]]);
    const [one, other] = merged([at('a', 0), at('b', 37), at('c', 90)], { group: GROUP, gap: GAP });
    assert.deepEqual([one.key, one.counts, one.x, other.key], ['group:a', { thing: 2 }, 0, 'c']);
});

test('what the own dot would cover is drawn beside it, away from others, and stands where it is', () => {
    const own = { x: 1000, y: 1000, size: OWN }, options = { group: GROUP, gap: GAP, own };
    const at = (/** @type {string} */ key, /** @type {number} */ x, /** @type {number} */ y) => (
        { key, x, y, size: 27, rank: 1, counts: { thing: 1 } });
    const [alone] = merged([at('a', 1003, 998)], options);
    assert.deepEqual(alone.foot, { x: 1003, y: 998 });
    assert.ok(alone.x - own.x >= (27 + OWN) / 2 && alone.y === own.y && alone.count === 1);
    // To the right stands something already.
    const [under, right] = merged([at('a', 1003, 998), at('b', 1000, 1000), at('c', 1032, 1000)], options);
    assert.deepEqual([under.key, under.count, right.key], ['group:a', 2, 'c']);
    assert.deepEqual(overlapping([own, under, right].map(square)), []);
});

test('people who walk are merged where they cover one another, and no earlier', () => {
    const at = (/** @type {string} */ key, /** @type {number} */ x, rank = 2, size = 18) => (
        { key, x, y: 50, size, rank, counts: { [rank === 2 ? 'person' : 'thing']: 1 } });
    const found = (/** @type {any[]} */ ...all) => merged(all, { group: GROUP, gap: GAP, loose: 2 })
        .map((/** @type {any} */ { x, count }) => [x, count]);
    assert.deepEqual(found(at('a', 0), at('b', 22), at('c', 44)), [[0, 1], [22, 1], [44, 1]]);
    // Two become one that is larger, and covers the third.
    assert.deepEqual(found(at('a', 0), at('b', 18), at('c', 24)), [[0, 3]]);
    assert.deepEqual(found(at('a', 0), at('b', 18), at('c', 40)), [[0, 2], [40, 1]]);
    // What stands stays where it is, and takes them in.
    assert.deepEqual(found(at('t', 36, 1, 27), at('a', 0), at('b', -10)), [[36, 3]]);
});

test('a name that would be cut off, or lie under a button, goes elsewhere', () => {
    const mark = { key: 'a', x: 50, y: 50, size: 27 }, wish = [{ key: 'a', width: 60, height: 18 }];
    const side = (/** @type {any} */ options) => named([mark], wish, { gap: GAP, ...options }).get('a')?.side;
    const within = { key: '', left: 0, top: 0, width: 90, height: 200 };
    assert.deepEqual([side({}), side({ within })], ['right', 'below']);
    assert.equal(side({ within, taken: [{ key: 'tools', left: 0, top: 70, width: 90, height: 40 }] }), 'above');
    assert.equal(side({ within: { ...within, width: 55 } }), undefined);
});

test('what a server has merged is counted as it counts', () => {
    const marks = merged([
        { key: 'cell:1', x: 0, y: 0, size: 34, rank: 1, counts: { thing: 12, post: 3 } },
        { key: 'b', x: 10, y: 0, size: 27, rank: 1, counts: { thing: 1 } },
        { key: 'cell:2', x: 400, y: 0, size: 34, rank: 1, counts: { thing: 40 } },
    ], { group: GROUP, gap: GAP });
    assert.deepEqual(marks.map((/** @type {any} */ { counts, count }) => [counts, count]),
        [[{ thing: 13, post: 3 }, 16], [{ thing: 40 }, 40]]);
});

test('a name goes to the side that has room; the most important one first', () => {
    const mark = (/** @type {string} */ key, /** @type {number} */ x, /** @type {number} */ y) => (
        { key, x, y, size: 27 });
    const side = (/** @type {any[]} */ marks, /** @type {string[]} */ keys) => [...named(marks,
        keys.map((key) => ({ key, width: 60, height: 18 })), { gap: GAP })].map(([key, { side: of }]) => [key, of]);
    assert.deepEqual(side([mark('a', 0, 0)], ['a']), [['a', 'right']]);
    assert.deepEqual(side([mark('a', 0, 0), mark('b', 60, 0)], ['a', 'b']), [['a', 'left'], ['b', 'right']]);
    const between = [mark('a', 0, 0), mark('b', 60, 0), mark('c', -60, 0)];
    assert.deepEqual(side(between, ['a']), [['a', 'below']]);
    const around = [...between, mark('d', 0, 40), mark('e', 0, -40)];
    assert.deepEqual(side(around, ['a', 'd']), [['d', 'right']]);
});

test('a crowd is merged and named within a part of what a picture may take', () => {
    const all = spots(crowd(random(11)), 18), options = { group: GROUP, gap: GAP };
    const times = Array.from({ length: 15 }, () => {
        const began = performance.now();
        const marks = merged(all, options);
        named(marks, wanted(marks, random(1)), { gap: GAP });
        return performance.now() - began;
    }).sort((a, b) => a - b);
    // Beside the sorting of the same spots by their keys, which any order needs.
    const began = performance.now();
    for (let n = 0; n < 15; n++) [...all].sort((a, b) => (a.key < b.key ? -1 : 1));
    const sorting = (performance.now() - began) / 15;
    console.log(`2,500 are merged and named in ${times[7].toFixed(2)} ms, sorted in ${sorting.toFixed(2)} ms`);
    assert.ok(times[0] < 40 * sorting, `${times[0]} ms`);
});

test('the line to where something stands does not go over the own dot', () => {
    const next = random(5), radius = OWN / 2;
    let crossed = 0;
    for (let round = 0; round < 500; round++) {
        const own = { x: 1000 + next(), y: 1000 + next(), size: OWN };
        const foot = { x: own.x + next() * 60 - 30, y: own.y + next() * 60 - 30 }, angle = next() * 2 * Math.PI;
        const mark = { foot, x: own.x + 40 * Math.cos(angle), y: own.y + 40 * Math.sin(angle) };
        const [dx, dy] = [mark.x - foot.x, mark.y - foot.y], far = Math.hypot(dx, dy), begin = past(mark, own);
        const isOver = (/** @type {number} */ at) => Math.hypot(foot.x + dx * at / far - own.x, foot.y + dy * at / far
            - own.y) < radius - 0.01;
        const points = (/** @type {number} */ from) => Array.from({ length: 50 },
            (_, n) => from + (far - from) * n / 50);
        assert.equal(points(begin).some(isOver), false);
        if (points(0).some(isOver)) {
            crossed += 1;
            assert.ok(begin > 0);
        }
        assert.equal(past(mark, null), 0);
    }
    assert.ok(crossed > 100, `${crossed}`);
    // A line that goes away from the dot begins where the thing stands.
    assert.equal(past({ foot: { x: 20, y: 0 }, x: 60, y: 0 }, { x: 0, y: 0, size: OWN }), 0);
});

test('two who walk near the own dot do not become a marker over it', () => {
    const own = { x: 0, y: 0, size: OWN }, next = random(11);
    for (let n = 0; n < 400; n++) {
        const angle = next() * 2 * Math.PI, away = 20 + next() * 20;
        const walkers = [0, 1].map((one) => ({ key: `person:${one}`, x: away * Math.cos(angle) + one * 5,
            y: away * Math.sin(angle) + one * 5, size: 18, rank: 2, counts: { person: 1 } }));
        const marks = merged(walkers, { group: GROUP, gap: GAP, loose: 2, own });
        assert.deepEqual(overlapping([square(own), ...marks.map(square)]), [], `${away} ${angle}`);
    }
});
