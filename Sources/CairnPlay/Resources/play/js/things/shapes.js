// What the preset objects look like in the Realm.

import { join, near } from "../components/shape.js";

/** @typedef {import("../components/shape.js").Segments} Segments */

/**
 * @param {any} THREE
 * @param {any} shape
 * @param {number} depth
 * @param {Segments} n
 */
function extruded(THREE, shape, depth, n) {
  const geometry = new THREE.ExtrudeGeometry(shape, {
    depth, bevelEnabled: n === near, bevelThickness: 0.06, bevelSize: 0.05, bevelSegments: 2, curveSegments: n(8, 2),
  });
  geometry.translate(0, 0, -depth / 2);
  return geometry;
}

/**
 * @param {any} THREE
 * @param {Segments} n
 */
function heart(THREE, n) {
  const shape = new THREE.Shape();
  shape.moveTo(0, 0);
  shape.bezierCurveTo(-0.15, 0.2, -0.5, 0.35, -0.5, 0.65);
  shape.bezierCurveTo(-0.5, 0.98, -0.1, 1.02, 0, 0.74);
  shape.bezierCurveTo(0.1, 1.02, 0.5, 0.98, 0.5, 0.65);
  shape.bezierCurveTo(0.5, 0.35, 0.15, 0.2, 0, 0);
  return join(THREE, [{ geometry: extruded(THREE, shape, 0.16, n), colour: 0xd9304f, move: [0, 0.1, 0] }]);
}

/**
 * @param {any} THREE
 * @param {Segments} n
 */
function star(THREE, n) {
  const shape = new THREE.Shape();
  for (let n = 0; n < 10; n += 1) {
    const r = n % 2 === 0 ? 0.5 : 0.22, a = Math.PI / 2 + (n * Math.PI) / 5;
    if (n === 0) shape.moveTo(r * Math.cos(a), r * Math.sin(a));
    else shape.lineTo(r * Math.cos(a), r * Math.sin(a));
  }
  shape.closePath();
  return join(THREE, [{ geometry: extruded(THREE, shape, 0.12, n), colour: 0xf2b33d, move: [0, 0.6, 0] }]);
}

/**
 * @param {any} THREE
 * @param {Segments} n
 */
function flag(THREE, n) {
  return join(THREE, [
    { geometry: new THREE.CylinderGeometry(0.03, 0.035, 1.3, n(8)), colour: 0x8b97a3, move: [-0.3, 0.65, 0] },
    { geometry: new THREE.BoxGeometry(0.62, 0.38, 0.03), colour: 0x0a8d8a, move: [0.02, 1.08, 0] },
    { geometry: new THREE.SphereGeometry(0.055, n(8), n(6)), colour: 0xd9dee3, move: [-0.3, 1.32, 0] },
  ]);
}

/**
 * @param {any} THREE
 * @param {Segments} n
 */
function arrow(THREE, n) {
  // Points away from who looks at its front: along -Z.
  return join(THREE, [
    { geometry: new THREE.CylinderGeometry(0.1, 0.1, 0.7, n(10)), colour: 0x3c7fd6, turn: [Math.PI / 2, 0, 0],
      move: [0, 0.4, 0.2] },
    { geometry: new THREE.ConeGeometry(0.26, 0.45, n(12)), colour: 0x2c66b3, turn: [-Math.PI / 2, 0, 0],
      move: [0, 0.4, -0.35] },
  ]);
}

/**
 * @param {any} THREE
 * @param {Segments} n
 */
function balloon(THREE, n) {
  return join(THREE, [
    { geometry: new THREE.SphereGeometry(0.38, n(16), n(12)), colour: 0x9156c8, scale: [1, 1.18, 1],
      move: [0, 1.35, 0] },
    { geometry: new THREE.ConeGeometry(0.07, 0.1, n(8)), colour: 0x7a43ad, move: [0, 0.88, 0] },
    { geometry: new THREE.CylinderGeometry(0.008, 0.008, 0.85, n(5)), colour: 0x8b97a3, move: [0, 0.43, 0] },
  ]);
}

/**
 * @param {any} THREE
 * @param {Segments} n
 */
function cairn(THREE, n) {
  const stone = () => new THREE.IcosahedronGeometry(1, n(1, 0));
  return join(THREE, [
    { geometry: stone(), colour: 0x76818b, scale: [0.46, 0.17, 0.4], move: [0, 0.16, 0] },
    { geometry: stone(), colour: 0x8d979f, scale: [0.35, 0.14, 0.3], move: [0.03, 0.45, 0] },
    { geometry: stone(), colour: 0x6a747d, scale: [0.24, 0.11, 0.22], move: [-0.02, 0.69, 0] },
    { geometry: stone(), colour: 0x9aa4ab, scale: [0.14, 0.08, 0.13], move: [0.01, 0.87, 0] },
  ]);
}

/** @param {any} THREE */
function other(THREE) {
  return join(THREE, [{ geometry: new THREE.OctahedronGeometry(0.45), colour: 0x5b8c5a, move: [0, 0.5, 0] }]);
}

/** @type {Record<string, import("../components/shape.js").Maker>} */
export const shapes = {
  "preset:heart": heart, "preset:star": star, "preset:flag": flag, "preset:arrow": arrow, "preset:balloon": balloon,
  "preset:cairn": cairn, other,
};
