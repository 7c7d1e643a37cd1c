// What stands in the scene, many of a shape at once: a mesh for each, near and far, with only those in it that the
// camera sees. Poses are computed when what is around changes, not for each picture.

import { isLow } from "../core/app.js";
import { shape, shapeName } from "./shapes.js";

const CAPACITY = 1600;
/** Metres from which on a shape has few corners: it is some nine pixels high there. */
const FAR = isLow ? 25 : 60;
/** What the name of a mesh of distant things ends with. */
const DISTANT = " far away";
/** Metres around the place of a thing of size 1 that it may reach. */
const REACH = 2;

/**
 * @typedef {import("../core/view.js").Item} Item
 * @typedef {{items: Item[], matrices: Float32Array, radii: Float32Array}} Placed
 * @typedef {{point: any, turn: any, scale: number}} Stand where an item stands, how it is turned, and its size
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
  }

  /**
   * Places the items of a group, in place of those of it before.
   * @param {string} group
   * @param {Item[]} found
   * @param {(item: Item) => string} shapeOf
   * @param {(item: Item) => Stand} stand
   */
  place(group, found, shapeOf, stand) {
    const { THREE } = this;
    /** @type {Map<string, Item[]>} */
    const sorted = new Map([...(this.#groups.get(group)?.keys() ?? [])].map((name) => [name, []]));
    for (const item of found) {
      const name = `${group} ${shapeName(shapeOf(item))}${item.distance > FAR ? DISTANT : ""}`;
      const all = sorted.get(name);
      if (all) all.push(item);
      else sorted.set(name, [item]);
    }
    const matrix = new THREE.Matrix4(), size = new THREE.Vector3();
    /** @type {Map<string, Placed>} */
    const placed = new Map();
    for (const [name, all] of sorted) {
      const items = all.slice(0, CAPACITY);
      const matrices = new Float32Array(16 * items.length), radii = new Float32Array(items.length);
      items.forEach((item, n) => {
        const { point, turn, scale } = stand(item);
        matrix.compose(point, turn, size.setScalar(scale)).toArray(matrices, 16 * n);
        radii[n] = REACH * scale;
      });
      placed.set(name, { items, matrices, radii });
    }
    this.#groups.set(group, placed);
  }

  /**
   * Puts those into the meshes that are in the picture; all where there is no frustum.
   * @param {any} frustum
   */
  show(frustum) {
    const sphere = new this.THREE.Sphere();
    for (const [name, { items, matrices, radii }] of [...this.#groups.values()].flatMap((placed) => [...placed])) {
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
    const [near] = name.split(DISTANT);
    const geometry = shape(this.THREE, near.slice(near.indexOf(" ") + 1), near !== name);
    const mesh = new this.THREE.InstancedMesh(geometry, this.material, CAPACITY);
    // Each instance has been looked at.
    mesh.frustumCulled = false;
    mesh.name = name;
    this.meshes.set(name, mesh);
    this.scene.add(mesh);
    return mesh;
  }
}
