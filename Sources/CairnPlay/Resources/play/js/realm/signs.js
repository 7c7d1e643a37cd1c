// What is far away would be a few pixels high: it is drawn as a sign, larger and turned to the eye, which grows into
// the thing itself as one comes nearer. Numbers in, numbers out.

/** Pixels that what is near by is high, at least. */
export const LEAST = 26;
/** Metres up to which it is. What is further away has the size of a thing there, and gets smaller from there on. */
export const NEAR = 100;
/** Larger by this much, a sign looks straight at the eye. */
const TURNED = 0.6;

/**
 * How much larger something is drawn than it is.
 * @param {number} away metres from the eye
 * @param {number} height metres
 * @param {number} focal pixels that a metre is high in a distance of a metre
 */
export function growth(away, height, focal) {
  if (!(height > 0) || !(focal > 0)) return 1;
  return Math.max(1, (LEAST * Math.min(away, NEAR)) / (focal * height));
}

/**
 * How far something that is drawn larger is turned to the eye: 0 = as it stands, 1 = straight.
 * @param {number} grown
 */
export function facing(grown) {
  return Math.max(0, Math.min(1, (grown - 1) / TURNED));
}

/**
 * What is not in the picture, by the side to which one turns to it, the nearest first. What is ahead and above or below
 * the picture is left out: no turn brings it in.
 * @template {{bearing: number, distance: number, seen: {x: number, y: number} | null}} Spot
 * @param {Spot[]} spots as the user has them, with where the picture has each: -1 to 1; null = behind the eye
 * @param {number} heading degrees clockwise from north
 * @param {number} [most] metres
 * @returns {{left: Spot[], right: Spot[]}}
 */
export function beside(spots, heading, most = NEAR) {
  /** @type {{left: Spot[], right: Spot[]}} */
  const found = { left: [], right: [] };
  for (const spot of spots) {
    const { bearing, distance, seen } = spot;
    const off = ((((bearing - heading) % 360) + 540) % 360) - 180;
    const isIn = seen && Math.abs(seen.x) <= 1 && (Math.abs(seen.y) <= 1 || Math.abs(off) < 90);
    if (distance <= most && !isIn) found[off < 0 ? "left" : "right"].push(spot);
  }
  for (const side of [found.left, found.right]) side.sort((a, b) => a.distance - b.distance);
  return found;
}
