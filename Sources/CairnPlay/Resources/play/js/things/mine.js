// What others do to what is mine comes to me: a quiet line, once for each thing in a while, that leads to it.

import { pick } from "../core/picked.js";
import { t } from "../core/texts.js";
import { itemOf, title } from "../core/view.js";
import { toast } from "../components/message.js";

/** For so long nothing more is said of the same thing. */
const QUIET_MS = 60_000;
/** For so long after the person's own reaction or vote a change of the totals is taken for theirs. */
const OWN_MS = 5_000;
/** Most things of which it is known when they were heard of. */
const KNOWN_MAX = 200;

/** @type {Map<string, number>} until when nothing is said of a thing, by its id */
const quiet = new Map();

/** The person does something to what is their own: that is no news to them. */
export function byMyself(/** @type {string} */ id) {
  hush(id, OWN_MS);
}

/**
 * @param {string} id
 * @param {number} ms
 */
function hush(id, ms) {
  quiet.set(id, Math.max(quiet.get(id) ?? 0, performance.now() + ms));
  if (quiet.size > KNOWN_MAX) quiet.delete(/** @type {string} */ (quiet.keys().next().value));
}

/** @param {any} instance */
function reactionsOf({ reactions = [] }) {
  return reactions.reduce((/** @type {number} */ sum, /** @type {any} */ { count }) => sum + count, 0);
}

/**
 * Something of mine has changed.
 * @param {any} instance
 * @param {any} was
 * @returns {string} what is to be said of it; empty = nothing
 */
export function news(instance, was) {
  const count = reactionsOf(instance), score = instance.post?.score ?? 0;
  const isMore = count > reactionsOf(was), isVoted = score !== (was.post?.score ?? 0);
  if (!isMore && !isVoted || (quiet.get(instance.id) ?? 0) > performance.now()) return "";
  hush(instance.id, QUIET_MS);
  const item = itemOf(instance.id), what = item ? title(item) : instance.text ?? "";
  return isMore ? t("mine.reactions", { what, n: count }) : t("mine.score", { what, n: score });
}

/**
 * Says it.
 * @param {any} instance
 * @param {any} was
 */
export function hear(instance, was) {
  const text = news(instance, was), item = itemOf(instance.id);
  if (!text) return;
  // By the time of the tap it may be out of view.
  toast(text, { isNews: true, action: item && { text: t("open"), run: () => { pick(item.key, { item }); } } });
}
