// The greeting of a guest on the stage.

import { at, make } from "../core/page.js";
import { t } from "../core/texts.js";
import { joining } from "../components/joining.js";
import { openSheet, sheetKind } from "../components/sheet.js";

/** What this is, and how to begin. */
export function greet() {
  if (at("stage").hidden || sheetKind()) return;
  openSheet(t("hello.title"), [make("p", {}, t("hello.text")), joining()], { kind: "hello", focus: false });
}
