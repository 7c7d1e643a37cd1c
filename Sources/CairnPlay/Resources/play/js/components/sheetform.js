// A form in the sheet: it is closed by the answer, and a refusal leaves what was entered.

import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { refused, toast } from "./message.js";
import { closeSheet, openSheet } from "./sheet.js";

/**
 * Opens it. `closed` is told whether it was sent; one that is closed before the answer goes on, and a message says so.
 * @param {string} title
 * @param {{kind: string, fields: Node[], below?: Node, button: string, done: string, send: () => Promise<any>,
 *   cancel?: () => void, closed?: (isSent: boolean) => void}} options
 */
export function openForm(title, { kind, fields, below, button, done, send, cancel = () => {}, closed = () => {} }) {
  const trouble = make("div");
  const submit = make("button", { type: "submit", class: "accent" }, button);
  let isSent = false;
  const form = make("form", { class: kind, onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    trouble.replaceChildren();
    submit.disabled = true;
    try {
      await send();
      isSent = true;
      if (form.isConnected) closeSheet();
      toast(done);
    } catch (refusal) {
      submit.disabled = false;
      trouble.replaceChildren(refused(refusal));
    }
  } }, ...fields, trouble,
    make("div", { class: "row end stuck" },
      make("button", { type: "button", onclick: () => { cancel(); closeSheet(); } }, t("cancel")), submit), below);
  openSheet(title, [form], { kind, onclose: () => {
    closed(isSent);
    if (submit.disabled && !isSent) toast(t("goesOn"));
  } });
}
