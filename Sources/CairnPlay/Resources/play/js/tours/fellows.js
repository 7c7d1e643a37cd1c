// Those of the own group on a tour who show where they are, on the map of the run.

import { make } from "../core/page.js";
import { mapParts } from "../map/map.js";
import { t } from "../core/texts.js";

/** @type {{lat: number, lon: number, name: string, isGuide: boolean}[]} */
let shown = [];
/** @type {any} */
let layer = null;

/**
 * Draws them in place of those before; their names are beside them.
 * @param {typeof shown} fellows
 */
export async function drawFellows(fellows) {
  shown = fellows;
  if (!layer && fellows.length === 0) return;
  const { leaflet, map } = await mapParts();
  layer ??= leaflet.layerGroup().addTo(map);
  layer.clearLayers();
  for (const { lat, lon, name, isGuide } of shown) {
    const element = make("span", { class: `fellow${isGuide ? " guide" : ""}` },
      make("span", { class: "mark person", "aria-hidden": "true" }),
      make("span", { class: "fellow-name", dir: "auto" }, name),
      isGuide && make("span", { class: "unseen" }, ` (${t("group.guide")})`));
    const icon = leaflet.divIcon({ className: "fellow-box", html: element, iconSize: [0, 0] });
    leaflet.marker([lat, lon], { icon, keyboard: false, interactive: false, zIndexOffset: 900 }).addTo(layer);
  }
}
