// Tours: the list, a tour by the code of its link, one's own organisation's, and where each leads (TRT-2, TRT-3).

import { client, isExpected, isSignedIn, limits } from "../core/app.js";
import { icon, make } from "../core/page.js";
import { eye } from "../core/place.js";
import { go, goIfStayed, goInstead, route } from "../core/router.js";
import { t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { card, section } from "../components/card.js";
import { form } from "../components/form.js";
import { entering, followEntering } from "../components/entering.js";
import { pages, tabs } from "../components/list.js";
import { showPage } from "../components/showpage.js";
import { tourCard } from "./card.js";
import { donePage } from "./done.js";
import { editPage } from "./edit.js";
import { none, orNone, previewPage } from "./preview.js";
import { runPage } from "./runpage.js";

/** Shows what the address names: the list, a preview, the run, or the editor. */
export function showTours() {
  const [name = "", id = ""] = route().rest;
  const body = make("div", { class: "page-body" });
  if (name) body.append(make("a", { class: "back", href: "#/tours" }, icon("back"), t("back")));
  if (isExpected()) body.append(card(make("p", {}, t("signedIn.expected"))));
  else if (!isSignedIn() && (!limits().guestsLook || name === "run" || name === "edit")) {
    body.append(card(entering(name ? { why: t("tour.guest") } : {})));
  } else if (name === "run") body.append(runPage());
  else if (name === "done") body.append(donePage());
  else if (name === "edit" && id) body.append(editPage(id));
  else if (name === "code" && id) body.append(byCode(id));
  else if (name) body.append(previewPage(name));
  else body.append(make("h2", {}, t("place.tours")), overview());
  showPage(body);
}

/** Shows the place anew where who is signed in, or the language, has changed. */
export function followTours() {
  followEntering("tours", showTours);
}

/** @param {string} code */
function byCode(code) {
  return arriving(async () => {
    // The way back does not lead to the code, which would lead here again.
    const go = goIfStayed(goInstead);
    return orNone(async () => {
      const { tours: [tour] = [] } = await client.request("findTour", { code });
      if (tour) go("tours", tour.id);
      return none();
    });
  });
}

function overview() {
  const role = client.welcome?.role;
  const found = make("div", { class: "stack" });
  const names = [...(eye() ? ["near"] : []), "all", ...(role === "organisation" ? ["own"] : [])];
  const chosen = tabs(t("list.show"), names.map((one) => /** @type {[string, string]} */ ([one, t(`tours.${one}`)])),
    (one) => found.replaceChildren(toursOf(one)));
  chosen.start();
  return make("div", { class: "stack" },
    role === "organisation" && make("a", { class: "button accent wide", href: "#/tours/edit/new" }, icon("plus"),
      t("tour.new")),
    chosen.element, found,
    section(t("tours.code"), form([{ name: "code", label: t("tours.code"), required: true, most: 8 }], t("find"),
      async ({ code }) => go("tours", "code", code.trim()))));
}

/**
 * The tours of a tab.
 * @param {string} which
 */
function toursOf(which) {
  return pages(async (cursor) => {
    const here = eye();
    const page = which === "own" ? await client.request("listOwnTours", { cursor })
      : await client.request("listTours", { cursor, ...(which === "near" && here
        ? { near: { lat: here.lat, lon: here.lon } } : {}) });
    return { items: page.tours ?? [], next: page.next };
  }, (tour) => tourCard(tour, { isOwn: which === "own" }), t("tours.none")).element;
}
