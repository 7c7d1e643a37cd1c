// How the device is turned, as its motion sensors say, and how far that may be wrong.

const RAD = Math.PI / 180;
/** Degrees that compasses of phones are wrong by, where the browser does not say. */
const USUAL = 15;

/** The events of both sorts: Chrome tells north by the first, Safari by the second. */
const EVENTS = ["deviceorientationabsolute", "deviceorientation"];

/**
 * @typedef {object} Reading
 * @property {number} alpha degrees, as in `deviceorientation`
 * @property {number} beta
 * @property {number} gamma
 * @property {boolean} isAbsolute whether `alpha` counts from north
 * @property {number | null} error degrees that it may be wrong by; null = any number
 */

/**
 * What an event says; null from a device without sensors.
 * @param {any} event
 * @returns {Reading | null}
 */
function reading(event) {
  if (event.alpha == null) return null;
  const compass = event.webkitCompassHeading;
  const isAbsolute = event.type === EVENTS[0] || event.absolute || compass != null;
  // Below 0 Safari's compass wants to be calibrated.
  const error = compass == null ? USUAL : event.webkitCompassAccuracy >= 0 ? event.webkitCompassAccuracy : null;
  return {
    alpha: compass != null ? 360 - compass : event.alpha, beta: event.beta ?? 90, gamma: event.gamma ?? 0,
    isAbsolute, error: isAbsolute ? error : null,
  };
}

/**
 * Listens to the sensors until the signal aborts; once one has told north, to it alone.
 * @param {(reading: Reading) => void} hear
 * @param {AbortSignal} signal
 */
export function listen(hear, signal) {
  let hasNorth = false;
  for (const name of EVENTS) {
    addEventListener(name, (event) => {
      const said = reading(event);
      if (!said || (hasNorth && !said.isAbsolute)) return;
      hasNorth = said.isAbsolute;
      hear(said);
    }, { signal });
  }
}

/**
 * Degrees clockwise from north that the back of the device looks to.
 * @param {Reading} reading
 */
export function headingOf({ alpha, beta, gamma }) {
  const [sa, ca, sb, sg, cg] = [Math.sin(alpha * RAD), Math.cos(alpha * RAD), Math.sin(beta * RAD),
    Math.sin(gamma * RAD), Math.cos(gamma * RAD)];
  return (Math.atan2(-ca * sg - sa * sb * cg, ca * sb * cg - sa * sg) / RAD + 360) % 360;
}

/**
 * What the compass says now; null where nothing comes of it in so many milliseconds.
 * @param {number} most
 * @returns {Promise<Reading | null>}
 */
export function northNow(most) {
  const ended = new AbortController();
  return new Promise((/** @type {(found: Reading | null) => void} */ resolve) => {
    listen((said) => { if (said.isAbsolute) resolve(said); }, ended.signal);
    setTimeout(() => resolve(null), most);
  }).finally(() => ended.abort());
}
