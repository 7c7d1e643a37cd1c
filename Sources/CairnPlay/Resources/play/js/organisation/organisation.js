// Organisations: asking for an account, and one's own organisation with its members (ORG).

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { section } from "../components/card.js";
import { confirmed } from "../components/dialog.js";
import { form } from "../components/form.js";
import { list, person } from "../components/list.js";

/** The page of one's own organisation, or of asking for one. */
export function organisationPage() {
  const box = make("div", { class: "stack" }), answer = make("div");
  const draw = async () => {
    const { organisation, members = [], request } = await client.request("getOrganisation");
    if (organisation) {
      box.replaceChildren(section(organisation.name, organisation.suspended
        && make("p", { class: "far" }, t("organisation.suspended", { reason: organisation.reason ?? "" })),
        list(members.map((/** @type {any} */ one) =>
          person(one, one.removalBy && make("span", { class: "quiet" }, t("organisation.removal")),
          one.account !== client.welcome?.account && action(t("remove"), async () => {
            if (!(await confirmed(t("organisation.remove.ask", { name: one.name }), t("remove")))) return;
            const { removed } = await client.request("removeOrganisationMember", { account: one.account });
            await draw();
            return t(removed ? "removed" : "organisation.second");
          }, "quiet-danger", { place: answer }))), ""),
        action(t("organisation.leave"), async () => {
          if (!(await confirmed(t("organisation.leave.ask"), t("organisation.leave")))) return;
          await client.request("leaveOrganisation");
          await draw();
        }, "quiet-danger")));
      return;
    }
    const open = request?.state === "open";
    box.replaceChildren(
      ...(request ? [section(t("organisation.request"),
        make("p", {}, `${request.name}: ${t(`organisation.${request.state}`)}`), request.reason
        && make("p", { dir: "auto" }, request.reason),
        open && action(t("withdraw"), async () => { await client.request("withdrawOrganisationRequest"); await draw();
          }))] : []),
      ...(open ? [] : [section(t("organisation.ask"), make("p", { class: "quiet" }, t("organisation.about")), form([
        { name: "name", label: t("organisation.name"), required: true, most: 100 },
        { name: "justification", label: t("organisation.why"), type: "area", required: true, most: 2000 },
      ], t("send"), async (values) => { await client.request("requestOrganisation", values); await draw(); }))]));
  };
  return arriving(async () => { await draw(); return make("div", { class: "stack" }, box, answer); });
}
