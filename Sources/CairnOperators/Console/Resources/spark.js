// Small curves of the last five minutes.

import { number } from "./words.js";

const [width, height] = [120, 34];
const secondsMax = 300;
const namespace = "http://www.w3.org/2000/svg";

export class Spark {
  #values = [];
  #line = document.createElementNS(namespace, "path");
  #area = document.createElementNS(namespace, "path");
  #name;

  constructor(name) {
    this.#name = name;
    const svg = document.createElementNS(namespace, "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("class", "spark");
    svg.setAttribute("role", "img");
    this.#line.setAttribute("class", "spark-line");
    this.#area.setAttribute("class", "spark-area");
    svg.append(this.#area, this.#line);
    this.element = svg;
  }

  /** Begins with what the server remembers. */
  begin(values) {
    this.#values = values.slice(-secondsMax);
    this.#draw();
  }

  add(value) {
    this.#values.push(value);
    if (this.#values.length > secondsMax) this.#values.shift();
    this.#draw();
  }

  #draw() {
    const values = this.#values;
    const most = Math.max(...values, 1e-9);
    const step = width / (secondsMax - 1);
    const start = width - (values.length - 1) * step;
    const points = values.map((value, index) => {
      const x = (start + index * step).toFixed(1);
      return `${x},${(height - 2 - (value / most) * (height - 5)).toFixed(1)}`;
    });
    this.#line.setAttribute("d", points.length > 1 ? `M${points.join("L")}` : "");
    this.#area.setAttribute(
      "d", points.length > 1 ? `M${points.join("L")}L${width},${height}L${start.toFixed(1)},${height}Z` : "");
    const low = values.length > 0 ? Math.min(...values) : 0;
    this.element.setAttribute(
      "aria-label", `${this.#name}, the last five minutes: ${number(low)} to ${number(values.length > 0 ? most : 0)}`);
  }
}
