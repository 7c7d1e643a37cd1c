// How the device's space lies on the ground, as far as the direction is concerned: by what it was found, and how exact
// the page believes it to be. For the place that is in place.js.

import { tell } from "./app.js";

/**
 * How the Realm is seen: in a 3D view, over the camera's picture, or in a session of WebXR.
 * @typedef {"xr" | "camera" | "view"} Way
 */

/**
 * The way that is shown at present.
 * @type {Way}
 */
export let way = "view";

/**
 * Another way is shown.
 * @param {Way} now
 */
export function setWay(now) {
  if (now === way) return;
  way = now;
  tell("way");
}

/** @typedef {"compass" | "hand" | "thing" | "nothing"} Means */

/**
 * Degrees that the direction may be wrong by; null = nothing is known.
 * @type {{by: Means, degrees: number | null}}
 */
export let direction = { by: "nothing", degrees: null };

/** What a picture fits to that was turned by hand until it fitted. */
export const BY_HAND = 3;

/**
 * The direction was found.
 * @param {Means} by
 * @param {number | null} degrees
 */
export function aligned(by, degrees) {
  if (direction.by === by && direction.degrees === degrees) return;
  direction = { by, degrees };
  tell("aligned");
}
