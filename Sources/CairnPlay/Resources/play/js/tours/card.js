// A tour in a list: its picture and a map, length and time, stops, price, how far from here it begins (TRT-2).

import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { cardOf } from "../components/card.js";
import { glance, words } from "./content.js";
import { away, length, price } from "./figures.js";
import { outlined } from "./outline.js";
import { picture } from "./picture.js";

/** What was read of tours: lists are drawn often. @type {Map<string, Promise<any>>} */
const known = new Map();
/** Most of them; the one that was read first is forgotten. */
const KNOWN_MAX = 200;
/** One after the other, so that a long list does not use up what the person may ask for. */
let queue = /** @type {Promise<any>} */ (Promise.resolve());

/**
 * @param {any} tour
 * @param {boolean} isDraft
 */
function read(tour, isDraft) {
  const key = `${tour.id} ${tour.version} ${isDraft}`;
  const found = known.get(key) ?? (queue = queue.then(() => glance(tour.id, isDraft)).catch(() => null));
  // Drafts change without a new version.
  if (!isDraft) {
    known.set(key, found);
    // What did not arrive is asked for again.
    found.then((/** @type {any} */ one) => { if (!one) known.delete(key); });
  }
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value ?? "");
  return found;
}

/** What is drawn into a card when it is seen. @type {WeakMap<Element, () => void>} */
const unseen = new WeakMap();
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    unseen.get(target)?.();
  }
}, { rootMargin: "200px" });

/**
 * The card of a tour, a link to it. Picture, map and number of stops come when it is seen.
 * @param {any} tour
 * @param {{isOwn?: boolean}} options `isOwn`: of one's own organisation, to be edited
 */
export function tourCard(tour, { isOwn = false } = {}) {
  const media = make("span", { class: "tour-media" });
  const stops = make("span", { class: "tour-stops" });
  const facts = [length(tour), price(tour), away(tour)].filter(Boolean);
  const element = cardOf(make("a", {
    class: "tour-card", href: isOwn ? `#/tours/edit/${tour.id}` : `#/tours/${tour.id}`, "data-tour": tour.id },
  media, make("span", { class: "tour-words" },
    make("strong", { dir: "auto" }, words(tour.name) || tour.code),
    make("span", { class: "quiet", dir: "auto" }, isOwn ? t(`tour.state.${tour.state || "draft"}`)
      : t("tours.by", { name: tour.organisationName ?? "" })),
    make("span", { class: "tour-facts" }, ...facts.map((one) => make("span", {}, one)), stops))));
  unseen.set(element, async () => {
    if (tour.picture) media.append(picture(tour));
    const found = await read(tour, isOwn);
    if (!found) return;
    media.append(outlined(found, { isHalf: Boolean(tour.picture) }));
    const { stops: { length: n }, isWhole } = found;
    // Of a long tour the first page has the first stops alone.
    if (isWhole || n > 0) stops.textContent = t("tours.stopCount", { n: isWhole ? n : `${n}+` });
  });
  watcher.observe(element);
  return element;
}
