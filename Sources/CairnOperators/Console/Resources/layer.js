// Cells on a canvas: ten thousand of them are a few paths, filled once for each colour.

/** A cell is in the last class whose least number of people it has. */
export const classes = [0, 1, 2, 5, 10, 25, 100];

/** Smallest size of a cell on the screen, in pixels: from afar a cell with people is a dot. */
const dot = 9;
const emptyDot = 2;
/** Up to this size empty cells are a shade without outlines, which would hide the others. */
const smallEmpty = 9;
/** From this size on a cell says its number. */
const roomForText = 26;

export function classOf(people) {
  return classes.findLastIndex((least) => people >= least);
}

/** Colours of the theme, as the style sheet has them. */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  return {
    fill: classes.map((_, index) => read(`--people-${index}`)),
    text: classes.map((_, index) => read(`--people-${index}-text`)),
    edge: read("--cell-edge"), accent: read("--accent"), halo: read("--surface"),
  };
}

/** Makes the layer. `world` is what is drawn; `onpick(token)` is called for a click on a cell. Over tiles, streets
 * shine through; else the colours are those of the legend. */
export function makeCellLayer(leaflet, world, onpick, isOverTiles) {
  const Layer = leaflet.Layer.extend({
    /** Token to people, as they are on the screen: what the last drawing drew within the map's frame. */
    drawn: new Map(),
    _shapes: new Map(),
    _selected: null,
    _hovered: null,

    onAdd(map) {
      this._canvas = leaflet.DomUtil.create("canvas", "leaflet-layer leaflet-zoom-animated cells-canvas");
      this._canvas.setAttribute("aria-hidden", "true");
      map.getPanes().overlayPane.append(this._canvas);
      this._palette = palette();
      this._settle();
    },

    onRemove() {
      this._canvas.remove();
    },

    getEvents() {
      return {
        viewreset: this._settle, moveend: this._settle, resize: this._settle, zoomanim: this._zoom,
        click: (event) => {
          const shape = this._shapeAt(event.containerPoint);
          if (shape) onpick(shape.token);
        },
        mousemove: (event) => this._hover(this._shapeAt(event.containerPoint)?.token ?? null),
        mouseout: () => this._hover(null),
      };
    },

    /** Something of the world has changed: draw it before the next frame, once. */
    refresh() {
      if (this._isDue) return;
      this._isDue = true;
      requestAnimationFrame(() => {
        this._isDue = false;
        if (this._map) this._draw();
      });
    },

    recolour() {
      this._palette = palette();
      this.refresh();
    },

    select(token) {
      this._selected = token;
      this.refresh();
    },

    hovered() {
      return this._hovered;
    },

    _hover(token) {
      if (token === this._hovered) return;
      this._hovered = token;
      this._map.getContainer().classList.toggle("over-cell", token !== null);
      this.fire("hover");
      this.refresh();
    },

    /** Puts the canvas where the map rests; it reaches beyond the frame, so that dragging shows something. */
    _settle() {
      const size = this._map.getSize();
      const margin = size.multiplyBy(0.25).round();
      const corner = this._map.containerPointToLayerPoint(margin.multiplyBy(-1));
      const whole = size.add(margin.multiplyBy(2));
      const ratio = window.devicePixelRatio || 1;
      leaflet.DomUtil.setPosition(this._canvas, corner);
      this._canvas.width = whole.x * ratio;
      this._canvas.height = whole.y * ratio;
      this._canvas.style.width = `${whole.x}px`;
      this._canvas.style.height = `${whole.y}px`;
      Object.assign(this, { _margin: margin, _whole: whole, _ratio: ratio, _size: size });
      this._northWest = this._map.layerPointToLatLng(corner);
      this._offset = this._map.getPixelOrigin().add(corner);
      this._draw();
    },

    _zoom(event) {
      const scale = this._map.getZoomScale(event.zoom, this._map.getZoom());
      const corner = this._map._latLngToNewLayerPoint(this._northWest, event.zoom, event.center);
      leaflet.DomUtil.setTransform(this._canvas, corner, scale);
    },

    /** A cell's corners in the projection's pixels at zoom 0, worked out once. */
    _shape(token) {
      const known = this._shapes.get(token);
      if (known) return known;
      const ring = world.grounds.get(token);
      if (!ring) return null;
      const points = ring.map(([lon, lat]) => {
        // Across the date line the corners stay together.
        const near = lon - 360 * Math.round((lon - ring[0][0]) / 360);
        return this._map.options.crs.latLngToPoint(leaflet.latLng(lat, near), 0);
      });
      const middle = points.reduce((sum, point) => sum.add(point), leaflet.point(0, 0)).divideBy(4);
      const shape = { token, points, middle, size: points[0].distanceTo(points[2]) };
      this._shapes.set(token, shape);
      return shape;
    },

    _draw() {
      const context = this._canvas.getContext("2d");
      const scale = this._map.options.crs.scale(this._map.getZoom()) / this._map.options.crs.scale(0);
      context.setTransform(this._ratio, 0, 0, this._ratio, 0, 0);
      context.clearRect(0, 0, this._whole.x, this._whole.y);
      const groups = classes.map(() => []);
      this.drawn = new Map();
      this._placed = [];
      for (const [token, row] of world.cells) {
        const shape = this._shape(token);
        if (!shape) continue;
        const x = shape.middle.x * scale - this._offset.x;
        const y = shape.middle.y * scale - this._offset.y;
        const reach = Math.max(dot, shape.size * scale);
        if (x < -reach || y < -reach || x > this._whole.x + reach || y > this._whole.y + reach) continue;
        const place = { token, shape, x, y, reach: shape.size * scale, people: row.people };
        groups[classOf(row.people)].push(place);
        this._placed.push(place);
        if (this._isInFrame(x, y)) this.drawn.set(token, row.people);
      }
      if (this._shapes.size > 2 * world.grounds.size + 1_000) this._shapes.clear();
      groups.forEach((group, index) => this._fill(context, group, index, scale));
      const marked = this._placed.filter(({ token }) => token === this._selected || token === this._hovered);
      for (const place of marked) this._mark(context, place, scale);
    },

    _isInFrame(x, y) {
      return x >= this._margin.x && y >= this._margin.y
        && x <= this._margin.x + this._size.x && y <= this._margin.y + this._size.y;
    },

    _fill(context, group, index, scale) {
      context.beginPath();
      for (const place of group) this._outline(context, place, scale);
      const isShade = index === 0 && group.length > 0 && group[0].reach < smallEmpty;
      context.globalAlpha = isShade ? 0.35 : !isOverTiles ? 1 : index === 0 ? 0.55 : 0.88;
      context.fillStyle = isShade ? this._palette.edge : this._palette.fill[index];
      context.fill();
      context.globalAlpha = 1;
      context.lineWidth = 1;
      context.strokeStyle = this._palette.edge;
      if (!isShade) context.stroke();
      context.fillStyle = this._palette.text[index];
      context.textAlign = "center";
      context.textBaseline = "middle";
      for (const { people, x, y, reach } of group) {
        if (people === 0 || reach < roomForText) continue;
        context.font = `600 ${Math.round(Math.min(22, Math.max(11, reach / 5)))}px system-ui, sans-serif`;
        context.fillText(String(people), x, y);
      }
    },

    _outline(context, { shape, x, y, reach, people }, scale) {
      const least = people > 0 ? dot : emptyDot;
      if (reach < least) return context.rect(x - least / 2, y - least / 2, least, least);
      shape.points.forEach((point, corner) => {
        const [px, py] = [point.x * scale - this._offset.x, point.y * scale - this._offset.y];
        if (corner === 0) context.moveTo(px, py);
        else context.lineTo(px, py);
      });
      context.closePath();
    },

    _mark(context, place, scale) {
      const isSelected = place.token === this._selected;
      const widths = isSelected ? [[6, this._palette.halo], [3, this._palette.accent]] : [[2, this._palette.accent]];
      context.beginPath();
      this._outline(context, place, scale);
      for (const [width, colour] of widths) {
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.stroke();
      }
    },

    /** The cell under a point of the frame; of small ones the nearest. */
    _shapeAt(point) {
      const [x, y] = [point.x + this._margin.x, point.y + this._margin.y];
      let best = null;
      let least = Infinity;
      for (const place of this._placed ?? []) {
        const distance = Math.hypot(place.x - x, place.y - y);
        if (distance < least && distance <= Math.max(9, place.reach / 2)) [best, least] = [place, distance];
      }
      return best?.shape ?? null;
    },
  });
  return new Layer();
}
