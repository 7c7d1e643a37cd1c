// A grid of meridians and parallels as GeoJSON: the ground for those who have no tiles.

const steps = [45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
/** Pixels between two lines, at least. */
const spacing = 110;
const linesMax = 60;

/**
 * The lines through a part of the world. Each has a `label` and stands at a `degree` of its `axis`.
 * @param bounds west, south, east, north in degrees
 * @param pixels how wide that is on the screen
 */
export function graticule({ west, south, east, north }, pixels) {
  const wanted = ((east - west) / pixels) * spacing;
  const step = steps.findLast((candidate) => candidate >= wanted) ?? steps[0];
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const features = [];
  for (const degree of multiples(step, west, east)) {
    const lon = ((((degree + 180) % 360) + 360) % 360) - 180;
    const label = `${Math.abs(lon).toFixed(digits)}° ${side(lon, "W", "E")}`;
    features.push(line("lon", degree, label, [[degree, south], [degree, north]]));
  }
  for (const degree of multiples(step, south, north)) {
    const label = `${Math.abs(degree).toFixed(digits)}° ${side(degree, "S", "N")}`;
    features.push(line("lat", degree, label, [[west, degree], [east, degree]]));
  }
  return { type: "FeatureCollection", features };
}

function side(degree, below, above) {
  return Math.abs(degree) < 1e-9 ? "" : degree < 0 ? below : above;
}

function line(axis, degree, label, coordinates) {
  return { type: "Feature", properties: { axis, degree, label }, geometry: { type: "LineString", coordinates } };
}

function multiples(step, from, to) {
  const first = Math.ceil(from / step);
  const last = Math.min(first + linesMax, Math.floor(to / step));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}
