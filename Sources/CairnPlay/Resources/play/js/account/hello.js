// The greeting of a guest: where the server shows them nothing, how to begin; else nothing is in the way.

import { limits } from "../core/app.js";
import { opensByName } from "../core/entry.js";
import { at, make } from "../core/page.js";
import { t } from "../core/texts.js";
import { entering } from "../components/entering.js";
import { openSheet, sheetKind } from "../components/sheet.js";

/** What this is, and how to begin. */
export function greet() {
  // Whoever touches something that needs an account is asked at once then.
  opensByName();
  if (limits().guestsLook || at("stage").hidden || sheetKind()) return;
  openSheet(t("hello.title"), [make("p", {}, t("hello.text")), entering()], { kind: "hello", focus: false });
}
