// A tour as lines on a small picture: its area, its route and its stops, north up, and what of the ground is there.

/** @typedef {{lat: number, lon: number}} Point */

/** Most shapes of the ground on one picture. */
const SHAPES_MAX = 400;
/** The part of the picture that stays free around the tour. */
const MARGIN = 0.12;

/**
 * Where places are on a picture that shows all of these; null where there is nothing to show.
 * @param {Point[]} points
 * @param {number} width
 * @param {number} height
 * @returns {((point: Point) => [number, number]) | null}
 */
export function projection(points, width, height) {
  if (points.length === 0) return null;
  const lats = points.map(({ lat }) => lat), lons = points.map(({ lon }) => lon);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const squeeze = Math.cos(((south + north) / 2) * Math.PI / 180);
  // Over the antimeridian the longitudes go on.
  const isOver = Math.max(...lons) - Math.min(...lons) > 180;
  const x = (/** @type {Point} */ { lon }) => (isOver && lon < 0 ? lon + 360 : lon) * squeeze;
  const xs = points.map(x);
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  // About a hundred metres at least, so that a point is not as large as the picture.
  const scale = (1 - 2 * MARGIN)
    * Math.min(width / Math.max(east - west, 1e-3), height / Math.max(north - south, 1e-3));
  const middle = [(west + east) / 2, (south + north) / 2];
  return (point) => [round(width / 2 + (x(point) - middle[0]) * scale),
    round(height / 2 - (point.lat - middle[1]) * scale)];
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/**
 * A line as the path of a drawing.
 * @param {Point[]} points
 * @param {(point: Point) => [number, number]} project
 * @param {boolean} [isClosed]
 */
export function path(points, project, isClosed = false) {
  if (points.length === 0) return "";
  return `M${points.map((one) => project(one).join(" ")).join("L")}${isClosed ? "Z" : ""}`;
}

/**
 * The shapes of a GeoJSON file that are on the picture, each as a path, and whether it is filled.
 * @param {any} file
 * @param {(point: Point) => [number, number]} project
 * @param {number} width
 * @param {number} height
 * @returns {{d: string, isFilled: boolean, properties: any}[]}
 */
export function shapesOn(file, project, width, height) {
  const found = [];
  for (const { geometry, properties = {} } of file?.features ?? []) {
    if (found.length >= SHAPES_MAX) break;
    const isFilled = /Polygon$/.test(geometry?.type ?? "");
    const lines = linesOf(geometry).map((line) => line.map(([lon, lat]) => ({ lat, lon })));
    const isOn = lines.some((line) => crosses(line.map(project), width, height));
    if (isOn) found.push({ d: lines.map((line) => path(line, project, isFilled)).join(""), isFilled, properties });
  }
  return found;
}

/**
 * Whether the box around a line is on the picture.
 * @param {[number, number][]} line
 * @param {number} width
 * @param {number} height
 */
function crosses(line, width, height) {
  const xs = line.map(([x]) => x), ys = line.map(([, y]) => y);
  return line.length > 0 && Math.max(...xs) >= 0 && Math.min(...xs) <= width && Math.max(...ys) >= 0
    && Math.min(...ys) <= height;
}

/**
 * @param {any} geometry
 * @returns {number[][][]}
 */
function linesOf(geometry) {
  const { type = "", coordinates = /** @type {any[]} */ ([]) } = geometry ?? {};
  if (type === "LineString") return [coordinates];
  if (type === "MultiLineString" || type === "Polygon") return coordinates;
  return type === "MultiPolygon" ? coordinates.flat() : [];
}
