// A tour that is being edited: what the server has of it, what is entered, and how its parts are sent (TRM-1 to TRM-9).

import { client, limits } from "../core/app.js";
import { route } from "../core/router.js";
import { local } from "../core/storage.js";
import { readTour, words } from "./content.js";
import { Drafts, NEW } from "./drafts.js";
import { isOfGround, lacksGround, pointOf } from "./faults.js";
import { piecesOf } from "./pieces.js";
import { Saving, isNew, isSame } from "./saving.js";
import { factsOf, factsValue, groundValue, popupOf, popupValue, stopOf, stopValue } from "./values.js";
import { lacks } from "./whole.js";

/** So long after a save of one's own, what the server tells is that. */
const OWN_MS = 3_000;

/**
 * The ground that the server has as not whole, and why; null = none. The editor is made anew whenever its page is shown,
 * also behind the map on which that ground was drawn.
 * @type {{tour: string, ground: any, refusal: any} | null}
 */
let refused = null;

/** @typedef {import("./saving.js").Standing} Standing */
/** @typedef {{part: string, value: any, saved: any}} Entry `saved` is what the server has; null = nothing yet */

export class Editor {
  /** @type {{tour: any, content: any, parts: Map<string, number>}} */
  draft = { tour: {}, content: { facts: {}, ground: {}, stops: [], popups: [] }, parts: new Map() };
  /** Why the server has not taken the ground as whole; null = it has, or there is none. @type {any} */
  groundRefusal = null;
  /** @type {Set<(part: string, standing: Standing, refusal?: any) => void>} */
  #listeners = new Set();
  /** @type {Set<(part: string, name: string) => void>} */
  #renamed = new Set();
  /** How it stands with each part, as far as that was told. @type {Map<string, [Standing, any]>} */
  #standings = new Map();
  #savedAt = -Infinity;
  /** Another editor or place is shown: nothing is drawn or sent by itself any more. */
  isOver = false;
  /** How many drawings on the map, which may be another place, are going on for it. */
  drawings = 0;
  /** The parts that the person is taking away. @type {Set<string>} */
  removing = new Set();
  /** What is entered of what the tour says of itself. */
  facts = factsValue();
  /** What is entered of the ground. */
  ground = groundValue();

  /** @param {string} tour its id, or NEW */
  constructor(tour) {
    this.id = tour === NEW ? "" : tour;
    this.saving = new Saving({
      drafts: new Drafts(local, client.welcome?.account ?? ""), tour,
      send: (part, value, version, key, onto) => this.#send(part, value, version, key, onto),
      tell: (part, standing, refusal) => this.#told(part, standing, refusal),
      renamed: (part, name) => { for (const listener of this.#renamed) listener(part, name); },
      orphaned: (part, version) => this.change("removeTourPart", { part, version }),
    });
  }

  /** Whether it is what the person looks at: its page, or the map while they draw for it. */
  get isShown() {
    const { place, rest } = route();
    return !this.isOver && (place === "tours" && rest[0] === "edit" || place === "map" && this.drawings > 0);
  }

  /** Another editor is shown, or nobody is signed in any more. What is entered stays on this device. */
  end() {
    this.isOver = true;
    this.saving.end();
  }

  /**
   * How it stands with a part, and why; undefined where that was not told.
   * @param {string} part
   */
  standing(part) {
    return this.#standings.get(part);
  }

  /** Whether a change that the server tells may be the person's own. */
  get hasJustSaved() {
    return performance.now() - this.#savedAt < OWN_MS;
  }

  /** @param {(part: string, standing: Standing, refusal?: any) => void} listener */
  onStanding(listener) {
    this.#listeners.add(listener);
  }

  /** @param {(part: string, name: string) => void} listener for a new part that the server calls so now */
  onRenamed(listener) {
    this.#renamed.add(listener);
  }

  /** Reads what the server has; what is entered stays. */
  async load() {
    await this.#read();
    this.#take();
  }

  async #read() {
    if (this.id) this.draft = await readTour(this.id, true);
  }

  #take() {
    const { content, parts } = this.draft;
    const version = (/** @type {string} */ part) => parts.get(part) ?? 0;
    this.facts = this.saving.load("facts", version("facts"), factsValue(content.facts));
    this.ground = this.saving.load("ground", version("ground"), groundValue(content.ground));
    for (const stop of content.stops) this.saving.load(stop.id, version(stop.id), stopValue(stop));
    for (const popup of content.popups) this.saving.load(popup.id, version(popup.id), popupValue(popup));
    const isRefused = refused?.tour === this.id && isSame(refused.ground, this.ground);
    if (refused && isRefused && !this.standing("ground")) this.#told("ground", "saved", refused.refusal);
    // What is new on this device alone, and parts that somebody else has removed.
    for (const part of this.saving.unsent) {
      if (isNew(part)) this.#takeNew(part);
      else if (part !== "facts" && part !== "ground" && !parts.has(part)) this.#takeRemoved(part);
    }
  }

  /** @param {string} part that is new, unless it has arrived in spite of an answer that was lost */
  #takeNew(part) {
    const sent = this.saving.lapsed(part), { content, parts } = this.draft;
    const [saved, read] = part.startsWith("stop:") ? [content.stops, stopValue] : [content.popups, popupValue];
    const there = sent && saved.find((/** @type {any} */ one) => isSame(read(one), sent))?.id;
    if (there) this.saving.arrived(part, { part: there, version: parts.get(there) ?? 0 });
    else this.saving.load(part, 0, null);
  }

  /** @param {string} part that is not on the server: what is typed into it is a new one, if it is to count */
  #takeRemoved(part) {
    if (this.removing.has(part)) {
      this.saving.drop(part);
      return;
    }
    // What was read may be older than what was saved since.
    const isOlder = this.saving.basis(part) > Math.max(0, ...this.draft.parts.values());
    if (isOlder && this.standing(part)?.[1]?.code !== "not_found") return;
    const kind = "history" in this.saving.entered(part) ? "stop" : "popup", name = `${kind}:${crypto.randomUUID()}`;
    this.saving.renew(part, name);
    this.saving.load(name, 0, null);
  }

  /** The stops as they are entered: those of the server, and behind them new ones. @returns {Entry[]} */
  get stops() {
    return this.#entries("stop", this.draft.content.stops, stopValue);
  }

  /** The popups likewise. @returns {Entry[]} */
  get popups() {
    return this.#entries("popup", this.draft.content.popups, popupValue);
  }

  /**
   * @param {string} kind
   * @param {any[]} saved
   * @param {(one: any) => any} read
   * @returns {Entry[]}
   */
  #entries(kind, saved, read) {
    const known = saved.map((one) => ({ part: one.id, value: this.saving.entered(one.id) ?? read(one), saved: one }));
    const fresh = this.saving.unsent.filter((part) => part.startsWith(`${kind}:`))
      .map((part) => ({ part, value: this.saving.entered(part), saved: null }));
    return [...known, ...fresh];
  }

  /** Everything as it is entered, as the map shows it and as it would be published. */
  get content() {
    const { content } = this.draft;
    const whole = (/** @type {() => any} */ make, /** @type {any} */ or) => {
      try {
        return make();
      } catch {
        return or;
      }
    };
    return {
      facts: whole(() => factsOf(this.facts, content.facts), content.facts), ground: this.ground,
      stops: this.stops.map(({ part, value, saved }) => ({ id: part, ...whole(() => stopOf(value, saved ?? {}),
        { ...saved, pose: { geopose: { position: value.place } } }) })),
      popups: this.popups.map(({ part, value, saved }) => ({ id: part, ...popupOf(value, saved ?? {}) })),
    };
  }

  /** What is missing before it can be published. */
  get lacks() {
    return lacks(this.content, words);
  }

  /** @param {string} part @param {any} value @param {boolean} [waits] as in `Saving.enter` */
  enter(part, value, waits = false) {
    if (part === "facts") this.facts = value;
    if (part === "ground") this.ground = value;
    this.saving.enter(part, value, waits);
  }

  /**
   * Ends a conflict: what is entered counts, or what somebody else has saved. What is entered stays where that cannot
   * be read, which is thrown.
   * @param {string} part
   * @param {boolean} isMine
   */
  async resolve(part, isMine) {
    await this.#read();
    if (!isMine) {
      this.saving.drop(part);
      this.#standings.delete(part);
    }
    this.#take();
    // What is refused then, the part itself says.
    if (isMine) await this.saving.keepMine(part, this.draft.parts.get(part) ?? 0).catch(() => {});
  }

  /** A request that changes the draft, on the version of a part that the server has. */
  async change(/** @type {string} */ kind, /** @type {any} */ body = {}, /** @type {any} */ options = {}) {
    this.#savedAt = performance.now();
    try {
      return await client.request(kind, { ...(this.id ? { tour: this.id } : {}), ...body }, options);
    } finally {
      this.#savedAt = performance.now();
    }
  }

  /**
   * Publishes what the server has. A ground that it has as not whole it judges anew before that: what was wrong with it
   * may be right by now, or was said to a page that is not there any more. Throws what is refused, also of the ground.
   */
  async publish() {
    if (this.groundRefusal) await this.#judgeGround();
    try {
      await this.change("publishTour");
    } catch (no) {
      if (!lacksGround(no)) throw no;
      await this.#judgeGround();
      await this.change("publishTour");
    }
  }

  async #judgeGround() {
    await this.saving.again("ground", this.ground);
    if (this.groundRefusal) throw this.groundRefusal;
  }

  /**
   * @param {string} part
   * @param {any} value
   * @param {number} version
   * @param {string} key
   * @param {(version: number) => void} onto
   * @returns {Promise<import("./saving.js").Sent>}
   */
  async #send(part, value, version, key, onto) {
    if (part === "facts") return this.#sendFacts(value, version, key);
    if (!this.id) throw Object.assign(new Error(), { code: "unfinished" });
    if (part === "ground") return this.#sendGround(value, version, key, onto);
    const { stops, popups } = this.draft.content;
    const saved = [...stops, ...popups].find((/** @type {any} */ { id }) => id === part);
    const isStop = saved ? stops.includes(saved) : part.startsWith("stop:");
    const edited = await this.change(isStop ? "setTourStop" : "setTourPopup",
      { version, ...(isStop ? { stop: stopOf(value, saved) } : { popup: popupOf(value, saved) }) }, { key });
    return { version: edited.version, part: edited.part };
  }

  /**
   * @param {any} value
   * @param {number} version
   * @param {string} key
   */
  async #sendFacts(value, version, key) {
    if (!value.name.trim() || !value.description.trim()) throw Object.assign(new Error(), { code: "unfinished" });
    const facts = factsOf(value, this.draft.content.facts);
    if (this.id) return await this.change("setTourFacts", { version, facts }, { key });
    const made = await this.change("createTour", { facts }, { key });
    this.id = made.tour;
    this.saving.moveTo(made.tour);
    // The way back does not lead to a new tour again.
    const { place, rest } = route();
    if (place === "tours" && rest[1] === NEW) history.replaceState(history.state, "", `#/tours/edit/${made.tour}`);
    return { version: made.version };
  }

  /**
   * Area and route are kept on the server one by one: until both are there and can be walked they are not whole. What
   * is larger than a message goes in pieces, each under a key of its own.
   * @param {any} ground
   * @param {number} version
   * @param {string} key
   * @param {(version: number) => void} onto
   */
  async #sendGround(ground, version, key, onto) {
    const pieces = piecesOf(ground, limits().messageBytes);
    const isWhole = ground.area.length > 2 && ground.route.length > 1;
    let now = version;
    const send = async (/** @type {number} */ n, /** @type {boolean} */ more, suffix = "") => {
      const body = { version: now, ground: pieces[n], append: n > 0, more };
      now = (await this.change("setTourGround", body, { key: `${key}${n > 0 ? `-${n}` : ""}${suffix}` })).version;
      onto(now);
    };
    const last = pieces.length - 1;
    for (let n = 0; n < last; n += 1) await send(n, true);
    let refusal = null;
    if (isWhole) {
      try {
        await send(last, false);
        return { version: now };
      } catch (no) {
        if (!isOfGround(no)) throw no;
        // Nothing is changed, so other editors are to hear of no new version.
        if (this.saving.isOnServer("ground", ground, now)) return { version: now, refusal: no };
        refusal = no;
      }
    }
    await send(last, true, "-kept");
    return { version: now, refusal };
  }

  /** @param {string} part @param {Standing} standing @param {any} [refusal] */
  #told(part, standing, refusal) {
    // What is not finished yet is on this device, and no fault.
    const isUnfinished = refusal?.code === "unfinished";
    if (part === "ground" && ["saved", "refused"].includes(standing)) {
      this.groundRefusal = refusal ?? null;
      refused = standing === "saved" && refusal ? { tour: this.id, ground: this.ground, refusal } : null;
    }
    const now = isUnfinished ? "kept" : standing, why = isUnfinished ? undefined : refusal;
    this.#standings.set(part, [now, why]);
    for (const listener of this.#listeners) listener(part, now, why);
  }

  /** The point of the ground that the server has refused; null = none. */
  get fault() {
    return pointOf(this.groundRefusal);
  }
}
