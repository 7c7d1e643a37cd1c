// The fields of what a tour says of itself (TRM-2).

import { limits } from "../core/app.js";
import { t } from "../core/texts.js";
import { money } from "./figures.js";

/**
 * @param {import("./values.js").FactsValue} value
 * @returns {import("../components/form.js").Field[]}
 */
export function factFields(value) {
  const most = limits().tourPrice ?? 999;
  return [
    { name: "name", label: t("tour.name"), required: true, value: value.name, most: limits().tourName ?? 100 },
    { name: "description", label: t("tour.description"), type: "area", required: true, value: value.description },
    { name: "pictureAlternative", label: t("tour.picture.alternative"), value: value.pictureAlternative },
    { name: "price", label: t("tour.price"), value: value.price, complete: "off",
      hint: t("tour.price.about", { most: money(most), example: money(Math.min(most, 450)) }) },
    { name: "minutes", label: t("tour.minutes"), type: "number", isWhole: true, value: value.minutes,
      hint: t("tour.minutes.about") },
    { name: "links", label: t("tour.linkList"), type: "area", value: value.links },
  ];
}
