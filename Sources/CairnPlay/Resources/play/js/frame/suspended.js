// What a person reads whose account is suspended: why, for how long, and what they can do.

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { words } from "../core/refusals.js";
import { goIfStayed } from "../core/router.js";
import { moment, t } from "../core/texts.js";
import { action } from "../components/button.js";
import { closeSheet, openSheet } from "../components/sheet.js";

/**
 * Says it, and leads on: as a guest, who reads in the help whom to ask; or again, where it may have ended.
 * @param {any} refusal of the server, whose sentence has the reason
 * @param {() => Promise<void>} connect
 */
export function showSuspended(refusal, connect) {
  const { text, remedy } = words(refusal);
  const end = Number(refusal.details?.until);
  const ahead = end ? t("suspended.until", { time: moment(end) }) : remedy;
  const leave = async () => {
    const go = goIfStayed();
    await client.signOut();
    // Signing out has emptied the page, and closed this sheet.
    await connect();
    go("profile", "help");
  };
  const retry = async () => {
    closeSheet();
    await connect();
  };
  openSheet(t("suspended"), [make("p", { class: "far", dir: "auto" }, text), make("p", {}, ahead),
    make("div", { class: "row" }, action(t("suspended.guest"), leave, "accent"), action(t("retry"), retry))],
  { kind: "suspended" });
}
