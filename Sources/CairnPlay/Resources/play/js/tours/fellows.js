// Those of the own group on a tour who show where they are, on the map.

import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { mark, marker } from "../components/marker.js";
import { fellows } from "./group.js";

let drawn = "";

/**
 * Draws them where they are now; their names are beside them.
 * @param {{leaflet: any, group: any}} parts
 */
export function drawFellows({ leaflet, group }) {
  const shown = fellows(), guide = t("group.guide"), now = JSON.stringify([shown, guide]);
  if (now === drawn) return;
  drawn = now;
  group.clearLayers();
  for (const { lat, lon, name, isGuide } of shown) {
    const sign = mark("person");
    sign.setAttribute("aria-hidden", "true");
    const element = make("span", { class: `fellow${isGuide ? " guide" : ""}` }, sign,
      make("span", { class: "fellow-name", dir: "auto" }, name),
      isGuide && make("span", { class: "unseen" }, ` (${guide})`));
    marker(leaflet, [lat, lon], element, { box: "fellow-box", size: 0, zIndexOffset: 900 }).addTo(group);
  }
}
