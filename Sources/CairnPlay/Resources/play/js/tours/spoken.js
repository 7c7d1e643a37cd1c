// The way to the next stop, for who does not see it: said at the start, at each stop, and when it has changed by much.

/** Between two that are said of the same stop; and after how long it is said of a new one, behind the arrival. */
export const QUIET_MS = 15_000, AFTER_MS = 3_000;
/** Degrees that are another direction. */
const TURNED = 45;
/** Nearer than so many metres the direction says nothing. */
const NEAR = 10;

/** @typedef {{stop: string, metres: number, bearing: number, at: number}} Way at a time in milliseconds */

/**
 * Whether the way has changed by so much since it was said that it is said again.
 * @param {Way | null} said
 * @param {Way} now
 * @param {number} since the time at which the stop became the next one
 */
export function isDue(said, now, since) {
  if (said?.stop !== now.stop) return now.at - since >= AFTER_MS;
  if (now.at - said.at < QUIET_MS) return false;
  const turn = Math.abs((now.bearing - said.bearing + 540) % 360 - 180);
  const isOther = now.metres <= said.metres / 2 || now.metres >= said.metres * 1.5;
  return Math.abs(now.metres - said.metres) >= NEAR && isOther || now.metres >= NEAR && turn >= TURNED;
}
