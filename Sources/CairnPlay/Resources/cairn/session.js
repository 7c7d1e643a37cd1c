// @ts-check
import { encode } from './codec.js';
import { toJSON } from './json.js';
import { ClockOffset } from './clock.js';
import { RequestLedger } from './ledger.js';
import { Presence } from './presence.js';
import { LinkWatch, STABLE_AFTER_MS, reconnection } from './reconnect.js';
import { REQUESTS } from './schema.js';
import { LiveView, nearest } from './view.js';

/**
 * Identity and privacy of a client, as sent in `Hello`.
 * @typedef {object} ClientProfile
 * @property {string} [name] to sign in by, where the server accepts names without a token
 * @property {string} [token] of an earlier welcome; a secret
 * @property {string} [deviceKey] of an earlier sign-in; a secret that stays after a sign-out
 * @property {string} [frontEnd] default `realm`
 * @property {string} [language] BCP 47
 * @property {'DEVICE_CLASS_NORMAL' | 'DEVICE_CLASS_LOW'} [deviceClass]
 * @property {boolean} [sharesPosition] undefined = as in the person's settings (VIS-9)
 * @property {number} [shareAccuracy] 0, 10, 100 or 1000 metres (PRF-8)
 * @property {string} [realm] the selected sub-realm; empty = the public instances
 */

/** The version of the protocol that this library speaks. */
export const PROTOCOL = 1;

/** A server that was heard so lately is not doubted. */
const DOUBT_AFTER_MS = 3_000;
/** Longest wait for a sign of life of a server that is doubted: a phone's radio needs some seconds to wake. */
const DOUBT_PATIENCE_MS = 10_000;

/**
 * A position without what the device does not know: browsers give NaN as the heading of somebody who stands.
 * @param {import('./messages.js').Position} position @returns {import('./messages.js').Position}
 */
function known(position) {
    return Object.fromEntries(Object.entries(position).filter(([, value]) => !Number.isNaN(value)));
}

/** What a client keeps over cuts, and what it says: hello, positions, requests. */
export class SessionCore {
    /** @param {{profile?: ClientProfile, format?: 'proto' | 'json', random?: () => number}} options */
    constructor({ profile = {}, format = 'proto', random = Math.random } = {}) {
        /** @type {'offline' | 'greeting' | 'live'} */
        this.phase = 'offline';
        /** @type {ClientProfile} */
        this.profile = { ...profile };
        this.format = format;
        this.random = random;
        /** @type {import('./received.js').Welcome | null} */
        this.welcome = null;
        /** The account of an earlier page load. */
        this.keptAccount = '';
        this.view = new LiveView();
        this.presence = new Presence();
        this.ledger = new RequestLedger();
        this.clock = new ClockOffset();
        /**
         * The last position.
         * @type {import('./messages.js').Position | null}
         */
        this.position = null;
        /**
         * The last message of the server, for those who look at frames.
         * @type {any}
         */
        this.lastMessage = null;
        /** @type {any[]} */
        this.outgoing = [];
        this.helloID = 0;
        /** @type {any} */
        this.closing = null;
        this.attempts = 0;
        this.openedAt = 0;
        this.helloSentAt = 0;
        /** @type {number | null} */
        this.dropUnconfirmedAt = null;
        /**
         * When a guest's position is sent again that the server has put off; null = none is.
         * @type {number | null}
         */
        this.lookAt = null;
        this.link = new LinkWatch();
        /** @type {Set<string>} */
        this.knownNotifications = new Set();
        /**
         * Requests that the client itself makes.
         * @type {Set<number>}
         */
        this.acknowledgements = new Set();
        /**
         * Posts that are shown.
         * @type {Set<string>}
         */
        this.shownPosts = new Set();
    }

    get account() { return this.welcome?.account ?? ''; }

    /** The account that a change is made for now; before the first welcome, that of the person who was here last. */
    get owner() { return this.account || this.keptAccount; }

    // MARK: What is around

    /** @param {number} [radius] */
    thingsAround(radius = this.welcome?.limits?.viewRadius ?? 0) {
        const { lat, lon } = this.position ?? {};
        return lat === undefined || lon === undefined ? [] : this.view.things(radius, { lat, lon });
    }

    /** @param {number} serverNow */
    postsAround(serverNow) {
        const { lat, lon } = this.position ?? {};
        if (lat === undefined || lon === undefined) return [];
        const posts = this.view.posts({ lat, lon }, serverNow, this.shownPosts);
        this.shownPosts = new Set(posts.map(({ id = '' }) => id));
        return posts;
    }

    /** @param {number} serverNow @param {number} most */
    shownAround(serverNow, most) {
        const { lat, lon } = this.position ?? {};
        if (lat === undefined || lon === undefined) return [];
        return nearest([...this.thingsAround(), ...this.postsAround(serverNow)], { lat, lon }, most);
    }

    /** @param {number} now */
    people(now) { return this.presence.people(now); }

    // MARK: Requests

    /**
     * Sends a request, at once or with the next connection.
     * @param {string} kind @param {any} body @param {string} [key] of an attempt before
     * @returns {number} ticket
     */
    ask(kind, body, key) {
        const request = /** @type {Record<string, {type: string, keyed: boolean}>} */ (REQUESTS)[kind];
        if (!request) throw new TypeError(`there is no request ${kind}`);
        if (kind === 'position') body = this.position = known(body);
        // A body that cannot be encoded must fail now, and to the caller.
        encode(request.type, body);
        const ticket = this.ledger.add(kind, body, request.keyed ? key ?? this.makeKey() : '', this.owner);
        if (this.phase === 'live') this.outgoing.push(this.ledger.send(ticket));
        return ticket;
    }

    /**
     * Takes over the changes of an earlier page load, in their order. Those of kinds that this version does not know
     * are left where they are kept.
     * @param {import('./store.js').KeptRequest[]} kept
     */
    restore(kept) {
        for (const { kind, body, key, account } of kept) {
            if (Object.hasOwn(REQUESTS, kind)) this.ledger.add(kind, body, key, account);
        }
    }

    /** A new idempotency key: 128 random bits in hexadecimal. */
    makeKey() {
        const part = () => Math.floor(this.random() * 2 ** 32).toString(16).padStart(8, '0');
        return part() + part() + part() + part();
    }

    /** @param {import('./messages.js').Position} position */
    move(position) {
        position = known(position);
        encode('Position', position);
        this.position = position;
        // One of a guest whom the server has put off is sent when the pause is over.
        if (this.phase === 'live' && this.lookAt === null) this.outgoing.push({ position });
    }

    /**
     * Says the same of sharing with each hello from here on.
     * @param {import('./messages.js').Share} share
     */
    shares({ position, accuracy }) {
        this.profile.sharesPosition = position;
        this.profile.shareAccuracy = accuracy ?? this.profile.shareAccuracy;
    }

    /**
     * Whether there is a view, or will be one, without an account (SES-14): a guest's position opens a view of what is
     * public, where the server lets guests look.
     */
    get looks() {
        return this.position !== null && this.welcome?.role === 'guest' && this.welcome.limits?.guestsLook === true;
    }

    /** Drops what a guest does not have: token, selected sub-realm, account, settings and position. */
    forgetSignIn() {
        this.profile.token = '';
        this.profile.realm = '';
        this.profile.sharesPosition = undefined;
        this.profile.shareAccuracy = undefined;
        this.keptAccount = '';
        const guest = { session: '', role: 'guest', account: '', name: '', organisation: undefined, settings: [] };
        if (this.welcome) Object.assign(this.welcome, guest);
        this.position = null;
        this.lookAt = null;
    }

    // MARK: The connection

    /**
     * The messages to send, in order: one WebSocket message each.
     * @returns {{bytes: any, message: any}[]}
     */
    takeOutgoing() {
        return this.outgoing.splice(0).map((message) => ({
            message,
            bytes: this.format === 'proto'
                ? encode('ClientMessage', message) : JSON.stringify(toJSON('ClientMessage', message)),
        }));
    }

    /**
     * When to call `wake`; null = nothing waits for the clock.
     * @returns {number | null}
     */
    get nextWake() {
        if (this.phase !== 'live') return null;
        const wakes = [this.ledger.nextWake(this.account), this.dropUnconfirmedAt, this.lookAt, this.#watchAt]
            .filter((wake) => wake !== null);
        return wakes.length > 0 ? Math.min(.../** @type {number[]} */ (wakes)) : null;
    }

    /** Milliseconds of silence after which the server is asked for a sign of life; 0 = never. */
    get #patience() { return (this.welcome?.limits?.pingInterval ?? 0) * 1000; }

    /** What a sign of life is asked for by; null = nothing depends on the link. */
    get #sign() {
        if (this.welcome?.role !== 'guest') return { getSettings: {} };
        if (this.looks) return { position: this.position };
        return this.ledger.isAwaited ? { getPolicy: {} } : null;
    }

    get #watchAt() { return this.#sign && this.link.wakeAt(this.#patience); }

    /**
     * Asks the server for a sign of life where it has been quiet for a while, as after a device has slept. Without one
     * in time `wake` says `silent`.
     * @param {number} now
     */
    doubt(now) {
        if (this.phase !== 'live' || this.#patience === 0 || now - this.link.heardAt < DOUBT_AFTER_MS) return;
        this.#askForSign(now, Math.min(this.#patience, DOUBT_PATIENCE_MS));
    }

    /** @param {number} now @param {number} patience */
    #askForSign(now, patience) {
        const sign = this.#sign;
        if (!sign) return;
        const id = this.ledger.nextID();
        this.link.asked(id, now + patience);
        this.outgoing.push({ id, ...sign });
    }

    /**
     * Whether the link is dead: the server has said nothing for a ping interval, and not answered within another one.
     * @param {number} now
     */
    isSilent(now) {
        const patience = this.#patience;
        if (patience === 0 || !this.#sign) return false;
        const state = this.link.state(now, patience);
        if (state === 'quiet') this.#askForSign(now, patience);
        return state === 'dead';
    }

    /**
     * The connection is open: says hello, with what there is to resume.
     * @param {number} now @param {number} wall
     */
    connectionOpened(now, wall = 0) {
        this.phase = 'greeting';
        this.openedAt = now;
        this.helloSentAt = wall;
        this.closing = null;
        this.link.begin(now);
        this.helloID = this.ledger.nextID();
        const { profile } = this;
        this.outgoing = [{
            id: this.helloID,
            hello: {
                version: PROTOCOL,
                frontEnd: profile.frontEnd ?? 'realm',
                language: profile.language ?? 'en',
                deviceClass: profile.deviceClass ?? 'DEVICE_CLASS_NORMAL',
                token: profile.token ?? '',
                name: profile.name ?? '',
                sharePosition: profile.sharesPosition,
                shareAccuracy: profile.shareAccuracy,
                cursors: this.view.cursors,
                session: this.welcome?.session ?? '',
                realm: profile.realm ?? '',
                shortPoses: this.format === 'proto',
                shiftsPositions: true,
            },
        }];
    }

    /**
     * The connection has ended, or could not be opened (then with code 1006).
     * @param {number} code @param {number} now
     * @returns {number | null} milliseconds after which to connect again; null = never
     */
    connectionClosed(code, now) {
        const wasStable = this.phase === 'live' && now - this.openedAt >= STABLE_AFTER_MS;
        const attempt = wasStable ? 0 : this.attempts;
        this.attempts = attempt + 1;
        this.phase = 'offline';
        this.outgoing = [];
        this.dropUnconfirmedAt = null;
        this.lookAt = null;
        this.ledger.disconnect();
        this.view.disconnect();
        const { closing } = this;
        this.closing = null;
        return reconnection(code, closing, attempt, this.random);
    }
}
