// The Realm, for the register: what is around in perspective, and how it is laid onto the ground.

import { way } from "../core/alignment.js";
import { make } from "../core/page.js";
import { route } from "../core/router.js";
import { t } from "../core/texts.js";
import { action } from "../components/button.js";
import { later } from "../components/later.js";
import { closeSheet } from "../components/sheet.js";
import { askPlace } from "../where/locate.js";
import { exactness } from "./exactness.js";

const openAlign = later(async () => (await import("./align.js")).openAlign);
const alignButtons = later(async () => (await import("./align.js")).alignButtons);

let hide = () => {};

async function load() {
  const { hideRealm, showRealm } = await import("./realm.js");
  hide = hideRealm;
  return showRealm;
}

/** The ways of seeing, where the Realm is shown. */
function views() {
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
function placeLine() {
  return make("div", { class: "row" }, make("span", { class: "quiet" }, exactness()),
    make("button", { type: "button", onclick: askPlace }, t("where.change")),
    way !== "view" && make("button", { type: "button", onclick: openAlign }, t("align")));
}

/**
 * What aligns by a thing.
 * @param {import("../core/view.js").Item} item
 */
function alignment(item) {
  const box = make("div");
  if (item.kind === "thing") alignButtons(item).then((buttons) => { if (buttons) box.append(buttons); });
  return item.kind === "thing" && box;
}

/** @type {import("../core/extensions.js").Feature} */
export const realm = {
  name: "realm",
  place: { name: "realm", rank: 1, key: "1", isOnStage: true, load, hide: () => hide() },
  shown: [{ rank: 0, make: views }, { rank: 1, make: placeLine }],
  actions: alignment,
};
