// What is around, as markers on the map: elements, which keys reach. What overlaps is one marker that opens into a
// list; names stand where there is room. Nothing is computed while nothing has moved.

import { isLow } from "../core/app.js";
import { roughness } from "../core/grid.js";
import { colour } from "../core/page.js";
import { pick, picked } from "../core/picked.js";
import { own } from "../core/place.js";
import { added, isAside, items, kindOf, people } from "../core/view.js";
import { float } from "../components/float.js";
import { opener } from "../components/later.js";
import { mark, marker, markOf, nameBeside, recount } from "../components/marker.js";
import { merged, named, past } from "./crowd.js";
import { Roving } from "./roving.js";
import { RANKS, orderOf, over, pixels, rankOf, scaleOf, sizeOf } from "./spots.js";
import { tap } from "./taps.js";
import { areShown, forgetWidths, labelOf, nameOf, widthOf } from "./words.js";

/** @typedef {import("../core/view.js").Item} Item */
/** @typedef {import("./crowd.js").Mark} Mark */
/** @typedef {{marker: any, mark: Mark, items: Item[]}} Entry an element, and what it stands for now */

const openTogether = opener(async () => (await import("../around/together.js")).openTogether);

/** Sizes in the unit of the page's text: of a marker that counts, a line of a name, its widest. */
const GROUP = 2.1, LINE = 1.15, WIDE = 12;
/** Pixels between two markers, and of the own dot. */
const GAP = 4, OWN = 24;
/** Pixels beside the picture in which markers are made already. */
const BESIDE = 80;
/** Most markers in the picture; where there would be more, they are further apart, by so much each time. */
const MOST = isLow ? 130 : 260, FURTHER = 1.4, FURTHER_MAX = 4;
/** Most squares of people who share roughly that are drawn. */
const SQUARES = 40;

/** All of them. */
export class Markers {
  #leaflet;
  #map;
  #squares;
  #roving;
  /** @type {Map<string, Entry>} the elements by the keys of their marks */
  #shown = new Map();
  /** @type {any[]} what the markers were computed from */
  #from = [];
  /** @type {Map<string, Item[]>} what features draw beside what is around, by the name of their layer */
  #extra = new Map();
  /** How much further apart the markers are, at which zoom. */
  #further = { zoom: -1, by: 1 };
  /** Times that the markers were computed, for whoever measures. */
  computed = 0;

  /**
   * @param {any} leaflet
   * @param {any} map
   */
  constructor(leaflet, map) {
    this.#leaflet = leaflet;
    this.#map = map;
    this.#squares = leaflet.layerGroup().addTo(map);
    this.#roving = new Roving(map.getContainer());
  }

  /**
   * Markers that a feature draws, in place of those of it before. They stand among the others.
   * @param {string} layer
   * @param {Item[]} items
   */
  put(layer, items) {
    this.#extra.set(layer, items);
    this.draw();
  }

  /** Draws what is around now. */
  draw() {
    const crowd = people();
    const more = [...this.#extra.values()].flat();
    const others = added();
    const bounds = this.#map.getPixelBounds(), zoom = this.#map.getZoom(), here = own();
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const now = [items(), crowd.length > 0 ? crowd : null, zoom, bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y,
      here?.lat, here?.lon, picked, rem, this.#extra.size, ...[...others, ...more].flatMap(({ key, place, instance }) =>
        [key, place.lat, place.lon, instance.isTarget])];
    if (now.length === this.#from.length && now.every((one, n) => one === this.#from[n])) return;
    this.#from = now;
    this.computed += 1;
    this.#arrange([...items(), ...crowd], [...others, ...more], zoom, bounds, rem);
  }

  /** Whether none is in the picture. */
  get isEmpty() {
    const bounds = this.#map.getBounds();
    return ![...this.#shown.values()].some(({ marker: shown }) => bounds.contains(shown.getLatLng()));
  }

  /** Takes all elements away, so that they are made anew. */
  clear() {
    for (const { marker: shown } of this.#shown.values()) shown.remove();
    this.#shown.clear();
    forgetWidths();
    this.#from = [];
  }

  /** Marks the one that is selected. */
  markPicked() {
    for (const { marker: shown, items: held } of this.#shown.values()) {
      shown.getElement()?.classList.toggle("picked", held.some(({ key }) => key === picked));
    }
  }

  /**
   * @param {Item[]} around
   * @param {Item[]} additions
   * @param {number} zoom
   * @param {any} bounds
   * @param {number} rem
   */
  #arrange(around, additions, zoom, bounds, rem) {
    const here = own(), dot = here && { ...pixels(here, zoom), size: OWN };
    /** @type {Map<string, Item>} */
    const byKey = new Map(), added = new Set(additions);
    const spots = [];
    for (const item of [...additions, ...around]) {
      if (byKey.has(item.key)) continue;
      byKey.set(item.key, item);
      spots.push({ key: item.key, ...pixels(item.place, zoom), size: sizeOf(item) * rem, rank: rankOf(item, added),
        counts: { [item.kind]: 1 } });
    }
    const marks = this.#merged(spots, { group: GROUP * rem, gap: GAP, loose: RANKS.walks, own: dot }, zoom, bounds);
    const entries = marks.map((one) => ({ mark: one,
      held: one.spots.map(({ key }) => /** @type {Item} */ (byKey.get(key))) }));
    const names = areShown() ? this.#names(entries, rem, dot, bounds) : new Map();
    const keys = new Set(marks.map(({ key }) => key));
    let isLost = false;
    for (const [key, { marker: shown }] of this.#shown) {
      if (keys.has(key)) continue;
      isLost ||= shown.getElement() === document.activeElement;
      shown.remove();
      this.#shown.delete(key);
    }
    for (const { mark: one, held } of entries) this.#element(one, held, names.get(one.key), dot);
    this.#roving.take([...entries].sort(({ held: [a] }, { held: [b] }) => a.distance - b.distance)
      .map(({ mark: { key } }) => this.#shown.get(key)?.marker.getElement()), isLost);
    this.#drawSquares(entries);
    this.markPicked();
  }

  /**
   * The markers in the picture and a little beside it. Once they are further apart they stay so at this zoom.
   * @param {import("./crowd.js").Spot[]} spots
   * @param {any} options
   * @param {number} zoom
   * @param {any} bounds
   */
  #merged(spots, options, zoom, { min, max }) {
    if (this.#further.zoom !== zoom) this.#further = { zoom, by: 1 };
    for (;;) {
      const marks = merged(spots, { ...options, apart: options.group * this.#further.by })
        .map((one) => (one.count > 1 ? { ...one, size: options.group } : one))
        .filter(({ x, y }) => x > min.x - BESIDE && x < max.x + BESIDE && y > min.y - BESIDE && y < max.y + BESIDE);
      if (marks.length <= MOST || this.#further.by > FURTHER_MAX) return marks;
      this.#further.by *= FURTHER;
    }
  }

  /**
   * @param {{mark: Mark, held: Item[]}[]} entries
   * @param {number} rem
   * @param {any} dot
   * @param {any} bounds
   */
  #names(entries, rem, dot, { min, max }) {
    const wanted = entries.flatMap(({ mark: one, held }) => {
      if (held.every(isAside)) return [];
      const { name, away } = nameOf(held, one.counts);
      return [{ key: one.key, name, away, order: orderOf(held), height: LINE * rem,
        width: Math.min(WIDE * rem, widthOf(`${name} ${away}`, rem)) }];
    }).sort((a, b) => a.order - b.order);
    const within = { key: "", left: min.x, top: min.y, width: max.x - min.x, height: max.y - min.y };
    const found = named(entries.map(({ mark: one }) => one), wanted, { gap: 3, own: dot, within, taken: over(min) });
    return new Map(wanted.flatMap(({ key, name, away }) => {
      const box = found.get(key);
      return box ? [[key, { name, away, side: box.side }]] : [];
    }));
  }

  /**
   * @param {Mark} one
   * @param {Item[]} held
   * @param {{name: string, away: string, side: string} | undefined} said
   * @param {any} dot the own one, over which no line goes
   */
  #element(one, held, said, dot) {
    const { place } = held[0], where = /** @type {[number, number]} */ ([place.lat, place.lon]);
    const entry = this.#shown.get(one.key) ?? this.#made(one, held, where);
    entry.mark = one;
    entry.items = held;
    const shown = entry.marker;
    if (!shown.getLatLng().equals(this.#leaflet.latLng(where))) shown.setLatLng(where);
    const box = shown.getElement(), [element] = box.children;
    if (held.length > 1) recount(element, one.counts);
    else {
      element.style.setProperty("--size", String(scaleOf(held[0])));
      element.classList.toggle("mine", held[0].isOwn);
      element.classList.toggle("target", Boolean(held[0].instance.isTarget));
      element.classList.toggle("rough", held[0].kind === "person" && roughness(held[0].instance) > 0);
    }
    box.classList.toggle("back", held.every(isAside));
    const [dx, dy] = [one.x - one.foot.x, one.y - one.foot.y];
    box.classList.toggle("beside", dx !== 0 || dy !== 0);
    if (dx !== 0 || dy !== 0) {
      box.style.setProperty("--dx", `${dx.toFixed(1)}px`);
      box.style.setProperty("--dy", `${dy.toFixed(1)}px`);
      const begin = past(one, dot);
      box.style.setProperty("--begin", `${begin.toFixed(1)}px`);
      box.style.setProperty("--far", `${(Math.hypot(dx, dy) - begin).toFixed(1)}px`);
      box.style.setProperty("--way", `${Math.atan2(dy, dx).toFixed(3)}rad`);
    }
    nameBeside(box, one.size, said);
    const label = labelOf(held, one.counts);
    if (box.getAttribute("aria-label") !== label) {
      box.setAttribute("aria-label", label);
      // On the mark alone, which a screen reader does not read: else it would read the label twice.
      /** @type {HTMLElement} */ (element).title = areShown() ? label : "";
    }
  }

  /**
   * @param {Mark} one
   * @param {Item[]} held
   * @param {[number, number]} where
   * @returns {Entry}
   */
  #made(one, held, where) {
    const [item] = held, { drawing, sign } = kindOf(item);
    const element = held.length > 1 ? markOf(one.counts)
      : float(mark(`${item.kind} ${sign?.(item) ?? ""}`.trim(), drawing?.(item)), item);
    const shown = marker(this.#leaflet, where, element, { interactive: true, keyboard: true, riseOnHover: true });
    const entry = { marker: shown, mark: one, items: held };
    shown.on("click keypress", (/** @type {any} */ event) => {
      if (event.type === "click" || ["Enter", " "].includes(event.originalEvent?.key)) this.#tapped(entry);
    });
    shown.addTo(this.#map);
    shown.getElement().dataset.key = one.key;
    this.#shown.set(one.key, entry);
    return entry;
  }

  /**
   * Somebody asks for a place, or else it is selected, or opened into a list.
   * @param {Entry} entry
   */
  #tapped({ items: held }) {
    const [item] = held, { lat, lon } = item.place;
    if (tap({ lat, lon }, item)) return;
    if (held.length === 1) pick(item.key, { item });
    else openTogether(held, this.#map);
  }

  /**
   * The squares of ground that people share: nobody knows where in it they are.
   * @param {{held: Item[]}[]} entries
   */
  #drawSquares(entries) {
    this.#squares.clearLayers();
    const rough = entries.flatMap(({ held: [item, ...rest] }) => {
      const radius = item.kind === "person" && rest.length === 0 && !isAside(item) ? roughness(item.instance) : 0;
      return radius > 0 ? [{ item, radius }] : [];
    });
    for (const { item, radius } of rough.slice(0, SQUARES)) {
      this.#leaflet.circle([item.place.lat, item.place.lon], { radius, interactive: false, weight: 1, opacity: 0.5,
        fillOpacity: 0.1, color: colour("--person") }).addTo(this.#squares);
    }
  }
}
