// Buttons, and what they answer: at once that something is under way, then what is done, or why it is not.

import { client, isCutOff, tell } from "../core/app.js";
import { make } from "../core/page.js";
import { moveCount } from "../core/router.js";
import { t } from "../core/texts.js";
import { refuse, refused, toast } from "./message.js";
import { giveFocus } from "./showpage.js";

/** After so long without an answer a word says that one is waited for. */
const WAITING_MS = 1000;
/** What a button has meanwhile. It keeps the focus, which a disabled one loses. */
const BUSY = ["aria-busy", "aria-disabled"];

/**
 * Has the focus stay where something is done, though the part of the page is drawn anew and the button with it: with
 * the button, else at the line of the same person or sub-realm, where a key does nothing, else at the heading.
 * @param {HTMLElement} button
 * @returns {() => void} call it when it is done
 */
export function keepFocus(button) {
  const hadFocus = document.activeElement === button;
  const line = /** @type {HTMLElement | null} */ (button.closest("[data-realm], [data-account]"));
  const { realm = "", account = "" } = line?.dataset ?? {};
  const again = line && (realm ? `[data-realm="${CSS.escape(realm)}"]` : `[data-account="${CSS.escape(account)}"]`);
  const page = button.closest("#page, #sheet");
  return () => {
    if (!hadFocus || document.activeElement !== document.body) return;
    if (button.isConnected) {
      button.focus({ preventScroll: true });
      return;
    }
    const next = (again && page?.querySelector(again)) || page?.querySelector("h2");
    if (next instanceof HTMLElement) giveFocus(next);
  };
}

/**
 * What is under way, by its button or field.
 * @type {WeakMap<HTMLElement, Promise<void>>}
 */
const running = new WeakMap();

/**
 * What is done, in words, and what leads to what came of it.
 * @typedef {{words: string, lead: {text: string, run: () => unknown}}} Done
 */

/**
 * What stands where something was done.
 * @param {string} words
 * @param {Done["lead"]} [lead]
 */
function said(words, lead) {
  const text = make("span", { class: "done", role: "status", tabindex: "-1" }, words);
  if (!lead) return text;
  return make("span", { class: "row led" }, text, make("button", { type: "button", onclick: lead.run }, lead.text));
}

/**
 * Does what was asked for by a button or a field, and answers there: at once that it is under way, after a second in
 * words, then what is done, or the refusal with what mends it. A second tap meanwhile does nothing; what is chosen in a
 * field meanwhile is done after it. Where the part of the page is drawn anew, it is said in the place for messages.
 * @param {HTMLElement} button
 * @param {() => Promise<any>} run gives what is done, in words or as `Done`; nothing where the page shows it
 * @param {{place?: Element, isOnce?: boolean, why?: (refusal: any) => any}} options `place` has the answer, else it
 *   stands behind the button; `isOnce`: what is done takes the place of the button; `why` may say a refusal better
 */
export async function act(button, run, options = {}) {
  const before = button.hasAttribute("aria-busy") && running.get(button);
  if (before && button.matches("button")) return;
  const now = before ? before.then(() => answered(button, run, options)) : answered(button, run, options);
  running.set(button, now);
  await now;
}

/**
 * @param {HTMLElement} button
 * @param {() => Promise<any>} run
 * @param {Parameters<typeof act>[2]} options
 */
async function answered(button, run, { place, isOnce = false, why = (/** @type {any} */ refusal) => refusal } = {}) {
  const answer = (/** @type {HTMLElement | null} */ element) => {
    for (const before of place ? [...place.children] : [button.nextElementSibling]) {
      if (before?.matches(".refusal, .done, .led, .waiting")) before.remove();
    }
    if (!element) return;
    if (place) place.append(element);
    else button.after(element);
  };
  const refocus = keepFocus(button), from = moveCount();
  answer(null);
  for (const name of BUSY) button.setAttribute(name, "true");
  const patience = setTimeout(() => {
    if (client?.unansweredCount > 0) {
      answer(make("span", { class: "quiet waiting", role: "status" }, t(isCutOff() ? "offline.needs" : "waiting")));
    }
  }, WAITING_MS);
  /** @type {HTMLElement | null} */
  let now = null;
  try {
    const done = await run(), { words, lead } = done?.lead ? done : { words: done, lead: undefined };
    // The place that is open now may have been drawn before this was done.
    if (moveCount() !== from) tell("late");
    if (typeof words === "string" && words) {
      if ((place ?? button).isConnected) now = said(words, lead);
      else toast(words, { action: lead });
    }
  } catch (refusal) {
    isOnce = false;
    if ((place ?? button).isConnected) now = refused(why(refusal));
    else refuse(refusal);
  }
  clearTimeout(patience);
  for (const name of BUSY) button.removeAttribute(name);
  if (now && isOnce) {
    answer(null);
    const hadFocus = document.activeElement === button, next = /** @type {any} */ (now.querySelector("button") ?? now);
    button.replaceWith(now);
    if (hadFocus) next.focus({ preventScroll: true });
    return;
  }
  answer(now);
  refocus();
}

/**
 * A button that does something and answers where it is.
 * @param {string} text
 * @param {() => Promise<any>} run as of `act`
 * @param {string} [kind]
 * @param {Parameters<typeof act>[2]} [options]
 */
export function action(text, run, kind = "", options = {}) {
  const button = make("button", { type: "button", class: kind, onclick: () => act(button, run, options) }, text);
  return button;
}

/**
 * A button that is not left standing when it has done its work: what it has done takes its place, and its focus.
 * @param {string} text
 * @param {() => Promise<string | Done | null>} run gives what is done; null leaves the button
 * @param {string} [kind]
 */
export function once(text, run, kind = "") {
  return action(text, run, kind, { isOnce: true });
}
