// Refusals in plain words: what the server said, and what mends it.

import { make } from "./page.js";
import { has, span, t } from "./texts.js";

/**
 * The words of a refusal and its remedy. The server's sentence is in the person's language already.
 * `about` is what the caller has put into a refusal whose remedy depends on what was asked for.
 * @param {any} refusal
 */
export function words(refusal) {
  const code = typeof refusal?.code === "string" ? refusal.code : "internal";
  const own = [`client.${code}`, `refusal.${code}`].find(has);
  // What is no refusal, the browser says in words for developers.
  const text = own ? t(own) : typeof refusal?.code === "string" && refusal.message || t("refusal.other");
  const remedies = [];
  const named = [`remedy.${refusal?.about}.${code}`, `remedy.${code}`].find(has);
  if (named) remedies.push(t(named, refusal.details ?? {}));
  const { limit, count, missing } = refusal?.details ?? {};
  if (code === "weak_password" && missing) {
    remedies.push(missing.split(/[ ,]+/).map((/** @type {string} */ one) => t(`password.${one}`)).join(", ") + ".");
  }
  if (limit && count) remedies.push(t("refusal.count", { count, limit }));
  if (refusal?.retryAfter) remedies.push(t("refusal.wait", { time: span(refusal.retryAfter) }));
  return { text, remedy: remedies.join(" ") };
}

/**
 * Where a refusal's remedy is: address and text of the link.
 * @type {Record<string, [string, string]>}
 */
const WAYS = { tour_in_progress: ["#/tours/run", "tours.continue"], not_signed_in: ["#/profile/signin", "signIn"] };

/**
 * A refusal as a part of the page, for forms and sheets.
 * @param {any} refusal
 */
export function card(refusal) {
  const { text, remedy } = words(refusal);
  const [href, name] = WAYS[refusal?.code] ?? [];
  return make("div", { class: "refusal", role: "alert", "data-code": refusal?.code ?? "internal" },
    make("strong", {}, text), remedy && make("p", {}, remedy),
    href && make("p", {}, make("a", { href }, t(name))));
}
