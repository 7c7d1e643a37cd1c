// The person's own purchases (TRT-5).

import { arriving } from "../components/form.js";
import { make } from "../core/page.js";
import { moment, t } from "../core/texts.js";
import { money } from "./content.js";
import { purchases } from "./buying.js";

/** The own purchases, the newest first. */
export function purchasesPage() {
  return arriving(async () => {
    const all = await purchases();
    if (all.length === 0) return make("p", { class: "quiet" }, t("purchases.none"));
    return make("ul", { class: "plain-list cards" }, ...all.map((one) => make("li", {},
      make("a", { class: "line", href: `#/tours/${one.tour}` },
        make("span", { class: "line-title", dir: "auto" }, one.name),
        make("span", { class: "quiet" }, [money(one.price, one.currency), moment(Number(one.bought))].join(" · "))))));
  });
}
