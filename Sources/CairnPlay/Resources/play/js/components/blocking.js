// Blocking somebody: at the person, and at what they have left (FRD-7).

import { client } from "../core/app.js";
import { t } from "../core/texts.js";
import { action } from "./button.js";
import { confirmed } from "./dialog.js";
import { toast } from "./message.js";
import { closeSheetOf } from "./sheet.js";

/**
 * The button, in the sheet of the person or of what they have left.
 * @param {string} text
 * @param {string} name of the person
 * @param {string} [account] found by the name where there is none: a thing tells no more of who has left it
 * @returns {HTMLElement | false} an admin has none: they block nobody
 */
export function blocking(text, name, account = "") {
  if (client.welcome?.role === "admin") return false;
  const button = action(text, async () => {
    if (!(await confirmed(t("block.ask", { name }), t("block")))) return;
    await client.request("block", { account: account || await idOf(name) });
    closeSheetOf(button);
    toast(t("blocked", { name }));
  }, "quiet-danger");
  return button;
}

/**
 * The account of this name, which somebody else may have given up or taken since it was shown.
 * @param {string} name
 * @returns {Promise<string>}
 */
async function idOf(name) {
  const { users = [] } = await client.request("findUsers", { prefix: name });
  const found = users.find((/** @type {any} */ user) => user.name === name);
  if (!found) throw Object.assign(new Error(t("block.gone", { name })), { code: "name_gone" });
  return found.account;
}
