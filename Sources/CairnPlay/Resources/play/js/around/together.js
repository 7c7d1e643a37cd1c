// What stands in one place of the map, as a list: each line leads to one of it.

import { on } from "../core/app.js";
import { arrange, make, paced, write } from "../core/page.js";
import { pick } from "../core/picked.js";
import { isStill } from "../core/settings.js";
import { t } from "../core/texts.js";
import { fullTitle, itemOf, kindOf, whereabouts } from "../core/view.js";
import { line, list } from "../components/list.js";
import { closeSheet, openSheet, sheetKind } from "../components/sheet.js";
import { countsInWords } from "../map/words.js";

/** @typedef {import("../core/view.js").Item} Item */

/** Most lines. */
const MOST = 200;

/**
 * Opens the list. What goes away while it is open goes from it, too.
 * @param {Item[]} held
 * @param {any} map
 * @param {string} [key] of what was selected in it, whose line has the focus then
 */
export function openTogether(held, map, key) {
  const ended = new AbortController();
  const status = make("p", { class: "quiet", role: "status" }), found = list([]);
  const closer = make("button", { type: "button", onclick: () => {
    closeSheet();
    zoomTo(held, map);
  } }, t("together.closer"));
  openSheet(t("together"), [status, found, make("div", { class: "row end" }, closer)],
    { kind: "together", onclose: () => ended.abort() });
  const draw = () => {
    if (sheetKind() !== "together") return;
    const now = held.flatMap((item) => itemOf(item.key) ?? (isAround(item) ? [] : [item]))
      .sort((a, b) => a.distance - b.distance);
    /** @type {Record<string, number>} */
    const counts = {};
    for (const { kind } of now) counts[kind] = (counts[kind] ?? 0) + 1;
    write(status, now.length === 0 ? t("gone") : now.length > MOST
      ? t("list.nearest", { n: MOST, total: now.length }) : countsInWords(counts));
    arrange(found, now.slice(0, MOST), (item) => make("li", {}, line({ title: "", note: "", mark: item.kind,
      onclick: () => pick(item.key, { item, over: () => openTogether(held, map, item.key) }) })), (element, item) => {
      const [, name, note] = /** @type {any} */ (element.firstElementChild).children;
      write(name, fullTitle(item));
      write(note, [whereabouts(item), item.isOwn ? t("by.you") : "", kindOf(item).note?.(item) ?? ""]
        .filter(Boolean).join(" · "));
    });
  };
  draw();
  if (key) /** @type {any} */ (found.querySelector(`[data-key="${CSS.escape(key)}"] button`))?.focus();
  on("view people place run group language", paced(300, draw), ended.signal);
}

/**
 * Whether an item would be found where it is around still.
 * @param {Item} item
 */
function isAround({ kind }) {
  return kind === "thing" || kind === "post" || kind === "person";
}

/**
 * Shows the ground of these items alone, as close as the map goes.
 * @param {Item[]} held
 * @param {any} map
 */
function zoomTo(held, map) {
  const places = held.map(({ place: { lat, lon } }) => [lat, lon]);
  map.fitBounds(places, { padding: [60, 60], maxZoom: Math.min(map.getMaxZoom(), map.getZoom() + 3),
    animate: !isStill() });
}
