// The ground of the map: the operator's tiles or file where there are, else countries from afar and a grid.

import { askGround, shapes } from "../core/ground.js";
import { colour } from "../core/page.js";

/** Of what is drawn from files, above tiles and grid and below all else. */
const PANE = "ground";

/**
 * Lays the ground under the map, which does not wait for it: what is on the map is seen on the grid until the ground is
 * there.
 * @param {any} leaflet
 * @param {any} map
 */
export function layGround(leaflet, map) {
  const grid = makeGrid(leaflet).addTo(map);
  /** @type {any[]} */
  const layers = [];
  // Whenever the ground arrives, what is on the map is above it.
  map.createPane(PANE).style.zIndex = "250";
  const style = (/** @type {any} */ feature) => styleOf(feature);
  const lay = async () => {
    const ground = await askGround();
    if (ground.tiles) leaflet.tileLayer(ground.tiles,
      { attribution: text(ground.attribution ?? ""), maxZoom: 22 }).addTo(map);
    for (const url of [ground.file, ground.countries]) {
      const found = await shapes(url);
      if (!found) continue;
      const layer = leaflet.geoJSON(found, { style, interactive: false, pane: PANE,
        pointToLayer: (/** @type {any} */ _feature, /** @type {any} */ where) =>
        leaflet.circleMarker(where, { radius: 2, interactive: false, pane: PANE }) });
      layer.addTo(map);
      layer.bringToBack();
      layers.push(layer);
    }
  };
  lay();
  return {
    recolour() {
      grid.redraw();
      for (const layer of layers) layer.setStyle(style);
    },
  };
}

/**
 * Leaflet writes an attribution as HTML: only text gets there.
 * @param {string} text
 */
function text(text) {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}

/**
 * Streets are lines, houses and water areas, as far as a file says.
 * @param {any} feature
 */
function styleOf(feature) {
  const { kind = "", water, building, highway } = feature?.properties ?? {};
  if (water || kind === "water") return { stroke: false, fillColor: colour("--water"), fillOpacity: 0.8 };
  if (building || kind === "house" || kind === "building") {
    return { weight: 1, color: colour("--house-edge"), fillColor: colour("--house"), fillOpacity: 1 };
  }
  if (kind === "park") return { stroke: false, fillColor: colour("--park"), fillOpacity: 0.8 };
  if (highway || kind === "street" || feature?.geometry?.type?.includes("Line")) {
    return { weight: 5, color: colour("--street"), opacity: 1 };
  }
  return { weight: 1, color: colour("--coast"), fillColor: colour("--land"), fillOpacity: 1 };
}

/**
 * A quiet grid, so that movement is seen where nothing else is.
 * @param {any} leaflet
 */
function makeGrid(leaflet) {
  const Grid = leaflet.GridLayer.extend({
    createTile() {
      const tile = document.createElement("canvas");
      const { x, y } = this.getTileSize();
      tile.width = x;
      tile.height = y;
      const brush = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
      brush.strokeStyle = colour("--grid");
      brush.lineWidth = 1;
      for (let step = 0; step < x; step += 64) {
        brush.globalAlpha = step === 0 ? 0.8 : 0.35;
        brush.beginPath();
        brush.moveTo(step + 0.5, 0);
        brush.lineTo(step + 0.5, y);
        brush.moveTo(0, step + 0.5);
        brush.lineTo(x, step + 0.5);
        brush.stroke();
      }
      return tile;
    },
  });
  return new Grid();
}
