// @ts-check
/**
 * A client of a Cairn server, as a page uses it. It does what `CairnClient` of the Swift library does; both pass the
 * scripted conversations in Tests/Conversations.
 */

import { ClientCore } from './core.js';
import { clientRefusal } from './refusal.js';
import { MemoryStore } from './store.js';
import { Calls } from './calls.js';
import { Keeper } from './keeper.js';
import { SettingsQueue } from './settings.js';
import { upload } from './assets.js';
import { REQUESTS } from './schema.js';

/**
 * @typedef {import('./messages.js').Instance} Instance
 * @typedef {import('./messages.js').Position} Position
 * @typedef {import('./messages.js').Welcome} Welcome
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
 * @property {(url: string, protocol: string) => WebSocket} [socket] makes the sockets, for tests and playgrounds
 * @property {() => number} [random] 0 up to 1; for tests
 */

/**
 * How a client's connection stands.
 * @typedef {'offline' | 'connecting' | 'live' | 'pausing'} ClientState
 */

/**
 * Events, by name, each with the one argument that its listeners get:
 *
 * | Name | Argument |
 * |---|---|
 * | `state` | {ClientState}: the connection has changed |
 * | `welcomed` | {Welcome}: the session is open, or was taken over after a cut (`resumed`), or a guest has signed in |
 * | `signedOut` | {code, message}: the connection is a guest's from now on |
 * | `appeared` | {Instance}: came into view |
 * | `changed` | {instance, was}: moved, turned, resized, reacted to, written on, voted on, or now in another cell |
 * | `disappeared` | {Instance}: removed, or out of view |
 * | `followed`, `unfollowed`, `resynchronising` | {topic} |
 * | `presence` | {cell, joined, left, moved, peopleCount}: people came, went and moved |
 * | `notice` | {text, sent, cell}: of the operators; show it |
 * | `settings` | {Setting[]}: what was saved, here or on another device; `client.settings` has all |
 * | `standing` | {role, organisation}: the account's role has changed |
 * | `selectionReset` | the selected sub-realm is no longer one of the user's |
 * | `realmChanged` | {id}: read the sub-realm again |
 * | `notified` | {notifications, unread}: those that were not reported before |
 * | `closing` | {code, message, reconnectAfter} |
 * | `disconnected` | {code, reason, after}: `after` in milliseconds, null = does not come back by itself |
 * | `answered` | {kind, body, key, result, refusal}: a change of an earlier page load was answered |
 * | `refused` | {Refusal}: of a message without a request id, such as an invalid position |
 * | `queued` | {count}: changes without an answer |
 * | `emptied` | what is kept was deleted, here or in another tab: after a sign-out, a revocation, a deletion |
 * | `frame` | {direction, bytes, message}: each message as it passes, only if somebody listens |
 * | `violation` | {rule, topic, detail}: the server broke a rule of the protocol, or a frame could not be read |
 * | `error` | {unknown}: a listener threw, or what is kept could not be read or written |
 */
export class CairnClient extends Calls {
    /** @param {ClientOptions} options */
    constructor(options) {
        super();
        const { url, profile = {}, format = 'proto', store = new MemoryStore(), random = Math.random } = options;
        this.url = socketURL(url);
        this.format = format;
        this.store = store;
        this.makeSocket = options.socket ?? ((url, protocol) => new WebSocket(url, protocol));
        this.core = new ClientCore({ profile, format, random });
        this.queue = new SettingsQueue(this);
        this.keeper = new Keeper(this);
        /** @type {ClientState} */
        this.state = 'offline';
        /** @type {WebSocket | null} */
        this.socket = null;
        this.hasBeenLive = false;
        /**
         * Requests of this page load that wait, by ticket.
         * @type {Map<number, Waiter>}
         */
        this.waiters = new Map();
        /** @type {{resolve: (welcome: Welcome) => void, reject: (refusal: Refusal) => void}[]} */
        this.greeters = [];
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.pause = undefined;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.waker = undefined;
        /** @type {Promise<void> | null} */
        this.loading = null;
        store.onEmptied(() => this.#emptied());
        // Not in Node.
        globalThis.addEventListener?.('online', () => this.hurry());
    }

    // MARK: What there is

    /** The last welcome: role, account, limits; null before the first. */
    get welcome() { return this.core.welcome; }

    /** Whether the person is signed in: no guest. */
    get isSignedIn() { return this.core.welcome !== null && this.core.welcome.role !== 'guest'; }

    get isLive() { return this.state === 'live'; }

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
     * People in view who share their position, each once, with the pose interpolated between the last two.
     * @returns {PresentPerson[]}
     */
    people() { return this.core.people(monotonic()); }

    /**
     * The person's settings as they count here: saved ones, and over them the edits that wait for the network (SYN-3).
     * @returns {Map<string, string>}
     */
    get settings() { return this.queue.effective(); }

    // MARK: Connecting

    /**
     * Opens a session and waits for the welcome. After the first one the client reconnects by itself. What an earlier
     * page load has kept is continued: sign-in, unanswered changes, settings.
     * @returns {Promise<Welcome>}
     * @throws {Refusal} `unreachable`, the server's refusal of `hello`, `client_closed`
     */
    async connect() {
        await this.load();
        if (this.isLive && this.core.welcome) return this.core.welcome;
        return new Promise((resolve, reject) => {
            this.greeters.push({ resolve, reject });
            if (this.socket === null && this.pause === undefined) this.#open();
        });
    }

    /** Reads what an earlier page load has kept, once; works without a network. */
    load() {
        this.loading ??= this.keeper.load();
        return this.loading;
    }

    /** Ends the session; the client does not come back until `connect`. What waits fails with `client_closed`. */
    disconnect() {
        const closed = clientRefusal('client_closed', 'the client was closed');
        this.hasBeenLive = false;
        clearTimeout(this.pause);
        this.pause = undefined;
        this.#drop(1000);
        this.core.connectionClosed(1000, monotonic());
        this.#failGreeters(closed);
        for (const [ticket, waiter] of this.waiters) {
            // A change stays in the outbox: it may have been carried out, and the next session asks again.
            if (!waiter.isKept) this.core.ledger.remove(ticket);
            waiter.reject(closed);
        }
        this.waiters.clear();
        this.#enter('offline');
    }

    /**
     * Gives the link up, as a tunnel would: the client comes back by itself and resumes the session. To close the
     * socket would end the session, so it is left to the server, which closes it when the session is taken over.
     */
    cut() {
        const { socket } = this;
        if (!socket) return;
        const end = setTimeout(() => socket.close(), ABANDONED_MS);
        // Node would wait for it.
        /** @type {any} */ (end).unref?.();
        this.#closed(1006, 'cut');
    }

    /** Tries again now instead of after the pause, for instance when the browser says `online`. */
    hurry() {
        if (this.pause === undefined) return;
        clearTimeout(this.pause);
        this.pause = undefined;
        this.#open();
    }

    // MARK: Calls

    /**
     * Sends a request of any kind and waits for its answer, across cuts and, for changes, page loads.
     *
     * @template {keyof typeof REQUESTS} Kind
     * @param {Kind} kind name of the request in lowerCamelCase, as in JSON: `place`, `listFriends`
     * @param {object} [body] its fields in lowerCamelCase; absent = default; times are numbers, bytes are Uint8Array
     * @param {{key?: string}} [options] key of an attempt before
     * @returns {Promise<any>} the body of the reply's result: for `place` a `Placed`
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
            this.#flush();
            this.emit('queued', { count: this.unansweredCount });
        });
    }

    /**
     * Sends the user's position (SES-5); does not wait, the newest counts.
     * @param {Position} position
     */
    move(position) {
        this.core.move(position);
        this.#flush();
    }

    /**
     * Sends the user's position and waits.
     * @param {Position} position
     * @returns {Promise<string>} the token of the cell
     */
    async locate(position) {
        this.core.position = position;
        return (await this.request('position', position)).cell;
    }

    /** Ends the token; the connection is a guest's, and what is kept is emptied, in other tabs too (ACC-6). */
    async signOut() {
        await this.request('signOut');
        this.core.forgetSignIn();
        await this.store.empty();
        await this.keeper.profile();
    }

    /**
     * Saves settings, now or, without a network, with the next connection (SYN-3). They count here at once.
     * @param {Record<string, string>} settings @returns {Promise<void>} resolves when they are kept on this device
     */
    saveSettings(settings) { return this.queue.save(settings); }

    /**
     * Uploads a picture, PNG or JPEG, and goes on where an earlier upload of the same bytes was cut (OBJ-12).
     * @param {Uint8Array} bytes @param {(done: number) => void} [progress] bytes that have arrived
     * @returns {Promise<string>} the asset's id
     */
    upload(bytes, progress) { return upload(this, bytes, progress); }

    /**
     * An address from which an asset can be downloaded for some minutes: this person's own, not to be passed on.
     * @param {string} asset @param {string} [owner] account on whose profile it is @returns {Promise<string>}
     */
    async assetURL(asset, owner = '') {
        const { path } = await this.request('getAsset', { asset, account: owner });
        return new URL(path, this.url.replace(/^ws/, 'http')).href;
    }

    /**
     * Signs in with a password; `code` where the account asks for one (`mfa_required`).
     * @param {{login: string, password: string, code?: string, deviceName?: string}} body @returns {Promise<Welcome>}
     */
    signIn(body) { return this.request('signIn', { deviceKey: this.core.profile.deviceKey ?? '', ...body }); }

    // MARK: Inside

    #open() {
        this.#enter('connecting');
        /** @type {WebSocket} */
        let socket;
        try {
            socket = this.makeSocket(this.url, `cairn.v1.${this.format}`);
        } catch (error) {
            this.#closed(1006, String(error));
            return;
        }
        socket.binaryType = 'arraybuffer';
        this.socket = socket;
        // Late events of an earlier socket are nobody's.
        const own = (/** @type {(event: any) => void} */ act) => (/** @type {any} */ event) => {
            if (this.socket === socket) act(event);
        };
        let wasOpen = false;
        socket.onopen = own(() => {
            wasOpen = true;
            this.core.connectionOpened(monotonic(), Date.now());
            this.#flush();
        });
        socket.onmessage = own((event) => this.#received(event.data));
        // Node's sockets close without saying so when they could not be opened.
        socket.onerror = own(() => { if (!wasOpen) this.#closed(1006, 'no connection'); });
        socket.onclose = own((event) => this.#closed(event.code, event.reason));
    }

    /** @param {ArrayBuffer | string} data */
    #received(data) {
        const bytes = typeof data === 'string' ? data : new Uint8Array(data);
        const events = this.core.receive(bytes, monotonic(), Date.now());
        if (this.hears('frame')) this.emit('frame', { direction: 'in', bytes, message: this.core.lastMessage });
        for (const [name, detail] of events) this.#take(name, detail);
        this.#flush();
    }

    /** @param {string} name @param {any} detail */
    #take(name, detail) {
        switch (name) {
        case 'welcomed':
            this.hasBeenLive = true;
            this.#enter('live');
            for (const greeter of this.greeters.splice(0)) greeter.resolve(detail);
            void this.keeper.profile();
            void this.queue.send();
            break;
        case 'answered':
            this.#answered(detail);
            return;
        case 'refused':
            if (this.core.phase === 'greeting') this.#failGreeters(detail);
            break;
        case 'signedOut':
            this.keeper.guard(this.store.empty());
            break;
        case 'settings':
            void this.queue.took(detail);
            break;
        case 'violation':
            // The state of the topic cannot be trusted: a new connection gets a new snapshot of it.
            if (detail.spoilsTheView) {
                this.core.view.distrust(detail.topic);
                this.cut();
            }
            break;
        default:
        }
        this.emit(name, detail);
    }

    /** @param {{ticket: number, entry: import('./ledger.js').Entry, result?: any, refusal?: Refusal}} answer */
    #answered({ ticket, entry, result, refusal }) {
        if (entry.key !== '') this.keeper.guard(this.store.removeRequest(entry.key));
        if (entry.kind === 'endDevice' || entry.kind === 'changePassword') void this.keeper.profile();
        if (entry.kind === 'deleteAccount' && !refusal) this.keeper.guard(this.store.empty(true));
        const waiter = this.waiters.get(ticket);
        this.waiters.delete(ticket);
        if (!waiter) this.emit('answered', { kind: entry.kind, body: entry.body, key: entry.key, result, refusal });
        else if (refusal) waiter.reject(refusal);
        else waiter.resolve(result);
        this.emit('queued', { count: this.unansweredCount });
    }

    /** @param {number} code @param {string} reason */
    #closed(code, reason) {
        this.#drop();
        const after = this.core.connectionClosed(code, monotonic());
        const comesBack = this.hasBeenLive && after !== null;
        this.emit('disconnected', { code, reason, after: comesBack ? after : null });
        if (!comesBack || after === null) {
            this.#enter('offline');
            this.#failGreeters(clientRefusal('unreachable', `${this.url}: ${reason || `close code ${code}`}`));
            return;
        }
        this.#enter('pausing');
        this.pause = setTimeout(() => {
            this.pause = undefined;
            this.#open();
        }, after);
    }

    /**
     * Lets go of the socket, whose later events are nobody's.
     * @param {number} [code]
     */
    #drop(code) {
        const { socket } = this;
        this.socket = null;
        if (code !== undefined) socket?.close(code);
    }

    /** @param {ClientState} state */
    #enter(state) {
        if (this.state === state) return;
        this.state = state;
        this.emit('state', state);
    }

    /** @param {Refusal} refusal */
    #failGreeters(refusal) {
        for (const greeter of this.greeters.splice(0)) greeter.reject(refusal);
    }

    /** Sends what the core wants sent, and schedules its next wake. */
    #flush() {
        for (const { bytes, message } of this.core.takeOutgoing()) {
            if (this.socket?.readyState === 1) this.socket.send(bytes);
            if (this.hears('frame')) this.emit('frame', { direction: 'out', bytes, message });
        }
        clearTimeout(this.waker);
        const { nextWake } = this.core;
        if (nextWake === null) return;
        this.waker = setTimeout(() => {
            for (const [name, detail] of this.core.wake(monotonic())) this.#take(name, detail);
            this.#flush();
        }, Math.max(0, nextWake - monotonic()));
    }

    // MARK: What survives a reload

    /** What is kept was deleted, here or in another tab: nothing of the person is sent any more. */
    #emptied() {
        this.queue.forget();
        this.core.forgetSignIn();
        const refusal = clientRefusal('signed_out', 'the person was signed out');
        for (const ticket of this.core.ledger.clear()) this.waiters.get(ticket)?.reject(refusal);
        this.waiters.clear();
        this.emit('emptied', undefined);
    }
}

/** @typedef {{resolve: (result: any) => void, reject: (refusal: unknown) => void, isKept: boolean}} Waiter */

/** A socket that was given up is closed after so long, if the server has not done so. */
const ABANDONED_MS = 60_000;

/** Milliseconds of a clock that nobody sets. */
export function monotonic() { return performance.now(); }

/** @param {string} text an address of the server, with or without its path @returns {string} that of the socket */
export function socketURL(text) {
    const url = new URL(text);
    url.protocol = url.protocol.replace(/^http/, 'ws');
    if (url.pathname === '/') url.pathname = '/v1';
    return url.href;
}
