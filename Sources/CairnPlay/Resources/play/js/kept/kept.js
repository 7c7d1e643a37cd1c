// The last snapshot, for display only while there is no network, with its age.

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { own, setPlace } from "../core/place.js";
import { span, t } from "../core/texts.js";
import { title, whereabouts } from "../core/view.js";
import { line, list } from "../components/list.js";
import { newTicket, openSheet, sheetKind } from "../components/sheet.js";
import { NAME } from "./keep.js";

let isShown = false;

/** Shows the last snapshot where there is no network: once by itself, then as the list, whenever it is asked for. */
export async function showKept() {
  if (isShown) return;
  isShown = true;
  await openKept(() => !sheetKind());
}

/** Whether the page was opened without a network, and has not been connected yet. */
export function isWithoutNetwork() {
  return isShown && !client.welcome;
}

/** Whether the server answers, and takes nobody in. */
async function isFull() {
  try {
    await fetch("/v1", { method: "HEAD", cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Shows the last snapshot with its age, as a list: for display only.
 * @param {() => boolean} isWanted whether it is, when it is there
 */
export async function openKept(isWanted = newTicket()) {
  await client.load();
  const kept = await client.store.get(NAME), full = await isFull() && make("p", {}, t("offline.full"));
  if (client.isLive || !isWanted()) return;
  if (!kept || !client.core.profile.token) {
    openSheet(t("offline"), [full || make("p", {}, t("offline.needs"))], { kind: "kept", focus: false });
    return;
  }
  if (kept.place && !own()) setPlace(kept.place);
  openSheet(t("offline"), [
    full, make("p", {}, t("offline.age", { time: span(Date.now() - kept.at) })),
    list(kept.items.map((/** @type {any} */ item) => line({ title: title(item), note: whereabouts(item) }))),
  ], { kind: "kept", focus: false });
}
