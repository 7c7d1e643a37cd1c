// The own group on a tour: a guide and those who follow, each on a run of their own (TRM-11).

import { client, isSignedIn, on, tell } from "../core/app.js";
import { t } from "../core/texts.js";
import { toast } from "../components/message.js";

/**
 * The own group as the server told it last; null without one.
 * @type {any}
 */
export let group = null;
/** The group that the person is leaving: its end is no news to them. */
let leaving = "";

/** Leaves the group, and ends it as its guide. */
export async function leaveGroup() {
  leaving = group.id;
  await client.request("leaveGroup");
  forgetGroup();
}

/**
 * Follows what the server says of the own group.
 * @param {any} client
 */
export function followGroup(client) {
  client.on("group", take);
  client.on("groupEnded", ({ group: ended = "" }) => {
    if (ended !== group?.id) return;
    forgetGroup();
    if (ended !== leaving) toast(t("group.ended"), { seconds: 20, isNews: true });
  });
  client.on("welcomed", (/** @type {any} */ { resumed }) => {
    // Items are not repeated after a cut: what the group came to meanwhile is asked for.
    if (isSignedIn() && (group || !resumed)) readGroup();
  });
  client.on("emptied", forgetGroup);
  on("group", () => tell("layers"));
}

/** Asks for the group that the person is in, if there is one. */
async function readGroup() {
  try {
    take(await client.request("getGroup"));
  } catch {
    forgetGroup();
  }
}

/**
 * The group is so now.
 * @param {any} next
 */
export function take(next) {
  const target = group?.id === next.id ? group.target : "";
  group = { members: [], ...next };
  if (target !== (next.target ?? "") && !self().guide && next.target) toast(t("group.moved"), { isNews: true });
  tell("group");
}

/** The person is in a group no longer. */
export function forgetGroup() {
  group = null;
  tell("group");
}

/** The id of the stop to which the guide leads all; empty when each goes to their own. */
export function ledTo() {
  return group?.target ?? "";
}

/**
 * The stop to which the guide leads all; undefined when each goes to their own.
 * @param {any[]} stops
 */
export function led(stops) {
  return ledTo() ? stops.find(({ id }) => id === ledTo()) : undefined;
}

/** The person at hand, who comes first in what the server tells. */
export function self() {
  return group.members[0] ?? {};
}

/** Those of the others who are at a place that is known here. */
function others() {
  return group.members.filter((/** @type {any} */ one) => !one.own && one.lat != null && one.lon != null);
}

/**
 * The others of the own group who show where they are.
 * @returns {{id: string, lat: number, lon: number, name: string, isGuide: boolean}[]}
 */
export function fellows() {
  return group ? others().map(seen) : [];
}

/**
 * @param {any} member
 * @param {number} n
 */
function seen(member, n) {
  const { account, lat, lon, guide } = member;
  return { id: account || `${n}`, lat, lon, name: member.name || t("somebody"), isGuide: Boolean(guide) };
}
