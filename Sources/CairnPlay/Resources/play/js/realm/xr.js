// WebXR: the things stand in the room that the device tracks. A tap selects; while something is placed, a tap puts it
// where the ray meets the ground that the device has found.

import { webXR } from "../../cairn/frames.js";
import { aligned, BY_HAND, direction, setWay } from "../core/alignment.js";
import { change, draft } from "../core/draft.js";
import { at } from "../core/page.js";
import { own, ownHeading } from "../core/place.js";
import { t } from "../core/texts.js";
import { toast } from "../components/message.js";
import { headingOf, northNow } from "./compass.js";
import { Fit } from "./fit.js";

/** Milliseconds that the compass may take at the begin of a session. */
const COMPASS_MS = 300;

/** @param {{x: number, y: number, z: number}} point */
const vector = ({ x, y, z }) => /** @type {[number, number, number]} */ ([x, y, z]);

/** Whether the device offers augmented reality to pages. */
export async function canDoXR() {
  try {
    return Boolean(await /** @type {any} */ (navigator).xr?.isSessionSupported("immersive-ar"));
  } catch {
    return false;
  }
}

export class WebXR {
  isOn = false;
  /** @type {any} */ #session = null;
  /** @type {any} */ #hits = null;
  /** @type {any} */ #space = null;
  /**
   * The pose that the last hit test found, in the session's space.
   * @type {any}
   */
  hit = null;
  /**
   * Where the device is, in the session's space.
   * @type {[number, number, number]}
   */
  #viewer = [0, 0, 0];
  isLost = false;

  /**
   * @param {import("./scene.js").Scene} scene
   * @param {{pick: (key: string) => void, drawn: () => void}} then
   */
  constructor(scene, then) {
    this.scene = scene;
    this.then = then;
    this.fit = new Fit(scene.rig);
    // A tap on a button over the picture is none on what is behind it.
    document.addEventListener("beforexrselect", (event) => {
      if (!at("realm").contains(/** @type {Node} */ (event.target))) event.preventDefault();
    });
    scene.xr = this;
  }

  /**
   * Enters a session; needs a tap. Its forward is the way the device looks to: by the compass, else as the user says.
   */
  async start() {
    const { renderer } = this.scene;
    const session = await /** @type {any} */ (navigator).xr.requestSession("immersive-ar", {
      requiredFeatures: ["local-floor"], optionalFeatures: ["hit-test", "anchors", "dom-overlay"],
      domOverlay: { root: document.body },
    });
    this.#session = session;
    session.addEventListener("end", () => this.#ended());
    session.addEventListener("select", (/** @type {any} */ event) => this.#tapped(event));
    const north = await northNow(COMPASS_MS);
    if (north) aligned("compass", north.error);
    renderer.xr.enabled = true;
    renderer.xr.setReferenceSpaceType("local-floor");
    await renderer.xr.setSession(session);
    this.#space = renderer.xr.getReferenceSpace();
    this.scene.isDriven = true;
    this.scene.seeThrough(true);
    this.fit.begin(north ? headingOf(north) : ownHeading());
    this.isOn = true;
    setWay("xr");
    document.body.classList.add("in-xr");
    try {
      const viewer = await session.requestReferenceSpace("viewer");
      this.#hits = await session.requestHitTestSource?.({ space: viewer });
    } catch {
      this.#hits = null;
    }
    renderer.setAnimationLoop((/** @type {number} */ _time, /** @type {any} */ frame) => this.#frame(frame));
  }

  /** Leaves the session. */
  async stop() {
    if (this.isOn) await this.#session.end();
  }

  #ended() {
    const { renderer, camera } = this.scene;
    this.isOn = false;
    setWay("view");
    this.#hits?.cancel?.();
    this.#hits = this.hit = this.#session = null;
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    this.fit.end();
    camera.position.set(0, 1.6, 0);
    this.scene.isDriven = false;
    this.scene.seeThrough(false);
    this.scene.resize();
    document.body.classList.remove("in-xr");
    at("realm").dispatchEvent(new CustomEvent("xrend"));
  }

  /** @param {any} frame */
  #frame(frame) {
    if (!frame || !this.isOn) return;
    const pose = frame.getViewerPose(this.#space);
    if (!pose !== this.isLost) {
      this.isLost = !pose;
      toast(t(this.isLost ? "xr.lost" : "xr.found"));
    }
    if (pose) this.#viewer = vector(pose.transform.position);
    const [hit] = this.#hits ? frame.getHitTestResults(this.#hits) : [];
    this.hit = hit?.getPose(this.#space)?.transform ?? null;
    this.then.drawn();
    this.scene.isDirty = true;
    this.scene.draw();
  }

  /** @param {any} event */
  #tapped(event) {
    if (draft) {
      this.putAtHit();
      return;
    }
    const ray = event.frame.getPose(event.inputSource.targetRaySpace, this.#space)?.transform;
    if (!ray) return;
    const { THREE, rig, instances } = this.scene;
    rig.updateMatrixWorld();
    const turned = new THREE.Quaternion(ray.orientation.x, ray.orientation.y, ray.orientation.z,
      ray.orientation.w).premultiply(rig.quaternion);
    const origin = new THREE.Vector3(ray.position.x, ray.position.y, ray.position.z).applyMatrix4(rig.matrixWorld);
    const caster = new THREE.Raycaster(origin, new THREE.Vector3(0, 0, -1).applyQuaternion(turned), 0.1, 200);
    const key = instances.under(caster)?.key;
    if (key) this.then.pick(key);
  }

  /** Puts the draft where the hit test says, turned as it says, and keeps the surface for the anchor data. */
  putAtHit() {
    if (!draft || !this.hit || !own()) return;
    const { THREE, rig } = this.scene;
    const { position, orientation } = this.hit;
    rig.updateMatrixWorld();
    const point = new THREE.Vector3(position.x, position.y, position.z).applyMatrix4(rig.matrixWorld);
    const turned = new THREE.Quaternion(orientation.x, orientation.y, orientation.z,
      orientation.w).premultiply(rig.quaternion);
    const place = this.scene.placeOf(point);
    const base = webXR.enuOrientation({ x: turned.x, y: turned.y, z: turned.z, w: turned.w });
    change({ place, turned: 0, base, surface: { place, quaternion: base, degrees: direction.degrees } });
  }

  /**
   * Turns the picture by hand.
   * @param {number} degrees clockwise, of the way that the device looks to
   */
  turn(degrees) {
    this.fit.turn(this.#viewer, degrees);
    aligned("hand", BY_HAND);
  }

  /**
   * The device is above a place.
   * @param {{lat: number, lon: number, h?: number | null}} place
   */
  standAt(place) {
    this.fit.stand(this.#viewer, vector(this.scene.point(place)));
  }

  /**
   * The surface that the hit test has found is a known one, or one whose place alone is known.
   * @param {{place: {lat: number, lon: number, h: number | null}, quaternion?: any, degrees?: number | null}} known
   * @returns {{lat: number, lon: number} | null} where the device is by that; null without a hit
   */
  pointAt({ place, quaternion, degrees = 0 }) {
    if (!this.hit) return null;
    const seen = { position: vector(this.hit.position), turn: this.hit.orientation };
    const error = this.fit.see(seen,
      { position: vector(this.scene.point(place)), turn: quaternion && webXR.orientation(quaternion) });
    if (error !== null) aligned("thing", degrees === null ? null : Math.hypot(error, degrees));
    const [x, y, z] = this.fit.inScene(this.#viewer);
    return this.scene.placeOf({ x, y, z });
  }
}
