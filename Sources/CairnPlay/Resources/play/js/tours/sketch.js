// What tours draw on the map: area, route with its direction, stops and popups.

import { glyph } from "../core/glyphs.js";
import { make } from "../core/page.js";
import { mapParts } from "../map/map.js";

/** @param {string} name */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** @param {any} point */
const at = ({ lat = 0, lon = 0 }) => [lat, lon];

/**
 * Draws a tour on the map, in place of the one before.
 * @param {any} content
 * @param {{fit?: boolean, target?: string}} options `target` is the id of the stop to go to
 */
export async function sketch(content, { fit = false, target = "" } = {}) {
  const { leaflet, map, tours } = await mapParts();
  tours.clearLayers();
  /** @type {any} */
  const { area = [], route = [], direction } = content.ground ?? {};
  if (area.length > 0) leaflet.polygon(area.map(at),
    { weight: 2, dashArray: "6 6", color: colour("--accent"), fillOpacity: 0.06, interactive: false }).addTo(tours);
  if (route.length > 0) leaflet.polyline(route.map(at),
    { weight: 5, color: colour("--accent"), opacity: 0.8, interactive: false }).addTo(tours);
  for (const [n, point] of route.entries()) {
    leaflet.circleMarker(at(point), { radius: 3, weight: 1, color: colour("--accent"), fillColor: colour("--surface"),
      fillOpacity: 1, interactive: false }).addTo(tours);
    const isStart = n === (direction === "TOUR_DIRECTION_BACKWARD" ? route.length - 1 : 0);
    if (isStart) leaflet.circleMarker(at(point), { radius: 8, weight: 3, color: colour("--good"), fillOpacity: 0,
      interactive: false }).addTo(tours);
  }
  for (const [n, stop] of (content.stops ?? []).entries()) {
    const position = stop.pose?.geopose?.position;
    if (!position) continue;
    const element = make("span", { class: `mark stop${stop.id && stop.id === target ? " target" : ""}` },
      glyph(stop.object ?? ""), make("span", { class: "unseen" }, String(n + 1)));
    leaflet.marker(at(position), { icon: leaflet.divIcon({ className: "mark-box", html: element, iconSize: [34, 34] }),
      keyboard: false, interactive: false }).addTo(tours);
  }
  for (const popup of content.popups ?? []) {
    if (popup.place) leaflet.circleMarker(at(popup.place),
      { radius: 6, weight: 2, color: colour("--post"), fillColor: colour("--surface"), fillOpacity: 1,
      interactive: false }).addTo(tours);
  }
  const points = [...area, ...route].map(at);
  if (fit && points.length > 0) map.fitBounds(points, { padding: [40, 40], maxZoom: 18, animate: false });
}

/** Takes the drawing away. */
export async function unsketch() {
  const { tours } = await mapParts();
  tours.clearLayers();
}
