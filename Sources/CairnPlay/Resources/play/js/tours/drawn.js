// What is drawn of a tour on the map, and until when: a draft is not for who comes next (TRM-6).

/** @type {{lasts: () => boolean, end: () => unknown} | null} */
let drawn = null;

/**
 * Something is drawn, in place of what was before.
 * @param {() => boolean} lasts whether it stays
 * @param {() => unknown} end takes it away
 */
export function nowDrawn(lasts, end) {
  drawn = { lasts, end };
}

/** Whether a tour is drawn. */
export const isDrawn = () => drawn !== null;

/** Takes away what stays no longer. */
export function checkDrawn() {
  if (drawn && !drawn.lasts()) return undraw();
  return undefined;
}

/** Takes away what is drawn. */
export function undraw() {
  const before = drawn;
  drawn = null;
  return before?.end();
}
