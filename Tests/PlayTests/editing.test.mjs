// The editor of tours and its drafts where answers are lost, others edit as well, and what is drawn is large.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Memory, editing, inTheEditor } from './drafting.mjs';
import { page } from './page.mjs';

const HOUR_MS = 3_600_000;
const storage = inTheEditor();

const app = await page('core/app.js');
const { PLACES } = await page('core/router.js');
const { Kept } = await page('core/storage.js').then(({ local }) => ({ Kept: local.constructor }));
const { Drafts, NEW, settleDraft } = await page('tours/drafts.js');
const { Editor } = await page('tours/editor.js');
const { piecesOf } = await page('tours/pieces.js');
PLACES.push('tours', 'map');
const client = await app.makeClient();

const refusal = (/** @type {string} */ code) => Object.assign(new Error(code), { code });
const words = (/** @type {string} */ text) => ({ words: [{ language: 'en', text, audio: '' }] });
const points = (/** @type {number} */ count) => Array.from({ length: count }, (_, n) => ({ lat: n, lon: -n }));

// MARK: - Keys

test('a key that the server may have forgotten is not used again, a younger one is', async () => {
    const kept = new Memory();
    let now = 0;
    const more = { now: () => now };
    const first = editing(kept, () => new Promise(() => {}), more);
    first.saving.load('facts', 1, 'a');
    first.saving.enter('facts', 'b');
    void first.saving.flush('facts');
    await new Promise(setImmediate);
    first.end();
    now = 22 * HOUR_MS;
    const soon = editing(kept, () => new Promise(() => {}), more);
    assert.equal(soon.saving.load('facts', 2, 'theirs'), 'b');
    assert.deepEqual(soon.told.at(-1), ['facts', 'kept']);
    void soon.saving.flush('facts');
    await new Promise(setImmediate);
    assert.equal(soon.sent[0].key, first.sent[0].key);
    soon.end();
    now = 24 * HOUR_MS;
    const late = editing(kept, undefined, more);
    late.saving.load('facts', 2, 'theirs');
    assert.deepEqual(late.told.at(-1), ['facts', 'conflict']);
    await late.saving.keepMine('facts', 2);
    assert.notEqual(late.sent[0].key, first.sent[0].key);
    assert.deepEqual(late.kept(), {});
    late.end();
});

test('a tour that is made when the client sends again what was lost takes its draft along', () => {
    const kept = new Memory(), drafts = new Drafts(kept, 'mia');
    drafts.put(NEW, 'facts', { version: 0, value: 'walls and gate', sent: 'walls', key: 'k', made: 0 });
    drafts.put('u', 'facts', { version: 7, value: 'other', sent: 'other', key: 'other', made: 0 });
    settleDraft(kept, 'ada', { kind: 'createTour', key: 'k', result: { tour: 't', version: 1 } });
    assert.ok(drafts.of(NEW).facts);
    settleDraft(kept, 'mia', { kind: 'createTour', key: 'k', result: { tour: 't', version: 1 } });
    assert.deepEqual([drafts.of(NEW), drafts.of('t')], [{}, { facts: { version: 1, value: 'walls and gate' } }]);
    assert.equal(drafts.of('u').facts.key, 'other');
});

test('a stop that is made when the client sends again what was lost is no draft any more', () => {
    const kept = new Memory(), drafts = new Drafts(kept, 'mia');
    drafts.put('t', 'stop:x', { version: 0, value: 'a', sent: 'a', key: 'k', made: 0 });
    drafts.put('t', 'stop:y', { version: 0, value: 'c', sent: 'b', key: 'l', made: 0 });
    settleDraft(kept, 'mia', { kind: 'setTourStop', key: 'k', result: { tour: 't', version: 4, part: '1' } });
    settleDraft(kept, 'mia', { kind: 'setTourStop', key: 'l', result: { tour: 't', version: 5, part: '2' } });
    assert.deepEqual(drafts.of('t'), { 2: { version: 5, value: 'c' } });
});

// MARK: - What is kept

test('what the browser does not keep is not said to be kept', () => {
    const denied = new Kept('noStorage');
    assert.equal(denied.set('a', 'b'), false);
    assert.equal(denied.get('a'), 'b');
    const { saving, told, end } = editing(denied);
    saving.enter('facts', 'a');
    assert.deepEqual(told, [['facts', 'unkept']]);
    assert.equal(new Kept('localStorage').set('a', 'b'), true);
    end();
});

test('after a sign-out nothing is kept, nor said to be', () => {
    const kept = new Memory();
    const { saving, told } = editing(kept);
    saving.close();
    saving.enter('facts', 'a');
    assert.deepEqual([told, kept.kept.size], [[['facts', 'unkept']], 0]);
});

test('who goes elsewhere has sent what waits for its pause, and nothing is sent by itself after that', async () => {
    const { saving, sent } = editing(new Memory(), undefined, { pause: 0 });
    saving.load('facts', 1, 'a');
    saving.pause = 60_000;
    saving.enter('facts', 'b');
    saving.enter('stop:x', 'waits', true);
    saving.leave();
    await saving.flush('none');
    assert.deepEqual(sent.map(({ value }) => value), ['b']);
    saving.pause = 0;
    saving.enter('facts', 'c');
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(sent.length, 1);
});

test('a change that takes several requests goes on from the last one that was taken', async () => {
    const { saving, sent, end } = editing(new Memory(), ({ version, onto }) => {
        if (version > 1) return { version: version + 1 };
        onto(2);
        onto(3);
        throw refusal('rate_limited');
    });
    saving.load('ground', 1, 'a');
    saving.enter('ground', 'b');
    await assert.rejects(saving.flush('ground'));
    await saving.flush('ground');
    assert.deepEqual(sent.map(({ version }) => version), [1, 3]);
    end();
});

test('a new part that is removed while it is sent is taken away when it has arrived', async () => {
    /** @type {(answer: any) => void} */
    let answered = () => {};
    /** @type {any[]} */
    const orphans = [];
    const { saving, kept, end } = editing(new Memory(), () => new Promise((resolve) => { answered = resolve; }),
        { orphaned: async (/** @type {any[]} */ ...all) => orphans.push(all) });
    saving.enter('stop:x', 'a');
    const sending = saving.flush('stop:x');
    await new Promise(setImmediate);
    saving.drop('stop:x');
    answered({ version: 4, part: '1' });
    await sending;
    assert.deepEqual([orphans, kept(), saving.unsent], [[['1', 4]], {}, []]);
    end();
});

test('a new stop that was removed before its answer came does not come back, over a reload either', async () => {
    const kept = new Memory(), drafts = new Drafts(kept, 'mia');
    const first = editing(kept, () => new Promise(() => {}));
    first.saving.enter('stop:x', 'a');
    void first.saving.flush('stop:x');
    await new Promise(setImmediate);
    const [{ key }] = first.sent;
    first.saving.drop('stop:x');
    first.end();
    // After the reload it is not shown, and what the client sends again is taken away when it has arrived.
    const then = editing(kept, () => assert.fail('it is sent again'));
    assert.deepEqual([then.saving.unsent, then.saving.entered('stop:x')], [[], undefined]);
    const result = { tour: 't', version: 4, part: '1' };
    assert.deepEqual(settleDraft(kept, 'mia', { kind: 'setTourStop', key, result }),
        { tour: 't', version: 4, part: '1' });
    assert.deepEqual([drafts.of('t'), kept.kept.size], [{}, 0]);
    then.end();
});

test('a new stop that was removed and then refused leaves nothing on the device', async () => {
    let refuse = (/** @type {any} */ _no) => {};
    const { saving, kept, end } = editing(new Memory(), () => new Promise((_, reject) => { refuse = reject; }));
    saving.enter('stop:x', 'a');
    const sending = saving.flush('stop:x');
    await new Promise(setImmediate);
    saving.drop('stop:x');
    refuse(refusal('text_too_long'));
    await assert.rejects(sending);
    assert.deepEqual([kept(), saving.unsent], [{}, []]);
    end();
});

// MARK: - The editor

/**
 * An editor of tour `t`, and the draft that its server has.
 * @param {(kind: string, body: any) => any} [answer] answers in place of the server; undefined leaves it to that
 */
function opened(answer = () => undefined) {
    storage.kept.clear();
    client.core.welcome = { account: 'mia', role: 'organisation', limits: { messageBytes: 4_096 + 20 * 10 } };
    const server = { version: 9, content: { facts: { name: words('Walls'), description: words('Old') },
        ground: { area: [], route: [], direction: 'TOUR_DIRECTION_FORWARD' }, stops: /** @type {any[]} */ ([]),
        popups: [] }, parts: new Map([['facts', 1], ['ground', 2]]) };
    /** @type {any[]} */
    const asked = [];
    client.request = async (/** @type {string} */ kind, /** @type {any} */ body, /** @type {any} */ { key } = {}) => {
        if (kind !== 'getTour') asked.push({ kind, key, ...body });
        const other = await answer(kind, body);
        if (other) return other;
        if (kind === 'getTour') {
            return structuredClone({ tour: { id: 't', state: 'draft' }, content: server.content,
                parts: [...server.parts].map(([part, version]) => ({ part, version })) });
        }
        server.version += 1;
        const part = kind === 'setTourStop' ? body.stop.id || `${server.version}` : 'ground';
        if (kind === 'setTourStop') server.content.stops.push({ ...body.stop, id: part });
        server.parts.set(part, server.version);
        return { version: server.version, part };
    };
    const stop = (/** @type {string} */ id, /** @type {number} */ version, /** @type {string} */ name) => {
        server.content.stops.push({ id, name: words(name), object: 'preset:heart', history: words('First.'),
            alternative: words('A gate'), pose: { scale: 1, geopose: { position: { lat: 1, lon: 2, h: 0 } } } });
        server.parts.set(id, version);
    };
    const remove = (/** @type {string} */ id) => {
        server.content.stops = server.content.stops.filter((one) => one.id !== id);
        server.parts.delete(id);
        server.parts.set('order', server.version += 1);
    };
    return { server, asked, stop, remove };
}

test('a ground that no message holds is cut into pieces, area first, and none is lost', () => {
    const ground = { area: points(7), route: points(18), direction: 'd' };
    const pieces = piecesOf(ground, 4_096 + 20 * 10);
    assert.deepEqual(pieces.map(({ area, route }) => [area.length, route.length]), [[7, 3], [0, 10], [0, 5]]);
    assert.deepEqual(pieces.flatMap(({ area }) => area), ground.area);
    assert.deepEqual(pieces.flatMap(({ route }) => route), ground.route);
    assert.equal(piecesOf({ area: [], route: [], direction: 'd' }).length, 1);
    assert.equal(piecesOf({ area: points(1_000), route: points(10_000), direction: 'd' }).length, 4);
});

test('a large route is sent in pieces that say whether more comes, each on the version before', async () => {
    const { asked } = opened(), editor = new Editor('t');
    await editor.load();
    editor.enter('ground', { area: points(7), route: points(18), direction: 'TOUR_DIRECTION_FORWARD' });
    await editor.saving.flush('ground');
    assert.deepEqual(asked.map(({ version, append, more, ground }) =>
        [version, append, more, ground.area.length + ground.route.length]),
    [[2, false, true, 10], [10, true, true, 10], [11, true, false, 5]]);
    assert.equal(new Set(asked.map(({ key }) => key)).size, 3);
    assert.deepEqual([editor.saving.unsent, editor.standing('ground')[0]], [[], 'saved']);
    editor.end();
});

test('of a large route that is refused as a whole the last piece is kept as one of which more comes', async () => {
    const { asked } = opened((kind, { more }) => {
        if (kind === 'setTourGround' && !more) throw refusal('invalid_route');
    });
    const editor = new Editor('t');
    await editor.load();
    editor.enter('ground', { area: points(7), route: points(5), direction: 'TOUR_DIRECTION_FORWARD' });
    await editor.saving.flush('ground');
    assert.deepEqual(asked.map(({ append, more }) => [append, more]), [[false, true], [true, false], [true, true]]);
    assert.equal(new Set(asked.map(({ key }) => key)).size, 3);
    assert.equal(editor.groundRefusal.code, 'invalid_route');
    editor.end();
});

test('a conflict on the ground is decided, and known when its part of the page is made', async () => {
    const { asked, server } = opened();
    new Drafts(storage, 'mia').put('t', 'ground', { version: 1, value: { area: points(3), route: points(2),
        direction: 'TOUR_DIRECTION_FORWARD' } });
    const editor = new Editor('t');
    await editor.load();
    assert.equal(editor.standing('ground')[0], 'conflict');
    await editor.resolve('ground', true);
    assert.deepEqual(asked.map(({ version }) => version), [2]);
    assert.equal(editor.standing('ground')[0], 'saved');
    // And what they saved, where that counts.
    editor.enter('ground', { ...editor.ground, route: [] });
    server.parts.set('ground', 99);
    await editor.load();
    assert.equal(editor.standing('ground')[0], 'conflict');
    await editor.resolve('ground', false);
    assert.deepEqual([editor.standing('ground'), editor.saving.unsent, editor.ground.route], [undefined, [], []]);
    editor.end();
});

test('what was typed into a stop that somebody else has removed is there, until it is decided', async () => {
    for (const isMine of [true, false]) {
        const { asked, stop, remove } = opened();
        stop('5', 3, 'Gate');
        const editor = new Editor('t');
        await editor.load();
        editor.enter('5', { ...editor.stops[0].value, name: 'The great gate' });
        remove('5');
        await editor.load();
        const [{ part, value, saved }] = editor.stops;
        assert.match(part, /^stop:/);
        assert.deepEqual([value.name, saved, editor.standing(part)[0], asked],
            ['The great gate', null, 'conflict', []]);
        await editor.resolve(part, isMine);
        assert.deepEqual(asked.map(({ kind, version, stop: sent }) => [kind, version, sent.id]),
            isMine ? [['setTourStop', 0, undefined]] : []);
        await editor.load();
        assert.equal(editor.stops.length, isMine ? 1 : 0);
        assert.deepEqual(editor.saving.unsent, []);
        editor.end();
    }
});

test('a stop that the person removes is dropped, and one that a late answer lacks stays', async () => {
    const { stop, remove } = opened();
    stop('5', 3, 'Gate');
    stop('6', 8, 'Tower');
    const editor = new Editor('t');
    await editor.load();
    for (const { part, value } of editor.stops) editor.enter(part, { ...value, name: 'Another' });
    editor.removing.add('5');
    remove('5');
    await editor.load();
    assert.deepEqual(editor.saving.unsent, ['6']);
    editor.end();
});

test('what is entered stays where what somebody else saved cannot be read', async () => {
    let isCut = false;
    opened(() => { if (isCut) throw refusal('overloaded'); });
    const editor = new Editor('t');
    await editor.load();
    editor.enter('facts', { ...editor.facts, name: 'Mine' });
    isCut = true;
    await assert.rejects(editor.resolve('facts', false));
    assert.equal(editor.saving.entered('facts').name, 'Mine');
    editor.end();
});

test('a new stop whose answer was lost a day ago is not made again', async () => {
    const { asked, stop } = opened();
    stop('5', 3, 'Gate');
    const value = { name: 'Gate', object: 'preset:heart', history: 'First.', alternative: 'A gate', audio: '',
        place: { lat: 1, lon: 2, h: 0 } };
    new Drafts(storage, 'mia').put('t', 'stop:x', { version: 0, value, sent: value, key: 'k',
        made: Date.now() - 24 * HOUR_MS });
    const editor = new Editor('t');
    await editor.load();
    await editor.saving.flushAll();
    assert.deepEqual([asked, editor.saving.unsent, editor.stops.map(({ part }) => part)], [[], [], ['5']]);
    editor.end();
});

test('an editor is shown at its own address, and on the map while something is drawn for it', () => {
    opened();
    const editor = new Editor('t');
    const at = (/** @type {string} */ hash) => {
        location.hash = hash;
        return editor.isShown;
    };
    assert.deepEqual([at('#/tours/edit/t'), at('#/tours/t'), at('#/map')], [true, false, false]);
    editor.drawings = 1;
    assert.deepEqual([at('#/map'), at('#/tours'), at('#/tours/edit/t')], [true, false, true]);
    editor.end();
    assert.equal(at('#/tours/edit/t'), false);
});
