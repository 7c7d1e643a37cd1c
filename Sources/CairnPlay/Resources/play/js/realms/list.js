// The sub-realms of the person, their invitations and requests to join (SUB-11).

import { client } from "../core/app.js";

/**
 * Those of all pages; the ones that the person is in come first.
 * @returns {Promise<any[]>}
 */
export async function listRealms() {
  /** @type {any[]} */
  const all = [];
  let cursor = "";
  do {
    const { realms = [], next = "" } = await client.request("listRealms", { cursor });
    all.push(...realms);
    cursor = next;
  } while (cursor);
  return all;
}
