// The map: the ground, oneself with the accuracy, what is around, and the layers of features.

import { on } from "../core/app.js";
import { draft } from "../core/draft.js";
import { given } from "../core/extensions.js";
import { at, colour, icon, make, paced } from "../core/page.js";
import { eye, lookAt, own, ownHeading } from "../core/place.js";
import { route } from "../core/router.js";
import { isStill } from "../core/settings.js";
import { setSight } from "../core/sight.js";
import { t } from "../core/texts.js";
import { later, opener } from "../components/later.js";
import { FOLLOWS, marker } from "../components/marker.js";
import { layGround } from "./ground.js";
import { Markers } from "./markers.js";
import { takeTaps, tap } from "./taps.js";

const askPlace = opener(async () => (await import("../where/locate.js")).askPlace);
const choose = later(async () => (await import("../where/choose.js")).choose);

/** From this zoom on what is in the middle of the map is looked at; and metres that it has to be away from before. */
const LOOKS = { zoom: 15, metres: 60 };

/** @type {any} */
let leaflet;
/** @type {any} */
let map;
/** @type {any} */
let ground;
/** @type {Markers} */ let markers;
/** @type {any} */ let me;
/** @type {any} */ let halo;
/** @type {Map<string, any>} the groups of the layers of features, by name */
const groups = new Map();
/** @type {[string, import("../core/extensions.js").Draw][]} what draws those layers that the map asks to draw */
let draws = [];
/** @type {Promise<void> | null} */
let opening = null;
let isPlaced = false;
/** Whether the map has been brought to what is looked at. */
let isTurned = false;
let isFollowing = true;
/** Whether the map was brought to something until the own place leaves its picture. */
let isFitted = false;
/**
 * To what it is to be brought when it is shown next, if that lasts until then.
 * @type {{points: [number, number][], lasts: () => boolean} | null}
 */
let toFit = null;

/** Shows the map; Leaflet is loaded the first time. */
export async function showMap() {
  await opened();
  map.invalidateSize({ pan: false });
  if (route().rest[0] === "choose") await choose(map, takeTaps, () => { isPlaced = false; });
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
  const layers = given("layers");
  const [library, ...loaded] = await Promise.all([import(/** @type {any} */ ("/play/lib/leaflet.js")),
    ...layers.map(({ load }) => load?.())]);
  ({ leaflet } = library);
  draws = layers.flatMap(({ name }, n) => {
    const draw = loaded[n];
    return draw ? [/** @type {[string, typeof draw]} */ ([name, draw])] : [];
  });
  const motion = !isStill();
  map = leaflet.map("map", {
    preferCanvas: true, zoomAnimation: motion, fadeAnimation: motion, markerZoomAnimation: motion, inertia: motion,
    worldCopyJump: true, minZoom: 2, maxZoom: 22, zoomControl: false, attributionControl: true,
  });
  map.attributionControl.setPrefix(false);
  map.setView([25, 5], 2);
  leaflet.control.scale({ imperial: false, position: "bottomleft" }).addTo(map);
  ground = layGround(leaflet, map);
  markers = new Markers(leaflet, map);
  for (const { name } of layers) groups.set(name, leaflet.layerGroup().addTo(map));
  // Where the person or a feature has moved the map it stays.
  map.on("movestart dragstart", () => { isFollowing = isFitted = false; });
  map.on("zoomend moveend", draw);
  map.on("moveend", look);
  map.on("click", (/** @type {any} */ { latlng }) => tap({ lat: latlng.lat, lon: latlng.lng }));
  const name = () => map.getContainer().setAttribute("aria-label",
    [t("place.map"), t("map.keys")].filter(Boolean).join(". "));
  map.getContainer().setAttribute("role", "group");
  name();
  on("language", name);
  on("view place people draft heading layers run group", draw);
  on("settings language", () => {
    ground.recolour();
    markers.clear();
    draw();
  });
  on("selectedItem realms", draw);
  on("bring", follow);
  new ResizeObserver(() => {
    map.invalidateSize({ pan: false });
    if (draft) map.panInside([draft.place.lat, draft.place.lon], { padding: [40, 40], animate: false,
      ...FOLLOWS.pan });
  }).observe(map.getContainer());
  map.getContainer().append(tools());
}

/** The buttons on the map: closer, further away, and to oneself. */
function tools() {
  const button = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {() => void} */ run) => {
    const made = make("button", { type: "button", class: "round", id: `map-${name}`, onclick: run }, icon(sign));
    const say = () => made.setAttribute("aria-label", t(`map.${name}`));
    on("language", say);
    say();
    return made;
  };
  const zoom = (/** @type {number} */ by) => () => map.setZoom(map.getZoom() + by, { animate: !isStill() });
  const closer = button("closer", "plus", zoom(1)), further = button("further", "M5 12h14", zoom(-1));
  const end = () => {
    // A button that is pressed does not go away under the finger, nor lose the focus.
    closer.setAttribute("aria-disabled", String(map.getZoom() >= map.getMaxZoom()));
    further.setAttribute("aria-disabled", String(map.getZoom() <= map.getMinZoom()));
  };
  map.on("zoomend", end);
  end();
  const box = make("div", { class: "map-tools" }, closer, further, button("here", "locate", here));
  leaflet.DomEvent.disableClickPropagation(box);
  return box;
}

/**
 * Markers that a feature draws among those of what is around, in place of those of it before.
 * @param {string} layer
 * @param {import("../core/view.js").Item[]} items
 */
export async function putMarkers(layer, items) {
  await opened();
  markers.put(layer, items);
}

/**
 * Brings all of these points into the picture, as soon as that is shown.
 * @param {[number, number][]} points latitude and longitude
 * @param {() => boolean} lasts whether that is wanted still
 */
export async function fitTo(points, lasts) {
  await opened();
  toFit = { points, lasts };
  if (!at("map").hidden) fit();
  draw();
}

/** Does so. Pill and buttons lie over the edges. */
function fit() {
  const { points, lasts } = toFit ?? { points: [], lasts: () => false };
  toFit = null;
  if (!lasts()) return;
  isFollowing = false;
  isPlaced = isTurned = isFitted = true;
  map.invalidateSize({ pan: false });
  map.fitBounds(points, { paddingTopLeft: [40, 60], paddingBottomRight: [60, 40], maxZoom: 18, animate: false,
    ...FOLLOWS });
}

/** How many times the markers were computed, for whoever measures. */
export const countComputed = () => markers.computed;

/** Who is nowhere looks at what they bring into the middle. */
function look() {
  if (own() || !isTurned && eye() || at("map").hidden || map.getZoom() < LOOKS.zoom) return;
  const { lat, lng: lon } = map.getCenter().wrap(), before = eye();
  if (before && map.distance([lat, lon], [before.lat, before.lon]) < LOOKS.metres) return;
  isTurned = true;
  lookAt({ lat, lon }, { isChosen: true });
}

/** Brings the own place into the middle. */
function here() {
  const place = own();
  if (place) follow(place);
  else askPlace();
}

/**
 * Brings where the world is seen from into the middle, and follows it from there.
 * @param {{lat: number, lon: number}} place
 */
function follow({ lat, lon }) {
  isFollowing = true;
  map.setView([lat, lon], Math.max(18, map.getZoom()), { ...FOLLOWS });
}

/** Draws once for all changes of a moment. */
const draw = paced(60, () => {
  if (at("map").hidden) return;
  if (toFit) fit();
  drawOwn();
  markers.draw();
  for (const [name, draw] of draws) draw({ leaflet, map, group: groups.get(name) });
  const from = eye();
  setSight(Boolean(from) && markers.isEmpty && !map.getBounds().contains([from?.lat, from?.lon]));
});

/** Brings the map to what is looked at, once: then the person moves it. */
function turnTo(/** @type {{lat: number, lon: number} | null} */ seen) {
  if (!seen || isTurned) return;
  isTurned = true;
  map.setView([seen.lat, seen.lon], 18, { animate: false });
}

function drawOwn() {
  const place = own();
  if (!place) {
    if (me) {
      // Whoever it was has signed out: the map stays where it is, and goes to the next own place.
      me.remove();
      halo.remove();
      me = halo = null;
      isPlaced = isFitted = false;
      isTurned = isFollowing = true;
    }
    turnTo(eye());
    return;
  }
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
    isPlaced = isFollowing = true;
    map.setView(where, 18, { animate: false, ...FOLLOWS });
    return;
  }
  if (isFitted && !map.getBounds().contains(where)) isFollowing = true;
  if (isFollowing && !draft && !map.getBounds().pad(-0.25).contains(where)) {
    map.panTo(where, { ...FOLLOWS.pan, animate: !isStill() });
  }
}
