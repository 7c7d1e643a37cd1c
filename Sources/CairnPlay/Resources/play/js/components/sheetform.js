// A form in the sheet: it is closed by the answer, and a refusal leaves what was entered.

import { isSignedIn } from "../core/app.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { act } from "./button.js";
import { entering } from "./entering.js";
import { toast } from "./message.js";
import { closeSheet, openSheet } from "./sheet.js";

/**
 * Opens it. `closed` is told whether it was sent; one that is closed before the answer goes on, and a message says so.
 * A guest is asked for an account when they send it: `guest` says why, what goes on after signing in elsewhere, what
 * opens the form again as it was, and what it waits for before it is sent. `show` leads to what came of it, as the
 * answer has it.
 * @param {string} title
 * @param {{kind: string, fields: Node[], below?: Node, button: string, done: string, send: () => Promise<any>,
 *   show?: (answer: any) => unknown,
 *   cancel?: () => void, closed?: (isSent: boolean) => void,
 *   guest?: () => import("./entering.js").Entering & {ready?: () => Promise<void>}}} options
 */
export function openForm(title, options) {
  const { kind, fields, below, button, done, send, cancel = () => {}, closed = () => {}, guest, show } = options;
  const trouble = make("div"), ways = make("div");
  const submit = make("button", { type: "submit", class: "accent" }, button);
  let isSent = false, isSending = false;
  const form = make("form", { class: kind, onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    ways.replaceChildren();
    if (guest && !isSignedIn()) {
      const { ready, ...options } = guest();
      const goOn = async () => {
        await ready?.();
        if (!form.isConnected) return;
        ways.replaceChildren();
        form.requestSubmit();
      };
      ways.append(entering({ ...options, isFocused: true, then: goOn }));
      ways.scrollIntoView({ block: "nearest" });
      return;
    }
    act(submit, async () => {
      isSending = true;
      /** @type {any} */
      let answer;
      try {
        answer = await send();
      } finally {
        isSending = false;
      }
      isSent = true;
      if (form.isConnected) closeSheet();
      toast(done, { action: show && { text: t("show.it"), run: () => show(answer) } });
    }, { place: trouble });
  } }, ...fields, trouble,
    make("div", { class: "row end stuck" },
      make("button", { type: "button", onclick: () => { cancel(); closeSheet(); } }, t("cancel")), submit), below);
  // A form has no form in it.
  openSheet(title, [form, ways], { kind, onclose: () => {
    closed(isSent);
    if (isSending) toast(t("goesOn"));
  } });
}
