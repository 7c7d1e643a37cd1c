// How what is placed or edited stands: at the beginning, and as the server takes it.

import { anchorOf, surfaceOf } from "../core/anchor.js";
import { limits } from "../core/app.js";
import { draft, setDraft, turnedQuaternion } from "../core/draft.js";
import { Plane, yawQuaternion } from "../core/geo.js";
import { own, ownHeading } from "../core/place.js";
import { groundHeight } from "../core/view.js";

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
  setDraft({
    instance: null, object, text: "", realms, place: { ...place, h }, base: yawQuaternion(-ownHeading()), turned: 0,
      scale: 1, surface: null,
  });
  return draft;
}

/**
 * Begins with an own instance.
 * @param {any} instance
 */
export function beginEdit(instance) {
  const { position, quaternion } = instance.pose.geopose;
  setDraft({
    instance, object: instance.object, text: instance.text ?? "", realms: [],
    place: { lat: position.lat ?? 0, lon: position.lon ?? 0, h: position.h ?? 0 },
    base: { x: quaternion.x ?? 0, y: quaternion.y ?? 0, z: quaternion.z ?? 0, w: quaternion.w ?? 1 }, turned: 0,
    scale: instance.pose.scale ?? 1, surface: surfaceOf(instance.pose),
  });
  return draft;
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
