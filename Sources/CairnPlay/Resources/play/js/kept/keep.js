// Keeps what is in view for an opening without a network. It is part of what a sign-out empties.

import { client, isSignedIn, on } from "../core/app.js";
import { own } from "../core/place.js";
import { items } from "../core/view.js";
import { closeSheet, sheetKind } from "../components/sheet.js";

/** Under what the store keeps it. */
export const NAME = "lastView";
const MOST = 200;
let isDue = false;

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
