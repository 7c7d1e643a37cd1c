// What lies over the 3D view: from where it looks, and at its sides what is out of the picture.

import { way } from "../core/alignment.js";
import { on } from "../core/app.js";
import { icon, make, paced, write } from "../core/page.js";
import { ownHeading, turn } from "../core/place.js";
import { number, t } from "../core/texts.js";
import { added, fullTitle, isAside, items, kindOf, people, whereabouts } from "../core/view.js";
import { say } from "../components/message.js";
import { lookFrom, WAYS } from "./eye.js";
import { beside } from "./signs.js";

/** @typedef {import("../core/view.js").Item} Item */

/** What the buttons show: somebody seen from behind, an eye, a bird. */
const ICONS = {
  behind: "M12 9.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 21v-3.500a6 6 0 0 1 12 0V21",
  eyes: "M2 12s3.700-6 10-6 10 6 10 6-3.700 6-10 6-10-6-10-6zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  bird: "M2 8c4 0 6.500 1.500 10 6 3.500-4.500 6-6 10-6M12 14v5",
};
/** The nearest so many of what is around are looked at for the sides. */
const LOOKED = 300;
/** Milliseconds between two looks. */
const PAUSE = 200;

/** The buttons that choose from where one looks. */
export class Looks {
  /**
   * @param {import("./scene.js").Scene} scene
   * @param {HTMLElement} frame
   * @param {() => void} changed
   */
  constructor(scene, frame, changed) {
    this.scene = scene;
    this.buttons = WAYS.map((name) => make("button", { type: "button", class: "round", "data-look": name,
      onclick: () => {
        lookFrom(scene, name);
        say(t(`look.${name}`));
        changed();
      } }, icon(ICONS[name])));
    this.box = make("div", { class: "realm-tools", role: "group" }, ...this.buttons);
    frame.append(this.box);
    const speak = () => {
      this.box.setAttribute("aria-label", t("looks"));
      WAYS.forEach((name, n) => this.buttons[n].setAttribute("aria-label", t(`look.${name}`)));
    };
    on("language", speak);
    speak();
  }

  /** Says which one it is; where the device looks there is nothing to choose. */
  draw() {
    this.box.hidden = way !== "view";
    WAYS.forEach((name, n) => {
      const isPressed = String(this.scene.looks === name);
      const [button, pressed] = [this.buttons[n], "aria-pressed"];
      if (button.getAttribute(pressed) !== isPressed) button.setAttribute(pressed, isPressed);
    });
  }
}

/** The signs at the sides of the picture: how much is there, and a turn to the nearest of it. */
export class Edges {
  /**
   * @param {import("./scene.js").Scene} scene
   * @param {HTMLElement} frame
   */
  constructor(scene, frame) {
    this.scene = scene;
    this.frame = frame;
    this.sides = /** @type {("left" | "right")[]} */ (["left", "right"]).map((side) => {
      const entry = { side, item: /** @type {Item | null} */ (null), mark: make("span", { "aria-hidden": "true" }),
        count: make("span", {}), button: /** @type {any} */ (null) };
      const arrow = icon(side === "left" ? "M15 5l-7 7 7 7" : "M9 5l7 7-7 7");
      entry.button = make("button", { type: "button", class: `edge ${side}`, hidden: true, onclick: () => {
        if (!entry.item) return;
        say([fullTitle(entry.item), whereabouts(entry.item)].filter(Boolean).join(". "));
        turn(entry.item.bearing);
      } }, ...(side === "left" ? [arrow, entry.mark, entry.count] : [entry.count, entry.mark, arrow]));
      frame.append(entry.button);
      return entry;
    });
  }

  /** Looks what is out of the picture that was drawn: of many in a short time, of the last one. */
  draw = paced(PAUSE, () => this.#look());

  #look() {
    const { scene } = this, isShown = way === "view" && scene.plane;
    const found = isShown ? this.#beside() : { left: [], right: [] };
    for (const entry of this.sides) {
      const all = found[entry.side];
      entry.item = all[0]?.item ?? null;
      const { item, button, mark, count } = entry;
      // The focus is not lost where nothing is there any more: keys turn the picture.
      if (!item && document.activeElement === button) this.frame.focus({ preventScroll: true });
      button.hidden = !item;
      if (!item) continue;
      write(count, number(all.length));
      mark.className = `line-mark ${item.kind}`;
      // Where it is nobody knows who has no place.
      const what = [fullTitle(item), whereabouts(item)].filter(Boolean).join(", ");
      const label = t(`edge.${entry.side}`, { n: number(all.length), what });
      if (button.getAttribute("aria-label") !== label) {
        button.setAttribute("aria-label", label);
        button.title = label;
      }
    }
  }

  #beside() {
    const { scene } = this;
    const around = [...added().filter((item) => !kindOf(item).isAfar), ...items().slice(0, LOOKED),
      ...people().slice(0, LOOKED).filter((item) => !isAside(item))];
    const spots = around.map((item) => {
      const { x, y, z } = scene.point(item.place).project(scene.camera);
      return { item, bearing: item.bearing, distance: item.distance, seen: z > 1 ? null : { x, y } };
    });
    return beside(spots, ownHeading());
  }
}
