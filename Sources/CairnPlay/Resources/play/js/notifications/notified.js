// Notifications as they come: in words, counted while they are not read, and where each leads (NTF).

import { client, tell, unread } from "../core/app.js";
import { table } from "../core/extensions.js";
import { has, t } from "../core/texts.js";
import { toast } from "../components/message.js";

/** Most that are shown of what comes at once. */
const SHOWN_MAX = 3;

/**
 * Where a notification leads, as an address of the page; empty = nowhere.
 * @param {any} one
 * @returns {string}
 */
export function leadOf(one) {
  const { lead = "" } = table("notices")[one.kind] ?? {};
  return typeof lead === "function" ? lead(one) : lead;
}

/**
 * A notification in words.
 * @param {any} one
 */
export function sentence({ kind, personName = "", label = "" }) {
  return has(`notified.${kind}`) ? t(`notified.${kind}`, { name: personName || t("somebody"), label }) : kind;
}

/** @param {number} n not read */
export function count(n) {
  if (unread.count === n) return;
  unread.count = n;
  tell("unread");
}

/**
 * Somebody follows a notification: it is read.
 * @param {any} one
 */
export function follow(one) {
  if (one.read) return;
  one.read = true;
  count(Math.max(0, unread.count - 1));
  client.request("markRead", { ids: [one.id] }).catch(() => {});
}

/**
 * Shows what is new, and counts what is not read.
 * @param {any} news
 */
export function hear({ notifications = [], unread: n = 0 }) {
  count(n);
  for (const one of notifications.slice(0, SHOWN_MAX)) {
    const lead = leadOf(one);
    if (!one.read) toast(sentence(one), { isNews: true, once: one.id, action: lead
      ? { text: t("open"), run: () => { follow(one); location.hash = lead; } } : undefined });
  }
}
