// The page of a place that is not on the stage.

import { at, toHeading } from "../core/page.js";

/**
 * What leads to an element of a page that is drawn anew: its name, if it has one, or its place, and how high it began
 * on the screen.
 * @typedef {{key: string | undefined, way: number[], is: string, top: number}} Sought
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
  if (isAgain) {
    wanted = { scrollTop: open && open.scrolled === scrollTop ? open.scrollTop : scrollTop,
      sought: open && open.focused === focused ? open.sought : held, scrolled: 0, focused: null };
    settle();
    if (held && !page.contains(document.activeElement)) toHeading();
    if (wanted) wanted.focused = document.activeElement;
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
  if (!isHere || !wanted) return;
  if (document.activeElement !== wanted.focused) wanted.sought = null;
  settle();
  const isAll = [...page.querySelectorAll("[aria-busy]")].every((one) => one.contains(part));
  // What is sought and has not come by then is not there in the other language.
  if (isAll) wanted = null;
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

/**
 * @param {HTMLElement} element
 * @param {Element} page
 * @returns {Sought}
 */
function sight(element, page) {
  const way = [];
  for (let one = /** @type {Node} */ (element); one !== page; one = /** @type {Node} */ (one.parentNode)) {
    way.unshift([.../** @type {Element} */ (one.parentNode).children].indexOf(/** @type {Element} */ (one)));
  }
  return { key: element.dataset.key, way, is: kind(element), top: element.getBoundingClientRect().top };
}

/**
 * @param {Element} page
 * @param {Sought} sought
 * @returns {HTMLElement | null} the element that stands for it now
 */
function find(page, { key, way, is }) {
  if (key) return /** @type {HTMLElement | null} */ (page.querySelector(`[data-key="${CSS.escape(key)}"]`));
  /** @type {Element | undefined} */
  let found = page;
  for (const n of way) found = found?.children[n];
  return found && kind(found) === is ? /** @type {HTMLElement} */ (found) : null;
}
