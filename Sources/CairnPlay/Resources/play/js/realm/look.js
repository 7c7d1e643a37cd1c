// Looking around in the 3D view: drag, keys, and taps that select; the draft is dragged over the ground, or put
// where a tap is.

import { change, draft, fromHere, putAt } from "../core/draft.js";
import { ownHeading, turn, walk } from "../core/place.js";
import { sayAhead } from "./ahead.js";
import { lookFrom } from "./eye.js";

/**
 * Lets pointer and keys turn and move the view.
 * @param {import("./scene.js").Scene} scene
 * @param {HTMLElement} frame
 * @param {{pick: (key: string | null) => void, changed: () => void}} then
 */
export function letLook(scene, frame, { pick, changed }) {
  /** @type {{x: number, y: number, heading: number, pitch: number, moved: boolean, isDraft: boolean} | null} */
  let drag = null;
  const part = (/** @type {PointerEvent} */ event) => {
    const box = frame.getBoundingClientRect();
    return /** @type {const} */ ([(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]);
  };
  /** Puts the draft where the ground is under the pointer. */
  const put = (/** @type {PointerEvent} */ event) => {
    if (!draft) return;
    const point = scene.onGround(...part(event), draft.place.h - (scene.plane?.origin.h ?? 0));
    if (!point) return;
    const { lat, lon } = scene.placeOf(point);
    change({ place: { lat, lon, h: draft.place.h } });
  };
  frame.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || /** @type {HTMLElement} */ (event.target).closest("button, a, input")) return;
    const isDraft = scene.under(...part(event)) === "draft";
    drag = { x: event.clientX, y: event.clientY, heading: ownHeading(), pitch: scene.pitch, moved: false, isDraft };
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (Math.hypot(dx, dy) > 6) drag.moved = true;
    if (!drag.moved) return;
    if (drag.isDraft && draft) {
      put(event);
      return;
    }
    if (scene.isDriven) return;
    const perPixel = scene.camera.fov / frame.clientHeight;
    scene.pitch = Math.max(-80, Math.min(80, drag.pitch + dy * perPixel));
    turn(drag.heading - dx * perPixel);
    changed();
  });
  frame.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) {
      if (!draft) pick(scene.under(...part(event)));
      else if (!drag.isDraft) put(event);
    }
    drag = null;
  });
  frame.addEventListener("pointercancel", () => { drag = null; });
  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.08 : 1 / 1.08);
  }, { passive: false });

  const zoom = (/** @type {number} */ by) => {
    scene.camera.fov = Math.max(25, Math.min(90, scene.camera.fov * by));
    scene.camera.updateProjectionMatrix();
    changed();
  };
  frame.addEventListener("keydown", (event) => {
    if (event.target !== frame || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 5 : 1;
    const { metres, degrees } = fromHere();
    const keys = /** @type {Record<string, () => unknown>} */ (draft ? {
      ArrowUp: () => putAt(metres + 0.5 * step, degrees), ArrowDown: () =>
        putAt(Math.max(0, metres - 0.5 * step), degrees),
      ArrowLeft: () => putAt(metres, degrees - 3 * step), ArrowRight: () => putAt(metres, degrees + 3 * step),
      "+": () => draft && change({ scale: draft.scale * 1.1 }), "-": () => draft
        && change({ scale: draft.scale / 1.1 }),
      q: () => draft && change({ turned: draft.turned + 5 * step }), e: () => draft
        && change({ turned: draft.turned - 5 * step }),
    } : {
      ArrowLeft: () => turn(ownHeading() - 5 * step), ArrowRight: () => turn(ownHeading() + 5 * step),
      ArrowUp: () => { scene.pitch = Math.min(80, scene.pitch + 4 * step); },
      ArrowDown: () => { scene.pitch = Math.max(-80, scene.pitch - 4 * step); },
      w: () => walk(step), s: () => walk(-step), a: () => walk(0, -step), d: () => walk(0, step),
      "+": () => zoom(1 / 1.1), "-": () => zoom(1.1),
      PageUp: () => { scene.eye = Math.min(90, scene.eye * 1.25); },
        PageDown: () => { scene.eye = Math.max(1.6, scene.eye / 1.25); },
    });
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    sayAhead(act() === false);
    changed();
  });
}

/**
 * Looks straight ahead again.
 * @param {import("./scene.js").Scene} scene
 */
export function beginAgain(scene) {
  lookFrom(scene, scene.looks);
}
