// @ts-check
/** Places, distances and cells, as Sources/CairnGeo has them. Degrees and metres throughout. */

/** S2's sphere. */
const RADIUS = 6_371_010;
/** WGS 84. */
const EQUATORIAL = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const ECCENTRICITY2 = FLATTENING * (2 - FLATTENING);
const DEGREE = Math.PI / 180;

/** @typedef {{lat: number, lon: number}} Place */

/**
 * Metres between two places, on S2's sphere.
 * @param {Place} a @param {Place} b
 */
export function distanceMetres(a, b) {
    const northward = Math.sin((b.lat - a.lat) * DEGREE / 2);
    const eastward = Math.sin((b.lon - a.lon) * DEGREE / 2);
    const haversine = northward ** 2 + eastward ** 2 * Math.cos(a.lat * DEGREE) * Math.cos(b.lat * DEGREE);
    return 2 * Math.asin(Math.sqrt(Math.min(haversine, 1))) * RADIUS;
}

/**
 * The compass bearing from a to b: degrees clockwise from north, 0 up to 360.
 * @param {Place} a @param {Place} b
 */
export function bearingDegrees(a, b) {
    const turn = (b.lon - a.lon) * DEGREE;
    const [here, there] = [a.lat * DEGREE, b.lat * DEGREE];
    const degrees = Math.atan2(
        Math.sin(turn) * Math.cos(there),
        Math.cos(here) * Math.sin(there) - Math.sin(here) * Math.cos(there) * Math.cos(turn)) / DEGREE;
    return (degrees + 360) % 360;
}

/** @param {number} sine @param {number} cosine @returns {[number, number]} */
function meridian(sine, cosine) {
    const normal = EQUATORIAL / Math.sqrt(1 - ECCENTRICITY2 * sine * sine);
    return [normal * cosine, normal * (1 - ECCENTRICITY2) * sine];
}

/**
 * The east-north-up plane at a place, on the WGS 84 ellipsoid, as GeoPose's outer frame counts. Exact, also at the
 * poles and across the antimeridian.
 */
export class LocalPlane {
    /** @param {Place} origin */
    constructor({ lat, lon }) {
        this.origin = { lat, lon };
        this.sine = Math.sin(lat * DEGREE);
        this.cosine = Math.cos(lat * DEGREE);
        const [outward, axial] = meridian(this.sine, this.cosine);
        this.outward = outward;
        this.axial = axial;
    }

    /**
     * Metres east and north of the origin.
     * @param {Place} place @returns {{east: number, north: number}}
     */
    metres({ lat, lon }) {
        const turn = (lon - this.origin.lon) * DEGREE;
        const [outward, axial] = meridian(Math.sin(lat * DEGREE), Math.cos(lat * DEGREE));
        return {
            east: outward * Math.sin(turn),
            north: this.cosine * (axial - this.axial) - this.sine * (outward * Math.cos(turn) - this.outward),
        };
    }

    /**
     * The place at metres east and north of the origin.
     * @param {number} east @param {number} north @returns {Place}
     */
    place(east, north) {
        const x = this.outward - north * this.sine;
        const z = this.axial + north * this.cosine;
        const k = 1 / (1 - ECCENTRICITY2);
        const square = this.cosine ** 2 + k * this.sine ** 2;
        const half = x * this.cosine + k * z * this.sine;
        const rest = x * x + east * east + k * z * z - EQUATORIAL * EQUATORIAL;
        const drop = rest / (half + Math.sqrt(Math.max(half * half - square * rest, 0)));
        const footX = x - drop * this.cosine;
        const footZ = z - drop * this.sine;
        const lat = Math.atan2(footZ, (1 - ECCENTRICITY2) * Math.hypot(footX, east)) / DEGREE;
        const lon = this.origin.lon + Math.atan2(east, footX) / DEGREE;
        return { lat, lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon };
    }
}

// MARK: Poses

/**
 * A pose for `place` and `edit`: upright at a position.
 * @param {import('./received.js').GeoPosition} position @param {number} [turned] degrees clockwise, seen from above
 */
export function poseAt({ lat, lon, h }, turned = 0) {
    const half = turned * DEGREE / 2;
    const quaternion = { x: 0, y: 0, z: -Math.sin(half), w: Math.cos(half) };
    return { geopose: { position: { lat, lon, h }, quaternion } };
}

/**
 * Where a thing or a post is; null = it is nowhere.
 * @param {import('./messages.js').Instance} instance @returns {import('./received.js').GeoPosition | null}
 */
export function placeOf({ pose, post }) {
    const { lat, lon, h = 0 } = pose?.geopose?.position ?? post?.place ?? {};
    return lat === undefined || lon === undefined ? null : { lat, lon, h };
}

// MARK: S2 cells

const LEVEL_MAX = 30;
const POSITION_TO_IJ = [[0, 1, 3, 2], [0, 2, 3, 1], [3, 2, 0, 1], [3, 1, 0, 2]];
const TURN = [1, 0, 0, 3];

/** @param {string} token @returns {bigint | null} the id; null = no cell */
export function cellID(token) {
    if (!/^[0-9a-f]{1,16}$/.test(token)) return null;
    const id = BigInt(`0x${token.padEnd(16, '0')}`);
    return id >> 61n < 6n && (id & -id & 0x1555555555555555n) !== 0n ? id : null;
}

/** @param {bigint} id */
export function cellToken(id) { return id.toString(16).padStart(16, '0').replace(/0+$/, ''); }

/** @param {bigint} id */
export function cellLevel(id) {
    let level = LEVEL_MAX;
    for (let rest = id; (rest & 3n) === 0n; rest >>= 2n) level--;
    return level;
}

/**
 * Tells the cells of a view apart in short batches (session.proto, `Presence.number`).
 * @param {bigint} id
 */
export function shortNumber(id) {
    return Number((id >> BigInt(2 * (LEVEL_MAX - cellLevel(id)) + 1)) & 0x3fffn);
}

/**
 * Face and square of a cell: column and row of 2^level.
 * @param {bigint} id
 */
function square(id) {
    const face = Number(id >> 61n);
    const level = cellLevel(id);
    let orientation = face & 1;
    let i = 0;
    let j = 0;
    for (let step = 0; step < level; step++) {
        const position = Number((id >> BigInt(2 * (LEVEL_MAX - 1 - step) + 1)) & 3n);
        const ij = POSITION_TO_IJ[orientation][position];
        i = 2 * i + (ij >> 1);
        j = 2 * j + (ij & 1);
        orientation ^= TURN[position];
    }
    return { face, level, i, j };
}

/** @param {number} s */
function toUV(s) { return s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3; }
/** @param {number} u */
function toST(u) { return u >= 0 ? 0.5 * Math.sqrt(1 + 3 * u) : 1 - 0.5 * Math.sqrt(1 - 3 * u); }

/** @param {number} face @param {number} s @param {number} t @returns {Place} */
function placeAt(face, s, t) {
    const [u, v] = [toUV(s), toUV(t)];
    const [x, y, z] = [[1, u, v], [-u, 1, v], [-u, -v, 1], [-1, -v, -u], [v, -1, -u], [v, u, -1]][face];
    return { lat: Math.atan2(z, Math.hypot(x, y)) / DEGREE, lon: Math.atan2(y, x) / DEGREE };
}

/**
 * The place where a cell divides into its four children; null = the token is no cell.
 * @param {string} token
 */
export function cellCentre(token) {
    const id = cellID(token);
    if (id === null) return null;
    const { face, level, i, j } = square(id);
    return placeAt(face, (i + 0.5) / 2 ** level, (j + 0.5) / 2 ** level);
}

/**
 * The corners of a cell, counter-clockwise; null = the token is no cell.
 * @param {string} token
 */
export function cellCorners(token) {
    const id = cellID(token);
    if (id === null) return null;
    const { face, level, i, j } = square(id);
    const size = 2 ** level;
    return [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(([i, j]) => placeAt(face, i / size, j / size));
}

/**
 * The token of the cell at a place.
 * @param {Place} place @param {number} level 0 to 30
 */
export function cellAt({ lat, lon }, level) {
    const p = [
        Math.cos(lat * DEGREE) * Math.cos(lon * DEGREE), Math.cos(lat * DEGREE) * Math.sin(lon * DEGREE),
        Math.sin(lat * DEGREE),
    ];
    let axis = 0;
    for (const other of [1, 2]) if (Math.abs(p[other]) > Math.abs(p[axis])) axis = other;
    const face = p[axis] < 0 ? axis + 3 : axis;
    const [x, y, z] = p;
    const [u, v] = [
        [y / x, z / x], [-x / y, z / y], [-x / z, -y / z], [z / x, y / x], [z / y, -x / y], [-y / z, -x / z],
    ][face];
    const size = 2 ** level;
    const [i, j] = [u, v].map((w) => Math.min(Math.max(Math.floor(toST(w) * size), 0), size - 1));
    let id = 0n;
    let orientation = face & 1;
    for (let step = level - 1; step >= 0; step--) {
        const bit = 2 ** step;
        const ij = 2 * (Math.floor(i / bit) % 2) + Math.floor(j / bit) % 2;
        const position = POSITION_TO_IJ[orientation].indexOf(ij);
        id = id << 2n | BigInt(position);
        orientation ^= TURN[position];
    }
    id = BigInt(face) << 61n | (id << 1n | 1n) << BigInt(2 * (LEVEL_MAX - level));
    return cellToken(id);
}
