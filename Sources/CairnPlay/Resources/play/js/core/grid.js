// Who shares only a square of ground is shown in its middle (PRF-8). How large the square is follows from the middle:
// the server's grids are fixed to the Earth, and the middle of one is that of no other.

/** Metres of a degree on the server's sphere. */
const DEGREE = (6_371_010 * Math.PI) / 180;
/** Sides of squares in metres that people choose from, the coarsest first. */
const GRIDS = [1000, 100, 10];
/** Most of a square that a middle is told wrong by: places come in steps. */
const WRONG = 0.01;
/** Bits of the number of columns that are not 0. */
const BITS = 6;

/** @param {number} value */
const offMiddle = (value) => Math.abs(value - Math.floor(value) - 0.5);

/**
 * @param {number} lat
 * @param {number} lon
 * @param {number} metres
 */
function isMiddle(lat, lon, metres) {
  const bands = Math.floor((180 * DEGREE) / metres), height = 180 / bands, up = (lat + 90) / height;
  if (offMiddle(up) > WRONG) return false;
  const south = Math.floor(up) * height - 90, edge = Math.max(Math.abs(south), Math.abs(south + height));
  const all = Math.max(1, Math.floor((360 * DEGREE * Math.cos((edge * Math.PI) / 180)) / metres));
  const spare = 2 ** Math.max(0, Math.floor(Math.log2(all)) + 1 - BITS), columns = Math.floor(all / spare) * spare;
  return offMiddle(((lon + 180) / 360) * columns) <= WRONG;
}

/**
 * The side in metres of the square that a place is the middle of; null = of none.
 * @param {{lat: number, lon: number}} place
 */
export function squareOf({ lat, lon }) {
  return GRIDS.find((metres) => isMiddle(lat, lon, metres)) ?? null;
}

/** Metres from the middle of a square to a corner, as a part of its side: columns are up to 3 % wider than bands. */
const CORNER = 0.72;
/** Most people whose square is remembered. */
const KNOWN_MAX = 4_000;
/** @type {Map<string, number>} */
const known = new Map();

/**
 * Metres that a person may be away from where they are shown, because they share a square and nothing finer; 0 where
 * they share exactly. On the way from one square to the next the one before counts.
 * @param {{id: string, pose: {lat: number, lon: number, quaternion: any} | null}} person
 */
export function roughness({ id, pose }) {
  if (!pose || pose.quaternion) return 0;
  const side = squareOf(pose) ?? known.get(id) ?? GRIDS[GRIDS.length - 1];
  if (known.size > KNOWN_MAX) known.clear();
  known.set(id, side);
  return CORNER * side;
}
