// @ts-check
import { CLOSURES } from './codes.js';

/** Ceiling of the first pause in milliseconds; it doubles with each attempt that fails. */
const PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** A connection that stayed open for so long counts as a success: the next pause is the first again. */
export const STABLE_AFTER_MS = 10_000;

/** A deadline that is noticed so late was missed by a device that slept, perhaps not by the server. */
const LATE_MS = 2_000;

/** What a proxy in between may make of a close code that it does not know. */
const PROXIES = new Set([1001, 1011]);

/**
 * Whether a client comes back by itself after a close code, also one that it does not know.
 * @param {number} code
 */
function comesBack(code) {
    return !((code >= 4100 && code <= 4299) || [1000, 1003, 1007, 1008, 1009].includes(code));
}

/**
 * When to connect again: after pauses that grow, with a random part so that a crowd does not come back at one moment,
 * and never sooner than the server asked for (SES-11).
 *
 * @param {number} code the WebSocket close code, 1006 when there was none
 * @param {import('./messages.js').Closing | null} closing the server's last message, if it said goodbye
 * @param {number} attempt connections in a row that have failed or ended soon, from 0
 * @param {() => number} random
 * @returns {number | null} milliseconds; null = never
 */
export function reconnection(code, closing, attempt, random) {
    if (!comesBack(code)) return null;
    const isOurs = PROXIES.has(code) || CLOSURES[code] !== undefined;
    if (closing && closing.reconnectAfter === undefined && isOurs) return null;
    const ceiling = Math.min(PAUSE_MS * 2 ** Math.min(attempt, 20), PAUSE_MAX_MS);
    // "Full jitter": anywhere up to the ceiling spreads a crowd best.
    return (closing?.reconnectAfter ?? 0) + ceiling * random();
}

/**
 * Notices a dead link. A page does not see the server's pings, so it asks for a sign of life: after a ping interval
 * without a message it sends a request, and the link is dead when nothing at all comes within another one.
 */
export class LinkWatch {
    constructor() {
        /** When the server was heard last. */
        this.heardAt = 0;
        /**
         * Until when it should be heard; null = it was not asked.
         * @type {number | null}
         */
        this.until = null;
        /** Whether it is asked once more because the device was late. */
        this.isLate = false;
        /**
         * Ids of the requests that ask.
         * @type {Set<number>}
         */
        this.ids = new Set();
    }

    /** @param {number} now */
    begin(now) {
        this.heard(now);
        this.ids.clear();
    }

    /** @param {number} now */
    heard(now) {
        this.heardAt = now;
        this.until = null;
        this.isLate = false;
    }

    /** @param {number} id @param {number} until */
    asked(id, until) {
        this.ids.add(id);
        this.until = until;
    }

    /**
     * Whether a reply is to a request of this watch; it says nothing else.
     * @param {number} id
     */
    answers(id) { return this.ids.delete(id); }

    /**
     * When to look again; null = never.
     * @param {number} patience milliseconds; 0 = the link is not watched
     */
    wakeAt(patience) { return patience === 0 ? null : this.until ?? this.heardAt + patience; }

    /**
     * `quiet` = ask for a sign of life, `dead` = it did not come. A device that slept asks once more, because the
     * answer may lie unread. Once: the timers of a page in the background are always late.
     * @param {number} now @param {number} patience @returns {'well' | 'quiet' | 'dead'}
     */
    state(now, patience) {
        const at = this.until ?? this.heardAt + patience;
        if (now < at) return 'well';
        if (this.until === null) return 'quiet';
        if (this.isLate || now - at <= LATE_MS) return 'dead';
        this.isLate = true;
        return 'quiet';
    }
}

/**
 * Calls when the device has woken, or has a network again. Node has none of these events.
 * @param {() => void} wake @returns {AbortController} ends it
 */
export function attend(wake) {
    const attention = new AbortController();
    const { signal } = attention;
    for (const name of ['online', 'pageshow']) globalThis.addEventListener?.(name, wake, { signal });
    globalThis.document?.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') wake();
    }, { signal });
    return attention;
}
