// The modules of the page under Node, without a server and without a document: those that need neither.

import { register } from 'node:module';

// The server has cairn.js below the page, the tree beside it.
register(`data:text/javascript,${encodeURIComponent(`
    export const resolve = (name, context, next) => next(
        name.startsWith('.') && context.parentURL?.includes('/play/js/')
            ? new URL(name, context.parentURL).href.replace('/play/cairn/', '/cairn/') : name, context);`)}`);

globalThis.navigator ??= /** @type {any} */ ({ languages: ['en-GB'], hardwareConcurrency: 4 });

/**
 * A module of the page.
 * @param {string} path below `js`
 * @returns {Promise<any>}
 */
export const page = (path) => import(`../../Sources/CairnPlay/Resources/play/js/${path}`);

/**
 * A history of addresses as a browser has one, with its events. Set as `globalThis.history` and `addEventListener`, it
 * is what a module sees. Steps are done at once, unless it is slow.
 */
export class History {
    /** @type {any[]} */
    entries = [null];
    at = 0;
    /** Steps wait until `arrive` does the next one, as in a browser, which does them later. */
    isSlow = false;
    /** @type {number[]} */
    #waiting = [];
    #events = new EventTarget();

    get state() {
        return this.entries[this.at];
    }

    /** @param {any} state */
    pushState(state) {
        this.entries.splice(this.at + 1);
        this.entries.push(state);
        this.at += 1;
    }

    /** @param {any} state */
    replaceState(state) {
        this.entries[this.at] = state;
    }

    back() {
        this.#step(-1);
    }

    forward() {
        this.#step(1);
    }

    /** The browser does the step that was asked for first. */
    arrive() {
        const [steps] = this.#waiting.splice(0, 1);
        if (steps === undefined) throw new Error('no step was asked for');
        this.#go(steps);
    }

    /** The person goes to another address. */
    visit() {
        this.pushState(null);
        this.#events.dispatchEvent(new Event('popstate'));
        this.#events.dispatchEvent(new Event('hashchange'));
    }

    /** @type {EventTarget['addEventListener']} */
    addEventListener = (...all) => this.#events.addEventListener(...all);

    /** @param {number} steps */
    #step(steps) {
        if (this.isSlow) this.#waiting.push(steps);
        else this.#go(steps);
    }

    /** @param {number} steps */
    #go(steps) {
        if (this.at + steps < 0 || this.at + steps >= this.entries.length) return;
        this.at += steps;
        this.#events.dispatchEvent(new Event('popstate'));
    }
}
