// @ts-check
import { kindOf } from './codec.js';
import { FOLDS } from './folds.js';
import { Violation } from './violation.js';

/**
 * @typedef {import('./received.js').Instance} Instance
 * @typedef {{epoch: bigint, sequence: bigint}} TopicCursor a sequence means nothing without its epoch (SES-7)
 */

/** Most numbers of one gap that are remembered. */
const MISSING_MAX = 1_024n;

/**
 * Whether it is 13 characters of Crockford's base32: the first may fill only four bits.
 * @param {string} text
 */
export function isIdentifier(text) { return /^[0-9a-f][0-9a-hjkmnp-tv-z]{12}$/.test(text); }

/**
 * A topic's cell: its name up to the scope.
 * @param {string} topic
 */
export function cellOf(topic) { return topic.split('/', 1)[0]; }

/**
 * A client's copy of one topic: a snapshot and the numbered changes since. Checks every rule of the protocol (SES-7);
 * a violation is reported, and the change is applied as far as possible.
 */
export class TopicReplica {
    /** @param {string} name */
    constructor(name) {
        this.name = name;
        /**
         * Null until the first snapshot is complete, and while resynchronising.
         * @type {TopicCursor | null}
         */
        this.cursor = null;
        /** @type {Map<string, Instance>} */
        this.instances = new Map();
        /**
         * The user's own instances, with the times when they were made.
         * @type {Map<string, number>}
         */
        this.own = new Map();
        /** @type {{cursor: TopicCursor, instances: Map<string, Instance>} | null} */
        this.pages = null;
        /**
         * Skipped numbers, which tell a late event from a repeated one.
         * @type {Set<bigint>}
         */
        this.missing = new Set();
        /** @type {Violation[]} */
        this.violations = [];
    }

    /** Whether the replica equals the server's state. */
    get isComplete() { return this.cursor !== null && this.pages === null; }

    /** @param {string} rule @param {string} detail */
    report(rule, detail) { this.violations.push(new Violation(rule, this.name, detail)); }

    /**
     * Applies a page of a snapshot.
     * @param {import('./received.js').Snapshot} page
     * @returns {Map<string, Instance> | null} the instances before the snapshot, when the page is the last one
     */
    applyPage(page) {
        const { epoch = 0n, sequence = 0n } = page.cursor ?? {};
        const cursor = { epoch, sequence };
        if (page.first) {
            if (this.pages) this.report('broken_snapshot', 'a first page before the last of the one before');
            if (this.cursor && this.cursor.epoch === epoch && this.cursor.sequence > sequence) {
                this.report('broken_snapshot', `it leads back from ${this.cursor.sequence} to ${sequence}`);
            }
            this.pages = { cursor, instances: new Map() };
        } else if (!this.pages) {
            this.report('broken_snapshot', 'a page without a first one');
            this.pages = { cursor, instances: new Map() };
        } else if (this.pages.cursor.epoch !== epoch || this.pages.cursor.sequence !== sequence) {
            this.report('broken_snapshot', 'its pages have different cursors');
        }
        const { pages } = this;
        for (const instance of page.instances ?? []) {
            const id = instance.id ?? '';
            if (!isIdentifier(id)) {
                this.report('bad_identifier', `"${id}" is no instance id`);
                continue;
            }
            if (pages.instances.has(id)) this.report('entered_twice', `instance ${id} is twice in a snapshot`);
            pages.instances.set(id, instance);
        }
        if (!page.last) return null;
        const before = this.instances;
        this.instances = pages.instances;
        this.own = new Map();
        this.cursor = cursor;
        this.pages = null;
        this.missing.clear();
        return before;
    }

    /**
     * Applies the server's list of own instances, after a snapshot or when another device has added one.
     * @param {import('./received.js').Own} told
     * @returns {string[]} ids of those that only the user sees, which are in no snapshot
     */
    applyOwn(told) {
        for (const { id = '', created = 0 } of told.instances ?? []) if (isIdentifier(id)) this.own.set(id, created);
        const hidden = [];
        for (const instance of told.hidden ?? []) {
            const id = instance.id ?? '';
            if (!isIdentifier(id)) continue;
            this.own.set(id, instance.created ?? 0);
            this.instances.set(id, instance);
            hidden.push(id);
        }
        return hidden;
    }

    /** The topic's events were dropped, or cannot be trusted; a snapshot follows. */
    startOver() {
        this.cursor = null;
        this.pages = null;
        this.missing.clear();
    }

    /**
     * Applies an event.
     * @param {import('./received.js').Event} event
     * @returns {import('./folds.js').Folded | null} null = it changes nothing
     */
    applyEvent(event) {
        const { sequence = 0n } = event;
        const { cursor } = this;
        if (!cursor || this.pages) {
            this.report('event_before_snapshot', `event ${sequence} before the snapshot is complete`);
            return null;
        }
        const next = cursor.sequence + 1n;
        if (sequence < next) {
            // It is not applied, because later events have been.
            if (this.missing.delete(sequence)) {
                this.report('reordered', `event ${sequence} after event ${cursor.sequence}`);
            } else {
                this.report('repeated', `event ${sequence} again, after event ${cursor.sequence}`);
            }
            return null;
        }
        if (sequence > next) {
            this.report('gap', `event ${sequence} after event ${cursor.sequence}`);
            const end = sequence < next + MISSING_MAX ? sequence : next + MISSING_MAX;
            for (let number = next; number < end; number++) this.missing.add(number);
        }
        this.cursor = { epoch: cursor.epoch, sequence };
        // An unknown change of a newer server has no effect, but its number counts.
        const kind = kindOf('Event', event);
        const fold = kind === undefined ? undefined : FOLDS[kind];
        return fold ? fold(/** @type {any} */ (event)[/** @type {string} */ (kind)], this) : null;
    }

    // MARK: Parts of folds

    /**
     * Adds an instance.
     * @param {Instance} instance @returns {string | null} its id
     */
    enter(instance) {
        const id = this.#identifier(instance?.id);
        if (id === null) return null;
        const held = this.instances.get(id);
        if (held) this.report('entered_twice', `instance ${id} version ${instance.version}, held at ${held.version}`);
        this.instances.set(id, instance);
        return id;
    }

    /**
     * Changes an instance of the topic: what was shown before stays as it was.
     * @param {string | undefined} name @param {(instance: any) => void} change @returns {string | null}
     */
    alter(name, change) {
        const id = this.#identifier(name);
        if (id === null) return null;
        const held = this.instances.get(id);
        if (!held) {
            this.report('unknown_instance', `a change of ${id}, which is not here`);
            return null;
        }
        const copy = { ...held };
        change(copy);
        this.instances.set(id, copy);
        return id;
    }

    /**
     * Removes an instance.
     * @param {string | undefined} name @returns {string | null}
     */
    drop(name) {
        const id = this.#identifier(name);
        if (id === null) return null;
        this.own.delete(id);
        if (!this.instances.delete(id)) this.report('unknown_instance', `the end of ${id}, which is not here`);
        return id;
    }

    /** @param {string | undefined} name */
    #identifier(name = '') {
        if (isIdentifier(name)) return name;
        this.report('bad_identifier', `"${name}" is no instance id`);
        return null;
    }
}
