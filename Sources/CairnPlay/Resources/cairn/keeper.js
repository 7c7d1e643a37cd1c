// @ts-check
import { clientRefusal } from './refusal.js';

/** The server knows a key for 24 hours; a change that is sent again after that might be made twice. */
const KEY_LIVES_MS = 23 * 3_600_000;

/** The tokens of sign-outs that the server has not heard of, among the values of the store. */
const LEFT = 'cairn:left';

/** Keeps what survives a reload, and reads it again. A failure is the event `error`. */
export class Keeper {
    /**
     * @param {import('./client.js').CairnClient} client
     */
    constructor(client) { this.client = client; }

    /** Reads what an earlier page load has kept. */
    async load() {
        try {
            const kept = await this.client.store.load();
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
        this.guard(this.client.store.putRequest({ key, kind, body, account, ticket, made: Date.now() }));
    }

    /** Keeps who is signed in. */
    profile() {
        const { profile: { token = '', deviceKey = '' }, owner: account } = this.client.core;
        return this.guard(this.client.store.putProfile({ token, deviceKey, account }));
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
