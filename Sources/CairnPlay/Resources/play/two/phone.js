// @ts-check
import { CairnClient, LocalPlane, distanceMetres } from '/play/cairn/index.js';
import { Link } from './link.js';

/** Steps of a walk. */
const STEP_MS = 250;
const METRES_PER_SECOND = 1.4;
const CIRCLE_METRES = 30;

/** A simulated phone: a client, its link, and a place. */
export class Phone {
    /** @param {'a' | 'b'} letter @param {{lat: number, lon: number}} place @param {(phone: Phone) => void} changed */
    constructor(letter, place, changed) {
        this.letter = letter;
        this.place = place;
        this.changed = changed;
        this.link = new Link();
        this.name = `phone-${letter}-${Math.random().toString(36).slice(2, 7)}`;
        /**
         * Places to walk to, one after the other and round again.
         * @type {{lat: number, lon: number}[]}
         */
        this.route = [];
        this.next = 0;
        this.turn = 0;
        this.isWalking = false;
        /**
         * What went wrong last.
         * @type {import('/play/cairn/refusal.js').Refusal | null}
         */
        this.refusal = null;
        this.client = this.#makeClient();
        setInterval(() => this.#walk(), STEP_MS);
    }

    #makeClient() {
        const client = new CairnClient({
            url: location.origin,
            profile: { name: this.name, frontEnd: 'realm', sharesPosition: true, shareAccuracy: 0 },
            socket: (url, protocol) => this.link.open(url, protocol),
        });
        for (const name of /** @type {const} */ (['state', 'welcomed', 'appeared', 'changed', 'disappeared',
            'presence', 'unfollowed', 'followed', 'queued', 'disconnected'])) client.on(name, () => this.changed(this));
        client.on('refused', (refusal) => this.#refused(refusal));
        return client;
    }

    async connect() {
        this.refusal = null;
        this.client.core.profile.name = this.name;
        this.client.move(this.#position());
        try {
            await this.client.connect();
        } catch (error) {
            this.#refused(error);
        }
        this.changed(this);
    }

    /** @param {any} refusal */
    #refused(refusal) {
        this.refusal = refusal;
        this.changed(this);
    }

    /** @param {{lat: number, lon: number}} place */
    moveTo(place) {
        this.place = place;
        this.client.move(this.#position());
        this.changed(this);
    }

    /** @param {number} east @param {number} north metres */
    step(east, north) { this.moveTo(new LocalPlane(this.place).place(east, north)); }

    #position() { return { ...this.place, h: 0, accuracy: 5 }; }

    cut() { this.link.cut(); this.changed(this); }

    restore() {
        this.link.restore();
        this.client.hurry();
        this.changed(this);
    }

    /**
     * Places a thing where the phone stands.
     * @param {string} object
     */
    async leave(object) {
        const geopose = { position: { ...this.place, h: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
        await this.attempt(() => this.client.place(object, { geopose }));
    }

    /** @param {() => Promise<any>} act */
    async attempt(act) {
        this.refusal = null;
        try {
            await act();
        } catch (error) {
            this.refusal = /** @type {any} */ (error);
        }
        this.changed(this);
    }

    #walk() {
        if (!this.isWalking) return;
        const metres = METRES_PER_SECOND * STEP_MS / 1000;
        const goal = this.route[this.next % this.route.length];
        if (!goal) {
            // Without a route in a circle.
            this.turn += metres / CIRCLE_METRES;
            this.step(metres * Math.cos(this.turn), metres * Math.sin(this.turn));
            return;
        }
        const left = distanceMetres(this.place, goal);
        if (left <= metres) {
            this.next++;
            this.moveTo(goal);
            return;
        }
        const { east, north } = new LocalPlane(this.place).metres(goal);
        this.step(east * metres / left, north * metres / left);
    }
}
