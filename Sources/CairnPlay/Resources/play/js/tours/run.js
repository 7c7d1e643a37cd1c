// The run of a tour, as the server tells it: where to go, what was reached, popups (TRT-5 to TRT-12).

import { isSignedIn, on, tell } from "../core/app.js";
import { bearing, distance } from "../core/geo.js";
import { own, sendPlace } from "../core/place.js";
import { go } from "../core/router.js";
import { t } from "../core/texts.js";
import { refuse, toast } from "../components/message.js";
import { readRun, words } from "./content.js";
import { checkDrawn } from "./drawn.js";
import { led, ledTo } from "./group.js";
import { lastWalk } from "./walk.js";

/**
 * After so long a walker who has come to a stand says once more where they are, and so often. A stop is reached by
 * staying at it, and the group is told the newest place when it was told an older one some seconds ago. Not for ever:
 * the person may go on with another device.
 */
const STANDING_MS = 2000, STANDING_TIMES = 3;

/**
 * The run as the server told it last.
 * @type {any}
 */
export let run = null;
/** @type {any} where the target is: metres and bearing */
let guidance = null;
/** The stop to which the guide led when guidance came. */
let aimed = "";
/**
 * What the tour that is walked has, as far as it was read.
 * @type {any}
 */
export let content = null;
/**
 * The summary of that tour, as far as it was read.
 * @type {any}
 */
let tour = null;
/** The tours near by that were said, and those that were walked. @type {Set<string>} */
const nearby = new Set();
/**
 * The message of a tour near by: who begins one needs it no more.
 * @type {{remove: () => void} | null}
 */
let told = null;
/** The run whose end is being shown. */
let finishing = "";
/** How many others walk it. */
export let others = 0;
/**
 * Popups that were shown, newest last.
 * @type {any[]}
 */
export let popups = [];

/**
 * The run is so now. What was known of another one is forgotten.
 * @param {any} next
 */
export function takeRun(next) {
  const isNew = next.id !== run?.id;
  if (run && isNew) forgetRun();
  // What the server has said of the way was to the stop before.
  if (next.target?.id !== run?.target?.id) guidance = null;
  run = next;
  tell("run");
  if (isNew) {
    told?.remove();
    tell("bar");
  }
  nearby.add(next.tour);
  if (next.state !== "RUN_STATE_COMPLETED" || finishing === next.id) return;
  finishing = next.id;
  import("./walked.js").then(({ finish }) => finish(next, tour, endRun)).catch((refusal) => {
    finishing = "";
    // Whoever has signed out has nothing to be told.
    if (isSignedIn()) refuse(refusal);
  });
}

/** What the tour is called that is walked; empty while that is not known. */
export function title() {
  return words(tour?.name);
}

/**
 * What the tour has was read.
 * @param {any} found
 * @param {any} summary of the tour
 */
export function takeContent(found, summary) {
  content = found;
  tour = summary;
  tell("run");
}

/** Whether a tour is being walked. */
export const isWalking = () => run !== null;

/** There is no run any more, and nothing of it is shown. */
export function endRun() {
  const before = run;
  forgetRun();
  if (!before) return;
  tell("run");
  tell("bar");
  checkDrawn();
}

function forgetRun() {
  run = guidance = content = tour = null;
  popups = [];
  others = 0;
}

/**
 * Follows what the server says of runs and of tours near by.
 * @param {any} client
 */
export function followRuns(client) {
  client.on("run", takeRun);
  client.on("runChanged", (/** @type {any} */ { run: next }) => takeRun(next));
  client.on("stopReached", (/** @type {any} */ { run: next }) => {
    takeRun(next);
    if (navigator.vibrate) navigator.vibrate(200);
    // The last one is said by what the walk came to.
    if (next.state === "RUN_STATE_COMPLETED") return;
    toast(t("run.arrived", { name: words(next.last?.name) }),
      { seconds: 20, isNews: true, action: { text: t("open"), run: () => go("tours", "run") } });
  });
  client.on("popupShown", (/** @type {any} */ { popup }) => {
    popups.push(popup);
    toast(words(popup.text), { seconds: 30, isNews: true });
    tell("run");
  });
  client.on("guidance", (/** @type {any} */ next) => {
    guidance = next;
    tell("run");
  });
  client.on("fellowWalkers", (/** @type {any} */ { reached = [] }) => {
    others = reached.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0);
    tell("run");
  });
  client.on("nearbyTours", (/** @type {any} */ { tours = [] }) => {
    // Each is said once, and none to whoever is on one.
    const [near] = tours;
    if (!near || run || nearby.has(near.id)) return;
    nearby.add(near.id);
    told = toast(t("tours.nearby", { name: words(near.name) }), { isNews: true, once: `tour:${near.id}`,
      action: { text: t("open"), run: () => go("tours", near.id) } });
  });
  client.on("emptied", endRun);
  // The page was left between the end of a run and its summary.
  client.on("welcomed", async () => {
    if (!isSignedIn()) return;
    const walk = await lastWalk(client);
    if (walk && !walk.isShown && !run) (await import("./walked.js")).showWalk();
  });
  // It was left on another device, or the server has ended it.
  client.on("unfollowed", (/** @type {any} */ { topic }) => { if (topic === run?.topic) endRun(); });
  let timesLeft = 0;
  on("place", () => { timesLeft = STANDING_TIMES; });
  setInterval(() => {
    if (!run || run.state === "RUN_STATE_PAUSED" || !client.isLive || timesLeft === 0) return;
    timesLeft -= 1;
    sendPlace();
  }, STANDING_MS);
  on("run group route", () => read().catch(() => {}));
}

/**
 * Where the target is: as the server says it with each position, before the first one as the own place says.
 * @param {any} target
 */
export function wayTo(target) {
  if (guidance) return { metres: guidance.metres ?? 0, bearing: guidance.bearing ?? 0 };
  const here = own(), there = target.pose?.geopose?.position;
  return here && there ? { metres: distance(here, there), bearing: bearing(here, there) } : null;
}

/** The stop that the walker goes to: their own next one, or that to which the guide leads all. */
export function goal() {
  return led(content?.stops ?? []) ?? run.target;
}

/**
 * Where the walker goes, for the picture of the Realm; null without a run, and at its end.
 * @returns {{name: string, metres: number, bearing: number} | null}
 */
export function aim() {
  const to = run && goal(), way = to && wayTo(to);
  return way ? { name: words(to.name), ...way } : null;
}

/**
 * The stops of the tour that is walked, as far as they are known; which one comes next.
 * @returns {any[]}
 */
export function stops() {
  if (!run || !content) return [];
  const next = goal()?.id;
  return content.stops.map((/** @type {any} */ stop) => ({ ...stop, isTarget: stop.id === next }));
}

/** The run whose stops are being read. */
let reading = "";

/** Reads the stops and what the tour is called, where that is not known yet. */
async function read() {
  // Guidance of before is to another stop.
  if (aimed !== ledTo()) guidance = null;
  aimed = ledTo();
  if (!run || content || reading === run.id) return;
  reading = run.id;
  try {
    const found = await readRun();
    if (run?.id === reading) ({ content, tour } = found);
  } finally {
    reading = "";
  }
  tell("run");
}
