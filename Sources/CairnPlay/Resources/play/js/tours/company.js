// What a run adds to the picture: the stops of its tour, which of them comes next, and those of the own group who show
// where they are (TRT-8, TRM-11).

import { bearing, distance } from "../core/geo.js";
import { fellows } from "./group.js";
import { make } from "../core/page.js";
import { openSheet } from "../components/sheet.js";
import { own } from "../core/place.js";
import { stops } from "./run.js";
import { t } from "../core/texts.js";
import { title, whereabouts } from "../core/view.js";
import { words } from "./content.js";

/** @typedef {import("../core/view.js").Item} Item */

/**
 * @param {Item["kind"]} kind
 * @param {string} key
 * @param {any} instance
 * @param {any} position
 * @returns {Item}
 */
function item(kind, key, instance, { lat = 0, lon = 0, h = null }) {
  const here = own(), place = { lat, lon, h };
  return {
    key, kind, instance, place, isOwn: false, distance: here ? distance(here, place) : 0,
    bearing: here ? bearing(here, place) : 0,
  };
}

/** The stops of the tour that is walked, in their order. */
export function stopsAround() {
  return stops().map((stop, n) => item("stop", `stop:${stop.id}`,
    { ...stop, name: `${n + 1}. ${words(stop.name)}` }, stop.pose?.geopose?.position ?? {}));
}

/** Those of the own group whose place is known. */
function fellowsAround() {
  return fellows().map((one) => item("fellow", `fellow:${one.id}`, one, one));
}

/** All of them, nearest first. */
export function company() {
  return [...stopsAround(), ...fellowsAround()].sort((a, b) => a.distance - b.distance);
}

/**
 * What is drawn: a ring under each stop, too, so that it is known for one.
 * @param {Item[]} found
 * @returns {Item[]}
 */
export function withRings(found) {
  return found.flatMap((one) => (one.kind === "stop" ? [one, { ...one, kind: "ring" }] : [one]));
}

/**
 * Shows what a stop or a member of the group is; false where the key is of something else.
 * @param {string} key
 */
export function openCompany(key) {
  const found = company().find((one) => one.key === key);
  if (!found) return false;
  openSheet(title(found), [make("p", { class: "quiet" }, [t(found.kind), found.instance.isTarget && t("stop.next"),
    found.instance.isGuide && t("group.guide"), whereabouts(found)].filter(Boolean).join(" · ")),
  found.kind === "stop" && make("p", { dir: "auto" }, words(found.instance.alternative)),
  make("a", { class: "button", href: "#/tours/run" }, t("run.title"))].filter(Boolean), { kind: "company" });
  return true;
}
