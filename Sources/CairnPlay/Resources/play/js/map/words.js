// What markers are called: on the map where there is room, and for screen readers.

import { own } from "../core/place.js";
import { setting } from "../core/settings.js";
import { has, number, t } from "../core/texts.js";
import { distanceOf, fullTitle, kindOf, title, whereabouts } from "../core/view.js";

/** @typedef {import("../core/view.js").Item} Item */

/** Most characters of a name on the map. */
const LONG = 22;
/** Up to so many of one place are named one by one for screen readers. */
const NAMED = 3;

/**
 * How many there are of each kind, in words: "3 things, 1 person".
 * @param {Record<string, number>} counts
 */
export function countsInWords(counts) {
  return Object.entries(counts).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([kind, count]) => {
    const known = has(`crowd.many.${kind}`) ? kind : "thing";
    return count === 1 ? t(`crowd.one.${known}`) : t(`crowd.many.${known}`, { n: number(count) });
  }).join(t("crowd.and"));
}

/**
 * @param {string} text
 */
function short(text) {
  const letters = [...text];
  return letters.length > LONG ? `${letters.slice(0, LONG - 1).join("")}…` : text;
}

/**
 * What stands beside a marker: what it is, and how far.
 * @param {Item[]} items
 * @param {Record<string, number>} counts
 * @returns {{name: string, away: string}}
 */
export function nameOf(items, counts) {
  const [item] = items;
  const away = own() ? distanceOf(item) : "";
  if (items.length > 1) return { name: countsInWords(counts), away };
  return { name: short(kindOf(item).words?.(item) ?? title(item)), away };
}

/**
 * What a screen reader says of a marker.
 * @param {Item[]} items
 * @param {Record<string, number>} counts
 */
export function labelOf(items, counts) {
  const [item] = items;
  if (items.length === 1) return [fullTitle(item), whereabouts(item)].filter(Boolean).join(". ");
  const names = items.length <= NAMED ? items.map(fullTitle).join(", ") : "";
  return [t("crowd.here", { what: countsInWords(counts) }), names, whereabouts(item)].filter(Boolean).join(". ");
}

/** Whether names are shown at all (PRF-6). */
export function areShown() {
  return setting("accessibility.objectNames") === "on";
}

/** @type {Map<string, number>} */
const widths = new Map();
/** Most widths that are remembered. */
const WIDTHS_MAX = 3_000;
/** @type {CanvasRenderingContext2D | null} */
let brush = null;
let font = "";

/**
 * Pixels that a name takes, with what is left beside it.
 * @param {string} text
 * @param {number} rem pixels of the unit of the page's text
 */
export function widthOf(text, rem) {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (widths.size > WIDTHS_MAX) widths.clear();
  brush ??= document.createElement("canvas").getContext("2d");
  font ||= getComputedStyle(document.body).fontFamily;
  let width = text.length * rem * 0.5;
  if (brush) {
    brush.font = `600 ${0.75 * rem}px ${font}`;
    ({ width } = brush.measureText(text));
  }
  width += 0.9 * rem;
  widths.set(text, width);
  return width;
}

/** The size of the page's text is another one. */
export function forgetWidths() {
  widths.clear();
}
