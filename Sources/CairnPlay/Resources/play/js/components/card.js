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
 * A card that is folded up until somebody wants to see it.
 * @param {string} title
 * @param {...Content} content
 */
export function folded(title, ...content) {
  return make("details", { class: "card" }, make("summary", {}, title), ...content);
}

/**
 * A text of several paragraphs; one that begins with `# ` is a heading.
 * @param {string} text
 */
export function paragraphs(text) {
  return text.split(/\n\n+/).filter(Boolean).map((one) => one.startsWith("# ") ? make("h3", {}, one.slice(2))
    : make("p", { dir: "auto" }, one));
}
