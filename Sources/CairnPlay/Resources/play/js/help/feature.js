// Help and feedback, for the register.

import { client, isExpected, isSignedIn, limits } from "../core/app.js";
import { go, route } from "../core/router.js";
import { local } from "../core/storage.js";

/** Where this browser keeps that the welcome was read or closed. */
const WELCOMED = "cairn-play-welcomed";

/** Whether the welcome is shown, which stays where the connection goes and comes: it would be said again. */
let isShown = false;

/** The welcome of a guest who is here for the first time and sees the world (WEB-12). */
async function welcome() {
  const isFor = isShown && !client?.isLive || client?.isLive && limits().guestsLook;
  isShown = isFor && !isSignedIn() && !isExpected() && !local.get(WELCOMED)
    && ["map", "realm"].includes(route().place);
  if (!isShown) return false;
  const { welcomeCard } = await import("./welcome.js");
  return welcomeCard(() => local.set(WELCOMED, "1"));
}

/** @type {import("../core/extensions.js").Feature} */
export const help = {
  name: "help",
  sections: {
    help: { rank: 130, who: "all", load: async () => (await import("./help.js")).helpPage },
    feedback: { rank: 140, who: "person", load: async () => (await import("./help.js")).feedbackPage },
  },
  banner: { rank: 90, events: "welcomed state route language", draw: welcome },
  remedies: { account_suspended: ["#/profile/help", "profile.help"] },
  keys: { "?": () => go("profile", "help") },
};
