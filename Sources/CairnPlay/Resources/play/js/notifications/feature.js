// Notifications, for the register.

import { later } from "../components/later.js";

const hear = later(async () => (await import("./notified.js")).hear);

/** @type {import("../core/extensions.js").Feature} */
export const notifications = {
  name: "notifications",
  sections: { notifications: {
    rank: 20, who: "person", load: async () => (await import("./notifications.js")).notificationsPage,
  } },
  follow: (client) => client.on("notified", hear),
};
