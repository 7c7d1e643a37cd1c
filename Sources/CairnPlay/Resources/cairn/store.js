// @ts-check
/**
 * What survives a reload: who is signed in, changes without an answer, settings that wait for the network, and what a
 * page wants to keep beside that.
 *
 * @typedef {object} KeptProfile
 * @property {string} token a secret
 * @property {string} deviceKey a secret
 * @property {string} account
 *
 * @typedef {object} KeptRequest
 * @property {string} key its idempotency key
 * @property {string} kind
 * @property {any} body
 * @property {string} account whose it is
 * @property {number} ticket orders the requests of one millisecond
 * @property {number} made milliseconds since 1970 by the device's clock
 *
 * @typedef {{key: string, value: string, edited: number}} KeptSetting
 *
 * @typedef {object} Kept
 * @property {KeptProfile} profile
 * @property {KeptRequest[]} requests in the order in which they were made
 * @property {KeptSetting[]} settings
 *
 * @typedef {object} Store
 * @property {() => Promise<Kept>} load
 * @property {(profile: KeptProfile) => Promise<void>} putProfile
 * @property {(request: KeptRequest) => Promise<void>} putRequest
 * @property {(key: string) => Promise<void>} removeRequest
 * @property {(settings: KeptSetting[]) => Promise<void>} putSettings those that wait, in place of those before
 * @property {(name: string) => Promise<any>} get a page's own value; undefined = none
 * @property {(name: string, value: any) => Promise<void>} put
 * @property {(everything?: boolean) => Promise<void>} empty deletes all but, unless `everything`, the device key
 * @property {(listener: () => void) => void} onEmptied called after each `empty`, also of another tab
 * @property {(listener: (account: string) => void) => void} onReplaced called when another tab has kept who is signed
 *   in there, in place of somebody else
 */

const NOBODY = Object.freeze({ token: '', deviceKey: '', account: '' });

/** @param {KeptRequest[]} requests */
function inOrder(requests) { return requests.sort((a, b) => a.made - b.made || a.ticket - b.ticket); }

/**
 * Keeps everything for as long as the page lives.
 * @implements {Store}
 */
export class MemoryStore {
    constructor() {
        /** @type {KeptProfile} */
        this.profile = { ...NOBODY };
        /** @type {Map<string, KeptRequest>} */
        this.requests = new Map();
        /** @type {KeptSetting[]} */
        this.settings = [];
        /** @type {Map<string, any>} */
        this.values = new Map();
        /** @type {(() => void)[]} */
        this.listeners = [];
    }

    async load() {
        return { profile: this.profile, requests: inOrder([...this.requests.values()]), settings: this.settings };
    }

    async putProfile(/** @type {KeptProfile} */ profile) { this.profile = profile; }
    async putRequest(/** @type {KeptRequest} */ request) { this.requests.set(request.key, request); }
    async removeRequest(/** @type {string} */ key) { this.requests.delete(key); }
    async putSettings(/** @type {KeptSetting[]} */ settings) { this.settings = settings; }
    async get(/** @type {string} */ name) { return this.values.get(name); }
    async put(/** @type {string} */ name, /** @type {any} */ value) { this.values.set(name, value); }

    async empty(everything = false) {
        this.profile = { ...NOBODY, deviceKey: everything ? '' : this.profile.deviceKey };
        this.requests.clear();
        this.settings = [];
        this.values.clear();
        for (const listener of this.listeners) listener();
    }

    onEmptied(/** @type {() => void} */ listener) { this.listeners.push(listener); }

    /** No other tab keeps anything here. */
    onReplaced(/** @type {(account: string) => void} */ _listener) {}
}

/**
 * Keeps everything in IndexedDB, in the storage of this origin alone.
 * @implements {Store}
 */
export class IndexedStore {
    /** @param {string} [name] one for each server and account slot */
    constructor(name = 'cairn') {
        this.name = name;
        /** @type {(() => void)[]} */
        this.listeners = [];
        /** @type {Promise<IDBDatabase> | null} */
        this.opening = null;
        /** Whether somebody has waited for the database in vain. */
        this.isLate = false;
        this.channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`${name}:emptied`);
        /** @type {((account: string) => void)[]} */
        this.replacedListeners = [];
        if (this.channel) this.channel.onmessage = ({ data }) => this.#heard(data);
    }

    async load() {
        const [profile, requests, settings] = await Promise.all([
            this.#read('profile', (store) => store.get('me')), this.#read('requests', (store) => store.getAll()),
            this.#read('settings', (store) => store.getAll()),
        ]);
        return { profile: { ...NOBODY, ...profile }, requests: inOrder(requests), settings };
    }

    async putProfile(/** @type {KeptProfile} */ profile) {
        const before = await this.#read('profile', (store) => store.get('me'));
        await this.#write(['profile'], ([store]) => store.put(profile, 'me'));
        const { account } = profile;
        if (account && account !== before?.account) this.channel?.postMessage({ replaced: account });
    }

    putRequest(/** @type {KeptRequest} */ request) {
        return this.#write(['requests'], ([store]) => store.put(request));
    }

    removeRequest(/** @type {string} */ key) { return this.#write(['requests'], ([store]) => store.delete(key)); }

    putSettings(/** @type {KeptSetting[]} */ settings) {
        return this.#write(['settings'], ([store]) => {
            store.clear();
            for (const setting of settings) store.put(setting);
        });
    }

    get(/** @type {string} */ name) { return this.#read('values', (store) => store.get(name)); }

    put(/** @type {string} */ name, /** @type {any} */ value) {
        return this.#write(['values'], ([store]) => store.put(value, name));
    }

    async empty(everything = false) {
        const kept = everything ? undefined : await this.#read('profile', (store) => store.get('me'));
        await this.#write(['profile', 'requests', 'settings', 'values'], (stores) => {
            for (const store of stores) store.clear();
            if (kept?.deviceKey) stores[0].put({ ...NOBODY, deviceKey: kept.deviceKey }, 'me');
        });
        this.channel?.postMessage('emptied');
        this.#tell();
    }

    onEmptied(/** @type {() => void} */ listener) { this.listeners.push(listener); }

    onReplaced(/** @type {(account: string) => void} */ listener) { this.replacedListeners.push(listener); }

    /** @param {any} data what another tab says */
    #heard(data) {
        if (data?.replaced) for (const listener of this.replacedListeners) listener(data.replaced);
        else this.#tell();
    }

    #tell() { for (const listener of this.listeners) listener(); }

    /**
     * The open database. A browser may close it (iOS does, in the background), and another tab may keep it from being
     * opened: then what waits for it fails after a while, and goes on when it is open after all.
     */
    #database() {
        this.opening ??= this.#open();
        if (this.isLate) return within(0, this.opening);
        return within(OPENING_MAX_MS, this.opening, () => { this.isLate = true; });
    }

    /** @returns {Promise<IDBDatabase>} */
    #open() {
        return new Promise((resolve, reject) => {
            const opening = indexedDB.open(this.name, 1);
            opening.onupgradeneeded = () => {
                const database = opening.result;
                database.createObjectStore('profile');
                database.createObjectStore('values');
                database.createObjectStore('requests', { keyPath: 'key' });
                database.createObjectStore('settings', { keyPath: 'key' });
            };
            opening.onsuccess = () => {
                const database = opening.result;
                this.isLate = false;
                database.onclose = () => this.#forget();
                // Another tab deletes or changes it, and waits.
                database.onversionchange = () => {
                    database.close();
                    this.#forget();
                };
                resolve(database);
            };
            opening.onerror = () => {
                this.#forget();
                reject(opening.error);
            };
        });
    }

    /** The next use opens it again. */
    #forget() {
        this.opening = null;
        this.isLate = false;
    }

    /**
     * Uses the database, once more if it turns out to be closed. Each use may happen twice.
     * @template Result
     * @param {(database: IDBDatabase) => Promise<Result>} use @returns {Promise<Result>}
     */
    async #use(use) {
        try {
            return await use(await this.#database());
        } catch (error) {
            if (!CLOSED.has(/** @type {DOMException} */ (error)?.name)) throw error;
            this.#forget();
            return use(await this.#database());
        }
    }

    /** @param {string} name @param {(store: IDBObjectStore) => IDBRequest} ask @returns {Promise<any>} */
    #read(name, ask) {
        return this.#use((database) => new Promise((resolve, reject) => {
            const request = ask(database.transaction(name).objectStore(name));
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        }));
    }

    /**
     * Resolves when it is written.
     * @param {string[]} names @param {(stores: IDBObjectStore[]) => void} act
     */
    #write(names, act) {
        return this.#use((database) => /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
            const transaction = database.transaction(names, 'readwrite', { durability: 'strict' });
            transaction.oncomplete = () => resolve();
            transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'));
            act(names.map((name) => transaction.objectStore(name)));
        })));
    }
}

/** Longest wait for a database to be opened. */
const OPENING_MAX_MS = 3_000;

/** How a use of a database fails that the browser has closed. */
const CLOSED = new Set(['InvalidStateError', 'AbortError', 'UnknownError']);

/**
 * A promise that fails when another one takes too long.
 * @template Result
 * @param {number} milliseconds @param {Promise<Result>} promise @param {() => void} [late]
 * @returns {Promise<Result>}
 */
function within(milliseconds, promise, late) {
    return new Promise((resolve, reject) => {
        const end = setTimeout(() => {
            late?.();
            reject(new DOMException('the storage of this browser does not answer', 'TimeoutError'));
        }, milliseconds);
        promise.then(resolve, reject).finally(() => clearTimeout(end));
    });
}
