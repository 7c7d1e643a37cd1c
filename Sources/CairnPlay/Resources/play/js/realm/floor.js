// The ground of the scene: a floor, a grid, and the town as far as the server has one.

import { isDark } from "../core/settings.js";
import { makeTown } from "./town.js";

/** Colours of floor, grid and rings in the light theme and in the dark one. */
const FLOOR = [0xdfe7e4, 0x141d22], GRID = [0xb4c4c8, 0x30424c], RING = [0x1463d6, 0x6ea8ff];
/** Metres from the user to the rings. */
const RINGS = [10, 25, 50, 100];

export class Floor {
  isShown = true;
  /**
   * The plane on which the town was laid.
   * @type {import("../core/geo.js").Plane | null}
   */
  #plane = null;
  /**
   * Streets and houses.
   * @type {any}
   */
  #town = null;

  /**
   * @param {any} THREE
   * @param {any} scene
   * @param {() => void} changed
   */
  constructor(THREE, scene, changed) {
    this.THREE = THREE;
    this.scene = scene;
    this.changed = changed;
    this.disc = this.#makeDisc();
    this.grid = this.#makeGrid();
    this.rings = this.#makeRings();
    scene.add(this.disc, this.grid, this.rings);
  }

  #makeDisc() {
    const { THREE } = this;
    // Small pieces: software renderers draw large ones that reach behind the camera wrongly.
    const corners = [], order = [], ways = 36, radii = [0.3, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1200];
    for (const radius of radii) {
      for (let n = 0; n < ways; n += 1) corners.push(radius * Math.cos((n * 2 * Math.PI) / ways), 0,
        radius * Math.sin((n * 2 * Math.PI) / ways));
    }
    for (let ring = 0; ring + 1 < radii.length; ring += 1) {
      for (let n = 0; n < ways; n += 1) {
        const a = ring * ways + n, b = ring * ways + ((n + 1) % ways);
        order.push(a, b, a + ways, b, b + ways, a + ways);
      }
    }
    const disc = new THREE.BufferGeometry();
    disc.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
    disc.setIndex(order);
    const mesh = new THREE.Mesh(disc, new THREE.MeshBasicMaterial({ color: 0xffffff, side: THREE.DoubleSide }));
    mesh.frustumCulled = false;
    return mesh;
  }

  #makeGrid() {
    const { THREE } = this;
    const points = [];
    for (let n = -150; n <= 150; n += 10) {
      for (let m = -150; m < 150; m += 10) points.push(m, 0, n, m + 10, 0, n, n, 0, m, n, 0, m + 10);
    }
    const lines = new THREE.BufferGeometry();
    lines.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    return new THREE.LineSegments(lines,
      new THREE.LineBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.7 }));
  }

  /** Rings around the user: how far something is. */
  #makeRings() {
    const { THREE } = this, points = [], ways = 72;
    for (const radius of RINGS) {
      for (let n = 0; n < ways; n += 1) {
        for (const m of [n, n + 1]) {
          const angle = (m * 2 * Math.PI) / ways;
          points.push(radius * Math.cos(angle), 0, radius * Math.sin(angle));
        }
      }
    }
    const lines = new THREE.BufferGeometry();
    lines.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    return new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: 0xffffff, transparent: true,
      opacity: 0.55 }));
  }

  /**
   * Is below the user.
   * @param {{x: number, z: number}} eye
   */
  follow({ x, z }) {
    this.disc.position.set(x, -0.02, z);
    this.grid.position.set(Math.round(x / 10) * 10, 0.03, Math.round(z / 10) * 10);
    this.rings.position.set(x, 0.06, z);
  }

  /**
   * Shows or hides the ground.
   * @param {boolean} isShown
   */
  show(isShown) {
    this.isShown = isShown;
    for (const part of [this.disc, this.grid, this.rings, this.#town]) if (part) part.visible = isShown;
  }

  /** Takes the colours of the theme. */
  recolour() {
    const theme = isDark() ? 1 : 0;
    this.disc.material.color.set(FLOOR[theme]);
    this.grid.material.color.set(GRID[theme]);
    this.rings.material.color.set(RING[theme]);
    if (this.#plane) this.lay(this.#plane);
  }

  /**
   * Lays streets and houses onto a plane, as soon as they are there.
   * @param {import("../core/geo.js").Plane} plane
   */
  async lay(plane) {
    this.#plane = plane;
    const town = await makeTown(this.THREE, plane, isDark());
    if (plane !== this.#plane) return;
    if (this.#town) this.scene.remove(this.#town);
    this.#town = town;
    if (!town) return;
    town.visible = this.isShown;
    this.scene.add(town);
    this.changed();
  }
}
