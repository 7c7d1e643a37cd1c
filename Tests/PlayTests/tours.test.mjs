// Tours on the page, without a server and without a document: prices, drafts, steps, snapping, refusals, ends.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Memory, editing } from './drafting.mjs';
import { page } from './page.mjs';

const { parsedPrice, priceWords, typedPrice } = await page('tours/price.js');
const { Steps } = await page('tours/steps.js');
const { snapped } = await page('tours/snap.js');
const { fieldOf, isOfGround, lineOf, partOf, pointOf } = await page('tours/faults.js');
const { Drafts, forgetDrafts } = await page('tours/drafts.js');
const { path, projection, shapesOn } = await page('tours/lines.js');
const { UNWRITTEN, lacks, offers } = await page('tours/whole.js');
const { nextTours, pace, timeOf, walkOf } = await page('tours/ending.js');

// MARK: - Prices

test('a price is read as people write it', () => {
    const prices = {
        '4,50': 450, '4.50 €': 450, '€4.50': 450, '4,5': 450, 'CA$ 4': 400, 'CAD 4.50': 450, '4.50 CAD': 450, '$4': 400,
        '.99': 99, ',99': 99, '4.-': 400, '4,–': 400, 'Fr. 4.50': 450, "1'200.50": 120_050, '1.200,50': 120_050,
        '1,200.50': 120_050, '1 200,50': 120_050, '1,200': 120_000, '４．５０': 450, '₹४.५०': 450, '4.50元': 450,
        '¥4': 400, '0': 0, '': 0, '  ': 0, 'free': 0, 'Free': 0, '007': 700, 'kr 9,90': 990,
    };
    for (const [text, cents] of Object.entries(prices)) assert.equal(parsedPrice(text, ['free']), cents, text);
});

test('what is no price is none, and not another price', () => {
    for (const text of ['-3', '1e3', '1-2', 'four', '4.505.1', '4,50,00', '4..5', '1.2.3', '$', '€ €', '1,20,0', 'NaN',
        '9'.repeat(41), '99999999999', '4.50.', 'Infinity']) {
        assert.equal(parsedPrice(text), null, text);
    }
});

test('a price is shown in the form of its money and of the reader, and can be typed back', () => {
    const words = (/** @type {any[]} */ ...all) => priceWords(...all).replace(/\s/g, ' ');
    assert.equal(words(450, 'EUR', 'fr'), '4,50 €');
    assert.equal(words(450, 'EUR', 'en-IE'), '€4.50');
    assert.equal(words(450, 'CAD', 'en-CA'), '$4.50');
    assert.equal(words(450, 'CAD', 'en-GB'), 'CA$4.50');
    assert.match(words(450, 'INR', 'hi'), /₹/);
    // Money without small coins.
    assert.equal(words(40_000, 'JPY', 'en'), '¥400');
    assert.equal(words(450, 'JPY', 'en'), '¥4.5');
    assert.equal(words(450, undefined, 'es'), '4,50');
    assert.equal(words(450, 'no money', 'en'), '4.50 no money');
    for (const locale of ['en-GB', 'es', 'fr', 'hi', 'zh']) {
        for (const cents of [1, 99, 450, 999, 120_050]) {
            assert.equal(parsedPrice(typedPrice(cents, locale)), cents, `${locale} ${cents}`);
            assert.equal(parsedPrice(priceWords(cents, 'EUR', locale)), cents, `${locale} ${cents}`);
        }
        assert.equal(typedPrice(0, locale), '');
    }
});

// MARK: - Undo and redo

test('steps are undone and done again, until another step is taken', () => {
    const steps = new Steps(/** @type {number[]} */ ([]));
    assert.deepEqual([steps.canUndo, steps.canRedo, steps.undo(), steps.redo()], [false, false, false, false]);
    for (const n of [1, 2, 3]) steps.take([...steps.now, n]);
    assert.equal(steps.undo() && steps.undo(), true);
    assert.deepEqual([steps.now, steps.canUndo, steps.canRedo], [[1], true, true]);
    assert.ok(steps.redo());
    assert.deepEqual(steps.now, [1, 2]);
    steps.take([]);
    assert.deepEqual([steps.now, steps.redo()], [[], false]);
    // Beginning anew is a step as well.
    assert.ok(steps.undo());
    assert.deepEqual(steps.now, [1, 2]);
});

test('what was drawn before is undone point by point, and a long line from its end', () => {
    const steps = Steps.of([1, 2, 3]);
    assert.ok(steps.undo());
    assert.deepEqual([steps.now, steps.canRedo], [[1, 2], true]);
    assert.deepEqual([Steps.of([]).now, Steps.of([]).canUndo], [[], false]);
    const long = Steps.of(Array.from({ length: 1_000 }, (_, n) => n));
    assert.deepEqual([long.now.length, long.undo(), long.now.length], [1_000, true, 999]);
});

test('steps are bounded, and the newest stay', () => {
    const steps = new Steps(0);
    for (let n = 1; n <= 1_000; n++) steps.take(n);
    let undone = 0;
    while (steps.undo()) undone++;
    assert.deepEqual([undone, steps.now], [200, 800]);
});

// MARK: - Snapping

test('a tap goes to the nearest of what is within reach, and else stays where it was', () => {
    const project = ({ lat, lon }) => ({ x: lon * 100, y: -lat * 100 });
    const there = [{ lat: 0, lon: 0, h: 3 }, { lat: 0, lon: 0.2 }];
    assert.deepEqual(snapped({ lat: 0.01, lon: 0.14 }, there, project), { lat: 0, lon: 0.2 });
    assert.deepEqual(snapped({ lat: 0.1, lon: 0.02 }, there, project), { lat: 0, lon: 0 });
    const far = { lat: 1, lon: 1 };
    assert.equal(snapped(far, there, project), far);
    assert.equal(snapped(far, [], project), far);
});

// MARK: - Refusals

test('a refusal says which field, link, point or stop it is about', () => {
    assert.equal(fieldOf({ code: 'invalid_price', details: { limit: '999' } }), 'price');
    assert.equal(fieldOf({ code: 'invalid_link', details: { index: '2' } }), 'links');
    assert.equal(fieldOf({ code: 'invalid_field', details: { field: 'seconds' } }), 'minutes');
    assert.equal(fieldOf({ code: 'missing_field', details: { field: 'name' } }), 'name');
    assert.deepEqual([fieldOf({ code: 'overloaded' }), fieldOf(undefined)], ['', '']);
    assert.equal(lineOf({ code: 'invalid_link', details: { index: '2' } }), 3);
    assert.equal(lineOf({ code: 'invalid_price', details: { index: '2' } }), 0);
    assert.deepEqual(pointOf({ code: 'invalid_route', details: { line: 'route', index: '4', reason: 'outside' } }),
        { line: 'route', index: 4, reason: 'outside' });
    assert.deepEqual(pointOf({ code: 'restricted_area', details: { line: 'route', index: '0' } }),
        { line: 'route', index: 0, reason: 'restricted' });
    for (const details of [{ line: 'x', index: '1' }, { line: 'area' }, { line: 'area', index: '-1' }, undefined]) {
        assert.equal(pointOf({ details }), null);
    }
    assert.deepEqual(partOf({ code: 'off_route', details: { part: 'abc', distance: '80', limit: '50' } }),
        { part: 'abc', metres: 80, limit: 50 });
    assert.equal(partOf({ code: 'invalid_route', details: { part: 'abc' } }), null);
    const codes = ['invalid_route', 'off_route', 'restricted_area', 'overloaded'];
    assert.deepEqual(codes.map((code) => isOfGround({ code })), [true, true, true, false]);
});

// MARK: - Drafts

test('what is entered is there for another page load, by account, tour and part', () => {
    const storage = new Memory();
    assert.ok(new Drafts(storage, 'mia').put('t', 'facts', { version: 3, value: { name: 'The w' } }));
    assert.ok(new Drafts(storage, 'mia').put('t', 'ground', { version: 1, value: { route: [{ lat: 1, lon: 2 }] } }));
    assert.deepEqual(new Drafts(storage, 'mia').of('t'), {
        facts: { version: 3, value: { name: 'The w' } }, ground: { version: 1, value: { route: [{ lat: 1, lon: 2 }] } },
    });
    assert.deepEqual([new Drafts(storage, 'ada').of('t'), new Drafts(storage, 'mia').of('u')], [{}, {}]);
});

test('what the server has is no draft any more, and nothing of it stays on the device', () => {
    const storage = new Memory(), drafts = new Drafts(storage, 'mia');
    drafts.put('t', 'facts', { version: 1, value: {} });
    drafts.put('t', 'a stop', { version: 1, value: {} });
    drafts.put('t', 'facts', null);
    assert.deepEqual(Object.keys(drafts.of('t')), ['a stop']);
    drafts.put('t', 'a stop', null);
    drafts.put('t', 'never', null);
    assert.equal(storage.kept.size, 0);
    drafts.put('u', 'facts', { version: 1, value: {} });
    drafts.drop('u');
    assert.equal(storage.kept.size, 0);
});

test('drafts are bounded in number, size and age, and what is not kept is said', () => {
    const storage = new Memory();
    let now = 0;
    const drafts = new Drafts(storage, 'mia', () => now);
    for (let n = 0; n < 25; n++) drafts.put(`t${n}`, 'facts', { version: 1, value: n });
    assert.deepEqual([drafts.of('t4'), drafts.of('t5').facts.value, drafts.of('t24').facts.value], [{}, 5, 24]);
    assert.equal(storage.kept.size, 21);
    assert.equal(drafts.put('t24', 'ground', { version: 1, value: 'x'.repeat(1_000_001) }), false);
    assert.equal(drafts.of('t24').facts.value, 24);
    now = 91 * 86_400_000;
    drafts.put('new', 'facts', { version: 1, value: 1 });
    assert.equal(storage.kept.size, 2);
    storage.full = true;
    assert.equal(drafts.put('new', 'facts', { version: 1, value: 2 }), false);
});

test('a sign-out forgets the drafts of its account alone, and what is damaged counts as none', () => {
    const storage = new Memory();
    for (const account of ['mia', 'ada']) new Drafts(storage, account).put('t', 'facts', { version: 1, value: 1 });
    storage.set('other', 'stays');
    forgetDrafts(storage, 'mia');
    assert.deepEqual([new Drafts(storage, 'mia').of('t'), new Drafts(storage, 'ada').of('t').facts.value], [{}, 1]);
    forgetDrafts(storage, 'ada');
    assert.deepEqual([...storage.kept.keys()], ['other']);
    storage.set('cairn-play-drafts', '{"no": "list"}');
    storage.set('cairn-play-draft:mia:t', '{');
    assert.deepEqual(new Drafts(storage, 'mia').of('t'), {});
    assert.ok(new Drafts(storage, 'mia').put('t', 'facts', { version: 1, value: 1 }));
});

// MARK: - What a draft lacks

const words = (/** @type {any} */ text) => text?.words?.[0]?.text ?? '';
const text = (/** @type {string} */ one) => ({ words: one ? [{ language: 'en', text: one }] : [] });

test('what a draft lacks is listed by part and field, and a text that is not written yet is missing', () => {
    assert.deepEqual(lacks({}, words).map((/** @type {any} */ { part, field }) => `${part} ${field}`),
        ['facts name', 'facts description', 'ground area', 'ground route', 'stops stops']);
    const point = { lat: 0, lon: 0 };
    const whole = {
        facts: { name: text('Walls'), description: text('Old') },
        ground: { area: [point, point, point], route: [point, point] },
        stops: [{ id: 's', name: text('Gate'), history: text('First.'), alternative: text('A gate') }], popups: [],
    };
    assert.deepEqual(lacks(whole, words), []);
    const stop = { id: 's', name: text('Gate'), history: text(UNWRITTEN), alternative: text('A gate') };
    assert.deepEqual(lacks({ ...whole, stops: [stop], popups: [{ id: 'p', text: text(UNWRITTEN) }] }, words),
        [{ part: 's', field: 'history', name: 'Gate' }, { part: 'p', field: 'text' }]);
});

test('publish and discard are there when there is something to publish or to discard', () => {
    assert.deepEqual(offers('draft', false), { publish: true, discard: false });
    assert.deepEqual(offers('', false), { publish: true, discard: false });
    assert.deepEqual(offers('published', false), { publish: false, discard: false });
    assert.deepEqual(offers('edited', false), { publish: true, discard: true });
    assert.deepEqual(offers('published', true), { publish: true, discard: true });
});

// MARK: - Ends

test('the clock of a run goes on while it is walked, and stands still else', () => {
    const run = { state: 'RUN_STATE_WALKING', milliseconds: '60000', at: '1000' };
    assert.equal(timeOf(run, 6_000), 65_000);
    assert.equal(timeOf(run, 0), 60_000);
    assert.equal(timeOf({ ...run, state: 'RUN_STATE_PAUSED' }, 6_000), 60_000);
    assert.equal(timeOf({ ...run, state: 'RUN_STATE_COMPLETED' }, 6_000), 60_000);
});

test('a walk is what its run came to, and after it come the nearest other tours', () => {
    const last = { id: 's' };
    assert.deepEqual(walkOf({ id: 'r', tour: 't', state: 'RUN_STATE_COMPLETED', reached: 4, stops: 4, metres: 900.5,
        milliseconds: '600000', last }, { name: 'Walls', code: 'ABC' }),
    { run: 'r', tour: 't', name: 'Walls', code: 'ABC', isDone: true,
        reached: 4, stops: 4, metres: 900.5, milliseconds: 600_000,
        last });
    assert.equal(walkOf({ state: 'RUN_STATE_WALKING' }, {}).isDone, false);
    assert.equal(pace({ metres: 1_000, milliseconds: 900_000 }), 4);
    assert.deepEqual([pace({ metres: 10, milliseconds: 900_000 }), pace({ metres: 1_000, milliseconds: 0 })],
        [null, null]);
    const tours = ['a', 't', 'b', 'c', 'd'].map((id) => ({ id }));
    assert.deepEqual(nextTours(tours, 't').map(({ id }) => id), ['a', 'b', 'c']);
});

// MARK: - Saving

test('what is entered is on the device at once and on the server when it is sent, on the version before', async () => {
    const { saving, sent, kept, told, end } = editing(new Memory());
    assert.equal(saving.load('facts', 4, 'old'), 'old');
    saving.enter('facts', 'new');
    assert.equal(kept().facts.value, 'new');
    await saving.flush('facts');
    assert.deepEqual(kept(), {});
    saving.enter('facts', 'newer');
    await saving.flushAll();
    await saving.flush('facts');
    assert.deepEqual(sent.map(({ value, version }) => [value, version]), [['new', 4], ['newer', 5]]);
    assert.deepEqual(told.map(([, standing]) => standing), ['kept', 'sending', 'saved', 'kept', 'sending', 'saved']);
    end();
});

test('what is entered while something is sent is sent behind it', async () => {
    /** @type {(answer: any) => void} */
    let answered = () => {};
    const { saving, sent, kept, end } = editing(new Memory(), ({ version }) => sent.length > 1
        ? { version: version + 1 } : new Promise((resolve) => { answered = resolve; }));
    saving.load('facts', 1, 'a');
    saving.enter('facts', 'b');
    const sending = saving.flush('facts');
    await new Promise(setImmediate);
    saving.enter('facts', 'c');
    // Back to what the server had counts as well, as something else is under way.
    saving.enter('facts', 'a');
    assert.equal(kept().facts.value, 'a');
    answered({ version: 2 });
    await sending;
    assert.deepEqual(sent.map(({ value, version }) => [value, version]), [['b', 1], ['a', 2]]);
    assert.notEqual(sent[0].key, sent[1].key);
    assert.deepEqual(kept(), {});
    end();
});

test('a refusal leaves what was entered, and the next try is another request', async () => {
    const no = Object.assign(new Error('no'), { code: 'invalid_price' });
    let isRefused = true;
    const { saving, sent, told, kept, end } = editing(new Memory(), () => {
        if (isRefused) throw no;
        return { version: 2 };
    });
    saving.load('facts', 1, 'a');
    saving.enter('facts', 'b');
    await assert.rejects(saving.flush('facts'), no);
    assert.deepEqual([kept().facts.value, saving.entered('facts'), told.at(-1)], ['b', 'b', ['facts', 'refused', no]]);
    isRefused = false;
    await saving.flushAll();
    assert.notEqual(sent[0].key, sent[1].key);
    assert.deepEqual([kept(), saving.unsent], [{}, []]);
    end();
});

test('after a reload in the middle the same is sent under the same key, then what was entered since', async () => {
    const storage = new Memory();
    const first = editing(storage, () => new Promise(() => {}));
    first.saving.load('stop:x', 0, null);
    first.saving.enter('stop:x', { name: 'Gate' });
    void first.saving.flush('stop:x');
    await new Promise(setImmediate);
    first.saving.enter('stop:x', { name: 'The gate' });
    first.end();
    const { saving, sent, renamed, kept, end } = editing(storage, ({ part, version }) => ({ version: version + 7,
        part: part === 'stop:x' ? 'abc' : part }));
    assert.deepEqual(saving.load('stop:x', 0, null), { name: 'The gate' });
    await saving.flushAll();
    assert.equal(sent[0].key, first.sent[0].key);
    assert.deepEqual(sent.map(({ part, value, version }) => [part, value.name, version]),
        [['stop:x', 'Gate', 0], ['abc', 'The gate', 7]]);
    assert.deepEqual([renamed, kept()], [[['stop:x', 'abc']], {}]);
    end();
});

test('what somebody else has changed is told, and kept until it is decided which counts', async () => {
    const storage = new Memory();
    const before = editing(storage);
    before.saving.load('facts', 1, 'a');
    before.saving.enter('facts', 'mine');
    before.end();
    const { saving, sent, told, kept, end } = editing(storage);
    assert.equal(saving.load('facts', 2, 'theirs'), 'mine');
    assert.deepEqual([told.at(-1), kept().facts.value], [['facts', 'conflict'], 'mine']);
    await saving.keepMine('facts', 2);
    assert.deepEqual(sent.map(({ value, version }) => [value, version]), [['mine', 2]]);
    saving.enter('facts', 'again');
    saving.drop('facts');
    assert.deepEqual([saving.entered('facts'), kept()], [undefined, {}]);
    end();
});

test('what is taken back to what the server has is no draft, and the server may have the same already', () => {
    const storage = new Memory();
    const { saving, sent, kept, end } = editing(storage);
    saving.load('facts', 1, { name: 'a' });
    saving.enter('facts', { name: 'b' });
    saving.enter('facts', { name: 'a' });
    assert.deepEqual([kept(), sent], [{}, []]);
    saving.enter('facts', { name: 'b' });
    end();
    const after = editing(storage);
    assert.deepEqual(after.saving.load('facts', 2, { name: 'b' }), { name: 'b' });
    assert.deepEqual([after.kept(), after.told], [{}, []]);
    after.end();
});

test('a tour that gets its name takes along what is entered, and nothing is sent of what waits', async () => {
    const storage = new Memory();
    const { saving, sent, kept, end } = editing(storage);
    saving.enter('facts', 'a');
    saving.enter('stop:x', 'b', true);
    saving.moveTo('u');
    assert.deepEqual([kept(), Object.keys(new Drafts(storage, 'mia').of('u'))], [{}, ['facts', 'stop:x']]);
    saving.dropAll();
    await saving.flushAll();
    assert.deepEqual([storage.kept.size, sent], [0, []]);
    end();
});

// MARK: - The small map

test('a tour is in the middle of its picture, north up and undistorted, also over the antimeridian', () => {
    const route = [{ lat: 45, lon: -73.01 }, { lat: 45.01, lon: -73 }];
    const project = projection(route, 160, 110);
    const [[x, y], [x2, y2]] = route.map(project);
    assert.ok(x < x2 && y > y2);
    // As wide as the earth is there: a degree of longitude is 0.7 of one of latitude.
    assert.ok(Math.abs((x2 - x) / (y - y2) - Math.cos(45 * Math.PI / 180)) < 0.01);
    for (const [at, most] of [[x, 160], [x2, 160], [y, 110], [y2, 110]]) assert.ok(at >= 0 && at <= most);
    assert.deepEqual([(x + x2) / 2, (y + y2) / 2].map(Math.round), [80, 55]);
    const over = projection([{ lat: 0, lon: 179.99 }, { lat: 0, lon: -179.99 }], 160, 110);
    assert.ok(over({ lat: 0, lon: 179.99 })[0] < over({ lat: 0, lon: -179.99 })[0]);
    assert.deepEqual(projection([{ lat: 1, lon: 1 }], 160, 110)({ lat: 1, lon: 1 }), [80, 55]);
    assert.equal(projection([], 160, 110), null);
    assert.equal(path(route, () => [1, 2], true), 'M1 2L1 2Z');
    assert.equal(path([], () => [1, 2]), '');
});

test('of the ground only what is on the picture is drawn, and not more than can be', () => {
    const project = ({ lat, lon }) => /** @type {[number, number]} */ ([lon, lat]);
    const line = (/** @type {number[][]} */ coordinates) => ({ geometry: { type: 'LineString', coordinates } });
    const house = { geometry: { type: 'Polygon', coordinates: [[[1, 1], [2, 1], [2, 2], [1, 1]]] },
        properties: { kind: 'house' } };
    const file = { features: [line([[10, 10], [20, 20]]), line([[500, 500], [600, 600]]), house, { geometry: null }] };
    assert.deepEqual(shapesOn(file, project, 160, 110).map(({ d, isFilled }) => [d, isFilled]),
        [['M10 10L20 20', false], ['M1 1L2 1L2 2L1 1Z', true]]);
    assert.equal(shapesOn({ features: Array(1_000).fill(house) }, project, 160, 110).length, 400);
    assert.deepEqual(shapesOn(null, project, 160, 110), []);
});
