// The words over things: posts, texts, names. They are buttons over the picture, so keys and screen readers reach
// them, nearest first, and what a stranger wrote is only ever text.

import { isLow } from "../core/app.js";
import { arrange, make, write } from "../core/page.js";
import { setting } from "../core/settings.js";
import { t } from "../core/texts.js";
import { added, fullTitle, items, kindOf, people, title, whereabouts } from "../core/view.js";
import { float } from "../components/float.js";
import { LEAST } from "./signs.js";
import { EYES } from "./stance.js";

const MOST = isLow ? 10 : 24;
/** Metres up to which what is around carries words, where its kind does not say. */
const SIGHT = 120;

/** Pixels that a label may be wide, as the style has it. */
const WIDEST = 208;

/**
 * What is written where: `half` of the width and `top` as far as the words take it, in pixels.
 * @typedef {{key: string, item: Item, where: {x: number, y: number, away: number}, text: string,
 *   size: number, half: number, top: number}} Placed
 */

/** @typedef {import("../core/view.js").Item} Item */

/** Metres from the place of an item up to its lowest point, by how it stands. */
const LOWEST = /** @type {Record<string, number>} */ ({ upright: -EYES, eyes: -EYES, facing: 1 });

/** Metres from the place of an item up to its words, where its kind does not say, and most metres. */
const LIFT = 1.3, LIFT_MAX = 6;

/** @param {Item} item */
function wordsOf(item) {
  const text = kindOf(item).words?.(item) ?? title(item);
  return text.length > 60 ? `${text.slice(0, 58)}…` : text;
}

export class Labels {
  /**
   * @param {import("./scene.js").Scene} scene
   * @param {HTMLElement} parent
   * @param {(key: string) => void} onpick
   */
  constructor(scene, parent, onpick) {
    this.scene = scene;
    this.onpick = onpick;
    this.frame = parent;
    this.box = make("div", { class: "labels", role: "group" });
    parent.append(this.box);
    /** @type {Item[]} */
    this.wanted = [];
  }

  /** Chooses what carries words: what is near, with words of its own before what has only a name. */
  choose() {
    const hasNames = setting("accessibility.objectNames") === "on";
    const all = added(), isAfar = (/** @type {Item} */ item) => Boolean(kindOf(item).isAfar);
    const near = [...people(), ...items().slice(0, 200)].filter((item) => hasNames || !this.#isBare(item));
    // What may be far away, such as where tours begin, takes no words from what is at one's feet.
    near.push(...all.filter(isAfar));
    near.sort((a, b) => a.distance + (this.#isBare(a) ? 25 : 0) - b.distance - (this.#isBare(b) ? 25 : 0));
    this.wanted = [...all.filter((item) => !isAfar(item)), ...near.slice(0, MOST * 3)];
    this.box.setAttribute("aria-label", t("labels"));
  }

  /**
   * The pixel above which the words of an item go: what is far away is drawn larger than it is.
   * @param {Item} item
   */
  #above(item) {
    if (this.scene.focal === 0) return Infinity;
    return (this.scene.onScreen(item, LOWEST[kindOf(item).stance ?? "posed"] ?? 0)?.y ?? Infinity) - LEAST - 2;
  }

  /** @param {Item} item */
  #isBare(item) {
    return Boolean(kindOf(item).isBare?.(item));
  }

  /**
   * Puts the words where their things are in the picture.
   * @param {string | null} picked
   */
  place(picked) {
    /** @type {Placed[]} */
    const placed = [];
    const before = document.activeElement, hadFocus = this.box.contains(before);
    const focused = hadFocus && /** @type {HTMLElement} */ (before).dataset.key;
    for (const item of this.wanted) {
      const { lift, sight = SIGHT, size: sized } = kindOf(item);
      const where = this.scene.onScreen(item, Math.min(lift?.(item) ?? LIFT, LIFT_MAX));
      if (!where || where.away > sight) continue;
      where.y = Math.min(where.y, this.#above(item));
      const grown = Math.min(1.6, Math.max(0.8, sized?.(item) ?? 1));
      const size = grown * Math.max(0.75, Math.min(1, 12 / Math.max(1, where.away)));
      const text = wordsOf(item), half = size * Math.min(WIDEST, 20 + 8 * text.length) / 2;
      const top = where.y - size * 24 * Math.ceil((8 * text.length) / (WIDEST - 20));
      // Words that would cover others are left out, those of what is selected or has the focus never.
      if (item.key !== picked && item.key !== focused && placed.some((other) => Math.abs(other.where.x - where.x) < other.half + half
        && other.top < where.y && top < other.where.y)) continue;
      placed.push({ key: item.key, item, where, text, size, half, top });
      if (placed.length === MOST) break;
    }
    arrange(this.box, placed, ({ item }) => float(make("button",
      { type: "button", class: `label ${item.kind}`, dir: "auto", onclick: () => this.onpick(item.key) }), item),
      (element, { item, where, text, size }) => {
        write(element, text);
        element.setAttribute("aria-label", [fullTitle(item), whereabouts(item)].filter(Boolean).join(". "));
        element.classList.toggle("picked", item.key === picked);
        element.classList.toggle("bare", this.#isBare(item));
        element.style.transform = `translate(${where.x.toFixed(1)}px, ${where.y.toFixed(1)}px) translate(-50%, -100%) scale(${size.toFixed(2)})`;
      });
    // Keys turn the picture from here on where no words are left.
    if (hadFocus && placed.length === 0) this.frame.focus({ preventScroll: true });
  }
}
