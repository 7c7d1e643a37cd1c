// Markers: what stands on the map as an element of the page. What it means is said by its label, or beside it.

import { glyph } from "../core/glyphs.js";
import { make } from "../core/page.js";

/** Pixels of the box in which a mark is drawn. */
const SIZE = 30;

/**
 * The mark of a kind of items.
 * @param {string} kind with further classes behind it
 * @param {string} [drawing] name of an object, a post or a reaction
 * @param {...(Node | string | false)} content
 */
export function mark(kind, drawing, ...content) {
  return make("span", { class: `mark ${kind}` }, drawing !== undefined && glyph(drawing), ...content);
}

/**
 * Puts an element on the map. It takes neither keys nor clicks unless the options say so.
 * @param {any} leaflet
 * @param {[number, number]} where latitude and longitude
 * @param {HTMLElement} element
 * @param {{box?: string, size?: number, [option: string]: any}} options `box` is the class of what is around the
 *   element, others are Leaflet's
 */
export function marker(leaflet, where, element, { box = "mark-box", size = SIZE, ...options } = {}) {
  const icon = leaflet.divIcon({ className: box, html: element, iconSize: [size, size] });
  return leaflet.marker(where, { icon, keyboard: false, interactive: false, ...options });
}
