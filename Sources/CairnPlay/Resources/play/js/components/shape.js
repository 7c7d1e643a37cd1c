// Shapes of the Realm are put together here from parts with colours. They are small and have few corners, about a metre
// tall, standing on their place. Their front is +Z, up is +Y, as in glTF. What is far away is a few pixels high and has
// fewer corners still.

/** @typedef {import("../core/extensions.js").Maker} Maker */

/**
 * Number of segments that a round part gets, of those of the near shape.
 * @typedef {(near: number, least?: number) => number} Segments
 */

/** @type {Segments} */
export const near = (count) => count;
/** @type {Segments} */
export const far = (count, least = 3) => Math.max(least, Math.floor(count / 3));

/**
 * Puts coloured geometries together into one.
 * @param {any} THREE
 * @param {{geometry: any, colour: number, move?: number[], scale?: number[], turn?: number[]}[]} parts
 */
export function join(THREE, parts) {
  /** @type {number[]} */ const positions = [];
  /** @type {number[]} */ const normals = [];
  /** @type {number[]} */ const colours = [];
  for (const { geometry, colour, move = [0, 0, 0], scale = [1, 1, 1], turn = [0, 0, 0] } of parts) {
    const flat = geometry.index ? geometry.toNonIndexed() : geometry;
    flat.scale(scale[0], scale[1], scale[2]);
    flat.rotateX(turn[0]).rotateY(turn[1]).rotateZ(turn[2]);
    flat.translate(move[0], move[1], move[2]);
    flat.computeVertexNormals();
    const { r, g, b } = new THREE.Color(colour);
    for (const value of flat.attributes.position.array) positions.push(value);
    for (const value of flat.attributes.normal.array) normals.push(value);
    for (let n = 0; n < flat.attributes.position.count; n += 1) colours.push(r, g, b);
  }
  const whole = new THREE.BufferGeometry();
  whole.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  whole.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  whole.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
  whole.computeBoundingSphere();
  return whole;
}

/**
 * Somebody, whose place is that of their eyes.
 * @param {number} colour
 * @returns {Maker}
 */
export function figure(colour) {
  return (THREE, n) => join(THREE, [
    { geometry: new THREE.CapsuleGeometry(0.2, 0.75, n(4, 1), n(10)), colour, move: [0, -0.95, 0] },
    { geometry: new THREE.SphereGeometry(0.17, n(12), n(10)), colour: 0xf0c8a0, move: [0, -0.13, 0] },
  ]);
}
