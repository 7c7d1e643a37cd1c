// What a run adds to what is around: the stops of its tour, which of them comes next, and those of the own group who
// show where they are (TRT-8, TRM-11).

import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { itemAt, title, whereabouts } from "../core/view.js";
import { openSheet } from "../components/sheet.js";
import { words } from "./content.js";
import { fellows } from "./group.js";
import { run, stops } from "./run.js";

/** @typedef {import("../core/view.js").Item} Item */

/** The stops of the tour that is walked, in their order. */
export function stopsAround() {
  return stops().map((stop, n) => itemAt("stop", `stop:${stop.id}`,
    { ...stop, name: `${n + 1}. ${words(stop.name)}` }, stop.pose?.geopose?.position ?? {}));
}

/** Those of the own group whose place is known. */
function fellowsAround() {
  return fellows().map((one) => itemAt("fellow", `fellow:${one.id}`, one, one));
}

/** All of them. */
export function company() {
  return [...stopsAround(), ...fellowsAround()];
}

/**
 * Shows what a stop or a member of the group is.
 * @param {Item} item
 */
export function openCompany(item) {
  const { kind, instance } = item;
  openSheet(title(item), [make("p", { class: "quiet" }, [t(kind), instance.isTarget && t("stop.next"),
    instance.isGuide && t("group.guide"), whereabouts(item)].filter(Boolean).join(" · ")),
  kind === "stop" && make("p", { dir: "auto" }, words(instance.alternative)),
  run && make("a", { class: "button", href: "#/tours/run" }, t("run.title"))], { kind: "company" });
}
