// What a refusal of the editor is about: a field, a point of the area or the route, a stop.

/** Fields of the editor that a code of a refusal is about, where the server names none. */
const FIELDS = /** @type {Record<string, string>} */ ({ invalid_price: "price", invalid_link: "links" });
/** Fields that the form calls otherwise than the protocol. */
const OWN_NAMES = /** @type {Record<string, string>} */ ({ seconds: "minutes" });
/** Refusals of a ground that can be corrected, and is kept meanwhile. */
const OF_GROUND = new Set(["invalid_route", "off_route", "restricted_area"]);

/** Why a point of a line is refused, as the server says it. */
const REASONS = new Set(["too_few", "too_many", "too_large", "too_complex", "outside", "crossing", "repeated",
  "no_place", "restricted"]);

/** @typedef {{line: "area" | "route", index: number, reason: string}} PointFault */

/**
 * The field of the form that a refusal is about; empty where it is about none.
 * @param {any} refusal
 * @returns {string}
 */
export function fieldOf(refusal) {
  const { field = "" } = refusal?.details ?? {};
  return OWN_NAMES[field] ?? (field || FIELDS[refusal?.code] || "");
}

/**
 * The line of several links that a refusal is about, from 1; 0 where it is about none.
 * @param {any} refusal
 */
export function lineOf(refusal) {
  return refusal?.code === "invalid_link" ? Number(refusal.details?.index ?? -1) + 1 : 0;
}

/**
 * Whether a refusal is of what was drawn, so that the server may keep it as not whole.
 * @param {any} refusal
 */
export function isOfGround(refusal) {
  return OF_GROUND.has(refusal?.code);
}

/**
 * Whether a tour is refused for its ground alone, which the server has as not whole.
 * @param {any} refusal
 */
export function lacksGround(refusal) {
  const missing = refusal?.code === "tour_incomplete" ? String(refusal.details?.missing ?? "").split(",") : [];
  return missing.length > 0 && missing.every((one) => ["ground", "direction"].includes(one));
}

/**
 * The point that a refusal is about; null where it is about none.
 * @param {any} refusal
 * @returns {PointFault | null}
 */
export function pointOf(refusal) {
  const { line, index = "", reason = "restricted" } = refusal?.details ?? {};
  if (!["area", "route"].includes(line) || !/^\d+$/.test(index)) return null;
  return { line, index: Number(index), reason: REASONS.has(reason) ? reason : "" };
}

/**
 * The stop or popup that is too far from the route, and how far; null where it is about none.
 * @param {any} refusal
 * @returns {{part: string, metres: number, limit: number} | null}
 */
export function partOf(refusal) {
  if (refusal?.code !== "off_route") return null;
  const { part = "", distance = 0, limit = 0 } = refusal.details ?? {};
  return { part, metres: Number(distance), limit: Number(limit) };
}
