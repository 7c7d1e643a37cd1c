// What a draft lacks before it is published, and whether there is something to publish or to discard.

/** What stands for a text that is not written yet: the server takes no stop without one. */
export const UNWRITTEN = "…";

/** The state of a published tour with a draft that differs. */
export const EDITED = `edited`;

/** @typedef {{part: string, field: string, name?: string}} Lack the part of the draft, and the field or line of it */

/** @param {any} text a text of a tour */
const isWritten = (text) => (text?.words ?? []).length > 0
  && text.words.every((/** @type {any} */ one) => one.text.trim() !== "" && one.text !== UNWRITTEN);

/**
 * What is missing, in the order of the editor.
 * @param {any} content
 * @param {(text: any) => string} words a text in the person's language
 * @returns {Lack[]}
 */
export function lacks({ facts = {}, ground = {}, stops = [], popups = [] }, words) {
  const found = /** @type {Lack[]} */ ([]);
  for (const field of ["name", "description"]) if (!isWritten(facts[field])) found.push({ part: "facts", field });
  if ((ground.area ?? []).length < 3) found.push({ part: "ground", field: "area" });
  if ((ground.route ?? []).length < 2) found.push({ part: "ground", field: "route" });
  if (stops.length === 0) found.push({ part: "stops", field: "stops" });
  for (const [n, stop] of stops.entries()) {
    for (const field of ["name", "history", "alternative"]) {
      if (!isWritten(stop[field])) found.push({ part: stop.id, field, name: words(stop.name) || String(n + 1) });
    }
  }
  for (const popup of popups) if (!isWritten(popup.text)) found.push({ part: popup.id, field: "text" });
  return found;
}

/**
 * What may be done with a draft.
 * @param {string} state as the server says it of its makers' tours
 * @param {boolean} isUnsent whether something is on this device alone
 */
export function offers(state, isUnsent) {
  return { publish: state !== "published" || isUnsent, discard: state === EDITED || isUnsent };
}
