// Area, route and direction in the editor: each is drawn for itself and saved at once (TRM-3).

import { make, write } from "../core/page.js";
import { metres, number, t } from "../core/texts.js";
import { action } from "../components/button.js";
import { check } from "../components/form.js";
import { refused } from "../components/message.js";
import { words } from "./content.js";
import { drawOnMap } from "./drawing.js";
import { partOf, pointOf } from "./faults.js";
import { conflict, standingLine } from "./fields.js";
import { sketch } from "./sketch.js";
import { soon } from "./soon.js";

/**
 * What is wrong with the ground, in words that name the point or the stop.
 * @param {any} refusal
 * @param {any} content
 * @param {string} [sent] the part that was sent; a new stop has no other name at the server yet
 */
export function groundFault(refusal, content, sent = "") {
  const point = pointOf(refusal), far = partOf(refusal);
  if (point) {
    const reason = point.reason ? t(`tour.fault.${point.reason}`) : refusal.message;
    return t("tour.fault", { line: t(`tour.line.${point.line}`), n: number(point.index + 1), reason });
  }
  if (!far) return "";
  const part = [...content.stops, ...content.popups].find(({ id }) => id === far.part)
    ?? [...content.stops, ...content.popups].find(({ id }) => id === sent);
  const name = words(part?.name ?? part?.text) || t("stop");
  return t("tour.fault.far", { name, distance: metres(far.metres), limit: metres(far.limit) });
}

/**
 * The section's content, which stays while the editor does; `show` shows what is entered, and how it stands.
 * @param {import("./editor.js").Editor} editor
 * @param {() => Promise<any>} redraw
 */
export function groundPart(editor, redraw) {
  const line = standingLine(), trouble = make("div", { class: "trouble" });
  const counts = { area: make("span", { class: "quiet" }), route: make("span", { class: "quiet" }) };
  const show = () => {
    for (const what of /** @type {const} */ (["area", "route"])) {
      write(counts[what], t("tour.points", { n: number(editor.ground[what].length) }));
    }
    backward.box.checked = editor.ground.direction === "TOUR_DIRECTION_BACKWARD";
    const [standing, refusal] = editor.standing("ground") ?? [];
    if (standing) tell(standing, refusal);
    else trouble.replaceChildren();
  };
  const drawing = (/** @type {"area" | "route"} */ what) => {
    const button = action(t(`tour.draw.${what}`), async () => {
      const { go: back } = await drawOnMap(what, editor.ground[what], editor, (points) => {
        editor.enter("ground", { ...editor.ground, [what]: points });
        show();
      });
      await soon(editor.saving.flush("ground"));
      await sketch(editor.content, { fault: editor.fault, lasts: () => editor.isShown });
      back("tours", "edit", editor.id);
    });
    button.dataset.draw = what;
    return make("div", { class: "row" }, button, counts[what]);
  };
  const backward = check(t("tour.backward"), {
    onchange: () => {
      const direction = backward.box.checked ? "TOUR_DIRECTION_BACKWARD" : "TOUR_DIRECTION_FORWARD";
      editor.enter("ground", { ...editor.ground, direction });
      editor.saving.flush("ground").catch(() => {});
    },
  });
  const resolve = async (/** @type {boolean} */ isMine) => {
    await editor.resolve("ground", isMine);
    await redraw();
  };
  const tell = (/** @type {import("./saving.js").Standing} */ standing, /** @type {any} */ refusal) => {
    line.show(standing);
    if (standing === "conflict") trouble.replaceChildren(conflict(resolve));
    if (!["saved", "refused"].includes(standing)) return;
    const message = refusal && groundFault(refusal, editor.content);
    trouble.replaceChildren(...(refusal ? [refused(message ? { code: "form", message } : refusal)] : []));
    if (editor.fault) sketch(editor.content, { fault: editor.fault, lasts: () => editor.isShown });
  };
  editor.onStanding((part, standing, refusal) => { if (part === "ground") tell(standing, refusal); });
  const element = make("div", { class: "stack" }, drawing("area"), drawing("route"), backward.element, trouble,
    line.element);
  return { element, show };
}

