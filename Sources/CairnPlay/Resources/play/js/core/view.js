// What is around, as all three views show it: Realm, map and list take it from here, so they always agree.

import { client, isLow, on, tell } from "./app.js";
import { given, table } from "./extensions.js";
import { bearing, compass, distance } from "./geo.js";
import { roughness } from "./grid.js";
import { paced } from "./page.js";
import { eye, own } from "./place.js";
import { setting } from "./settings.js";
import { has, metres, t } from "./texts.js";

/**
 * @typedef {object} Item
 * @property {string} key id of the instance, or `person:` and the account
 * @property {string} kind as a feature gives it: "thing", "post", "person"...
 * @property {any} instance what the server sent
 * @property {{lat: number, lon: number, h: number | null}} place
 * @property {number} distance metres from where the world is seen; 0 while that is not known
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
 * The kind of an item, as a feature gives it.
 * @param {Item} item
 * @returns {Partial<import("./extensions.js").Kind>}
 */
export function kindOf(item) {
  return table("kinds")[item.kind] ?? {};
}

/**
 * What an item is called in lists and by screen readers.
 * @param {Item} item
 * @returns {string}
 */
export function title(item) {
  return kindOf(item).title?.(item) ?? item.instance.name;
}

/**
 * The same with its kind before it, where the title does not say that.
 * @param {Item} item
 */
export function fullTitle(item) {
  return kindOf(item).isNamedAlone ? title(item) : `${t(item.kind)}: ${title(item)}`;
}

/**
 * How far an item is, as exactly as it is known.
 * @param {Item} item
 */
export function distanceOf({ kind, instance, distance }) {
  const rough = kind === "person" ? roughness(instance) : 0;
  if (rough > distance) return metres(Math.ceil(rough / 10) * 10);
  return metres(rough > 0 ? Math.round(distance / 10) * 10 || 10 : distance);
}

/**
 * Where an item is, in words, as exactly as it is known: "12 m, north-east".
 * @param {Item} item
 */
export function whereabouts(item) {
  if (!own()) return "";
  const rough = item.kind === "person" ? roughness(item.instance) : 0, distance = distanceOf(item);
  if (rough > item.distance) return t("whereabouts.near", { distance });
  return t(rough > 0 ? "whereabouts.rough" : "whereabouts", { distance, direction: compass(item.bearing) });
}

/**
 * Whether the instance is one's own.
 * @param {any} instance
 */
export function isOwn(instance) {
  return client.view.isOwn(instance.id);
}

/**
 * Whether an item steps back: it is not of what the person has chosen to look at.
 * @param {Item} item
 */
export function isAside(item) {
  return given("aside").some((is) => is(item));
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
  const here = eye();
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
 * The nearest other people who share where they are, as at this moment: asked for several times for a picture, found once.
 * @returns {Item[]}
 */
export function people() {
  const now = performance.now();
  if (crowd && now - crowdSince < CROWD_MS) return crowd;
  const here = eye();
  const found = client.people()
    .filter((/** @type {any} */ person) => person.pose && person.id !== client.welcome?.account)
    .map((/** @type {any} */ person) => item("person", `person:${person.id}`, person, person.pose, here))
    .sort((/** @type {Item} */ a, /** @type {Item} */ b) => a.distance - b.distance);
  crowdTotal = found.length;
  crowdSince = now;
  return (crowd = found.slice(0, SHOWN));
}

/**
 * What features add to what is around, such as the stops of a tour that is walked: nearest first.
 * @returns {Item[]}
 */
export function added() {
  return given("items").flatMap((items) => items()).sort((a, b) => a.distance - b.distance);
}

/** Whether there is more around than is shown. */
export function isThinned() {
  return total > SHOWN || crowdTotal > SHOWN;
}

/**
 * @param {string} kind
 * @param {string} key
 * @param {any} instance
 * @param {any} position
 * @param {any} here
 * @returns {Item}
 */
function item(kind, key, instance, position, here) {
  const place = { lat: position.lat ?? 0, lon: position.lon ?? 0, h: position.h ?? null };
  return {
    key, kind, instance, place, distance: here ? distance(here, place) : 0, bearing: here ? bearing(here, place) : 0,
    isOwn: (kind === "thing" || kind === "post") && isOwn(instance),
  };
}

/**
 * Something that is around without being in view: what a feature adds, or what a page of the server has.
 * @param {string} kind
 * @param {string} key
 * @param {any} instance
 * @param {any} position
 */
export function itemAt(kind, key, instance, position) {
  return item(kind, key, instance, position, eye());
}

/**
 * The item with this key; undefined when it is out of view.
 * @param {string} key
 */
export function itemOf(key) {
  const is = (/** @type {Item} */ one) => one.key === key;
  return key.startsWith("person:") ? people().find(is) : items().find(is) ?? added().find(is);
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
