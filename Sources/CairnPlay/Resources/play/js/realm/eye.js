// From where the 3D view looks: from above and behind oneself, from the height of eyes, or from above as a bird. The
// camera's picture and WebXR have the device's own place.

import { ownHeading } from "../core/place.js";

/** @typedef {"behind" | "eyes" | "bird"} Eye */

/** Metres behind oneself and above the ground, and degrees above the horizon. */
const EYES = /** @type {Record<Eye, {back: number, eye: number, pitch: number}>} */ ({
  behind: { back: 9, eye: 7.5, pitch: -18 }, eyes: { back: 0, eye: 1.6, pitch: -2 },
  bird: { back: 24, eye: 48, pitch: -60 },
});
/** The ways to look, as they are offered. */
export const WAYS = /** @type {Eye[]} */ (Object.keys(EYES));
/** Degrees from the top to the bottom of a picture that is wider than high, and of one that is not. */
const WIDE = 62, TALL = 80;

/**
 * Looks from there.
 * @param {import("./scene.js").Scene} scene
 * @param {Eye} name
 */
export function lookFrom(scene, name) {
  scene.looks = name;
  Object.assign(scene, EYES[name]);
  openWide(scene);
}

/**
 * The usual width of the picture.
 * @param {import("./scene.js").Scene} scene
 */
export function openWide({ camera }) {
  camera.fov = camera.aspect < 1 ? TALL : WIDE;
  camera.updateProjectionMatrix();
}

/**
 * Puts the camera where the eye is, above the place of the rig.
 * @param {import("./scene.js").Scene} scene
 */
export function placeEye({ camera, back, eye, pitch }) {
  const heading = (ownHeading() * Math.PI) / 180;
  camera.position.set(-back * Math.sin(heading), eye, back * Math.cos(heading));
  camera.rotation.set((pitch * Math.PI) / 180, -heading, 0);
}

/**
 * Pixels that a metre is high in a distance of a metre.
 * @param {import("./scene.js").Scene} scene
 */
export function focalOf({ camera, parent }) {
  return parent.clientHeight / 2 / Math.tan((camera.fov * Math.PI) / 360);
}
