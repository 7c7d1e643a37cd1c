// The ground of the 3D view: streets, parks and houses of the operator's file, or of the demo's town, around the user.

import { distance } from "../core/geo.js";
import { askGround, shapes } from "../core/ground.js";

/** What begins further away is not drawn, in metres. */
const FAR = 350;
/** Width of a street in metres. */
const WIDTH = 6;

/** Colours of the kinds in the light theme and in the dark one. */
const COLOURS = /** @type {Record<string, [number, number]>} */ ({
  park: [0xc3d9b6, 0x1d3a2c], street: [0xf0f2f1, 0x2b3943], house: [0xd8cfbf, 0x3a4956],
  edge: [0x8d8473, 0x6b7f8e], middle: [0xb9c2c4, 0x4b5d69], tree: [0x7fa96f, 0x2f5c43],
});
/** Metres of a storey, and between two dashes in the middle of a street: what one knows the size of. */
const STOREY = 3, DASH = 4;
/** Most trees; about so many square metres of a park have one. */
const TREES = 160, PER_TREE = 160;

/**
 * The town around a plane's origin; null where the server has none.
 * @param {any} THREE
 * @param {import("../core/geo.js").Plane} plane
 * @param {boolean} isDark
 * @returns {Promise<any>}
 */
export async function makeTown(THREE, plane, isDark) {
  const { file } = await askGround();
  const features = (await shapes(file))?.features ?? [];
  /** @type {Record<string, number[]>} triangles by kind */
  const corners = { park: [], street: [], house: [], tree: [] };
  /** @type {Record<string, number[]>} ends of lines by kind */
  const lines = { edge: [], middle: [] };
  for (const { properties = {}, geometry } of features) {
    const line = geometry?.type === "Polygon" ? geometry.coordinates[0]
      : geometry?.type === "LineString" ? geometry.coordinates : null;
    if (!line?.some((/** @type {number[]} */ [lon, lat]) => distance({ lat, lon }, plane.origin) < FAR)) continue;
    const points = line.map((/** @type {number[]} */ [lon, lat]) => {
      const [east, north] = plane.enu({ lat, lon });
      return new THREE.Vector2(east, north);
    });
    if (geometry.type === "LineString") {
      street(corners.street, points);
      dashes(lines.middle, points);
    } else if (properties.kind === "park") {
      flat(THREE, corners.park, points, 0.01);
      trees(THREE, corners.tree, points);
    } else if (properties.kind === "house") {
      const height = Number(properties.height) || 6;
      house(THREE, corners.house, points, height);
      storeys(lines.edge, points, height);
    }
  }
  const town = new THREE.Group();
  for (const [kind, numbers] of Object.entries(corners)) {
    if (numbers.length === 0) continue;
    const shape = new THREE.BufferGeometry();
    shape.setAttribute("position", new THREE.Float32BufferAttribute(numbers, 3));
    shape.computeVertexNormals();
    // Houses let what is behind them shine through: things are what people look for.
    town.add(new THREE.Mesh(shape, kind === "house" || kind === "tree"
      ? new THREE.MeshLambertMaterial({ color: COLOURS[kind][isDark ? 1 : 0], transparent: true, opacity: 0.45,
        side: THREE.DoubleSide, depthWrite: false })
      : new THREE.MeshBasicMaterial({ color: COLOURS[kind][isDark ? 1 : 0], side: THREE.DoubleSide })));
  }
  for (const [kind, numbers] of Object.entries(lines)) {
    if (numbers.length === 0) continue;
    const shape = new THREE.BufferGeometry();
    shape.setAttribute("position", new THREE.Float32BufferAttribute(numbers, 3));
    town.add(new THREE.LineSegments(shape, new THREE.LineBasicMaterial({ color: COLOURS[kind][isDark ? 1 : 0],
      transparent: true, opacity: kind === "edge" ? 0.3 : 0.7 })));
  }
  return town.children.length > 0 ? town : null;
}

/**
 * A polygon, at a height.
 * @param {any} THREE
 * @param {number[]} into
 * @param {any[]} points
 * @param {number} height
 */
function flat(THREE, into, points, height) {
  for (const face of THREE.ShapeUtils.triangulateShape(points, [])) {
    for (const n of face) into.push(points[n].x, height, -points[n].y);
  }
}

/**
 * Walls and a flat roof.
 * @param {any} THREE
 * @param {number[]} into
 * @param {any[]} points
 * @param {number} height
 */
function house(THREE, into, points, height) {
  for (let n = 0; n + 1 < points.length; n += 1) {
    const [a, b] = [points[n], points[n + 1]];
    into.push(a.x, 0, -a.y, b.x, 0, -b.y, b.x, height, -b.y, a.x, 0, -a.y, b.x, height, -b.y, a.x, height, -a.y);
  }
  flat(THREE, into, points.slice(0, -1), height);
}

/**
 * The edges of a house, with a line at each storey of its corners.
 * @param {number[]} into
 * @param {any[]} points
 * @param {number} height
 */
function storeys(into, points, height) {
  for (let n = 0; n + 1 < points.length; n += 1) {
    const [a, b] = [points[n], points[n + 1]];
    into.push(a.x, 0, -a.y, a.x, height, -a.y);
    const [x, y] = [(b.x - a.x) * 0.08, (b.y - a.y) * 0.08];
    for (let up = STOREY; up < height; up += STOREY) into.push(a.x, up, -a.y, a.x + x, up, -a.y - y);
    into.push(a.x, height, -a.y, b.x, height, -b.y);
  }
}

/**
 * The dashes in the middle of a street.
 * @param {number[]} into
 * @param {any[]} points
 */
function dashes(into, points) {
  for (let n = 0; n + 1 < points.length; n += 1) {
    const [from, to] = [points[n], points[n + 1]], long = from.distanceTo(to);
    const along = to.clone().sub(from).normalize();
    for (let at = 0; at + DASH / 2 < long; at += DASH) {
      const a = from.clone().addScaledVector(along, at), b = a.clone().addScaledVector(along, DASH / 2);
      into.push(a.x, 0.05, -a.y, b.x, 0.05, -b.y);
    }
  }
}

/**
 * Trees in a park, at the same places each time.
 * @param {any} THREE
 * @param {number[]} into
 * @param {any[]} points
 */
function trees(THREE, into, points) {
  const box = new THREE.Box2().setFromPoints(points), size = box.getSize(new THREE.Vector2());
  const wanted = Math.min(TREES, Math.floor((size.x * size.y) / PER_TREE));
  for (let n = 1; n <= wanted; n += 1) {
    // Spread evenly without a pattern that one sees.
    const at = new THREE.Vector2(box.min.x + size.x * ((n * 0.754877666) % 1),
      box.min.y + size.y * ((n * 0.569840291) % 1));
    if (!isInside(at, points)) continue;
    const height = 4 + 3 * ((n * 0.618034) % 1);
    const crown = new THREE.ConeGeometry(height * 0.22, height * 0.8, 6).toNonIndexed()
      .translate(at.x, height * 0.6, -at.y);
    const trunk = new THREE.CylinderGeometry(0.14, 0.18, height * 0.25, 5, 1, true).toNonIndexed()
      .translate(at.x, height * 0.12, -at.y);
    for (const { attributes } of [crown, trunk]) into.push(...attributes.position.array);
  }
}

/**
 * Whether a point lies in a ring.
 * @param {{x: number, y: number}} point
 * @param {{x: number, y: number}[]} ring
 */
function isInside({ x, y }, ring) {
  let inside = false;
  for (let n = 0; n + 1 < ring.length; n += 1) {
    const [a, b] = [ring[n], ring[n + 1]];
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) * (b.x - a.x)) / (b.y - a.y)) inside = !inside;
  }
  return inside;
}

/**
 * A strip of small pieces along a line.
 * @param {number[]} into
 * @param {any[]} points
 */
function street(into, points) {
  for (let n = 0; n + 1 < points.length; n += 1) {
    const [from, to] = [points[n], points[n + 1]];
    const pieces = Math.max(1, Math.ceil(from.distanceTo(to) / 10));
    const along = to.clone().sub(from).divideScalar(pieces);
    const aside = along.clone().normalize().multiplyScalar(WIDTH / 2);
    for (let piece = 0; piece < pieces; piece += 1) {
      const a = from.clone().addScaledVector(along, piece), b = a.clone().add(along);
      const corner = (/** @type {any} */ p, /** @type {number} */ side) =>
        [p.x - side * aside.y, 0.02, -(p.y + side * aside.x)];
      const [left, right, ahead, aheadRight] = [corner(a, 1), corner(a, -1), corner(b, 1), corner(b, -1)];
      into.push(...left, ...right, ...aheadRight, ...left, ...aheadRight, ...ahead);
    }
  }
}
