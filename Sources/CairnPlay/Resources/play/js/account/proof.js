// Proving once more that it is the person who asks (ACC-13): before a change of how one gets in the server wants the
// password, a one-time code, or a sign-in with a linked provider, of the last minutes and on this connection.

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { action } from "../components/button.js";
import { section } from "../components/card.js";
import { form } from "../components/form.js";
import { ask, called, providers } from "./provider.js";

/**
 * Does what needs a proof. Where none holds, asks for it in a box, and the person then does the thing again.
 * @param {Element} box
 * @param {() => Promise<any>} run
 */
export async function withProof(box, run) {
  try {
    await client.request("prove", {});
  } catch (refusal) {
    const { code, details = {} } = /** @type {any} */ (refusal);
    if (code !== "proof_required") throw refusal;
    box.replaceChildren(await asking(details, box));
    /** @type {HTMLElement | null} */ (box.querySelector("input, button"))?.focus();
    return undefined;
  }
  box.replaceChildren();
  return run();
}

/**
 * @param {{proofs?: string}} details of the refusal
 * @param {Element} box
 */
async function asking({ proofs = "" }, box) {
  const kinds = proofs.split(",").filter(Boolean);
  if (kinds.length === 0) return section(t("proof.title"), make("p", {}, t("proof.app")));
  const given = () => box.replaceChildren(make("p", { role: "status" }, t("proof.given")));
  /** @param {any} body */
  const prove = async (body) => { await client.request("prove", body); given(); };
  const known = kinds.some((kind) => kind.startsWith("provider:")) ? await providers() : [];
  return section(t("proof.title"), make("p", {}, t("proof.about")),
    kinds.includes("password") && form([{ name: "password", label: t("field.password"), type: "password",
      required: true, complete: "current-password" }], t("proof.give"), prove),
    kinds.includes("code") && form([{ name: "code", label: t("field.code"), required: true,
      complete: "one-time-code" }], t("proof.give"), ({ code }) => prove({ code: code.trim() })),
    make("div", { class: "row" }, ...known.filter(({ name }) => kinds.includes(`provider:${name}`)).map((one) =>
      action(t("proof.by", { name: called(one.name) }),
        () => ask(one, (idToken) => prove({ provider: one.name, idToken }))))));
}
