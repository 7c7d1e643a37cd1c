// The scene: what is around, at the right place, turn and size, drawn by three.js. Metres; +X east, +Y up, -Z north.

import { client, isLow } from "../core/app.js";
import { distance, Plane } from "../core/geo.js";
import { eye as seenFrom, ownHeading } from "../core/place.js";
import { isDark, isStill } from "../core/settings.js";
import { added, groundHeight, isAside, items, kindOf, people } from "../core/view.js";
import { focalOf, lookFrom, placeEye } from "./eye.js";
import { Floor } from "./floor.js";
import { Gaits } from "./gait.js";
import { Instances } from "./instances.js";
import { Marks } from "./marks.js";
import { EYES, about, flat, stand } from "./stance.js";

/** Seconds after which somebody who was not seen is no longer known to walk. */
const FORGOTTEN = 10;

/** @typedef {import("../core/view.js").Item} Item */

/** @param {Item} item */
const shapeOf = (item) => kindOf(item).shape?.(item) ?? item.kind;

export class Scene {
  /** Degrees above the horizon that the user looks to. */
  pitch = 0;
  /** Metres above the ground from which the 3D view looks; the camera and WebXR have the device's own height. */
  eye = EYES;
  /** Metres behind the user from which the 3D view looks. */
  back = 0;
  /** @type {import("./eye.js").Eye} */
  looks = "behind";
  /** Whether the user's own figure walks: the next picture is another one. */
  isWalking = false;
  gaits = new Gaits();
  isDirty = true;
  /**
   * The session of a headset or phone, as soon as there may be one.
   * @type {any}
   */
  xr = null;
  /** Whether sensors or a session turn the camera. */
  isDriven = false;
  isSeeThrough = false;

  /**
   * @param {any} THREE
   * @param {HTMLElement} parent
   */
  constructor(THREE, parent) {
    this.THREE = THREE;
    this.parent = parent;
    this.renderer = new THREE.WebGLRenderer({ antialias: !isLow, alpha: true, powerPreference: "low-power" });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, isLow ? 1 : 2));
    this.renderer.domElement.className = "scene";
    this.renderer.domElement.setAttribute("aria-hidden", "true");
    parent.append(this.renderer.domElement);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(65, 1, 0.1, 2500);
    this.camera.rotation.order = "YXZ";
    // Around the camera; it moves in a WebXR session, the rig brings it to where the user is.
    this.rig = new THREE.Group();
    this.rig.add(this.camera);
    this.scene.add(this.rig);
    this.sky = new THREE.HemisphereLight(0xffffff, 0x99aabb, 2.8);
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.position.set(-40, 80, 30);
    this.scene.add(this.sky, sun);
    this.instances = new Instances(THREE, this.scene);
    this.frustum = new THREE.Frustum();
    this.floor = new Floor(THREE, this.scene, () => { this.isDirty = true; });
    this.marks = new Marks(this);
    /** @type {Plane | null} */
    this.plane = null;
    /**
     * The items that were placed last, and the plane that they were placed on.
     * @type {Item[] | null}
     */
    this.found = null;
    /** @type {Plane | null} */
    this.placedOn = null;
    new ResizeObserver(() => this.resize()).observe(parent);
    this.resize();
    lookFrom(this, "behind");
    this.recolour();
  }

  /** Fits the picture to its frame. */
  resize() {
    const { clientWidth: width, clientHeight: height } = this.parent;
    if (width === 0 || height === 0 || this.renderer.xr.isPresenting) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.isDirty = true;
  }

  /** Takes the colours of the theme. */
  recolour() {
    const { THREE } = this;
    const far = isDark() ? 0x0d1218 : 0xcfe0ea;
    this.floor.recolour();
    this.scene.fog = new THREE.Fog(far, 120, 900);
    this.background = new THREE.Color(far);
    this.scene.background = this.isSeeThrough ? null : this.background;
    this.sky.intensity = isDark() ? 2.2 : 2.8;
    this.isDirty = true;
  }

  /**
   * With the camera's picture, or the world itself, behind the things.
   * @param {boolean} isSeeThrough
   */
  seeThrough(isSeeThrough) {
    this.isSeeThrough = isSeeThrough;
    this.floor.show(!isSeeThrough);
    this.scene.background = isSeeThrough ? null : this.background;
    if (isSeeThrough) {
      // As wide as the cameras of phones, about.
      this.camera.fov = 65;
      this.camera.updateProjectionMatrix();
    } else lookFrom(this, this.looks);
    this.isDirty = true;
  }

  /**
   * Where a place is in the scene.
   * @param {{lat: number, lon: number, h?: number | null}} place
   */
  point(place) {
    const [e, n, u] = /** @type {Plane} */ (this.plane).enu({ ...place, h: place.h ?? this.plane?.origin.h });
    return new this.THREE.Vector3(e, u, -n);
  }

  /**
   * The place of a point of the scene.
   * @param {any} point
   */
  placeOf(point) {
    return /** @type {Plane} */ (this.plane).place([point.x, -point.z, point.y]);
  }

  /**
   * Puts everything where it is now. `picked` is the key of the selected item.
   * @param {string | null} picked
   */
  update(picked) {
    const here = seenFrom();
    if (!here) return;
    if (!this.plane || !this.renderer.xr.isPresenting) this.#goTo(here);
    const eye = this.point({ lat: here.lat, lon: here.lon });
    this.floor.follow(eye);
    if (!this.isDriven) placeEye(this);
    const found = items(), stands = (/** @type {Item} */ item) => stand(this, item);
    if (found !== this.found || this.plane !== this.placedOn) {
      this.found = found;
      this.placedOn = this.plane;
      this.instances.place("around", found.slice(0, client.shownMax), shapeOf, stands);
    }
    const more = added(), crowd = people(), walks = this.#walks(eye);
    this.instances.place("people", crowd.filter((item) => !isAside(item)), shapeOf, walks);
    this.instances.place("back", crowd.filter(isAside), shapeOf, walks);
    this.instances.place("added", more, shapeOf, (item) => (kindOf(item).isSomebody ? walks : stands)(item));
    this.instances.place("self", this.#self(here), () => "self", walks);
    this.instances.place("bases", more.filter((item) => kindOf(item).base), (item) => kindOf(item).base?.(item) ?? "",
      (item) => flat(this, item));
    this.instances.show(this.#sight());
    this.marks.draw(picked, eye);
    this.isDirty = true;
  }

  /**
   * Brings the camera to where the user is. Not in a session: the device tells every step in it, from where it began,
   * and the fixes of the same steps would be steps once more.
   * @param {{lat: number, lon: number}} here
   */
  #goTo(here) {
    const h = groundHeight([...items(), ...added()]);
    if (!this.plane || distance(here, this.plane.origin) > 2000 || Math.abs(h - this.plane.origin.h) > 0.3) {
      this.plane = new Plane({ lat: here.lat, lon: here.lon, h });
      this.floor.lay(this.plane);
    }
    const { x, z } = this.point({ lat: here.lat, lon: here.lon });
    this.rig.position.set(x, 0, z);
  }

  /** What the camera sees; everything as it is where a session's eyes or the camera's picture do. */
  #sight() {
    const eye = this.camera.getWorldPosition(new this.THREE.Vector3());
    if (this.renderer.xr.isPresenting) return { frustum: null, eye, focal: 0 };
    this.rig.updateMatrixWorld();
    const { projectionMatrix, matrixWorldInverse } = this.camera;
    const frustum = this.frustum.setFromProjectionMatrix(new this.THREE.Matrix4().multiplyMatrices(projectionMatrix,
      matrixWorldInverse));
    return { frustum, eye: this.camera.getWorldPosition(eye), focal: this.focal };
  }

  /** Pixels that a metre is high in a distance of a metre; 0 where everything is drawn as large as it is. */
  get focal() {
    return this.isDriven || this.isSeeThrough ? 0 : focalOf(this);
  }

  /**
   * How people stand now: those who walk face where they go.
   * @param {any} own where the user is
   */
  #walks(own) {
    const now = performance.now() / 1000, still = isStill();
    if (this.gaits.size > 200) this.gaits.forget(now - FORGOTTEN);
    return (/** @type {Item} */ item) => {
      const isSelf = item.key === "self";
      const stance = isSelf ? { point: own.clone().setY(EYES), scale: 1,
        turn: about(this.THREE, (-ownHeading() * Math.PI) / 180) } : stand(this, item);
      const { facing, stride } = this.gaits.step(item.key, stance.point.x, stance.point.z, now);
      if (isSelf) this.isWalking = facing !== null;
      else if (facing !== null) stance.turn = about(this.THREE, facing);
      return { ...stance, stride: still ? 0 : stride, isFixed: true };
    };
  }

  /**
   * Oneself, where one is looked at from elsewhere.
   * @param {{lat: number, lon: number, h: number | null}} here
   * @returns {Item[]}
   */
  #self(here) {
    const isSeen = this.back > 0 && !this.isDriven && !this.isSeeThrough;
    if (!isSeen) this.isWalking = false;
    const item = { key: "self", kind: "self", instance: {}, place: here, distance: 0, bearing: 0, isOwn: true };
    return isSeen ? [item] : [];
  }

  /**
   * What is under a point of the picture: the key of an item, "draft", or null.
   * @param {number} x 0 to 1
   * @param {number} y 0 to 1
   */
  under(x, y) {
    const { THREE } = this;
    const ray = this.ray(x, y);
    const caster = new THREE.Raycaster(ray.origin, ray.direction, 0.1, 600);
    const { ghost } = this.marks;
    if (ghost.visible && caster.intersectObject(ghost).length > 0) return "draft";
    return this.instances.under(caster)?.key ?? null;
  }

  /**
   * The ray through a point of the picture.
   * @param {number} x
   * @param {number} y
   */
  ray(x, y) {
    const caster = new this.THREE.Raycaster();
    this.camera.updateMatrixWorld();
    caster.setFromCamera(new this.THREE.Vector2(x * 2 - 1, 1 - y * 2), this.camera);
    return caster.ray;
  }

  /**
   * Where the ray through a point of the picture meets a height; null where it does not.
   * @param {number} x
   * @param {number} y
   * @param {number} height
   */
  onGround(x, y, height) {
    const plane = new this.THREE.Plane(new this.THREE.Vector3(0, 1, 0), -height);
    return this.ray(x, y).intersectPlane(plane, new this.THREE.Vector3());
  }

  /**
   * Where an item stands in the picture, in pixels, with its distance; null behind the camera.
   * @param {Item} item
   * @param {number} lift metres above its place
   */
  onScreen(item, lift) {
    const point = stand(this, item).point;
    point.y += lift;
    const away = point.distanceTo(this.camera.getWorldPosition(new this.THREE.Vector3()));
    point.project(this.camera);
    if (point.z > 1 || Math.abs(point.x) > 1.1 || Math.abs(point.y) > 1.1) return null;
    return { x: ((point.x + 1) / 2) * this.parent.clientWidth, y: ((1 - point.y) / 2) * this.parent.clientHeight,
      away };
  }

  /** Draws, if something has changed. */
  draw() {
    if (!this.isDirty && !this.renderer.xr.isPresenting) return false;
    this.isDirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}
