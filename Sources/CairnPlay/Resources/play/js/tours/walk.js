// The walk of an account that has ended last, on this device.

/** Where the walk of an account that has ended last is kept. */
const walkName = (/** @type {any} */ client) => `walk:${client.core.account}`;

/**
 * The walk of the present account that has ended last; undefined without one.
 * @param {any} client
 * @returns {Promise<import("./ending.js").Walk | undefined>}
 */
export async function lastWalk(client) {
  return await client.store.get(walkName(client));
}

/**
 * Keeps the walk of the present account that has ended last, until a sign-out.
 * @param {any} client
 * @param {import("./ending.js").Walk} walk
 */
export async function keepWalk(client, walk) {
  await client.store.put(walkName(client), walk);
}
