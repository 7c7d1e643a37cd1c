// Small drawings for objects, posts and reactions, as features give them, so that they look the same on every device.
// They are decoration: what they mean is said in words beside them.

import { table } from "./extensions.js";

const SVG = "http://www.w3.org/2000/svg";
/** What no feature has a drawing of. */
const OTHER = { path: "m12 2.500 9 9.500-9 9.500L3 12z", solid: true };

/**
 * The drawing of an object ("preset:heart") or a post ("post"), as a feature gives it.
 * @param {string} name
 * @param {Record<string, import("./extensions.js").Drawing>} [drawings] others than those of the features
 */
export function glyph(name, drawings = table("drawings")) {
  const short = name.replace(/^.*:/, "");
  const { path, solid = false } = Object.hasOwn(drawings, short) ? drawings[short] : OTHER;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `glyph ${solid ? "solid" : "drawn"}`);
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}
