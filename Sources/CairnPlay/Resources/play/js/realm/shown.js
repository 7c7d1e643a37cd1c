// What the sheet behind the pill says of the Realm: how it is seen, and how it lies on the ground.

import { way } from "../core/alignment.js";
import { make } from "../core/page.js";
import { route } from "../core/router.js";
import { t } from "../core/texts.js";
import { action } from "../components/button.js";
import { opener } from "../components/later.js";
import { closeSheet } from "../components/sheet.js";
import { askPlace } from "../where/locate.js";
import { exactness } from "./exactness.js";

const openAlign = opener(async () => (await import("./align.js")).openAlign);

/** The ways of seeing, where the Realm is shown. */
export function views() {
  const row = make("div", { class: "row" });
  if (route().place === "realm") addViews(row);
  return row;
}

/** @param {HTMLElement} row */
async function addViews(row) {
  const { changeWay, ways } = await import("./realm.js");
  row.append(...(await ways()).map((one) => action(t(`way.${one}`), async () => {
    closeSheet();
    await changeWay(one);
  }, way === one ? "accent" : "")));
}

/** Where one is and looks to, with how exact that is, and how to change it. */
export function placeLine() {
  return make("div", { class: "row" }, make("span", { class: "quiet" }, exactness()),
    make("button", { type: "button", onclick: () => askPlace() }, t("where.change")),
    way !== "view" && make("button", { type: "button", onclick: openAlign }, t("align")));
}
