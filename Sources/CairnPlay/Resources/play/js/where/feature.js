// Where the user is, for the register: found for who has signed in.

import { isSignedIn } from "../core/app.js";
import { at } from "../core/page.js";
import { asked, locate, own } from "../core/place.js";
import { route } from "../core/router.js";
import { later } from "../components/later.js";
import { sheetKind } from "../components/sheet.js";

/** Asks for the place, unless the person does something else meanwhile. */
const offer = later(async () => {
  const { askPlace } = await import("./locate.js");
  return () => { if (!sheetKind() && !at("stage").hidden && route().rest[0] !== "choose") askPlace(); };
});

/** Whether the person was asked for their place since the page was loaded. */
let hasAsked = false;

/** Finds the place of who has signed in: without a word where the browser allows it, else by asking. */
async function findPlace() {
  if (hasAsked || own() || asked() || !isSignedIn() || at("stage").hidden) return;
  hasAsked = true;
  if (await isAllowed()) locate().catch(() => {});
  else offer();
}

/** Whether the browser gives the place without asking. */
async function isAllowed() {
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
  } catch {
    return false;
  }
}

/** @type {import("../core/extensions.js").Feature} */
export const where = { name: "where", welcomed: findPlace, routed: findPlace };
