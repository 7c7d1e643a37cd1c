// How people walk in the scene: they face where they go, and their steps are as long as their way. Metres and seconds
// in, angles out: it knows neither the scene nor the page.

/** Metres of two steps. */
const STRIDE = 1.4;
/** Metres a second from which on somebody walks, and below which they stand again. */
const WALKS = 0.3, STANDS = 0.15;
/** Somebody who is this many metres away from where they were has not walked there. */
const JUMP = 6;
/** Seconds in which a turn or a change of pace is followed. */
const FOLLOWED = 0.25;
/** Angle of a leg at its furthest, in radians, at this many metres a second. */
const SWING = 0.55, BRISK = 1.3;

/**
 * @typedef {object} Gait
 * @property {number} x
 * @property {number} z
 * @property {number} at seconds
 * @property {number} speed metres a second
 * @property {number} facing radians about the vertical: 0 = north (-Z), counter-clockwise
 * @property {boolean} isWalking
 * @property {number} phase of the steps, in radians
 */

/** What people do, by their keys. */
export class Gaits {
  /** @type {Map<string, Gait>} */
  #known = new Map();

  /**
   * Somebody is here now.
   * @param {string} key
   * @param {number} x
   * @param {number} z
   * @param {number} at seconds
   * @returns {{facing: number | null, stride: number}} which way they go, null while they stand; how far a leg is ahead
   */
  step(key, x, z, at) {
    const gait = this.#known.get(key);
    if (!gait) {
      this.#known.set(key, { x, z, at, speed: 0, facing: 0, isWalking: false, phase: 0 });
      return { facing: null, stride: 0 };
    }
    const took = at - gait.at;
    if (took > 0) {
      const [east, south] = [x - gait.x, z - gait.z], way = Math.hypot(east, south);
      const part = 1 - Math.exp(-took / FOLLOWED);
      if (way < JUMP) {
        gait.speed += (way / took - gait.speed) * part;
        gait.phase = (gait.phase + (way / STRIDE) * 2 * Math.PI) % (2 * Math.PI);
        if (way > 1e-4 && gait.speed > STANDS) {
          const wanted = Math.atan2(-east, -south);
          gait.facing = gait.isWalking ? gait.facing + part * shortest(wanted - gait.facing) : wanted;
        }
      } else gait.speed = 0;
      gait.isWalking = gait.speed > (gait.isWalking ? STANDS : WALKS);
      Object.assign(gait, { x, z, at });
    }
    return {
      facing: gait.isWalking ? gait.facing : null,
      stride: gait.isWalking ? SWING * Math.min(1, gait.speed / BRISK) * Math.sin(gait.phase) : 0,
    };
  }

  /**
   * Forgets those who were not here since.
   * @param {number} since seconds
   */
  forget(since) {
    for (const [key, { at }] of this.#known) if (at < since) this.#known.delete(key);
  }

  get size() {
    return this.#known.size;
  }
}

/** @param {number} angle */
function shortest(angle) {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}
