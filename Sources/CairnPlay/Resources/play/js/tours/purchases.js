// The person's own purchases (TRT-5).

import { moment, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { line, list } from "../components/list.js";
import { purchases } from "./bought.js";
import { money } from "./figures.js";

/** The own purchases, the newest first. */
export function purchasesPage() {
  return arriving(async () => {
    const all = await purchases();
    return list(all.map((one) => line({ title: one.name, href: `#/tours/${one.tour}`,
      note: [money(one.price, one.currency), moment(Number(one.bought))].join(" · ") })), t("purchases.none"));
  });
}
