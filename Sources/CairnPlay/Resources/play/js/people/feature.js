// People, for the register: one's own profile, other people's, and friends.

import { opener } from "../components/later.js";

const FRIENDS = "#/profile/friends";

/** @type {import("../core/extensions.js").Feature} */
export const people = {
  name: "people",
  sections: {
    me: { rank: 10, who: "person", load: async () => (await import("./own.js")).ownPage },
    friends: { rank: 30, who: "person", load: async () => (await import("./friends.js")).friendsPage },
  },
  kinds: { person: {
    open: opener(async () => (await import("./details.js")).openPerson), isSomebody: true,
    lift: () => 0.35, stance: "upright",
  } },
  shapes: async () => {
    const { figure } = await import("../components/shape.js");
    return { person: figure(0xe07a35), self: figure(0x1463d6) };
  },
  notices: {
    friend_request: { lead: FRIENDS, usual: "on", rank: 10 }, friend_accepted: { lead: FRIENDS, usual: "on", rank: 11 },
    friend_rejected: { lead: FRIENDS, usual: "on", rank: 12 }, friend_removed: { lead: FRIENDS },
  },
};
