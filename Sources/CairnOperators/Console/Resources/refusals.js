// What was refused, dropped, closed and turned away, by reason and time, with what it means and what to do.

import { Table, make, write } from "./page.js";
import { clock, number, plain } from "./words.js";

/** Times to choose, in minutes; the first is the last minute, which every answer has. */
const times = [[0, "Last minute"], [5, "Last 5 minutes"], [15, "Last 15 minutes"], [60, "Last hour"],
  [1_440, "Last 24 hours"]];
const picked = "picked";

export class Refusals {
  #link;
  #heading = document.getElementById("noes-heading");
  #words = document.getElementById("noes-words");
  #time = document.getElementById("noes-time");
  #own = make("option", { value: picked, hidden: true });
  #count = make("span", {}, "Last minute");
  #table = new Table("Refusals, drops and closures by reason", [
    { name: "Reason, meaning and what to do", isProse: true }, { name: this.#count, isNumber: true },
    { name: "Since start", isNumber: true },
  ]);
  #nothing = make("p", { class: "quiet" }, "Nothing since the start.");
  /** The time that was picked in a curve: begin and end, in milliseconds since 1970. */
  #picked = null;
  #isAsking = false;

  constructor(link) {
    this.#link = link;
    this.#time.append(...times.map(([minutes, name]) => make("option", { value: minutes }, name)), this.#own);
    this.#time.addEventListener("change", () => this.look());
    document.getElementById("noes").append(this.#nothing, this.#table.element);
  }

  /** Shows the reasons of a time that somebody picked in a curve. */
  async pick(begin, end) {
    this.#picked = [begin, end];
    write(this.#own, `From ${clock(begin)} to ${clock(end)}`);
    this.#own.hidden = false;
    this.#time.value = picked;
    await this.look();
    this.#heading.scrollIntoView({ block: "start" });
    this.#heading.focus({ preventScroll: true });
  }

  async look() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const chosen = this.#time.value;
    try {
      const all = await this.#link.ask("refusals");
      const command = this.#command(all.at);
      this.#show(all, command ? await this.#link.ask(command) : null);
    } catch {
      // The connection is gone; what is shown stays.
    } finally {
      this.#isAsking = false;
    }
    if (chosen !== this.#time.value) await this.look();
  }

  /** The command for the chosen time; null = every answer has it. */
  #command(at) {
    if (this.#time.value !== picked) return this.#time.value === "0" ? null : `refusals ${this.#time.value}`;
    // A moment is answered with its minute. The moments lie within the first and the last minute of the time, so that
    // no neighbour counts.
    const [begin, end] = this.#picked;
    const margin = Math.min(30_000, (end - begin) / 2);
    const ago = (moment) => Math.max(0, Math.min(1_440, (at - moment) / 60_000)).toFixed(3);
    return `refusals ${ago(begin + margin)} ${ago(end - margin)}`;
  }

  #show(all, timed) {
    const key = ({ group, reason }) => `${group}.${reason}`;
    const ever = new Map(all.reasons.map((one) => [key(one), one.count]));
    const shown = timed?.reasons ?? all.reasons;
    write(this.#count, timed ? "In this time" : "Last minute");
    write(this.#words, timed ? `${clock(timed.from)} to ${clock(timed.to)}` : "");
    this.#nothing.hidden = shown.length > 0;
    write(this.#nothing, timed ? "Nothing in this time." : "Nothing since the start.");
    this.#table.show(shown.map((one) => ({
      key: key(one),
      cells: [
        () => explained(one), number(timed ? one.count : one.lately), number(ever.get(key(one)) ?? one.count),
      ],
    })));
  }
}

function explained({ reason, outcome, meaning, remedy }) {
  const name = make("p", { class: "reason" }, plain(reason), " ", make("span", { class: "quiet" }, outcome));
  return make("div", { class: "explained" }, name, make("p", {}, meaning), make("p", { class: "quiet" }, remedy));
}
