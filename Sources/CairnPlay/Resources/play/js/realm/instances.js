// What stands in the scene, many of a shape at once: a mesh for each kind, near and far, with only those in it that the
// camera sees. Poses are computed when what is around changes, not for each picture.

import { isLow } from "../core/app.js";
import { kindOf, shape } from "./shapes.js";

const CAPACITY = 1600;
/** Metres from which on a shape has few corners: it is some nine pixels high there. */
const FAR = isLow ? 25 : 60;
/** What the name of a mesh of distant things ends with. */
const DISTANT = " far away";
/** Metres around the place of a thing of size 1 that it may reach. */
const REACH = 2;

/**
 * @typedef {import("../core/view.js").Item} Item
 * @typedef {{items: Item[], matrices: Float32Array, radii: Float32Array}} Group
 */

export class Instances {
  /** @type {Map<string, Group>} */
  #groups = new Map();
  /**
   * Meshes by kind, distant ones apart.
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
   * @param {(item: Item) => {point: any, turn: any, scale: number}} pose
   */
  constructor(THREE, scene, pose) {
    this.THREE = THREE;
    this.scene = scene;
    this.pose = pose;
    this.material = new THREE.MeshLambertMaterial({ vertexColors: true, flatShading: false });
  }

  /**
   * Takes items of some kinds, in place of those of these kinds before.
   * @param {Item[]} found
   * @param {string[]} kinds
   */
  take(found, kinds) {
    const { THREE } = this;
    /** @type {Map<string, Item[]>} */
    const sorted = new Map(kinds.flatMap((kind) => [[kind, []], [kind + DISTANT, []]]));
    for (const item of found) sorted.get(kindOf(item) + (item.distance > FAR ? DISTANT : ""))?.push(item);
    const matrix = new THREE.Matrix4(), size = new THREE.Vector3();
    for (const [name, all] of sorted) {
      const items = all.slice(0, CAPACITY);
      const matrices = new Float32Array(16 * items.length), radii = new Float32Array(items.length);
      items.forEach((item, n) => {
        const { point, turn, scale } = this.pose(item);
        matrix.compose(point, turn, size.setScalar(scale)).toArray(matrices, 16 * n);
        radii[n] = REACH * scale;
      });
      this.#groups.set(name, { items, matrices, radii });
    }
  }

  /**
   * Puts those into the meshes that are in the picture; all where there is no frustum.
   * @param {any} frustum
   */
  show(frustum) {
    const sphere = new this.THREE.Sphere();
    for (const [name, { items, matrices, radii }] of this.#groups) {
      if (items.length === 0 && !this.meshes.has(name)) continue;
      const mesh = this.#mesh(name), shown = [];
      const { instanceMatrix } = mesh;
      for (let n = 0; n < items.length; n += 1) {
        sphere.center.fromArray(matrices, 16 * n + 12);
        sphere.radius = radii[n];
        if (frustum && !frustum.intersectsSphere(sphere)) continue;
        instanceMatrix.array.set(matrices.subarray(16 * n, 16 * n + 16), 16 * shown.length);
        shown.push(items[n]);
      }
      mesh.count = shown.length;
      mesh.visible = shown.length > 0;
      mesh.boundingSphere = null;
      instanceMatrix.clearUpdateRanges();
      instanceMatrix.addUpdateRange(0, 16 * shown.length);
      instanceMatrix.needsUpdate = true;
      this.drawn.set(name, shown);
    }
  }

  /**
   * The nearest item that a ray meets.
   * @param {any} caster
   * @returns {Item | undefined}
   */
  under(caster) {
    const [hit] = caster.intersectObjects([...this.meshes.values()].filter(({ count }) => count > 0), false);
    return hit && this.drawn.get(hit.object.name)?.[hit.instanceId];
  }

  /** @param {string} name */
  #mesh(name) {
    const known = this.meshes.get(name);
    if (known) return known;
    const [kind] = name.split(DISTANT);
    const mesh = new this.THREE.InstancedMesh(shape(this.THREE, kind, kind !== name), this.material, CAPACITY);
    // Each instance has been looked at.
    mesh.frustumCulled = false;
    mesh.name = name;
    this.meshes.set(name, mesh);
    this.scene.add(mesh);
    return mesh;
  }
}
