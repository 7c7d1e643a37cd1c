// Drawing on the map for the editor of tours: taps set points, on a marker exactly where it stands, or keys: the middle
// of the map is added by a button, and the map is moved by arrow keys.

import { make, write } from "../core/page.js";
import { go, goIfStayed } from "../core/router.js";
import { t } from "../core/texts.js";
import { closeSheet, openSheet } from "../components/sheet.js";
import { mapParts } from "../map/map.js";
import { takeTaps } from "../map/taps.js";
import { sketch } from "./sketch.js";

/** Points that a part has when it is one point. */
const SINGLE = new Set(["stop", "popup"]);

/** @typedef {{lat: number, lon: number}} Point */

/**
 * Has the person draw on the map; no points when they cancel, or go elsewhere: what was drawn until then is `unsaved`.
 * `go` leads back from the map.
 * @param {"area" | "route" | "stop" | "popup"} what
 * @param {Point[]} before
 * @param {any} content what else is shown
 * @returns {Promise<{points?: Point[], unsaved?: Point[], go: (...parts: string[]) => void}>}
 */
export async function drawOnMap(what, before, content) {
  go("map");
  const back = goIfStayed();
  const { map } = await mapParts();
  let points = [...before];
  const status = make("p", { class: "quiet", role: "status" });
  const show = async (fit = false) => {
    const ground = content.ground ?? {};
    const shown = SINGLE.has(what)
      ? { ...content, popups: [...(content.popups ?? []), ...points.map((place) => ({ place }))] }
      : { ...content, ground: { ...ground, [what]: points } };
    await sketch(shown, { fit });
    write(status, t("tour.points", { n: points.length }));
  };
  await show(true);
  return new Promise((resolve) => {
    let isDone = false;
    const end = (/** @type {{points?: Point[], unsaved?: Point[]}} */ result) => {
      if (isDone) return;
      isDone = true;
      endTaps();
      closeSheet();
      resolve({ ...result, go: back });
    };
    const add = (/** @type {Point} */ point) => {
      if (SINGLE.has(what)) points = [point];
      else points.push(point);
      show();
    };
    const middle = () => {
      const { lat, lng } = map.getCenter();
      return { lat, lon: lng };
    };
    const endTaps = takeTaps(add, () => end({ unsaved: points }));
    openSheet(t(`tour.draw.${what}`), [
      status,
      make("div", { class: "row" },
        make("button", { type: "button", onclick: () => add(middle()) }, t("tour.here")),
        make("button", { type: "button", onclick: () => { points.pop(); show(); } }, t("tour.draw.undo")),
        make("button", { type: "button", onclick: () => { points = []; show(); } }, t("tour.draw.clear"))),
      make("div", { class: "row end" },
        make("button", { type: "button", onclick: () => end({}) }, t("cancel")),
        make("button", { type: "button", class: "accent", onclick: () => end({ points }) }, t("save"))),
    ], { kind: "drawing", onclose: () => end({ unsaved: points }) });
  });
}
