// What a walk came to, and what comes after it.

/** Tours that are offered after one. */
const NEXT_MAX = 3;

/**
 * A walk that is over, as it is kept on this device; `isShown`: the person has been told of it.
 * @typedef {{run: string, tour: string, name: string, code: string, isDone: boolean, reached: number, stops: number,
 *   metres: number, milliseconds: number, last: any, isShown?: boolean}} Walk
 */

/**
 * What a run came to. The name is that of its tour, where that was read.
 * @param {any} run
 * @param {{name?: string, code?: string}} tour
 * @returns {Walk}
 */
export function walkOf(run, { name = "", code = "" }) {
  const { id = "", tour = "", state, reached = 0, stops = 0, metres = 0, milliseconds = 0, last = null } = run;
  return { run: id, tour, name, code, isDone: state === "RUN_STATE_COMPLETED", reached, stops, metres,
    milliseconds: Number(milliseconds), last };
}

/**
 * The time that a run has taken by now.
 * @param {any} run
 * @param {number} now the server's time
 */
export function timeOf({ state, milliseconds = 0, at = 0 }, now) {
  return Number(milliseconds) + (state === "RUN_STATE_WALKING" ? Math.max(0, now - Number(at)) : 0);
}

/**
 * Kilometres an hour; null for a walk that is too short to say.
 * @param {{metres: number, milliseconds: number}} walk
 */
export function pace({ metres, milliseconds }) {
  return metres >= 50 && milliseconds >= 60_000 ? metres / milliseconds * 3600 : null;
}

/**
 * The tours that are offered after one: the nearest others.
 * @param {any[]} tours the nearest first
 * @param {string} done
 */
export function nextTours(tours, done) {
  return tours.filter(({ id }) => id !== done).slice(0, NEXT_MAX);
}
