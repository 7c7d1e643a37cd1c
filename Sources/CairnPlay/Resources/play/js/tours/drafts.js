// What was typed and drawn in the editor and is not on the server yet, on this device: it is there after a reload, in
// another tab, after a crash and after a refusal. One entry for each part of a tour that differs.

import { isSame } from "./saving.js";

/** Most tours of which something is kept; the one that was touched first is forgotten. */
const TOURS_MAX = 20;
/** Most characters of a tour. What is more is not kept, and that is said. */
const CHARACTERS_MAX = 1_000_000;
/** After so long what is kept is forgotten. */
const LIVES_MS = 90 * 86_400_000;
const INDEX = "cairn-play-drafts";
/** What a tour is called here that the server does not have yet. */
export const NEW = "new";

/**
 * Where drafts are kept. `set` says whether it outlasts the page.
 * @typedef {{get: (key: string) => string | null, set: (key: string, value: string | null) => boolean}} Storage
 */
/** @typedef {import("./saving.js").Entered} Part what was entered, and how it was sent */

/** The drafts of an account on this device. */
export class Drafts {
  /**
   * @param {Storage} storage
   * @param {string} account
   * @param {() => number} [now] milliseconds since 1970
   */
  constructor(storage, account, now = Date.now) {
    this.storage = storage;
    this.account = account;
    this.now = now;
  }

  /**
   * What is kept of a tour, by part.
   * @param {string} tour
   * @returns {Record<string, Part>}
   */
  of(tour) {
    return readJSON(this.storage, this.#key(tour), {});
  }

  /**
   * Keeps a part. It is read, changed and written at once, so that another tab's parts stay.
   * @param {string} tour
   * @param {string} part
   * @param {Part | null} entered null forgets it
   * @returns {boolean} whether it is kept
   */
  put(tour, part, entered) {
    const parts = this.of(tour);
    if (entered) parts[part] = entered;
    else if (part in parts) delete parts[part];
    else return true;
    const isEmpty = Object.keys(parts).length === 0, text = JSON.stringify(parts);
    if (text.length > CHARACTERS_MAX) return false;
    this.#index(tour, isEmpty);
    return this.storage.set(this.#key(tour), isEmpty ? null : text) || isEmpty;
  }

  /**
   * Forgets all of a tour.
   * @param {string} tour
   */
  drop(tour) {
    this.#index(tour, true);
    this.storage.set(this.#key(tour), null);
  }

  /** @param {string} tour */
  #key(tour) {
    return keyOf(this.account, tour);
  }

  /**
   * Puts a tour last in the list of all, or takes it out.
   * @param {string} tour
   * @param {boolean} isGone
   */
  #index(tour, isGone) {
    const { account } = this, at = this.now();
    const others = indexOf(this.storage).filter((one) => one.account !== account || one.tour !== tour);
    const all = isGone ? others : [...others, { account, tour, at }];
    const kept = all.filter((one) => at - one.at < LIVES_MS).slice(-TOURS_MAX);
    for (const one of all) if (!kept.includes(one)) this.storage.set(keyOf(one.account, one.tour), null);
    this.storage.set(INDEX, kept.length > 0 ? JSON.stringify(kept) : null);
  }
}

/**
 * Forgets the drafts of an account on this device; those of others stay.
 * @param {Storage} storage
 * @param {string} account
 */
export function forgetDrafts(storage, account) {
  const drafts = new Drafts(storage, account);
  for (const one of indexOf(storage)) if (one.account === account) drafts.drop(one.tour);
}

/**
 * The client has sent a change of an earlier page load again, and it was taken: what was entered is on the server under
 * the name that it has there. The ground is left to its editor, because it may take several requests.
 * @param {Storage} storage
 * @param {string} account
 * @param {{kind: string, key: string, result: {tour: string, version: number, part?: string}}} answer
 * @returns {{tour: string, part: string, version: number} | null} what the person has taken away meanwhile: it is to be
 *   removed from the server
 */
export function settleDraft(storage, account, { kind, key, result }) {
  const drafts = new Drafts(storage, account);
  for (const { account: whose, tour } of indexOf(storage)) {
    if (whose !== account) continue;
    const parts = drafts.of(tour);
    const [part, entered] = Object.entries(parts).find(([name, one]) => one.key === key && name !== "ground") ?? [];
    if (!part || !entered) continue;
    const { value, sent } = entered, name = kind === "createTour" ? part : result.part || part;
    delete parts[part];
    if (entered.isGone) {
      drafts.put(tour, part, null);
      return { tour, part: name, version: result.version };
    }
    if (!isSame(value, sent)) parts[name] = { version: result.version, value };
    drafts.drop(tour);
    const now = kind === "createTour" ? result.tour : tour;
    for (const [one, what] of Object.entries(parts)) drafts.put(now, one, what);
    return null;
  }
  return null;
}

/**
 * @param {string} account
 * @param {string} tour
 */
function keyOf(account, tour) {
  return `cairn-play-draft:${account}:${tour}`;
}

/**
 * @param {Storage} storage
 * @returns {{account: string, tour: string, at: number}[]} the one that was touched last at the end
 */
function indexOf(storage) {
  const found = readJSON(storage, INDEX, []);
  return Array.isArray(found) ? found : [];
}

/**
 * @param {Storage} storage
 * @param {string} key
 * @param {any} none what is given for what is not there, or is damaged
 */
function readJSON(storage, key, none) {
  try {
    return JSON.parse(storage.get(key) ?? "null") ?? none;
  } catch {
    return none;
  }
}
