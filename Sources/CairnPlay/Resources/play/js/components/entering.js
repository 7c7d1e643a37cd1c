// What stands where something needs an account: why, and how to get one here and now. By a name alone where the
// operator lets anybody in, else by the ways of signing in. What was begun goes on.

import { client, isExpected, on } from "../core/app.js";
import { begin, forgetBegun, goOn } from "../core/begun.js";
import { opensByName, signInByName } from "../core/entry.js";
import { at, make } from "../core/page.js";
import { route } from "../core/router.js";
import { language, t } from "../core/texts.js";
import { form } from "./form.js";
import { refuse } from "./message.js";
import { closeSheet } from "./sheet.js";

/**
 * @typedef {object} Entering
 * @property {string} [why] a sentence
 * @property {{name: string, data: any}} [begun] what goes on after signing in on the way's own page (`core/begun.js`)
 * @property {() => unknown} [then] goes on after signing in right here; without it `begun` does
 * @property {() => unknown} [reopen] shows this again where a guest has gone to sign in and comes back
 * @property {boolean} [isFocused] whether the first field has the focus
 */

/**
 * The ways in. They stand beside what needs them, and are drawn when it is known whether a name is enough.
 * @param {Entering} options
 */
export function entering({ why, begun, then, reopen, isFocused = false } = {}) {
  const ways = make("div", { class: "stack" });
  const box = make("div", { class: "entering", role: "group", "aria-label": why ?? t("signIn.first") },
    make("p", {}, why ?? t("signIn.first")), ways);
  /** Whoever takes another way goes on after it. */
  const leave = () => {
    if (begun) begin(begun.name, begun.data, reopen);
    else forgetBegun();
  };
  const links = (/** @type {boolean} */ isFirst) => make("p", { class: "row" },
    make("a", { class: isFirst && "button accent", href: "#/profile/signin", onclick: leave }, t("signIn")),
    make("a", { class: isFirst && "button", href: "#/profile/signup", onclick: leave }, t("signUp")));
  const show = (/** @type {boolean} */ isOpen) => {
    const hadFocus = ways.contains(document.activeElement);
    ways.replaceChildren(...(isOpen ? [byName(leave, then), links(false)] : [links(true)]));
    if (isFocused || hadFocus) ways.querySelector("input, a")?.focus();
    if (isFocused) box.scrollIntoView({ block: "nearest" });
  };
  ways.append(links(true));
  opensByName().then(show);
  return box;
}

/**
 * Whether somebody types in a part of the page, which is not drawn anew then. A name that has just signed in is typed.
 * @param {HTMLElement} part
 */
export function isTypedIn(part) {
  return part.querySelector("form:not(.by-name) :focus") !== null;
}

/**
 * Shows a place anew where who is signed in, or the language, has changed, unless somebody types there.
 * @param {string} place
 * @param {() => unknown} show
 */
export function followEntering(place, show) {
  const seen = () => (client.welcome ? `${client.welcome.account} ${client.welcome.role} ${language}`
    : `${isExpected()} ${language}`);
  let before = seen();
  on("welcomed language standing", () => {
    const now = seen();
    if (now === before) return;
    before = now;
    if (route().place === place && !isTypedIn(at("page"))) show();
  });
}

/**
 * One field and one tap.
 * @param {() => void} leave keeps what was begun
 * @param {() => unknown} [then]
 */
export function byName(leave, then) {
  const element = form([{ name: "name", label: t("field.username"), required: true, complete: "nickname",
    hint: t("byName.about") }], t("byName"), async ({ name }) => {
    if (!then) leave();
    await signInByName(name.trim());
    try {
      if (then) await then();
      // A sheet that has led in has done its work.
      else if (!(await goOn()) && element.closest("#sheet")) closeSheet();
    } catch (refusal) {
      // The person is in: what was begun is refused where they can still read it.
      refuse(refusal);
    }
  });
  element.classList.add("by-name");
  return element;
}
