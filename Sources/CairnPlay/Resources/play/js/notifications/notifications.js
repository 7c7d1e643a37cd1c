// Notifications: what others have done, read and unread, and where each leads (NTF).

import { client, tell, unread } from "../core/app.js";
import { action, arriving } from "../components/form.js";
import { card } from "../core/refusals.js";
import { make } from "../core/page.js";
import { has, moment, t } from "../core/texts.js";
import { toast } from "../frame/shell.js";

const LEADS = /** @type {Record<string, string>} */ ({
  friend_request: "friends", friend_accepted: "friends", friend_rejected: "friends", friend_removed: "friends",
  realm_invitation: "realms", realm_join_request: "realms", realm_approved: "realms", realm_refused: "realms",
  realm_added: "realms", realm_removed: "realms", realm_deleted: "realms", new_device: "devices", sign_in_changed: "devices",
  organisation_accepted: "organisation", organisation_denied: "organisation",
    organisation_removal_asked: "organisation",
  organisation_removed: "organisation", organisation_suspended: "organisation", organisation_reinstated: "organisation",
  purchase_refunded: "purchases",
});

/**
 * Where a notification leads, as an address of the page; empty = nowhere.
 * @param {any} one
 */
function leadOf({ kind, instance = "" }) {
  // What a notice of a tour is about is the tour (PRX-1).
  if (kind === "tour_nearby") return `#/tours/${instance}`;
  if (kind === "tour_ended") return "#/tours";
  return LEADS[kind] ? `#/profile/${LEADS[kind]}` : "";
}

/**
 * A notification in words.
 * @param {any} one
 */
export function sentence({ kind, personName = "", label = "" }) {
  return has(`notified.${kind}`) ? t(`notified.${kind}`, { name: personName || t("somebody"), label }) : kind;
}

/** The page of notifications, newest first. */
export function notificationsPage() {
  const list = make("ul", { class: "plain-list cards" });
  const trouble = make("div");
  const more = make("button", { type: "button", hidden: true, onclick: () => load() }, t("more"));
  let next = "", mark = "";
  const load = async () => {
    try {
      const page = await client.request("listNotifications", next ? { after: next } : {});
      mark ||= page.mark ?? "";
      count(page.unread ?? 0);
      for (const one of page.notifications ?? []) {
        const lead = leadOf(one);
        list.append(make("li", { class: one.read ? "" : "unread" },
          make(lead ? "a" : "span", lead ? { class: "line", href: lead } : { class: "line" },
          make("span", { class: "line-title", dir: "auto" }, sentence(one)),
            make("span", { class: "quiet" }, [moment(one.at), one.read ? ""
            : t("notifications.unread")].filter(Boolean).join(" · ")))));
      }
      if (list.children.length === 0) list.append(make("li", { class: "quiet" }, t("notifications.none")));
      next = page.next ?? "";
      more.hidden = !next;
    } catch (refusal) {
      trouble.replaceChildren(card(refusal));
    }
  };
  return arriving(async () => {
    await load();
    return make("div", { class: "stack" }, mark && make("div", { class: "row" },
      action(t("notifications.read"), async () => {
        await client.request("markRead", { allUntil: mark });
        count(0);
        for (const line of list.children) line.classList.remove("unread");
      })), list, trouble, more);
  });
}

/** @param {number} n */
function count(n) {
  if (unread.count === n) return;
  unread.count = n;
  tell("unread");
}

/**
 * Shows what is new, and counts what is not read.
 * @param {any} client
 */
export function followNotifications(client) {
  client.on("notified", (/** @type {any} */ { notifications = [], unread: n = 0 }) => {
    count(n);
    for (const one of notifications.slice(0, 3)) {
      const lead = leadOf(one);
      if (!one.read) toast(sentence(one), { action: lead
        ? { text: t("open"), run: () => { location.hash = lead; } } : undefined });
    }
  });
}
