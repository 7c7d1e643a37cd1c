// The details of a stop of the tour that is walked, or of a member of the own group.

import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { title, whereabouts } from "../core/view.js";
import { openSheet } from "../components/sheet.js";
import { words } from "./content.js";
import { run } from "./run.js";

/**
 * Shows what it is.
 * @param {import("../core/view.js").Item} item
 */
export function openCompany(item) {
  const { kind, instance } = item;
  openSheet(title(item), [make("p", { class: "quiet" }, [t(kind), instance.isTarget && t("stop.next"),
    instance.isGuide && t("group.guide"), whereabouts(item)].filter(Boolean).join(" · ")),
  kind === "stop" && make("p", { dir: "auto" }, words(instance.alternative)),
  run && make("a", { class: "button", href: "#/tours/run" }, t("run.title"))], { kind: "company" });
}
