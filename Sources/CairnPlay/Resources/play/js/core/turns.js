// Turns in space: unit quaternions as the protocol has them, and matrices of 16 numbers, column-major.

/** @typedef {import("../../cairn/frames.js").Turn} Turn */
/** @typedef {[number, number, number]} Vector */

/**
 * First `b`, then `a`.
 * @param {Turn} a
 * @param {Turn} b
 * @returns {Turn}
 */
export function times(a, b) {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
}

/**
 * The turn that undoes this one.
 * @param {Turn} turn
 * @returns {Turn}
 */
export function back({ x, y, z, w }) {
  return { x: -x, y: -y, z: -z, w };
}

/**
 * A vector after a turn.
 * @param {Turn} turn
 * @param {Vector} vector
 * @returns {Vector}
 */
export function turned(turn, [vx, vy, vz]) {
  const { x, y, z } = times(times(turn, { x: vx, y: vy, z: vz, w: 0 }), back(turn));
  return [x, y, z];
}

/**
 * @param {Turn} turn
 * @param {Vector} move
 */
export function matrix(turn, move) {
  const columns = /** @type {Vector[]} */ ([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).map((axis) => turned(turn, axis));
  return [...columns.flatMap((column) => [...column, 0]), ...move, 1];
}

/**
 * The turn and the move that a matrix of `matrix` does.
 * @param {number[]} m
 * @returns {{turn: Turn, move: Vector}}
 */
export function parts(m) {
  const at = (/** @type {number} */ row, /** @type {number} */ column) => m[4 * column + row];
  const squares = [
    1 + at(0, 0) - at(1, 1) - at(2, 2), 1 - at(0, 0) + at(1, 1) - at(2, 2), 1 - at(0, 0) - at(1, 1) + at(2, 2),
    1 + at(0, 0) + at(1, 1) + at(2, 2),
  ];
  // Each part by the largest one: the others may be 0.
  const largest = squares.indexOf(Math.max(...squares)), four = 2 * Math.sqrt(squares[largest]);
  const sums = [
    [squares[0], at(0, 1) + at(1, 0), at(0, 2) + at(2, 0), at(2, 1) - at(1, 2)],
    [at(0, 1) + at(1, 0), squares[1], at(1, 2) + at(2, 1), at(0, 2) - at(2, 0)],
    [at(0, 2) + at(2, 0), at(1, 2) + at(2, 1), squares[2], at(1, 0) - at(0, 1)],
    [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1), squares[3]],
  ][largest];
  const [x, y, z, w] = sums.map((sum) => sum / four);
  return { turn: { x, y, z, w }, move: [m[12], m[13], m[14]] };
}
