// Notifications, for the register.

import { followNotifications } from "./notified.js";

/** @type {import("../core/extensions.js").Feature} */
export const notifications = {
  name: "notifications",
  sections: { notifications: {
    rank: 20, who: "person", load: async () => (await import("./notifications.js")).notificationsPage,
  } },
  follow: followNotifications,
};
