// What things and people of the scene are made of: a material whose legs and arms swing, and the shadows on the ground.

/** Metres up to which what stands there has a shadow, and above the ground at which it has none. */
const NEAR = 70, ALOFT = 4;
/** Most shadows. */
const CAPACITY = 500;

/**
 * The material of figures. A vertex has `swing`, by how much it goes along and about which height; an instance has
 * `stride`, the angle of its legs now.
 * @param {any} THREE
 */
export function walking(THREE) {
  const material = new THREE.MeshLambertMaterial({ vertexColors: true });
  material.onBeforeCompile = (/** @type {any} */ shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec2 swing;\nattribute float stride;")
      .replace("#include <begin_vertex>", `#include <begin_vertex>
        float swung = swing.x * stride;
        float hanging = transformed.y - swing.y;
        if (swing.x != 0.0) {
          float ahead = transformed.z;
          transformed.y = swing.y + cos(swung) * hanging - sin(swung) * ahead;
          transformed.z = sin(swung) * hanging + cos(swung) * ahead;
        }`);
  };
  return material;
}

/** Shadows: discs on the ground below what stands there. */
export class Shadows {
  #count = 0;
  #isOn = false;

  /**
   * @param {any} THREE
   * @param {any} scene
   */
  constructor(THREE, scene) {
    const disc = new THREE.CircleGeometry(1, 9);
    disc.rotateX(-Math.PI / 2);
    this.mesh = new THREE.InstancedMesh(disc, new THREE.MeshBasicMaterial({ color: 0x000000, transparent: true,
      opacity: 0.24, depthWrite: false }), CAPACITY);
    this.mesh.frustumCulled = false;
    this.mesh.name = "shadows";
    // Above the ground, below all that stands on it.
    this.mesh.renderOrder = -1;
    scene.add(this.mesh);
  }

  /** @param {boolean} isOn whether there is a ground to throw them on */
  begin(isOn) {
    this.#isOn = isOn;
    this.#count = 0;
  }

  /**
   * @param {{x: number, y: number, z: number}} point
   * @param {number} lowest metres above the point
   * @param {number} radius
   * @param {number} away metres
   */
  add({ x, y, z }, lowest, radius, away) {
    if (!this.#isOn || away > NEAR || y + lowest > ALOFT || this.#count === CAPACITY) return;
    const { array } = this.mesh.instanceMatrix, to = 16 * this.#count;
    const size = Math.max(0.15, Math.min(radius, 4));
    array.fill(0, to, to + 16);
    [array[to], array[to + 5], array[to + 10], array[to + 15]] = [size, 1, size * 0.8, 1];
    [array[to + 12], array[to + 13], array[to + 14]] = [x, 0.04, z];
    this.#count += 1;
  }

  /** All are there. */
  end() {
    const { instanceMatrix } = this.mesh;
    this.mesh.count = this.#count;
    this.mesh.visible = this.#count > 0;
    instanceMatrix.clearUpdateRanges();
    instanceMatrix.addUpdateRange(0, 16 * this.#count);
    instanceMatrix.needsUpdate = true;
  }
}
