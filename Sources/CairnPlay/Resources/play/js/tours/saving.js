// What is entered in the editor goes to this device at once, and to the server after a pause or when its field is left.
// A part is sent on the version that it is based on, one request after the other; what is refused stays entered.

/** Milliseconds without a change after which a part is sent. */
const PAUSE_MS = 1_500;

/**
 * How it stands with a part: entered and on this device, being sent, on the server, refused and on this device, changed
 * by somebody else meanwhile, or nowhere but on the page.
 * @typedef {"kept" | "sending" | "saved" | "refused" | "conflict" | "unkept"} Standing
 */

/**
 * @typedef {object} Options
 * @property {import("./drafts.js").Drafts} drafts
 * @property {string} tour
 * @property {(part: string, value: any, version: number, key: string) => Promise<Sent>} send throws what is refused.
 *   The same key comes with the same value again where the answer was lost with the page
 * @property {(part: string, standing: Standing, refusal?: any) => void} tell
 * @property {(part: string, name: string) => void} [renamed] a new part is called so by the server
 * @property {number} [pause]
 */

/**
 * What was sent has the version now. A new part has another name, and what the server has taken as not whole has what
 * it lacks.
 * @typedef {{version: number, part?: string, refusal?: any}} Sent
 */

/**
 * What is not on the server: of which version it is a change; what was sent of it without an answer, under which key.
 * @typedef {{version: number, value: any, sent?: any, key?: string}} Entered
 */

/** Whether two values are the same, field by field. */
export function isSame(/** @type {any} */ a, /** @type {any} */ b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The parts of a tour that are being edited. */
export class Saving {
  /** @type {Map<string, Entered>} */
  #entered = new Map();
  /** @type {Map<string, number>} the versions of the parts on the server */
  #versions = new Map();
  /** @type {Map<string, any>} what the server has of the parts */
  #known = new Map();
  /** The part that is being sent. */
  #sending = "";
  #isClosed = false;
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  #timers = new Map();
  /** One request after the other: a part's version is that which the one before has answered. */
  #queue = Promise.resolve();

  /** @param {Options} options */
  constructor({ drafts, tour, send, tell, renamed = () => {}, pause = PAUSE_MS }) {
    /** @type {import("./drafts.js").Drafts} */ this.drafts = drafts;
    /** @type {Options["send"]} */ this.send = send;
    /** @type {Options["tell"]} */ this.tell = tell;
    this.renamed = renamed;
    this.tour = tour;
    this.pause = pause;
    for (const [part, entered] of Object.entries(drafts.of(tour))) this.#entered.set(part, entered);
  }

  /** The parts of which something is not on the server. */
  get unsent() {
    return [...this.#entered.keys()];
  }

  /**
   * What is entered of a part; undefined where it is as on the server.
   * @param {string} part
   */
  entered(part) {
    return this.#entered.get(part)?.value;
  }

  /**
   * The server has this of a part: what the form is to show.
   * @param {string} part
   * @param {number} version
   * @param {any} value
   */
  load(part, version, value) {
    const entered = this.#entered.get(part);
    this.#versions.set(part, version);
    this.#known.set(part, value);
    if (!entered) return value;
    if (isSame(entered.value, value)) {
      this.#forget(part);
      return value;
    }
    // What was sent before a reload may have arrived: it is sent again, and its answer says on what to go on.
    const goesOn = entered.version === version || Boolean(entered.key);
    this.tell(part, goesOn ? "kept" : "conflict");
    if (goesOn) this.#later(part);
    return entered.value;
  }

  /**
   * Somebody has entered something.
   * @param {string} part
   * @param {any} value
   * @param {boolean} [waits] it is sent by `flush` alone
   */
  enter(part, value, waits = false) {
    const before = this.#entered.get(part);
    if (before && isSame(before.value, value)) return;
    // Taken back to what the server has.
    if (this.#sending !== part && isSame(value, this.#known.get(part))) {
      this.#forget(part);
      this.tell(part, "saved");
      return;
    }
    const version = before?.version ?? this.#versions.get(part) ?? 0;
    this.#keep(part, { ...before, version, value });
    if (!waits) this.#later(part);
  }

  /**
   * What was entered of a part counts no more.
   * @param {string} part
   */
  drop(part) {
    this.#forget(part);
  }

  /** Nothing that was entered counts any more. */
  dropAll() {
    for (const part of this.unsent) this.#forget(part);
    this.drafts.drop(this.tour);
  }

  /**
   * Sends what is entered of a part, if anything is; a refusal is told, and thrown.
   * @param {string} part
   * @returns {Promise<void>}
   */
  flush(part) {
    clearTimeout(this.#timers.get(part));
    this.#timers.delete(part);
    const sending = this.#queue.then(() => this.#send(part));
    this.#queue = sending.catch(() => {});
    return sending;
  }

  /** Sends everything; the first refusal is thrown when all were tried. */
  async flushAll() {
    const all = await Promise.allSettled(this.unsent.map((part) => this.flush(part)));
    for (const one of all) if (one.status === "rejected") throw one.reason;
  }

  /**
   * After a conflict: what is entered counts, on the version that the server has.
   * @param {string} part
   * @param {number} version
   */
  keepMine(part, version) {
    const entered = this.#entered.get(part);
    if (entered) this.#keep(part, { version, value: entered.value });
    return this.flush(part);
  }

  /** Nothing is kept or forgotten on this device any more: the person is signed out. */
  close() {
    this.#isClosed = true;
    this.end();
  }

  /** Nothing is sent by itself any more; what is entered stays on this device. */
  end() {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** @param {string} part */
  async #send(part) {
    const entered = this.#entered.get(part);
    if (!entered) return;
    entered.sent ??= entered.value;
    entered.key ??= crypto.randomUUID();
    const { sent, version, key } = entered;
    this.#put(part, entered);
    this.tell(part, "sending");
    this.#sending = part;
    /** @type {Sent} */
    let now;
    try {
      now = await this.send(part, sent, version, key);
    } catch (refusal) {
      const newest = this.#entered.get(part);
      if (newest) this.#keep(part, { version: newest.version, value: newest.value });
      this.tell(part, /** @type {any} */ (refusal)?.code === "version_conflict" ? "conflict" : "refused", refusal);
      throw refusal;
    } finally {
      this.#sending = "";
    }
    const { version: next, part: name = part, refusal } = now, newest = this.#entered.get(part);
    this.#versions.set(name, next);
    this.#known.set(name, sent);
    if (newest && name !== part) {
      this.#forget(part);
      this.renamed(part, name);
    }
    if (!newest || isSame(newest.value, sent)) {
      this.#forget(name);
      this.tell(name, "saved", refusal);
    } else {
      this.#keep(name, { version: next, value: newest.value });
      await this.#send(name);
    }
  }

  /**
   * The tour has a name now: what is entered of it is kept under that.
   * @param {string} tour
   */
  moveTo(tour) {
    this.drafts.drop(this.tour);
    this.tour = tour;
    for (const [part, entered] of this.#entered) this.drafts.put(tour, part, entered);
  }

  /** @param {string} part */
  #later(part) {
    clearTimeout(this.#timers.get(part));
    this.#timers.set(part, setTimeout(() => this.flush(part).catch(() => {}), this.pause));
  }

  /**
   * @param {string} part
   * @param {Entered} entered
   */
  #keep(part, entered) {
    this.#entered.set(part, entered);
    this.tell(part, this.#put(part, entered) ? "kept" : "unkept");
  }

  /** @param {string} part */
  #forget(part) {
    clearTimeout(this.#timers.get(part));
    this.#timers.delete(part);
    this.#entered.delete(part);
    this.#put(part, null);
  }

  /** @param {string} part @param {Entered | null} entered */
  #put(part, entered) {
    return this.#isClosed || this.drafts.put(this.tour, part, entered);
  }
}
