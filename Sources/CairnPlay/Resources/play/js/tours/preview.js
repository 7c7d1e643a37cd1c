// A tour before it is walked, on the page and on the map: everything of it, or the preview of one that is to be bought.
// Looking changes nothing (TRT-4).

import { client, isSignedIn } from "../core/app.js";
import { glyph } from "../core/glyphs.js";
import { make } from "../core/page.js";
import { go, goIfStayed, route } from "../core/router.js";
import { t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { card, paragraphs, section } from "../components/card.js";
import { entering } from "../components/entering.js";
import { list } from "../components/list.js";
import { copied } from "../components/message.js";
import { buyingForm, isForSale } from "./buying.js";
import { readTour, words } from "./content.js";
import { figures } from "./figures.js";
import { groupPanel } from "./grouppanel.js";
import { outlined } from "./outline.js";
import { picture } from "./picture.js";
import { sketch } from "./sketch.js";

/**
 * The preview of a tour.
 * @param {string} id
 */
export function previewPage(id) {
  const goOn = goIfStayed();
  return arriving(() => orNone(async () => {
    const { tour, content, preview } = await readTour(id);
    const { facts, stops } = content;
    const start = async () => {
      await client.request("startTour", { tour: id });
      goOn("tours", "run");
    };
    const isGuest = !isSignedIn(), isWalker = isGuest || client.welcome?.role === "general";
    const mustBuy = isWalker && !isGuest && await isForSale(tour);
    const ways = make("div");
    // What a guest begins goes on when the tour is shown to them as a person.
    const ask = async () => ways.replaceChildren(entering({ why: t("tour.guest"), isFocused: true,
      begun: { name: "tour", data: id }, then: () => goOnWalking(id) }));
    const link = `${location.origin}/play#/tours/code/${tour.code}`;
    return make("div", { class: "stack" },
      card(make("h2", { dir: "auto" }, words(tour.name)),
        make("p", { class: "quiet" }, [t("tours.by", { name: tour.organisationName ?? "" }),
          figures(tour, stops.length)].join(" · ")),
        tour.picture && picture(tour), outlined(content, { kind: "tour-map wide" }),
        ...paragraphs(words(facts.description)),
        preview && make("p", { class: "withheld" }, t("tours.withheld", { stories: preview.stories ?? 0,
          popups: preview.popups ?? 0, recordings: preview.recordings ?? 0 })),
        make("div", { class: "row" },
          isWalker ? !mustBuy && action(t("tours.start"), isGuest ? ask : start, "accent")
            : make("span", { class: "quiet" }, t("tours.general")),
          action(t("tours.onMap"), async () => {
            go("map");
            await sketch(content, { fit: true, lasts: () => route().place === "map" });
          }),
          action(t("tours.link"), () => copied(link, t("tours.copied")))), ways),
      mustBuy && section(t("buy.title"), await buyingForm(tour, start)),
      section(t("tours.stops"), list(stops.map((/** @type {any} */ stop, /** @type {number} */ n) =>
        make("li", { class: "row" }, glyph(stop.object), make("span", { dir: "auto" }, `${n + 1}. ${words(stop.name)}`),
          make("span", { class: "quiet", dir: "auto" }, words(stop.alternative)))), "", { isOrdered: true })),
      client.welcome?.role === "organisation" && client.welcome.organisation?.id === tour.organisation
        && groupPanel(tour, stops, { walks: false }),
      tour.code && section(t("tours.qr"), ...qrCode(tour)),
      (facts.links ?? []).length > 0 && section(t("tours.links"),
        list(facts.links.filter((/** @type {string} */ one) => /^https?:\/\//.test(one))
          .map((/** @type {string} */ one) => make("a", { href: one, rel: "noreferrer noopener", target: "_blank" }, one)))));
  }));
}

/** What stands where a link leads to no tour any more. */
export function none() {
  return card(make("p", {}, t("tours.code.none")),
    make("p", {}, make("a", { class: "button accent", href: "#/tours" }, t("done.list"))));
}

/**
 * What was asked for of a tour, or that there is none.
 * @param {() => Promise<Node>} ask
 */
export async function orNone(ask) {
  try {
    return await ask();
  } catch (refusal) {
    if (/** @type {any} */ (refusal).code !== "not_found") throw refusal;
    return none();
  }
}

/**
 * Goes on with the tour that a guest has begun: it is walked, or its price is shown.
 * @param {string} id
 */
export async function goOnWalking(id) {
  const go = goIfStayed();
  const { tour } = await readTour(id);
  if (await isForSale(tour)) {
    go("tours", id);
    return;
  }
  await client.request("startTour", { tour: id });
  go("tours", "run");
}

/**
 * The tour's link as a code for the place where it begins (TRT-3).
 * @param {any} tour
 */
function qrCode(tour) {
  const source = `/j/${encodeURIComponent(tour.code)}.svg`;
  return [make("img", { class: "qr", src: source, alt: t("tours.qr.alt", { name: words(tour.name) }) }),
    make("a", { class: "button", href: source, download: `${tour.code}.svg` }, t("tours.qr.download"))];
}
