// The editor of tours, for organisation users: facts, ground, stops and popups, then published (TRM-1 to TRM-10). What
// is entered is a draft at once; the map stands beside it where there is room.

import { client, on } from "../core/app.js";
import { arrange, fill, make } from "../core/page.js";
import { go, goIfStayed } from "../core/router.js";
import { t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { card, section } from "../components/card.js";
import { confirmed } from "../components/dialog.js";
import { list } from "../components/list.js";
import { refused, toast } from "../components/message.js";
import { Editor } from "./editor.js";
import { factFields } from "./facts.js";
import { figures } from "./figures.js";
import { tourFile } from "./file.js";
import { groundFault, groundPart } from "./groundpart.js";
import { draftForm } from "./fields.js";
import { sketch } from "./sketch.js";
import { PartForms, popupParts, stopParts } from "./stopparts.js";
import { pictureField } from "./uploads.js";
import { EDITED, offers } from "./whole.js";

/** Ends the editor that is shown, whose place another one takes. */
let endShown = () => {};

/**
 * The editor of a draft.
 * @param {string} tour its id, or "new"
 */
export function editPage(tour) {
  endShown();
  const editor = new Editor(tour);
  const box = make("div", { class: "stack" });
  const draw = async () => {
    const isFirst = box.children.length === 0;
    await editor.load();
    if (!editor.isOver) await drawParts(isFirst);
  };
  const forms = new PartForms(editor, draw);
  const ground = groundPart(editor, draw);
  endShown = followed(editor, draw);
  const heading = make("h2", { dir: "auto" }), state = make("p", { class: "quiet" });
  const row = make("div", { class: "row" }), ending = make("div", { class: "stack" }, row);
  const parts = make("div", { class: "stack" });

  const drawParts = async (/** @type {boolean} */ isFirst) => {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement), part = forms.focused();
    drawHead();
    ground.show();
    fill(parts,
      section(t("tour.facts"), forms.form({ part: "facts", value: editor.facts, saved: null }, factsForm)),
      ...(editor.id ? [
        section(t("tour.ground"), ground.element),
        section(t("tours.stops"), stopParts(editor, forms)),
        section(t("tour.popup"), popupParts(editor, forms)),
        section(t("tour.file"), tourFile(editor.id, async (asset) => {
          await editor.change("importTour", { asset, version: editor.draft.parts.get("facts") ?? 0 });
          editor.saving.dropAll();
          await draw();
        }))] : [card(make("p", { class: "quiet" }, t("tour.new.about")))]));
    if (isFirst) box.append(card(heading, state, ending), parts);
    if (editor.id) await sketch(editor.content, { fit: isFirst, fault: editor.fault, lasts: () => editor.isShown });
    if (box.contains(focused)) focused?.focus({ preventScroll: true });
    else if (part) box.querySelector(`[data-part="${CSS.escape(part)}"] summary`)?.focus();
  };

  /** The name, how it stands with the draft, and what may be done with it. */
  const drawHead = () => {
    const { tour: summary } = editor.draft;
    heading.textContent = editor.facts.name || t("tour.new");
    state.textContent = editor.id ? [t(`tour.state.${summary.state || "draft"}`), figures(summary), summary.code]
      .filter(Boolean).join(" · ") : "";
    const { publish, discard } = offers(summary.state ?? "", editor.saving.unsent.length > 0);
    const now = `${editor.id} ${publish} ${discard}`;
    if (ending.dataset.offers === now) return;
    ending.dataset.offers = now;
    ending.querySelector(".lacks")?.remove();
    const offered = editor.id ? [publish && "publish", "preview", discard && "discard", "delete"]
      : [discard && "discard"];
    const shown = /** @type {string[]} */ (offered.filter(Boolean));
    ending.hidden = shown.length === 0;
    // A button that works stays: a second tap on it does nothing, and what it answers stands behind it.
    arrange(row, shown.map((key) => ({ key })), ({ key }) => buttons[key](), () => {});
  };
  const buttons = /** @type {Record<string, () => HTMLElement>} */ ({
    publish: () => action(t("tour.publish"), publishIt, "accent"),
    preview: () => make("a", { class: "button", href: `#/tours/${editor.id}` }, t("tours.preview")),
    discard: () => action(t("tour.discard"), discardIt),
    delete: () => action(t("tour.delete"), deleteIt, "quiet-danger"),
  });

  const factsForm = (/** @type {any} */ kept) => {
    const picture = pictureField(editor.id, editor.draft.content.facts.picture ?? "", kept.value.picture,
      () => made.changed());
    const made = draftForm(factFields(kept.value),
      forms.options(kept, (values) => ({ ...values, picture: picture.asset() })));
    made.element.querySelector("[name=pictureAlternative]")?.closest(".field")?.before(picture.element);
    return made;
  };

  /** @param {any} no @param {string} [part] the part that was sent @returns {never} */
  const refuseIt = (no, part) => {
    const message = groundFault(no, editor.content, part);
    throw message ? Object.assign(new Error(message), { code: "form" }) : no;
  };
  const publishIt = async () => {
    ending.querySelector(".lacks")?.remove();
    for (const part of editor.saving.unsent) {
      await editor.saving.flush(part).catch((/** @type {any} */ no) => {
        // What is missing is listed below.
        if (no.code !== "unfinished") refuseIt(no, part);
      });
    }
    await editor.load();
    const lacks = editor.lacks;
    if (lacks.length > 0) {
      const box = lackList(lacks, lead);
      ending.prepend(box);
      box.querySelector("button")?.focus();
      return;
    }
    await editor.publish().catch((/** @type {any} */ no) => refuseIt(no));
    const { id } = editor;
    toast(t("tour.published"), { action: { text: t("show.it"), run: () => go("tours", id) } });
    await draw();
  };
  const discardIt = async () => {
    if (!(await confirmed(t("tour.discard.ask"), t("tour.discard")))) return;
    if (editor.draft.tour.state === EDITED) await editor.change("discardTourDraft");
    editor.saving.dropAll();
    await draw();
  };
  const deleteIt = async () => {
    if (!(await confirmed(t("tour.delete.ask"), t("tour.delete")))) return;
    const go = goIfStayed();
    await editor.change("deleteTour");
    editor.saving.dropAll();
    go("tours");
    toast(t("removed"));
  };

  /** Leads to what is missing. */
  const lead = (/** @type {import("./whole.js").Lack} */ { part, field }) => {
    const folded = box.querySelector(`[data-part="${CSS.escape(part)}"]`);
    if (folded) folded.open = true;
    const within = folded ?? parts;
    const target = within.querySelector(`[name="${field}"]`) ?? box.querySelector(`[data-draw="${field}"]`);
    target?.focus();
    target?.scrollIntoView({ block: "center" });
  };

  editor.onStanding((part, standing) => {
    if (!box.isConnected) return;
    // A draft that differs from what is published is one from now on.
    if (standing === "saved" && editor.draft.tour.state === "published") editor.draft.tour.state = EDITED;
    if (standing === "kept" || standing === "saved") drawHead();
    if (standing !== "saved") return;
    // The tour, or a part of it, is on the server for the first time.
    if (editor.id && (editor.draft.parts.size === 0 || forms.isRenamed)) {
      forms.isRenamed = false;
      draw().catch(() => {});
    }
  });
  return arriving(async () => {
    await draw();
    return box;
  });
}

/**
 * What is missing, each leading to where it is entered.
 * @param {import("./whole.js").Lack[]} lacks
 * @param {(lack: import("./whole.js").Lack) => void} lead
 */
function lackList(lacks, lead) {
  const words = (/** @type {import("./whole.js").Lack} */ { part, field, name }) => {
    const what = ["area", "route"].includes(field) ? t(`tour.line.${field}`) : field === "stops" ? t("tours.stops")
      : part === "facts" ? t(`tour.${field}`) : field === "text" ? t("tour.popup.text") : t(`tour.stop.${field}`);
    return name ? `${name}: ${what}` : what;
  };
  const box = refused({ code: "tour_incomplete", message: t("tour.lacks") });
  box.classList.add("lacks");
  box.append(list(lacks.map((one) => make("button", { type: "button", onclick: () => lead(one) }, words(one)))));
  return box;
}

/**
 * Follows what others change, and what was sent before a reload, until another editor or place is shown.
 * @param {Editor} editor
 * @param {() => Promise<void>} draw
 * @returns {() => void} ends it
 */
function followed(editor, draw) {
  let followedTour = "";
  const left = new AbortController();
  const ends = [client.on("emptied", () => {
    editor.saving.close();
    end();
  }), client.on("tourChanged", (/** @type {any} */ { tour }) => {
    if (tour === editor.id && !editor.hasJustSaved) {
      toast(t("tour.changed"), { isNews: true, action: { text: t("open"), run: draw } });
    }
  }), client.on("answered", (/** @type {any} */ { body }) => {
    if (editor.id && body?.tour === editor.id) draw().catch(() => {});
  })];
  on("tourMended", (tour) => { if (tour === editor.id) draw().catch(() => {}); }, left.signal);
  on("route", () => {
    if (editor.isShown) return;
    editor.saving.leave();
    end();
  }, left.signal);
  const open = () => {
    if (!editor.id || followedTour || editor.isOver) return;
    followedTour = editor.id;
    client.request("openTour", { tour: editor.id }).catch(() => {});
  };
  const end = () => {
    if (editor.isOver) return;
    editor.end();
    left.abort();
    for (const one of ends) one();
    if (followedTour) client.request("closeTour", { tour: followedTour }).catch(() => {});
  };
  editor.onStanding(open);
  open();
  return end;
}
