// Refusals in plain words: what the server said, and what mends it.

import { table } from "./extensions.js";
import { has, span, t } from "./texts.js";

/**
 * The words of a refusal and its remedy. The server's sentence is in the person's language already.
 * `about` is what the caller has put into a refusal whose remedy depends on what was asked for.
 * @param {any} refusal
 */
export function words(refusal) {
  // Guests share budgets: what is used up comes back by itself, and nobody has done anything wrong.
  if (isCrowd(refusal)) return { text: t("guests.wait"), remedy: "" };
  const code = typeof refusal?.code === "string" ? refusal.code : "internal";
  const own = [`client.${code}`, `refusal.${code}`].find(has);
  // What is no refusal, the browser says in words for developers.
  const text = own ? t(own) : typeof refusal?.code === "string" && refusal.message || t("refusal.other");
  const remedies = [];
  const named = [`remedy.${refusal?.about}.${code}`, `remedy.${code}`].find(has);
  if (named) remedies.push(t(named, refusal.details ?? {}));
  const { limit, count, missing, charactersMin: least = 12 } = refusal?.details ?? {};
  if (code === "weak_password" && missing) {
    const lacks = missing.split(/[ ,]+/).map((/** @type {string} */ one) => t(`password.${one}`, { least }));
    remedies.push(`${lacks.join(", ")}.`);
  }
  if (limit && count) remedies.push(t("refusal.count", { count, limit }));
  if (refusal?.retryAfter) remedies.push(t("refusal.wait", { time: span(refusal.retryAfter) }));
  return { text, remedy: remedies.join(" ") };
}

/**
 * Whether so many guests look around that this one waits.
 * @param {any} refusal
 */
export function isCrowd(refusal) {
  return refusal?.component === "guests" && refusal.code !== "not_signed_in";
}

/**
 * Where a refusal's remedy is; undefined where it has none.
 * @param {any} refusal
 * @returns {{href: string, text: string} | undefined}
 */
export function wayOut(refusal) {
  const [href, text] = table("remedies")[refusal?.code] ?? [];
  return href && text ? { href, text: t(text) } : undefined;
}
