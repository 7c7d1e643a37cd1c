// Which markers a map shows so that none covers another: what overlaps becomes one that counts. And which of their
// names have room. Pixels in, pixels out: it knows neither the map nor the page.

/**
 * What would stand at a point of the map, in pixels of the whole map at this zoom, so that moving the map changes
 * nothing. Things that walk come after those that stand: who passes by does not change how the others are merged.
 * @typedef {object} Spot
 * @property {string} key
 * @property {number} x
 * @property {number} y
 * @property {number} size of a side of its marker
 * @property {number} rank the lowest stays where it is; others join it
 * @property {Record<string, number>} counts how many it stands for, by kind: one, or what a server has merged already
 */

/**
 * A marker. `x` and `y` are where it is drawn; it stands for what is at `foot`, which is elsewhere only where the own
 * dot would cover it.
 * @typedef {object} Mark
 * @property {string} key that of its only spot, else one of the group
 * @property {number} x
 * @property {number} y
 * @property {number} size
 * @property {{x: number, y: number}} foot
 * @property {Spot[]} spots
 * @property {Record<string, number>} counts
 * @property {number} count
 */

/** @typedef {{x: number, y: number, size: number}} Square about its middle */
/** @typedef {{key: string, left: number, top: number, width: number, height: number}} Box */

/** Where a marker goes that the own dot would cover: to the right, the left, above, below, and between. */
const ASIDE = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];

/** Pixels around the own dot that show which way one looks. */
const CONE = 10;

/** Numbers up to the pixels of a whole map of zoom 22 can be put into one number by this. */
const ROW = 1e8;

/** What lies in which field of a grid. */
class Grid {
  /** @type {Map<number, any[]>} */
  #fields = new Map();

  /** @param {number} side of a field */
  constructor(side) {
    this.side = side;
  }

  /**
   * @param {any} one
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   */
  add(one, left, top, right, bottom) {
    this.#each(left, top, right, bottom, (field) => {
      const there = this.#fields.get(field);
      if (there) there.push(one);
      else this.#fields.set(field, [one]);
      return false;
    });
  }

  /**
   * Whether `is` holds for one that may be in a rectangle.
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   * @param {(one: any) => boolean} is
   */
  some(left, top, right, bottom, is) {
    return this.#each(left, top, right, bottom, (field) => this.#fields.get(field)?.some(is) ?? false);
  }

  /**
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   * @param {(field: number) => boolean} act true = enough
   */
  #each(left, top, right, bottom, act) {
    const { side } = this;
    for (let x = Math.floor(left / side); x <= Math.floor(right / side); x += 1) {
      for (let y = Math.floor(top / side); y <= Math.floor(bottom / side); y += 1) if (act(x * ROW + y)) return true;
    }
    return false;
  }
}

/** @typedef {{mark: Mark, room: number, isLoose: boolean, isGone: boolean}} Seed a marker on its way */

/** The markers so far, and which of them a new one would overlap. */
class Seeds {
  /** @type {Seed[]} */
  all = [];

  /** @param {number} largest room of one */
  constructor(largest) {
    this.largest = largest;
    this.grid = new Grid(largest);
  }

  /**
   * A marker begins with a spot.
   * @param {Spot} spot
   * @param {{x: number, y: number}} at
   * @param {number} room
   * @param {boolean} isLoose
   */
  begin(spot, { x, y }, room, isLoose) {
    const mark = { key: spot.key, x, y, size: spot.size, foot: { x: spot.x, y: spot.y }, spots: [spot],
      counts: { ...spot.counts }, count: 0 };
    const seed = { mark, room, isLoose, isGone: false };
    this.all.push(seed);
    this.grid.add(seed, x, y, x, y);
    return seed;
  }

  /**
   * Those that something of this room would overlap, the nearest first.
   * @param {{x: number, y: number}} at
   * @param {number} room
   */
  overlapped({ x, y }, room) {
    /** @type {{seed: Seed, away: number}[]} */
    const found = [];
    const { largest } = this;
    this.grid.some(x - largest, y - largest, x + largest, y + largest, (seed) => {
      const away = apart({ x, y }, seed.mark);
      if (!seed.isGone && away * 2 < room + seed.room) found.push({ seed, away });
      return false;
    });
    return found.sort((a, b) => a.away - b.away).map(({ seed }) => seed);
  }
}

/**
 * Merges what overlaps. The same spots give the same markers, in whatever order they come.
 * @param {Spot[]} spots
 * @param {{group: number, gap: number, apart?: number, loose?: number, own?: Square | null}} options `group` is the
 *   side of a marker that counts, `gap` what is left between two markers, `own` the dot of oneself; markers keep at
 *   least `apart` between their middles, but those of spots of rank `loose` and above are as near as they have room
 * @returns {Mark[]}
 */
export function merged(spots, { group, gap, apart: least = group, loose = Infinity, own = null }) {
  const sorted = [...spots].sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const isLoose = (/** @type {Spot} */ { rank }) => rank >= loose;
  // What stands keeps the room of a marker that counts: it may become one. Who walks comes later, and gives way.
  const room = (/** @type {Spot} */ spot) => (isLoose(spot) ? spot.size : Math.max(least, spot.size)) + gap;
  const seeds = new Seeds(sorted.reduce((most, spot) => Math.max(most, room(spot)), Math.max(group, least) + gap));
  // Who walks counts with the room of a marker that counts, too: it may become one beside the own dot.
  const isUnder = (/** @type {Spot} */ spot) => own !== null
    && apart(spot, own) * 2 < own.size + Math.max(group, spot.size) + gap;
  const covered = own ? sorted.filter(isUnder) : [];
  let rest = sorted;
  if (own && covered.length > 0) {
    rest = sorted.filter((spot) => !isUnder(spot));
    const size = covered.reduce((most, spot) => Math.max(most, spot.size), covered.length > 1 ? group : 0);
    const needed = Math.max(least, size) + gap;
    const at = aside(rest, own, (own.size + size) / 2 + gap + CONE, needed, covered[0]);
    const { mark } = seeds.begin(covered[0], at, needed, false);
    mark.size = size;
    for (const spot of covered.slice(1)) join(mark, spot);
  }
  for (const spot of rest) {
    const [nearest] = seeds.overlapped(spot, room(spot));
    if (!nearest) seeds.begin(spot, spot, room(spot), isLoose(spot));
    else {
      join(nearest.mark, spot);
      if (nearest.isLoose) grow(seeds, nearest, group + gap);
    }
  }
  const marks = seeds.all.flatMap(({ mark, isGone }) => (isGone ? [] : [mark]));
  for (const mark of marks) {
    mark.count = Object.values(mark.counts).reduce((sum, one) => sum + one, 0);
    if (mark.count < 2) continue;
    mark.key = `group:${mark.spots[0].key}`;
    mark.size = Math.max(group, mark.size);
  }
  return marks;
}

/**
 * A marker of somebody who walks has become one that counts, and is larger: what stands takes it in where it is in the
 * way now, else it takes in who walks there.
 * @param {Seeds} seeds
 * @param {Seed} seed
 * @param {number} room
 */
function grow(seeds, seed, room) {
  if (seed.room >= room) return;
  seed.room = room;
  const others = seeds.overlapped(seed.mark, room).filter((other) => other !== seed);
  const stands = others.find((other) => !other.isLoose);
  const [into, from] = stands ? [stands, [seed]] : [seed, others];
  for (const other of from) {
    other.isGone = true;
    for (const spot of other.mark.spots) join(into.mark, spot);
  }
}

/**
 * @param {Mark} mark
 * @param {Spot} spot
 */
function join(mark, spot) {
  mark.spots.push(spot);
  for (const [kind, count] of Object.entries(spot.counts)) mark.counts[kind] = (mark.counts[kind] ?? 0) + count;
}

/**
 * How far apart two middles are, across or down, whichever is more.
 * @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b
 */
function apart(a, b) {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
}

/**
 * Where beside the own dot least of what stands would be in the way, nearest to what is covered.
 * @param {Spot[]} spots
 * @param {Square} own
 * @param {number} away
 * @param {number} room
 * @param {Spot} covered
 */
function aside(spots, own, away, room, covered) {
  const near = spots.filter((spot) => apart(spot, own) < away + 2 * room);
  let best = { x: own.x + away, y: own.y }, least = Infinity;
  for (const [right, down] of ASIDE) {
    const there = { x: own.x + right * away, y: own.y + down * away };
    const inTheWay = near.filter((spot) => apart(spot, there) < room).length;
    const cost = inTheWay * 1000 + Math.hypot(there.x - covered.x, there.y - covered.y);
    if (cost < least) [best, least] = [there, cost];
  }
  return best;
}

/**
 * Where the line from a foot to its mark is past the own dot, over which it does not go.
 * @param {Mark} mark
 * @param {Square | null} own
 * @returns {number} pixels from the foot; 0 = the line does not meet the dot
 */
export function past({ x, y, foot }, own) {
  const far = Math.hypot(x - foot.x, y - foot.y);
  if (!own || far === 0) return 0;
  const [across, down] = [(x - foot.x) / far, (y - foot.y) / far], [dx, dy] = [own.x - foot.x, own.y - foot.y];
  // The middle of the dot, along the line and off it.
  const along = dx * across + dy * down, off = Math.abs(dx * down - dy * across), radius = own.size / 2;
  const end = off < radius ? along + Math.sqrt(radius ** 2 - off ** 2) : 0;
  return Math.min(far, Math.max(0, end));
}

/**
 * The names that have room: beside their marker, else below or above it, over no marker and no other name.
 * @param {Mark[]} marks
 * @param {{key: string, width: number, height: number}[]} wanted the keys of markers, the most important name first
 * @param {{gap: number, own?: Square | null, within?: Box | null, taken?: Box[]}} options `within` is what is seen: a
 *   name that would be cut off has no room; `taken` is what else lies over the map
 * @returns {Map<string, Box & {side: "right" | "left" | "below" | "above"}>} by key
 */
export function named(marks, wanted, { gap, own = null, within = null, taken = [] }) {
  const grid = new Grid(64);
  const take = (/** @type {Box} */ box) => grid.add(box, box.left, box.top, box.left + box.width, box.top + box.height);
  const byKey = new Map();
  for (const mark of own ? [...marks, { key: "", ...own }] : marks) {
    byKey.set(mark.key, mark);
    take({ key: mark.key, left: mark.x - mark.size / 2, top: mark.y - mark.size / 2, width: mark.size,
      height: mark.size });
  }
  for (const box of taken) take(box);
  const found = new Map();
  for (const { key, width, height } of wanted) {
    const mark = byKey.get(key);
    if (!mark || found.has(key)) continue;
    const half = mark.size / 2 + gap;
    const sides = /** @type {const} */ ([
      ["right", mark.x + half, mark.y - height / 2], ["left", mark.x - half - width, mark.y - height / 2],
      ["below", mark.x - width / 2, mark.y + half], ["above", mark.x - width / 2, mark.y - half - height],
    ]);
    for (const [side, left, top] of sides) {
      const box = { key, left, top, width, height };
      if (within && (left < within.left || top < within.top || left + width > within.left + within.width
        || top + height > within.top + within.height)) continue;
      if (grid.some(left - gap, top - gap, left + width + gap, top + height + gap,
        (other) => other.key !== key && meet(box, other, gap / 2))) continue;
      take(box);
      found.set(key, { ...box, side });
      break;
    }
  }
  return found;
}

/**
 * Whether two boxes overlap, or are nearer than `gap`.
 * @param {Box} a
 * @param {Box} b
 * @param {number} gap
 */
function meet(a, b, gap) {
  return a.left < b.left + b.width + gap && b.left < a.left + a.width + gap
    && a.top < b.top + b.height + gap && b.top < a.top + a.height + gap;
}
