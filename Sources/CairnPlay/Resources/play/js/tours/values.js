// The parts of a draft as their forms have them, and as the server has them.

import { limits } from "../core/app.js";
import { language, locale, t } from "../core/texts.js";
import { groundHeight, objectName } from "../core/view.js";
import { recording, withWords, words } from "./content.js";
import { money } from "./figures.js";
import { parsedPrice, typedPrice } from "./price.js";
import { UNWRITTEN } from "./whole.js";

/**
 * @typedef {{name: string, description: string, links: string, price: string, minutes: string, picture: string,
 *   pictureAlternative: string}} FactsValue
 */
/** @typedef {{lat: number, lon: number, h?: number}} Place */

const FORWARD = "TOUR_DIRECTION_FORWARD";

/**
 * A text as a field has it: what is not written yet is empty.
 * @param {any} text
 */
const field = (text) => {
  const written = words(text);
  return written === UNWRITTEN ? "" : written;
};

/**
 * The refusal of a field by the page itself, in words that name it.
 * @param {string} name
 * @param {string} message
 */
export function wrongField(name, message) {
  return Object.assign(new Error(message), { code: "form", details: { field: name } });
}

/**
 * @param {any} [facts]
 * @returns {FactsValue}
 */
export function factsValue(facts = {}) {
  return {
    name: field(facts.name), description: field(facts.description), links: (facts.links ?? []).join("\n"),
    price: typedPrice(facts.price ?? 0, locale), minutes: facts.seconds ? String(Math.round(facts.seconds / 60)) : "",
    picture: facts.picture ?? "", pictureAlternative: field(facts.pictureAlternative),
  };
}

/**
 * The facts that the form says. Throws what names the field that is wrong.
 * @param {FactsValue} value
 * @param {any} [before] as the server has them: other languages stay
 */
export function factsOf(value, before = {}) {
  const price = parsedPrice(value.price, [t("tours.free")]), most = limits().tourPrice ?? 0;
  if (price === null || most && price > most) {
    throw wrongField("price", t("tour.price.wrong", { most: money(most), example: money(450) }));
  }
  if (!/^\d{0,5}$/.test(value.minutes.trim())) {
    throw wrongField("minutes", t("form.whole", { field: t("tour.minutes") }));
  }
  const links = value.links.split("\n").map((one) => one.trim()).filter(Boolean);
  const wrong = links.findIndex((one) => !/^https?:\/\/[^/?#:\s][^\s]*$/i.test(one));
  if (wrong >= 0) throw wrongField("links", t("tour.link.wrong", { n: wrong + 1, link: links[wrong].slice(0, 60) }));
  if (value.picture && !value.pictureAlternative.trim()) {
    throw wrongField("pictureAlternative", t("form.missing", { fields: t("tour.picture.alternative") }));
  }
  return {
    ...before, name: withWords(before.name, value.name), description: withWords(before.description, value.description),
    links, price, seconds: Number(value.minutes) * 60, picture: value.picture,
    pictureAlternative: value.picture ? withWords(before.pictureAlternative, value.pictureAlternative)
      : { words: [] },
  };
}

/** @param {any} [ground] */
export function groundValue(ground = {}) {
  const plain = (/** @type {any[]} */ points = []) => points.map(({ lat = 0, lon = 0 }) => ({ lat, lon }));
  const direction = (ground.direction ?? "").endsWith("WARD") ? ground.direction : FORWARD;
  return { area: plain(ground.area), route: plain(ground.route), direction };
}

/** @param {any} stop */
export function stopValue(stop) {
  const { lat = 0, lon = 0, h = 0 } = stop.pose?.geopose?.position ?? {};
  return { name: field(stop.name), object: stop.object ?? "", history: field(stop.history),
    alternative: field(stop.alternative), audio: recording(stop.history), place: { lat, lon, h } };
}

/**
 * A stop that was just drawn: it has a name at once.
 * @param {{lat: number, lon: number}} place
 * @param {number} n which one it is, from 1
 */
export function newStop({ lat, lon }, n) {
  const object = limits().presets?.[0] ?? "";
  return { name: t("tour.stop.new", { n }), object, history: "", alternative: objectName(object), audio: "",
    place: { lat, lon, h: groundHeight() } };
}

/**
 * The stop that the form says, as the server takes it: a history that is not written yet is a mark of that.
 * @param {any} value
 * @param {any} [before]
 */
export function stopOf(value, before = {}) {
  for (const name of ["name", "alternative"]) {
    if (!value[name].trim()) throw wrongField(name, t("form.missing", { fields: t(`tour.stop.${name}`) }));
  }
  if (value.audio && !value.history.trim()) {
    throw wrongField("history", t("form.missing", { fields: t("tour.stop.history") }));
  }
  const geopose = { quaternion: { x: 0, y: 0, z: 0, w: 1 }, ...before.pose?.geopose, position: value.place };
  return { ...before, object: value.object, pose: { scale: 1, ...before.pose, geopose },
    name: withWords(before.name, value.name), history: written(before.history, value.history, value.audio),
    alternative: withWords(before.alternative, value.alternative) };
}

/**
 * A text with what was written, or with the mark of what is not written yet, which is in one language alone.
 * @param {any} before
 * @param {string} text
 * @param {string} [audio]
 */
function written(before, text, audio = "") {
  const others = (before?.words ?? []).filter((/** @type {any} */ one) => one.text !== UNWRITTEN);
  const all = withWords({ words: others }, text, audio);
  return all.words.length > 0 ? all : { words: [{ language, text: UNWRITTEN, audio: "" }] };
}

/** @param {any} popup */
export function popupValue(popup) {
  const { lat = 0, lon = 0, h = 0 } = popup.place ?? {};
  return { text: field(popup.text), place: { lat, lon, h } };
}

/** @param {{lat: number, lon: number}} place */
export function newPopup({ lat, lon }) {
  return { text: "", place: { lat, lon, h: groundHeight() } };
}

/**
 * @param {any} value
 * @param {any} [before]
 */
export function popupOf(value, before = {}) {
  return { ...before, place: value.place, text: written(before.text, value.text) };
}
