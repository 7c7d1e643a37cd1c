// @ts-check
import { Refusal } from './refusal.js';

/** @typedef {import('./store.js').KeptSetting} KeptSetting */

/**
 * Edits of settings that the server has not confirmed (SYN-3). They count on this device at once, are kept over
 * reloads, and go to the server with the next connection, each with the time when it was made: of several edits of one
 * setting, on several devices, the latest wins.
 */
export class SettingsQueue {
    /** @param {import('./client.js').CairnClient} client */
    constructor(client) {
        this.client = client;
        /** @type {Map<string, KeptSetting>} */
        this.edits = new Map();
        this.isSending = false;
    }

    /**
     * Saved settings, and over them the edits that wait.
     * @returns {Map<string, string>}
     */
    effective() {
        const settings = new Map();
        for (const { key = '', value = '' } of this.client.welcome?.settings ?? []) settings.set(key, value);
        for (const { key, value } of this.edits.values()) settings.set(key, value);
        return settings;
    }

    /** @param {KeptSetting[]} kept */
    restore(kept) { for (const edit of kept) if (!this.edits.has(edit.key)) this.edits.set(edit.key, edit); }

    /** @param {Record<string, string>} settings */
    async save(settings) {
        const edited = Math.round(this.client.serverNow());
        for (const [key, value] of Object.entries(settings)) {
            // A clock that is behind must not make an edit lose against the one before it.
            const before = this.edits.get(key)?.edited ?? 0;
            this.edits.set(key, { key, value, edited: Math.max(edited, before + 1) });
        }
        this.client.emit('settings', Object.entries(settings).map(([key, value]) => ({ key, value, edited })));
        await this.#keep();
        void this.send();
    }

    /** Sends what waits, if there is a person to whom it belongs. */
    async send() {
        const { client } = this;
        if (this.isSending || this.edits.size === 0 || !client.isLive || !client.isSignedIn) return;
        this.isSending = true;
        const sent = [...this.edits.values()];
        try {
            const done = await this.#done(sent);
            // What is refused is sent alone, for its reason.
            for (const edit of done && sent.length > 1 ? sent : []) {
                if (!done?.includes(edit)) await this.#done([edit]);
            }
        } finally {
            this.isSending = false;
        }
        await this.#keep();
        if (sent.some(({ key }) => this.edits.has(key))) void this.send();
    }

    /**
     * Sends edits. A key or a value that this server does not have would be refused for ever: of several the answer does
     * not name it, and one alone is forgotten.
     * @param {KeptSetting[]} edits
     * @returns {Promise<KeptSetting[] | null>} those that are done; null = there is no answer
     */
    async #done(edits) {
        /** @type {KeptSetting[]} */
        let done = [];
        try {
            const answer = await this.client.request('saveSettings', { settings: edits });
            const settings = /** @type {KeptSetting[]} */ (answer.settings ?? []);
            done = edits.filter(({ key }) => edits.length === 1 || settings.some((one) => one.key === key));
        } catch (error) {
            if (!(error instanceof Refusal) || error.component === 'client') return null;
            // A server of before refuses all with one.
            if (edits.length === 1) {
                this.client.emit('refused', error);
                done = edits;
            }
        }
        this.#forget(done);
        return done;
    }

    /**
     * Takes settings that the server tells of, with the times of their edits.
     * @param {import('./messages.js').Setting[]} settings
     */
    async took(settings) {
        let isLess = false;
        for (const { key = '', edited = 0 } of settings) {
            const edit = this.edits.get(key);
            if (edit && edit.edited < edited) isLess = this.edits.delete(key) || isLess;
        }
        if (isLess) await this.#keep();
    }

    /** @param {KeptSetting[]} edits */
    #forget(edits) {
        // An edit that was made meanwhile stays.
        for (const { key, edited } of edits) if (this.edits.get(key)?.edited === edited) this.edits.delete(key);
    }

    forget() { this.edits.clear(); }

    #keep() {
        const { keeper, store } = this.client;
        return keeper.keep('settings', () => store.putSettings([...this.edits.values()]));
    }
}
