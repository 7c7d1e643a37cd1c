// Drawing on the map for the editor of tours: taps set points, on what is there exactly where it stands, or keys: the
// middle of the map is added by a button, and the map is moved by arrow keys. Each step is told at once, and can be
// undone and done again.

import { make, write } from "../core/page.js";
import { go, goIfStayed } from "../core/router.js";
import { t } from "../core/texts.js";
import { items } from "../core/view.js";
import { closeSheet, newTicket, openSheet } from "../components/sheet.js";
import { mapParts } from "../map/map.js";
import { takeTaps } from "../map/taps.js";
import { sketch } from "./sketch.js";
import { snapped } from "./snap.js";
import { Steps } from "./steps.js";

/** Parts of which each point is one by itself. */
const SINGLE = new Set(["stop", "popup"]);

/** @typedef {{lat: number, lon: number}} Point */

/**
 * Has the person draw on the map, beside the page where there is room. What is drawn counts when they go elsewhere;
 * who cancels has drawn nothing. `go` leads back from the map.
 * @param {"area" | "route" | "stop" | "popup"} what
 * @param {Point[]} before
 * @param {import("./editor.js").Editor} editor what else is drawn
 * @param {(points: Point[]) => void} changed at each step
 * @returns {Promise<{go: (...parts: string[]) => void}>} when it is over
 */
export async function drawOnMap(what, before, editor, changed) {
  const { content } = editor;
  const isBeside = document.body.classList.contains("with-beside");
  editor.drawings += 1;
  if (!isBeside) go("map");
  const back = goIfStayed(), isCurrent = newTicket();
  const { map } = await mapParts().catch((/** @type {any} */ error) => {
    editor.drawings -= 1;
    throw error;
  });
  if (!isCurrent()) {
    editor.drawings -= 1;
    return { go: () => {} };
  }
  const steps = Steps.of(before);
  let isChanged = false;
  const status = make("p", { class: "quiet", role: "status", "aria-busy": "true" });
  const button = (/** @type {string} */ text, /** @type {() => void} */ run) =>
    make("button", { type: "button", onclick: run }, t(text));
  const undo = button("tour.draw.undo", () => { if (steps.undo()) step(); });
  const redo = button("tour.draw.redo", () => { if (steps.redo()) step(); });
  const clear = button("tour.draw.clear", () => { steps.take([]); step(); });

  const show = async (fit = false) => {
    const ground = content.ground ?? {}, points = steps.now;
    write(status, t("tour.points", { n: points.length }));
    undo.disabled = !steps.canUndo;
    redo.disabled = !steps.canRedo;
    clear.disabled = points.length === 0;
    const shown = SINGLE.has(what)
      ? { ...content, popups: [...(content.popups ?? []), ...points.map((place) => ({ place }))] }
      : { ...content, ground: { ...ground, [what]: points } };
    await sketch(shown, { fit, lasts: () => editor.isShown });
  };
  const step = () => {
    // A button that can do nothing more has no focus.
    if (undo === document.activeElement && !steps.canUndo || redo === document.activeElement && !steps.canRedo) {
      status.tabIndex = -1;
      status.focus();
    }
    isChanged = true;
    changed(steps.now);
    show();
  };

  /** What a tap may mean: what is around, and what is drawn of other parts. */
  const there = () => {
    const ground = content.ground ?? {};
    return [...items().map(({ place }) => place),
      ...(content.stops ?? []).map((/** @type {any} */ one) => one.pose?.geopose?.position),
      ...(what === "route" ? [] : ground.route ?? []), ...(what === "area" ? [] : ground.area ?? [])].filter(Boolean);
  };
  const project = (/** @type {Point} */ { lat, lon }) => map.latLngToContainerPoint([lat, lon]);

  return new Promise((resolve) => {
    let isDone = false;
    const end = () => {
      if (isDone) return;
      isDone = true;
      editor.drawings -= 1;
      removeEventListener("keydown", press);
      endTaps();
      closeSheet();
      resolve({ go: isBeside ? () => {} : back });
    };
    const add = (/** @type {Point} */ point) => {
      steps.take([...steps.now, { lat: point.lat, lon: point.lon }]);
      step();
    };
    const middle = () => {
      const { lat, lng } = map.getCenter();
      return { lat, lon: lng };
    };
    // The marker of an item gives its place.
    const tapped = (/** @type {Point} */ point, /** @type {any} */ item) =>
      add(item ? point : snapped(point, there(), project));
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
      // In a field it undoes what was typed.
      if (/** @type {HTMLElement} */ (event.target).closest("input, textarea, select, dialog")) return;
      event.preventDefault();
      if (event.shiftKey ? steps.redo() : steps.undo()) step();
    };
    const endTaps = takeTaps(tapped, end);
    addEventListener("keydown", press);
    openSheet(t(`tour.draw.${what}`), [
      status,
      make("div", { class: "row" }, button("tour.here", () => tapped(middle(), null)), undo, redo, clear),
      make("div", { class: "row end" },
        button("cancel", () => { if (isChanged) changed([...before]); end(); }),
        make("button", { type: "button", class: "accent", onclick: end }, t("save"))),
    ], { kind: "drawing", onclose: end });
    // The map has become smaller by the sheet before it is brought to what is drawn; whoever has drawn by then stays
    // where they draw.
    show().then(() => requestAnimationFrame(() => requestAnimationFrame(async () => {
      map.invalidateSize({ pan: false });
      if (!isDone && !isChanged) await show(true);
      status.removeAttribute("aria-busy");
    })));
  });
}
