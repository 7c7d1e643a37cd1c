// The pages that led to the one that is open, and the way back.

import { make, write } from "./page.js";

/** Pages that are remembered; beyond them the first is forgotten. */
const stepsMax = 20;

/** The place of the way back, in a card. */
export function wayBack() {
  return make("nav", { class: "way", "aria-label": "Way back", hidden: true }, make("a", {}));
}

export class Trail {
  /** The pages before: { hash, title }. */
  #steps = [];

  /**
   * Another page is open: `hash` is its address, empty = the overview. `left` is the page that was left, null = it was
   * the overview. Gives the page before, null = there is none but the overview.
   */
  go(hash, left) {
    if (left && left.hash !== hash) this.#steps.push(left);
    // Who comes to a page again is where they were, and has not gone further.
    const known = this.#steps.findIndex((step) => step.hash === hash);
    if (known >= 0) this.#steps.splice(known);
    if (hash === "") this.#steps = [];
    this.#steps = this.#steps.slice(-stepsMax);
    return this.#steps.at(-1) ?? null;
  }

  /** The same, and has every card lead to the page before. */
  show(hash, left) {
    const before = this.go(hash, left);
    for (const way of document.querySelectorAll(".way")) {
      way.hidden = before === null;
      if (before === null) continue;
      way.firstElementChild.setAttribute("href", before.hash);
      write(way.firstElementChild, `Back to ${before.title}`);
    }
  }
}
