// The texts of the page in five languages. Each folder has its own, in `texts/LANGUAGE.json`; the server gives those of
// all folders in one answer, `/play/texts/LANGUAGE.json`, by the names of the folders.

import { given } from "./extensions.js";

/** The languages that the page is written in, each by its own name. */
export const LANGUAGES = { en: "English", es: "Español", fr: "Français", hi: "हिन्दी", zh: "中文" };

/** The folders below the features. */
const SHARED = ["core", "components", "frame"];

/** @type {Record<string, string>} */
let texts = {};
/** The language of the texts at present: one of LANGUAGES. */
export let language = "en";

/** The language of the page as the browser writes it, with its region: dates and numbers are written by it. */
export let locale = "en";

/**
 * The language of the page that fits best what was asked for.
 * @param {readonly string[]} wanted BCP 47, best first.
 */
export function fitting(wanted) {
  return wanted.map((one) => one.split("-")[0].toLowerCase()).find((one) => one in LANGUAGES) ?? "en";
}

/** Whether a part of the page needs the texts that the first view does without. */
let isWhole = false;
/** @type {Promise<void> | null} */
let more = null;

/**
 * The texts of a file: those that all share, and those of the features of the register.
 * @param {string} name
 * @returns {Promise<[string, string][]>}
 */
async function read(name) {
  const parts = await (await fetch(`/play/texts/${name}.json`)).json(), keys = hasKeys();
  return [...SHARED, ...given("name")].flatMap((folder) => Object.entries(parts[folder] ?? {}))
    .map(([key, text]) => /** @type {[string, string]} */ ([key, text.replace(/\[(.*?)\]/g, keys ? "$1" : "")]));
}

/** Whether there is a keyboard, as far as one can know: what stands in brackets in a text is said there alone. */
export function hasKeys() {
  return Boolean(globalThis.matchMedia?.("(hover: hover) and (pointer: fine)").matches);
}

/**
 * Reads the texts of a language. Each language has all of them.
 * @param {string} wanted
 * @returns {Promise<void>}
 */
export async function speak(wanted) {
  const wasWhole = isWhole;
  const found = await Promise.all([wanted, ...(isWhole ? [`more-${wanted}`] : [])].map(read));
  // The rest was asked for meanwhile.
  if (wasWhole !== isWhole) return speak(wanted);
  texts = Object.fromEntries(found.flat());
  language = wanted;
  locale = navigator.languages.find((one) => one.split("-")[0].toLowerCase() === wanted) ?? wanted;
  const { documentElement: root } = document;
  root.lang = wanted;
  root.dir = new URLSearchParams(globalThis.location?.search).get("dir") ?? t("dir");
}

/**
 * Reads the texts that the first view does without. Where the page is built they are a file of their own, for which
 * each part waits that is loaded later (`scripts/play-bundle`).
 * @returns {Promise<void>} rejects where they do not arrive; the next call asks again
 */
export function readMore() {
  isWhole = true;
  const of = language;
  more ??= read(`more-${of}`).then((found) => {
    // Another language has come meanwhile with its own.
    if (of === language) Object.assign(texts, Object.fromEntries(found));
  }, (error) => {
    more = null;
    throw error;
  });
  return more;
}

/**
 * A value that may be written from right to left, kept from turning the words around it.
 * @param {string} value
 */
function apart(value) {
  return /[\p{Script=Hebrew}\p{Script=Arabic}\u200f\u202a-\u202e\u2066-\u2069]/u.test(value) ? `\u2068${value}\u2069`
    : value;
}

/**
 * A text by its key, with `{name}` replaced by values.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => apart(String(values[name] ?? whole)));
}

/**
 * Whether there is a text with this key.
 * @param {string} key
 */
export function has(key) {
  return key in texts;
}

/**
 * Characters as readers and the server count them.
 * @param {string} text
 */
export function characters(text) {
  const Segmenter = /** @type {any} */ (Intl).Segmenter;
  return Segmenter ? [...new Segmenter().segment(text)].length : [...text].length;
}

/**
 * A number in the language of the page.
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 0) {
  return value.toLocaleString(locale, { maximumFractionDigits: digits });
}

/**
 * A distance in words.
 * @param {number} metres
 */
export function metres(metres) {
  if (metres >= 1000) return t("unit.km", { n: number(metres / 1000, 1) });
  return t("unit.m", { n: number(metres, metres < 10 ? 1 : 0) });
}

/**
 * A point in time, with the day where it is not today.
 * @param {number} ms since 1970
 */
export function moment(ms) {
  const date = new Date(ms);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(locale, isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** Milliseconds of an hour: a time of which others are told the hour alone is a whole number of them. */
const HOUR = 3_600_000;

/**
 * When something was made, as exactly as it is known: "today, about 9 PM" where that is the hour.
 * @param {number} ms since 1970
 */
export function madeAt(ms) {
  if (ms % HOUR !== 0) return moment(ms);
  const date = new Date(ms);
  const clock = new Intl.DateTimeFormat(locale, { hour: "numeric" });
  // The hours of others begin at half past in some zones.
  const time = clock.resolvedOptions().hour12 && date.getMinutes() === 0 ? clock.format(date)
    : date.toLocaleTimeString(locale, { timeStyle: "short" });
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(ms).setHours(0, 0, 0, 0)) / (24 * HOUR));
  if (days === 0) return t("about.today", { time });
  if (days === 1) return t("about.yesterday", { time });
  return t("about.day", { day: date.toLocaleDateString(locale, { dateStyle: "medium" }), time });
}

/** What is exact to so many metres is so exact in words. */
const EXACT = /** @type {[number, string][]} */ ([[0.5, "exact.point"], [2, "exact.step"], [10, "exact.steps"]]);

/**
 * How exactly a place is known, in words.
 * @param {number} off metres that it may be wrong by
 */
export function exactly(off) {
  const found = EXACT.find(([most]) => off <= most);
  return found ? t(found[1]) : t("exact.around", { metres: metres(Math.round(off)) });
}

/**
 * A span of time in words.
 * @param {number} ms
 */
export function span(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return t("unit.s", { n: number(seconds) });
  if (seconds < 5400) return t("unit.min", { n: number(seconds / 60) });
  if (seconds < 129600) return t("unit.h", { n: number(seconds / 3600) });
  return t("unit.d", { n: number(seconds / 86400) });
}
