// Places around the user, and directions in words. The geometry itself is cairn.js's.

import { bearingDegrees, distanceMetres, LocalPlane } from "../../cairn/geo.js";
import { t } from "./texts.js";

/** @typedef {{lat: number, lon: number, h?: number | null}} Place Degrees, and metres above the ellipsoid. */

/** The east-north-up plane at a place, with heights: [east, north, up] in metres, and back. */
export class Plane {
  #plane;

  /** @param {Place} origin */
  constructor(origin) {
    /** @type {{lat: number, lon: number, h: number}} */
    this.origin = { lat: origin.lat, lon: origin.lon, h: origin.h ?? 0 };
    this.#plane = new LocalPlane(origin);
  }

  /**
   * @param {Place} place
   * @returns {[number, number, number]}
   */
  enu(place) {
    const { east, north } = this.#plane.metres(place);
    return [east, north, (place.h ?? this.origin.h) - this.origin.h];
  }

  /**
   * @param {number[]} enu
   * @returns {{lat: number, lon: number, h: number}}
   */
  place([east, north, up]) {
    return { ...this.#plane.place(east, north), h: this.origin.h + up };
  }
}

export { bearingDegrees as bearing, distanceMetres as distance };

/**
 * The point of the compass in words.
 * @param {number} degrees
 */
export function compass(degrees) {
  return t(`compass.${["n", "ne", "e", "se", "s", "sw", "w", "nw"][Math.round(degrees / 45) % 8]}`);
}

/**
 * A turn about the up axis as a quaternion in east-north-up.
 * @param {number} degrees counter-clockwise
 */
export function yawQuaternion(degrees) {
  const half = (degrees * Math.PI) / 360;
  return { x: 0, y: 0, z: Math.sin(half), w: Math.cos(half) };
}
