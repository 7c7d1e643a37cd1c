// What the scene shows beside what is around: a ring around what is selected, the draft, and how far the user reaches.

import { limits } from "../core/app.js";
import { draft, turnedQuaternion } from "../core/draft.js";
import { kindOf } from "../core/view.js";
import { shape } from "./shapes.js";
import { EYES, stand, threeQuaternion } from "./stance.js";

export class Marks {
  /** The object whose shape the draft has now. */
  #object = "";

  /** @param {import("./scene.js").Scene} scene */
  constructor(scene) {
    this.scene = scene;
    const { THREE } = scene;
    const ring = (/** @type {number} */ inner, /** @type {number} */ outer, /** @type {number} */ colour) => {
      const mesh = new THREE.Mesh(new THREE.RingGeometry(inner, outer, 96),
        new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.75, side: THREE.DoubleSide }));
      mesh.rotation.x = -Math.PI / 2;
      mesh.visible = false;
      scene.scene.add(mesh);
      return mesh;
    };
    this.pickedRing = ring(0.7, 0.82, 0x2aa5b0);
    this.reachRing = ring(0.994, 1, 0xd98a1f);
    this.ghost = new THREE.Mesh(new THREE.BufferGeometry(),
      new THREE.MeshLambertMaterial({ vertexColors: true, transparent: true, opacity: 0.8 }));
    this.ghost.visible = false;
    scene.scene.add(this.ghost);
  }

  /**
   * @param {string | null} picked
   * @param {any} own where the user is
   */
  draw(picked, own) {
    const { THREE, instances } = this.scene;
    const item = picked ? [...instances.drawn.values()].flat().find(({ key }) => key === picked) : null;
    this.pickedRing.visible = Boolean(item);
    if (item) {
      const { point, scale } = stand(this.scene, item);
      this.pickedRing.position.copy(point).setY(point.y - (kindOf(item).stance === "upright" ? EYES : 0) + 0.05);
      this.pickedRing.scale.setScalar(Math.max(0.4, scale));
    }
    this.ghost.visible = this.reachRing.visible = Boolean(draft);
    if (!draft) return;
    if (this.#object !== draft.object) {
      this.ghost.geometry.dispose();
      this.ghost.geometry = shape(THREE, draft.object);
      this.#object = draft.object;
    }
    this.ghost.position.copy(this.scene.point(draft.place));
    this.ghost.quaternion.copy(threeQuaternion(THREE, turnedQuaternion()));
    this.ghost.scale.setScalar(draft.scale);
    this.reachRing.position.set(own.x, 0.05, own.z);
    this.reachRing.scale.setScalar(limits().reach ?? 100);
  }
}
