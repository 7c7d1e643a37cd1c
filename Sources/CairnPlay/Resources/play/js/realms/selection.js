// Which sub-realm is selected.

import { client, isSignedIn, selected, tell } from "../core/app.js";
import { local } from "../core/storage.js";
import { t } from "../core/texts.js";
import { toast } from "../components/message.js";
import { listRealms } from "./list.js";

/**
 * Selects a sub-realm; an empty id is the public one.
 * @param {string} id
 * @param {string} name
 */
export async function selectRealm(id, name) {
  await client.selectRealm(id);
  show(id, name);
}

/**
 * The accounts of those in the selected sub-realm; null while they are not known, or nothing is selected.
 * @type {Set<string> | null}
 */
let members = null;

/** Reads who is in the selected sub-realm: others step back. */
async function readMembers() {
  const { id } = selected;
  members = null;
  selected.isOwn = false;
  if (!id) return;
  try {
    const { members: all = [] } = await client.request("listMembers", { realm: id });
    if (selected.id !== id) return;
    selected.isOwn = all.some((/** @type {any} */ { user, owner }) => owner && user.account === client.welcome.account);
    members = new Set(all.map((/** @type {any} */ { user }) => user.account));
    tell("realms");
  } catch {
    // Then nobody steps back.
  }
}

/**
 * Whether somebody is not in the selected sub-realm. Things and posts that are not in it are not sent at all.
 * @param {import("../core/view.js").Item} item
 */
export function isOutside({ kind, instance }) {
  return kind === "person" && members !== null && !members.has(instance.id);
}

/**
 * What is selected, for the pill and for the next load of the page.
 * @param {string} id
 * @param {string} name
 */
function show(id, name) {
  selected.id = id;
  selected.name = name;
  local.set("cairn-play-realm", id ? JSON.stringify({ id, name }) : null);
  readMembers();
  tell("realms");
}

/**
 * Follows the selected sub-realm: its name, which its owner may change (SUB-7), and that it is no longer selected.
 * @param {any} client
 */
export function followRealms(client) {
  client.on("selectionReset", () => { forgetRealm(); toast(t("realm.reset"), { isNews: true }); });
  client.on("realmChanged", async (/** @type {any} */ { id }) => {
    if (id !== selected.id) return;
    readMembers();
    try {
      const realms = await listRealms();
      const now = realms.find((/** @type {any} */ one) => one.id === selected.id);
      if (now && now.name !== selected.name) show(now.id, now.name);
    } catch {
      // Then it has the old name until it is selected again.
    }
  });
}

/** The selection was reset, or the person is another one. */
export function forgetRealm() {
  show("", "");
}

/** Selects again what was selected before the page was loaded. */
export async function resumeRealm() {
  try {
    const { id = "", name = "" } = JSON.parse(local.get("cairn-play-realm") ?? "{}");
    if (id && isSignedIn()) await selectRealm(id, name);
  } catch {
    forgetRealm();
  }
}
