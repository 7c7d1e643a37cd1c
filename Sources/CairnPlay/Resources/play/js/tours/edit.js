// The editor of tours, for organisation users: facts, ground, stops and popups, each saved for itself, then published
// (TRM-1 to TRM-10).

import { client, limits } from "../core/app.js";
import { glyph } from "../core/glyphs.js";
import { make } from "../core/page.js";
import { goIfStayed } from "../core/router.js";
import { t } from "../core/texts.js";
import { groundHeight, objectName } from "../core/view.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { card, folded, section } from "../components/card.js";
import { confirmed } from "../components/dialog.js";
import { check, form } from "../components/form.js";
import { list } from "../components/list.js";
import { refuse, toast } from "../components/message.js";
import { figures, readTour, recording, withWords, words } from "./content.js";
import { drawOnMap } from "./drawing.js";
import { tourFile } from "./file.js";
import { recordingField } from "./recording.js";
import { sketch } from "./sketch.js";

/**
 * Ground that is drawn and not complete, by tour.
 * @type {Map<string, any>}
 */
const waiting = new Map();

/**
 * The forms of a draft's parts, by tour and part. A form stays while its part has the same version, and what was typed
 * into it with it.
 * @type {Map<string, Map<string, {version: number, element: HTMLElement}>>}
 */
const formsOfTours = new Map();
/** The editor that a tour's forms save by: the one that was opened last. @type {Map<string, Save>} */
const savers = new Map();
/** @typedef {(kind: string, part: string, body: any) => Promise<void>} Save */

/** @param {any} [facts] */
function factFields(facts = {}) {
  return [
    { name: "name", label: t("tour.name"), required: true, value: words(facts.name), most: 100 },
    { name: "description", label: t("tour.description"), type: "area", required: true,
      value: words(facts.description) },
    { name: "links", label: t("tour.linkList"), type: "area", value: (facts.links ?? []).join("\n") },
    { name: "price", label: t("tour.price"), type: "number", isWhole: true, value: String(facts.price ?? 0) },
    { name: "minutes", label: t("tour.minutes"), type: "number", isWhole: true,
      value: String(Math.round((facts.seconds ?? 0) / 60)) },
  ];
}

/**
 * @param {any} values
 * @param {any} [before]
 */
function factsOf(values, before = {}) {
  return {
    ...before, name: withWords(before.name, values.name),
      description: withWords(before.description, values.description),
    links: values.links.split("\n").map((/** @type {string} */ one) => one.trim()).filter(Boolean),
    price: Number(values.price) || 0, seconds: (Number(values.minutes) || 0) * 60,
  };
}

/** The form that makes a draft. */
export function newTourForm() {
  return form(factFields(), t("tour.make"), async (values) => {
    const go = goIfStayed();
    const { tour } = await client.request("createTour", { facts: factsOf(values) });
    go("tours", "edit", tour);
  });
}

/**
 * The editor of a draft.
 * @param {string} id
 */
export function editPage(id) {
  const box = make("div", { class: "stack" });
  /** When the person at hand last changed it: what the server tells then is their own change. */
  let saved = 0;
  /** @type {{tour: any, content: any, parts: Map<string, number>}} */
  let draft;
  /** Parts that are not folded up. @type {Set<string>} */
  const unfolded = new Set();
  /**
   * Saves a part on the version that is held, folds it up, and draws again.
   * @param {string} kind
   * @param {string} part
   * @param {any} body
   */
  const save = async (kind, part, body) => {
    saved = performance.now();
    await client.request(kind, { tour: id, version: draft.parts.get(part) ?? 0, ...body });
    unfolded.delete(part);
    await draw();
  };
  savers.set(id, save);
  const forms = formsOfTours.get(id) ?? new Map();
  formsOfTours.set(id, forms);

  /**
   * The form of a part, as it is while the part has this version.
   * @param {string} part
   * @param {(save: Save) => HTMLElement} make
   */
  const formOf = (part, make) => {
    const version = draft.parts.get(part) ?? 0;
    const kept = forms.get(part);
    if (kept?.version === version) return kept.element;
    const element = make((...all) => /** @type {Save} */ (savers.get(id))(...all));
    forms.set(part, { version, element });
    return element;
  };

  /** @param {string} part */
  const lastButton = (part) => forms.get(part)?.element.querySelector("button[type=submit]");

  /**
   * A part that is folded up until somebody wants to see it.
   * @param {string} part
   * @param {string} title
   * @param {...any} content
   */
  const foldedPart = (part, title, ...content) => {
    const element = folded(title, { open: unfolded.has(part), "data-part": part, ontoggle: () => {
      if (element.open) unfolded.add(part);
      else unfolded.delete(part);
    } }, ...content);
    return element;
  };

  const draw = async () => {
    draft = await readTour(id, true);
    const { tour, content } = draft;
    await sketch(content);
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const part = [...forms].find(([, { element }]) => element.contains(focused))?.[0];
    box.replaceChildren(
      card(make("h2", { dir: "auto" }, words(content.facts.name)),
        make("p", { class: "quiet" }, [t(`tour.state.${tour.state || "draft"}`), figures(tour), tour.code].join(" · ")),
          ending()),
      section(t("tour.facts"), formOf("facts", (save) => form(factFields(content.facts), t("save"), async (values) => {
        await save("setTourFacts", "facts", { facts: factsOf(values, content.facts) });
        toast(t("saved"));
      }))),
      section(t("tour.ground"), ground(content)),
      section(t("tours.stops"), stops(content)),
      section(t("tour.popup"), popups(content)),
      section(t("tour.file"), tourFile(id, (asset) => {
        waiting.delete(id);
        forms.clear();
        return save("importTour", "facts", { asset });
      })));
    if (box.contains(focused)) focused?.focus();
    else if (part) (box.querySelector(`[data-part="${part}"] summary`) ?? lastButton(part))?.focus();
  };

  /** Publishing, discarding, deleting. */
  const ending = () => make("div", { class: "row" },
    action(t("tour.publish"), async () => {
      try {
        saved = performance.now();
        await client.request("publishTour", { tour: id });
      } catch (refusal) {
        const { missing } = /** @type {any} */ (refusal).details ?? {};
        if (missing) toast(t("tour.missing", { list: missing.split(",").join(", ") }), { kind: "bad", seconds: 20 });
        throw refusal;
      }
      toast(t("tour.published"));
      await draw();
    }, "accent"),
    make("a", { class: "button", href: `#/tours/${id}` }, t("tours.preview")),
    action(t("tour.discard"), async () => {
      if (!(await confirmed(t("tour.discard.ask"), t("tour.discard")))) return;
      saved = performance.now();
      await client.request("discardTourDraft", { tour: id });
      forms.clear();
      await draw();
    }),
    action(t("tour.delete"), async () => {
      if (!(await confirmed(t("tour.delete.ask"), t("tour.delete")))) return;
      const go = goIfStayed();
      saved = performance.now();
      await client.request("deleteTour", { tour: id });
      go("tours");
    }, "quiet-danger"));

  /**
   * Area, route and direction, which the server takes together: what is drawn waits here until both are there.
   * @param {any} content
   */
  const ground = (content) => {
    const drawn = { area: [], route: [], direction: "TOUR_DIRECTION_FORWARD", ...content.ground, ...waiting.get(id) };
    if (drawn.direction === "TOUR_DIRECTION_UNSPECIFIED") drawn.direction = "TOUR_DIRECTION_FORWARD";
    const put = async (/** @type {any} */ change) => {
      Object.assign(drawn, change);
      waiting.set(id, drawn);
      if (drawn.area.length < 3 || drawn.route.length < 2) return;
      await save("setTourGround", "ground", { ground: drawn });
      waiting.delete(id);
    };
    const drawing = (/** @type {"area" | "route"} */ what) =>
      make("div", { class: "row" },
        action(`${t("tour.draw")}: ${t(`tour.draw.${what}`)}`, async () => {
          const { points, unsaved, go } = await drawOnMap(what, drawn[what], { ...content, ground: drawn });
          if (unsaved) waiting.set(id, Object.assign(drawn, { [what]: unsaved }));
          if (points) await put({ [what]: points }).catch(refuse);
          go("tours", "edit", id);
        }),
        make("span", { class: "quiet" }, t("tour.points", { n: drawn[what].length })));
    const backward = check(t("tour.backward"), {
      checked: drawn.direction === "TOUR_DIRECTION_BACKWARD",
      onchange: () => put({ direction: backward.box.checked ? "TOUR_DIRECTION_BACKWARD" : "TOUR_DIRECTION_FORWARD" })
        .catch(refuse),
    });
    return make("div", { class: "stack" }, drawing("area"), drawing("route"), backward.element);
  };

  /** @param {any} content */
  const stops = (content) => make("div", { class: "stack" },
    list(content.stops.map((/** @type {any} */ stop, /** @type {number} */ n) =>
      foldedPart(stop.id, `${n + 1}. ${words(stop.name)}`, formOf(stop.id, (save) => stopForm(stop, save)),
        make("div", { class: "row" }, glyph(stop.object),
          n > 0 && action(t("tour.stop.earlier"), () => order(content.stops, n, n - 1)),
          action(t("remove"), () => save("removeTourPart", stop.id, { part: stop.id }), "quiet-danger")))),
    "", { isOrdered: true }),
  action(t("tour.draw.stop"), async () => {
    const { points: [point] = [], go } = await drawOnMap("stop", [], content);
    if (point) {
      const geopose = { position: { ...point, h: groundHeight() }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
      await save("setTourStop", "", { stop: { object: limits().presets?.[0], pose: { geopose, scale: 1 },
        name: withWords(null, `${content.stops.length + 1}`), history: withWords(null, "…"),
        alternative: withWords(null, objectName(limits().presets?.[0] ?? "")) } }).catch(refuse);
    }
    go("tours", "edit", id);
  }, "accent"));

  /**
   * @param {any[]} all
   * @param {number} from
   * @param {number} to
   */
  const order = (all, from, to) => {
    const ids = all.map((one) => one.id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    return save("orderTourStops", "order", { stops: ids });
  };

  /**
   * @param {any} stop
   * @param {Save} save
   */
  const stopForm = (stop, save) => {
    const recorded = recordingField(id, recording(stop.history));
    const element = form([
      { name: "name", label: t("tour.stop.name"), required: true, value: words(stop.name), most: 100 },
      { name: "object", label: t("objects"), type: "select", required: true, value: stop.object,
        choices: (limits().presets ?? []).map((/** @type {string} */ one) => [one, objectName(one)]) },
      { name: "history", label: t("tour.stop.history"), type: "area", required: true, value: words(stop.history) },
      { name: "alternative", label: t("tour.stop.alternative"), required: true, value: words(stop.alternative) },
    ], t("save"), (values) => save("setTourStop", stop.id, { stop: {
      ...stop, object: values.object, name: withWords(stop.name, values.name),
      history: withWords(stop.history, values.history, recorded.audio(values.history)),
      alternative: withWords(stop.alternative, values.alternative),
    } }));
    element.querySelector("[name=history]")?.closest(".field")?.after(recorded.element);
    return element;
  };

  /** @param {any} content */
  const popups = (content) => make("div", { class: "stack" },
    list(content.popups.map((/** @type {any} */ popup) =>
      foldedPart(popup.id, words(popup.text), formOf(popup.id, (save) =>
        form([{ name: "text", label: t("tour.popup.text"), type: "area", required: true, value: words(popup.text) }],
          t("save"),
          ({ text }) => save("setTourPopup", popup.id, { popup: { ...popup, text: withWords(popup.text, text) } }))),
        action(t("remove"), () => save("removeTourPart", popup.id, { part: popup.id }), "quiet-danger")))),
  action(t("tour.draw.popup"), async () => {
    const { points: [point] = [], go } = await drawOnMap("popup", [], content);
    if (point) await save("setTourPopup", "", { popup: { place: { ...point, h: groundHeight() },
      text: withWords(null, "…") } }).catch(refuse);
    go("tours", "edit", id);
  }, "accent"));

  const end = client.on("tourChanged", (/** @type {any} */ { tour }) => {
    if (!box.isConnected) {
      end();
      client.request("closeTour", { tour: id }).catch(() => {});
    } else if (tour === id && performance.now() - saved > 2000) {
      toast(t("tour.changed"), { action: { text: t("open"), run: draw } });
    }
  });
  client.request("openTour", { tour: id }).catch(() => {});
  return arriving(async () => { await draw(); return box; });
}
