// What was done, one step after the other, so that it can be undone and done again.

/** Most steps that can be undone; the oldest are forgotten. */
const STEPS_MAX = 200;

/** @template State */
export class Steps {
  /** @type {State[]} */
  #before = [];
  /** @type {State[]} */
  #after = [];

  /** @param {State} now states are not changed in place */
  constructor(now) {
    this.now = now;
  }

  /**
   * Steps that made a list entry by entry, so that what was drawn before is undone like what is drawn now.
   * @template Entry
   * @param {Entry[]} list
   */
  static of(list) {
    const first = Math.max(0, list.length - STEPS_MAX), steps = new Steps(list.slice(0, first));
    for (let n = first + 1; n <= list.length; n += 1) steps.take(list.slice(0, n));
    return steps;
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  get canRedo() {
    return this.#after.length > 0;
  }

  /**
   * A step: what was undone before it cannot be done again.
   * @param {State} next
   */
  take(next) {
    this.#before.push(this.now);
    if (this.#before.length > STEPS_MAX) this.#before.shift();
    this.#after = [];
    this.now = next;
  }

  /** @returns {boolean} whether there was a step */
  undo() {
    return this.#move(this.#before, this.#after);
  }

  /** @returns {boolean} whether there was a step that was undone */
  redo() {
    return this.#move(this.#after, this.#before);
  }

  /**
   * @param {State[]} from
   * @param {State[]} to
   */
  #move(from, to) {
    if (from.length === 0) return false;
    to.push(this.now);
    this.now = /** @type {State} */ (from.pop());
    return true;
  }
}
