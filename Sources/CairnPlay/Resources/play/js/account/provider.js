// Other ways to sign in (ACC-7): by the account of a provider, with OpenID Connect. The provider is asked in a window
// of its own, so that the connection lives on that the nonce belongs to. It sends that window back to this page with an
// ID token behind the #, and the window passes it on. No script of the provider runs here.

import { client, limits } from "../core/app.js";
import { fill, make } from "../core/page.js";
import { signingIn } from "../core/place.js";
import { t } from "../core/texts.js";
import { action } from "../components/button.js";
import { section } from "../components/card.js";
import { check, form } from "../components/form.js";
import { refuse, toast } from "../components/message.js";
import { CHANNEL } from "./answer.js";

/** @typedef {{name: string, address: string}} Provider */

/**
 * The providers that the server takes and that the page knows the way to.
 * @returns {Promise<Provider[]>}
 */
export async function providers() {
  const pages = await (await fetch("/play/providers.json")).json();
  const taken = /** @type {string[]} */ (limits().providers ?? []);
  return taken.filter((name) => Object.hasOwn(pages, name)).map((name) => ({ name, address: pages[name] }));
}

/** @param {string} name */
export function called(name) {
  return name[0].toUpperCase() + name.slice(1);
}

function secret() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Waits for the answer to the latest question.
 * @type {BroadcastChannel | null}
 */
let waiting = null;

/**
 * Asks a provider in a window of its own. Needs a tap.
 * @param {Provider} provider
 * @param {(idToken: string) => Promise<any>} then
 * @returns {Promise<string>} what the person does now, in words
 */
export async function ask({ name, address }, then) {
  const other = open("", "_blank", "popup,width=480,height=680");
  if (!other) throw { code: "form", message: t("provider.blocked") };
  const { nonce } = await client.request("getNonce"), state = secret();
  waiting?.close();
  waiting = new BroadcastChannel(CHANNEL);
  waiting.onmessage = async ({ data }) => {
    // What was not asked for is nobody's.
    if (data?.state !== state) return;
    waiting?.close();
    try {
      if (data.idToken) await then(data.idToken);
      else toast(t("provider.refused", { name: called(name), reason: data.error }), { kind: "bad" });
    } catch (refusal) {
      refuse(refusal);
    }
  };
  const url = new URL(address);
  const question = { response_type: "id_token", response_mode: "fragment", scope: "openid email profile",
    redirect_uri: `${location.origin}/play`, nonce, state };
  for (const [key, value] of Object.entries(question)) url.searchParams.set(key, value);
  other.location.href = url.href;
  return t("provider.goOn");
}

/**
 * The buttons that sign a guest in, and make the account the first time.
 * @param {string} deviceName
 * @param {() => void} arrived
 */
export function byProvider(deviceName, arrived) {
  const box = make("div");
  providers().then((all) => {
    if (all.length === 0) return;
    const { box: agreed, element } = check(t("provider.agree"), { name: "providerAgreed" });
    const asked = make("div");
    /** @type {(provider: string, idToken: string, code?: string) => Promise<void>} */
    const enter = async (provider, idToken, code = "") => {
      await signingIn(() => client.request("signInWithProvider", { provider, idToken, deviceName, code,
        deviceKey: client.core.profile.deviceKey ?? "", consent: agreed.checked ? limits().policyVersion : "" }));
      arrived();
    };
    fill(box, section(t("profile.providers"),
      element,
      make("div", { class: "row" }, ...all.map((one) => action(t("provider.signIn", { name: called(one.name) }),
        () => ask(one, async (idToken) => {
          try {
            await enter(one.name, idToken);
          } catch (refusal) {
            if (/** @type {any} */ (refusal).code !== "mfa_required") throw refusal;
            fill(asked, form([{ name: "code", label: t("field.code"), required: true, complete: "one-time-code",
              hint: t("code.wanted") }], t("signIn"), ({ code }) => enter(one.name, idToken, code.trim())));
            asked.querySelector("input")?.focus();
          }
        })))), asked));
  }, () => {});
  return box;
}
