// What tours draw on the map: area, route with its direction, stops and popups.

import { on, tell } from "../core/app.js";
import { colour } from "../core/page.js";
import { own } from "../core/place.js";
import { itemAt } from "../core/view.js";
import { fitTo, mapParts, putMarkers } from "../map/map.js";
import { words } from "./content.js";
import { nowDrawn } from "./drawn.js";

/** The layer of the map that tours are drawn on. */
const LAYER = "tours";

/** @param {any} point */
const at = ({ lat = 0, lon = 0 }) => /** @type {[number, number]} */ ([lat, lon]);

/**
 * Draws a tour on the map, in place of the one before, for as long as it lasts.
 * @param {any} content
 * @param {{lasts: () => boolean, fit?: boolean, target?: string, fault?: import("./faults.js").PointFault | null}}
 *   options `lasts` is asked before, and at each address; `target` is the id of the stop to go to, `fault` the point
 *   that the server has refused
 */
export async function sketch(content, { lasts, fit = false, target = "", fault = null }) {
  const { leaflet, group } = await mapParts(LAYER);
  if (!lasts()) return;
  nowDrawn(lasts, unsketch);
  clear(group);
  /** @type {any} */
  const { area = [], route = [], direction } = content.ground ?? {};
  if (area.length > 0) leaflet.polygon(area.map(at),
    { weight: 2, dashArray: "6 6", color: colour("--accent"), fillOpacity: 0.06, interactive: false }).addTo(group);
  if (route.length > 0) leaflet.polyline(route.map(at),
    { weight: 5, color: colour("--accent"), opacity: 0.8, interactive: false }).addTo(group);
  for (const [n, point] of route.entries()) {
    leaflet.circleMarker(at(point), { radius: 3, weight: 1, color: colour("--accent"), fillColor: colour("--surface"),
      fillOpacity: 1, interactive: false }).addTo(group);
    const isStart = n === (direction === "TOUR_DIRECTION_BACKWARD" ? route.length - 1 : 0);
    if (isStart) leaflet.circleMarker(at(point), { radius: 8, weight: 3, color: colour("--good"), fillOpacity: 0,
      interactive: false }).addTo(group);
  }
  /** @type {import("../core/view.js").Item[]} */
  const stops = [];
  for (const [n, stop] of (content.stops ?? []).entries()) {
    const position = stop.pose?.geopose?.position;
    if (!position) continue;
    stops.push(itemAt("stop", `stop:${stop.id || n}`,
      { ...stop, name: `${n + 1}. ${words(stop.name)}`, isTarget: Boolean(stop.id) && stop.id === target }, position));
  }
  await putMarkers(LAYER, stops);
  if (!lasts()) return;
  for (const popup of content.popups ?? []) {
    if (popup.place) leaflet.circleMarker(at(popup.place),
      { radius: 6, weight: 2, color: colour("--post"), fillColor: colour("--surface"), fillOpacity: 1,
      interactive: false }).addTo(group);
  }
  const wrong = fault && content.ground?.[fault.line]?.[fault.index];
  if (wrong) leaflet.circleMarker(at(wrong), { radius: 11, weight: 4, color: colour("--bad"), fillOpacity: 0.15,
    interactive: false }).addTo(group);
  const next = stops.find(({ instance }) => instance.isTarget)?.place;
  if (next) drawWay(leaflet, group, at(next));
  if (!fit) return;
  // Whoever walks wants to see where to go; the whole way is for who only looks.
  const here = next && own(), points = here ? [at(here), at(next)] : [...area, ...route].map(at);
  if (points.length > 0) await fitTo(points, lasts);
}

/** Ends when another tour, or nothing, is drawn. */
let ended = new AbortController();

/**
 * Draws a line from the own place to the next stop, which follows it.
 * @param {any} leaflet
 * @param {any} group
 * @param {[number, number]} to
 */
function drawWay(leaflet, group, to) {
  const line = leaflet.polyline([], { weight: 3, dashArray: "2 8", color: colour("--own"), interactive: false })
    .addTo(group);
  const draw = () => {
    const here = own();
    line.setLatLngs(here ? [at(here), to] : []);
  };
  on("place", draw, ended.signal);
  draw();
}

/** @param {any} group */
function clear(group) {
  ended.abort();
  ended = new AbortController();
  group.clearLayers();
}

async function unsketch() {
  const { group } = await mapParts(LAYER);
  clear(group);
  await putMarkers(LAYER, []);
  tell("undrawn");
}
