// Who takes a tap on the map. At most one asks for a place at a time, such as the editor of tours for a point; while
// nobody does, a tap on a marker selects what it stands for.

/** @typedef {{lat: number, lon: number}} Place */
/** @typedef {import("../core/view.js").Item} Item */

/** @type {{take: (place: Place, item?: Item) => void, ended: () => void} | null} */
let taker = null;

/**
 * Takes the taps on the map from now on; whoever took them before is told that this has ended. A tap on a marker is one
 * on the place of its item.
 * @param {(place: Place, item?: Item) => void} take
 * @param {() => void} [ended]
 * @returns {() => void} ends it
 */
export function takeTaps(take, ended = () => {}) {
  const mine = { take, ended };
  taker?.ended();
  taker = mine;
  return () => {
    if (taker !== mine) return;
    taker = null;
    ended();
  };
}

/**
 * The map was tapped.
 * @param {Place} place
 * @param {Item} [item] whose marker it was
 * @returns {boolean} whether somebody took it
 */
export function tap(place, item) {
  taker?.take(place, item);
  return taker !== null;
}
