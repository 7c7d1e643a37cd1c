// @ts-check

/**
 * A deadline that is noticed so late was missed by a device that slept, and not by the server: it is set once more.
 */
const LATE_MS = 2_000;

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
     * `quiet` = ask for a sign of life, `dead` = it did not come.
     * @param {number} now @param {number} patience @returns {'well' | 'quiet' | 'dead'}
     */
    state(now, patience) {
        const at = this.until ?? this.heardAt + patience;
        if (now < at) return 'well';
        return this.until === null || now - at > LATE_MS ? 'quiet' : 'dead';
    }
}
