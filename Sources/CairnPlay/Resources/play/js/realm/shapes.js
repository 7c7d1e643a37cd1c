// The shapes that features give, by name. A shape that nobody gives, such as that of an object which this page does not
// know, is a plain one.

import { given } from "../core/extensions.js";
import { far, near } from "../components/shape.js";

/** What is drawn of a shape that nobody gives. */
const PLAIN = "other";

/** @type {Record<string, import("../components/shape.js").Maker>} */
let makers = {};

/** Loads the shapes. To be called before the first one is made. */
export async function loadShapes() {
  makers = Object.assign({}, ...await Promise.all(given("shapes").map((load) => load())));
}

/**
 * The name under which a shape is drawn.
 * @param {string} name
 */
export function shapeName(name) {
  return Object.hasOwn(makers, name) ? name : PLAIN;
}

/**
 * The geometry of a shape.
 * @param {any} THREE
 * @param {string} name
 * @param {boolean} isFar
 */
export function shape(THREE, name, isFar = false) {
  return makers[shapeName(name)](THREE, isFar ? far : near);
}
