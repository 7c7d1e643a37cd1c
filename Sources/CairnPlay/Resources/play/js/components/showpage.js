// The page of a place that is not on the stage.

import { at, toHeading } from "../core/page.js";
import { entitle } from "../core/router.js";

/**
 * What leads to an element of a page that is drawn anew: its name, if it has one, or its place in the entry that it is
 * in, else in the page, and how high it began on the screen. Entries go and come: without a name of theirs there is no
 * place in them.
 * @typedef {{key: string | undefined, entry: string, way: number[] | null, is: string, top: number}} Sought
 */

/** The address of what is shown. */
let address = "";

/**
 * Where a page that is drawn anew was, until it is there again: content that comes later makes it high enough.
 * `scrolled` and `focused` are as the page has left them: where they differ later, the person has scrolled or moved
 * the focus.
 * @type {{scrollTop: number, sought: Sought | null, scrolled: number, focused: Element | null} | null}
 */
let wanted = null;

/**
 * Shows a page in place of the one before. If that one had the focus, the field of the same name (`data-key`) has it
 * now, else the heading. A page that is drawn anew at its address, such as in another language, stays where it was
 * scrolled to, and what had the focus has it again, where it was on the screen: as soon as it is there, unless the
 * person scrolls or goes on before that. Another page begins at its top.
 * @param {Node} content
 */
export function showPage(content) {
  const page = at("page"), { scrollTop } = page, focused = /** @type {any} */ (document.activeElement);
  const held = page !== focused && page.contains(focused) ? sight(focused, page) : null;
  const isAgain = address === location.hash && page.firstElementChild !== null;
  const open = isAgain ? wanted : null;
  address = location.hash;
  page.replaceChildren(content);
  entitle();
  if (isAgain) {
    wanted = { scrollTop: open && open.scrolled === scrollTop ? open.scrollTop : scrollTop,
      sought: open && open.focused === focused ? open.sought : held, scrolled: 0, focused: null };
    settle();
    if (held && !page.contains(document.activeElement)) toHeading();
    if (wanted) wanted.focused = document.activeElement;
    if (!isWaiting(page)) wanted = null;
    return;
  }
  wanted = null;
  page.scrollTop = 0;
  const same = held?.key && page.querySelector(`[data-key="${CSS.escape(held.key)}"]`);
  if (same) same.focus();
  else if (held) toHeading();
}

/**
 * Puts content that comes later into its part of the page, which stays where the person wants it.
 * @param {Element} part
 * @param {() => void} put
 */
export function arrive(part, put) {
  const page = at("page"), isHere = wanted !== null && page.contains(part);
  if (isHere && page.scrollTop !== wanted?.scrolled) wanted = null;
  put();
  if (page.contains(part)) entitle();
  if (!isHere || !wanted) return;
  if (document.activeElement !== wanted.focused) wanted.sought = null;
  settle();
  // What is sought and has not come by then is not there in the other language.
  if (!isWaiting(page, part)) wanted = null;
}

/**
 * Whether a part of the page, other than this one, waits for its content. A button that is busy is none.
 * @param {Element} page
 * @param {Element | null} [part]
 */
function isWaiting(page, part = null) {
  return [...page.querySelectorAll("[aria-busy]")].some((one) => !one.matches("button") && !one.contains(part));
}

/** Brings the page to where it was, as far as it is there. */
function settle() {
  if (!wanted) return;
  const page = at("page"), { sought } = wanted;
  page.scrollTop = wanted.scrollTop;
  const again = sought && find(page, sought);
  if (again) {
    again.focus({ preventScroll: true });
    wanted.sought = null;
    wanted.scrollTop = page.scrollTop + again.getBoundingClientRect().top - sought.top;
    page.scrollTop = wanted.scrollTop;
  }
  wanted.scrolled = page.scrollTop;
  wanted.focused = document.activeElement;
  // Browsers scroll by whole pixels.
  if (!wanted.sought && Math.abs(wanted.scrolled - wanted.scrollTop) < 1) wanted = null;
}

/** What an element is, in any language. */
const kind = (/** @type {Element} */ element) => [element.localName,
  ...["class", "href", "name", "data-tab"].map((one) => element.getAttribute(one))].join(" ");

/** What names the entries of lists: by whom or what they are about. */
const NAMES = ["data-account", "data-realm", "data-key"];

/**
 * The entry of a list that an element is in, or is.
 * @param {Element} element
 * @returns {HTMLElement | null}
 */
const entryOf = (element) => element.closest("[data-account], [data-realm], li[data-key]");

/**
 * A selector of this entry, also when it is drawn anew; empty without an entry.
 * @param {Element | null} entry
 */
function named(entry) {
  const name = NAMES.find((one) => entry?.hasAttribute(one));
  return entry && name ? `[${name}="${CSS.escape(entry.getAttribute(name) ?? "")}"]` : "";
}

/**
 * @param {HTMLElement} element
 * @param {Element} page
 * @returns {Sought}
 */
function sight(element, page) {
  const entry = entryOf(element), way = [];
  for (let one = /** @type {Node} */ (element); one !== (entry ?? page); one = /** @type {Node} */ (one.parentNode)) {
    way.unshift([.../** @type {Element} */ (one.parentNode).children].indexOf(/** @type {Element} */ (one)));
  }
  return { key: element.dataset.key, entry: named(entry), way: entry || !element.closest("li") ? way : null,
    is: kind(element), top: element.getBoundingClientRect().top };
}

/**
 * @param {Element} page
 * @param {Sought} sought
 * @returns {HTMLElement | null} the element that stands for it now
 */
function find(page, { key, entry, way, is }) {
  if (key) return /** @type {HTMLElement | null} */ (page.querySelector(`[data-key="${CSS.escape(key)}"]`));
  if (!way) {
    // A line without a name is known by where it leads.
    const same = [...page.querySelectorAll("li a")].filter((one) => kind(one) === is);
    return same.length === 1 ? /** @type {HTMLElement} */ (same[0]) : null;
  }
  /** @type {Element | null | undefined} */
  let found = entry ? page.querySelector(entry) : page;
  for (const n of way) found = found?.children[n];
  return found && kind(found) === is ? /** @type {HTMLElement} */ (found) : null;
}

/**
 * Draws a part of the page anew, such as when somebody else acts. What had the focus in it has it again; where that is
 * gone, its entry has it, which does nothing by a key; else the entry that is in its place now, else the heading.
 * @param {HTMLElement} part with its sections
 * @param {() => void} put
 */
export function anew(part, put) {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  if (!part.contains(focused)) {
    put();
    return;
  }
  const title = titleOf(focused.closest("section")), entry = entryOf(focused), text = focused.textContent;
  const before = /** @type {Element[]} */ ([...focused.closest("section")?.querySelectorAll("li") ?? []]);
  const n = entry ? before.indexOf(entry) : -1;
  put();
  if (part.contains(document.activeElement)) return;
  const section = [...part.querySelectorAll("section")].find((one) => titleOf(one) === title);
  const again = entry && (section?.querySelector(named(entry)) ?? part.querySelector(named(entry)));
  const within = entry ? again : section, isHere = section?.contains(within ?? null);
  const control = isHere && [...within?.querySelectorAll("a, button") ?? []].find((one) => one.textContent === text);
  const lines = [...section?.querySelectorAll("li") ?? []];
  const next = control || again || n >= 0 && (lines[n] ?? lines.at(-1)) || section?.querySelector("h3");
  if (next) giveFocus(/** @type {HTMLElement} */ (next));
  else toHeading();
}

/** @param {Element | null} section */
const titleOf = (section) => section?.querySelector("h3")?.textContent;

/**
 * Gives the focus to an element, also to one that the Tab key passes by.
 * @param {HTMLElement} element
 */
export function giveFocus(element) {
  if (!element.matches("a, button")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
