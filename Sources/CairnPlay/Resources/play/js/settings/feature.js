// Settings, for the register: their section, and the switch for sharing one's position beside what is shown.

import { client, isSignedIn } from "../core/app.js";
import { setting } from "../core/settings.js";
import { later } from "../components/later.js";

/** Offers to share one's position, once, when somebody whom the person knows is near. */
async function offer() {
  if (!isSignedIn() || setting("privacy.sharePosition") === "on" || client.people().length === 0) return false;
  const sharing = await import("./sharing.js");
  return !sharing.wasOffered() && sharing.offer();
}

/** @type {import("../core/extensions.js").Feature} */
export const settings = {
  name: "settings",
  sections: { settings: { rank: 50, who: "all", load: async () => (await import("./settings.js")).settingsPage } },
  shown: [{ rank: 2, make: later(async () => (await import("./sharing.js")).sharing) }],
  banner: { rank: 50, events: "welcomed people settings language", draw: offer },
};
