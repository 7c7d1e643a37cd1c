// What the page for players decides without a document: its register, its history, words of refusals, places and turns.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

import { History, page } from './page.mjs';
import { random } from './random.mjs';

const { given, register, table } = await page('core/extensions.js');
const PAGE = new URL('../../Sources/CairnPlay/Resources/play/js/', import.meta.url);

// MARK: - The register

test('what features give is found by name, lists entry by entry, tables by key', () => {
    register([
        { name: 'a', layers: [{ name: 'one' }, { name: 'two' }], notices: { x: { lead: '#/x' } } },
        { name: 'b', layers: [{ name: 'three' }], place: { name: 'b', rank: 1 }, notices: { y: { lead: '#/y' } } },
    ]);
    assert.deepEqual(given('layers').map((/** @type {any} */ { name }) => name), ['one', 'two', 'three']);
    assert.deepEqual(given('place').map((/** @type {any} */ { name }) => name), ['b']);
    assert.deepEqual(table('notices'), { x: { lead: '#/x' }, y: { lead: '#/y' } });
    assert.deepEqual([given('tabs'), table('keys')], [[], {}]);
});

test('what two features claim is refused by the names of both', () => {
    for (const name of ['sections', 'keys', 'kinds', 'drawings', 'notices', 'remedies']) {
        assert.throws(() => register([{ name: 'a', [name]: { x: 1 } }, { name: 'b', [name]: { x: 2 } }]),
            new RegExp(`b: ${name}.x has an owner`));
    }
});

test('an item is called as its kind says, and so is what is added to what is around', async () => {
    const { added, fullTitle, itemOf, title } = await page('core/view.js');
    const away = (/** @type {number} */ distance) => ({
        key: `stop:${distance}`, kind: 'stop', distance, instance: { name: `Stop ${distance}` },
    });
    register([
        { name: 'a', kinds: { stop: {}, thing: { title: () => 'Cairn: hello', isNamedAlone: true } },
            items: () => [away(30), away(10)] },
        { name: 'b', items: () => [away(20)] },
    ]);
    assert.deepEqual(added().map((/** @type {any} */ { distance }) => distance), [10, 20, 30]);
    assert.equal(itemOf('stop:20').distance, 20);
    assert.deepEqual([title(away(1)), fullTitle(away(1))], ['Stop 1', 'stop: Stop 1']);
    assert.equal(fullTitle({ kind: 'thing', instance: {} }), 'Cairn: hello');
});

// MARK: - The history

/** @param {(history: History, opened: (close: () => void) => () => void) => void} run */
async function withHistory(run) {
    const history = new History();
    Object.assign(globalThis, { history, addEventListener: history.addEventListener });
    const { followHistory, opened } = await page(`core/history.js?${Math.random()}`);
    followHistory();
    run(history, opened);
}

test('back closes what was opened last, and then what is below it', () => withHistory((history, opened) => {
    /** @type {string[]} */
    const closed = [];
    history.visit();
    opened(() => closed.push('sheet'));
    opened(() => closed.push('question'));
    history.back();
    assert.deepEqual(closed, ['question']);
    history.back();
    assert.deepEqual([closed, history.at], [['question', 'sheet'], 1]);
}));

test('back is not spent on what was closed in another way', () => withHistory((history, opened) => {
    history.visit();
    const closed = opened(() => assert.fail('it is closed already'));
    closed();
    history.back();
    assert.equal(history.at, 0);
}));

test('what stays open at a new address is closed by back there', () => withHistory((history, opened) => {
    let count = 0;
    opened(() => { count += 1; });
    history.visit();
    const { at } = history;
    history.back();
    assert.equal(count, 1);
    assert.ok(history.at < at);
}));

// The sheet of before the sign-in is shown again while the page still goes back over the entry that it had.
test('what opens while the page goes back stays open, and back closes it', () => withHistory((history, opened) => {
    opened(() => assert.fail('it is closed already'))();
    history.visit();
    history.isSlow = true;
    history.back();
    history.arrive();
    let count = 0;
    opened(() => { count += 1; });
    const gone = opened(() => assert.fail('it is closed already'));
    gone();
    history.arrive();
    assert.deepEqual([count, history.at, history.entries.length], [0, 1, 2], 'it has an entry of its own now');
    history.back();
    history.arrive();
    assert.deepEqual([count, history.at], [1, 0]);
}));

// MARK: - Words

/** Reads the texts of a language as the server gives them, by their folders. */
async function speak(language) {
    const texts = {};
    for (const folder of readdirSync(PAGE)) {
        const file = new URL(`${folder}/texts/${language}.json`, PAGE);
        if (existsSync(file)) texts[folder] = JSON.parse(readFileSync(file, 'utf8'));
    }
    Object.assign(globalThis, {
        document: { documentElement: {} }, fetch: async () => ({ json: async () => texts }),
    });
    await (await page('core/texts.js')).speak(language);
    return texts;
}

test('the texts are those of the features of the register, and what all share', async () => {
    const { has, t } = await page('core/texts.js');
    register([{ name: 'things' }]);
    const spanish = await speak('es');
    assert.equal(t('add'), spanish.things.add);
    assert.equal(t('save'), spanish.core.save);
    assert.ok('tours.continue' in spanish.tours && !has('tours.continue'));
    assert.equal(t('tours.continue'), 'tours.continue');
});

/**
 * Texts as the page is built: those of the first view, and the rest.
 * @param {Record<string, any>} files
 */
function built(files) {
    Object.assign(globalThis, { document: { documentElement: {} }, fetch: async (/** @type {string} */ path) => {
        const found = await files[/([\w-]+)\.json$/.exec(path)?.[1] ?? ''];
        if (!found) throw new TypeError(`no ${path}`);
        return { json: async () => ({ core: found }) };
    } });
}

test('keys are named where there is a keyboard alone', async () => {
    const { speak: take, t } = await page('core/texts.js');
    const before = globalThis.matchMedia;
    register([]);
    built({ en: { list: 'Open the list[ (key L)].', keys: '[Arrow keys.]' } });
    for (const matches of [true, false]) {
        Object.assign(globalThis, { matchMedia: (/** @type {string} */ asked) => {
            assert.equal(asked, '(hover: hover) and (pointer: fine)');
            return { matches };
        } });
        await take('en');
        assert.deepEqual([t('list'), t('keys')], matches ? ['Open the list (key L).', 'Arrow keys.']
            : ['Open the list.', '']);
    }
    Object.assign(globalThis, { matchMedia: before });
});

test('texts that the first view does without come with the first part that needs them, in its language', async () => {
    const fresh = await page(`core/texts.js?${Math.random()}`);
    register([]);
    /** @type {(found: any) => void} */
    let arrive = () => {};
    const files = /** @type {Record<string, any>} */ ({ en: { a: 'a' }, fr: { a: 'fr a' }, 'more-fr': { b: 'fr b' } });
    built(files);
    await fresh.speak('en');
    assert.equal(fresh.has('b'), false);
    await assert.rejects(fresh.readMore(), /no .*more-en/);
    // Another try; the language changes before it is there.
    files['more-en'] = new Promise((resolve) => { arrive = resolve; });
    const waiting = fresh.readMore();
    await fresh.speak('fr');
    assert.deepEqual([fresh.t('a'), fresh.t('b')], ['fr a', 'fr b']);
    arrive({ b: 'b' });
    await waiting;
    assert.equal(fresh.t('b'), 'fr b');
    // Once they are needed each language brings all of its own.
    await fresh.speak('en');
    assert.deepEqual([fresh.t('a'), fresh.t('b')], ['a', 'b']);
});

test('what is asked for while a language is read comes with it', async () => {
    const fresh = await page(`core/texts.js?${Math.random()}`);
    register([]);
    /** @type {(found: any) => void} */
    let arrive = () => {};
    const files = /** @type {Record<string, any>} */ ({ en: { a: 'a' }, 'more-en': { b: 'b' }, 'more-fr': { b: 'fr b' },
        fr: new Promise((resolve) => { arrive = resolve; }) });
    built(files);
    await fresh.speak('en');
    const speaking = fresh.speak('fr');
    await fresh.readMore();
    arrive({ a: 'fr a' });
    await speaking;
    assert.deepEqual([fresh.t('a'), fresh.t('b')], ['fr a', 'fr b']);
});

test('a refusal has the words of its code, its remedy, and the way to it', async () => {
    register([{ name: 'account' }, { name: 'things' },
        { name: 'tours', remedies: { tour_in_progress: ['#/tours/run', 'tours.continue'] } }]);
    const english = await speak('en');
    const { wayOut, words } = await page('core/refusals.js');
    assert.match(words({ code: 'too_far', message: 'It is too far away.' }).remedy, /Go closer/);
    assert.match(words({ code: 'weak_password', details: { missing: 'digit,upper' } }).remedy, /, .*\.$/);
    assert.deepEqual(wayOut({ code: 'tour_in_progress' }), { href: '#/tours/run', text: english.tours['tours.continue'] });
    assert.equal(wayOut({ code: 'too_far' }), undefined);
    // What is no refusal is not shown as the browser says it.
    assert.doesNotMatch(words(new TypeError('x is not a function')).text, /function/);
});

// MARK: - The map

test('a tap is taken by who asked last, who is told when somebody else asks', async () => {
    const { takeTaps, tap } = await page('map/taps.js');
    /** @type {any[]} */
    const seen = [];
    assert.equal(tap({ lat: 1, lon: 2 }), false);
    const end = takeTaps((/** @type {any} */ place, /** @type {any} */ item) => seen.push(['a', place, item]),
        () => seen.push('a ended'));
    assert.equal(tap({ lat: 1, lon: 2 }, { key: 'thing' }), true);
    const endOther = takeTaps(() => seen.push('b'), () => seen.push('b ended'));
    end();
    assert.equal(tap({ lat: 1, lon: 2 }), true);
    endOther();
    endOther();
    assert.equal(tap({ lat: 1, lon: 2 }), false);
    assert.deepEqual(seen, [['a', { lat: 1, lon: 2 }, { key: 'thing' }], 'a ended', 'b', 'b ended']);
});

// MARK: - Places

test('fixes of a device that stands are put together, and what somebody stands on corrects them', async () => {
    const { Fixes } = await page('core/fixes.js');
    const { distance } = await page('core/geo.js');
    const there = { lat: 45.5, lon: -73.5 }, fixes = new Fixes();
    const fix = (/** @type {number} */ n, /** @type {number} */ at) => fixes.take({
        lat: there.lat + n * 1e-5, lon: there.lon, h: null, accuracy: 5, speed: 0, at });
    fix(1, 0);
    const mean = fix(-1, 1000);
    assert.ok(distance(mean, there) < 0.01);
    fixes.standAt(there, 0.4);
    const corrected = fix(0, 2000);
    assert.ok(corrected.accuracy < 1);
    // After 20 s, and far away, the first fixes do not count.
    assert.ok(distance(fix(100, 60_000), { lat: there.lat + 100e-5, lon: there.lon }) < 1.2);
});

test('anchor data are read as written, and others are none', async () => {
    const { anchorOf, surfaceOf } = await page('core/anchor.js');
    const { Plane } = await page('core/geo.js');
    const next = random(7);
    const turn = () => {
        const [x, y, z, w] = [next(), next(), next(), next()].map((one) => one * 2 - 1);
        const length = Math.hypot(x, y, z, w);
        return { x: x / length, y: y / length, z: z / length, w: w / length };
    };
    for (let n = 0; n < 200; n += 1) {
        const place = { lat: 45.5048, lon: -73.5872, h: 20 }, quaternion = turn();
        const away = [next(), next(), next()].map((one) => one * 60 - 30);
        const geopose = { position: new Plane(place).place(away), quaternion: turn() };
        const found = surfaceOf({ geopose, anchor: anchorOf(geopose, { place, quaternion, degrees: 4.5 }) });
        assert.equal(found.degrees, 4.5);
        assert.ok(Math.hypot(...new Plane(place).enu(found.place)) < 5e-4);
        const { x, y, z, w } = found.quaternion;
        assert.ok(1 - Math.abs(x * quaternion.x + y * quaternion.y + z * quaternion.z + w * quaternion.w) < 1e-12);
    }
    const geopose = { position: { lat: 1, lon: 2, h: 3 }, quaternion: { w: 1 } }, provider = 'webxr.surface';
    const right = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const at = (/** @type {number} */ n, /** @type {number} */ value) => right.map((one, m) => (m === n ? value : one));
    assert.ok(surfaceOf({ geopose, anchor: { provider, transform: right } }));
    for (const anchor of [{ provider: 'arcore.cloud', transform: right }, { provider, transform: [] }, { provider },
        { provider, transform: Array(16).fill(0) }, { provider, transform: at(12, 1e300) },
        { provider, transform: at(0, 7) }, undefined]) assert.equal(surfaceOf({ geopose, anchor }), null);
});

// MARK: - What the browser keeps

/** The names under which the page keeps something, as its sources have them. */
function keptNames() {
    const names = new Set();
    for (const path of readdirSync(PAGE, { recursive: true })) {
        if (!String(path).endsWith('.js')) continue;
        const text = readFileSync(new URL(String(path), PAGE), 'utf8');
        for (const [, name] of text.matchAll(/["`](cairn-play-[a-z]+)[":]/g)) names.add(name);
        for (const [, name] of text.matchAll(/= "(look|lastView)"/g)) names.add(name);
        for (const [, name] of text.matchAll(/`(walk|purchase):\$\{/g)) names.add(`${name}:`);
    }
    // The channel between two windows of the page keeps nothing, and storage.js names what it does not forget.
    return [...names].filter((name) => name !== 'cairn-play-provider').sort();
}

/** The table of docs/play.md: names, where, and what ends them. */
function documented() {
    const text = readFileSync(new URL('../../docs/play.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/^\| (`[^|]+) \| [^|]+ \| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)];
    return rows.flatMap(([, names, where, ends]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) =>
        ({ name: name.replace(/:$/, where.includes('value') ? ':' : ''), where, ends })));
}

test('all that the browser keeps stands in the table, and goes with a sign-out where that says so', async () => {
    const rows = documented(), names = keptNames();
    const elsewhere = ['cairn-play', 'cairn-play-shell-1', 'cairn:left', 'cairn-play-reloads'];
    assert.ok(names.length > 12, names.join());
    assert.deepEqual(rows.map(({ name }) => name).filter((name) => !elsewhere.includes(name)).sort(),
        names.filter((name) => !elsewhere.includes(name)));
    const { local } = await page('core/storage.js'), { forgetDrafts, Drafts } = await page('tours/drafts.js');
    const kept = /** @type {Record<string, string>} */ ({});
    const storage = Object.defineProperties(kept, Object.fromEntries(Object.entries({
        getItem: (/** @type {string} */ name) => kept[name] ?? null,
        setItem: (/** @type {string} */ name, /** @type {string} */ value) => { kept[name] = value; },
        removeItem: (/** @type {string} */ name) => { delete kept[name]; },
    }).map(([name, value]) => [name, { value }])));
    const before = globalThis.window;
    Object.assign(globalThis, { window: { localStorage: storage } });
    try {
        const inLocal = rows.filter(({ where }) => where === '`localStorage`');
        for (const { name } of inLocal) if (!name.startsWith('cairn-play-draft')) local.set(name, 'mia');
        new Drafts(local, 'mia').put('t', 'facts', { version: 1, value: 'a' });
        local.set('cairn-play-of-a-later-day', 'mia');
        storage.setItem('of-another-page', 'mia');
        local.forget();
        assert.ok(kept['cairn-play-draft:mia:t'], 'the lapse of a sign-in leaves drafts');
        forgetDrafts(local, 'mia');
        const stay = inLocal.filter(({ ends }) => !ends.includes('sign-out')).map(({ name }) => name);
        assert.deepEqual(Object.keys(kept).sort(), [...stay, 'of-another-page'].sort());
    } finally {
        Object.assign(globalThis, { window: before });
    }
});
