// What is entered in the editor goes to this device at once, and to the server after a pause or when its field is left.
// A part is sent on the version that it is based on, one request after the other; what is refused stays entered.

/** Milliseconds without a change after which a part is sent. */
const PAUSE_MS = 1_500;
/** The server knows a key for 24 hours: what is sent under it after that might be made twice. */
const KEY_LIVES_MS = 23 * 3_600_000;

/**
 * How it stands with a part: entered and on this device, being sent, on the server, refused and on this device, changed
 * by somebody else meanwhile, or nowhere but on the page.
 * @typedef {"kept" | "sending" | "saved" | "refused" | "conflict" | "unkept"} Standing
 */

/**
 * @typedef {object} Options
 * @property {import("./drafts.js").Drafts} drafts
 * @property {string} tour
 * @property {(part: string, value: any, version: number, key: string, onto: (version: number) => void) =>
 *   Promise<Sent>} send throws what is refused. The same key comes with the same value again where the answer was lost
 *   with the page. Where it takes several requests, it calls `onto` with the version after each: if a later one is
 *   refused, the next attempt is based on that
 * @property {(part: string, standing: Standing, refusal?: any) => void} tell
 * @property {(part: string, name: string) => void} [renamed] a new part is called so by the server
 * @property {(name: string, version: number) => Promise<any>} [orphaned] a new part that was dropped while it was sent
 *   is on the server: takes it away there
 * @property {number} [pause]
 */

/**
 * What was sent has the version now. A new part has another name, and what the server has taken as not whole has what
 * it lacks.
 * @typedef {{version: number, part?: string, refusal?: any}} Sent
 */

/**
 * What is not on the server: of which version it is a change; what was sent of it without an answer, under which key,
 * and when that was made (milliseconds since 1970). A key that is too old is gone, and what was sent under it stays.
 * One that `isGone` was a new part, which the person has taken away before it was known whether it had arrived.
 * @typedef {{version: number, value: any, sent?: any, key?: string, made?: number, isGone?: boolean}} Entered
 */

/** Whether a part is on this device alone. */
export function isNew(/** @type {string} */ part) {
  return part.startsWith("stop:") || part.startsWith("popup:");
}

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
  #isEnded = false;
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  #timers = new Map();
  /** One request after the other: a part's version is that which the one before has answered. */
  #queue = Promise.resolve();

  /** @param {Options} options */
  constructor({ drafts, tour, send, tell, renamed = () => {}, orphaned = async () => {}, pause = PAUSE_MS }) {
    /** @type {import("./drafts.js").Drafts} */ this.drafts = drafts;
    /** @type {Options["send"]} */ this.send = send;
    /** @type {Options["tell"]} */ this.tell = tell;
    this.renamed = renamed;
    this.orphaned = orphaned;
    this.tour = tour;
    this.pause = pause;
    for (const [part, entered] of Object.entries(/** @type {Record<string, Entered>} */ (drafts.of(tour)))) {
      const { key, made = -Infinity, ...rest } = entered;
      const isKnown = key && drafts.now() - made < KEY_LIVES_MS;
      if (!entered.isGone) this.#entered.set(part, isKnown ? entered : rest);
      else if (!isKnown) drafts.put(tour, part, null);
    }
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
   * Whether the server has this of a part, in this version, as far as that is known here.
   * @param {string} part
   * @param {any} value
   * @param {number} version
   */
  isOnServer(part, value, version) {
    return version === this.#versions.get(part) && isSame(value, this.#known.get(part));
  }

  /**
   * The version of the part on the server that what is entered is based on; 0 = none.
   * @param {string} part
   */
  basis(part) {
    return this.#entered.get(part)?.version ?? 0;
  }

  /**
   * What was sent of a part under a key that the server may have forgotten; undefined = nothing.
   * @param {string} part
   */
  lapsed(part) {
    const { key, sent } = this.#entered.get(part) ?? {};
    return key ? undefined : sent;
  }

  /**
   * What was sent of a part before its key lapsed has arrived.
   * @param {string} part
   * @param {Sent} now
   */
  arrived(part, now) {
    if (this.#took(part, this.lapsed(part), now)) this.#later(now.part ?? part);
  }

  /**
   * The server has a part no more: what is entered of it is a new one from now on, which is sent when it was decided
   * that it counts (`keepMine`). Not while it is being sent: the answer decides.
   * @param {string} part
   * @param {string} name
   */
  renew(part, name) {
    const entered = this.#entered.get(part);
    if (!entered || this.#sending === part) return;
    this.#forget(part);
    this.renamed(part, name);
    this.#keep(name, { version: entered.version, value: entered.value });
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
    const { key, sent, made } = this.#entered.get(part) ?? {};
    this.#forget(part);
    // It may arrive all the same, also after a reload, and is taken away there then.
    if (key && isNew(part)) this.#put(part, { version: 0, value: null, sent, key, made, isGone: true });
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

  /**
   * Sends a part that is as on the server once more: the server may judge it anew. Nothing was entered, and nothing is
   * said to be.
   * @param {string} part
   * @param {any} value
   */
  again(part, value) {
    if (!this.#entered.has(part)) this.#entered.set(part, { version: this.#versions.get(part) ?? 0, value });
    return this.flush(part);
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
    this.#isEnded = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** The person goes elsewhere: what waits for its pause is sent now, and nothing by itself after that. */
  leave() {
    const waiting = [...this.#timers.keys()];
    this.end();
    for (const part of waiting) this.flush(part).catch(() => {});
  }

  /** @param {string} part */
  async #send(part) {
    const entered = this.#entered.get(part);
    if (!entered) return;
    if (!entered.key) {
      Object.assign(entered, { sent: entered.value, key: crypto.randomUUID(), made: this.drafts.now() });
    }
    const { sent, version, key = "" } = entered;
    this.#put(part, entered);
    this.tell(part, "sending");
    this.#sending = part;
    /** @type {Sent} */
    let now;
    let reached = version;
    try {
      now = await this.send(part, sent, version, key, (next) => { reached = next; });
    } catch (refusal) {
      const newest = this.#entered.get(part);
      if (newest) this.#keep(part, { version: Math.max(reached, newest.version), value: newest.value });
      else this.#put(part, null);
      this.tell(part, /** @type {any} */ (refusal)?.code === "version_conflict" ? "conflict" : "refused", refusal);
      throw refusal;
    } finally {
      this.#sending = "";
    }
    const { version: next, part: name = part } = now;
    if (name !== part && !this.#entered.has(part)) {
      await this.orphaned(name, next).catch(() => {});
      this.#put(part, null);
      this.renamed(part, name);
      this.tell(name, "saved");
      return;
    }
    if (this.#took(part, sent, now)) await this.#send(name);
  }

  /**
   * The server has taken what was sent of a part.
   * @param {string} part
   * @param {any} sent
   * @param {Sent} now
   * @returns {boolean} whether something else was entered meanwhile
   */
  #took(part, sent, { version: next, part: name = part, refusal }) {
    const newest = this.#entered.get(part);
    this.#versions.set(name, next);
    this.#known.set(name, sent);
    if (newest && name !== part) {
      this.#forget(part);
      this.renamed(part, name);
    }
    if (!newest || isSame(newest.value, sent)) {
      this.#forget(name);
      this.tell(name, "saved", refusal);
      return false;
    }
    this.#keep(name, { version: next, value: newest.value });
    return true;
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
    if (this.#isEnded) return;
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

  /** @param {string} part @param {Entered | null} entered @returns {boolean} whether it is on this device */
  #put(part, entered) {
    return !this.#isClosed && this.drafts.put(this.tour, part, entered);
  }
}
