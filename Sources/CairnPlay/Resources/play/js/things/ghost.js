// The draft on the map, which can be dragged there.

import { change, draft } from "../core/draft.js";
import { FOLLOWS, mark, marker } from "../components/marker.js";

/** @type {any} */
let ghost = null;

/**
 * Draws the draft, if there is one.
 * @param {{leaflet: any, map: any, group: any}} parts
 */
export function drawDraft({ leaflet, map, group }) {
  if (!draft) {
    ghost?.remove();
    ghost = null;
    return;
  }
  const where = /** @type {[number, number]} */ ([draft.place.lat, draft.place.lon]);
  if (!ghost) {
    ghost = marker(leaflet, where, mark("thing ghost", draft.object), { size: 36, interactive: true, draggable: true,
      zIndexOffset: 2000 }).addTo(group);
    ghost.on("drag", () => {
      const { lat, lng } = ghost.getLatLng();
      if (draft) change({ place: { ...draft.place, lat, lon: lng } });
    });
    map.setView(where, Math.max(19, map.getZoom()), { ...FOLLOWS });
  } else if (!ghost.getLatLng().equals(leaflet.latLng(where))) ghost.setLatLng(where);
}
