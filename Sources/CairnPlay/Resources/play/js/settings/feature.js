// Settings, for the register: their section, and the switch for sharing one's position beside what is shown.

import { client, isSignedIn, on, tell } from "../core/app.js";
import { own } from "../core/place.js";
import { setting } from "../core/settings.js";
import { later } from "../components/later.js";

/** People come and go all the time; whether one of them is known is looked up this rarely. */
const LOOK_MS = 2_000;

let lookedAt = -Infinity;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** @type {HTMLElement | false} what was found then */
let found = false;

/** Whether somebody has signed in here who shares already, which is not read yet. */
let isAgain = false;

/**
 * Says to who has signed in that they share their position, as they have chosen before; else offers it, once, when
 * somebody whom the person knows is near.
 */
async function offer() {
  if (!isSignedIn() || setting("privacy.sharePosition") === "on") {
    found = false;
    // Without a place nobody sees it yet.
    if (!isSignedIn() || !isAgain || !own()) return false;
    return (await import("./sharing.js")).reminder(() => { isAgain = false; });
  }
  const wait = LOOK_MS - (performance.now() - lookedAt);
  if (!found && wait > 0) {
    // Who has come since then may stand still.
    clearTimeout(again);
    again = setTimeout(() => tell("banner"), wait);
    return false;
  }
  lookedAt = performance.now();
  if (client.people().length === 0) return (found = false);
  const sharing = await import("./sharing.js");
  return (found = !sharing.wasOffered() && await sharing.offer());
}

/** @type {import("../core/extensions.js").Feature} */
export const settings = {
  name: "settings",
  sections: { settings: { rank: 50, who: "all", load: async () => (await import("./settings.js")).settingsPage } },
  shown: [{ rank: 2, make: later(async () => (await import("./sharing.js")).sharing) }],
  banner: { rank: 50, events: "welcomed people settings language arrived place", draw: offer },
  follow: () => on("arrived", () => { isAgain = setting("privacy.sharePosition") === "on"; }),
  forget: () => { isAgain = false; },
};
