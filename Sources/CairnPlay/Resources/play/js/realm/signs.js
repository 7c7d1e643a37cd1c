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
 * What lies beside the picture or behind it, to either side, the nearest first.
 * @template {{x: number, z: number}} Spot
 * @param {Spot[]} spots metres east and south of the eye
 * @param {number} heading degrees clockwise from north
 * @param {number} half degrees from the middle of the picture to its side
 * @param {number} [most] metres
 * @returns {{left: Spot[], right: Spot[]}}
 */
export function beside(spots, heading, half, most = NEAR) {
  /** @type {{left: Spot[], right: Spot[]}} */
  const found = { left: [], right: [] };
  const away = (/** @type {Spot} */ { x, z }) => Math.hypot(x, z);
  for (const spot of spots) {
    if (away(spot) > most) continue;
    const bearing = (Math.atan2(spot.x, -spot.z) * 180) / Math.PI;
    const off = ((((bearing - heading) % 360) + 540) % 360) - 180;
    if (Math.abs(off) > half) found[off < 0 ? "left" : "right"].push(spot);
  }
  for (const side of [found.left, found.right]) side.sort((a, b) => away(a) - away(b));
  return found;
}
