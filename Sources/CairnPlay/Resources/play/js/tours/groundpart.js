// Area, route and direction in the editor: each is drawn for itself and saved at once (TRM-3).

import { make, write } from "../core/page.js";
import { metres, number, t } from "../core/texts.js";
import { action } from "../components/button.js";
import { check } from "../components/form.js";
import { refused } from "../components/message.js";
import { words } from "./content.js";
import { drawOnMap } from "./drawing.js";
import { partOf, pointOf } from "./faults.js";
import { standingLine } from "./fields.js";
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
 * The section's content.
 * @param {import("./editor.js").Editor} editor
 */
export function groundPart(editor) {
  const line = standingLine(), trouble = make("div", { class: "trouble" });
  const counts = { area: make("span", { class: "quiet" }), route: make("span", { class: "quiet" }) };
  const show = () => {
    for (const what of /** @type {const} */ (["area", "route"])) {
      write(counts[what], t("tour.points", { n: number(editor.ground[what].length) }));
    }
  };
  const drawing = (/** @type {"area" | "route"} */ what) => {
    const button = action(t(`tour.draw.${what}`), async () => {
      const { go: back } = await drawOnMap(what, editor.ground[what], editor.content, (points) => {
        editor.enter("ground", { ...editor.ground, [what]: points });
        show();
      });
      await soon(editor.saving.flush("ground"));
      await sketch(editor.content, { fault: editor.fault });
      back("tours", "edit", editor.id);
    });
    button.dataset.draw = what;
    return make("div", { class: "row" }, button, counts[what]);
  };
  const backward = check(t("tour.backward"), {
    checked: editor.ground.direction === "TOUR_DIRECTION_BACKWARD",
    onchange: () => {
      const direction = backward.box.checked ? "TOUR_DIRECTION_BACKWARD" : "TOUR_DIRECTION_FORWARD";
      editor.enter("ground", { ...editor.ground, direction });
      editor.saving.flush("ground").catch(() => {});
    },
  });
  editor.onStanding((part, standing, refusal) => {
    if (part !== "ground") return;
    line.show(standing);
    if (standing === "conflict") trouble.replaceChildren(refused(refusal));
    else if (["saved", "refused"].includes(standing)) tell(refusal);
  });
  const tell = (/** @type {any} */ refusal) => {
    const message = refusal && groundFault(refusal, editor.content);
    trouble.replaceChildren(...(refusal ? [refused(message ? { code: "form", message } : refusal)] : []));
    if (editor.fault) sketch(editor.content, { fault: editor.fault });
  };
  show();
  if (editor.groundRefusal) tell(editor.groundRefusal);
  return make("div", { class: "stack" }, drawing("area"), drawing("route"), backward.element, trouble, line.element);
}

