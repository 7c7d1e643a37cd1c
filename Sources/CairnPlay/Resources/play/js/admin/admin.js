// For admins: requests for organisation accounts, and accounts with their roles and suspensions (ORG-2, ROL-5).

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { moment, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { folded, section } from "../components/card.js";
import { form } from "../components/form.js";
import { entry, list } from "../components/list.js";

/** The page for admins. */
export function adminPage() {
  return make("div", { class: "stack" }, arriving(requests), section(t("admin.accounts"), accounts()));
}

async function requests() {
  const box = make("div", { class: "stack" });
  const draw = async () => {
    const { requests: open = [] } = await client.request("listOrganisationRequests");
    box.replaceChildren(section(t("admin.requests"), list(open.map((/** @type {any} */ one) =>
      entry({ title: one.name, note: `${one.accountName} · ${moment(one.at)}` },
        action(t("admin.look"), async () => box.replaceChildren(await opened(one.id, draw))))),
    t("admin.requests.none"))));
  };
  await draw();
  return box;
}

/**
 * @param {string} id
 * @param {() => Promise<void>} back
 */
async function opened(id, back) {
  const one = await client.request("getOrganisationRequest", { request: id });
  return section(one.name, make("p", { class: "quiet" }, `${one.accountName} · ${moment(one.at)}`),
    make("p", { dir: "auto" }, one.justification),
    one.known && make("p", { class: "far" }, t("admin.known", { name: one.known.name })),
    action(t("admin.accept"), async () => { await client.request("acceptOrganisation",
      { request: id, ...(one.known ? { organisation: one.known.id } : {}) }); await back(); return t("saved"); },
    "accent"),
    form([{ name: "reason", label: t("admin.reason"), required: true, most: 500 }], t("admin.deny"),
      async ({ reason }) => {
      await client.request("denyOrganisation", { request: id, reason });
      await back();
      return t("saved");
    }, { danger: true, cancel: back }));
}

function accounts() {
  const found = make("div");
  const look = async (/** @type {string} */ prefix) => {
    const { accounts: all = [] } = await client.request("listAccounts", { prefix });
    found.replaceChildren(list(all.slice(0, 100).map((/** @type {any} */ one) => account(one, () => look(prefix)))));
  };
  return make("div", { class: "stack" }, form([{ name: "prefix", label: t("find.name"), most: 30 }], t("find"),
    ({ prefix }) => look(prefix.trim())), found);
}

/**
 * @param {any} one
 * @param {() => Promise<void>} again
 */
function account(one, again) {
  const title = make("span", {}, make("strong", { dir: "auto" }, one.name),
    ` · ${t(`role.${one.role}`)}${one.suspended ? ` · ${t("admin.suspended")}` : ""}`);
  return folded(title, {},
    form([
      { name: "role", label: t("admin.role"), type: "select", value: one.role, required: true,
        choices: [["general", t("role.general")], ["organisation", t("role.organisation")],
        ["admin", t("role.admin")]] },
      { name: "organisation", label: t("organisation.name"), most: 100 },
        { name: "reason", label: t("admin.reason"), required: true, most: 500 },
    ], t("admin.setRole"), async (values) => {
      await client.request("setRole", { account: one.id, ...values });
      await again();
      return t("saved");
    }),
    form([{ name: "reason", label: t("admin.reason"), required: true, most: 500 }],
      t(one.suspended ? "admin.reinstate" : "admin.suspend"), async ({ reason }) => {
      await client.request(one.suspended ? "reinstate" : "suspend", { account: one.id, reason });
      await again();
      return t("saved");
    }, { danger: !one.suspended }));
}
