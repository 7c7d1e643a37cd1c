// Walking without keys and without a device that knows the place: a button that walks for as long as it is held.

import { way } from "../core/alignment.js";
import { on } from "../core/app.js";
import { icon, make } from "../core/page.js";
import { eye, walk } from "../core/place.js";
import { t } from "../core/texts.js";

/** Metres of a step, and milliseconds between two. */
const STEP = 1, PAUSE = 250;

/** The button that walks ahead. Where the device says the place, one walks on one's own feet. */
export class Walking {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #steps;

  /** @param {HTMLElement} box the tools beside it */
  constructor(box) {
    const end = () => clearInterval(this.#steps);
    this.button = make("button", { type: "button", class: "round", "data-walk": "",
      // A tap has made its step when it was pressed; keys press nothing.
      onclick: (/** @type {MouseEvent} */ event) => { if (event.detail === 0) walk(STEP); },
      onpointerdown: () => {
        walk(STEP);
        end();
        this.#steps = setInterval(() => { if (!walk(STEP)) end(); }, PAUSE);
      },
      onpointerup: end, onpointercancel: end, onpointerleave: end, oncontextmenu: (/** @type {Event} */ event) =>
        event.preventDefault() }, icon("M12 20V5M6 11l6-6 6 6"));
    box.prepend(this.button);
    const speak = () => {
      this.button.setAttribute("aria-label", t("walk"));
      this.button.title = t("walk");
    };
    on("language", speak);
    speak();
  }

  /** It is there where walking by hand is. */
  draw() {
    this.button.hidden = way !== "view" || !eye()?.isSet;
  }
}
