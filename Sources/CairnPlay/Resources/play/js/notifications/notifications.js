// The page of notifications: what others have done, read and unread (NTF).

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { moment, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { line, pages } from "../components/list.js";
import { count, leadOf, sentence } from "./notified.js";

/** All of them, newest first. */
export function notificationsPage() {
  let mark = "";
  const ask = async (/** @type {string} */ after) => {
    const page = await client.request("listNotifications", after ? { after } : {});
    mark ||= page.mark ?? "";
    count(page.unread ?? 0);
    return { items: page.notifications ?? [], next: page.next };
  };
  return arriving(async () => {
    const { element, list, ready } = pages(ask, (one) => make("li", { class: one.read ? "" : "unread" },
      line({ title: sentence(one), href: leadOf(one), note: [moment(one.at), one.read ? "" : t("notifications.unread")]
        .filter(Boolean).join(" · ") })), t("notifications.none"));
    await ready;
    return make("div", { class: "stack" }, mark && make("div", { class: "row" },
      action(t("notifications.read"), async () => {
        await client.request("markRead", { allUntil: mark });
        count(0);
        for (const one of list.children) one.classList.remove("unread");
      })), element);
  });
}
