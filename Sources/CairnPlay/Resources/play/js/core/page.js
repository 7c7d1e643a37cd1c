// Making and changing what is on the page. Everything becomes text: nothing here reads HTML.

/**
 * An element with attributes, listeners (`onclick`) and children. Children that are null or false are left out.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {any}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  for (const child of children) if (child != null && child !== false) element.append(/** @type {any} */ (child));
  return element;
}

/**
 * Sets a text where it is another one: what has not changed costs nothing.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * What does something once for all calls of a moment: at once after a pause, else when the pause is over.
 * @param {number} pause milliseconds from one time to the next
 * @param {() => void} act
 */
export function paced(pause, act) {
  let isDue = false, last = -Infinity;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      last = performance.now();
      act();
    }, Math.max(0, last + pause - performance.now()));
  };
}

/**
 * Makes a parent's children one per item, in order, and keeps the element of an item that stays. The one with the focus
 * is not moved, which would take the focus away: the others go around it. Where it is gone itself, the next one has the
 * focus, else the one before. Items have a `key`; `create(item)` makes an element and `update(element, item)` writes
 * into it.
 * @template {{key: string}} T
 * @param {HTMLElement} parent
 * @param {T[]} items
 * @param {(item: T) => HTMLElement} create
 * @param {(element: HTMLElement, item: T) => void} update
 */
export function arrange(parent, items, create, update) {
  const children = /** @type {HTMLElement[]} */ ([...parent.children]);
  const before = new Map(children.map((child) => [child.dataset.key, child]));
  const keys = new Set(items.map(({ key }) => key));
  const stays = (/** @type {HTMLElement} */ { dataset: { key = "" } }) => keys.has(key);
  const focused = children.findIndex((child) => child.contains(document.activeElement)), held = children[focused];
  const next = held && [...children.slice(focused), ...children.slice(0, focused).reverse()].find(stays);
  for (const child of children) if (!stays(child)) child.remove();
  let place = parent.firstElementChild;
  for (const item of items) {
    let element = /** @type {HTMLElement | undefined} */ (before.get(item.key));
    before.delete(item.key);
    if (!element) {
      element = create(item);
      element.dataset.key = item.key;
    }
    update(element, item);
    if (element === place || element === held) place = element.nextElementSibling;
    else parent.insertBefore(element, place);
  }
  if (next && next !== held) {
    const control = next.matches("a, button") ? next : next.querySelector("a, button");
    /** @type {HTMLElement | null} */ (control)?.focus({ preventScroll: true });
  }
}

/**
 * Replaces the children of an element.
 * @param {Element} parent
 * @param {...(Node | string | null | undefined | false)} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(.../** @type {any[]} */ (children.filter((child) => child != null && child !== false)));
}

/**
 * The element with this id.
 * @param {string} id
 * @returns {any}
 */
export function at(id) {
  return document.getElementById(id);
}

/**
 * Gives the focus to the heading of what is shown: where one has come to a place, or what had the focus is gone. A page
 * whose content has not arrived has the heading of the place until then.
 */
export function toHeading() {
  const page = at("page");
  const heading = (!page.hidden && page.querySelector("h2")) || at("heading");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/**
 * Whether an element is there and can have the focus, which the page itself does not count for.
 * @param {Element | null} element
 */
export function isSeen(element) {
  return element !== null && element !== document.body && element.getClientRects().length > 0;
}

/** Whether nothing that is there has the focus: what had it is gone. */
export const isFocusLost = () => !isSeen(document.activeElement);

/**
 * A colour of the theme, by the name of its property.
 * @param {string} name
 */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

let ids = 0;

/** An id that no other element has. */
export function newId() {
  ids += 1;
  return `x${ids}`;
}

const SVG = "http://www.w3.org/2000/svg";
const PATHS = /** @type {Record<string, string>} */ ({
  plus: "M12 5v14M5 12h14",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  close: "M6 6l12 12M18 6 6 18",
  back: "M15 5l-7 7 7 7",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15zM10 21h4",
  locate: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v4M12 18v4M2 12h4M18 12h4",
});

/**
 * An icon: decoration that a screen reader does not read.
 * @param {string} name or the path of another one, on a field of 24
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name] ?? name);
  svg.append(path);
  return svg;
}
