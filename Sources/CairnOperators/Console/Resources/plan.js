// Small maps of one cell: where its things are, and how many people are in the squares around it.

import { classOf } from "./layer.js";
import { count } from "./words.js";

const names = "http://www.w3.org/2000/svg";
const size = 320;
const edge = 12;

function draw(name, attributes, ...children) {
  const element = document.createElementNS(names, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Longitudes and latitudes to points of a picture, alike in both directions; north is above. */
function frame(rings) {
  const first = rings[0][0][0];
  const near = (lon) => lon - 360 * Math.round((lon - first) / 360);
  const all = rings.flat();
  const middle = all.reduce((sum, [, lat]) => sum + lat, 0) / all.length;
  const squeeze = Math.max(0.01, Math.cos(middle * Math.PI / 180));
  const [xs, ys] = [all.map(([lon]) => near(lon) * squeeze), all.map(([, lat]) => lat)];
  const [west, south] = [Math.min(...xs), Math.min(...ys)];
  const extent = Math.max(Math.max(...xs) - west, Math.max(...ys) - south) || 1;
  const scale = (size - 2 * edge) / extent;
  return ([lon, lat]) => [
    edge + (near(lon) * squeeze - west) * scale, size - edge - (lat - south) * scale,
  ];
}

function outline(ring, put, className) {
  return draw("polygon", { points: ring.map((corner) => put(corner).map((one) => one.toFixed(1)).join()).join(" "),
    class: className });
}

function picture(label, ...children) {
  return draw("svg", { viewBox: `0 0 ${size} ${size}`, class: "plan", role: "img", "aria-label": label }, ...children);
}

/** The things of a cell by place. A thing that is not for everyone has none and is not drawn. */
export function thingsPlan(cell, things) {
  const put = frame([cell]);
  const placed = things.filter(({ at }) => at);
  return picture(
    `${count(placed.length, "thing")} in the outline of the cell; the table names them`, outline(cell, put, "ground"),
    ...placed.map(({ at, kind }) => {
      const [x, y] = put(at);
      return draw("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 4, class: `spot ${kind}` });
    }));
}

/** The squares that a cell touches, with their people, and the cell among them. */
export function squaresPlan(cell, squares) {
  const put = frame([cell, ...squares.map(({ outline: ring }) => ring)]);
  const label = squares.map(({ people }) => people).join(", ");
  return picture(
    `People in the squares around the cell, from the south-west on: ${label}`,
    ...squares.flatMap(({ people, outline: ring }) => {
      const corners = ring.map(put);
      const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4);
      // The colours are those of the map's cells.
      const text = draw("text", { x: x.toFixed(1), y: y.toFixed(1), class: "number" }, String(people));
      return [outline(ring, put, `square people-${classOf(people)}`), text];
    }),
    outline(cell, put, "cell"));
}
