// Cards: parts of a page with a frame, with or without a heading.

import { make, newId } from "../core/page.js";

/** @typedef {Node | string | null | undefined | false} Content */

/**
 * A card without a heading.
 * @param {...Content} content
 */
export function card(...content) {
  return make("div", { class: "card" }, ...content);
}

/**
 * A card with a heading.
 * @param {string} title
 * @param {...Content} content
 */
export function section(title, ...content) {
  const id = newId();
  return make("section", { class: "card", "aria-labelledby": id }, make("h3", { id, dir: "auto" }, title), ...content);
}

/**
 * An element of another kind as a card.
 * @template {HTMLElement} Made
 * @param {Made} element
 * @param {...string} kinds further classes
 */
export function cardOf(element, ...kinds) {
  element.classList.add("card", ...kinds);
  return element;
}

/**
 * What is folded up until somebody wants to see it.
 * @param {Node | string} title
 * @param {Record<string, any>} attributes
 * @param {...Content} content
 */
export function folded(title, attributes, ...content) {
  return make("details", attributes, make("summary", { dir: "auto" }, title), ...content);
}

/**
 * A text of several paragraphs; one that begins with `# ` is a heading.
 * @param {string} text
 */
export function paragraphs(text) {
  return text.split(/\n\n+/).filter(Boolean).map((one) => one.startsWith("# ") ? make("h3", {}, one.slice(2))
    : make("p", { dir: "auto" }, one));
}
