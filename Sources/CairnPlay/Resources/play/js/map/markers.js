// What is around, as markers on the map: the nearest as elements, which keys reach, the rest as dots of a canvas.

import { isLow } from "../core/app.js";
import { colour } from "../core/page.js";
import { pick, picked } from "../core/picked.js";
import { setting } from "../core/settings.js";
import { added, fullTitle, items, kindOf, people, title, whereabouts } from "../core/view.js";
import { float } from "../components/float.js";
import { mark, marker } from "../components/marker.js";
import { tap } from "./taps.js";

/** @typedef {import("../core/view.js").Item} Item */

/** Most markers that are elements. */
const ELEMENTS = isLow ? 60 : 150;

/** Somebody asks for a place, or else the item is selected. */
function tapped(/** @type {Item} */ item) {
  const { lat, lon } = item.place;
  if (!tap({ lat, lon }, item)) pick(item.key);
}

/** All of them. */
export class Markers {
  #leaflet;
  #map;
  #dots;
  /** @type {Map<string, {marker: any, item: Item}>} the elements by the keys of their items, as they are now */
  #shown = new Map();

  /**
   * @param {any} leaflet
   * @param {any} map
   */
  constructor(leaflet, map) {
    this.#leaflet = leaflet;
    this.#map = map;
    this.#dots = leaflet.layerGroup().addTo(map);
  }

  /** Draws what is around now. What a feature draws in a layer of its own is left to it. */
  draw() {
    const all = [...items(), ...people(), ...added().filter((item) => !kindOf(item).isDrawn)]
      .sort((a, b) => a.distance - b.distance);
    const near = all.slice(0, ELEMENTS);
    this.#dots.clearLayers();
    for (const item of all.slice(ELEMENTS)) this.#dot(item);
    const keys = new Set(near.map(({ key }) => key));
    for (const [key, { marker: shown }] of this.#shown) {
      if (keys.has(key)) continue;
      shown.remove();
      this.#shown.delete(key);
    }
    for (const item of near) this.#element(item);
    this.markPicked();
  }

  /** Takes all elements away, so that they are made anew. */
  clear() {
    for (const { marker: shown } of this.#shown.values()) shown.remove();
    this.#shown.clear();
  }

  /** Marks the one that is selected. */
  markPicked() {
    for (const [key, { marker: shown }] of this.#shown) shown.getElement()?.classList.toggle("picked", key === picked);
  }

  /** @param {Item} item */
  #dot(item) {
    this.#leaflet.circleMarker([item.place.lat, item.place.lon], { radius: 4, weight: 1, color: colour("--surface"),
      fillColor: colour(`--${item.kind}`), fillOpacity: 0.9, bubblingMouseEvents: false })
      .on("click", () => tapped(item)).addTo(this.#dots);
  }

  /** @param {Item} item */
  #element(item) {
    const where = /** @type {[number, number]} */ ([item.place.lat, item.place.lon]);
    const entry = this.#shown.get(item.key) ?? this.#made(item, where);
    entry.item = item;
    const shown = entry.marker;
    if (!shown.getLatLng().equals(this.#leaflet.latLng(where))) shown.setLatLng(where);
    const box = shown.getElement();
    const element = box.firstElementChild;
    element.style.setProperty("--size", String(Math.min(2, Math.max(0.7, kindOf(item).size?.(item) ?? 1))));
    element.classList.toggle("mine", item.isOwn);
    const label = `${fullTitle(item)}. ${whereabouts(item)}`;
    if (box.getAttribute("aria-label") !== label) {
      box.setAttribute("aria-label", label);
      if (setting("accessibility.objectNames") === "on") box.title = title(item);
      else box.removeAttribute("title");
    }
  }

  /**
   * @param {Item} item
   * @param {[number, number]} where
   */
  #made(item, where) {
    const element = float(mark(item.kind, kindOf(item).drawing?.(item)), item);
    const shown = marker(this.#leaflet, where, element, { interactive: true, keyboard: true, riseOnHover: true });
    const entry = { marker: shown, item };
    shown.on("click keypress", (/** @type {any} */ event) => {
      if (event.type === "click" || ["Enter", " "].includes(event.originalEvent?.key)) tapped(entry.item);
    });
    shown.addTo(this.#map);
    shown.getElement().dataset.key = item.key;
    this.#shown.set(item.key, entry);
    return entry;
  }
}
