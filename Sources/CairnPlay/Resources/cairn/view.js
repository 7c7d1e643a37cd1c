// @ts-check
import { distanceMetres } from './geo.js';
import { TopicReplica, cellOf } from './replica.js';
import { Violation } from './violation.js';

/**
 * @typedef {import('./received.js').Instance} Instance
 * @typedef {['appeared' | 'disappeared', Instance] | ['changed', {instance: Instance, was: Instance}]} Step
 *
 * The state of one instance over all topics: the highest version in any, the instance as shown, and the topics that
 * have it, mostly one.
 * @typedef {{latest: number, shown: Instance | null, holders: string[]}} Track
 */

/**
 * Most instances that a view shows where the app says nothing else, by the class of the device (VIS-8).
 * @type {Record<import('./messages.js').DeviceClass, number>}
 */
export const SHOWN_MAX = { DEVICE_CLASS_NORMAL: 200, DEVICE_CLASS_LOW: 50 };

/**
 * The nearest of some instances, things and posts, the nearest first and at one distance by id.
 * @param {Instance[]} instances @param {import('./geo.js').Place} centre @param {number} most
 * @returns {Instance[]}
 */
export function nearest(instances, centre, most) {
    return instances
        .map((instance) => {
            const { lat = 0, lon = 0 } = instance.post?.place ?? instance.pose?.geopose?.position ?? {};
            return { instance, metres: distanceMetres({ lat, lon }, centre) };
        })
        .sort((a, b) => a.metres - b.metres || ((a.instance.id ?? '') < (b.instance.id ?? '') ? -1 : 1))
        .slice(0, most)
        .map(({ instance }) => instance);
}

/**
 * The user's surroundings: the topics in view and, merged over them, every instance once (VIS-1).
 *
 * An instance that moves between cells appears in events of two topics, nearly always first in the new one. The highest
 * version wins, so it is visible without a break and never twice, and its move is one step.
 */
export class LiveView {
    /** @type {Map<string, TopicReplica>} */
    topics = new Map();
    /** @type {Map<string, Track>} */
    #tracks = new Map();
    /** Instances that have left one topic while another, which may hold them, waits for its snapshot. */
    #travelling = /** @type {Set<string>} */ (new Set());
    /** Topics of the connection before that the present one has not continued yet. */
    unconfirmed = /** @type {Set<string>} */ (new Set());

    /**
     * Everything visible, in no order.
     * @returns {Instance[]}
     */
    get instances() {
        const shown = [];
        for (const track of this.#tracks.values()) if (track.shown) shown.push(track.shown);
        return shown;
    }

    /**
     * A visible instance.
     * @param {string} id @returns {Instance | undefined}
     */
    instance(id) { return this.#tracks.get(id)?.shown ?? undefined; }

    /**
     * Whether an instance in view is the user's own.
     * @param {string} id
     */
    isOwn(id) { return this.#tracks.get(id)?.holders.some((name) => this.topics.get(name)?.own.has(id)) ?? false; }

    /**
     * The visible things, posts not among them, within the exact radius; the server works by whole cells (VIS-1).
     * @param {number} radius metres @param {import('./geo.js').Place} centre @returns {Instance[]}
     */
    things(radius, centre) {
        return this.instances.filter(({ pose }) => {
            const { lat, lon } = pose?.geopose?.position ?? {};
            return lat !== undefined && lon !== undefined && distanceMetres({ lat, lon }, centre) <= radius;
        });
    }

    /**
     * The posts whose reach includes a place and that have not ended (PST-7).
     * @param {import('./geo.js').Place} place
     * @param {number} serverTime milliseconds since 1970
     * @param {Set<string>} shown ids of those that are shown: they stay until the place is a tenth further away (VIS-1)
     * @returns {Instance[]}
     */
    posts(place, serverTime, shown) {
        return this.instances.filter(({ id = '', post }) => {
            const { lat, lon } = post?.place ?? {};
            if (!post || lat === undefined || lon === undefined || serverTime >= (post.expires ?? 0)) return false;
            return distanceMetres({ lat, lon }, place) <= (post.reach ?? 0) * (shown.has(id) ? 1.1 : 1);
        });
    }

    /** The cursors for resuming: those of complete topics (SES-11). */
    get cursors() {
        const cursors = [];
        for (const topic of this.topics.values()) {
            if (topic.isComplete && topic.cursor) cursors.push({ topic: topic.name, ...topic.cursor });
        }
        return cursors;
    }

    // MARK: Changes

    /**
     * The server continues a topic from the cursor that `hello` named.
     * @param {import('./received.js').Cursor} cursor @param {Violation[]} violations
     */
    goOn({ topic = '', epoch, sequence }, violations) {
        this.unconfirmed.delete(topic);
        const held = this.topics.get(topic)?.cursor;
        if (held?.epoch !== epoch || held?.sequence !== sequence) {
            violations.push(new Violation('gap', topic, 'continued from a cursor that is not held'));
        }
    }

    /**
     * @param {import('./received.js').Snapshot} page @param {Violation[]} violations
     * @returns {{steps: Step[], isComplete: boolean}}
     */
    applyPage(page, violations) {
        const name = page.cursor?.topic ?? '';
        if (name === '') {
            violations.push(new Violation('bad_identifier', '', 'a snapshot of no topic'));
            return { steps: [], isComplete: false };
        }
        this.unconfirmed.delete(name);
        const topic = this.topics.get(name) ?? new TopicReplica(name);
        this.topics.set(name, topic);
        const before = topic.applyPage(page);
        violations.push(...topic.violations.splice(0));
        if (!before) return { steps: [], isComplete: false };
        const touched = new Set([...before.keys(), ...topic.instances.keys()]);
        for (const id of topic.instances.keys()) if (!before.has(id)) this.#hold(id, name);
        for (const id of before.keys()) if (!topic.instances.has(id)) this.#release(id, name);
        for (const id of this.#endOfTravel()) touched.add(id);
        return { steps: this.#update(touched), isComplete: true };
    }

    /** @param {import('./received.js').Own} own @returns {Step[]} */
    applyOwn(own) {
        const { topic: name = '' } = own;
        const hidden = this.topics.get(name)?.applyOwn(own) ?? [];
        for (const id of hidden) this.#hold(id, name);
        return this.#update(hidden);
    }

    /**
     * Adds an own instance that an answer contains.
     * @param {Instance} instance
     */
    addOwn({ id = '', cell, created = 0 }) {
        for (const topic of this.topics.values()) if (cellOf(topic.name) === cell) topic.own.set(id, created);
    }

    /** @param {import('./received.js').Event} event @param {Violation[]} violations @returns {Step[]} */
    applyEvent(event, violations) {
        const { topic: name = '', sequence } = event;
        const topic = this.topics.get(name);
        if (!topic) {
            violations.push(new Violation('unknown_topic', name, `event ${sequence}`));
            return [];
        }
        if (this.unconfirmed.delete(name)) {
            violations.push(
                new Violation('event_before_snapshot', name, `event ${sequence} before \`continued\``));
        }
        const folded = topic.applyEvent(event);
        violations.push(...topic.violations.splice(0));
        if (!folded || folded.instance === null) return [];
        const { instance: id, holding, version = 0 } = folded;
        if (holding === 'begins') this.#hold(id, name);
        else if (holding === 'ends') this.#release(id, name);
        else if (holding === 'movesOut') this.#moveOut(id, version, name);
        return this.#update([id]);
    }

    /** @param {string} name @returns {Step[]} */
    unfollow(name) {
        this.unconfirmed.delete(name);
        const topic = this.topics.get(name);
        if (!topic) return [];
        this.topics.delete(name);
        const touched = new Set(topic.instances.keys());
        for (const id of touched) this.#release(id, name);
        for (const id of this.#endOfTravel()) touched.add(id);
        return this.#update(touched);
    }

    /** @param {string} name @param {Violation[]} violations */
    startOver(name, violations) {
        this.unconfirmed.delete(name);
        const topic = this.topics.get(name);
        if (topic) topic.startOver();
        else violations.push(new Violation('unknown_topic', name, 'to be resynchronised, but it was not in view'));
    }

    /**
     * The next connection gets a new snapshot of the topic.
     * @param {string} name
     */
    distrust(name) { this.topics.get(name)?.startOver(); }

    /** The connection is gone. The view stays, but the next connection may not continue all of it. */
    disconnect() {
        this.unconfirmed = new Set(this.topics.keys());
        // An incomplete snapshot is dropped; it has no cursor to continue from.
        for (const topic of this.topics.values()) if (!topic.isComplete) topic.startOver();
    }

    // MARK: Merging

    /** @param {string} id @param {string} topic */
    #hold(id, topic) {
        const track = this.#tracks.get(id) ?? { latest: 0, shown: null, holders: [] };
        if (!track.holders.includes(topic)) track.holders.push(topic);
        this.#tracks.set(id, track);
    }

    /** @param {string} id @param {string} topic */
    #release(id, topic) {
        const track = this.#tracks.get(id);
        if (track) track.holders = track.holders.filter((holder) => holder !== topic);
    }

    /** @param {string} id @param {number} version @param {string} topic */
    #moveOut(id, version, topic) {
        const track = this.#tracks.get(id);
        if (!track) return;
        this.#release(id, topic);
        if (version > track.latest) {
            track.latest = version;
            if (this.#isWaitingForSnapshot) this.#travelling.add(id);
        }
    }

    get #isWaitingForSnapshot() { return [...this.topics.values()].some((topic) => !topic.isComplete); }

    /** Once every snapshot is complete, travelling instances that have not arrived are out of view. */
    #endOfTravel() {
        if (this.#travelling.size === 0 || this.#isWaitingForSnapshot) return [];
        const arrived = [...this.#travelling];
        this.#travelling.clear();
        return arrived;
    }

    /**
     * Updates what is shown.
     * @param {Iterable<string>} ids @returns {Step[]} the visible steps
     */
    #update(ids) {
        /** @type {Step[]} */
        const steps = [];
        for (const id of ids) {
            const step = this.#updateOne(id);
            if (step) steps.push(step);
        }
        return steps;
    }

    /** @param {string} id @returns {Step | null} */
    #updateOne(id) {
        const track = this.#tracks.get(id);
        if (!track) return null;
        /** @type {Instance | null} */
        let newest = null;
        for (const name of track.holders) {
            const held = this.topics.get(name)?.instances.get(id);
            if (held && (!newest || (held.version ?? 0) > (newest.version ?? 0))) newest = held;
        }
        const was = track.shown;
        if (newest && (newest.version ?? 0) >= track.latest) {
            track.latest = newest.version ?? 0;
            track.shown = newest;
            this.#travelling.delete(id);
        } else if (!this.#travelling.has(id)) {
            track.shown = null;
        }
        const { shown, holders } = track;
        if (holders.length === 0 && !shown) this.#tracks.delete(id);
        if (!was) return shown ? ['appeared', shown] : null;
        if (!shown) return ['disappeared', was];
        return was === shown || isSame(was, shown) ? null : ['changed', { instance: shown, was }];
    }
}

/**
 * Whether two values are the same through and through.
 * @param {any} a @param {any} b @returns {boolean}
 */
function isSame(a, b) {
    if (Object.is(a, b)) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => isSame(a[name], b[name]));
}
