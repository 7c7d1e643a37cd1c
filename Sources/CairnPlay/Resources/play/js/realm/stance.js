// How what stands in the scene stands: where, how it is turned, and its size.

import { webXR } from "../../cairn/frames.js";
import { kindOf } from "../core/view.js";

/** @typedef {import("../core/view.js").Item} Item */
/** @typedef {import("./instances.js").Stand} Stand */
/** @typedef {import("./scene.js").Scene} Scene */

/** Metres above the ground at which people's eyes are. */
export const EYES = 1.6;
/** Metres above the ground from which on an altitude is believed: those of phones are wrong by metres. */
const ALOFT = 8;

/**
 * A pose in the east-north-up plane as three.js has it.
 * @param {any} THREE
 * @param {any} q
 */
export function threeQuaternion(THREE, q) {
  const { x, y, z, w } = webXR.orientation({ x: q?.x ?? 0, y: q?.y ?? 0, z: q?.z ?? 0, w: q?.w ?? 1 });
  return new THREE.Quaternion(x, y, z, w);
}

/**
 * Where an item stands, by the stance of its kind.
 * @param {Scene} scene
 * @param {Item} item
 * @returns {Stand}
 */
export function stand(scene, item) {
  const { THREE } = scene, ground = scene.plane?.origin.h ?? 0, { stance, size } = kindOf(item);
  if (stance === "posed") {
    const { geopose, scale = 1 } = item.instance.pose;
    return { point: scene.point(item.place), turn: threeQuaternion(THREE, geopose.quaternion), scale };
  }
  if (stance === "upright") return upright(scene, item, ground);
  // A place without a height is that of their eyes.
  if (stance === "eyes") {
    return { point: scene.point({ ...item.place, h: ground + EYES }), turn: new THREE.Quaternion(), scale: 1 };
  }
  const point = scene.point({ ...item.place, h: ground });
  const to = Math.atan2(scene.rig.position.x - point.x, scene.rig.position.z - point.z);
  return { point, turn: about(THREE, to), scale: Math.min(3, Math.max(0.5, size?.(item) ?? 1)) };
}

/**
 * Where the base of an item lies.
 * @param {Scene} scene
 * @param {Item} item
 * @returns {Stand}
 */
export function flat(scene, item) {
  return { point: scene.point(item.place), turn: new scene.THREE.Quaternion(), scale: 1 };
}

/**
 * A person stands upright and turned as their device is. Who is near the ground stands on it.
 * @param {Scene} scene
 * @param {Item} item
 * @param {number} ground
 * @returns {Stand}
 */
function upright(scene, item, ground) {
  const { THREE } = scene, { h } = item.place;
  const point = scene.point({ ...item.place, h: h != null && h - ground > ALOFT ? h : ground + EYES });
  const ahead = new THREE.Vector3(0, 0, -1).applyQuaternion(threeQuaternion(THREE, item.instance.pose.quaternion));
  return { point, turn: about(THREE, Math.atan2(-ahead.x, -ahead.z)), scale: 1 };
}

/**
 * A turn about the vertical.
 * @param {any} THREE
 * @param {number} angle
 */
export function about(THREE, angle) {
  return new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), angle);
}
