// Stops and popups in the editor: drawn, written, put in order, taken away (TRM-4).

import { limits } from "../core/app.js";
import { glyph } from "../core/glyphs.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { objectName } from "../core/view.js";
import { action } from "../components/button.js";
import { folded } from "../components/card.js";
import { list } from "../components/list.js";
import { recording } from "./content.js";
import { drawOnMap } from "./drawing.js";
import { draftForm } from "./fields.js";
import { groundFault } from "./groundpart.js";
import { recordingField } from "./recording.js";
import { isNew, isSame } from "./saving.js";
import { soon } from "./soon.js";
import { newPopup, newStop } from "./values.js";

/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("./editor.js").Entry} Entry */
/** @typedef {{element: HTMLElement, value: any, show: any, part: string}} Kept a form, and what it shows */

/** Parts that are not folded up; ids are unique for ever. @type {Set<string>} */
const unfolded = new Set();

/** The forms of the parts, which stay while what they show does. */
export class PartForms {
  /** @type {Map<string, Kept>} */
  #forms = new Map();

  /**
   * @param {Editor} editor
   * @param {() => Promise<any>} redraw
   */
  constructor(editor, redraw) {
    this.editor = editor;
    this.redraw = redraw;
    editor.onStanding((part) => {
      const form = this.#forms.get(part);
      if (form) this.#tell(part, form.show);
    });
    editor.onRenamed((from, to) => {
      const form = this.#forms.get(from);
      if (form) {
        this.#forms.delete(from);
        this.#forms.set(to, form);
        form.part = to;
      }
      if (unfolded.delete(from)) unfolded.add(to);
      this.isRenamed = true;
    });
    this.isRenamed = false;
  }

  /**
   * Says how it stands with a part, where that was told.
   * @param {string} part
   * @param {(standing: import("./saving.js").Standing, refusal: any) => void} show
   */
  #tell(part, show) {
    const [standing, refusal] = this.editor.standing(part) ?? [];
    if (!standing) return;
    const message = refusal && groundFault(refusal, this.editor.content, part);
    show(standing, message ? { ...refusal, code: "form", message } : refusal);
  }

  /** The part that has the focus, if one has. */
  focused() {
    return [...this.#forms].find(([, { element }]) => element.contains(document.activeElement))?.[0];
  }

  /** Unfolds a part, when it is drawn next. */
  unfold(/** @type {string} */ part) {
    unfolded.add(part);
  }

  /**
   * The form of a part: that which is there, if it shows this value or somebody is typing in it.
   * @param {Entry} entry
   * @param {(form: Kept) => any} create gives what `draftForm` gives
   */
  form({ part, value }, create) {
    const before = this.#forms.get(part);
    // Nobody's typing is taken away by what the server makes of it.
    const isTyped = before?.element.contains(document.activeElement);
    if (before && (isTyped || isSame(before.value, value))) return before.element;
    const kept = /** @type {Kept} */ ({ part, value, element: make("div"), show: () => {} });
    const { element, show } = create(kept);
    Object.assign(kept, { element, show });
    this.#forms.set(part, kept);
    if (this.editor.standing(part)?.[0] !== "saved") this.#tell(part, show);
    return element;
  }

  /**
   * What a form does with its values.
   * @param {Kept} kept
   * @param {(values: any) => any} read
   */
  options(kept, read) {
    const { editor } = this;
    return {
      read: (/** @type {any} */ values) => ({ ...kept.value, ...read(values) }),
      enter: (/** @type {any} */ value) => {
        kept.value = value;
        editor.enter(kept.part, value);
      },
      send: () => editor.saving.flush(kept.part),
      resolve: async (/** @type {boolean} */ isMine) => {
        await editor.resolve(kept.part, isMine);
        if (!isMine) this.#forms.delete(kept.part);
        await this.redraw();
      },
      done: (/** @type {HTMLElement} */ form) => {
        const details = form.closest("details");
        if (!details) return;
        details.open = false;
        details.querySelector("summary")?.focus();
      },
    };
  }

  /**
   * A part that is folded up until somebody wants to see it.
   * @param {string} part
   * @param {string} title
   * @param {...any} content
   */
  folded(part, title, ...content) {
    const element = folded(title, { open: unfolded.has(part), "data-part": part, ontoggle: () => {
      if (element.open) unfolded.add(part);
      else unfolded.delete(part);
    } }, ...content);
    return element;
  }

  /** Takes a part away: a new one from this device, another from the server. */
  async remove(/** @type {string} */ part) {
    const { editor } = this;
    editor.removing.add(part);
    try {
      if (!isNew(part)) await editor.change("removeTourPart", { part, version: editor.draft.parts.get(part) ?? 0 });
    } finally {
      editor.removing.delete(part);
    }
    editor.saving.drop(part);
    await this.redraw();
  }

  /**
   * Draws new parts; each is kept at once, and there again after a reload.
   * @param {"stop" | "popup"} what
   * @param {(point: any, n: number) => any} valueOf
   */
  async draw(what, valueOf) {
    const { editor } = this, before = editor[what === "stop" ? "stops" : "popups"].length;
    /** @type {string[]} */
    let fresh = [];
    const { go } = await drawOnMap(what, [], editor, (points) => {
      for (const part of fresh.splice(points.length)) editor.saving.drop(part);
      for (const [n, point] of points.entries()) {
        fresh[n] ??= `${what}:${crypto.randomUUID()}`;
        const place = editor.saving.entered(fresh[n])?.place;
        const isThere = place?.lat === point.lat && place?.lon === point.lon;
        if (!isThere) editor.enter(fresh[n], valueOf(point, before + n + 1), true);
      }
    });
    for (const part of fresh) this.unfold(part);
    await soon(Promise.allSettled(fresh.map((part) => editor.saving.flush(part))));
    go("tours", "edit", editor.id);
    if (document.body.classList.contains("with-beside")) await this.redraw();
  }
}

/**
 * Puts a stop or a popup elsewhere.
 * @param {Editor} editor
 * @param {PartForms} forms
 * @param {"stop" | "popup"} what
 * @param {Entry} entry
 */
async function move(editor, forms, what, { part, value }) {
  const { go } = await drawOnMap(what, [], editor, (points) => {
    const now = editor.saving.entered(part) ?? value;
    editor.enter(part, { ...now, place: { ...value.place, ...points[points.length - 1] } }, true);
  });
  forms.unfold(part);
  await soon(editor.saving.flush(part));
  go("tours", "edit", editor.id);
  if (document.body.classList.contains("with-beside")) await forms.redraw();
}

/**
 * The stops.
 * @param {Editor} editor
 * @param {PartForms} forms
 */
export function stopParts(editor, forms) {
  const all = editor.stops;
  const order = async (/** @type {number} */ from, /** @type {number} */ to) => {
    const ids = editor.draft.content.stops.map((/** @type {any} */ { id }) => id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    await editor.change("orderTourStops", { stops: ids, version: editor.draft.parts.get("order") ?? 0 });
    await forms.redraw();
  };
  return make("div", { class: "stack" },
    list(all.map(({ part, value, saved }, n) => forms.folded(part, `${n + 1}. ${value.name}`,
      forms.form({ part, value, saved }, (kept) => stopForm(editor, forms, kept, saved)),
      make("div", { class: "row" }, glyph(value.object),
        action(t("tour.move"), () => move(editor, forms, "stop", { part, value, saved })),
        n > 0 && saved && action(t("tour.stop.earlier"), () => order(n, n - 1)),
        action(t("remove"), () => forms.remove(part), "quiet-danger")))), "", { isOrdered: true }),
    drawButton(t("tour.draw.stop"), "stops", () => forms.draw("stop", newStop)));
}

/**
 * @param {string} text
 * @param {string} what
 * @param {() => Promise<any>} run
 */
function drawButton(text, what, run) {
  const button = action(text, run);
  button.dataset.draw = what;
  return button;
}

/**
 * @param {Editor} editor
 * @param {PartForms} forms
 * @param {Kept} kept
 * @param {any} saved
 */
function stopForm(editor, forms, kept, saved) {
  const { value } = kept;
  const recorded = recordingField(editor.id, recording(saved?.history), value.audio, () => made.changed());
  const made = draftForm([
    { name: "name", label: t("tour.stop.name"), required: true, value: value.name, most: 100 },
    { name: "object", label: t("objects"), type: "select", required: true, value: value.object,
      choices: (limits().presets ?? []).map((/** @type {string} */ one) => [one, objectName(one)]) },
    { name: "history", label: t("tour.stop.history"), type: "area", required: true, value: value.history },
    { name: "alternative", label: t("tour.stop.alternative"), required: true, value: value.alternative },
  ], forms.options(kept, (values) => ({ ...values, audio: recorded.audio() })));
  made.element.querySelector("[name=history]")?.closest(".field")?.after(recorded.element);
  made.element.querySelector("[name=name]").addEventListener("input", (/** @type {any} */ { target }) => {
    const summary = target.closest("details")?.querySelector("summary");
    if (summary) summary.textContent = `${summary.textContent.split(".")[0]}. ${target.value}`;
  });
  return made;
}

/**
 * The popups.
 * @param {Editor} editor
 * @param {PartForms} forms
 */
export function popupParts(editor, forms) {
  return make("div", { class: "stack" },
    list(editor.popups.map(({ part, value, saved }) => forms.folded(part, value.text || t("tour.popup.new"),
      forms.form({ part, value, saved }, (kept) => draftForm([
        { name: "text", label: t("tour.popup.text"), type: "area", required: true, value: value.text }],
      forms.options(kept, (one) => one))),
      make("div", { class: "row" }, action(t("tour.move"), () => move(editor, forms, "popup", { part, value, saved })),
        action(t("remove"), () => forms.remove(part), "quiet-danger"))))),
    drawButton(t("tour.draw.popup"), "popups", () => forms.draw("popup", newPopup)));
}

