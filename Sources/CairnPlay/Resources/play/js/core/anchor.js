// Anchor data: which surface of the place a thing was put on, as the device found it, and how exact the device then
// believed to be. Another device that finds the same surface knows by it how its own space lies on the ground.

import { webXR } from "../../cairn/frames.js";
import { Plane } from "./geo.js";
import { back, matrix, parts, times, turned } from "./turns.js";

/** @typedef {import("../../cairn/frames.js").Turn} Turn */
/**
 * A surface: a point of it, its axes in east-north-up (as in WebXR's hit tests, its own Y points away from it), and the
 * degrees that the device believed its direction to be wrong by; null = it did not know.
 * @typedef {{place: {lat: number, lon: number, h: number}, quaternion: Turn, degrees: number | null}} Surface
 */

/** What these data are for whoever reads them; `transform` has WebXR's axes. */
const PROVIDER = "webxr.surface";
/** A thing that is further from its surface than this many metres was not put on it. */
const FURTHEST = 200;

/**
 * The anchor data of a thing.
 * @param {{position: {lat: number, lon: number, h: number}, quaternion: Turn}} geopose
 * @param {Surface} surface
 */
export function anchorOf(geopose, surface) {
  const away = /** @type {[number, number, number]} */ (new Plane(surface.place).enu(geopose.position));
  const toSurface = back(surface.quaternion);
  return {
    provider: PROVIDER, id: "",
    transform: matrix(webXR.orientation(times(toSurface, geopose.quaternion)),
      webXR.position(turned(toSurface, away))),
    data: new TextEncoder().encode(JSON.stringify({ degrees: surface.degrees })),
  };
}

/**
 * The surface that a thing stands on; null where its anchor data do not say.
 * @param {any} pose
 * @returns {Surface | null}
 */
export function surfaceOf(pose) {
  const { geopose, anchor } = pose ?? {};
  if (anchor?.provider !== PROVIDER || anchor.transform?.length !== 16) return null;
  const { turn, move } = parts(anchor.transform);
  // Anybody may have written it.
  const isTurn = Math.abs(Math.hypot(turn.x, turn.y, turn.z, turn.w) - 1) < 1e-3;
  if (!isTurn || !(Math.hypot(...move) < FURTHEST)) return null;
  const { x = 0, y = 0, z = 0, w = 1 } = geopose.quaternion;
  const quaternion = times({ x, y, z, w }, back(webXR.enuOrientation(turn)));
  const { lat = 0, lon = 0, h = 0 } = geopose.position;
  const [east, north, up] = turned(quaternion, webXR.enuPosition(move));
  return { place: new Plane({ lat, lon, h }).place([-east, -north, -up]), quaternion, degrees: degreesOf(anchor) };
}

/**
 * @param {any} anchor
 * @returns {number | null}
 */
function degreesOf({ data }) {
  try {
    const { degrees } = JSON.parse(new TextDecoder().decode(data));
    return Number.isFinite(degrees) && degrees >= 0 ? degrees : null;
  } catch {
    return null;
  }
}
