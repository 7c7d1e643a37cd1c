// Publishing a tour whose ground the server has as not whole: why is said, or it is mended.

import assert from 'node:assert/strict';
import { register } from 'node:module';
import test from 'node:test';

import { open } from './document.mjs';
import { inTheEditor } from './drafting.mjs';
import { page } from './page.mjs';

// Nothing is drawn on a map.
const sketch = 'data:text/javascript,export const sketch = async () => {};';
register(`data:text/javascript,${encodeURIComponent(`
    export const resolve = (name, context, next) => name === './sketch.js'
        ? { url: ${JSON.stringify(sketch)}, shortCircuit: true } : next(name, context);`)}`);

// The clock of a message that stays would keep Node alive.
const { setInterval } = globalThis;
globalThis.setInterval = /** @type {any} */ ((/** @type {any[]} */ ...all) => setInterval(...all).unref());
const { byId } = open('page', 'toasts', 'said', 'warned', 'heading', 'map');
const storage = inTheEditor();

const app = await page('core/app.js');
const { PLACES } = await page('core/router.js');
const { Drafts } = await page('tours/drafts.js');
const { editPage } = await page('tours/edit.js');
const { factsValue } = await page('tours/values.js');
const { Editor } = await page('tours/editor.js');
PLACES.push('tours', 'map');
const client = await app.makeClient();

const refusal = (/** @type {string} */ code, /** @type {any} */ details = {}) =>
    Object.assign(new Error(code), { code, details });
const points = (/** @type {number} */ count) => Array.from({ length: count }, (_, n) => ({ lat: n, lon: -n }));

/**
 * The draft that the server has of tour `t`, with this ground, which it has as not whole.
 * @param {any[]} route
 * @param {{isGood?: boolean, missing?: string, state?: string}} [more] whether the ground is taken as whole, and what
 *   else is missing
 */
function draft(route, { isGood = false, missing = '', state = 'draft' } = {}) {
    storage.kept.clear();
    client.core.welcome = { account: 'mia', role: 'organisation', limits: { messageBytes: 65_536 } };
    const words = { words: [{ language: 'en', text: 'Walls', audio: '' }] };
    const stop = { id: 's', name: words, object: 'preset:heart', history: words, alternative: words,
        pose: { scale: 1, geopose: { position: { lat: 1, lon: 2, h: 0 } } } };
    const server = { version: 2, isWhole: false, state, facts: { name: words, description: words },
        ground: { area: points(3), route, direction: 'TOUR_DIRECTION_FORWARD' } };
    const asked = /** @type {any[]} */ ([]);
    client.request = async (/** @type {string} */ kind, /** @type {any} */ { version, ground, more }) => {
        if (kind === 'getTour') {
            return structuredClone({ tour: { id: 't', state: server.state },
                content: { facts: server.facts, ground: server.ground, stops: [stop], popups: [] },
                parts: [{ part: 'facts', version: 1 }, { part: 'ground', version: server.version },
                    { part: 's', version: 1 }] });
        }
        if (!['openTour', 'closeTour'].includes(kind)) asked.push([kind, version, more]);
        const lacks = [server.isWhole ? '' : 'ground', missing].filter(Boolean).join(',');
        if (kind === 'publishTour' && lacks) throw refusal('tour_incomplete', { missing: lacks });
        if (kind === 'setTourFacts') server.state = 'edited';
        if (kind !== 'setTourGround') return { version: 2 };
        if (!more && !isGood) throw refusal('invalid_route', { line: 'route', index: '1', reason: 'outside' });
        Object.assign(server, { ground, isWhole: !more, version: server.version + 1 });
        return { version: server.version, part: 'ground' };
    };
    return { server, asked };
}

/** An editor as its page is shown. */
async function shown() {
    const editor = new Editor('t');
    await editor.load();
    return editor;
}

test('why a ground is not whole is known to the editor that is shown behind the map, while it is that ground',
    async () => {
        const { server } = draft([]), first = await shown();
        first.enter('ground', { ...first.ground, route: points(2) });
        await first.saving.flush('ground');
        first.end();
        const second = await shown();
        assert.equal(second.groundRefusal?.code, 'invalid_route');
        assert.deepEqual([second.standing('ground')[0], second.fault.index], ['saved', 1]);
        second.end();
        server.ground = { ...server.ground, route: points(3) };
        const third = await shown();
        assert.deepEqual([third.groundRefusal, third.standing('ground')], [null, undefined], 'somebody has changed it');
        third.end();
    });

test('a ground that was refused for what is right by now is taken, and the tour is published', async () => {
    const { asked } = draft(points(4), { isGood: true }), editor = await shown();
    await editor.publish();
    assert.deepEqual(asked, [['publishTour', undefined, undefined], ['setTourGround', 2, false],
        ['publishTour', undefined, undefined]]);
    assert.deepEqual([editor.saving.unsent, editor.groundRefusal], [[], null]);
    editor.end();
});

test('a ground that is wrong is said with its point, and not that the tour is not complete', async () => {
    const { asked, server } = draft(points(5)), editor = await shown();
    await assert.rejects(editor.publish(), { code: 'invalid_route' });
    assert.deepEqual(asked, [['publishTour', undefined, undefined], ['setTourGround', 2, false]]);
    assert.deepEqual([editor.saving.unsent, editor.fault], [[], { line: 'route', index: 1, reason: 'outside' }]);
    // It is known now, and judged first.
    await assert.rejects(editor.publish(), { code: 'invalid_route' });
    assert.deepEqual(asked.slice(2), [['setTourGround', 2, false]]);
    assert.equal(server.version, 2, 'nothing was changed: other editors hear of nothing');
    editor.end();
});

test('a tour that lacks something else is refused as it is', async () => {
    const { asked } = draft(points(6), { missing: 'stops' }), editor = await shown();
    await assert.rejects(editor.publish(), { code: 'tour_incomplete' });
    assert.equal(asked.length, 1);
    editor.end();
});

/**
 * Presses Publish on the page of the editor, twice.
 * @returns {Promise<{publish: any, before: string[]}>} the button, and what was offered when it was pressed
 */
async function pressed() {
    const settled = async () => {
        for (let turns = 0; turns < 1_000 && (turns === 0 || byId('page').querySelector('[aria-busy]')); turns += 1) {
            await new Promise((done) => { setImmediate(done); });
        }
    };
    byId('page').replaceChildren(editPage('t'));
    await settled();
    const buttons = () => byId('page').querySelectorAll('[data-offers] button');
    const publish = buttons().find((/** @type {any} */ one) => one.textContent === 'tour.publish');
    const before = buttons().map((/** @type {any} */ one) => one.textContent);
    publish.focus();
    publish.click();
    publish.click();
    await settled();
    return { publish, before };
}

test('the button that publishes stays while it works, and what is refused stands behind it', async () => {
    const { asked } = draft(points(7)), { publish, before } = await pressed();
    assert.deepEqual(before, ['tour.publish', 'tour.delete']);
    assert.deepEqual(asked.map(([kind]) => kind), ['publishTour', 'setTourGround'], 'once for two taps');
    assert.ok(document.activeElement === publish, 'it has the focus');
    assert.equal(publish.nextElementSibling?.matches('.refusal'), true);
});

test('so it does where it sends what was entered in a tour that is published', async () => {
    const { server, asked } = draft(points(8), { state: 'published' });
    const value = { ...factsValue(server.facts), name: 'Towers' };
    new Drafts(storage, 'mia').put('t', 'facts', { version: 1, value });
    const { publish, before } = await pressed();
    assert.deepEqual(before, ['tour.publish', 'tour.discard', 'tour.delete']);
    assert.deepEqual(asked.map(([kind]) => kind), ['setTourFacts', 'publishTour', 'setTourGround']);
    assert.ok(document.activeElement === publish, 'it has the focus');
    assert.equal(publish.nextElementSibling?.matches('.refusal'), true);
});
