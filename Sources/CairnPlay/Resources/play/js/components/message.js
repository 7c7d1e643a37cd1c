// Messages: a short one, one at a time, in the one place for them; one beside what was refused; and one for screen
// readers alone.

import { at, icon, make } from "../core/page.js";
import { isCrowd, wayOut, words } from "../core/refusals.js";
import { tab } from "../core/storage.js";
import { t } from "../core/texts.js";

/**
 * A message: `rank` 0 is a refusal, 1 an answer to what the person does, 2 news of others.
 * @typedef {object} Message
 * @property {string} text
 * @property {0 | 1 | 2} rank
 * @property {{text: string, run: () => void} | undefined} action
 * @property {number} seconds that it stays
 * @property {number} passed seconds of them
 */

/** Most messages that wait for their turn; beyond that news are not shown. */
const WAITING_MAX = 5;
/** Seconds that one stays: to notice it, and a second for so many characters. */
const NOTICED = 2, CHARACTERS_A_SECOND = 12;
/** Most of what was said once that is remembered in this tab. */
const SAID_MAX = 50;
const SAID = "cairn-play-said";

/** @type {Message | null} */
let shown = null;
/** @type {Message[]} in the order in which they are said */
let waiting = [];
/** @type {ReturnType<typeof setInterval> | undefined} */
let clock;

/** Whether the keyboard is what the person used last: their way to a message is a longer one. */
let isByKeys = false;

/**
 * Hears by what the person uses the page.
 * @param {Event} event a key or a pointer that goes down
 */
export function noteInput({ type }) {
  isByKeys = type === "keydown";
}

/** Gives the focus to the first button of the message that is shown, if there is one. */
export function toMessage() {
  at("toasts").querySelector("button")?.focus();
}

/** Where the page ends while a message is below it, so that nothing is behind it. */
const follower = () => new ResizeObserver(() => {
  const { offsetHeight } = at("toasts");
  document.documentElement.style.setProperty("--said", offsetHeight ? `calc(${offsetHeight}px + 0.6rem)` : "0px");
});
/** @type {ResizeObserver | null} */
let followed = null;

/**
 * Shows a short message, and has a screen reader read it, once. A refusal goes before all others and stays until it is
 * closed or there was time to read it; an answer takes the place of the one before; news wait for their turn. The time
 * stands still while somebody points at it, has the focus in it, or looks at another tab. One that has an action stays
 * for who uses the keyboard, until another one waits.
 * @param {string} text
 * @param {{kind?: string, action?: {text: string, run: () => void}, seconds?: number, isNews?: boolean, once?: string}}
 *   options at least `seconds`; `once` names what is not said again in this tab, nor after a reload
 * @returns {{remove: () => void}} takes it back
 */
export function toast(text, { kind = "", action, seconds = 6, isNews = false, once = "" } = {}) {
  const message = /** @type {Message} */ ({ text, rank: kind === "bad" ? 0 : isNews ? 2 : 1, action,
    seconds: Math.max(seconds, reading(text)), passed: 0 });
  const isThere = isNews && shown?.text === text || waiting.some((one) => one.text === text);
  if (isThere || once && wasSaid(once)) return { remove() {} };
  if (!shown || shown.text === text || message.rank < shown.rank || message.rank === 1 && shown.rank === 1) {
    show(message);
  } else {
    // Of answers the newest counts.
    const others = waiting.filter(({ rank }) => rank !== 1 || message.rank !== 1);
    waiting = [...others, message].sort((a, b) => a.rank - b.rank).slice(0, WAITING_MAX);
  }
  return { remove: () => take(message) };
}

/** Seconds in which a text is read. */
const reading = (/** @type {string} */ text) => NOTICED + text.length / CHARACTERS_A_SECOND;

/** @param {string} name */
function wasSaid(name) {
  const said = (tab.get(SAID) ?? "").split(" ");
  if (said.includes(name)) return true;
  tab.set(SAID, [name, ...said].slice(0, SAID_MAX).join(" "));
  return false;
}

/** @param {Message} message */
function take(message) {
  waiting = waiting.filter((one) => one !== message);
  if (shown === message) next();
}

/** The next one that waits is said. */
function next() {
  shown = null;
  clearInterval(clock);
  const [message] = waiting.splice(0, 1);
  if (message) show(message);
  else at("toasts").replaceChildren();
}

/** @param {Message} message in place of the one that is shown; news that were not read come again */
function show(message) {
  if (shown?.rank === 2 && shown.passed < reading(shown.text)) waiting.unshift(shown);
  clearInterval(clock);
  shown = message;
  const { text, rank, action } = message;
  /** @type {any} where the focus was, which is there again when the message goes with it */
  let before = null;
  const end = () => {
    const hasFocus = element.contains(document.activeElement);
    take(message);
    if (hasFocus) before?.focus({ preventScroll: true });
  };
  const element = make("div", { class: rank === 0 ? "toast bad" : "toast",
    onfocusin: (/** @type {FocusEvent} */ { relatedTarget: from }) => { if (!element.contains(from)) before = from; },
  }, make("span", {}, text),
    action && make("button", { type: "button", class: "plain", onclick: () => { end(); action.run(); } }, action.text),
    make("button", { type: "button", class: "round plain", "aria-label": t("close"), onclick: end }, icon("close")));
  const slot = at("toasts");
  followed ??= follower();
  followed.observe(slot);
  slot.replaceChildren(element);
  // One that comes again was heard, unless it went at once.
  if (message.passed < NOTICED) say(text, rank === 0);
  clock = setInterval(() => {
    if (document.hidden || element.matches(":hover, :focus-within")) return;
    message.passed += 1;
    const isAwaited = waiting.length > 0 && message.seconds < Infinity;
    if (isAwaited ? message.passed >= reading(text)
      : message.passed >= message.seconds && !(action && isByKeys)) end();
  }, 1000);
}

/**
 * Copies a text and says so. Where the browser does not allow that, the text is shown, to be copied by hand.
 * @param {string} text
 * @param {string} done
 * @returns {Promise<string>} what is to be said where it was asked for
 */
export async function copied(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    return done;
  } catch {
    return t("copy.refused", { text });
  }
}

/**
 * Shows a refusal with its remedy as a short message.
 * @param {any} refusal
 * @param {{text: string, run: () => void}} [wayOn] what may mend it: until then the message stays
 * @returns {{remove: () => void}} takes it back
 */
export function refuse(refusal, wayOn) {
  const { text, remedy } = words(refusal), out = refusal?.code === "not_signed_in" && wayOut(refusal);
  // Each position may be put off: it is said once.
  if (isCrowd(refusal)) return toast(text, { isNews: true });
  const action = out ? { text: out.text, run: () => { location.hash = out.href; } } : wayOn;
  return toast([text, remedy].filter(Boolean).join(" "), { kind: "bad", action, seconds: wayOn ? Infinity : 10 });
}

/**
 * A refusal with its remedy as a part of the page, for forms and sheets.
 * @param {any} refusal
 */
export function refused(refusal) {
  const { text, remedy } = words(refusal), out = wayOut(refusal);
  if (isCrowd(refusal)) return make("p", { class: "quiet", role: "status" }, text);
  return make("div", { class: "refusal", role: "alert", "data-code": refusal?.code ?? "internal" },
    make("strong", {}, text), remedy && make("p", {}, remedy),
    out && make("p", {}, make("a", { href: out.href }, out.text)));
}

/**
 * Has a screen reader read a text, also one that it has read just before.
 * @param {string} text
 * @param {boolean} [isUrgent] at once, whatever it is reading
 */
export function say(text, isUrgent = false) {
  at(isUrgent ? "warned" : "said").replaceChildren(text);
}
