// The map: cells over a grid, or over the operator's tiles.

import { classes, classOf, makeCellLayer, palette } from "./layer.js";
import { graticule } from "./graticule.js";
import { make, write } from "./page.js";
import { count } from "./words.js";

// The server names Leaflet's style where it has Leaflet.
const { leaflet = null } = document.getElementById("map-style") ? await import("/console/leaflet.js") : {};

const isStill = matchMedia("(prefers-reduced-motion: reduce)");

/** The map beside the list. Null when the server has no Leaflet. */
export function openMap(world, onpick) {
  if (!leaflet) {
    document.getElementById("map-card").hidden = true;
    document.querySelector(".ground").classList.add("without-map");
    return null;
  }
  return new CellMap(leaflet, world, onpick);
}

class CellMap {
  #leaflet;
  #map;
  #world;
  #layer;
  #grid;
  #labels;
  #isPlaced = false;
  #tip = make("p", { class: "tip", "aria-hidden": "true", hidden: true });

  constructor(leaflet, world, onpick) {
    this.#leaflet = leaflet;
    this.#world = world;
    const motion = !isStill.matches;
    this.#map = leaflet.map("map", {
      preferCanvas: true, zoomAnimation: motion, fadeAnimation: motion, markerZoomAnimation: motion, inertia: motion,
      worldCopyJump: true, minZoom: 2, maxZoom: 21, zoomSnap: 0.5, attributionControl: false,
    });
    this.#map.setView([20, 0], 2);
    leaflet.control.scale({ imperial: false, position: "bottomleft" }).addTo(this.#map);
    this.#layGround();
    this.#layer = makeCellLayer(leaflet, world, onpick, !this.#grid).addTo(this.#map);
    // For whoever wants to know what is on the canvas, which says nothing by itself.
    this.#map.getContainer().cellsDrawn = () => this.#layer.drawn;
    this.#map.getContainer().append(this.#tip);
    this.#layer.on("hover", () => this.#describe());
    this.#map.on("mousemove", (event) => this.#follow(event.containerPoint));
    this.#legend();
    world.addEventListener("changed", () => this.#changed());
    world.addEventListener("ground", () => this.#changed());
    document.getElementById("fit").addEventListener("click", () => this.showAll());
    new ResizeObserver(() => this.#map.invalidateSize({ pan: false })).observe(this.#map.getContainer());
  }

  /** Outlines a cell and brings it into the frame. */
  select(token, shouldShow) {
    this.#layer.select(token);
    const ring = token && this.#world.grounds.get(token);
    if (!ring || !shouldShow) return;
    const bounds = this.#bounds([ring]);
    const isSmall = this.#map.getBoundsZoom(bounds) - this.#map.getZoom() > 4;
    if (isSmall || !this.#map.getBounds().contains(bounds)) this.#go(bounds.pad(2));
  }

  /** Brings every cell with people into the frame, or every cell when there is nobody. */
  showAll() {
    const occupied = [...this.#world.cells.values()].filter(({ people }) => people > 0);
    const wanted = occupied.length > 0 ? occupied : [...this.#world.cells.values()];
    const rings = wanted.map(({ cell }) => this.#world.grounds.get(cell)).filter(Boolean);
    if (rings.length > 0) this.#go(this.#bounds(rings).pad(0.2));
  }

  /** The theme has changed. */
  recolour() {
    this.#layer.recolour();
    this.#drawGrid();
    this.#legend();
  }

  #changed() {
    if (!this.#isPlaced && this.#world.cells.size > 0) {
      const known = [...this.#world.cells.keys()].every((token) => this.#world.grounds.has(token));
      if (known) {
        this.#isPlaced = true;
        this.showAll();
      }
    }
    this.#layer.refresh();
    const people = this.#world.totals?.people ?? 0;
    write(
      document.getElementById("map-words"), `${count(people, "person", "people")} in ${count(
        [...this.#world.cells.values()].filter((row) => row.people > 0).length, "cell")}`);
    this.#describe();
  }

  #go(bounds) {
    this.#map.fitBounds(bounds, { animate: !isStill.matches, maxZoom: 18 });
  }

  #bounds(rings) {
    const bounds = this.#leaflet.latLngBounds([]);
    for (const ring of rings) for (const [lon, lat] of ring) bounds.extend([lat, lon]);
    return bounds;
  }

  // The ground

  #layGround() {
    const tiles = document.querySelector('meta[name="cairn-tiles"]')?.content;
    if (tiles) {
      const by = document.querySelector('meta[name="cairn-tiles-by"]')?.content;
      this.#leaflet.tileLayer(tiles, { maxZoom: 21, maxNativeZoom: 19 }).addTo(this.#map);
      if (by) this.#map.getContainer().append(make("p", { class: "source" }, by));
      return;
    }
    this.#grid = this.#leaflet.geoJSON(null, { interactive: false }).addTo(this.#map);
    this.#labels = make("div", { class: "grid-labels", "aria-hidden": "true" });
    this.#map.getContainer().append(this.#labels);
    this.#map.on("moveend resize", () => this.#drawGrid());
    this.#map.on("move zoomanim", () => this.#labelGrid());
    this.#drawGrid();
  }

  #drawGrid() {
    if (!this.#grid) return;
    const bounds = this.#map.getBounds();
    const wide = bounds.pad(0.3);
    const frame = {
      west: wide.getWest(), east: wide.getEast(), south: Math.max(-85, wide.getSouth()),
      north: Math.min(85, wide.getNorth()),
    };
    const lines = graticule(frame, this.#map.getSize().x * 1.6);
    const colour = getComputedStyle(document.documentElement).getPropertyValue("--grid").trim();
    this.#grid.clearLayers();
    this.#grid.options.style = { color: colour, weight: 1, opacity: 1, smoothFactor: 1 };
    this.#grid.addData(lines);
    this.#labels.replaceChildren(...lines.features.map(({ properties }) => {
      const label = make("span", { class: properties.axis }, properties.label);
      label.degree = properties.degree;
      return label;
    }));
    this.#labelGrid();
  }

  #labelGrid() {
    const middle = this.#map.getCenter();
    for (const label of this.#labels.children) {
      const isLon = label.className === "lon";
      const point = this.#map.latLngToContainerPoint(
        isLon ? [middle.lat, label.degree] : [label.degree, middle.lng]);
      label.style[isLon ? "left" : "top"] = `${Math.round(isLon ? point.x : point.y)}px`;
      // In the corner the other edge's labels are.
      label.hidden = !isLon && point.y > this.#map.getSize().y - 40;
    }
  }

  // What the pointer is over

  #describe() {
    const token = this.#layer.hovered();
    const row = token && this.#world.cells.get(token);
    this.#tip.hidden = !row;
    if (row) {
      write(this.#tip, `${token}: ${count(row.people, "person", "people")}, ${count(row.instances, "instance")}`);
    }
  }

  #follow(point) {
    const size = this.#map.getSize();
    this.#tip.style.left = `${Math.min(point.x + 14, size.x - 190)}px`;
    this.#tip.style.top = `${Math.min(point.y + 14, size.y - 34)}px`;
  }

  #legend() {
    const colours = palette().fill;
    document.getElementById("legend").replaceChildren(...classes.map((least, index) => {
      const next = classes[index + 1];
      const words = index === 0 ? "nobody" : !next ? `${least} or more` : next - 1 === least ? `${least}`
        : `${least} to ${next - 1}`;
      const colour = make("span", { class: "swatch", "aria-hidden": "true" });
      colour.style.backgroundColor = colours[classOf(least)];
      return make("li", {}, colour, words);
    }));
  }
}
