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
});

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
  const corners = { park: [], street: [], house: [] };
  for (const { properties = {}, geometry } of features) {
    const line = geometry?.type === "Polygon" ? geometry.coordinates[0]
      : geometry?.type === "LineString" ? geometry.coordinates : null;
    if (!line?.some((/** @type {number[]} */ [lon, lat]) => distance({ lat, lon }, plane.origin) < FAR)) continue;
    const points = line.map((/** @type {number[]} */ [lon, lat]) => {
      const [east, north] = plane.enu({ lat, lon });
      return new THREE.Vector2(east, north);
    });
    if (geometry.type === "LineString") street(corners.street, points);
    else if (properties.kind === "park") flat(THREE, corners.park, points, 0.01);
    else if (properties.kind === "house") house(THREE, corners.house, points, Number(properties.height) || 6);
  }
  const town = new THREE.Group();
  for (const [kind, numbers] of Object.entries(corners)) {
    if (numbers.length === 0) continue;
    const shape = new THREE.BufferGeometry();
    shape.setAttribute("position", new THREE.Float32BufferAttribute(numbers, 3));
    shape.computeVertexNormals();
    // Houses let what is behind them shine through: things are what people look for.
    town.add(new THREE.Mesh(shape, kind === "house"
      ? new THREE.MeshLambertMaterial({ color: COLOURS[kind][isDark ? 1 : 0], transparent: true, opacity: 0.45,
        side: THREE.DoubleSide, depthWrite: false })
      : new THREE.MeshBasicMaterial({ color: COLOURS[kind][isDark ? 1 : 0], side: THREE.DoubleSide })));
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
