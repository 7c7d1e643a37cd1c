// What is being placed or edited, before it is confirmed: nobody else sees it, and cancelling leaves no trace.

import { tell } from "./app.js";
import { bearing, distance, Plane, yawQuaternion } from "./geo.js";
import { own } from "./place.js";

/**
 * @typedef {object} Draft
 * @property {any} instance the instance that is edited; null = a new one
 * @property {string} object
 * @property {string} text
 * @property {string[]} realms
 * @property {{lat: number, lon: number, h: number}} place
 * @property {{x: number, y: number, z: number, w: number}} base how it was turned at the beginning
 * @property {number} turned degrees about the up axis since then, counter-clockwise
 * @property {number} scale
 * @property {import("./anchor.js").Surface | null} surface what it was put on, as a device found it
 */

/** @type {Draft | null} */
export let draft = null;

/**
 * Begins with this draft, or ends the one that there is without a trace.
 * @param {Draft | null} begun
 */
export function setDraft(begun) {
  draft = begun;
  tell("draft");
}

/**
 * Changes the draft.
 * @param {Partial<Draft>} change
 */
export function change(change) {
  if (!draft) return;
  Object.assign(draft, change);
  tell("draft");
}

/**
 * Puts the draft at a distance and direction from the user.
 * @param {number} metres
 * @param {number} degrees
 */
export function putAt(metres, degrees) {
  const here = own();
  if (!draft || !here) return;
  const angle = (degrees * Math.PI) / 180;
  const plane = new Plane({ lat: here.lat, lon: here.lon, h: draft.place.h });
  const place = plane.place([metres * Math.sin(angle), metres * Math.cos(angle), 0]);
  change({ place: { ...place, h: draft.place.h } });
}

/** Where the draft is from the user: metres and degrees. */
export function fromHere() {
  const here = own();
  if (!draft || !here) return { metres: 0, degrees: 0 };
  return { metres: distance(here, draft.place), degrees: bearing(here, draft.place) };
}

/** How the draft is turned, as a quaternion in east-north-up. */
export function turnedQuaternion() {
  if (!draft) return { x: 0, y: 0, z: 0, w: 1 };
  const a = yawQuaternion(draft.turned), b = draft.base;
  return {
    x: a.w * b.x - a.z * b.y, y: a.w * b.y + a.z * b.x, z: a.w * b.z + a.z * b.w, w: a.w * b.w - a.z * b.z,
  };
}
