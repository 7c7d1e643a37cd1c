// What the browser keeps for the page: over page loads, or for this tab. Where it keeps nothing, by the person's choice,
// it lasts as long as the page. docs/play.md has all names, and what ends each.

/** How the names of all that is kept begin. */
const OURS = "cairn-play-";
/** What is the browser's, and no person's; and drafts of tours, which have a rule of their own (`tours/drafts.js`). */
const STAYS = /^cairn-play-(look$|welcomed$|draft)/;

class Kept {
  /** @param {"localStorage" | "sessionStorage"} name */
  constructor(name) {
    this.name = name;
    /** @type {Map<string, string>} */
    this.memory = new Map();
  }

  /** @param {string} key @returns {string | null} */
  get(key) {
    const held = this.memory.get(key);
    if (held !== undefined) return held;
    try {
      return window[this.name].getItem(key);
    } catch {
      return null;
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
      this.memory.delete(key);
      return true;
    } catch {
      if (value === null) this.memory.delete(key);
      else this.memory.set(key, value);
      return false;
    }
  }

  /** A person has signed out: forgets what is theirs, and that is all but what is named above. */
  forget() {
    const kept = [...this.memory.keys()];
    try {
      kept.push(...Object.keys(window[this.name]));
    } catch {
      // Then nothing is in it.
    }
    for (const key of kept) if (key.startsWith(OURS) && !STAYS.test(key)) this.set(key, null);
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
