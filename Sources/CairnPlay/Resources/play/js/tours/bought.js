// Payments that are under way, each with one key, which is kept until it is answered; and what was bought (TRT-5).

import { client } from "../core/app.js";

/** Refusals after which the same payment may still come: it is asked for again with the same key. */
const OPEN = new Set(["provider_unavailable", "try_again", "internal", "overloaded", "storage_unavailable"]);

/**
 * Where a payment of the present account for a tour is kept.
 * @param {string} tour
 */
export const nameOf = (tour) => `purchase:${client.core.account}:${tour}`;

/** @param {any} refusal */
export function isOpen(refusal) {
  return refusal?.component === "client" || OPEN.has(refusal?.code);
}

/**
 * Forgets a payment that was answered after a reload, so that the next one has a key of its own.
 * @param {any} answered
 */
export function settlePayment({ body, refusal }) {
  if (!(refusal && isOpen(refusal))) client.store.put(nameOf(body.tour), undefined);
}

/**
 * All own purchases, the newest first.
 * @returns {Promise<any[]>}
 */
export async function purchases() {
  const all = [];
  for (let after = ""; ;) {
    const page = await client.request("listPurchases", { after });
    all.push(...(page.purchases ?? []));
    after = page.next ?? "";
    if (!after) return all;
  }
}
