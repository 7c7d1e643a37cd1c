// The details of what is selected: where it is, what the feature of its kind shows, what stands beside it (VIS-7).

import { client, isSignedIn, limits, on } from "../core/app.js";
import { given } from "../core/extensions.js";
import { distance } from "../core/geo.js";
import { at, make, write } from "../core/page.js";
import { pick, picked, setPicked } from "../core/picked.js";
import { own } from "../core/place.js";
import { t } from "../core/texts.js";
import { itemOf, items, title, whereabouts } from "../core/view.js";
import { entering } from "./entering.js";
import { line } from "./list.js";
import { refused, say, toast } from "./message.js";
import { reactionGlyph } from "./reaction.js";
import { closeSheet, openSheet, sheetKind } from "./sheet.js";

/** @typedef {import("../core/view.js").Item} Item */
/** @typedef {(body: HTMLElement, item: Item, text: Node | "") => Promise<void>} Draw */

/** What is nearer to one another than this many metres stands in one stack. */
const STACK_METRES = 1.5;
/** Most lines of a stack. */
const STACK_MAX = 20;

/**
 * Opens the details of an item.
 * @param {Item} item
 * @param {import("../core/picked.js").Options} options
 * @param {string} heading
 * @param {(body: HTMLElement) => Promise<void>} draw what is known of it, into the body
 */
export async function openDetails(item, { focus = true, over }, heading, draw) {
  follow();
  const { text } = item.instance;
  const body = make("div", { class: "details", "data-key": item.key, "data-item": item.kind, "aria-busy": "true" },
    text && make("blockquote", { dir: "auto" }, text), make("p", { class: "quiet" }, t("loading")));
  openSheet(heading, [own() && make("p", { class: "quiet" }, whereabouts(item)), body,
    ...given("actions").map((action) => action(item)), stack(item, over)],
  { kind: "details", focus, over, onclose: () => setPicked(null) });
  setPicked(item.key);
  say(t("picked", { what: title(item) }));
  await draw(body);
  body.removeAttribute("aria-busy");
}

/**
 * Draws what is known of an instance; its text alone, and what it counts, for guests whom the server shows no more.
 * @param {HTMLElement} body
 * @param {string} key
 * @param {Item | undefined} known the item that the caller has, where it is not in view
 * @param {Draw} draw
 */
export async function drawInstance(body, key, known, draw) {
  const item = itemOf(key) ?? known;
  if (!item) {
    body.replaceChildren(make("p", {}, t("gone")));
    return;
  }
  const text = item.instance.text ? make("blockquote", { dir: "auto" }, item.instance.text) : "";
  if (!isSignedIn() && !limits().guestsLook) {
    body.replaceChildren(text, totals(item.instance.reactions ?? []), entering());
    return;
  }
  try {
    await draw(body, item, text);
  } catch (refusal) {
    body.replaceChildren(text, refused(refusal));
  }
}

/**
 * Asks a guest for an account beside what was touched. What was begun goes on, and is shown again to who comes back.
 * @param {HTMLElement} body of the details
 * @param {Item} item
 * @param {import("./entering.js").Entering} options
 */
export function askToEnter(body, item, options) {
  body.querySelector(".entering")?.remove();
  const asked = entering({ ...options, isFocused: true, reopen: () => pick(item.key, { item }) });
  body.append(asked);
  asked.scrollIntoView({ block: "nearest" });
}

/**
 * What a guest has begun to do to an item is done: it is said, and shown as it is now unless they are at something else
 * by now.
 * @param {string} key
 * @param {string} words
 * @param {() => boolean} isCurrent a ticket from before it was done
 */
export async function showDone(key, words, isCurrent) {
  const item = itemOf(key);
  if (!item || at("stage").hidden || !isCurrent() || sheetKind() && picked !== key) {
    toast(words, { action: item && { text: t("show.it"), run: () => pick(key, { item }) } });
    return;
  }
  await pick(key, { focus: false });
  say(words);
}

/**
 * What stands in the same place: a stack is browsed one by one (VIS-4).
 * @param {Item} item
 * @param {() => void} [over]
 */
function stack(item, over) {
  const near = items().filter((one) => one.key !== item.key && distance(one.place, item.place) < STACK_METRES);
  return near.length > 0 && make("div", { class: "stack", role: "group", "aria-label": t("alsoHere") },
    make("h3", {}, t("alsoHere")), ...near.slice(0, STACK_MAX).map((one) => line({ title: title(one), mark: one.kind,
      onclick: () => pick(one.key, { over }), data: { "data-also": one.key } })));
}

/**
 * The totals of reactions alone.
 * @param {any[]} counts
 */
function totals(counts) {
  return make("p", { class: "row" }, ...counts.map(({ reaction, count }) => make("span", { class: "row" },
    reactionGlyph(reaction), make("span", { class: "unseen" }, t(`reaction.${reaction}`)), String(count))));
}

let isFollowing = false;

/** Follows what is selected while it changes, or goes. */
function follow() {
  if (isFollowing) return;
  isFollowing = true;
  client.on("disappeared", (/** @type {any} */ instance) => {
    if (picked !== instance.id || sheetKind() !== "details") return;
    // Who removes it is told so by the button.
    const isByMyself = at("sheet").querySelector("button[aria-busy]") !== null;
    closeSheet();
    if (!isByMyself) say(t("gone"));
  });
  client.on("changed", (/** @type {any} */ { instance }) => {
    const body = /** @type {HTMLElement | null} */ (document.querySelector(".details"));
    if (picked !== instance.id || !body) return;
    for (const { reaction, count } of instance.reactions ?? []) {
      const shown = body.querySelector(`[data-reaction="${CSS.escape(reaction)}"] .count`);
      if (shown) write(shown, String(count));
    }
    const quote = body.querySelector("blockquote");
    if (quote && instance.text) write(quote, instance.text);
  });
  on("language", () => { if (sheetKind() === "details") closeSheet(); });
}
