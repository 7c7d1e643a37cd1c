// The row of totals, with the curves of how they came to be.

import { Curve, spans } from "./curve.js";
import { make, write } from "./page.js";
import { meanings, totalMeanings } from "./meanings.js";
import { bytes, clock, count, micros, number } from "./words.js";

const tiles = [
  {
    name: "People", unit: "people", series: "people", value: (totals) => totals.people,
    words: (totals) => `${number(totals.users)} signed in, ${count(totals.guests, "guest")}`,
  },
  {
    name: "Connections", unit: "connections", series: "connections", value: (totals) => totals.connections,
    words: (totals) => `${totals.behind} behind, ${totals.detached} cut`,
  },
  {
    name: "Messages out/s", unit: "a second", series: "messagesOutPerSecond", isRate: true,
    value: (totals) => totals.rates.messagesOut, words: (totals) => `${bytes(totals.rates.bytesOut)}/s`,
  },
  {
    name: "Events/s", unit: "a second", series: "eventsPerSecond", isRate: true,
    value: (totals) => totals.rates.events, words: (totals) => `${number(totals.rates.changes)} changes/s to disk`,
  },
  {
    name: "Refusals/s", unit: "a second", series: "refusalsPerSecond", isRate: true,
    value: (totals) => totals.rates.refusals, words: (totals) => `${number(totals.refusals)} requests since the start`,
    isPicked: true,
  },
  {
    name: "Not on disk yet", unit: "changes", series: "backlogChanges",
    value: (totals) => totals.queues.backlogChanges,
    words: (totals) => (totals.queues.backlogChanges > 0
      ? `oldest ${micros(totals.queues.oldestUnsavedMilliseconds * 1_000)}` : "all changes are on disk"),
  },
];

/** Seconds between two looks at the course of hours. */
const slowly = 20;

export class Totals {
  #link;
  #tiles;
  #span;
  #startedAt = 0;
  #looks = 0;
  /** Whether the course is known; until then seconds are not added. */
  #isBegun = false;
  #lastShown = 0;
  #words = document.getElementById("curves-words");

  /** `onpick` gets begin and end of a step of the refusals' curve, in milliseconds since 1970. */
  constructor(link, onpick) {
    this.#link = link;
    this.#span = spans.find(({ range }) => range === localStorage.getItem("cairn-curves")) ?? spans[0];
    this.#tiles = tiles.map((tile) => {
      const curve = new Curve(tile.name, tile.unit, tile.isPicked ? onpick : null);
      const value = make("p", { class: "value" }, "–");
      const words = make("p", { class: "quiet" });
      const element = make(
        "div", { class: "tile" }, make("h3", {}, tile.name),
        make("div", { class: "tile-now" }, value, words), curve.element);
      return { ...tile, curve, element, shown: value, told: words };
    });
    document.getElementById("totals").append(...this.#tiles.map(({ element }) => element));
    document.getElementById("totals").after(meanings(totalMeanings));
    document.getElementById("spans").append(...spans.map((span) => make(
      "label", {},
      make("input", {
        type: "radio", name: "span", value: span.range, checked: span === this.#span,
        onchange: () => this.#choose(span),
      }), make("span", {}, span.name))));
  }

  /** The connection is there: asks for what the server remembers. */
  async begin(startedAt) {
    this.#startedAt = startedAt;
    this.#isBegun = false;
    await this.#look();
  }

  show(totals, at) {
    const now = performance.now();
    // By the browser's clock, which does not jump when the server's does.
    const missed = Math.max(0, Math.round((now - this.#lastShown) / 1_000) - 1);
    for (const { curve, shown, told, value, words, isRate } of this.#tiles) {
      if (this.#isBegun && this.#span.step === 1) curve.add(value(totals), missed, at);
      write(shown, number(value(totals)));
      write(told, isRate ? `${this.#average(curve)}${words(totals)}` : words(totals));
    }
    this.#lastShown = now;
    this.#looks += 1;
    if (this.#span.step > 1 && this.#looks % slowly === 0) this.#look();
  }

  /** Of a rate the number is that of one second, which says little by itself. */
  #average(curve) {
    return curve.mean === null ? "" : `in this second; ${number(curve.mean)} on average in ${this.#span.name}; `;
  }

  #choose(span) {
    localStorage.setItem("cairn-curves", span.range);
    this.#span = span;
    this.#isBegun = false;
    this.#look();
  }

  async #look() {
    const span = this.#span;
    try {
      const history = await this.#link.ask(`history ${span.range}`);
      if (span !== this.#span) return;
      const { at, newestSeconds, least, most } = history;
      for (const { curve, series } of this.#tiles) {
        const course = { values: history[series], least: least?.[series], most: most?.[series], newestSeconds };
        curve.begin(span, course, at);
      }
      this.#lastShown = performance.now();
      this.#isBegun = true;
      const isYoung = at - this.#startedAt < span.step * span.steps * 1_000;
      write(this.#words, isYoung ? `Curves begin at the start of the server, ${clock(this.#startedAt)}.` : "");
    } catch {
      // The connection is gone; the next one begins anew.
    }
  }
}
