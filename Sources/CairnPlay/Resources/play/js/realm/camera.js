// The camera's picture behind the things, turned by the motion sensors. Dragging turns it by hand until it fits.

import { make } from "../page.js";
import { ownHeading, turn } from "../place.js";

const RAD = Math.PI / 180;

export class CameraView {
  isOn = false;
  /** Degrees that the compass is wrong by, as set by hand: added to what the sensors say. */
  offset = 0;
  /** @type {{alpha: number, beta: number, gamma: number} | null} */
  #turned = null;
  /** @type {MediaStream | null} */
  #stream = null;
  /** @type {any} */
  #video = null;
  /** @type {any} */
  #wake = null;
  #hasAbsolute = false;

  /**
   * @param {import("./scene.js").Scene} scene
   * @param {HTMLElement} frame
   * @param {() => void} changed
   */
  constructor(scene, frame, changed) {
    this.scene = scene;
    this.frame = frame;
    this.changed = changed;
    this.listen = (/** @type {any} */ event) => this.#sensed(event);
    // The screen stays awake while something is shown. The browser ends that when the page is hidden.
    this.keepAwake = async () => {
      if (!this.isOn || document.visibilityState !== "visible") return;
      const wake = await /** @type {any} */ (navigator).wakeLock?.request("screen").catch(() => null);
      // It may have been switched off meanwhile.
      if (this.isOn) this.#wake = wake;
      else wake?.release();
    };
    this.drag = (/** @type {PointerEvent} */ event) => {
      if (event.buttons !== 1 || !this.isOn) return;
      this.offset -= event.movementX * (scene.camera.fov / frame.clientHeight);
      changed();
    };
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
    await this.#video.play();
    addEventListener("deviceorientationabsolute", this.listen);
    addEventListener("deviceorientation", this.listen);
    this.frame.addEventListener("pointermove", this.drag);
    this.scene.seeThrough(true);
    this.isOn = true;
    document.addEventListener("visibilitychange", this.keepAwake);
    await this.keepAwake();
  }

  /** Switches camera and sensors off. */
  stop() {
    if (!this.isOn) return;
    this.isOn = false;
    removeEventListener("deviceorientationabsolute", this.listen);
    removeEventListener("deviceorientation", this.listen);
    this.frame.removeEventListener("pointermove", this.drag);
    document.removeEventListener("visibilitychange", this.keepAwake);
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#video?.remove();
    this.#wake?.release?.();
    this.#turned = null;
    this.#hasAbsolute = false;
    this.scene.isDriven = false;
    this.scene.seeThrough(false);
  }

  /** @param {any} event */
  #sensed(event) {
    if (event.alpha == null) return;
    const isAbsolute = event.type === "deviceorientationabsolute" || event.absolute
      || event.webkitCompassHeading != null;
    if (this.#hasAbsolute && !isAbsolute) return;
    this.#hasAbsolute = isAbsolute;
    const alpha = event.webkitCompassHeading != null ? 360 - event.webkitCompassHeading : event.alpha;
    this.#turned = { alpha, beta: event.beta ?? 90, gamma: event.gamma ?? 0 };
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
