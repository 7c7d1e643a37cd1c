// Which sub-realm is shown: the selection, for the pill, the selector and the views.

import { client, isSignedIn, selected, tell } from "../core/app.js";
import { exactness, openAlign } from "../realm/align.js";
import { closeSheet, openSheet } from "../components/sheet.js";
import { action } from "../components/form.js";
import { card } from "../core/refusals.js";
import { go } from "../core/router.js";
import { isListOpen, openList } from "../around/list.js";
import { make } from "../core/page.js";
import { changeWay, way, ways } from "../realm/realm.js";
import { route } from "../core/router.js";
import { askPlace } from "../where/locate.js";
import { t } from "../core/texts.js";
import { save, setting } from "../core/settings.js";
import { local } from "../core/storage.js";

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
 * What is selected, for the pill and for the next load of the page.
 * @param {string} id
 * @param {string} name
 */
function show(id, name) {
  selected.id = id;
  selected.name = name;
  local.set("cairn-play-realm", id ? JSON.stringify({ id, name }) : null);
  tell("realms");
}

/**
 * Follows the name of the selected sub-realm, which its owner may change (SUB-7).
 * @param {any} client
 */
export function followRealms(client) {
  client.on("realmChanged", async (/** @type {any} */ { id }) => {
    if (id !== selected.id) return;
    try {
      const { realms = [] } = await client.request("listRealms");
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

/** Opens the sheet of what is shown: sub-realm, way of seeing, list, sharing. */
export async function openShown() {
  const choices = make("div", { class: "stack", role: "group", "aria-label": t("realm.selected") });
  const option = (/** @type {string} */ id, /** @type {string} */ name) => make("button", {
    type: "button", class: "line", "aria-pressed": String(selected.id === id), "data-realm": id, onclick: async () => {
      try {
        await selectRealm(id, name);
        closeSheet();
      } catch (refusal) {
        choices.append(card(refusal));
      }
    },
  }, make("span", { class: "line-title", dir: "auto" }, name));
  choices.append(option("", t("realm.public")));
  const views = make("div", { class: "row" });
  openSheet(t("shown"), [
    make("div", { class: "row" },
      make("button", { type: "button", id: "open-list", "aria-pressed": String(isListOpen()), onclick: () =>
        openList() }, t("list")), views),
    placeLine(), isSignedIn() && sharing(), make("h3", {}, t("realm.selected")), choices,
    isSignedIn() && make("div", { class: "row" }, make("button",
      { type: "button", onclick: () => { closeSheet(); go("profile", "realms"); } }, t("profile.realms"))),
  ].filter(Boolean), { kind: "shown" });
  if (route().place === "realm") {
    const names = await ways();
    for (const one of names) {
      views.append(action(t(`way.${one}`), async () => {
        closeSheet();
        await changeWay(one);
      }, way() === one ? "accent" : ""));
    }
  }
  if (!isSignedIn()) return;
  try {
    const { realms = [] } = await client.request("listRealms");
    for (const realm of realms) {
      if (realm.standing === "owner" || realm.standing === "member") choices.append(option(realm.id, realm.name));
    }
  } catch (refusal) {
    choices.append(card(refusal));
  }
}

/** Where one is and looks to, with how exact that is, and how to change it. */
function placeLine() {
  return make("div", { class: "row" }, make("span", { class: "quiet" }, exactness()),
    make("button", { type: "button", onclick: askPlace }, t("where.change")),
    way() !== "view" && make("button", { type: "button", onclick: openAlign }, t("align")));
}

/** A switch for sharing one's position, which is a setting of all devices. */
function sharing() {
  const box = make("input", { type: "checkbox", id: "sharing", checked: setting("privacy.sharePosition") === "on",
    onchange: () => save("privacy.sharePosition", box.checked ? "on" : "off") });
  return make("label", { class: "check", for: "sharing" }, box, t("setting.privacy.sharePosition"));
}
