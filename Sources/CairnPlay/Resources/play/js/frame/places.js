// The four places of the page: each is loaded when it is shown for the first time, or when the page has nothing else to
// do.

import { at, fill, make } from "../core/page.js";
import { route } from "../core/router.js";
import { t } from "../core/texts.js";

/** @type {Record<string, () => Promise<() => unknown>>} what shows each place */
const LOAD = {
  realm: async () => (await import("../realm/realm.js")).showRealm,
  map: async () => (await import("../map/map.js")).showMap,
  tours: async () => {
    const { followTours, showTours } = await import("../tours/tours.js");
    followTours();
    return showTours;
  },
  profile: async () => {
    const { followProfile, showProfile } = await import("../profile/profile.js");
    followProfile();
    return showProfile;
  },
};

/** @type {Map<string, Promise<() => unknown>>} */
const loading = new Map();

/**
 * What shows a place; a part that did not arrive is asked for again.
 * @param {string} place
 */
function loaded(place) {
  const part = loading.get(place) ?? LOAD[place]();
  loading.set(place, part);
  part.catch(() => loading.delete(place));
  return part;
}

let shown = "";

/** Shows the place that the address names, unless the person has gone elsewhere before it is loaded. */
export async function showPlace() {
  const { place } = route();
  // What another place has there is not for this one.
  if (place !== shown) fill(at("page"));
  shown = place;
  try {
    const show = await loaded(place);
    if (route().place === place) await show();
  } catch (error) {
    console.warn(error);
    if (route().place !== place) return;
    fill(at("page"), make("p", { class: "plain" }, t("offline.part"), " ",
      make("button", { type: "button", onclick: () => location.reload() }, t("retry"))));
    at("page").hidden = false;
  }
}

/** Loads what the person may go to next, so that going there needs no network. */
export function loadOthers() {
  for (const place of Object.keys(LOAD)) loaded(place).catch(() => {});
}
