// What the server says of the ground, asked once: map and Realm draw the same.

/**
 * The operator's tiles with their attribution, the outlines of countries, and a GeoJSON file of streets and houses.
 * @typedef {{tiles?: string, attribution?: string, countries?: string, file?: string}} Ground
 */

/** @type {Promise<Ground> | null} */
let ground = null;
/** @type {Map<string, Promise<any>>} */
const files = new Map();

/**
 * A JSON file; null if there is none.
 * @param {string} url
 * @returns {Promise<any>}
 */
async function read(url) {
  try {
    const answer = await fetch(url);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * What there is of the ground.
 * @returns {Promise<Ground>}
 */
export function askGround() {
  ground ??= read("/play/ground.json").then((found) => found ?? {});
  return ground;
}

/**
 * A GeoJSON file of the ground; null if there is none.
 * @param {string | undefined} url
 * @returns {Promise<any>}
 */
export function shapes(url) {
  if (!url) return Promise.resolve(null);
  const known = files.get(url) ?? read(url);
  files.set(url, known);
  return known;
}
