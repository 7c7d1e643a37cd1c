// Says in one sentence why there is nothing to see, with one way on: nothing is left here, or what is left is elsewhere
// than the map shows.

import { client, limits, selected, tell } from "../core/app.js";
import { table } from "../core/extensions.js";
import { distance } from "../core/geo.js";
import { askGround, shapes } from "../core/ground.js";
import { make } from "../core/page.js";
import { choosePlace, eye, lookAt, own } from "../core/place.js";
import { route } from "../core/router.js";
import { language, metres, t } from "../core/texts.js";
import { people } from "../core/view.js";
import { askPlace } from "./locate.js";
import { middleOf } from "./start.js";

/** Metres to which a place is meant that nobody has chosen by a tap. */
const ABOUT = 5;
/** The world is not called empty before it was so for a while. */
const PATIENCE_MS = 1_500;

/** @type {{node: HTMLElement, key: string} | null} */
let made = null;
/** What the button does now: the place that it leads to may be another one than when it was made. */
let lead = () => /** @type {unknown} */ (undefined);
let since = Infinity;

/**
 * What there is to say; false while there is something to see.
 * @param {boolean} isEmpty whether nothing is around
 * @param {{isElsewhere: boolean}} sight of the map
 */
export async function draw(isEmpty, { isElsewhere }) {
  const from = eye(), others = people();
  const isOnMap = route().place === "map" && route().rest.length === 0;
  // Who is nowhere looks at what they bring into the middle, from some zoom on.
  if (!from || !own() && isElsewhere) return isOnMap && said("nowhere", t("empty.nowhere"), t("where"), askPlace);
  if (isOnMap && isElsewhere) {
    since = Infinity;
    return said("elsewhere", t("empty.elsewhere", { distance: metres(limits().viewRadius ?? 0) }), t("empty.back"),
      () => tell("bring", from));
  }
  const topics = [...client.view.topics.values()];
  if (!isEmpty || others.length > 0 || topics.length === 0 || !topics.every(({ isComplete }) => isComplete)) {
    since = Infinity;
    return false;
  }
  const now = performance.now();
  if (since === Infinity) {
    since = now;
    setTimeout(() => tell("banner"), PATIENCE_MS);
  }
  if (now - since < PATIENCE_MS - 50) return false;
  const words = t(selected.id ? "empty.realm" : "empty.here", { distance: metres(limits().viewRadius ?? 0),
    name: selected.name });
  const there = await mainPlace();
  return there ? said(`there ${words}`, words, t("empty.main"), () => go(there))
    : said(`here ${words}`, words, t("empty.first"), () => table("keys").n());
}

/**
 * The place that the operator names, where one may look or stand by hand, and is not there already.
 * @returns {Promise<{lat: number, lon: number} | null>}
 */
async function mainPlace() {
  const from = eye(), middle = middleOf(await shapes((await askGround()).file));
  if (!from?.isSet || !middle) return null;
  return distance(from, middle) > 2 * (limits().viewRadius ?? 0) ? middle : null;
}

/** @param {{lat: number, lon: number}} place */
function go(place) {
  if (own()) choosePlace(place, ABOUT);
  else lookAt(place, { isChosen: true });
  tell("bring", place);
}

/**
 * The same element as long as the same is said, so that the focus stays in it.
 * @param {string} what
 * @param {string} words
 * @param {string} text
 * @param {() => unknown} run
 */
function said(what, words, text, run) {
  const key = `${what} ${language}`;
  lead = run;
  if (made?.key !== key) {
    made = { key, node: make("div", { class: "row" }, make("p", { class: "grow", role: "status" }, words),
      make("button", { type: "button", onclick: () => lead() }, text)) };
  }
  return made.node;
}
