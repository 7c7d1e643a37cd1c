// @ts-check
import { clientRefusal } from './refusal.js';

/** The server knows a key for 24 hours; a change that is sent again after that might be made twice. */
const KEY_LIVES_MS = 23 * 3_600_000;

/** The tokens of sign-outs that the server has not heard of, among the values of the store. */
const LEFT = 'cairn:left';

/** First pause before what could not be stored is tried again; it doubles up to the last one. */
const PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 30_000;

/**
 * Keeps what survives a reload, and reads it again. What cannot be stored is told (`error`, `kept`) and tried again for
 * as long as the page lives.
 */
export class Keeper {
    /**
     * @param {import('./client.js').CairnClient} client
     */
    constructor(client) {
        this.client = client;
        /**
         * What is not stored yet, by a name: a later one replaces it.
         * @type {Map<string, () => Promise<void>>}
         */
        this.unkept = new Map();
        this.pause = PAUSE_MS;
        this.isWaiting = false;
        /** Whether it is known what an earlier page load has kept. */
        this.hasRead = false;
    }

    /** Reads what an earlier page load has kept. */
    async load() {
        try {
            const kept = await this.client.store.load();
            this.hasRead = true;
            const { profile } = this.client.core;
            profile.token ||= kept.profile.token;
            profile.deviceKey ||= kept.profile.deviceKey;
            this.client.core.keptAccount = kept.profile.account;
            this.client.queue.restore(kept.settings);
            const outdated = Date.now() - KEY_LIVES_MS;
            for (const { key, kind, body } of kept.requests.filter(({ made }) => made < outdated)) {
                const refusal = clientRefusal('outdated', 'a change waited longer than the server knows its key');
                this.client.emit('answered', { kind, body, key, refusal });
                await this.client.store.removeRequest(key);
            }
            this.client.core.restore(kept.requests.filter(({ made }) => made >= outdated));
            if (this.client.unansweredCount > 0) this.client.emit('queued', { count: this.client.unansweredCount });
        } catch (error) {
            this.client.emit('error', error);
        }
    }

    /**
     * Keeps a change until it is answered.
     * @param {number} ticket @param {import('./ledger.js').Entry} entry
     */
    request(ticket, { kind, body, key }) {
        const { owner: account } = this.client.core;
        const request = { key, kind, body, account, ticket, made: Date.now() };
        void this.keep(`request ${key}`, () => this.client.store.putRequest(request));
    }

    /**
     * A change was answered.
     * @param {string} key
     */
    answered(key) {
        this.#isKept(`request ${key}`);
        void this.guard(this.client.store.removeRequest(key));
    }

    /** Keeps who is signed in. That nobody is takes the place of nothing that could not be read. */
    async profile() {
        const { profile: { token = '', deviceKey = '' }, owner: account } = this.client.core;
        if (token === '' && !this.hasRead) return;
        await this.keep('profile', () => this.client.store.putProfile({ token, deviceKey, account }));
    }

    /**
     * Stores something, now or as soon as that is possible. Resolves when it was tried.
     * @param {string} name @param {() => Promise<void>} write
     */
    async keep(name, write) {
        this.unkept.set(name, write);
        try {
            await write();
            if (this.unkept.get(name) === write) this.#isKept(name);
        } catch (error) {
            if (this.unkept.get(name) !== write) return;
            if (!this.isWaiting) this.client.emit('error', error);
            this.#again();
        }
    }

    /** Nothing of what waits is to be stored any more. */
    forget() {
        for (const name of [...this.unkept.keys()]) this.#isKept(name);
    }

    /** @param {string} name */
    #isKept(name) {
        const isLast = this.unkept.delete(name) && this.unkept.size === 0;
        if (!isLast || !this.isWaiting) return;
        this.isWaiting = false;
        this.pause = PAUSE_MS;
        this.client.emit('kept', { isKept: true, waiting: 0 });
    }

    /** Tries again later what could not be stored, all of it at once. */
    #again() {
        if (!this.isWaiting) {
            const timer = setTimeout(() => void this.#retry(), this.pause);
            // Node would wait for it.
            /** @type {any} */ (timer).unref?.();
        }
        this.isWaiting = true;
        this.client.emit('kept', { isKept: false, waiting: this.unkept.size });
    }

    async #retry() {
        for (const [name, write] of [...this.unkept]) {
            try {
                await write();
            } catch {
                break;
            }
            if (this.unkept.get(name) === write) this.#isKept(name);
        }
        if (!this.isWaiting) return;
        this.pause = Math.min(this.pause * 2, PAUSE_MAX_MS);
        const timer = setTimeout(() => void this.#retry(), this.pause);
        /** @type {any} */ (timer).unref?.();
    }

    /**
     * Empties the store, and keeps nothing but a token that the server is yet to end.
     * @param {string} token
     */
    async leave(token) {
        const left = await this.leftTokens();
        await this.client.store.empty();
        await this.guard(this.client.store.put(LEFT, [...left, token].filter(Boolean)));
    }

    /** @returns {Promise<string[]>} */
    async leftTokens() {
        try {
            return (await this.client.store.get(LEFT)) ?? [];
        } catch (error) {
            this.client.emit('error', error);
            return [];
        }
    }

    /** @param {string} token that the server has ended, or no longer knows */
    async hasLeft(token) {
        const left = await this.leftTokens();
        return this.guard(this.client.store.put(LEFT, left.filter((one) => one !== token)));
    }

    /** @param {Promise<void>} writing */
    async guard(writing) {
        try {
            await writing;
        } catch (error) {
            this.client.emit('error', error);
        }
    }
}
