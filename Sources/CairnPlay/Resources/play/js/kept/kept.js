// The last snapshot, for display only while there is no network, with its age. It is part of what a sign-out empties.

import { client, isSignedIn, on } from "../core/app.js";
import { make } from "../core/page.js";
import { own, setPlace } from "../core/place.js";
import { span, t } from "../core/texts.js";
import { items, title, whereabouts } from "../core/view.js";
import { line, list } from "../components/list.js";
import { closeSheet, openSheet, sheetKind } from "../components/sheet.js";

const NAME = "lastView";
const MOST = 200;
let isDue = false;
let isShown = false;

/**
 * Keeps what is in view, a few seconds after it changes.
 * @param {any} client
 */
export function followKept(client) {
  client.on("welcomed", () => { if (sheetKind() === "kept") closeSheet(); });
  on("view", () => {
    if (isDue || !isSignedIn() || !client.isLive) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      keep().catch(() => {});
    }, 4000);
  });
}

async function keep() {
  if (!isSignedIn() || !client.isLive) return;
  const here = own();
  await client.store.put(NAME, {
    at: Date.now(), place: here && { lat: here.lat, lon: here.lon },
    items: items().slice(0, MOST).map((item) => ({ ...item, isOwn: false })),
  });
}

/** Shows the last snapshot where there is no network: once by itself, then as the list, whenever it is asked for. */
export async function showKept() {
  if (isShown) return;
  isShown = true;
  await openKept();
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

/** Shows the last snapshot with its age, as a list: for display only. */
export async function openKept() {
  await client.load();
  const kept = await client.store.get(NAME), full = await isFull() && make("p", {}, t("offline.full"));
  if (client.isLive) return;
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
