// What the preset objects look like: small shapes with few corners, about a metre tall, standing on their place. Their
// front is +Z, up is +Y, as in glTF. What is far away is a few pixels high and has fewer corners still.

/**
 * Number of segments that a round part gets, of those of the near shape.
 * @typedef {(near: number, least?: number) => number} Segments
 */

/** @type {Segments} */
const near = (count) => count;
/** @type {Segments} */
const far = (count, least = 3) => Math.max(least, Math.floor(count / 3));

/**
 * Puts coloured geometries together into one.
 * @param {any} THREE
 * @param {{geometry: any, colour: number, move?: number[], scale?: number[], turn?: number[]}[]} parts
 */
function join(THREE, parts) {
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

/**
 * Somebody, whose place is that of their eyes.
 * @param {number} colour
 */
function person(colour) {
  return (/** @type {any} */ THREE, /** @type {Segments} */ n) => join(THREE, [
    { geometry: new THREE.CapsuleGeometry(0.2, 0.75, n(4, 1), n(10)), colour, move: [0, -0.95, 0] },
    { geometry: new THREE.SphereGeometry(0.17, n(12), n(10)), colour: 0xf0c8a0, move: [0, -0.13, 0] },
  ]);
}

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

const MAKERS = /** @type {Record<string, (THREE: any, n: Segments) => any>} */ ({
  "preset:heart": heart, "preset:star": star, "preset:flag": flag, "preset:arrow": arrow, "preset:balloon": balloon,
  "preset:cairn": cairn, post: bubble, person: person(0xe07a35), fellow: person(0x2c8f5a), guide: person(0xd98a1f),
  ring, target,
});

/** What the kind of a stop's object begins with: stops have meshes of their own. */
const STOP = "stop of ";
const OBJECTS = [...Object.keys(MAKERS).filter((kind) => kind.startsWith("preset:")), "other"];

/** The kinds of shapes of what stands around. */
export const KINDS = [...OBJECTS, "post"];
/** The kinds of shapes of people. */
export const PEOPLE = ["person"];
/** The kinds of shapes of what a run adds. */
export const COMPANY = [...OBJECTS.map((kind) => STOP + kind), "ring", "target", "fellow", "guide"];

/**
 * The kind of shape of an item.
 * @param {import("../core/view.js").Item} item
 */
export function kindOf(item) {
  if (item.kind === "ring") return item.instance.isTarget ? "target" : "ring";
  if (item.kind === "fellow") return item.instance.isGuide ? "guide" : "fellow";
  if (item.kind !== "thing" && item.kind !== "stop") return item.kind;
  const object = OBJECTS.includes(item.instance.object) ? item.instance.object : "other";
  return item.kind === "stop" ? STOP + object : object;
}

/**
 * The geometry of a kind.
 * @param {any} THREE
 * @param {string} kind
 * @param {boolean} isFar
 */
export function shape(THREE, kind, isFar = false) {
  const name = kind.replace(STOP, "");
  return (Object.hasOwn(MAKERS, name) ? MAKERS[name] : other)(THREE, isFar ? far : near);
}
