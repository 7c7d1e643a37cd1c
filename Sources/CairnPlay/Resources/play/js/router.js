// Where in the page one is: `#/realm`, `#/map`, `#/tours`, `#/profile/friends`. The browser's history is the page's.

import { tell } from "./app.js";

/** The four places. */
export const PLACES = /** @type {const} */ (["realm", "map", "tours", "profile"]);

/**
 * The present address: its place, and what comes behind it.
 * @returns {{place: string, rest: string[]}}
 */
export function route() {
  const [place, ...rest] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decoded);
  return { place: PLACES.includes(/** @type {any} */ (place)) ? place : "map", rest };
}

/**
 * A part of the address as it was meant; one that is no encoding, such as a cut-off one, as it stands.
 * @param {string} part
 */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Goes to an address.
 * @param {...string} parts
 */
export function go(...parts) {
  const hash = `#/${parts.map(encodeURIComponent).join("/")}`;
  if (location.hash === hash) tell("route", route());
  else location.hash = hash;
}

/** Starts to follow the browser's history. */
export function startRouter() {
  addEventListener("hashchange", () => tell("route", route()));
}
