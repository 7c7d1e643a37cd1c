// Where tours begin, beside what is around: for those who may walk one, while they are on none and look at none.

import { client, isSignedIn, limits, on } from "../core/app.js";
import { distance } from "../core/geo.js";
import { eye } from "../core/place.js";
import { changed, itemAt } from "../core/view.js";
import { words } from "./content.js";
import { isDrawn } from "./drawn.js";
import { run } from "./run.js";

/** Metres up to which they are shown; and that one has to be away from where they were asked for. */
const NEAR = 2_000, MOVED = 300;
/** For so long what was answered counts; and a refusal. */
const OLD_MS = 600_000, REFUSED_MS = 60_000;

/** @type {any[]} the nearest tours, one page of them */
let found = [];
/** @type {{lat: number, lon: number} | null} where they were asked for */
let asked = null;
/** When they are asked for again. */
let next = 0;

/** Only general members walk tours; a guest is asked for a name at the tour. */
const mayWalk = () => (isSignedIn() ? client.welcome?.role === "general" : Boolean(limits().guestsLook));

/** Those that are near, as items. */
export function beginnings() {
  if (run || isDrawn() || !client || !mayWalk()) return [];
  return found.map((tour) => itemAt("tour", `tour:${tour.id}`, { ...tour, name: words(tour.name) || tour.code },
    tour.start)).filter((item) => item.distance < NEAR);
}

/** Whether what is around is there: it goes first on a slow network. */
function isThere() {
  const topics = [...client.view.topics.values()];
  return client.isLive && topics.length > 0 && topics.every(({ isComplete }) => isComplete);
}

/** Asks for them where one looks to, when that is somewhere else or they were read long ago. */
async function ask() {
  const from = eye(), now = performance.now();
  if (!from || run || !mayWalk() || asked && now < next && distance(asked, from) < MOVED || !isThere()) return;
  asked = from;
  next = now + OLD_MS;
  try {
    const { tours = [] } = await client.request("listTours", { near: { lat: from.lat, lon: from.lon } });
    // Where one has gone on meanwhile, others have been asked for.
    if (asked !== from) return;
    found = tours.filter((/** @type {any} */ { start }) => start);
    changed();
  } catch {
    if (asked === from) next = now + REFUSED_MS;
  }
}

/** Follows where one looks to, and the language, in which the server names them. */
export function followBeginnings() {
  on("language", () => { next = 0; });
  on("view", ask);
  ask();
}
