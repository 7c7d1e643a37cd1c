// Signing up, in, and recovering: by password, by name where the server is open, with a one-time code where asked for.

import { client, limits } from "../core/app.js";
import { opensByName } from "../core/entry.js";
import { make } from "../core/page.js";
import { signingIn } from "../core/place.js";
import { t } from "../core/texts.js";
import { card } from "../components/card.js";
import { byName } from "../components/entering.js";
import { form, labelled } from "../components/form.js";
import { arrival } from "./arrival.js";
import { byProvider } from "./provider.js";

/** What this device is called in the list of devices. */
function deviceName() {
  const agent = navigator.userAgent;
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"].find((one) => agent.includes(one)) ?? "";
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((one) => agent.includes(one)) ?? "Browser";
  return `${browser === "Edg" ? "Edge" : browser} ${system}`.trim();
}

/** Signing in. */
export function signInPage() {
  const arrived = arrival();
  const code = make("div");
  /** @type {any} */
  let asked = null;
  const fields = [
    { name: "login", label: t("field.login"), required: true, complete: "username" },
    { name: "password", label: t("field.password"), type: "password", required: true, complete: "current-password" },
  ];
  const element = form(fields, t("signIn"), async ({ login, password }) => {
    try {
      await signingIn(() => client.signIn({ login, password, deviceName: deviceName(),
        ...(asked ? { code: asked.value.trim() } : {}) }));
      arrived();
    } catch (refusal) {
      if (/** @type {any} */ (refusal).code === "mfa_required" && !asked) {
        asked = make("input", { id: "code", inputmode: "numeric", autocomplete: "one-time-code", required: true });
        code.replaceChildren(labelled(t("field.code"), asked));
        element.querySelector(".trouble").before(code);
        asked.focus();
        return t("code.wanted");
      }
      throw refusal;
    }
  });
  return make("div", { class: "stack" }, nameFirst(arrived), card(element),
    make("p", { class: "row" }, make("a", { href: "#/profile/recover" }, t("profile.recover")),
      make("a", { href: "#/profile/signup" }, t("signUp"))),
    byProvider(deviceName(), arrived));
}

/**
 * The way in by a name alone comes first where the operator lets anybody in.
 * @param {() => Promise<void>} arrived
 */
function nameFirst(arrived) {
  const box = make("div", { hidden: true });
  opensByName().then((isOpen) => {
    if (!isOpen) return;
    box.hidden = false;
    box.append(card(byName(() => {}, arrived)));
  });
  return box;
}

/** Signing up; the privacy policy is shown before it is agreed to. */
export function signUpPage() {
  const arrived = arrival();
  return card(form([
    { name: "username", label: t("field.username"), required: true, complete: "username",
      hint: t("field.username.hint") },
    { name: "email", label: t("field.email"), type: "email", required: true, complete: "email" },
    { name: "password", label: t("field.password"), type: "password", required: true, complete: "new-password",
      hint: t("field.password.hint") },
    { name: "agreed", label: t("policy.agree"), type: "check", required: true },
  ], t("signUp"), async ({ username, email, password, agreed }) => {
    await signingIn(() => client.signUp({ username, email, password, consent: agreed ? limits().policyVersion : "",
      deviceName: deviceName() }));
    arrived();
  }), make("p", {}, make("a", { href: "#/profile/policy" }, t("profile.policy"))));
}

/** Asking for a link that sets a new password. */
export function recoverPage() {
  return card(form([
    { name: "email", label: t("field.email"), type: "email", required: true, complete: "email" },
  ], t("recover.send"), async ({ email }) => {
    await client.request("recover", { email });
    return t("recover.sent");
  }));
}
