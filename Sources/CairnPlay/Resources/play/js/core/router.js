// Where in the page one is: `#/realm`, `#/map`, `#/tours`, `#/profile/friends`. The browser's history is the page's.

import { tell } from "./app.js";
import { at } from "./page.js";

/**
 * The places, as features give them.
 * @type {string[]}
 */
export const PLACES = [];
/** The place that the page shows where the address names none. */
const FIRST = "map";

/**
 * The present address: its place, and what comes behind it.
 * @returns {{place: string, rest: string[]}}
 */
export function route() {
  const [place, ...rest] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decoded);
  return { place: PLACES.includes(place) ? place : FIRST, rest };
}

/** Titles the document by the heading of its page, where the address names more than the place; else by the place. */
export function entitle() {
  const page = at("page"), heading = route().rest.length > 0 && !page?.hidden && page?.querySelector("h2");
  document.title = `${(heading || at("heading"))?.textContent} – Cairn`;
}

/** @param {string[]} parts */
function addressOf(parts) {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
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
  const hash = addressOf(parts);
  if (location.hash === hash) tell("route", route());
  else location.hash = hash;
}

/**
 * Goes to an address in place of the present one, which the browser's Back does not come to any more.
 * @param {...string} parts
 */
export function goInstead(...parts) {
  history.replaceState(history.state, "", addressOf(parts));
  tell("route", route());
}

let seen = location.hash, moves = 0;

/** How often the person has gone elsewhere. */
export function moveCount() {
  if (location.hash !== seen) {
    seen = location.hash;
    moves += 1;
  }
  return moves;
}

/**
 * A `go` for after an answer: it goes only if the person has stayed here. Whoever has gone elsewhere while they waited
 * is not taken away from there, also when they are back.
 * @param {(...parts: string[]) => void} [by]
 * @returns {(...parts: string[]) => void}
 */
export function goIfStayed(by = go) {
  const from = moveCount();
  return (...parts) => { if (moveCount() === from) by(...parts); };
}

/** Starts to follow the browser's history. */
export function startRouter() {
  addEventListener("hashchange", () => {
    moveCount();
    tell("route", route());
  });
}
