// Leads to an item: on the map, or in the Realm where the person is there.

import { pick } from "../core/picked.js";
import { go, route } from "../core/router.js";
import { mapParts } from "./map.js";

/**
 * Selects an item, and brings it into the middle of the map where that is shown.
 * @param {import("../core/view.js").Item} item which need not be in view
 */
export async function showItem(item) {
  if (route().place !== "realm") go("map");
  await pick(item.key, { item });
  if (route().place === "realm") return;
  const { map } = await mapParts(), { lat, lon } = item.place;
  // The map has become smaller by the sheet.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    map.invalidateSize({ pan: false });
    map.panTo([lat, lon], { animate: false });
  }));
}
