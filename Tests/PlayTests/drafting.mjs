// Drafts of a tour on a device, for tests.

import { page } from './page.mjs';

const { Drafts } = await page('tours/drafts.js');
const { Saving } = await page('tours/saving.js');

/** What a browser keeps, if it is not `full`. */
export class Memory {
    /** @type {Map<string, string>} */
    kept = new Map();
    full = false;
    get(/** @type {string} */ key) { return this.kept.get(key) ?? null; }
    set(/** @type {string} */ key, /** @type {string | null} */ value) {
        if (value === null) this.kept.delete(key);
        else if (!this.full) this.kept.set(key, value);
        return value === null || !this.full;
    }
}

/** What the editor of a tour finds in a browser, with an empty storage. */
export function inTheEditor() {
    const storage = new Memory();
    Object.assign(globalThis, {
        window: { localStorage: { getItem: storage.get.bind(storage), setItem: storage.set.bind(storage),
            removeItem: (/** @type {string} */ key) => storage.set(key, null) } },
        location: { hash: '#/tours/edit/t', origin: 'http://localhost' },
        // It would keep Node from ending.
        BroadcastChannel: undefined,
    });
    return storage;
}

/**
 * A tour that is being edited: `sent` has what the server was sent, `told` how it stands.
 * @param {Memory} storage
 * @param {(sent: any) => any} [answer]
 * @param {any} [more] options of `Saving`, and `now`
 */
export function editing(storage, answer = ({ version }) => ({ version: version + 1 }), { now, ...more } = {}) {
    /** @type {any[]} */
    const sent = [], told = /** @type {any[]} */ ([]), renamed = /** @type {any[]} */ ([]);
    const saving = new Saving({
        drafts: new Drafts(storage, 'mia', now), tour: 't', pause: 60_000, tell: (...all) => told.push(all),
        renamed: (...all) => renamed.push(all),
        send: async (part, value, version, key, onto) => {
            const one = { part, value, version, key, onto };
            sent.push(one);
            return await answer(one);
        }, ...more,
    });
    return { saving, sent, told, renamed, kept: () => new Drafts(storage, 'mia').of('t'), end: () => saving.end() };
}
