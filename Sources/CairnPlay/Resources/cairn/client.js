// @ts-check
/**
 * A client of a Cairn server, as a page uses it. It does what `CairnClient` of the Swift library does; both pass the
 * scripted conversations in Tests/Conversations.
 */

import { Connection, monotonic } from './connection.js';
import { clientRefusal } from './refusal.js';
import { MemoryStore } from './store.js';
import { Keeper } from './keeper.js';
import { SettingsQueue } from './settings.js';
import { upload } from './assets.js';
import { SHOWN_MAX } from './view.js';

/**
 * @typedef {import('./received.js').Instance} Instance
 * @typedef {import('./received.js').Requests} Requests
 * @typedef {import('./received.js').Welcome} Welcome
 * @typedef {import('./messages.js').Position} Position
 * @typedef {import('./refusal.js').Refusal} Refusal
 * @typedef {import('./presence.js').PresentPerson} PresentPerson
 */

/**
 * Options of a client.
 * @typedef {object} ClientOptions
 * @property {string} url address of the server: `wss://host/v1`, or `https://host`, or a page's own `location.origin`
 * @property {'proto' | 'json'} [format] binary for apps (default); JSON to look at by hand
 * @property {import('./core.js').ClientProfile} [profile] who is it, as said in `hello`
 * @property {import('./store.js').Store} [store] what survives a reload; default: memory only
 * @property {(url: string, protocol: string) => WebSocket} [socket] makes the sockets; one may be open already
 * @property {number} [shownMax] most instances that a view shows; default: 200, on a device of the low class 50 (VIS-8)
 * @property {() => number} [random] 0 up to 1; for tests
 */

/**
 * A client of a server. Its events, each with the one argument that listeners get, are in `events.js`.
 */
export class CairnClient extends Connection {
    /** @param {ClientOptions} options */
    constructor(options) {
        super(options);
        const { store = new MemoryStore() } = options;
        this.store = store;
        /** Most instances that a view shows (VIS-8). */
        this.shownMax = options.shownMax ?? SHOWN_MAX[options.profile?.deviceClass ?? 'DEVICE_CLASS_NORMAL'];
        this.queue = new SettingsQueue(this);
        this.keeper = new Keeper(this);
        /**
         * Requests of this page load that wait, by ticket.
         * @type {Map<number, Waiter>}
         */
        this.waiters = new Map();
        /** @type {Promise<void> | null} */
        this.loading = null;
        store.onEmptied(() => this.#emptied());
        store.onReplaced((/** @type {string} */ account) => {
            if (account !== this.core.account) this.emit('replaced', { account });
        });
    }

    // MARK: What there is

    /** The last welcome: role, account, limits; null before the first. */
    get welcome() { return this.core.welcome; }

    /** Whether the person is signed in: no guest. */
    get isSignedIn() { return this.core.welcome !== null && this.core.welcome.role !== 'guest'; }

    /**
     * Whether a guest looks (SES-14): it has told a position, and the server lets guests look (`limits.guestsLook`).
     * What is public around it is in `view`; people are not. A position that the server puts off (`refused` with the
     * component `guests`) is sent again by itself.
     */
    get isLooking() { return this.core.looks; }

    /** Everything in view; it survives cuts. */
    get view() { return this.core.view; }

    /** Requests without an answer. */
    get unansweredCount() { return this.core.ledger.count; }

    /** Milliseconds since 1970 by the server's clock. */
    serverNow() { return this.core.clock.serverNow(Date.now()); }

    /**
     * The visible things within the exact radius (the server works by whole cells), posts not among them.
     * @param {number} [radius] metres; default: `Limits.view_radius`
     * @returns {Instance[]}
     */
    thingsAround(radius) { return this.core.thingsAround(radius); }

    /**
     * The posts whose reach includes the user's last position, the same for map and AR view (PST-2, MAP-7).
     * @returns {Instance[]}
     */
    postsAround() { return this.core.postsAround(this.serverNow()); }

    /**
     * What a view of the surroundings shows: of the things and posts around the nearest `shownMax`, the nearest first
     * (VIS-8). A map that joins what lies close together may take all.
     * @returns {Instance[]}
     */
    shownAround() { return this.core.shownAround(this.serverNow(), this.shownMax); }

    /**
     * People in view who share their position, oneself among them (`welcome.account`), each once, with the pose
     * interpolated between the last two.
     * @returns {PresentPerson[]}
     */
    people() { return this.core.people(monotonic()); }

    /**
     * The person's settings as they count here: saved ones, and over them the edits that wait for the network (SYN-3).
     * @returns {Map<string, string>}
     */
    get settings() { return this.queue.effective(); }

    // MARK: Connecting

    /** Reads what an earlier page load has kept, once; works without a network. */
    load() {
        this.loading ??= this.keeper.load();
        return this.loading;
    }

    /** Ends the session; the client does not come back until `connect`. Calls that wait fail with `client_closed`. */
    disconnect() {
        super.disconnect();
        const closed = clientRefusal('client_closed', 'the client was closed');
        for (const [ticket, waiter] of this.waiters) {
            // A change stays in the outbox: it may have been carried out, and the next session asks again.
            if (!waiter.isKept) this.core.ledger.remove(ticket);
            waiter.reject(closed);
        }
        this.waiters.clear();
    }

    // MARK: Calls

    /**
     * Sends a request of any kind and waits for its answer, across cuts and, for changes, page loads.
     *
     * @template {keyof Requests} Kind
     * @param {Kind} kind name of the request in lowerCamelCase, as in JSON: `place`, `listFriends`
     * @param {Requests[Kind]['body']} [body] its fields in lowerCamelCase; absent = default; times are numbers, bytes
     *  are Uint8Array
     * @param {{key?: string}} [options] key of an attempt before
     * @returns {Promise<Requests[Kind]['result']>} the body of the reply's result: for `place` a `Placed`
     * @throws {Refusal} the server's, or the client's own (component `client`). Passing ones are never thrown.
     */
    request(kind, body = {}, options = {}) {
        return new Promise((resolve, reject) => {
            let ticket;
            try {
                ticket = this.core.ask(kind, body, options.key);
            } catch (error) {
                reject(error);
                return;
            }
            const entry = this.core.ledger.entry(ticket);
            const isKept = entry !== undefined && entry.key !== '';
            this.waiters.set(ticket, { resolve, reject, isKept });
            if (isKept && entry) this.keeper.request(ticket, entry);
            this.flush();
            this.emit('queued', { count: this.unansweredCount });
        });
    }

    /**
     * Sends the user's position (SES-5); does not wait, the newest counts.
     * @param {Position} position
     */
    move(position) {
        this.core.move(position);
        this.flush();
        this.emit('moved', position);
    }

    /**
     * Sends the user's position and waits.
     * @param {Position} position
     * @returns {Promise<string>} the token of the cell
     */
    async locate(position) {
        this.core.position = position;
        this.emit('moved', position);
        return (await this.request('position', position)).cell;
    }

    /**
     * Ends the token; the connection is a guest's, and what is kept is emptied, in other tabs too (ACC-6). Without a
     * network that happens here at once, and the token is ended when the server is there again.
     */
    async signOut() {
        const { token = '' } = this.core.profile;
        const isEnded = await this.#endToken();
        this.core.forgetSignIn();
        if (isEnded) await this.store.empty();
        else await this.keeper.leave(token);
        await this.keeper.profile();
    }

    /**
     * Saves settings, now or, without a network, with the next connection (SYN-3). They count here at once.
     * @param {Record<string, string>} settings @returns {Promise<void>} resolves when they are kept on this device
     */
    saveSettings(settings) { return this.queue.save(settings); }

    /**
     * Uploads a picture, a recording or the GeoJSON of a tour, and goes on where an earlier upload of the same bytes
     * was cut (OBJ-12).
     * @param {Uint8Array} bytes @param {(done: number) => void} [progress] bytes that have arrived
     * @returns {Promise<string>} the asset's id
     */
    upload(bytes, progress) { return upload(this, bytes, progress); }

    /**
     * An address from which an asset can be downloaded for some minutes: this person's own, not to be passed on.
     * @param {string} asset @param {string} [owner] account on whose profile it is
     * @param {string} [tour] tour that shows it @returns {Promise<string>}
     */
    async assetURL(asset, owner = '', tour = '') {
        const { path } = await this.request('getAsset', { asset, account: owner, tour });
        return new URL(path, this.url.replace(/^ws/, 'http')).href;
    }

    /**
     * Signs in with a password; `code` where the account asks for one (`mfa_required`).
     * @param {{login: string, password: string, code?: string, deviceName?: string}} body @returns {Promise<Welcome>}
     */
    signIn(body) { return this.request('signIn', { deviceKey: this.core.profile.deviceKey ?? '', ...body }); }

    // MARK: Inside

    /** Whether the server has ended the token; false where the link is gone, or goes before it says so. */
    async #endToken() {
        if (!this.isLive) {
            this.cut();
            return false;
        }
        /** @type {() => void} */
        let end = () => {};
        const gone = new Promise((resolve) => {
            end = this.on('state', () => resolve(false));
        });
        try {
            return await Promise.race([this.request('signOut').then(() => true, wasAhead), gone]);
        } finally {
            end();
        }
    }

    /** Ends the tokens of sign-outs that the server has not heard of, each by a connection of its own. */
    async #endLeftTokens() {
        for (const token of await this.keeper.leftTokens()) {
            const { url, format, makeSocket: socket, core } = this;
            const profile = { ...core.profile, name: '', realm: '', token };
            const other = new CairnClient({ url, format, socket, profile });
            try {
                await other.connect();
                if (other.isSignedIn) await other.request('signOut');
                await this.keeper.hasLeft(token);
            } catch (error) {
                // The next welcome tries again.
                this.emit('error', error);
            } finally {
                other.disconnect();
            }
        }
    }

    /** @param {string} name @param {any} detail */
    take(name, detail) {
        if (name === 'answered') {
            this.#answered(detail);
            return;
        }
        // The sign-ins of an account that is being deleted end before the answer, which empties the store then.
        if (name === 'signedOut' && !this.core.ledger.awaits('deleteAccount')) this.keeper.guard(this.store.empty());
        if (name === 'settings') void this.queue.took(detail);
        super.take(name, detail);
        if (name === 'welcomed') {
            // The token was ended while this client was away: what was theirs goes, as after a sign-out.
            if (detail.tokenExpired) this.keeper.guard(this.store.empty());
            void this.keeper.profile();
            void this.queue.send();
            void this.#endLeftTokens();
        }
    }

    /** @param {{ticket: number, entry: import('./ledger.js').Entry, result?: any, refusal?: Refusal}} answer */
    #answered({ ticket, entry, result, refusal }) {
        if (entry.key !== '') this.keeper.answered(entry.key);
        if (entry.kind === 'endDevice' || entry.kind === 'changePassword') void this.keeper.profile();
        if (entry.kind === 'share' && !refusal) this.core.shares(entry.body);
        const isGone = entry.kind === 'deleteAccount' && !(refusal && this.isSignedIn);
        if (isGone) this.keeper.guard(this.store.empty(!refusal));
        const waiter = this.waiters.get(ticket);
        this.waiters.delete(ticket);
        if (!waiter) this.emit('answered', { kind: entry.kind, body: entry.body, key: entry.key, result, refusal });
        else if (refusal) waiter.reject(refusal);
        else waiter.resolve(result);
        this.emit('queued', { count: this.unansweredCount });
    }

    // MARK: What survives a reload

    /** The store was emptied, here or in another tab: nothing of the person is sent any more. */
    #emptied() {
        this.queue.forget();
        this.keeper.forget();
        this.core.forgetSignIn();
        this.core.profile.name = '';
        const refusal = clientRefusal('signed_out', 'the person was signed out');
        for (const ticket of this.core.ledger.clear()) this.waiters.get(ticket)?.reject(refusal);
        this.waiters.clear();
        this.emit('emptied', undefined);
    }
}

/**
 * A sign-out that is refused with `signed_out`: another tab, which the server told first, has emptied the store.
 * @param {Refusal} refusal
 */
function wasAhead(refusal) {
    if (refusal.code !== 'signed_out') throw refusal;
    return true;
}

/** @typedef {{resolve: (result: any) => void, reject: (refusal: unknown) => void, isKept: boolean}} Waiter */
