// The privacy policy, a file of everything that is held on the person, and the end of the account (CMP-1 to CMP-3).

import { client, leaving, limits } from "../core/app.js";
import { make } from "../core/page.js";
import { goIfStayed } from "../core/router.js";
import { language, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { once } from "../components/button.js";
import { card, paragraphs } from "../components/card.js";
import { confirmed } from "../components/dialog.js";
import { form } from "../components/form.js";
import { toast } from "../components/message.js";
import { ask, providers } from "./provider.js";

/** The policy; who has agreed to another version can agree to this one. */
export function policyPage() {
  return arriving(async () => {
    const policy = await client.request("getPolicy", { language });
    const own = client.isSignedIn ? await client.request("getProfile") : {};
    const isNew = own.policyVersion && own.policyVersion !== limits().policyVersion;
    return card(
      make("h3", {}, policy.title), make("p", { class: "quiet" },
        t("policy.version", { version: policy.version ?? "", region: policy.region ?? "" })),
      isNew && once(t("policy.agree"), async () => {
        await client.request("agreePolicy", { version: policy.version });
        return t("saved");
      }, "accent"),
      make("div", { lang: policy.language }, ...paragraphs(policy.text ?? "")),
      client.isSignedIn && make("p", { class: "row" }, make("a", { href: "#/profile/export" }, t("profile.export")),
        make("a", { href: "#/profile/delete" }, t("profile.delete"))));
  });
}

/** @typedef {import("../components/form.js").Field} Field */

/**
 * What proves that it is the person: the password, else an ID token of a provider that signs in, else nothing. `prove`
 * gives it to `then` as a part of the request.
 * @returns {Promise<{fields: Field[], prove: (values: any, then: (proof: object) => Promise<any>) => Promise<any>}>}
 */
async function proof() {
  const [{ hasPassword, providers: linked }, known] = await Promise.all([client.request("getProfile"), providers()]);
  if (hasPassword) {
    return { prove: ({ password }, then) => then({ password }), fields: [{ name: "password",
      label: t("field.password"), type: "password", required: true, complete: "current-password" }] };
  }
  const provider = known.find(({ name }) => linked?.includes(name));
  if (!provider) return { fields: [], prove: (_values, then) => then({}) };
  const { name } = provider;
  return { fields: [], prove: (_values, then) => ask(provider, (idToken) => then({ provider: name, idToken })) };
}

/** A file of everything that is held on the person. */
export function exportPage() {
  return arriving(async () => {
    const link = make("p"), { fields, prove } = await proof();
    return card( make("p", {}, t("export.about")),
      form(fields, t("export.make"), (values) => prove(values, async (body) => {
      const { path } = await client.request("exportAccount", body);
      link.replaceChildren(make("a", { class: "button accent", href: path, download: "cairn-export.json" },
        t("export.download")));
      return t("export.ready");
    })), link);
  });
}

/** The end of the account. */
export function deletePage() {
  const go = goIfStayed();
  return arriving(async () => {
    const { fields, prove } = await proof();
    return card( make("p", {}, t("delete.about")),
      form(fields, t("profile.delete"), async (values) => {
      if (!(await confirmed(t("delete.ask"), t("profile.delete")))) return;
      await prove(values, async (body) => {
        leaving.is = true;
        let words = "delete.done";
        try {
          await client.request("deleteAccount", body);
        } catch (refusal) {
          // Another tab heard first that the sign-ins have ended, and emptied the store.
          if (/** @type {any} */ (refusal).code !== "signed_out") throw refusal;
          words = "signedOut";
        } finally {
          leaving.is = false;
        }
        go("map");
        toast(t(words));
      });
    }, { danger: true }));
  });
}
