// The camera's picture behind the things, turned by the motion sensors. Dragging turns it by hand until it fits.

import { aligned, BY_HAND, direction, setWay } from "../core/alignment.js";
import { make } from "../core/page.js";
import { ownHeading, turn } from "../core/place.js";
import { listen } from "./compass.js";

const RAD = Math.PI / 180;
/** Pixels that a pointer moves in a tap, and no more. */
const TAP = 6;

export class CameraView {
  isOn = false;
  /** Degrees that the compass is wrong by, as set by hand: added to what the sensors say. */
  offset = 0;
  /**
   * By what the offset was set, and how exactly; null = it was not.
   * @type {typeof direction | null}
   */
  #set = null;
  /** @type {import("./compass.js").Reading | null} */
  #turned = null;
  /** @type {MediaStream | null} */
  #stream = null;
  /** @type {any} */
  #video = null;
  /** @type {any} */
  #wake = null;
  #ended = new AbortController();
  #dragged = 0;

  /**
   * @param {import("./scene.js").Scene} scene
   * @param {HTMLElement} frame
   * @param {() => void} changed
   */
  constructor(scene, frame, changed) {
    this.scene = scene;
    this.frame = frame;
    this.changed = changed;
    // The screen stays awake while something is shown. The browser ends that when the page is hidden.
    this.keepAwake = async () => {
      if (!this.isOn || document.visibilityState !== "visible") return;
      const wake = await /** @type {any} */ (navigator).wakeLock?.request("screen").catch(() => null);
      // It may have been switched off meanwhile.
      if (this.isOn) this.#wake = wake;
      else wake?.release();
    };
    // A finger that taps moves a little, too.
    this.press = () => { this.#dragged = 0; };
    this.drag = (/** @type {PointerEvent} */ event) => {
      if (event.buttons !== 1 || !this.isOn) return;
      this.#dragged += Math.abs(event.movementX);
      if (this.#dragged > TAP) this.turn(-event.movementX * (scene.camera.fov / frame.clientHeight));
    };
  }

  /**
   * Turns the picture by hand.
   * @param {number} degrees clockwise
   */
  turn(degrees) {
    this.#offset(degrees, { by: "hand", degrees: BY_HAND });
  }

  /**
   * What the user looks to now lies there.
   * @param {number} heading degrees clockwise from north
   * @param {number} degrees that this may be wrong by
   */
  lookTo(heading, degrees) {
    this.#offset(heading - ownHeading(), { by: "thing", degrees });
  }

  /**
   * @param {number} more degrees clockwise
   * @param {typeof direction} set
   */
  #offset(more, set) {
    this.offset += more;
    this.#set = set;
    aligned(set.by, set.degrees);
    this.changed();
  }

  /** Asks for sensors and camera, in this order: iOS wants the tap for the sensors. */
  async start() {
    const Motion = /** @type {any} */ (DeviceOrientationEvent);
    if (typeof Motion.requestPermission === "function" && (await Motion.requestPermission()) !== "granted") {
      throw new DOMException("motion", "NotAllowedError");
    }
    this.#stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false });
    this.#video = make("video", { class: "camera", playsinline: true, muted: true, "aria-hidden": "true" });
    this.#video.muted = true;
    this.#video.srcObject = this.#stream;
    this.frame.prepend(this.#video);
    this.#ended = new AbortController();
    listen((said) => this.#sensed(said), this.#ended.signal);
    this.frame.addEventListener("pointerdown", this.press, { signal: this.#ended.signal });
    this.frame.addEventListener("pointermove", this.drag, { signal: this.#ended.signal });
    this.scene.seeThrough(true);
    this.isOn = true;
    setWay("camera");
    document.addEventListener("visibilitychange", this.keepAwake);
    // The first picture may take its time: the things are there before it.
    this.#video.play().catch(() => {});
    await this.keepAwake();
  }

  /** Switches camera and sensors off. */
  stop() {
    if (!this.isOn) return;
    this.isOn = false;
    setWay("view");
    this.#ended.abort();
    document.removeEventListener("visibilitychange", this.keepAwake);
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#video?.remove();
    this.#wake?.release?.();
    this.#turned = null;
    this.scene.isDriven = false;
    this.scene.seeThrough(false);
  }

  /** @param {import("./compass.js").Reading} said */
  #sensed(said) {
    this.#turned = said;
    // What was set by hand stays better than the compass.
    const { by, degrees } = this.#set ?? { by: said.isAbsolute ? "compass" : "nothing", degrees: said.error };
    aligned(/** @type {typeof direction.by} */ (by), degrees);
    this.changed();
  }

  /** Turns the camera of the scene as the device is turned. */
  steer() {
    if (!this.isOn || !this.#turned) return;
    const { THREE, camera } = this.scene;
    const { alpha, beta, gamma } = this.#turned;
    const screen = (globalThis.screen?.orientation?.angle ?? 0) * RAD;
    const turned = new THREE.Quaternion()
      .setFromEuler(new THREE.Euler(beta * RAD, (alpha - this.offset) * RAD, -gamma * RAD, "YXZ"))
      .multiply(new THREE.Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2))
      .multiply(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, 1), -screen));
    this.scene.isDriven = true;
    camera.position.set(0, 1.6, 0);
    camera.quaternion.copy(turned);
    const ahead = new THREE.Vector3(0, 0, -1).applyQuaternion(turned);
    const heading = (Math.atan2(ahead.x, -ahead.z) / RAD + 360) % 360;
    const difference = Math.abs(((heading - ownHeading() + 540) % 360) - 180);
    if (difference > 1) turn(heading);
  }
}
