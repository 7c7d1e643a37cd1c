// The menu, and the pill with sub-realm and connection.

import { client, isSignedIn, on, selected, unread } from "../core/app.js";
import { given, table } from "../core/extensions.js";
import { at, fill, icon, make, toHeading, write } from "../core/page.js";
import { entitle, route } from "../core/router.js";
import { t } from "../core/texts.js";
import { opener } from "../components/later.js";
import { places } from "./places.js";

/** Opens the sheet behind the pill. */
export const openShown = opener(async () => (await import("./shown.js")).openShown);

/** Builds menu and pill. */
export function startMenu() {
  at("pill").addEventListener("click", () => openShown());
  at("skip").addEventListener("click", skip);
  on("language unread welcomed", build);
  on("route", mark);
  on("realms welcomed state language", pill);
  build();
}

function build() {
  const menu = at("menu");
  menu.setAttribute("aria-label", t("menu"));
  at("toasts").setAttribute("aria-label", t("messages"));
  const links = places().map(({ name, icon: drawing }) => make("a", { href: `#/${name}`, "data-place": name },
    icon(drawing), make("span", {}, t(`place.${name}`)),
    name === "profile" && unread.count > 0
      && make("span", { class: "badge" }, String(Math.min(99, unread.count)),
        make("span", { class: "unseen" }, ` ${t("notifications.unread")}`))));
  const buttons = given("button").map(({ name, icon: drawing, run }) => make("button",
    { type: "button", id: name, onclick: () => run() }, icon(drawing), make("span", { class: "unseen" }, t(name))));
  const half = Math.ceil(links.length / 2);
  fill(menu, ...links.slice(0, half), ...buttons, ...links.slice(half));
  mark();
  pill();
}

/** Whether what is shown is a picture, of which the list says the same. */
function isPicture() {
  return places().some(({ name, isOnStage }) => isOnStage && name === route().place);
}

/** @param {Event} event the skip link: past the menu, and past a picture to its list */
function skip(event) {
  event.preventDefault();
  if (isPicture()) table("keys").l();
  else toHeading();
}

function mark() {
  const { place } = route();
  write(at("skip"), t(isPicture() ? "skip.list" : "skip"));
  for (const link of document.querySelectorAll("#menu a")) {
    if (/** @type {HTMLElement} */ (link).dataset.place === place) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.body.dataset.place = place;
  write(at("heading"), t(`place.${place}`));
  entitle();
}

/** How many changes of the person wait for the server. */
function changes() {
  if (!client) return 0;
  const { core: { ledger }, queue } = client;
  return [...ledger.entries.values()].filter(({ key }) => key !== "").length + queue.edits.size;
}

/** The pill: which sub-realm is shown, and how the connection stands. */
function pill() {
  const state = client?.state ?? "offline";
  const element = at("pill");
  const name = selected.id ? selected.name || t("realm.some") : t("realm.public");
  element.dataset.state = state;
  fill(element, make("span", { class: "dot", "aria-hidden": "true" }),
    make("span", { class: "unseen" }, `${t("shown")}: `),
    make("bdi", { class: "pill-name" }, isSignedIn() || state !== "live" ? name : t("guest")),
    make("span", { class: state === "live" ? "unseen" : "quiet" },
      [t(`state.${state}`), state !== "live" && changes() > 0 && t("state.waiting", { n: changes() })].filter(Boolean)
        .join(" · ")));
  element.title = `${t("realm.selected")}: ${name}. ${t(`state.${state}`)}`;
}
