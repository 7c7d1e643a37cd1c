// Chooses one's own place on the map: by a tap, or by keys in its middle, which the arrow keys move.

import { on } from "../core/app.js";
import { make } from "../core/page.js";
import { choosePlace } from "../core/place.js";
import { goInstead, route } from "../core/router.js";
import { t } from "../core/texts.js";
import { toast } from "../components/message.js";
import { sayKnown } from "./locate.js";

/** Pixels that a finger covers beside the point that is meant. */
const FINGER = 12;
/** Metres: a place that is chosen less exactly is nowhere that one could place something. */
const CHOSEN_MAX = 100;

/** @typedef {{lat: number, lon: number}} Place */

/**
 * The next tap on the map, or Enter while it has the focus, says where one is. A page that is led here twice asks once,
 * and one that was led elsewhere before this was loaded does not ask.
 * @param {any} map of Leaflet
 * @param {(take: (place: Place) => void, ended: () => void) => (() => void)} takeTaps as of `map/taps.js`
 * @param {() => void} placed is told before the place is left
 */
export function choose(map, takeTaps, placed) {
  if (route().rest[0] !== "choose") return;
  const ended = new AbortController();
  const container = map.getContainer(), cross = make("span", { class: "crosshair", "aria-hidden": "true" });
  const chosen = (/** @type {Place} */ place) => {
    const accuracy = exactness(map, place);
    if (accuracy > CHOSEN_MAX) {
      map.setView([place.lat, place.lon], Math.min(18, map.getZoom() + 6));
      toast(t("where.closer"));
      return;
    }
    choosePlace(place, accuracy);
    placed();
    sayKnown();
    // The way back does not ask for a tap again.
    goInstead("map");
  };
  const end = takeTaps(chosen, () => {
    told.remove();
    cross.remove();
    ended.abort();
  });
  const told = toast(t("where.tap"), { seconds: 15 });
  on("route", end, ended.signal);
  container.append(cross);
  container.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.target !== container || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    const { lat, lng: lon } = map.getCenter().wrap();
    chosen({ lat, lon });
  }, { signal: ended.signal });
  container.focus({ preventScroll: true });
}

/**
 * How exact a tap on the map is in metres: a finger covers so many pixels.
 * @param {any} map
 * @param {Place} place
 */
function exactness(map, { lat, lon }) {
  const point = map.latLngToContainerPoint([lat, lon]);
  return Math.max(1, Math.round(map.distance([lat, lon], map.containerPointToLatLng(point.add([FINGER, 0])))));
}
