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
 * Puts coloured geometries together into one. A part that swings, as a leg does, has how much and about which height.
 * @param {any} THREE
 * @param {{geometry: any, colour: number, move?: number[], scale?: number[], turn?: number[],
 *   swing?: number[]}[]} parts
 */
export function join(THREE, parts) {
  /** @type {number[]} */ const positions = [];
  /** @type {number[]} */ const normals = [];
  /** @type {number[]} */ const colours = [];
  /** @type {number[]} */ const swings = [];
  for (const { geometry, colour, move = [0, 0, 0], scale = [1, 1, 1], turn = [0, 0, 0], swing = [0, 0] } of parts) {
    const flat = geometry.index ? geometry.toNonIndexed() : geometry;
    flat.scale(scale[0], scale[1], scale[2]);
    flat.rotateX(turn[0]).rotateY(turn[1]).rotateZ(turn[2]);
    flat.translate(move[0], move[1], move[2]);
    flat.computeVertexNormals();
    const { r, g, b } = new THREE.Color(colour);
    for (const value of flat.attributes.position.array) positions.push(value);
    for (const value of flat.attributes.normal.array) normals.push(value);
    for (let n = 0; n < flat.attributes.position.count; n += 1) {
      colours.push(r, g, b);
      swings.push(swing[0], swing[1]);
    }
  }
  const whole = new THREE.BufferGeometry();
  whole.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  whole.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  whole.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
  if (parts.some(({ swing }) => swing)) whole.setAttribute("swing", new THREE.Float32BufferAttribute(swings, 2));
  whole.computeBoundingBox();
  whole.computeBoundingSphere();
  return whole;
}

/** Metres below the eyes at which legs and arms hang. */
const HIP = -0.78, SHOULDER = -0.36;

/**
 * Somebody, whose place is that of their eyes; they look along -Z. From near by they have legs and arms that walk.
 * @param {number} colour
 * @returns {Maker}
 */
export function figure(colour) {
  return (THREE, n) => {
    const limb = (/** @type {number} */ side, /** @type {number} */ top, /** @type {number} */ long,
      /** @type {number} */ thick, /** @type {number} */ shade, /** @type {number} */ swing) => ({
      geometry: new THREE.CylinderGeometry(thick, thick * 0.8, long, 5, 1, true), colour: shade,
      move: [side, top - long / 2, 0], swing: [swing, top],
    });
    const skin = 0xf0c8a0, dark = 0x3b4652;
    const head = [{ geometry: new THREE.SphereGeometry(0.16, n(7), n(5)), colour: skin, move: [0, -0.06, 0] },
      // So that one sees from behind which way they look.
      { geometry: new THREE.SphereGeometry(0.168, n(7), n(4)), colour: dark, scale: [1, 0.9, 0.9],
        move: [0, -0.02, 0.05] }];
    if (n !== near) {
      return join(THREE, [{ geometry: new THREE.CylinderGeometry(0.26, 0.17, 0.62, 5, 1, true), colour, move: [0, -0.5, 0] },
        { geometry: new THREE.CylinderGeometry(0.16, 0.12, 0.8, 4, 1, true), colour: dark, move: [0, -1.2, 0] }, ...head]);
    }
    return join(THREE, [
      { geometry: new THREE.CapsuleGeometry(0.19, 0.34, 2, 7), colour, move: [0, -0.53, 0],
        scale: [1, 1, 0.75] },
      ...head, limb(-0.1, HIP, 0.82, 0.085, dark, 1), limb(0.1, HIP, 0.82, 0.085, dark, -1),
      limb(-0.24, SHOULDER, 0.56, 0.055, colour, -0.8), limb(0.24, SHOULDER, 0.56, 0.055, colour, 0.8),
    ]);
  };
}
