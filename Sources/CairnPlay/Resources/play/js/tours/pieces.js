// A ground in pieces that a message holds (TRM-3).

/** Most bytes of a point in a message: two doubles, their tags, and the tag and length of the point. */
const POINT_BYTES = 20;
/** Bytes that are left for the rest of the message: its ids, and its key. */
const REST_BYTES = 4_096;

/**
 * The pieces of a ground, to be appended one behind the other: first the area, then the route. One that a message holds
 * is a single piece.
 * @param {{area: any[], route: any[], direction: string}} ground
 * @param {number} [messageBytes] most bytes of a message
 * @returns {{area: any[], route: any[], direction: string}[]} at least one
 */
export function piecesOf({ area, route, direction }, messageBytes = 65_536) {
  const most = Math.max(1, Math.floor((messageBytes - REST_BYTES) / POINT_BYTES));
  const count = Math.max(1, Math.ceil((area.length + route.length) / most));
  return Array.from({ length: count }, (_, n) => {
    const from = n * most, to = from + most;
    return { area: area.slice(from, to), direction,
      route: route.slice(Math.max(0, from - area.length), Math.max(0, to - area.length)) };
  });
}
