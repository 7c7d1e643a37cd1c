// Asks for the place: by a tap, because browsers want one, or by hand on the map.

import { on } from "../core/app.js";
import { make } from "../core/page.js";
import { choosePlace, eye, locate, own } from "../core/place.js";
import { go, route } from "../core/router.js";
import { metres, t } from "../core/texts.js";
import { action } from "../components/button.js";
import { say, toast } from "../components/message.js";
import { closeSheet, closeSheetOf, openSheet } from "../components/sheet.js";

/** Metres to which a place is meant that was looked at and not chosen by a tap. */
const ABOUT = 5;

/** @type {AbortController | null} */
let waiting = null;

/**
 * Opens the sheet that asks for the place, with the reason. Whoever looks at a place may stand there: refusing the
 * device's costs no more than one's own dot.
 * @param {() => unknown} [then] what needs the place, and goes on when it is there
 */
export function askPlace(then) {
  goOnLater(then);
  const trouble = make("div");
  const tap = action(t("where.allow"), async () => {
    say(t("where.looking"));
    await locate();
    closeSheetOf(trouble);
    sayKnown();
  }, "accent", { place: trouble, why: ({ code }) => ({ code: "form",
    message: t(code === 1 ? "where.denied" : "where.none") }) });
  const seen = own() ? null : eye();
  openSheet(t("where"), [
    make("p", {}, t("where.why")), !isSecureContext && make("p", { class: "far" }, t("where.insecure")),
    make("div", { class: "row" }, tap,
      seen && make("button", { type: "button", onclick: () => {
        closeSheet();
        choosePlace(seen, ABOUT);
        sayKnown();
      } },
        t("where.seen")),
      make("button", { type: "button", onclick: () => { closeSheet(); go("map", "choose"); } }, t("where.hand"))),
    trouble,
  ].filter(Boolean), { kind: "where", onclose: () => {
    // Whoever closes it wants nothing of it any more; the map may still be asked.
    const ended = waiting;
    setTimeout(() => { if (!own() && !isChoosing()) ended?.abort(); });
  } });
}

/** Says that the place is known, and how exactly. */
export function sayKnown() {
  toast(t("where.known", { distance: metres(Math.max(1, own()?.accuracy ?? 1)) }));
}

/** Whether the person chooses the place on the map. */
function isChoosing() {
  return route().rest[0] === "choose";
}

/** @param {(() => unknown) | undefined} then */
function goOnLater(then) {
  waiting?.abort();
  waiting = null;
  if (!then) return;
  const ended = waiting = new AbortController();
  on("place", () => {
    if (!own()) return;
    ended.abort();
    // The choice on the map ends first.
    setTimeout(then);
  }, ended.signal);
  on("route", () => { if (!isChoosing()) ended.abort(); }, ended.signal);
}
