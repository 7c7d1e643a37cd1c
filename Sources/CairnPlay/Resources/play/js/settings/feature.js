// Settings, for the register: their section, and the switch for sharing one's position beside what is shown.

import { later } from "../components/later.js";

/** @type {import("../core/extensions.js").Feature} */
export const settings = {
  name: "settings",
  sections: { settings: { rank: 50, who: "all", load: async () => (await import("./settings.js")).settingsPage } },
  shown: [{ rank: 2, make: later(async () => (await import("./sharing.js")).sharing) }],
};
