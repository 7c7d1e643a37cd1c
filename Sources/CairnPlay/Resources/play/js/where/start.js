// Where a page looks to that is told no place: where it was looked at last, else the middle of the operator's ground.

import { askGround, shapes } from "../core/ground.js";
import { eye, lastSeen, lookAt } from "../core/place.js";

/** Looks there, unless a place is known by then. */
export async function begin() {
  const last = lastSeen();
  if (last) {
    if (!eye()) lookAt(last);
    return;
  }
  const { file } = await askGround();
  const middle = middleOf(await shapes(file));
  if (middle && !eye()) lookAt(middle);
}

/**
 * The middle of a file of the ground: of its `bbox`, by which an operator names the place (RFC 7946, section 5), else
 * of all that is in it.
 * @param {any} ground GeoJSON
 * @returns {{lat: number, lon: number} | null}
 */
export function middleOf(ground) {
  const box = Array.isArray(ground?.bbox) ? fromBox(ground.bbox) : around(ground);
  if (!box || box.some((one) => !Number.isFinite(one))) return null;
  const [west, south, east, north] = box;
  const lat = (south + north) / 2, lon = (west + east) / 2;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

/**
 * A box of four numbers, or of six with heights.
 * @param {number[]} box
 */
function fromBox(box) {
  return box.length === 6 ? [box[0], box[1], box[3], box[4]] : box.length === 4 ? box : null;
}

/** @param {any} ground */
function around(ground) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const visit = (/** @type {any} */ part) => {
    if (!Array.isArray(part)) return;
    if (typeof part[0] !== "number") {
      part.forEach(visit);
      return;
    }
    const [lon, lat] = part;
    box[0] = Math.min(box[0], lon);
    box[1] = Math.min(box[1], lat);
    box[2] = Math.max(box[2], lon);
    box[3] = Math.max(box[3], lat);
  };
  for (const { geometry } of ground?.features ?? []) visit(geometry?.coordinates);
  return box[0] === Infinity ? null : box;
}
