// Curves with axes: a figure over the last minutes, the last hour or the last day.

import { make, write } from "./page.js";
import { clock, number } from "./words.js";

const [width, height] = [300, 60];
const namespace = "http://www.w3.org/2000/svg";
/** Steps that a page key goes. */
const stride = 10;

/** How far back curves reach: as the server names it, in words, and in steps of so many seconds. */
export const spans = [
  { range: "5min", name: "5 min", words: "the last five minutes", begin: "5 min ago", step: 1, steps: 300 },
  { range: "1h", name: "1 h", words: "the last hour", begin: "1 h ago", step: 60, steps: 60 },
  { range: "24h", name: "24 h", words: "the last day", begin: "24 h ago", step: 300, steps: 288 },
];

let curves = 0;

/**
 * A curve. Its values are asked for by pointer or by arrow keys. Enter or a click picks a step, if there is somebody
 * who wants to know: `onpick` gets its begin and its end in milliseconds since 1970.
 */
export class Curve {
  #name;
  #unit;
  #onpick;
  #span = spans[0];
  /** Newest last; null = nothing was measured. */
  #values = [];
  #least = [];
  #most = [];
  /** Of the newest step, which is under way. */
  #newestSeconds = 1;
  #at = 0;
  /** The step that is asked for, from the newest; null = none. */
  #asked = null;
  #svg = draw("svg", {
    viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "curve-lines", "aria-hidden": "true",
  });
  #area = draw("path", { class: "curve-area" });
  #line = draw("path", { class: "curve-line" });
  #top = make("span", { class: "curve-top", "aria-hidden": "true" }, "");
  #rule = make("span", { class: "curve-rule", hidden: true });
  #tip = make("span", { class: "tip", "aria-hidden": "true", hidden: true });
  #begin = make("span", {}, "");
  #words;
  #plot;

  constructor(name, unit, onpick) {
    this.#name = name;
    this.#unit = unit;
    this.#onpick = onpick;
    curves += 1;
    this.#words = make("p", { class: "unseen", id: `curve-${curves}` });
    this.#svg.append(
      draw("path", { class: "curve-grid", d: `M0,1H${width}M0,${height / 2}H${width}` }), this.#area, this.#line);
    this.#plot = make(
      "div", {
        class: `curve-plot${onpick ? " picks" : ""}`, role: "slider", tabindex: "0", "aria-label": `${name}, curve`,
        "aria-describedby": this.#words.id, "aria-valuemin": 0,
        onpointermove: (event) => this.#ask(this.#under(event)), onpointerleave: () => this.#ask(null),
        onclick: (event) => this.#pick(this.#under(event)), onkeydown: (event) => this.#key(event),
        onblur: () => this.#ask(null),
      },
      this.#svg, this.#top, make("span", { class: "curve-zero", "aria-hidden": "true" }, "0"), this.#rule, this.#tip);
    this.element = make(
      "div", { class: "curve" }, this.#plot,
      make("div", { class: "curve-times", "aria-hidden": "true" }, this.#begin,
        ...(onpick ? [make("span", {}, "click: the reasons")] : []), make("span", {}, "now")),
      this.#words);
  }

  /** Begins with what the server remembers. */
  begin(span, { values, least, most, newestSeconds }, at) {
    this.#span = span;
    [this.#values, this.#least, this.#most] = [values, least ?? values, most ?? values];
    [this.#newestSeconds, this.#at] = [newestSeconds, at];
    write(this.#begin, span.begin);
    this.#plot.setAttribute("aria-valuemax", span.steps - 1);
    this.#draw();
  }

  /** A further second. Nothing is known of the missed ones before it. */
  add(value, missed, at) {
    const fresh = [...Array(Math.min(missed, this.#span.steps)).fill(null), value];
    this.#values = [...this.#values, ...fresh].slice(-this.#span.steps);
    this.#least = this.#most = this.#values;
    this.#at = at;
    this.#draw();
  }

  /** The average of what is known; null = nothing is. */
  get mean() {
    const known = this.#values.filter((value) => value !== null);
    return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
  }

  // What is asked for

  #under(event) {
    const box = this.#plot.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    return Math.round((1 - share) * (this.#span.steps - 1));
  }

  #key(event) {
    const { steps } = this.#span;
    const now = this.#asked ?? 0;
    const next = {
      ArrowLeft: now + 1, ArrowDown: now + 1, ArrowRight: now - 1, ArrowUp: now - 1, PageDown: now + stride,
      PageUp: now - stride, Home: steps - 1, End: 0,
    }[event.key];
    if (next !== undefined) {
      this.#ask(Math.max(0, Math.min(steps - 1, next)));
    } else if (event.key === "Enter") {
      this.#pick(now);
    } else if (event.key === "Escape" && this.#asked !== null) {
      event.stopPropagation();
      this.#ask(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  #ask(step) {
    this.#asked = step;
    this.#say();
  }

  #pick(step) {
    const [begin, end] = this.#times(step);
    this.#onpick?.(begin, end);
  }

  /** Begin and end of a step, in milliseconds since 1970. */
  #times(step) {
    const end = this.#at - (step === 0 ? 0 : this.#newestSeconds + (step - 1) * this.#span.step) * 1_000;
    return [end - (step === 0 ? this.#newestSeconds : this.#span.step) * 1_000, end];
  }

  #value(step) {
    return this.#values[this.#values.length - 1 - step] ?? null;
  }

  #told(step) {
    const [begin, end] = this.#times(step);
    const time = this.#span.step === 1 ? clock(end, true)
      : this.#span.step === 60 ? clock(begin) : `${clock(begin)} to ${clock(end)}`;
    const value = this.#value(step);
    return value === null ? `${time}: nothing is known` : `${time}: ${number(value)} ${this.#unit}`;
  }

  #say() {
    const step = this.#asked;
    this.#plot.setAttribute("aria-valuenow", this.#span.steps - 1 - (step ?? 0));
    this.#plot.setAttribute("aria-valuetext", this.#told(step ?? 0));
    this.#rule.hidden = this.#tip.hidden = step === null;
    if (step === null) return;
    const share = 1 - step / (this.#span.steps - 1);
    this.#rule.style.left = `${(share * 100).toFixed(2)}%`;
    write(this.#tip, this.#told(step));
    this.#tip.style.left = share < 0.5 ? "0" : "auto";
    this.#tip.style.right = share < 0.5 ? "auto" : "0";
  }

  // What is drawn

  #draw() {
    const most = Math.max(0, ...this.#most.filter((value) => value !== null));
    const top = roundTop(most);
    write(this.#top, number(top));
    const { steps } = this.#span;
    const first = steps - this.#values.length;
    const at = (index) => (((first + index) / (steps - 1)) * width).toFixed(1);
    const up = (value) => (height - 1 - (value / top) * (height - 2)).toFixed(1);
    const runs = this.#runs();
    this.#line.setAttribute("d", runs.map((run) => (
      `M${run.map((index) => `${at(index)},${up(this.#values[index])}`).join("L")}${run.length === 1 ? "h0.1" : ""}`
    )).join(""));
    // Of minutes the area is what was measured in them; of seconds it is what is below the curve.
    const below = (index) => (this.#span.step === 1 ? height : up(this.#least[index]));
    this.#area.setAttribute("d", runs.map((run) => {
      const over = run.map((index) => `${at(index)},${up(this.#most[index])}`);
      const under = run.toReversed().map((index) => `${at(index)},${below(index)}`);
      return `M${[...over, ...under].join("L")}Z`;
    }).join(""));
    const known = this.#least.filter((value) => value !== null);
    const least = known.length > 0 ? Math.min(...known) : 0;
    write(
      this.#words, `${this.#name}, ${this.#span.words}: least ${number(least)}, most ${number(most)}, now ${number(
        this.#value(0) ?? 0)} ${this.#unit}.${this.#onpick ? " Enter shows the reasons of a step." : ""}`);
    this.#say();
  }

  /** Indices of values that follow one another without a gap. */
  #runs() {
    const runs = [];
    this.#values.forEach((value, index) => {
      if (value === null) return;
      if (index > 0 && this.#values[index - 1] !== null) runs.at(-1).push(index);
      else runs.push([index]);
    });
    return runs;
  }
}

/** The least round number that is not below it. */
function roundTop(most) {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= most) ?? most;
}

function draw(name, attributes) {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
