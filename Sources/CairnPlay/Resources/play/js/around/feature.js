// The list of what is around, for the register.

import { make } from "../core/page.js";
import { go, route } from "../core/router.js";
import { t } from "../core/texts.js";
import { opener } from "../components/later.js";
import { sheetKind } from "../components/sheet.js";

const openList = opener(async () => (await import("./list.js")).openList);

/** The list is over the stage. */
function showList() {
  if (route().place !== "realm") go("map");
  openList();
}

/** @type {import("../core/extensions.js").Feature} */
export const around = {
  name: "around",
  keys: { l: showList },
  shown: [{ rank: 0, make: () => make("button", { type: "button", id: "open-list",
    "aria-pressed": String(sheetKind() === "list"), onclick: () => openList() }, t("list")) }],
};
