// What keys have come to in the 3D view, in words for who does not see it.

import { fromHere, draft } from "../core/draft.js";
import { compass } from "../core/geo.js";
import { ownHeading } from "../core/place.js";
import { metres, t } from "../core/texts.js";
import { added, fullTitle, items, kindOf, people } from "../core/view.js";
import { say } from "../components/message.js";

/** Degrees to each side that count as ahead. */
const AHEAD = 25;
/** After so many milliseconds without another key it is said. */
const PAUSE = 600;

/**
 * The nearest of what is ahead; undefined where nothing is.
 * @template {{bearing: number, distance: number}} Spot
 * @param {Spot[]} spots
 * @param {number} heading degrees
 * @returns {Spot | undefined}
 */
export function ahead(spots, heading) {
  const seen = spots.filter(({ bearing }) => Math.abs((bearing - heading + 540) % 360 - 180) <= AHEAD);
  return seen.sort((a, b) => a.distance - b.distance)[0];
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Says it when the keys rest.
 * @param {boolean} [isStuck] whether the person wanted to walk, and the device says where they are
 */
export function sayAhead(isStuck = false) {
  clearTimeout(waiting);
  waiting = setTimeout(() => say(isStuck ? t("realm.stuck") : words()), PAUSE);
}

function words() {
  if (draft) {
    const { metres: away, degrees } = fromHere();
    return t("whereabouts", { distance: metres(away), direction: compass(degrees) });
  }
  const near = added().filter((item) => !kindOf(item).isAfar);
  const heading = ownHeading(), next = ahead([...near, ...items(), ...people()], heading);
  const facing = t("realm.facing", { direction: compass(heading) });
  return next ? `${facing} ${t("realm.ahead", { what: fullTitle(next), distance: metres(next.distance) })}` : facing;
}
