// What is around, as all three views show it: Realm, map and list take it from here, so they always agree.

import { client, isLow, on, tell } from "./app.js";
import { bearing, compass, distance } from "./geo.js";
import { own } from "./place.js";
import { paced } from "./page.js";
import { setting } from "./settings.js";
import { has, metres, t } from "./texts.js";

/**
 * @typedef {object} Item
 * @property {string} key id of the instance, or `person:` and the account
 * @property {"thing" | "post" | "person" | "stop" | "ring" | "fellow"} kind stops and fellows are of a run
 * @property {any} instance what the server sent
 * @property {{lat: number, lon: number, h: number | null}} place
 * @property {number} distance metres; 0 while the own place is not known
 * @property {number} bearing degrees clockwise from north
 * @property {boolean} isOwn
 */

/** Most things, and most people, that the views show at a time: the nearest. */
export const SHOWN = isLow ? 1000 : 1500;

/** @type {Item[] | null} */
let known = null;
/** How many things and posts there are, shown or not. */
export let total = 0;
/** How many people there are who share where they are, shown or not. */
export let crowdTotal = 0;
/** @type {Item[] | null} */
let crowd = null;
let crowdSince = 0;
/** Milliseconds for which people count as where they were found. */
const CROWD_MS = 15;

/**
 * Name of an object: "heart" of `preset:heart`, in the page's language where it has one.
 * @param {string} object
 */
export function objectName(object) {
  const short = object.replace(/^.*:/, "");
  return has(`object.${short}`) ? t(`object.${short}`) : short;
}

/**
 * What an item is called in lists and by screen readers.
 * @param {Item} item
 */
export function title(item) {
  if (["person", "stop", "fellow"].includes(item.kind)) return item.instance.name;
  if (item.kind === "post") return item.instance.text;
  return item.instance.text ? `${objectName(item.instance.object)}: ${item.instance.text}`
    : objectName(item.instance.object);
}

/**
 * Where an item is, in words: "12 m, north-east".
 * @param {Item} item
 */
export function whereabouts(item) {
  return own() ? t("whereabouts", { distance: metres(item.distance), direction: compass(item.bearing) }) : "";
}

/**
 * Whether the instance is one's own.
 * @param {any} instance
 */
export function isOwn(instance) {
  return client.view.isOwn(instance.id);
}

/**
 * Everything around, nearest first.
 * @returns {Item[]}
 */
export function items() {
  if (known) return known;
  if (!client || setting("display.objects") === "off") {
    total = 0;
    return (known = []);
  }
  const here = own();
  const found = [];
  for (const instance of client.thingsAround()) {
    const position = instance.pose?.geopose?.position;
    if (position) found.push(item("thing", instance.id, instance, position, here));
  }
  for (const instance of client.postsAround()) {
    const position = instance.post?.place;
    if (position) found.push(item("post", instance.id, instance, { ...position, h: null }, here));
  }
  found.sort((a, b) => a.distance - b.distance || (a.key < b.key ? -1 : 1));
  total = found.length;
  return (known = found.slice(0, SHOWN));
}

/**
 * The nearest people who share where they are, as at this moment: asked for several times for a picture, found once.
 * @returns {Item[]}
 */
export function people() {
  const now = performance.now();
  if (crowd && now - crowdSince < CROWD_MS) return crowd;
  const here = own();
  const found = client.people()
    .filter((/** @type {any} */ person) => person.pose)
    .map((/** @type {any} */ person) => item("person", `person:${person.id}`, person, person.pose, here))
    .sort((/** @type {Item} */ a, /** @type {Item} */ b) => a.distance - b.distance);
  crowdTotal = found.length;
  crowdSince = now;
  return (crowd = found.slice(0, SHOWN));
}

/** Whether there is more around than is shown. */
export function isThinned() {
  return total > SHOWN || crowdTotal > SHOWN;
}

/**
 * @param {Item["kind"]} kind
 * @param {string} key
 * @param {any} instance
 * @param {any} position
 * @param {any} here
 * @returns {Item}
 */
function item(kind, key, instance, position, here) {
  return {
    key, kind, instance, place: { lat: position.lat ?? 0, lon: position.lon ?? 0, h: position.h ?? null },
    distance: here ? distance(here, position) : 0, bearing: here ? bearing(here, position) : 0,
    isOwn: kind !== "person" && isOwn(instance),
  };
}

/**
 * A post as an item, also one that is not in view: of a page that the server gave.
 * @param {any} instance
 */
export function postItem(instance) {
  return item("post", instance.id, instance, { ...instance.post.place, h: null }, own());
}

/**
 * The item with this key; undefined when it is out of view.
 * @param {string} key
 */
export function itemOf(key) {
  return key.startsWith("person:") ? people().find((one) => one.key === key) : items().find((one) => one.key === key);
}

/**
 * The height of the ground where the user is: their own, else that of most things around, else 0.
 * @param {Item[]} [around]
 */
export function groundHeight(around = items()) {
  const here = own();
  if (here?.h != null) return here.h - 1.6;
  const heights = around.slice(0, 60).flatMap(({ place }) => (place.h != null ? [place.h] : [])).sort((a, b) => a - b);
  return heights.length > 0 ? heights[Math.floor(heights.length / 2)] : 0;
}

const tellViews = paced(30, () => {
  known = null;
  tell("view");
});

/** Tells the views, once for all changes of a moment. */
export function changed() {
  known = crowd = null;
  tellViews();
}

/**
 * Follows the client.
 * @param {any} client
 */
export function followView(client) {
  for (const name of ["appeared", "changed", "disappeared", "unfollowed", "followed", "welcomed", "emptied"]) {
    client.on(name, changed);
  }
  client.on("presence", () => {
    crowd = null;
    tell("people");
  });
  on("place settings language", changed);
}
