// The privacy policy, a file of everything that is held on the person, and the end of the account (CMP-1 to CMP-3).

import { client, limits } from "../app.js";
import { action, arriving, form } from "../form.js";
import { confirmed } from "../sheet.js";
import { go } from "../router.js";
import { language, t } from "../texts.js";
import { make } from "../page.js";
import { paragraphs } from "./help.js";

/** The policy; who has agreed to another version can agree to this one. */
export function policyPage() {
  return arriving(async () => {
    const policy = await client.request("getPolicy", { language });
    const own = client.isSignedIn ? await client.request("getProfile") : {};
    const isNew = own.policyVersion && own.policyVersion !== limits().policyVersion;
    return make("div", { class: "card" },
      make("h3", {}, policy.title), make("p", { class: "quiet" },
        t("policy.version", { version: policy.version ?? "", region: policy.region ?? "" })),
      isNew && action(t("policy.agree"), () => client.request("agreePolicy", { version: policy.version }), "accent"),
      make("div", { lang: policy.language }, ...paragraphs(policy.text ?? "")),
      client.isSignedIn && make("p", { class: "row" }, make("a", { href: "#/profile/export" }, t("profile.export")),
        make("a", { href: "#/profile/delete" }, t("profile.delete"))));
  });
}

/** Whether the account has a password that such steps ask for. */
async function passwordField() {
  const { hasPassword } = await client.request("getProfile");
  return hasPassword ? [{ name: "password", label: t("field.password"), type: "password", required: true,
    complete: "current-password" }] : [];
}

/** A file of everything that is held on the person. */
export function exportPage() {
  return arriving(async () => {
    const link = make("p");
    return make("div", { class: "card" }, make("p", {}, t("export.about")),
      form(await passwordField(), t("export.make"), async ({ password = "" }) => {
      const { path } = await client.request("exportAccount", { password });
      link.replaceChildren(make("a", { class: "button accent", href: path, download: "cairn-export.json" },
        t("export.download")));
      return t("export.ready");
    }), link);
  });
}

/** The end of the account. */
export function deletePage() {
  return arriving(async () => make("div", { class: "card" }, make("p", {}, t("delete.about")),
    form(await passwordField(), t("profile.delete"), async ({ password = "" }) => {
      if (!(await confirmed(t("delete.ask"), t("profile.delete")))) return "";
      await client.request("deleteAccount", { password });
      go("map");
      return "";
    }, { danger: true })));
}
