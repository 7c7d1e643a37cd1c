// Settings, for the register: their section, and the switch for sharing one's position beside what is shown.

import { client, isSignedIn, tell } from "../core/app.js";
import { setting } from "../core/settings.js";
import { later } from "../components/later.js";

/** People come and go all the time; whether one of them is known is looked up this rarely. */
const LOOK_MS = 2_000;

let lookedAt = -Infinity;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** @type {HTMLElement | false} what was found then */
let found = false;

/** Offers to share one's position, once, when somebody whom the person knows is near. */
async function offer() {
  if (!isSignedIn() || setting("privacy.sharePosition") === "on") return (found = false);
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
  banner: { rank: 50, events: "welcomed people settings language", draw: offer },
};
