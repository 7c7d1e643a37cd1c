// What is being placed or edited, before it is confirmed: nobody else sees it, and cancelling leaves no trace.

import { anchorOf, surfaceOf } from "./anchor.js";
import { limits, tell } from "./app.js";
import { bearing, distance, Plane, yawQuaternion } from "./geo.js";
import { own, ownHeading } from "./place.js";
import { groundHeight } from "./view.js";

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
 * Begins with a new object, some metres ahead of the user.
 * @param {string} object
 * @param {string[]} realms
 */
export function beginNew(object, realms) {
  const here = own();
  if (!here) return null;
  const ahead = Math.min(6, (limits().reach ?? 100) * 0.6);
  const angle = (ownHeading() * Math.PI) / 180;
  const h = groundHeight();
  const place = new Plane({ lat: here.lat, lon: here.lon, h }).place([ahead * Math.sin(angle), ahead * Math.cos(angle),
    0]);
  draft = {
    instance: null, object, text: "", realms, place: { ...place, h }, base: yawQuaternion(-ownHeading()), turned: 0,
      scale: 1, surface: null,
  };
  tell("draft");
  return draft;
}

/**
 * Begins with an own instance.
 * @param {any} instance
 */
export function beginEdit(instance) {
  const { position, quaternion } = instance.pose.geopose;
  draft = {
    instance, object: instance.object, text: instance.text ?? "", realms: [],
    place: { lat: position.lat ?? 0, lon: position.lon ?? 0, h: position.h ?? 0 },
    base: { x: quaternion.x ?? 0, y: quaternion.y ?? 0, z: quaternion.z ?? 0, w: quaternion.w ?? 1 }, turned: 0,
    scale: instance.pose.scale ?? 1, surface: surfaceOf(instance.pose),
  };
  tell("draft");
  return draft;
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

/** Ends the draft without a trace. */
export function discard() {
  draft = null;
  tell("draft");
}

/** How the draft is turned, as a quaternion in east-north-up. */
export function turnedQuaternion() {
  if (!draft) return { x: 0, y: 0, z: 0, w: 1 };
  const a = yawQuaternion(draft.turned), b = draft.base;
  return {
    x: a.w * b.x - a.z * b.y, y: a.w * b.y + a.z * b.x, z: a.w * b.z + a.z * b.w, w: a.w * b.w - a.z * b.z,
  };
}

/** The pose of the draft as the server takes it. */
export function draftPose() {
  if (!draft) return null;
  const here = own(), { instance, place, surface } = draft;
  const { anchor: before, ...kept } = instance?.pose ?? {};
  const geopose = { position: { ...place }, quaternion: turnedQuaternion() };
  // What another system says is true of the former pose alone.
  const anchor = surface ? anchorOf(geopose, surface) : isMoved() ? null : before;
  return {
    ...kept, geopose, scale: draft.scale, ...(anchor ? { anchor } : {}),
    ...(!instance && here?.accuracy != null ? { accuracy: here.accuracy } : {}),
  };
}

/** Whether the draft stands otherwise than the instance that it changes. */
function isMoved() {
  if (!draft?.instance) return true;
  const { lat = 0, lon = 0, h = 0 } = draft.instance.pose.geopose.position, { place, turned } = draft;
  return turned !== 0 || place.lat !== lat || place.lon !== lon || place.h !== h;
}
