// A small map of a tour: the ground as far as the server has it, area, route, where it begins, and its stops.

import { askGround, shapes } from "../core/ground.js";
import { make } from "../core/page.js";
import { path, projection, shapesOn } from "./lines.js";

const SVG = "http://www.w3.org/2000/svg";
/** Of the drawing: as wide as a card, or as half of one beside a picture. */
const WIDE = 320, HALF = 160, HEIGHT = 110;

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/**
 * The map. It is decoration: what it shows is said beside it, and on the large map.
 * @param {any} content
 * @param {{kind?: string, isHalf?: boolean}} options
 */
export function outlined({ ground = {}, stops = [] }, { kind = "tour-map", isHalf = false } = {}) {
  const width = isHalf ? HALF : WIDE;
  const { area = [], route = [], direction } = ground;
  const places = stops.map((/** @type {any} */ { pose }) => pose?.geopose?.position).filter(Boolean);
  const project = projection(route.length > 0 ? [...route, ...places] : [...area, ...places], width, HEIGHT);
  if (!project) return make("span", { hidden: true });
  const land = drawn("g", {});
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: kind, "aria-hidden": "true",
    preserveAspectRatio: "xMidYMid meet" });
  svg.append(land);
  if (area.length > 2) svg.append(drawn("path", { d: path(area, project, true), class: "tour-area" }));
  svg.append(drawn("path", { d: path(route, project), class: "tour-route" }));
  const start = direction === "TOUR_DIRECTION_BACKWARD" ? route[route.length - 1] : route[0];
  for (const place of places) dot(place, 3.5, "tour-stop");
  if (start) dot(start, 5, "tour-start");
  lay(land, project, width);
  return svg;

  function dot(/** @type {any} */ place, /** @type {number} */ r, /** @type {string} */ name) {
    const [cx, cy] = /** @type {any} */ (project)(place);
    svg.append(drawn("circle", { cx, cy, r, class: name }));
  }
}

/**
 * Lays streets and houses below, when they are there.
 * @param {SVGElement} land
 * @param {(point: {lat: number, lon: number}) => [number, number]} project
 * @param {number} width
 */
async function lay(land, project, width) {
  const file = await shapes((await askGround()).file);
  land.append(...shapesOn(file, project, width, HEIGHT).map(({ d, isFilled, properties }) =>
    drawn("path", { d, class: sortOf(properties, isFilled) })));
}

/**
 * @param {any} properties
 * @param {boolean} isFilled
 */
function sortOf({ kind = "", water }, isFilled) {
  if (!isFilled) return "ground-street";
  return water || kind === "water" ? "ground-water" : kind === "park" ? "ground-park" : "ground-house";
}
