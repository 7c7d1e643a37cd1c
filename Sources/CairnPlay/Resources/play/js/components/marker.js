// Markers: what stands on the map as an element of the page. What it means is said by its label, or beside it.

import { glyph } from "../core/glyphs.js";
import { make, write } from "../core/page.js";
import { number } from "../core/texts.js";

/**
 * Moves of the map that follow the own place, or a draft, have no start: what starts otherwise ends the following.
 */
export const FOLLOWS = { pan: { noMoveStart: true }, zoom: { noMoveStart: true } };
/** Pixels of the box in which a mark is drawn. */
const SIZE = 30;
/** More than so many are not counted on a marker. */
const COUNTED = 999;

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
 * The mark of several items in one place, whoever has merged them: their number, in a ring with the colours of their
 * kinds.
 * @param {Record<string, number>} counts by kind
 */
export function markOf(counts) {
  const element = mark("group", undefined, make("span", { class: "mark-count", "aria-hidden": "true" }));
  recount(element, counts);
  return element;
}

/**
 * The items of a mark are others now.
 * @param {HTMLElement} element of `markOf`
 * @param {Record<string, number>} counts by kind
 */
export function recount(element, counts) {
  const kinds = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  const said = kinds.join(" ");
  if (element.dataset.counts === said) return;
  element.dataset.counts = said;
  const all = kinds.reduce((sum, [, count]) => sum + count, 0);
  let from = 0;
  const parts = kinds.map(([kind, count]) => {
    const begin = from;
    from += (100 * count) / all;
    return `var(--${kind}, var(--thing)) ${begin}% ${from}%`;
  });
  element.style.setProperty("--ring", `conic-gradient(${parts.join(", ")})`);
  /** @type {HTMLElement} */ (element.firstElementChild).textContent = all > COUNTED ? `${number(COUNTED)}+`
    : number(all);
}

/**
 * What stands beside a mark, where there is room for it: a screen reader has the label.
 * @param {HTMLElement} box around the mark
 * @param {number} size pixels of the mark
 * @param {{name: string, away: string, side: string} | undefined} said on which side; nothing = no room
 */
export function nameBeside(box, size, said) {
  let element = /** @type {any} */ (box.querySelector(".mark-name"));
  if (!said) {
    element?.remove();
    return;
  }
  if (!element) {
    element = make("span", { "aria-hidden": "true" }, make("span", { dir: "auto" }),
      make("span", { class: "mark-away" }));
    box.append(element);
  }
  element.className = `mark-name ${said.side}`;
  element.style.setProperty("--half", `${(size / 2 + 3).toFixed(1)}px`);
  write(element.children[0], said.name);
  write(element.children[1], said.away);
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
