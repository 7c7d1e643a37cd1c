// Messages: a short one over the page, one beside what was refused, and one for screen readers alone.

import { at, icon, make, write } from "../core/page.js";
import { isCrowd, wayOut, words } from "../core/refusals.js";
import { t } from "../core/texts.js";

/** Most short messages at a time: an older one goes. */
const TOASTS_MAX = 3;

/**
 * Shows a short message, and has a screen reader read it. It stays for as long as it is pointed at or has the focus.
 * @param {string} text
 * @param {{kind?: string, action?: {text: string, run: () => void}, seconds?: number}} options
 */
export function toast(text, { kind = "", action, seconds = 6 } = {}) {
  const element = make("div", { class: `toast ${kind}`, role: kind === "bad" ? "alert" : "status" },
    make("span", {}, text),
    action && make("button", { type: "button", class: "plain", onclick: () => { element.remove(); action.run(); } },
      action.text),
    make("button", { type: "button", class: "round plain", "aria-label": t("close"), onclick: () => element.remove() },
      icon("close")));
  const toasts = at("toasts");
  while (toasts.children.length >= TOASTS_MAX) toasts.firstElementChild.remove();
  toasts.append(element);
  const end = () => {
    if (element.matches(":hover, :focus-within")) setTimeout(end, 1000);
    else element.remove();
  };
  setTimeout(end, seconds * 1000);
  return element;
}

/**
 * Copies a text and says so. Where the browser does not allow that, the text is shown, to be copied by hand.
 * @param {string} text
 * @param {string} done
 */
export async function copied(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(t("copy.refused", { text }), { seconds: 30 });
  }
}

/**
 * Shows a refusal with its remedy as a short message.
 * @param {any} refusal
 * @param {{text: string, run: () => void}} [wayOn] what may mend it
 */
export function refuse(refusal, wayOn) {
  const { text, remedy } = words(refusal), out = refusal?.code === "not_signed_in" && wayOut(refusal);
  if (isCrowd(refusal)) {
    // Each position may be put off: it is said once.
    if (![...at("toasts").children].some((one) => one.firstElementChild?.textContent === text)) toast(text);
    return;
  }
  const action = out ? { text: out.text, run: () => { location.hash = out.href; } } : wayOn;
  toast([text, remedy].filter(Boolean).join(" "), { kind: "bad", action, seconds: wayOn ? 30 : 10 });
}

/**
 * A refusal with its remedy as a part of the page, for forms and sheets.
 * @param {any} refusal
 */
export function refused(refusal) {
  const { text, remedy } = words(refusal), out = wayOut(refusal);
  if (isCrowd(refusal)) return make("p", { class: "quiet", role: "status" }, text);
  return make("div", { class: "refusal", role: "alert", "data-code": refusal?.code ?? "internal" },
    make("strong", {}, text), remedy && make("p", {}, remedy),
    out && make("p", {}, make("a", { href: out.href }, out.text)));
}

/**
 * Has a screen reader read a text.
 * @param {string} text
 */
export function say(text) {
  write(at("said"), text);
}
