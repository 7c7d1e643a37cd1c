// The map: the ground, cells, oneself with the accuracy, things, posts and people, and the layers of features.

import { cellCorners } from "../../cairn/geo.js";
import { client, isLow, on } from "../core/app.js";
import { draft } from "../core/draft.js";
import { given } from "../core/extensions.js";
import { at, colour, make, paced } from "../core/page.js";
import { pick, picked } from "../core/picked.js";
import { choosePlace, own, ownHeading } from "../core/place.js";
import { goInstead, route } from "../core/router.js";
import { isDark, isStill, setting } from "../core/settings.js";
import { t } from "../core/texts.js";
import { fullTitle, items, kindOf, people, title, whereabouts } from "../core/view.js";
import { float } from "../components/float.js";
import { mark, marker } from "../components/marker.js";
import { say, toast } from "../components/message.js";
import { askPlace } from "../where/locate.js";
import { layGround } from "./ground.js";

/** Things that are elements, which keys reach; the rest is drawn on a canvas. */
const ELEMENTS = isLow ? 60 : 150;
/** Pixels that a finger covers beside the point that is meant. */
const FINGER = 12;
/** Metres: a place that is chosen less exactly is nowhere that one could place something. */
const CHOSEN_MAX = 100;

/** @type {any} */
let leaflet;
/** @type {any} */
let map;
/** @type {any} */
let ground;
/** @type {Map<string, any>} */
const markers = new Map();
/** @type {any} */ let canvasThings;
/** @type {any} */ let cells;
/** @type {any} */ let me;
/** @type {any} */ let halo;
/** @type {Map<string, any>} the groups of the layers of features, by name */
const groups = new Map();
/** @type {Promise<void> | null} */
let opening = null;
let isPlaced = false;
let isFollowing = true;

/** Shows the map; Leaflet is loaded the first time. */
export async function showMap() {
  await opened();
  map.invalidateSize({ pan: false });
  if (route().rest[0] === "choose") choose();
  draw();
}

/**
 * Leaflet itself, the map, and the group of a layer that a feature has given.
 * @param {string} [layer]
 */
export async function mapParts(layer) {
  await opened();
  return { leaflet, map, group: groups.get(layer ?? "") };
}

/** The map is made once, whoever asks first; what could not be loaded is asked for again. */
function opened() {
  opening ??= open().catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

async function open() {
  ({ leaflet } = await import(/** @type {any} */ ("/play/lib/leaflet.js")));
  const motion = !isStill();
  map = leaflet.map("map", {
    preferCanvas: true, zoomAnimation: motion, fadeAnimation: motion, markerZoomAnimation: motion, inertia: motion,
    worldCopyJump: true, minZoom: 2, maxZoom: 22, zoomControl: false, attributionControl: true,
  });
  map.attributionControl.setPrefix(false);
  map.setView([25, 5], 2);
  leaflet.control.scale({ imperial: false, position: "bottomleft" }).addTo(map);
  ground = await layGround(leaflet, map);
  cells = leaflet.layerGroup().addTo(map);
  canvasThings = leaflet.layerGroup().addTo(map);
  for (const { name } of given("layers")) groups.set(name, leaflet.layerGroup().addTo(map));
  map.on("dragstart", () => { isFollowing = false; });
  map.getContainer().setAttribute("aria-label", t("place.map"));
  on("view place people draft heading layers", draw);
  on("settings language", () => {
    ground.recolour();
    for (const shown of markers.values()) shown.remove();
    markers.clear();
    draw();
  });
  on("selectedItem", markPicked);
  new ResizeObserver(() => {
    map.invalidateSize({ pan: false });
    if (draft) map.panInside([draft.place.lat, draft.place.lon], { padding: [40, 40], animate: false });
  }).observe(map.getContainer());
  map.getContainer().append(make("div", { class: "map-tools" },
    make("button", { type: "button", class: "round", "aria-label": t("map.here"), id: "map-here", onclick: here },
      "◎")));
}

/** Brings the own place into the middle. */
function here() {
  const place = own();
  if (!place) {
    askPlace();
    return;
  }
  isFollowing = true;
  map.setView([place.lat, place.lon], Math.max(18, map.getZoom()));
}

/** Ends that the next tap says where one is. */
let endChoice = () => {};

/** The next tap on the map says where one is. A page that is led here twice asks once. */
function choose() {
  endChoice();
  say(t("where.tap"));
  const told = toast(t("where.tap"), { seconds: 15 });
  const ended = new AbortController();
  const chosen = (/** @type {any} */ { latlng }) => {
    const accuracy = tapped(latlng);
    if (accuracy > CHOSEN_MAX) {
      map.setView(latlng, Math.min(18, map.getZoom() + 6));
      say(t("where.closer"));
      toast(t("where.closer"));
      return;
    }
    choosePlace({ lat: latlng.lat, lon: latlng.lng }, accuracy);
    isPlaced = false;
    // The way back does not ask for a tap again.
    goInstead("map");
  };
  map.on("click", chosen);
  endChoice = () => {
    map.off("click", chosen);
    told.remove();
    ended.abort();
  };
  on("route", () => endChoice(), ended.signal);
}

/**
 * How exact a tap on the map is in metres: a finger covers so many pixels.
 * @param {any} latlng
 */
function tapped(latlng) {
  const point = map.latLngToContainerPoint(latlng);
  return Math.max(1, Math.round(map.distance(latlng, map.containerPointToLatLng(point.add([FINGER, 0])))));
}

/** Draws once for all changes of a moment. */
const draw = paced(60, () => {
  if (at("map").hidden) return;
  drawOwn();
  drawCells();
  drawItems();
  for (const { name, draw } of given("layers")) draw?.({ leaflet, map, group: groups.get(name) });
});

function drawOwn() {
  const place = own();
  if (!place) return;
  const where = /** @type {[number, number]} */ ([place.lat, place.lon]);
  const radius = Math.max(1, place.accuracy ?? 1);
  if (!me) {
    halo = leaflet.circle(where, { radius, interactive: false, weight: 1, opacity: 0.5, fillOpacity: 0.12,
      color: colour("--own") }).addTo(map);
    const element = make("span", { class: "own-dot" }, make("span", { class: "own-cone" }));
    me = marker(leaflet, where, element, { box: "own-mark", size: 24, zIndexOffset: 1000 }).addTo(map);
  }
  me.setLatLng(where);
  halo.setLatLng(where).setRadius(radius).setStyle({ color: colour("--own") });
  const cone = me.getElement()?.querySelector(".own-cone");
  if (cone) cone.style.transform = `rotate(${ownHeading()}deg)`;
  if (!isPlaced) {
    isPlaced = true;
    map.setView(where, 18, { animate: false });
  } else if (isFollowing && !map.getBounds().pad(-0.25).contains(where)) map.panTo(where, { animate: !isStill() });
}

let cellsDrawn = "";

function drawCells() {
  const tokens = [...new Set([...client.view.topics.keys()].map((/** @type {string} */ topic) => topic.split("/")[0]))]
    .filter((token) => !token.includes(":"));
  const now = `${tokens.sort().join()} ${isDark()}`;
  if (now === cellsDrawn) return;
  cellsDrawn = now;
  cells.clearLayers();
  for (const token of tokens) {
    const ring = cellCorners(token);
    if (ring) leaflet.polygon(ring, { interactive: false, weight: 1, dashArray: "3 5", color: colour("--cell-edge"),
      opacity: 0.6, fillOpacity: 0.05 }).addTo(cells);
  }
}

function drawItems() {
  const shown = [...items(), ...people()].sort((a, b) => a.distance - b.distance);
  const near = shown.slice(0, ELEMENTS);
  canvasThings.clearLayers();
  for (const item of shown.slice(ELEMENTS)) {
    leaflet.circleMarker([item.place.lat, item.place.lon],
      { radius: 4, weight: 1, color: colour("--surface"), fillColor: colour(`--${item.kind}`), fillOpacity: 0.9 })
      .on("click", () => pick(item.key)).addTo(canvasThings);
  }
  const keys = new Set(near.map(({ key }) => key));
  for (const [key, shown] of markers) {
    if (keys.has(key)) continue;
    shown.remove();
    markers.delete(key);
  }
  for (const item of near) place(item);
  markPicked();
}

/** @param {import("../core/view.js").Item} item */
function place(item) {
  let shown = markers.get(item.key);
  const where = /** @type {[number, number]} */ ([item.place.lat, item.place.lon]);
  if (!shown) {
    const element = float(mark(item.kind, kindOf(item).drawing?.(item)), item);
    shown = marker(leaflet, where, element, { interactive: true, keyboard: true, riseOnHover: true });
    shown.on("click keypress", (/** @type {any} */ event) => {
      if (event.type === "click" || ["Enter", " "].includes(event.originalEvent?.key)) pick(item.key);
    });
    shown.addTo(map);
    shown.getElement().dataset.key = item.key;
    markers.set(item.key, shown);
  } else if (!shown.getLatLng().equals(leaflet.latLng(where))) shown.setLatLng(where);
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

function markPicked() {
  for (const [key, shown] of markers) shown.getElement()?.classList.toggle("picked", key === picked);
}
