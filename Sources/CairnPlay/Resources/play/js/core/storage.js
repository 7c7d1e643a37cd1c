// What the browser keeps for the page: over page loads, or for this tab. Where it keeps nothing, by the person's choice,
// it lasts as long as the page.

class Kept {
  /** @param {"localStorage" | "sessionStorage"} name */
  constructor(name) {
    this.name = name;
    /** @type {Map<string, string>} */
    this.memory = new Map();
  }

  /** @param {string} key @returns {string | null} */
  get(key) {
    try {
      return window[this.name].getItem(key);
    } catch {
      return this.memory.get(key) ?? null;
    }
  }

  /**
   * @param {string} key
   * @param {string | null} value null forgets it
   * @returns {boolean} whether the browser has it; else it is there until the page is left, if there is room for it
   */
  set(key, value) {
    try {
      if (value === null) window[this.name].removeItem(key);
      else window[this.name].setItem(key, value);
      return true;
    } catch {
      if (value === null) this.memory.delete(key);
      else this.memory.set(key, value);
      return false;
    }
  }

  clear() {
    this.memory.clear();
    try {
      window[this.name].clear();
    } catch {
      // Then nothing is in it.
    }
  }
}

/** For this browser, over page loads. */
export const local = new Kept("localStorage");
/** For this tab. */
export const tab = new Kept("sessionStorage");
