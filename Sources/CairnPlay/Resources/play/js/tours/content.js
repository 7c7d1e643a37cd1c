// Tours as the server gives them: texts in several languages, contents in pages.

import { client } from "../core/app.js";
import { language } from "../core/texts.js";

/**
 * A text of a tour in the person's language, else in the first that it has.
 * @param {any} text
 * @returns {string}
 */
export function words(text) {
  const all = text?.words ?? [];
  const own = all.find((/** @type {any} */ one) => one.language.split("-")[0] === language);
  return (own ?? all[0])?.text ?? "";
}

/**
 * The language and recording of what `words` gives.
 * @param {any} text
 * @returns {{language: string, audio: string}}
 */
export function voice(text) {
  const all = text?.words ?? [];
  const own = all.find((/** @type {any} */ one) => one.language.split("-")[0] === language) ?? all[0];
  return { language: own?.language ?? language, audio: own?.audio ?? "" };
}

/**
 * The recording of the words in the person's language, without another one's in its place.
 * @param {any} text
 * @returns {string}
 */
export function recording(text) {
  return (text?.words ?? []).find((/** @type {any} */ one) => one.language.split("-")[0] === language)?.audio ?? "";
}

/**
 * A text of a tour with the words of the person's language put in; other languages stay, and so does the recording
 * where no other is named.
 * @param {any} text
 * @param {string} own
 * @param {string} [audio]
 */
export function withWords(text, own, audio = recording(text)) {
  const others = (text?.words ?? []).filter((/** @type {any} */ one) => one.language.split("-")[0] !== language);
  return { words: own.trim() ? [{ language, text: own.trim(), audio }, ...others] : others };
}

/**
 * All pages of a tour put together.
 * @param {(page: number) => Promise<any>} ask
 */
async function whole(ask) {
  const first = await ask(0);
  const content = { facts: {}, ground: { area: [], route: [] }, stops: [], popups: [], ...first.content };
  content.ground = { ...content.ground, area: [...(content.ground.area ?? [])],
    route: [...(content.ground.route ?? [])] };
  content.stops = [...(content.stops ?? [])];
  content.popups = [...(content.popups ?? [])];
  for (let page = 1; page < (first.pages ?? 1); page += 1) {
    const { content: more = {} } = await ask(page);
    content.ground.area.push(...(more.ground?.area ?? []));
    content.ground.route.push(...(more.ground?.route ?? []));
    content.stops.push(...(more.stops ?? []));
    content.popups.push(...(more.popups ?? []));
  }
  const parts = new Map((first.parts ?? []).map((/** @type {any} */ { part, version }) => [part, version]));
  return { tour: first.tour, content, parts, preview: first.preview };
}

/**
 * A published tour, or its draft.
 * @param {string} tour
 * @param {boolean} draft
 */
export function readTour(tour, draft = false) {
  return whole((page) => client.request("getTour", { tour, draft, page }));
}

/**
 * The first page of a tour, or of its draft: enough for its route and its first stops.
 * @param {string} tour
 * @param {boolean} draft
 */
export async function glance(tour, draft = false) {
  const { content = {}, pages = 1 } = await client.request("getTour", { tour, draft });
  return { ground: content.ground ?? {}, stops: content.stops ?? [], isWhole: pages <= 1 };
}

/** What the person's run walks. */
export function readRun() {
  return whole((page) => client.request("getRunContent", { page }));
}
