// What the map's markers are made of: where, how large, and in which order.

import { picked } from "../core/picked.js";
import { isAside, kindOf } from "../core/view.js";

/** @typedef {import("../core/view.js").Item} Item */

/** Sizes in the unit of the page's text: of a marker, and of a person. */
const MARK = 1.7, PERSON = 1.1;

/** Orders: what stays where it is first, what walks last. */
export const RANKS = { picked: 0, added: 1, stands: 2, walks: 3, aside: 4 };

/**
 * What lies over the map, in pixels of the whole map.
 * @param {{x: number, y: number}} origin pixel of its upper left corner
 */
export function over(origin) {
  const frame = document.getElementById("map")?.getBoundingClientRect();
  if (!frame) return [];
  return ["#pill", "#map .map-tools", "#map .leaflet-control-scale"].flatMap((name) => {
    const box = document.querySelector(name)?.getBoundingClientRect();
    return box ? [{ key: name, left: box.left - frame.left + origin.x, top: box.top - frame.top + origin.y,
      width: box.width, height: box.height }] : [];
  });
}

/**
 * Pixels of the whole map at a zoom.
 * @param {{lat: number, lon: number}} place
 * @param {number} zoom
 */
export function pixels({ lat, lon }, zoom) {
  const world = 256 * 2 ** zoom, sine = Math.sin((Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180);
  return { x: world * (lon / 360 + 0.5), y: world * (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) };
}

/** @param {Item} item */
export const scaleOf = (item) => Math.min(2, Math.max(0.7, kindOf(item).size?.(item) ?? 1));

/** @param {Item} item */
export const sizeOf = (item) => (kindOf(item).isSomebody ? PERSON : MARK * scaleOf(item));

/**
 * @param {Item} item
 * @param {Set<Item>} added
 */
export function rankOf(item, added) {
  if (item.key === picked) return RANKS.picked;
  if (isAside(item)) return RANKS.aside;
  if (added.has(item)) return RANKS.added;
  return kindOf(item).isSomebody ? RANKS.walks : RANKS.stands;
}

/**
 * Which name has room before others: of what is selected, of what a feature adds, what has words of its own.
 * @param {Item[]} held
 */
export function orderOf(held) {
  const [item] = held;
  if (held.some(({ key }) => key === picked)) return 0;
  if (held.length > 1) return 5;
  if (item.kind === "person") return 4;
  if (item.kind !== "thing" && item.kind !== "post") return 1;
  return kindOf(item).isBare?.(item) ? 3 : 2;
}
