// Fixes of a position, put together: while the device stays where it is, their mean is steadier than each of them. Who
// says on what they stand corrects them all.

import { distance, Plane } from "./geo.js";

/** Fixes of so many milliseconds are put together. */
const SPAN = 20_000;
/** Metres a second from which on a device is on its way. */
const WALKS = 0.5;
/** What a correction loses with each metre from where it was made. */
const LOSS = 0.1;

/** @typedef {{lat: number, lon: number, h: number | null, accuracy: number, speed: number | null, at: number}} Fix */

export class Fixes {
  /** @type {Fix[]} */
  #kept = [];
  /**
   * Metres east and north that fixes are wrong by, and where and how exactly that was found.
   * @type {{east: number, north: number, lat: number, lon: number, metres: number} | null}
   */
  #wrong = null;

  /**
   * Takes a fix, and gives the place that all of them together say.
   * @param {Fix} fix
   */
  take(fix) {
    this.#kept = this.#kept.filter(({ at }) => fix.at - at < SPAN);
    const isAway = this.#kept.length > 0 && distance(this.#mean(), fix) > Math.max(0.1, fix.accuracy);
    if (isAway || (fix.speed ?? 0) > WALKS) this.#kept = [];
    this.#kept.push(fix);
    return this.#place();
  }

  /**
   * The device is at this place: so far the fixes are wrong.
   * @param {{lat: number, lon: number}} place
   * @param {number} metres how exact that is
   */
  standAt({ lat, lon }, metres) {
    if (this.#kept.length === 0) return;
    const [east, north] = new Plane(this.#mean()).enu({ lat, lon });
    this.#wrong = { east, north, lat, lon, metres };
  }

  #mean() {
    const weights = this.#kept.map(({ accuracy }) => 1 / Math.max(0.1, accuracy) ** 2);
    const sum = weights.reduce((a, b) => a + b, 0);
    const of = (/** @type {"lat" | "lon"} */ name) =>
      this.#kept[0][name] + this.#kept.reduce((all, fix, n) => all + weights[n] * (fix[name] - this.#kept[0][name]), 0)
        / sum;
    return { lat: of("lat"), lon: of("lon") };
  }

  #place() {
    const { h } = this.#kept[this.#kept.length - 1];
    // Fixes of one moment err together: their mean is as exact as the best of them, no more.
    const accuracy = Math.min(...this.#kept.map((fix) => fix.accuracy));
    const mean = this.#mean();
    if (!this.#wrong) return { ...mean, h, accuracy };
    const { east, north, metres } = this.#wrong;
    const { lat, lon } = new Plane(mean).place([east, north, 0]);
    return { lat, lon, h, accuracy: Math.min(accuracy, metres + LOSS * distance(this.#wrong, { lat, lon })) };
  }
}
