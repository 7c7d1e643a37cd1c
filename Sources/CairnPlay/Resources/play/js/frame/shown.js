// The sheet behind the pill: what is shown, and how. Features give its parts.

import { given } from "../core/extensions.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { openSheet } from "../components/sheet.js";

/** Opens it. */
export function openShown() {
  const parts = given("shown").sort((a, b) => a.rank - b.rank);
  const first = parts.filter(({ rank }) => rank === 0), others = parts.filter(({ rank }) => rank > 0);
  openSheet(t("shown"), [make("div", { class: "row" }, ...first.map((part) => part.make())),
    ...others.map((part) => part.make())], { kind: "shown" });
}
