// The markers by keys: one of them is a stop of the Tab key, and the arrow keys go from there to the next one, the
// nearest to the person first.

/**
 * Steps of the keys; Home and End go to the nearest and to the furthest.
 * @type {Record<string, number>}
 */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/**
 * Where a key leads to.
 * @param {number} at the place in the order now, -1 = none
 * @param {number} count
 * @param {string} key
 * @returns {number | null} null = the key is for something else
 */
export function stepped(at, count, key) {
  if (!Object.hasOwn(STEPS, key) || count === 0) return null;
  return Math.min(count - 1, Math.max(0, at + STEPS[key]));
}

/** The order of the markers, and which of them is the stop. */
export class Roving {
  /** @type {HTMLElement[]} the nearest first */
  #order = [];
  /** @type {HTMLElement | undefined} */
  #stop;

  /** @param {HTMLElement} container of the map, in which the markers are */
  constructor(container) {
    container.addEventListener("keydown", (event) => {
      const at = this.#order.indexOf(/** @type {HTMLElement} */ (event.target));
      const to = at < 0 || event.ctrlKey || event.altKey || event.metaKey ? null : stepped(at, this.#order.length,
        event.key);
      if (to === null) return;
      event.preventDefault();
      // The map is moved by these keys while it has the focus itself.
      event.stopPropagation();
      this.#put(this.#order[to]);
      this.#order[to].focus({ preventScroll: true });
    }, { capture: true });
    container.addEventListener("focusin", ({ target }) => {
      const element = /** @type {HTMLElement} */ (target);
      if (this.#order.includes(element)) this.#put(element);
    });
  }

  /**
   * The markers are these now. One that had the focus and is gone leaves it to the nearest.
   * @param {HTMLElement[]} order the nearest first
   * @param {boolean} isLost whether a marker that is gone had the focus
   */
  take(order, isLost) {
    this.#order = order;
    const [nearest] = order;
    for (const element of order) if (element !== this.#stop) element.tabIndex = -1;
    this.#put(this.#stop && order.includes(this.#stop) && document.activeElement === this.#stop ? this.#stop : nearest);
    if (isLost) nearest?.focus({ preventScroll: true });
  }

  /** @param {HTMLElement | undefined} next */
  #put(next) {
    if (this.#stop && this.#stop !== next) this.#stop.tabIndex = -1;
    this.#stop = next;
    if (next) next.tabIndex = 0;
  }
}
