// Asks for the place: by a tap, because browsers want one, or by hand on the map.

import { make } from "../core/page.js";
import { locate } from "../core/place.js";
import { go } from "../core/router.js";
import { t } from "../core/texts.js";
import { closeSheet, openSheet } from "../components/sheet.js";

/** Opens the sheet that asks for the place. */
export function askPlace() {
  const trouble = make("p", { class: "far", role: "alert" });
  const tap = make("button", { type: "button", class: "accent", onclick: async () => {
    tap.disabled = true;
    trouble.textContent = "";
    try {
      await locate();
      closeSheet();
    } catch (error) {
      trouble.textContent = t(/** @type {any} */ (error).code === 1 ? "where.denied" : "where.none");
    }
    tap.disabled = false;
  } }, t("where.allow"));
  openSheet(t("where"), [
    make("p", {}, t("where.why")), !isSecureContext && make("p", { class: "far" }, t("where.insecure")),
    make("div", { class: "row" }, tap, make("button",
      { type: "button", onclick: () => { closeSheet(); go("map", "choose"); } }, t("where.hand"))),
    trouble,
  ].filter(Boolean), { kind: "where" });
}
