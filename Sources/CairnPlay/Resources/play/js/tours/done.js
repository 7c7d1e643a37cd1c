// What a walk came to, when its last stop is reached, and what to do next (TRT-10).

import { client } from "../core/app.js";
import { icon, make } from "../core/page.js";
import { own } from "../core/place.js";
import { metres, number, span, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { card, section } from "../components/card.js";
import { list } from "../components/list.js";
import { copied } from "../components/message.js";
import { tourCard } from "./card.js";
import { nextTours, pace } from "./ending.js";
import { history } from "./history.js";
import { run } from "./run.js";
import { lastWalk } from "./walk.js";

/** The summary of the walk that has ended last. */
export function donePage() {
  return arriving(async () => {
    const walk = await lastWalk(client);
    if (!walk) return card(make("p", {}, t("run.none")));
    return make("div", { class: "stack" }, card(
      make("p", { class: "run-state", role: "status" }, t("run.done")),
      make("h2", { dir: "auto" }, walk.name || t("run.title")), totals(walk),
      make("p", { class: "quiet" }, t(run?.tour === walk.tour ? "run.over.group" : "run.over"))),
    walk.last && history(walk.last, walk.tour), next(walk));
  });
}

/** @param {import("./ending.js").Walk} walk */
function totals(walk) {
  const speed = pace(walk);
  const rows = /** @type {[string, string][]} */ ([
    [t("done.time"), span(walk.milliseconds)], [t("done.way"), metres(walk.metres)],
    [t("tours.stops"), t("run.progress", { reached: walk.reached, stops: walk.stops })],
    ...(speed ? [[t("done.pace"), t("done.speed", { n: number(speed, 1) })]] : []),
  ]);
  return make("dl", { class: "totals" }, ...rows.map(([name, value]) =>
    make("div", {}, make("dt", { class: "quiet" }, name), make("dd", {}, value))));
}

/** @param {import("./ending.js").Walk} walk */
function next({ tour, code }) {
  const others = make("div", { class: "stack" });
  const here = own();
  client.request("listTours", here ? { near: { lat: here.lat, lon: here.lon } } : {})
    .then((/** @type {any} */ { tours = [] }) => {
      const found = nextTours(tours, tour);
      if (found.length > 0) others.append(make("h4", {}, t("done.others")), list(found.map((one) => tourCard(one))));
    }, () => {});
  return section(t("done.next"), make("div", { class: "row" },
    make("a", { class: "button accent", href: "#/map" }, icon("locate"), t("done.map")),
    make("a", { class: "button", href: "#/tours" }, t("done.list")),
    code && action(t("tours.link"), () => copied(`${location.origin}/play#/tours/code/${code}`, t("tours.copied")))),
  others);
}
