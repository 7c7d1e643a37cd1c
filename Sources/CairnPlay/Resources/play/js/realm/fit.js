// Lays the space that a session tracks onto the ground: by the direction that it began with, by hand, by where somebody
// stands, and by surfaces that the device finds and whose place is known.

import { turned } from "../core/turns.js";

const RAD = Math.PI / 180;
/** Metres that somebody points aside of what they mean. */
const AIM = 0.1;
/** A surface whose own Y lies lower than this faces a direction; the ground does not. */
const STEEP = 0.7;
/** What is nearer together than this many metres tells no direction. */
const APART = 2;

/** @typedef {[number, number, number]} Vector in WebXR's axes, of the session or of the scene */

/**
 * The angle about the vertical by which south (+Z) becomes the way of a vector.
 * @param {Vector} vector
 */
function angle([x, , z]) {
  return Math.atan2(x, z);
}

/**
 * @param {Vector} a
 * @param {Vector} b
 * @returns {Vector}
 */
function difference(a, b) {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export class Fit {
  /**
   * The surface that was seen before, and where it is.
   * @type {{seen: Vector, known: Vector} | null}
   */
  #before = null;

  /** @param {any} rig what brings the session's space into the scene */
  constructor(rig) {
    this.rig = rig;
  }

  /**
   * A session begins.
   * @param {number} heading degrees clockwise from north that its forward is
   */
  begin(heading) {
    this.#before = null;
    this.rig.rotation.y = -heading * RAD;
  }

  /** The rig is of no session any more. */
  end() {
    this.rig.rotation.y = 0;
    this.rig.position.y = 0;
  }

  /**
   * Turns the space about where the device is.
   * @param {Vector} viewer
   * @param {number} degrees clockwise, of the way that the device looks to
   */
  turn(viewer, degrees) {
    const stays = this.inScene(viewer);
    this.rig.rotation.y -= degrees * RAD;
    this.#move(viewer, stays);
  }

  /**
   * The device is above this point.
   * @param {Vector} viewer
   * @param {Vector} point
   */
  stand(viewer, [x, , z]) {
    const [, y] = this.inScene(viewer);
    this.#move(viewer, [x, y, z]);
  }

  /**
   * A surface that the device sees is known.
   * @param {{position: Vector, turn: import("../core/turns.js").Turn}} seen
   * @param {{position: Vector, turn: import("../core/turns.js").Turn | null}} known `turn` where the surface is known
   * @returns {number | null} degrees that the direction may be wrong by, against the known one; null = it is as before
   */
  see(seen, known) {
    const face = /** @type {Vector} */ ([0, 1, 0]);
    const seenFace = turned(seen.turn, face), knownFace = known.turn && turned(known.turn, face);
    const apart = this.#before && difference(seen.position, this.#before.seen);
    const knownApart = this.#before && difference(known.position, this.#before.known);
    const least = Math.min(...[apart, knownApart].map((one) => (one ? Math.hypot(one[0], one[2]) : 0)));
    let degrees = null;
    if (knownFace && Math.abs(seenFace[1]) < STEEP && Math.abs(knownFace[1]) < STEEP) {
      this.rig.rotation.y = angle(knownFace) - angle(seenFace);
      degrees = 2;
    } else if (apart && knownApart && least > APART) {
      this.rig.rotation.y = angle(knownApart) - angle(apart);
      degrees = Math.atan2(2 * AIM, least) / RAD;
    }
    this.#move(seen.position, known.position);
    this.#before = { seen: seen.position, known: known.position };
    return degrees;
  }

  /**
   * Where a point of the session is in the scene.
   * @param {Vector} point
   * @returns {Vector}
   */
  inScene([x, y, z]) {
    const { rotation, position } = this.rig;
    const s = Math.sin(rotation.y), c = Math.cos(rotation.y);
    return [x * c + z * s + position.x, y + position.y, z * c - x * s + position.z];
  }

  /**
   * Moves the space so that a point of it is at one of the scene.
   * @param {Vector} point
   * @param {Vector} to
   */
  #move(point, to) {
    const [x, y, z] = difference(to, this.inScene(point));
    const { position } = this.rig;
    position.set(position.x + x, position.y + y, position.z + z);
  }
}
