// Where the user is, for the register: the world is on screen before anybody is asked for their place.

import { client, isSignedIn, limits } from "../core/app.js";
import { at } from "../core/page.js";
import { asked, eye, leavePlace, locate, own } from "../core/place.js";
import { route } from "../core/router.js";
import { setting } from "../core/settings.js";
import { sight } from "../core/sight.js";
import { added, items, kindOf } from "../core/view.js";
import { later } from "../components/later.js";
import { sheetKind } from "../components/sheet.js";

/** How long the question waits for the world, which may be empty or slow. */
const WORLD_MS = 5_000;

/** Asks for the place, unless the person does something else meanwhile. */
const offer = later(async () => {
  const { askPlace } = await import("./locate.js");
  return () => {
    if (!own() && isSignedIn() && !sheetKind() && !at("stage").hidden && route().rest[0] !== "choose") askPlace();
  };
});

/** Whether the person was asked for their place since the page was loaded. */
let hasAsked = false;

/** Finds the place of who has signed in: without a word where the browser allows it, else by asking. */
async function findPlace() {
  if (hasAsked || own() || asked() || !isSignedIn() || at("stage").hidden) return;
  hasAsked = true;
  if (await isAllowed()) locate().catch(() => {});
  else {
    await worldIsShown();
    offer();
  }
}

/** Waits until what is looked at is there; not for ever. */
function worldIsShown() {
  if (!eye() || client.view.topics.size > 0) return Promise.resolve();
  return Promise.race([client.next("followed"), new Promise((resolve) => { setTimeout(resolve, WORLD_MS); })]);
}

/** Whether the browser gives the place without asking. */
async function isAllowed() {
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
  } catch {
    return false;
  }
}

/** The page looks somewhere, whoever opens it. */
async function look() {
  if (own()) return;
  try {
    const { begin } = await import("./start.js");
    await begin();
  } catch (error) {
    // Then the map shows the globe.
    console.warn(error);
  }
}

const draw = later(async () => (await import("./empty.js")).draw);

/** Why there is nothing to see, where that is so. */
async function empty() {
  const isEmpty = items().length === 0 && added().every((item) => kindOf(item).isAfar);
  if (!client.isLive || !isEmpty && !sight.isElsewhere || !isSignedIn() && !limits().guestsLook
    || setting("display.objects") === "off") return false;
  return await draw(isEmpty, sight) ?? false;
}

/** @type {import("../core/extensions.js").Feature} */
export const where = {
  name: "where",
  follow: () => { look(); },
  // What the page waits for is not the person's answer.
  welcomed: () => { findPlace(); },
  routed: findPlace,
  forget: () => {
    hasAsked = false;
    leavePlace();
  },
  banner: { rank: 70, events: "view place route welcomed realms sight run language settings", draw: empty },
};
