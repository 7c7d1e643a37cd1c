// A tap near something that is drawn means that.

/** Pixels that a finger is beside what it means: half of the smallest target. */
const REACH = 16;

/** @typedef {{lat: number, lon: number}} Point */

/**
 * Where a tap goes: to the nearest of what is there within a finger's reach, else where it was.
 * @param {Point} tapped
 * @param {Iterable<Point>} there
 * @param {(point: Point) => {x: number, y: number}} project onto the screen
 * @param {number} [reach] pixels
 * @returns {Point}
 */
export function snapped(tapped, there, project, reach = REACH) {
  const { x, y } = project(tapped);
  let best = null, least = reach;
  for (const point of there) {
    const at = project(point);
    const away = Math.hypot(at.x - x, at.y - y);
    if (away > least) continue;
    least = away;
    best = point;
  }
  return best ? { lat: best.lat, lon: best.lon } : tapped;
}
