// What tours add to the Realm: where they begin, rings around stops, and those of the own group.

import { figure, join } from "../components/shape.js";

/** @typedef {import("../components/shape.js").Segments} Segments */

/**
 * A ring on the ground around a stop.
 * @param {any} THREE
 * @param {Segments} n
 */
function ring(THREE, n) {
  return join(THREE, [{ geometry: new THREE.TorusGeometry(0.9, 0.05, n(6), n(36, 18)), colour: 0x2aa5b0,
    turn: [Math.PI / 2, 0, 0], move: [0, 0.05, 0] }]);
}

/**
 * The ring of the stop that comes next, with a mark above it that is seen from afar.
 * @param {any} THREE
 * @param {Segments} n
 */
function target(THREE, n) {
  return join(THREE, [
    { geometry: new THREE.TorusGeometry(0.9, 0.09, n(6), n(36, 18)), colour: 0xd98a1f, turn: [Math.PI / 2, 0, 0],
      move: [0, 0.08, 0] },
    { geometry: new THREE.ConeGeometry(0.45, 1.1, n(12)), colour: 0xd98a1f, turn: [Math.PI, 0, 0], move: [0, 3.2, 0] },
  ]);
}

/**
 * A signpost where a tour begins.
 * @param {any} THREE
 * @param {Segments} n
 */
function tour(THREE, n) {
  return join(THREE, [
    { geometry: new THREE.CylinderGeometry(0.05, 0.06, 1.7, n(8)), colour: 0x7a5a3a, move: [0, 0.85, 0] },
    { geometry: new THREE.BoxGeometry(1, 0.4, 0.06), colour: 0x2aa5b0, move: [0, 1.5, 0.06] },
  ]);
}

/** @type {Record<string, import("../components/shape.js").Maker>} */
export const shapes = { ring, target, tour, fellow: figure(0x2c8f5a), guide: figure(0xd98a1f) };
