// What stands in the scene, many of a shape at once: a mesh for each, near and far, with only those in it that the
// camera sees. Poses are computed when what is around changes; how much larger than it is something is drawn, so that
// it is seen from afar, for each picture.

import { isLow } from "../core/app.js";
import { Shadows, walking } from "./matter.js";
import { shape, shapeName } from "./shapes.js";
import { facing, growth } from "./signs.js";

const CAPACITY = 1600;
/** Metres from which on a shape has few corners: it is a sign of some 26 pixels there. */
const FAR = isLow ? 15 : 40;
/** What the name of a mesh of distant things ends with. */
const DISTANT = " far away";
/** Metres around the place of a thing of size 1 that it may reach. */
const REACH = 2;
/** Groups that nobody can select. */
const SELF = "self";

/**
 * @typedef {import("../core/view.js").Item} Item
 * @typedef {{point: any, turn: any, scale: number, stride?: number, isFixed?: boolean}} Stand where an item stands, how
 *   it is turned, and its size; how far it steps out; `isFixed` is turned so even where it is a sign
 * @typedef {{items: Item[], matrices: Float32Array, points: Float32Array, turns: Float32Array, scales: Float32Array,
 *   strides: Float32Array, isFixed: boolean[]}} Placed
 * @typedef {{frustum: any, eye: any, focal: number}} Sight what the camera sees, from where; with a focal length of 0
 *   everything is drawn as large as it is, without a shadow
 */

export class Instances {
  /**
   * What was placed, by group and by the name of its mesh.
   * @type {Map<string, Map<string, Placed>>}
   */
  #groups = new Map();
  /**
   * Meshes by group and shape, distant ones apart.
   * @type {Map<string, any>}
   */
  meshes = new Map();
  /**
   * Things by the name of their mesh, in the order of its instances.
   * @type {Map<string, Item[]>}
   */
  drawn = new Map();

  /**
   * @param {any} THREE
   * @param {any} scene
   */
  constructor(THREE, scene) {
    this.THREE = THREE;
    this.scene = scene;
    this.material = new THREE.MeshLambertMaterial({ vertexColors: true, flatShading: false });
    this.walking = walking(THREE);
    this.back = new THREE.MeshLambertMaterial({ vertexColors: true, transparent: true, opacity: 0.4 });
    this.shadows = new Shadows(THREE, scene);
    this.part = { matrix: new THREE.Matrix4(), point: new THREE.Vector3(), turn: new THREE.Quaternion(),
      straight: new THREE.Quaternion(), size: new THREE.Vector3(), sphere: new THREE.Sphere(),
      up: new THREE.Vector3(0, 1, 0) };
  }

  /**
   * Places the items of a group, in place of those of it before.
   * @param {string} group
   * @param {Item[]} found
   * @param {(item: Item) => string} shapeOf
   * @param {(item: Item) => Stand} stand
   */
  place(group, found, shapeOf, stand) {
    /** @type {Map<string, Item[]>} */
    const sorted = new Map([...(this.#groups.get(group)?.keys() ?? [])].map((name) => [name, []]));
    for (const item of found) {
      const name = `${group} ${shapeName(shapeOf(item))}${item.distance > FAR ? DISTANT : ""}`;
      const all = sorted.get(name);
      if (all) all.push(item);
      else sorted.set(name, [item]);
    }
    const { matrix, size } = this.part;
    /** @type {Map<string, Placed>} */
    const placed = new Map();
    for (const [name, all] of sorted) {
      const items = all.slice(0, CAPACITY), many = (/** @type {number} */ n) => new Float32Array(n * items.length);
      const [matrices, points, turns, scales, strides] = [many(16), many(3), many(4), many(1), many(1)];
      const isFixed = items.map((item, n) => {
        const { point, turn, scale, stride = 0, isFixed: fixed = false } = stand(item);
        matrix.compose(point, turn, size.setScalar(scale)).toArray(matrices, 16 * n);
        point.toArray(points, 3 * n);
        turn.toArray(turns, 4 * n);
        [scales[n], strides[n]] = [scale, stride];
        return fixed;
      });
      placed.set(name, { items, matrices, points, turns, scales, strides, isFixed });
    }
    this.#groups.set(group, placed);
  }

  /**
   * Puts those into the meshes that are in the picture; all where there is no frustum.
   * @param {Sight} sight
   */
  show({ frustum, eye, focal }) {
    const { sphere } = this.part;
    this.shadows.begin(focal > 0);
    for (const [name, placed] of [...this.#groups.values()].flatMap((group) => [...group])) {
      const { items, matrices, points, scales, strides } = placed;
      if (items.length === 0 && !this.meshes.has(name)) continue;
      const mesh = this.#mesh(name), shown = [];
      const { instanceMatrix, geometry } = mesh, { min, max } = geometry.boundingBox;
      const stride = geometry.getAttribute("stride"), isBase = name.startsWith("bases");
      for (let n = 0; n < items.length; n += 1) {
        sphere.center.fromArray(points, 3 * n);
        const away = focal > 0 ? sphere.center.distanceTo(eye) : 0;
        const grown = isBase ? 1 : growth(away, (max.y - min.y) * scales[n], focal);
        sphere.radius = REACH * scales[n] * grown;
        if (frustum && !frustum.intersectsSphere(sphere)) continue;
        const to = 16 * shown.length;
        if (grown > 1) this.#grown(placed, n, grown, min.y, eye).toArray(instanceMatrix.array, to);
        else instanceMatrix.array.set(matrices.subarray(16 * n, 16 * n + 16), to);
        if (stride) stride.array[shown.length] = strides[n];
        const wide = ((max.x - min.x) / 2) * scales[n] * grown;
        if (!isBase) this.shadows.add(sphere.center, min.y * scales[n], wide, away);
        shown.push(items[n]);
      }
      mesh.count = shown.length;
      mesh.visible = shown.length > 0;
      mesh.boundingSphere = null;
      for (const [changed, each] of stride ? [[instanceMatrix, 16], [stride, 1]] : [[instanceMatrix, 16]]) {
        changed.clearUpdateRanges();
        changed.addUpdateRange(0, each * shown.length);
        changed.needsUpdate = true;
      }
      this.drawn.set(name, shown);
    }
    this.shadows.end();
  }

  /**
   * The matrix of something that is drawn larger: it grows from its lowest point, and is turned to the eye.
   * @param {Placed} placed
   * @param {number} n
   * @param {number} grown
   * @param {number} lowest metres above its point
   * @param {any} eye
   */
  #grown({ points, turns, scales, isFixed }, n, grown, lowest, eye) {
    const { matrix, point, turn, straight, size, up } = this.part;
    point.fromArray(points, 3 * n);
    turn.fromArray(turns, 4 * n);
    if (!isFixed[n]) {
      straight.setFromAxisAngle(up, Math.atan2(eye.x - point.x, eye.z - point.z));
      turn.slerp(straight, facing(grown));
    }
    point.y += lowest * scales[n] * (1 - grown);
    return matrix.compose(point, turn, size.setScalar(scales[n] * grown));
  }

  /**
   * The nearest item that a ray meets.
   * @param {any} caster
   * @returns {Item | undefined}
   */
  under(caster) {
    const [hit] = caster.intersectObjects([...this.meshes.values()].filter(({ count, name }) => count > 0
      && !name.startsWith(SELF)), false);
    return hit && this.drawn.get(hit.object.name)?.[hit.instanceId];
  }

  /** @param {string} name */
  #mesh(name) {
    const known = this.meshes.get(name);
    if (known) return known;
    const { THREE } = this;
    const [near] = name.split(DISTANT);
    const geometry = shape(THREE, near.slice(near.indexOf(" ") + 1), near !== name);
    const swings = Boolean(geometry.getAttribute("swing")), isBack = name.startsWith("back ");
    if (swings) geometry.setAttribute("stride", new THREE.InstancedBufferAttribute(new Float32Array(CAPACITY), 1));
    const material = isBack ? this.back : swings ? this.walking : this.material;
    const mesh = new THREE.InstancedMesh(geometry, material, CAPACITY);
    // Each instance has been looked at.
    mesh.frustumCulled = false;
    mesh.name = name;
    this.meshes.set(name, mesh);
    this.scene.add(mesh);
    return mesh;
  }
}
