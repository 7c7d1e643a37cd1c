// Help and feedback, for the register.

import { go } from "../core/router.js";

/** @type {import("../core/extensions.js").Feature} */
export const help = {
  name: "help",
  sections: {
    help: { rank: 130, who: "all", load: async () => (await import("./help.js")).helpPage },
    feedback: { rank: 140, who: "person", load: async () => (await import("./help.js")).feedbackPage },
  },
  keys: { "?": () => go("profile", "help") },
};
