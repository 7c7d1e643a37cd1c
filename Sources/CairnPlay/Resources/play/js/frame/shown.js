// The sheet behind the pill: what is shown, and how. Features give its parts.

import { given } from "../core/extensions.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { newTicket, openSheet } from "../components/sheet.js";

/** Opens it, unless the person does something else before its parts are there. */
export async function openShown() {
  const isCurrent = newTicket();
  const parts = await Promise.all(given("shown").sort((a, b) => a.rank - b.rank)
    .map(async ({ rank, make: made }) => ({ rank, content: await made() })));
  const of = (/** @type {boolean} */ isFirst) => parts.filter(({ rank }) => (rank === 0) === isFirst)
    .map(({ content }) => content);
  if (!isCurrent()) return;
  openSheet(t("shown"), [make("div", { class: "row" }, ...of(true)), ...of(false)], { kind: "shown" });
}
