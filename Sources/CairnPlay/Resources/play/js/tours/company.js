// What a run adds to what is around: the stops of its tour, which of them comes next, and those of the own group who
// show where they are (TRT-8, TRM-11).

import { itemAt } from "../core/view.js";
import { words } from "./content.js";
import { fellows } from "./group.js";
import { stops } from "./run.js";

/** The stops of the tour that is walked, in their order. */
export function stopsAround() {
  return stops().map((stop, n) => itemAt("stop", `stop:${stop.id}`,
    { ...stop, name: `${n + 1}. ${words(stop.name)}` }, stop.pose?.geopose?.position ?? {}));
}

/** Those of the own group whose place is known. */
function fellowsAround() {
  return fellows().map((one) => itemAt("fellow", `fellow:${one.id}`, one, one));
}

/** All of them. */
export function company() {
  return [...stopsAround(), ...fellowsAround()];
}
