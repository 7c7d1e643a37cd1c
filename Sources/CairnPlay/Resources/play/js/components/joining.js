// What stands where something needs an account: how to sign in, and how to make one.

import { make } from "../core/page.js";
import { t } from "../core/texts.js";

/** Both ways in, as links. */
export function joining() {
  return make("div", { class: "row" }, make("a", { class: "button accent", href: "#/profile/signin" }, t("signIn")),
    make("a", { class: "button", href: "#/profile/signup" }, t("signUp")));
}
