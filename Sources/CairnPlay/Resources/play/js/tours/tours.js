// Tours: the list, a tour by the code of its link, one's own organisation's, and where each leads (TRT-2, TRT-3).

import { arriving, form, section } from "../components/form.js";
import { client, isExpected, isSignedIn, on } from "../core/app.js";
import { at, icon, make } from "../core/page.js";
import { figures, words } from "./content.js";
import { go, goIfStayed, goInstead, route } from "../core/router.js";
import { own } from "../core/place.js";
import { card } from "../core/refusals.js";
import { previewPage } from "./preview.js";
import { editPage, newTourForm } from "./edit.js";
import { runPage } from "./run.js";
import { language, t } from "../core/texts.js";

/** Shows what the address names: the list, a preview, the run, or the editor. */
export function showTours() {
  const [name = "", id = ""] = route().rest;
  const page = at("page");
  const body = make("div", { class: "page-body" });
  if (name) body.append(make("a", { class: "back", href: "#/tours" }, icon("back"), t("back")));
  if (isExpected()) body.append(make("div", { class: "card" }, make("p", {}, t("signedIn.expected"))));
  else if (!isSignedIn()) {
    body.append(make("div", { class: "card" }, make("p", {}, t("signIn.first")),
      make("p", { class: "row" },
      make("a", { class: "button accent", href: "#/profile/signin" }, t("signIn")),
      make("a", { class: "button", href: "#/profile/signup" }, t("signUp")))));
  } else if (name === "run") body.append(runPage());
  else if (name === "edit" && id) body.append(editPage(id));
  else if (name === "code" && id) body.append(byCode(id));
  else if (name) body.append(previewPage(name));
  else body.append(make("h2", {}, t("place.tours")), list());
  page.replaceChildren(body);
  page.scrollTop = 0;
}

/** Shows the place anew where who is signed in, or the language, has changed. */
export function followTours() {
  const seen = () => (client.welcome ? `${client.welcome.account} ${client.welcome.role} ${language}`
    : `${isExpected()} ${language}`);
  let before = seen();
  on("welcomed language standing", () => {
    const now = seen();
    if (now === before) return;
    before = now;
    if (route().place === "tours" && !at("page").querySelector("form :focus")) showTours();
  });
}

/** @param {string} code */
function byCode(code) {
  return arriving(async () => {
    // The way back does not lead to the code, which would lead here again.
    const go = goIfStayed(goInstead);
    const { tours = [] } = await client.request("findTour", { code });
    if (tours[0]) go("tours", tours[0].id);
    return make("p", { class: "quiet" }, t("tours.none"));
  });
}

function list() {
  const role = client.welcome?.role;
  const found = make("div", { class: "stack" });
  const tabs = make("div", { class: "tabs", role: "group", "aria-label": t("list.show") });
  const names = [...(own() ? ["near"] : []), "all", ...(role === "organisation" ? ["own"] : [])];
  const choose = (/** @type {string} */ one) => {
    for (const button of tabs.children) button.setAttribute("aria-pressed", String(button.dataset.tab === one));
    found.replaceChildren(pages(one));
  };
  for (const one of names) tabs.append(make("button", { type: "button", "data-tab": one, onclick: () => choose(one) },
    t(`tours.${one}`)));
  choose(names[0]);
  return make("div", { class: "stack" }, goingOn(), tabs, found,
    role === "organisation" && section(t("tour.new"), newTourForm()),
    section(t("tours.code"), form([{ name: "code", label: t("tours.code"), required: true, most: 8 }], t("find"),
      async ({ code }) => go("tours", "code", code.trim()))));
}

/** A way back into the run that is under way, if there is one. */
function goingOn() {
  const box = make("div");
  client.request("getRun").then(() => box.append(make("a", { class: "button accent wide", href: "#/tours/run" },
    t("tours.continue"))), () => {});
  return box;
}

/** @param {string} which */
function pages(which) {
  const items = make("ul", { class: "plain-list cards" });
  const more = make("button", { type: "button", hidden: true, onclick: () => load() }, t("more"));
  let cursor = "";
  const load = async () => {
    try {
      const here = own();
      const page = which === "own" ? await client.request("listOwnTours", { cursor })
        : await client.request("listTours", { cursor, ...(which === "near" && here
          ? { near: { lat: here.lat, lon: here.lon } } : {}) });
      for (const tour of page.tours ?? []) items.append(line(tour, which === "own"));
      cursor = page.next ?? "";
      more.hidden = !cursor;
      if (items.children.length === 0) items.append(make("li", { class: "quiet" }, t("tours.none")));
    } catch (refusal) {
      items.replaceChildren(make("li", {}, card(refusal)));
    }
  };
  load();
  return make("div", { class: "stack" }, items, more);
}

/**
 * @param {any} tour
 * @param {boolean} isOwn
 */
function line(tour, isOwn) {
  return make("li", {}, make("a", { class: "line", href: isOwn ? `#/tours/edit/${tour.id}` : `#/tours/${tour.id}`,
    "data-tour": tour.id },
    make("span", { class: "line-title", dir: "auto" }, words(tour.name) || tour.code),
    make("span", { class: "quiet" }, [isOwn ? t(`tour.state.${tour.state || "draft"}`)
      : t("tours.by", { name: tour.organisationName ?? "" }), figures(tour)].join(" · "))));
}
