// Placing and editing: object, scope and words, then move, turn and resize, then confirm (PLC-1 to PLC-16).

import { cellAt } from "../../cairn/geo.js";
import { client, isExpected, isSignedIn, limits, on, selected } from "../core/app.js";
import { inView } from "../core/begun.js";
import { change, draft, fromHere, putAt, setDraft } from "../core/draft.js";
import { given } from "../core/extensions.js";
import { compass } from "../core/geo.js";
import { glyph } from "../core/glyphs.js";
import { make, write } from "../core/page.js";
import { own } from "../core/place.js";
import { go, route } from "../core/router.js";
import { locale, metres, number, t } from "../core/texts.js";
import { groundHeight, itemAt, items, objectName } from "../core/view.js";
import { entering } from "../components/entering.js";
import { check, slider, textField } from "../components/form.js";
import { say, toast } from "../components/message.js";
import { openSheet } from "../components/sheet.js";
import { openForm } from "../components/sheetform.js";
import { showItem } from "../map/show.js";
import { takeTaps } from "../map/taps.js";
import { askPlace } from "../where/locate.js";
import { publicly } from "./audience.js";
import { beginEdit, beginNew, draftPose } from "./pose.js";
import { listRealms } from "../realms/list.js";

/** Opens the choice of what to place, over the stage. */
export function startAdding() {
  if (isExpected()) {
    toast(t("offline.needs"));
    return;
  }
  if (!isSignedIn() && !limits().guestsLook) {
    openSheet(t("add"), [entering({ then: startAdding })], { kind: "add" });
    return;
  }
  if (!["realm", "map"].includes(route().place)) go("map");
  if (!own()) {
    askPlace(startAdding);
    return;
  }
  /** @type {Set<string>} */
  const scope = new Set(selected.id ? [selected.id] : []);
  /** What the sub-realms are called. @type {Map<string, string>} */
  const names = new Map();
  // They may be long in coming, and nobody waits for them who places for everybody.
  const scopes = make("div", { hidden: true });
  if (isSignedIn()) {
    ownRealms().then((realms) => {
      for (const { id, name } of realms) names.set(id, name);
      if (realms.length > 0) scopes.replaceWith(scopeChoice(realms, scope));
    });
  }
  const grid = make("div", { class: "objects", role: "group", "aria-label": t("objects") },
    ...(limits().presets ?? []).map((/** @type {string} */ object) =>
    make("button", { type: "button", class: "object", "data-object": object, onclick: () =>
      placeNew(object, [...scope], names) },
      glyph(object), make("span", {}, objectName(object)))));
  openSheet(t("add"), [
    ...given("additions").map(({ text, glyph: drawing, run }) => make("button",
      { type: "button", class: "wide", onclick: run }, glyph(drawing), t(text))),
    scopes, make("p", { class: "quiet" }, publicly(t("scope.about"))), make("h3", {}, t("object.choose")), grid,
    make("p", { class: "quiet" }, quotas()),
  ], { kind: "add" });
}

/** The sub-realms that one may place in. */
async function ownRealms() {
  try {
    return (await listRealms()).filter(
      (/** @type {any} */ one) => one.standing === "owner" || one.standing === "member");
  } catch {
    return [];
  }
}

/**
 * Who sees it: everybody, or the people of some sub-realms.
 * @param {any[]} realms
 * @param {Set<string>} scope
 */
function scopeChoice(realms, scope) {
  const publicly = check(t("realm.public"), { type: "radio", name: "scope", value: "", checked: scope.size === 0 });
  const choices = realms.map((realm) => {
    const choice = check(realm.name, { value: realm.id, checked: scope.has(realm.id), onchange: () => {
      if (choice.box.checked) scope.add(realm.id);
      else scope.delete(realm.id);
      publicly.box.checked = scope.size === 0;
    } });
    return choice;
  });
  publicly.box.addEventListener("change", () => {
    scope.clear();
    for (const { box } of choices) box.checked = false;
  });
  return make("fieldset", {}, make("legend", {}, t("scope")), publicly.element,
    ...choices.map(({ element }) => element));
}

/**
 * Who will see what is placed, in words.
 * @param {string[]} realms in which it is placed; none = the public one
 * @param {Map<string, string>} names what they are called; one that is not in it is the one that is selected
 */
function seenBy(realms, names) {
  if (realms.length === 0) return publicly(t("scope.all"));
  return t("scope.members", { names: new Intl.ListFormat(locale).format(realms.map((id) => names.get(id)
    ?? selected.name)) });
}

/** The quotas in words, with what the user has around here. */
function quotas() {
  const { areaQuota, placementsPerMinute, placementsPerDay, reach } = limits();
  const count = items().filter(({ isOwn, kind }) => isOwn && kind === "thing").length;
  return t("quotas", { count, area: areaQuota ?? 0, minute: placementsPerMinute ?? 0, day: placementsPerDay ?? 0,
    reach: metres(reach ?? 0) });
}

/**
 * @param {string} object
 * @param {string[]} realms
 * @param {Map<string, string>} names
 */
function placeNew(object, realms, names) {
  if (beginNew(object, realms)) openEditor(undefined, names);
}

/** What carries words best, where the server has it. */
const FLAG = "preset:flag";

/**
 * Words at a spot within reach, on a flag.
 * @param {string} text
 * @param {{lat: number, lon: number} | undefined} place some metres ahead where it is not said
 * @param {(isPlaced: boolean) => void} ended
 */
export function placeWords(text, place, ended) {
  const { presets = [] } = limits();
  const begun = beginNew(presets.includes(FLAG) ? FLAG : presets[0], selected.id ? [selected.id] : []);
  if (!begun) return;
  change({ text, ...(place ? { place: { ...begun.place, ...place } } : {}) });
  openEditor(ended);
}

/**
 * Edits an own instance.
 * @param {any} instance
 */
export function startEdit(instance) {
  beginEdit(instance);
  openEditor();
}

/**
 * @param {(isSent: boolean) => void} [closed]
 * @param {Map<string, string>} [names] what sub-realms are called
 */
function openEditor(closed = () => {}, names = new Map()) {
  const now = /** @type {import("../core/draft.js").Draft} */ (draft);
  const isNew = !now.instance;
  const reach = limits().reach ?? 100;
  const ground = groundHeight();
  const log = { min: Math.log(Math.max(0.05, limits().scaleMin ?? 0.1)),
    max: Math.log(Math.min(20, limits().scaleMax ?? 10)) };
  const degrees = (/** @type {number} */ n) => `${number(n)}°`;
  const sliders = [
    slider(t("editor.distance"), { min: 0, max: Math.ceil(Math.max(reach, fromHere().metres)), step: 0.1 }, () =>
      fromHere().metres, (n) => putAt(n, fromHere().degrees), metres),
    slider(t("editor.direction"), { min: 0, max: 359, step: 1 }, () => Math.round(fromHere().degrees) % 360, (n) =>
      putAt(fromHere().metres, n), (n) => `${compass(n)} (${degrees(n)})`),
    slider(t("editor.height"), { min: -5, max: 30, step: 0.1 }, () => now.place.h - ground, (n) =>
      change({ place: { ...now.place, h: ground + n } }), metres),
    slider(t("editor.turn"), { min: -180, max: 180, step: 1 }, () => now.turned, (n) => change({ turned: n }), degrees),
    slider(t("editor.size"), { min: log.min, max: log.max, step: 0.01 }, () => Math.log(now.scale), (n) =>
      change({ scale: Math.exp(n) }), () => `× ${number(now.scale, 2)}`),
  ];
  const { field, element: words } = textField(t("editor.text"), limits().textCharacters ?? 500, now.text);
  field.rows = 2;
  field.addEventListener("input", () => change({ text: field.value }));
  const far = make("p", { class: "far", role: "status" });
  const audience = isNew ? [make("p", {}, seenBy(now.realms, names))] : [];
  const endTaps = takeTaps(({ lat, lon }) => change({ place: { ...now.place, lat, lon } }));
  const show = () => {
    if (!draft) return;
    for (const one of sliders) one.show();
    const away = fromHere().metres;
    write(far, away > reach ? t("editor.far", { reach: metres(reach), distance: metres(away) }) : "");
  };
  const ended = new AbortController();
  openForm(t(isNew ? "editor.new" : "editor.edit", { what: objectName(now.object) }), {
    kind: "editor", button: t(isNew ? "place.confirm" : "save"), done: t(isNew ? "placed" : "edited"),
    fields: [make("p", { class: "quiet" }, t("editor.tap")), ...audience, far, ...sliders.map(({ element }) => element),
      words],
    below: make("p", { class: "quiet" }, quotas()),
    send: () => confirm(now, field.value), show: isNew ? showPlaced : undefined,
    guest: () => ({
      why: t("place.guest"), ready: () => cellInView(now.place),
      begun: { name: "placement", data: placement(now, field.value) },
      reopen: () => { setDraft({ ...now, text: field.value }); openEditor(closed, names); },
    }),
    closed: (isSent) => {
      ended.abort();
      endTaps();
      setDraft(null);
      closed(isSent);
    },
  });
  on("draft place", show, ended.signal);
  show();
  say(`${t("editor.tap")} ${t("editor.help")}`);
}

/**
 * @param {import("../core/draft.js").Draft} now
 * @param {string} text
 */
async function confirm(now, text) {
  if (now.instance) return client.edit(now.instance, draftPose(), text !== (now.instance.text ?? "") ? { text } : {});
  return put(placement(now, text));
}

/** @param {any} instance that was placed */
function showPlaced(instance) {
  return showItem(itemAt("thing", instance.id, instance, instance.pose.geopose.position));
}

/**
 * What is placed.
 * @param {import("../core/draft.js").Draft} now
 * @param {string} text
 */
function placement({ object, realms }, text) {
  return { object, pose: draftPose(), text, realms };
}

/** @param {{object: string, pose: any, text: string, realms: string[]}} placement */
function put({ object, pose, text, realms }) {
  return client.place(object, pose, { ...(text ? { text } : {}), ...(realms.length > 0 ? { realms } : {}) });
}

/**
 * Waits until the server shows the person the ground on which they place.
 * @param {{lat: number, lon: number}} place
 */
function cellInView({ lat, lon }) {
  return inView(cellAt({ lat, lon }, limits().cellLevel ?? 16));
}

/**
 * Goes on with what a guest has begun to place.
 * @param {{object: string, pose: any, text: string, realms: string[]}} begun
 */
export async function goOnPlacing(begun) {
  await cellInView(begun.pose.geopose.position);
  const placed = await put(begun);
  toast(t("placed"), { action: { text: t("show.it"), run: () => showPlaced(placed) } });
}
