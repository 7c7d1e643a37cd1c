// @ts-check
// Settings that were made without a network: one batch, with a result for each change (SYN-3).
import assert from 'node:assert/strict';
import test from 'node:test';

import { Refusal } from '../../Sources/CairnPlay/Resources/cairn/refusal.js';
import { SettingsQueue } from '../../Sources/CairnPlay/Resources/cairn/settings.js';

/**
 * A queue whose client talks to a server without `x.` settings.
 * @param {{isWhole?: boolean, falls?: boolean}} server whether it refuses all edits with one, or does not answer
 */
function queue({ isWhole = false, falls = false } = {}) {
    /** @type {string[][]} */
    const requests = [];
    /** @type {string[]} */
    const refused = [];
    const refusal = (/** @type {string} */ code, /** @type {string} */ component, /** @type {string} */ key) =>
        new Refusal({ code, message: '', component, details: { key } });
    /** @type {any} */
    const client = {
        isLive: true, isSignedIn: true, welcome: null, serverNow: () => 1_000,
        store: { putSettings: async () => {} },
        keeper: { keep: (/** @type {string} */ _, /** @type {() => any} */ put) => put() },
        emit(/** @type {string} */ name, /** @type {any} */ what) {
            if (name === 'refused') refused.push(what.details.key);
        },
        async request(/** @type {string} */ kind, /** @type {any} */ { settings }) {
            assert.equal(kind, 'saveSettings');
            requests.push(settings.map((/** @type {any} */ { key }) => key));
            if (falls) {
                client.isLive = false;
                throw refusal('disconnected', 'client', '');
            }
            const good = settings.filter((/** @type {any} */ { key }) => !key.startsWith('x.'));
            if (good.length === 0 || (isWhole && good.length < settings.length)) {
                throw refusal('invalid_setting', 'sign-in', settings.find((/** @type {any} */ one) => !good.includes(one)).key);
            }
            return { settings: good };
        },
    };
    return { edits: new SettingsQueue(client), client, requests, refused };
}

const MADE = { 'display.theme': 'dark', 'x.one': '1', 'display.brightness': '0.5', 'x.two': '2' };

/** @param {ReturnType<typeof queue>} made */
async function sent({ edits, client }) {
    client.isLive = false;
    await edits.save(MADE);
    client.isLive = true;
    await edits.send();
}

test('what is refused of a batch stops nothing else, and each refusal is told', async () => {
    const made = queue();
    await sent(made);
    assert.deepEqual(made.requests, [Object.keys(MADE), ['x.one'], ['x.two']]);
    assert.deepEqual(made.refused, ['x.one', 'x.two']);
    assert.equal(made.edits.edits.size, 0);
});

test('a server that refuses all with one gets each change alone', async () => {
    const made = queue({ isWhole: true });
    await sent(made);
    assert.deepEqual(made.requests, [Object.keys(MADE), ...Object.keys(MADE).map((key) => [key])]);
    assert.deepEqual(made.refused, ['x.one', 'x.two']);
    assert.equal(made.edits.edits.size, 0);
});

test('a batch without an answer is kept whole', async () => {
    const made = queue({ falls: true });
    await sent(made);
    assert.equal(made.requests.length, 1);
    assert.deepEqual([...made.edits.edits.keys()], Object.keys(MADE));
    assert.deepEqual(made.refused, []);
});
