// The choice of the sub-realm that is shown, in the sheet behind the pill.

import { isSignedIn, selected } from "../core/app.js";
import { make } from "../core/page.js";
import { go } from "../core/router.js";
import { t } from "../core/texts.js";
import { act } from "../components/button.js";
import { line } from "../components/list.js";
import { refused } from "../components/message.js";
import { closeSheet, closeSheetOf } from "../components/sheet.js";
import { selectRealm } from "./selection.js";
import { listRealms } from "./list.js";

/** The choice, below its heading. */
export function choice() {
  return make("div", { class: "stack" }, make("h3", {}, t("realm.selected")),
    make("p", { class: "quiet" }, t("realm.about")), choices(), toSection());
}

/** The public realm, and the sub-realms that the person is in. */
function choices() {
  const all = make("div", { class: "stack", role: "group", "aria-label": t("realm.selected") });
  const option = (/** @type {string} */ id, /** @type {string} */ name) => line({
    title: name, data: { "aria-pressed": String(selected.id === id), "data-realm": id },
    onclick: (/** @type {any} */ { currentTarget }) => act(currentTarget, async () => {
      await selectRealm(id, name);
      closeSheetOf(all);
    }),
  });
  all.append(option("", t("realm.public")));
  const add = async () => {
    try {
      const realms = await listRealms();
      for (const realm of realms) {
        if (realm.standing === "owner" || realm.standing === "member") all.append(option(realm.id, realm.name));
      }
    } catch (refusal) {
      all.append(refused(refusal));
    }
  };
  if (isSignedIn()) add();
  return all;
}

/** Leads to the section of sub-realms. */
function toSection() {
  return isSignedIn() && make("div", { class: "row" }, make("button",
    { type: "button", onclick: () => { closeSheet(); go("profile", "realms"); } }, t("profile.realms")));
}
