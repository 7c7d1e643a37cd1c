// What a post looks like in the Realm.

import { join } from "../components/shape.js";

/** @typedef {import("../components/shape.js").Segments} Segments */

/**
 * @param {any} THREE
 * @param {Segments} n
 */
function bubble(THREE, n) {
  return join(THREE, [
    { geometry: new THREE.SphereGeometry(0.34, n(14), n(10)), colour: 0x1f7fb8, scale: [1.25, 0.85, 0.5],
      move: [0, 1.55, 0] },
    { geometry: new THREE.ConeGeometry(0.1, 0.3, n(8)), colour: 0x1f7fb8, turn: [Math.PI, 0, 0.2],
      move: [-0.12, 1.2, 0] },
  ]);
}

/** @type {Record<string, import("../components/shape.js").Maker>} */
export const shapes = { post: bubble };
