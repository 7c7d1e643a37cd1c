// @ts-check
import { Calls } from './calls.js';
import { ClientCore } from './core.js';
import { attend } from './reconnect.js';
import { clientRefusal } from './refusal.js';
import { PROTOCOL } from './session.js';

/**
 * @typedef {import('./received.js').Welcome} Welcome
 * @typedef {import('./refusal.js').Refusal} Refusal
 */

/**
 * How a client's connection stands.
 * @typedef {'offline' | 'connecting' | 'live' | 'pausing'} ClientState
 */

/**
 * The link to the server: opens sockets, comes back after cuts, and carries the core's messages. `CairnClient` decides
 * what they mean for the person: it adds to `take`.
 */
export class Connection extends Calls {
    /** @param {import('./client.js').ClientOptions} options */
    constructor({ url, profile = {}, format = 'proto', random = Math.random, socket }) {
        super();
        this.url = socketURL(url);
        this.format = format;
        this.makeSocket = socket ?? ((url, protocol) => new WebSocket(url, protocol));
        this.core = new ClientCore({ profile, format, random });
        /** @type {ClientState} */
        this.state = 'offline';
        /** @type {WebSocket | null} */
        this.socket = null;
        this.hasBeenLive = false;
        /** @type {{resolve: (welcome: Welcome) => void, reject: (refusal: Refusal) => void}[]} */
        this.greeters = [];
        /** Sockets that were given up, and what ends each. @type {Map<WebSocket, ReturnType<typeof setTimeout>>} */
        this.abandoned = new Map();
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.pause = undefined;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.waker = undefined;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.opening = undefined;
        /**
         * What ends the attention to the device.
         * @type {AbortController | null}
         */
        this.attention = null;
    }

    get isLive() { return this.state === 'live'; }

    /**
     * Opens a session and waits for the welcome. After the first one the client reconnects by itself. The session
     * continues what an earlier page load has kept: sign-in, unanswered changes, settings.
     * @returns {Promise<Welcome>}
     * @throws {Refusal} `unreachable`, the server's refusal of `hello`, `client_closed`
     */
    async connect() {
        this.attention ??= attend(() => this.wakeUp());
        await this.load();
        // Meanwhile it may have been disconnected.
        if (this.attention === null) throw clientRefusal('client_closed', 'the client was closed');
        if (this.isLive && this.core.welcome) return this.core.welcome;
        return new Promise((resolve, reject) => {
            this.greeters.push({ resolve, reject });
            if (this.socket === null && this.pause === undefined) this.#open();
        });
    }

    /** Reads what the session continues; none here. */
    load() { return Promise.resolve(); }

    /** Ends the session; the client does not come back until `connect`. Calls that wait fail with `client_closed`. */
    disconnect() {
        this.attention?.abort();
        this.attention = null;
        this.#end();
        this.#failGreeters(clientRefusal('client_closed', 'the client was closed'));
    }

    /**
     * Gives the link up, as a tunnel would: the client comes back by itself and resumes the session. To close the
     * socket would end the session, so it is left to the server, which closes it when the session is taken over. A
     * socket that has said nothing yet has no session, and is closed: browsers have a limit for those that are open.
     */
    cut() {
        const { socket } = this;
        if (!socket) return;
        if (this.core.phase === 'offline') socket.close();
        else this.#abandon(socket);
        this.#closed(1006, 'cut');
    }

    /** Tries again now instead of after the pause, for instance when the browser says `online`. */
    hurry() {
        if (this.pause === undefined) return;
        clearTimeout(this.pause);
        this.pause = undefined;
        this.#open();
    }

    /**
     * The device was asleep, or has changed its network: tries again now, or asks a server that was quiet for a sign of
     * life. Pages need not call it; an app whose system tells it that it is in front again may.
     */
    wakeUp() {
        this.hurry();
        this.core.doubt(monotonic());
        this.flush();
    }

    // MARK: Inside

    #end() {
        this.hasBeenLive = false;
        clearTimeout(this.pause);
        this.pause = undefined;
        this.#drop(1000);
        this.core.connectionClosed(1000, monotonic());
        this.#enter('offline');
    }

    /** @param {WebSocket} socket */
    #abandon(socket) {
        const end = setTimeout(() => this.#forget(socket), ABANDONED_MS);
        // Node would wait for it.
        /** @type {any} */ (end).unref?.();
        this.abandoned.set(socket, end);
        socket.onclose = () => this.#forget(socket);
    }

    /** @param {WebSocket} socket */
    #forget(socket) {
        clearTimeout(this.abandoned.get(socket));
        this.abandoned.delete(socket);
        socket.close();
    }

    /**
     * The session was taken over, perhaps by a hello of our own that was on its way for longer than a later one. Then
     * the client takes it back; once, because none of its own is left after that.
     * @param {number} code
     */
    #isByOurselves(code) {
        if (code !== TAKEN_OVER || this.abandoned.size === 0) return false;
        for (const socket of [...this.abandoned.keys()]) this.#forget(socket);
        return true;
    }

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
        // Late events of an earlier socket are ignored.
        const own = (/** @type {(event: any) => void} */ act) => (/** @type {any} */ event) => {
            if (this.socket === socket) act(event);
        };
        let wasOpen = false;
        this.opening = setTimeout(own(() => {
            socket.close();
            this.#closed(1006, 'no answer');
        }), OPENING_MAX_MS);
        const opened = own(() => {
            wasOpen = true;
            this.core.connectionOpened(monotonic(), Date.now());
            this.flush();
        });
        socket.onopen = opened;
        socket.onmessage = own((event) => this.#received(event.data));
        // Node's sockets close without saying so when they could not be opened.
        socket.onerror = own(() => { if (!wasOpen) this.#closed(1006, 'no connection'); });
        socket.onclose = own((event) => this.#closed(event.code, event.reason));
        // Whoever makes the sockets may have opened this one before.
        if (socket.readyState === 1) opened(null);
    }

    /** @param {ArrayBuffer | string} data */
    #received(data) {
        const bytes = typeof data === 'string' ? data : new Uint8Array(data);
        const events = this.core.receive(bytes, monotonic(), Date.now());
        if (this.hears('frame')) this.emit('frame', { direction: 'in', bytes, message: this.core.lastMessage });
        for (const [name, detail] of events) this.take(name, detail);
        this.flush();
    }

    /**
     * Goes by an event of the core, and tells it. `CairnClient` adds what it means there.
     * @param {string} name @param {any} detail
     */
    take(name, detail) {
        if (name === 'welcomed') {
            this.hasBeenLive = true;
            clearTimeout(this.opening);
            this.#enter('live');
            for (const greeter of this.greeters.splice(0)) greeter.resolve(detail);
        } else if (name === 'refused' && detail.code === 'unsupported_version' && this.core.phase === 'greeting') {
            this.#unsupported(Number(detail.details.version), detail);
            return;
        } else if (name === 'refused' && this.core.phase === 'greeting' && this.greeters.length > 0) {
            // Nothing follows on this connection, and the next `connect` opens another one. Callers that wait are told.
            this.#end();
            this.#failGreeters(detail);
            return;
        } else if (name === 'silent') {
            // The server may not know yet that the link is gone: the session is resumed over another one.
            if (this.socket) this.#abandon(this.socket);
            this.#closed(1006, 'silent');
            return;
        } else if (name === 'violation' && detail.spoilsTheView) {
            // The state of the topic cannot be trusted: a new connection gets a new snapshot of it.
            this.core.view.distrust(detail.topic);
            this.cut();
        }
        this.emit(name, detail);
    }

    /** @param {number} code @param {string} reason */
    #closed(code, reason) {
        this.#drop();
        const wasOpened = this.core.phase !== 'offline';
        const after = this.core.connectionClosed(this.#isByOurselves(code) ? 1006 : code, monotonic());
        const comesBack = this.hasBeenLive && after !== null;
        this.emit('disconnected', { code, reason, after: comesBack ? after : null });
        if (!comesBack || after === null) {
            this.#enter('offline');
            const refusal = clientRefusal('unreachable', `${this.url}: ${reason || `close code ${code}`}`);
            if (wasOpened) this.#failGreeters(refusal);
            else void this.#askVersion(refusal);
            return;
        }
        if (!wasOpened && this.core.attempts % ATTEMPTS_TO_ASK === 0) void this.#askVersion();
        this.#enter('pausing');
        this.pause = setTimeout(() => {
            this.pause = undefined;
            this.#open();
        }, after);
    }

    /**
     * A socket could not be opened, and a page cannot read why: the server may speak another version of the protocol.
     * @param {Refusal} [other] what callers are told otherwise
     */
    async #askVersion(other) {
        const waiting = other ? this.greeters.splice(0) : [];
        // Loaded here alone: few ever need it.
        const server = await import('./versions.js').then(({ spokenBy }) => spokenBy(this.url), () => null);
        const isOther = server !== null && server !== PROTOCOL;
        if (isOther && !this.isLive) this.#unsupported(server);
        const refusal = isOther ? otherVersion(server) : other;
        if (refusal) for (const greeter of waiting) greeter.reject(refusal);
    }

    /** @param {number} server the version that it speaks @param {Refusal} [refusal] its own words */
    #unsupported(server, refusal = otherVersion(server)) {
        this.#end();
        this.emit('unsupported', { client: PROTOCOL, server });
        if (this.greeters.length === 0) this.emit('refused', refusal);
        this.emit('disconnected', { code: UNSUPPORTED, reason: refusal.code, after: null });
        this.#failGreeters(refusal);
    }

    /**
     * Lets go of the socket, whose later events are ignored.
     * @param {number} [code]
     */
    #drop(code) {
        const { socket } = this;
        this.socket = null;
        clearTimeout(this.opening);
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

    /**
     * Refuses a request that is larger than the server takes: it would close the connection, and again after each
     * reload.
     * @param {string | Uint8Array} bytes @param {number} id
     */
    #refusesSize(bytes, id) {
        const most = this.core.welcome?.limits?.messageBytes ?? 0;
        // A character of JSON has three bytes at most.
        if (most === 0 || bytes.length * 3 <= most) return false;
        const size = typeof bytes === 'string' ? new TextEncoder().encode(bytes).length : bytes.length;
        const asked = size > most && this.core.ledger.answeredBy(id);
        if (!asked) return false;
        this.core.ledger.remove(asked.ticket);
        const details = { limit: String(most), count: String(size) };
        const refusal = clientRefusal('too_large', `a message of ${size} bytes; the server takes ${most}`, details);
        this.take('answered', { ...asked, refusal });
        return true;
    }

    /** Sends what the core wants sent, and schedules its next wake. */
    flush() {
        for (const { bytes, message } of this.core.takeOutgoing()) {
            if (this.#refusesSize(bytes, message.id)) continue;
            if (this.socket?.readyState === 1) this.socket.send(bytes);
            if (this.hears('frame')) this.emit('frame', { direction: 'out', bytes, message });
        }
        clearTimeout(this.waker);
        const { nextWake } = this.core;
        if (nextWake === null) return;
        this.waker = setTimeout(() => {
            for (const [name, detail] of this.core.wake(monotonic())) this.take(name, detail);
            this.flush();
        }, Math.max(0, nextWake - monotonic()));
    }
}

/** After so many sockets in a row that could not be opened the server is asked which version it speaks. */
const ATTEMPTS_TO_ASK = 4;

/** A server that has not welcomed the client for so long is given up. */
const OPENING_MAX_MS = 30_000;

/** A socket that was given up is closed after so long, if the server has not done so. */
const ABANDONED_MS = 60_000;

/** Close code of a connection whose version of the protocol is another one: `unsupported_version`. */
const UNSUPPORTED = 4100;

/** Close code of a connection whose session another one has now: `session_taken_over`. */
const TAKEN_OVER = 4201;

/** @param {number} server the version that it speaks */
function otherVersion(server) {
    const text = `the server speaks version ${server} of the protocol, this app version ${PROTOCOL}`;
    return clientRefusal('unsupported_version', text, { version: String(server) });
}

/** Milliseconds of a monotonic clock. */
export function monotonic() { return performance.now(); }

/** @param {string} text an address of the server, with or without its path @returns {string} that of the socket */
export function socketURL(text) {
    const url = new URL(text);
    url.protocol = url.protocol.replace(/^http/, 'ws');
    if (url.pathname === '/') url.pathname = '/v1';
    return url.href;
}
