// The places of the page: each is loaded when it is shown for the first time, or when the page has nothing else to do.

import { given } from "../core/extensions.js";
import { at, fill, isFocusLost, make, toHeading } from "../core/page.js";
import { PLACES, entitle, route } from "../core/router.js";
import { t } from "../core/texts.js";
import { loadAll } from "../components/later.js";
import { closeSheet, sheetKind } from "../components/sheet.js";

/** @type {Map<string, Promise<() => unknown>>} */
const loading = new Map();

/** From this width on a page and a part of the stage have room beside one another. */
const ROOM = "(min-width: 1100px)";

/** The places that features give, in the order of the menu. */
export function places() {
  return given("place").sort((a, b) => a.rank - b.rank);
}

/** Takes them for the addresses of the page, and makes the elements of those on the stage. */
export function startPlaces() {
  for (const { name, isOnStage } of places()) {
    PLACES.push(name);
    if (isOnStage) at("stage").append(make("div", { id: name, hidden: true }));
  }
  // What is shown stays as it is, with what is typed, recorded and in focus; the room beside it is another.
  matchMedia(ROOM).addEventListener("change", async () => {
    const place = places().find(({ name }) => name === route().place);
    if (!place?.beside?.() || place.name !== shown) return;
    const beside = layOut(place);
    if (!beside && !place.isOnStage && sheetKind()) closeSheet();
    if (beside) (await loaded(beside).catch(() => null))?.();
  });
}

/**
 * What shows a place; a part that did not arrive is asked for again.
 * @param {import("../core/extensions.js").Place} place
 */
function loaded({ name, load }) {
  const part = loading.get(name) ?? load();
  loading.set(name, part);
  part.catch(() => loading.delete(name));
  return part;
}

let shown = "";

/**
 * Gives a place its room, and the part of the stage that stands beside it.
 * @param {import("../core/extensions.js").Place} place
 * @returns {import("../core/extensions.js").Place | undefined} what stands beside it
 */
function layOut(place) {
  const all = places();
  const beside = all.find((one) => one.name === (matchMedia(ROOM).matches && place.beside?.()));
  document.body.classList.toggle("with-beside", Boolean(beside));
  at("stage").hidden = !place.isOnStage && !beside;
  at("page").hidden = Boolean(place.isOnStage);
  for (const one of all) {
    if (one.isOnStage) at(one.name).hidden = one !== place && one !== beside;
    if (one !== place && one !== beside) one.hide?.();
  }
  return beside;
}

/** Shows the place that the address names, unless the person has gone elsewhere before it is loaded. */
export async function showPlace() {
  const { place: name } = route();
  const place = places().find((one) => one.name === name);
  if (!place) return;
  const beside = layOut(place);
  if (!place.isOnStage && sheetKind()) closeSheet();
  for (const routed of given("routed")) routed();
  // What another place has there is not for this one.
  if (name !== shown) fill(at("page"));
  shown = name;
  try {
    const show = await loaded(place);
    if (route().place === name) await show();
    entitle();
    if (beside) (await loaded(beside))();
    focus();
  } catch (error) {
    console.warn(error);
    if (route().place !== name) return;
    fill(at("page"), make("p", { class: "plain" }, t("offline.part"), " ",
      make("button", { type: "button", onclick: () => location.reload() }, t("retry"))));
    at("page").hidden = false;
  }
}

/** The address that is shown; empty before the first one. */
let address = "";

/** Whoever has gone elsewhere, or whose focus went with what was there, is at the heading of what is shown. */
function focus() {
  const before = address;
  address = location.hash || "#/";
  if (!before) return;
  const isOutside = !document.activeElement?.closest("#page, #stage, #sheet, dialog");
  if (isFocusLost() || before !== address && isOutside) toHeading();
}

/** Loads what the person may use next, so that it needs no network. */
export function loadOthers() {
  loadAll();
  for (const place of places()) loaded(place).catch(() => {});
}
