// Leads to an item: on the map, or in the Realm where the person is there.

import { pick, picked } from "../core/picked.js";
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
  // Whoever has closed it before it was there is at something else.
  if (picked !== item.key) return;
  // The map has become smaller by the sheet.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    map.invalidateSize({ pan: false });
    map.panTo([lat, lon], { animate: false });
  }));
}
