// Questions: a dialog over everything, which is answered by yes or no. Escape, the browser's Back and going elsewhere
// say no.

import { opened } from "../core/history.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";

/**
 * Asks something.
 * @param {string} label of the dialog
 * @param {string} yes what the button says
 * @param {{kind?: string}} options the kind of this button
 * @param {...Node} content
 * @returns {Promise<boolean>}
 */
export function ask(label, yes, { kind = "accent" }, ...content) {
  return new Promise((resolve) => {
    const dialog = make("dialog", { class: "ask", "aria-label": label }, ...content,
      make("div", { class: "row end" },
        make("button", { type: "button", onclick: () => dialog.close("") }, t("cancel")),
        make("button", { type: "button", class: kind, onclick: () => dialog.close("yes") }, yes)));
    const leave = () => dialog.close("");
    addEventListener("hashchange", leave);
    const closed = opened(leave);
    dialog.addEventListener("close", () => {
      removeEventListener("hashchange", leave);
      closed();
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Asks before something that cannot be undone.
 * @param {string} question
 * @param {string} yes what the button says
 */
export function confirmed(question, yes) {
  return ask(question, yes, { kind: "danger" }, make("p", {}, question));
}
