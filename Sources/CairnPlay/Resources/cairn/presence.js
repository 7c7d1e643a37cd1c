// @ts-check
import { LocalPlane, cellCentre, cellID, shortNumber } from './geo.js';
import { Violation } from './violation.js';

/**
 * A person's pose at some time.
 * @typedef {object} PersonPose
 * @property {number} lat
 * @property {number} lon
 * @property {number | null} h metres above the ellipsoid; null = not told, as of who shares only a square of ground
 * @property {Turn | null} quaternion how the device is turned, in east-north-up; null = not told
 * @property {number | null} accuracy metres; null = unknown
 * @property {number} at when the server received it, by `performance.now()`, not counting the time under way
 *
 * A person near by who shares their position.
 * @typedef {object} PresentPerson
 * @property {string} id the account's, the same in every cell
 * @property {string} name
 * @property {string} cell token of the cell
 * @property {PersonPose | null} pose null until the first has come
 *
 * @typedef {PresentPerson & {from: PersonPose | null, arrived: number}} Held
 * @typedef {{x: number, y: number, z: number, w: number}} Turn
 * @typedef {{cell: string, step: number, base: number}} Heading
 */

export const RECORD_BYTES = 14;
const UNTOLD = 0xffff_ffff;
const PACKED_SCALE = 511 * Math.SQRT2;
/** A pose is shown as gliding to its place for as long as the last one was apart in time, and no longer. */
const GLIDE_MAX_MS = 1_000;
const GLIDE_MIN_MS = 50;
/** People who have moved further than this do not glide. */
const GLIDE_MAX_METRES = 50;

/**
 * An orientation of four bytes, smallest three; null for bits that none packs to.
 * @param {number} bits
 */
export function unpackTurn(bits) {
    const largest = bits >>> 30;
    const parts = [0, 0, 0, 0];
    let shift = 20;
    let rest = 1;
    for (let index = 0; index < 4; index++) {
        if (index === largest) continue;
        const code = (bits >>> shift) & 0x3ff;
        if (code > 1022) return null;
        parts[index] = (code - 511) / PACKED_SCALE;
        rest -= parts[index] ** 2;
        shift -= 10;
    }
    if (rest < 0.2479) return null;
    parts[largest] = Math.sqrt(rest);
    const [x, y, z, w] = parts;
    return { x, y, z, w };
}

/**
 * How the people of one cell have changed. `peopleCount` is the number of others who do not share their position; null
 * = too few to say.
 * @typedef {{cell: string, joined: Held[], left: Held[], moved: Held[], peopleCount: number | null}} PresenceChange
 */

/** The people who share their position in one cell, by slot: the short name that the cell gave them. */
class Roster {
    /** @param {string} cell @param {import('./geo.js').Place} centre */
    constructor(cell, centre) {
        this.cell = cell;
        this.plane = new LocalPlane(centre);
        /**
         * Others who do not share their position, as last told; null = too few to say.
         * @type {number | null}
         */
        this.peopleCount = null;
        /** @type {Map<number, Held>} */
        this.bySlot = new Map();
    }

    /**
     * Takes a batch in the order that session.proto gives: keyframe, left, joined, poses.
     * @param {import('./received.js').Presence} batch @param {Heading} heading @param {number} now
     */
    apply(batch, heading, now) {
        const { cell, bySlot } = this;
        /** @type {PresenceChange} */
        const change = { cell, joined: [], left: [], moved: [], peopleCount: this.peopleCount };
        const before = new Map(batch.keyframe ? bySlot : []);
        if (batch.keyframe) {
            bySlot.clear();
            this.peopleCount = null;
        }
        for (const slot of batch.left ?? []) {
            const person = bySlot.get(slot);
            if (person) change.left.push(person);
            bySlot.delete(slot);
        }
        for (const { slot = 0, id = '', name = '' } of batch.joined ?? []) {
            // A keyframe names people again who were here all along.
            const known = before.get(slot) ?? bySlot.get(slot);
            before.delete(slot);
            if (known?.id === id) {
                bySlot.set(slot, known);
                continue;
            }
            if (known) change.left.push(known);
            const person = { id, name, cell, pose: null, from: null, arrived: now };
            bySlot.set(slot, person);
            change.joined.push(person);
        }
        for (const gone of before.values()) {
            if (!change.joined.some(({ id }) => id === gone.id)) change.left.push(gone);
        }
        /** @type {number[]} */
        const strays = [];
        this.#poses(batch, heading, now, (slot, pose) => {
            const person = bySlot.get(slot);
            if (!person) {
                strays.push(slot);
                return;
            }
            person.from = person.pose && shownPose(person, now);
            person.pose = pose;
            person.arrived = now;
            change.moved.push(person);
        });
        if (batch.people !== undefined) this.peopleCount = batch.people === 0 ? null : batch.people;
        change.peopleCount = this.peopleCount;
        return { change, strays };
    }

    /**
     * @param {import('./received.js').Presence} batch @param {Heading} heading @param {number} now
     * @param {(slot: number, pose: PersonPose) => void} take
     */
    #poses(batch, heading, now, take) {
        const step = heading.step / 1000;
        const bytes = batch.poses ?? new Uint8Array(0);
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
            const bits = view.getUint32(at + 8, true);
            const isTold = bits !== UNTOLD;
            const place = this.plane.place(view.getInt16(at + 2, true) * step, view.getInt16(at + 4, true) * step);
            const accuracy = view.getUint8(at + 13);
            take(view.getUint16(at, true), {
                ...place,
                h: isTold ? heading.base + view.getInt16(at + 6, true) * step : null,
                quaternion: isTold ? unpackTurn(bits) ?? { x: 0, y: 0, z: 0, w: 1 } : null,
                accuracy: !isTold || accuracy === 255 ? null : accuracy / 2,
                at: now - 4 * view.getUint8(at + 12),
            });
        }
        for (const { slot = 0, lat = 0, lon = 0, h, quaternion, age, accuracy } of batch.livePoses ?? []) {
            const { x = 0, y = 0, z = 0, w = 0 } = quaternion ?? {};
            const turn = h === undefined ? null : { x, y, z, w };
            const at = now - (age ?? 1020);
            take(slot, { lat, lon, h: h ?? null, quaternion: turn, accuracy: accuracy ?? null, at });
        }
    }
}

/** The people around the user, by cell. */
export class Presence {
    constructor() {
        /** @type {Map<string, Roster>} */
        this.rosters = new Map();
        /**
         * What short batches leave out, by the numbers of cells.
         * @type {Map<number, Heading>}
         */
        this.headings = new Map();
    }

    /**
     * @param {import('./received.js').Presence} batch @param {number} now @param {Violation[]} violations
     * @returns what changed; null = the batch cannot be read
     */
    apply(batch, now, violations) {
        const heading = this.#heading(batch);
        const centre = heading && cellCentre(heading.cell);
        const length = batch.poses?.length ?? 0;
        if (!heading || !centre || length % RECORD_BYTES !== 0 || (length > 0 && heading.step === 0)) {
            violations.push(new Violation('unreadable', batch.cell ?? '', `a presence batch of ${length} bytes`));
            return null;
        }
        let roster = this.rosters.get(heading.cell);
        if (!roster) this.rosters.set(heading.cell, roster = new Roster(heading.cell, centre));
        const { change, strays } = roster.apply(batch, heading, now);
        if (strays.length > 0) {
            violations.push(new Violation('unknown_slot', heading.cell, `poses of slots ${strays.join(', ')}`));
        }
        return change;
    }

    /**
     * Cell, step and base height; a short batch names the cell by its number.
     * @returns {Heading | null}
     */
    #heading(/** @type {import('./received.js').Presence} */ batch) {
        if (batch.cell) {
            const id = cellID(batch.cell);
            if (id === null) return null;
            const heading = { cell: batch.cell, step: batch.step ?? 0, base: batch.baseHeight ?? 0 };
            if (heading.step > 0) this.headings.set(shortNumber(id), heading);
            return heading;
        }
        const known = this.headings.get(batch.number ?? 0);
        if (!known) return null;
        if (batch.base !== undefined) known.base = batch.base;
        return known;
    }

    /** @param {string} cell */
    forget(cell) { this.rosters.delete(cell); }

    clear() {
        this.rosters.clear();
        this.headings.clear();
    }

    /**
     * Everybody, once: of two cells at a border the newer pose counts.
     * @param {number} now @returns {PresentPerson[]} with their poses as shown now
     */
    people(now) {
        /** @type {Map<string, Held>} */
        const newest = new Map();
        for (const roster of this.rosters.values()) {
            for (const person of roster.bySlot.values()) {
                const other = newest.get(person.id);
                if (!other || (person.pose?.at ?? -Infinity) > (other.pose?.at ?? -Infinity)) {
                    newest.set(person.id, person);
                }
            }
        }
        return [...newest.values()].map((person) => (
            { id: person.id, name: person.name, cell: person.cell, pose: shownPose(person, now) }));
    }

    /** How many others there are who do not share their position; null = too few to say anywhere. */
    get othersCount() {
        let count = null;
        for (const { peopleCount } of this.rosters.values()) {
            if (peopleCount !== null) count = (count ?? 0) + peopleCount;
        }
        return count;
    }
}

/**
 * A pose on its way from where it was shown when the newest came.
 * @param {Held} person @param {number} now
 */
function shownPose({ pose, from, arrived }, now) {
    if (!pose || !from) return pose;
    const glide = Math.min(Math.max(pose.at - from.at, GLIDE_MIN_MS), GLIDE_MAX_MS);
    const part = Math.min(Math.max((now - arrived) / glide, 0), 1);
    const apart = Math.hypot(pose.lat - from.lat, (pose.lon - from.lon) * Math.cos(pose.lat * Math.PI / 180)) * 111_195;
    if (part >= 1 || apart > GLIDE_MAX_METRES) return pose;
    const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * part;
    return {
        ...pose,
        lat: mix(from.lat, pose.lat),
        lon: mix(from.lon, pose.lon),
        h: from.h === null || pose.h === null ? pose.h : mix(from.h, pose.h),
        quaternion: from.quaternion && pose.quaternion
            ? mixTurns(from.quaternion, pose.quaternion, part) : pose.quaternion,
    };
}

/**
 * Between two orientations, the shorter way.
 * @param {Turn} a @param {Turn} b @param {number} part 0 to 1
 */
export function mixTurns(a, b, part) {
    const sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
    const mix = (/** @type {number} */ p, /** @type {number} */ q) => p * (1 - part) + sign * q * part;
    const [x, y, z, w] = [mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)];
    const norm = Math.hypot(x, y, z, w) || 1;
    return { x: x / norm, y: y / norm, z: z / norm, w: w / norm };
}
