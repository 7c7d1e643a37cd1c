// Walking a tour together: a guide and those who follow, each on a run of their own (TRM-11).

import { action, form, section } from "../components/form.js";
import { arrange, fill, make, write } from "../core/page.js";
import { bearing, compass, distance } from "../core/geo.js";
import { client, isSignedIn, on, tell } from "../core/app.js";
import { confirmed } from "../components/sheet.js";
import { drawFellows } from "./fellows.js";
import { metres, moment, t } from "../core/texts.js";
import { own } from "../core/place.js";
import { copied, refuse, toast } from "../frame/shell.js";
import { route } from "../core/router.js";
import { setting } from "../core/settings.js";
import { words } from "./content.js";

/** @type {any} the own group as the server told it last; null without one */
let group = null;
/** The group that the person is leaving: its end is no news to them. */
let leaving = "";
/** @type {any} the part of the page that shows the group: its body, the stops of the tour, and the tour itself */
let panel = null;

/**
 * Follows what the server says of the own group.
 * @param {any} client
 */
export function followGroup(client) {
  client.on("group", take);
  client.on("groupEnded", ({ group: ended = "" }) => {
    if (ended !== group?.id) return;
    forgetGroup();
    if (ended !== leaving) toast(t("group.ended"), { seconds: 20 });
  });
  client.on("welcomed", (/** @type {any} */ { resumed }) => {
    // Items are not repeated after a cut: what the group came to meanwhile is asked for.
    if (isSignedIn() && (group || !resumed)) readGroup();
  });
  client.on("emptied", forgetGroup);
  on("group place settings", draw);
  on("group route", () => {
    if (route().place === "map") drawFellows(fellows());
  });
}

/** Asks for the group that the person is in, if there is one. */
async function readGroup() {
  try {
    take(await client.request("getGroup"));
  } catch {
    forgetGroup();
  }
}

/** @param {any} next */
function take(next) {
  const target = group?.id === next.id ? group.target : "";
  group = { members: [], ...next };
  if (target !== (next.target ?? "") && !self().guide && next.target) toast(t("group.moved"));
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

/** The receiver comes first, always. */
function self() {
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

/**
 * Asks something of the own group; a refusal gets the remedies of groups.
 * @param {any} kind
 * @param {object} [body]
 */
async function ask(kind, body = {}) {
  try {
    const result = await client.request(kind, body);
    if (result?.id) take(result);
    if (kind !== "shareGroupPlace" && kind !== "setGroupTarget") panel?.body.focus();
  } catch (refusal) {
    throw Object.assign(/** @type {any} */ (refusal), { about: "group" });
  }
}

/**
 * The part of a page that opens, joins and shows the group.
 * @param {any} tour
 * @param {any[]} stops
 * @param {{walks?: boolean}} options false for a user of the organisation, who guides without a run
 */
export function groupPanel(tour, stops, { walks = true } = {}) {
  panel = { body: make("div", { class: "stack group", tabindex: "-1" }), tour, stops, walks, shown: "" };
  draw();
  return section(t("group.title"), panel.body);
}

function draw() {
  if (!panel) return;
  const shown = group ? [group.id, self().guide, group.code, group.tour].join() : "none";
  if (panel.shown !== shown) {
    panel.shown = shown;
    fill(panel.body, ...(group ? ofGroup() : outside()));
  }
  if (group) drawMembers();
}

/** What opens a group, and what joins one. */
function outside() {
  const { tour, walks } = panel;
  const consent = switchOf(false);
  return [
    make("p", { class: "quiet" }, t("group.about")), consent.label,
    make("div", { class: "row" }, action(t("group.open"),
      () => ask("openGroup", { sharesPlace: consent.box.checked, ...(walks ? {} : { tour: tour.id }) }))),
    walks && form([{ name: "code", label: t("group.code"), required: true, most: 8 }], t("group.join"),
      ({ code }) => ask("joinGroup", { code: code.trim(), sharesPlace: consent.box.checked })),
  ];
}

/** The group: its code, who is in it, where it is led, and what the person may do. */
function ofGroup() {
  const { guide } = self(), isHere = group.tour === panel.tour.id;
  const consent = switchOf(Boolean(self().sharesPlace));
  consent.box.addEventListener("change", () => ask("shareGroupPlace", { sharesPlace: consent.box.checked })
    .catch((refusal) => { refuse(refusal); draw(); }));
  panel.consent = consent.box;
  panel.members = make("ul", { class: "plain-list" });
  panel.led = make("p", { dir: "auto" });
  panel.unseen = make("p", { class: "far" });
  panel.choice = guide && isHere ? form([{ name: "stop", type: "select", label: t("group.target"), required: true,
    value: group.target ?? "", choices: [["", t("group.target.own")],
      ...panel.stops.map((/** @type {any} */ stop) => /** @type {[string, string]} */ ([stop.id, words(stop.name)]))],
  }], t("group.lead"), ({ stop }) => ask("setGroupTarget", { stop })) : null;
  return [...code(), panel.members, panel.led, panel.choice, consent.label, panel.unseen,
    make("div", { class: "row" }, action(t(guide ? "group.end" : "group.leave"), leave, "quiet-danger"))];
}

/** The code by which others join, for the guide alone. */
function code() {
  const { code, codeEnds } = group;
  if (!self().guide) return [];
  if (!code) return [make("p", { class: "quiet" }, t("group.lapsed"))];
  return [make("p", { class: "row" }, make("span", {}, t("group.code")), make("code", { class: "group-code" }, code),
    action(t("group.copy"), () => copied(code, t("group.copied")))),
    make("p", { class: "quiet" }, t("group.until", { time: moment(Number(codeEnds)) }))];
}

/** @param {boolean} checked */
function switchOf(checked) {
  const box = make("input", { type: "checkbox", name: "sharesPlace", checked });
  return { box, label: make("label", { class: "check" }, box, t("group.share")) };
}

async function leave() {
  if (self().guide && !(await confirmed(t("group.end.ask"), t("group.end")))) return;
  leaving = group.id;
  await ask("leaveGroup");
  forgetGroup();
}

function drawMembers() {
  const { members, target } = group;
  arrange(panel.members, members.map((/** @type {any} */ one, /** @type {number} */ n) =>
    ({ ...one, key: one.account || `${n}` })),
  () => make("li", { class: "person" }, make("strong", { dir: "auto" }), make("span", { class: "quiet" })), line);
  const stop = led(panel.stops);
  write(panel.led, stop && !self().guide ? t("group.led", { name: words(stop.name) }) : "");
  panel.led.hidden = !panel.led.textContent;
  if (panel.choice && !panel.choice.contains(document.activeElement)) panel.choice.elements.stop.value = target ?? "";
  if (document.activeElement !== panel.consent) panel.consent.checked = Boolean(self().sharesPlace);
  write(panel.unseen, self().sharesPlace && setting("privacy.sharePosition") !== "on"
    ? t("group.unseen", { setting: t("setting.privacy.sharePosition") }) : "");
}

/**
 * @param {HTMLElement} element
 * @param {any} member
 */
function line(element, member) {
  const { name, guide, own: isOwn, reached, lat, lon } = member, here = own();
  const there = lat != null && lon != null && !isOwn ? { lat, lon } : null;
  write(element.children[0], isOwn ? t("group.you") : name || t("somebody"));
  write(element.children[1], [guide && t("group.guide"),
    reached != null && panel.tour.id === group.tour && t("run.progress", { reached, stops: panel.stops.length }),
    here && there && t("whereabouts", { distance: metres(distance(here, there)),
      direction: compass(bearing(here, there)) })].filter(Boolean).join(" · "));
}
