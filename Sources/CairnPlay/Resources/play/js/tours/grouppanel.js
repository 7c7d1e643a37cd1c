// The part of a page that opens, joins and shows a group.

import { client, on } from "../core/app.js";
import { bearing, compass, distance } from "../core/geo.js";
import { arrange, fill, make, write } from "../core/page.js";
import { own } from "../core/place.js";
import { setting } from "../core/settings.js";
import { metres, moment, t } from "../core/texts.js";
import { act, action } from "../components/button.js";
import { section } from "../components/card.js";
import { confirmed } from "../components/dialog.js";
import { check, form } from "../components/form.js";
import { entry, list } from "../components/list.js";
import { copied } from "../components/message.js";
import { words } from "./content.js";
import { group, leaveGroup, led, self, take } from "./group.js";

/**
 * The part of the page that shows the group: its body, the stops of the tour, and the tour itself.
 * @type {any}
 */
let panel = null;

/**
 * Asks something of the own group; a refusal gets the remedies of groups.
 * @param {any} kind
 * @param {object} [body]
 */
function ask(kind, body = {}) {
  return asking(async () => {
    let result = await client.request(kind, body);
    // A retry of a large group is answered without its members.
    if (result?.id && !result.members?.length) result = await client.request("getGroup");
    if (result?.id) take(result);
  }, kind !== "shareGroupPlace" && kind !== "setGroupTarget");
}

/**
 * @param {() => Promise<void>} run
 * @param {boolean} hasFocus whether the group has the focus after it
 */
async function asking(run, hasFocus = true) {
  try {
    await run();
    if (hasFocus) panel?.body.focus();
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
  if (!panel) on("group place settings", draw);
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
    make("p", { class: "quiet" }, t("group.about")), consent.element,
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
  const answer = make("div");
  consent.box.addEventListener("change", async () => {
    const sharesPlace = consent.box.checked;
    await act(consent.box, () => ask("shareGroupPlace", { sharesPlace }), { place: answer });
    if (group) consent.box.checked = Boolean(self().sharesPlace);
  });
  panel.consent = consent.box;
  panel.members = list([]);
  panel.led = make("p", { dir: "auto" });
  panel.unseen = make("p", { class: "far" });
  panel.choice = guide && isHere ? form([{ name: "stop", type: "select", label: t("group.target"), required: true,
    value: group.target ?? "", choices: [["", t("group.target.own")],
      ...panel.stops.map((/** @type {any} */ stop) => /** @type {[string, string]} */ ([stop.id, words(stop.name)]))],
  }], t("group.lead"), async ({ stop }) => {
    await ask("setGroupTarget", { stop });
    return leads(stop);
  }) : null;
  return [...code(), panel.members, panel.led, panel.choice, consent.element, answer, panel.unseen,
    make("div", { class: "row" }, action(t(guide ? "group.end" : "group.leave"), leave, "quiet-danger"))];
}

/**
 * Where the guide leads, in words.
 * @param {string} id of a stop; empty = nowhere
 */
function leads(id) {
  const stop = panel.stops.find((/** @type {any} */ one) => one.id === id);
  return stop ? t("group.led", { name: words(stop.name) }) : t("group.target.own");
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
  return check(t("group.share"), { name: "sharesPlace", checked });
}

async function leave() {
  if (self().guide && !(await confirmed(t("group.end.ask"), t("group.end")))) return;
  await asking(leaveGroup);
}

function drawMembers() {
  const { members, target } = group;
  arrange(panel.members, members.map((/** @type {any} */ one, /** @type {number} */ n) =>
    ({ ...one, key: one.account || `${n}` })),
  () => entry({ title: "", note: "" }), fillLine);
  const stop = led(panel.stops);
  write(panel.led, stop && !self().guide ? t("group.led", { name: words(stop.name) }) : "");
  panel.led.hidden = !panel.led.textContent;
  // A stop that is chosen and not sent stays.
  const isTouched = panel.choice?.contains(document.activeElement) || panel.choice?.hasAttribute("data-typed");
  if (panel.choice && !isTouched) panel.choice.elements.stop.value = target ?? "";
  if (document.activeElement !== panel.consent) panel.consent.checked = Boolean(self().sharesPlace);
  write(panel.unseen, self().sharesPlace && setting("privacy.sharePosition") !== "on"
    ? t("group.unseen", { setting: t("setting.privacy.sharePosition") }) : "");
}

/**
 * @param {HTMLElement} element
 * @param {any} member
 */
function fillLine(element, member) {
  const { name, guide, own: isOwn, reached, lat, lon } = member, here = own();
  const there = lat != null && lon != null && !isOwn ? { lat, lon } : null;
  const [title, note] = /** @type {any} */ (element.firstElementChild).children;
  write(title, isOwn ? t("group.you") : name || t("somebody"));
  write(note, [guide && t("group.guide"),
    reached != null && panel.tour.id === group.tour && t("run.progress", { reached, stops: panel.stops.length }),
    here && there && t("whereabouts", { distance: metres(distance(here, there)),
      direction: compass(bearing(here, there)) })].filter(Boolean).join(" · "));
}
