// The page of notifications: what others have done, read and unread (NTF).

import { client, unread } from "../core/app.js";
import { make, write } from "../core/page.js";
import { moment, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { once } from "../components/button.js";
import { line, pages } from "../components/list.js";
import { count, follow, leadOf, sentence } from "./notified.js";

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
      line({ title: sentence(one), href: leadOf(one), data: { onclick: () => follow(one) },
        note: [moment(one.at), one.read ? "" : t("notifications.unread")]
        .filter(Boolean).join(" · ") })), t("notifications.none"));
    await ready;
    return make("div", { class: "stack" }, mark && unread.count > 0 && make("div", { class: "row" },
      once(t("notifications.read"), async () => {
        await client.request("markRead", { allUntil: mark });
        count(0);
        for (const note of list.querySelectorAll(".unread .quiet")) {
          write(note, String(note.textContent).replace(` · ${t("notifications.unread")}`, ""));
          note.closest("li")?.classList.remove("unread");
        }
        return t("notifications.done");
      })), element);
  });
}
