// Buttons that wait for an answer.

import { make } from "../core/page.js";
import { refused } from "./message.js";

/**
 * Has the focus stay where something is done, though the part of the page is drawn anew and the button with it: with
 * the button, else in the line of the same person or sub-realm, else at the heading.
 * @param {HTMLElement} button
 * @returns {() => void} call it when it is done
 */
export function keepFocus(button) {
  const hadFocus = document.activeElement === button;
  const line = /** @type {HTMLElement | null} */ (button.closest("[data-realm], [data-account]"));
  const { realm = "", account = "" } = line?.dataset ?? {};
  const again = line && (realm ? `[data-realm="${CSS.escape(realm)}"]` : `[data-account="${CSS.escape(account)}"]`);
  const page = button.closest("#page");
  return () => {
    if (!hadFocus || document.activeElement !== document.body) return;
    if (button.isConnected) {
      button.focus({ preventScroll: true });
      return;
    }
    const next = (again && page?.querySelector(`${again} :is(button, a)`)) || page?.querySelector("h2");
    if (!(next instanceof HTMLElement)) return;
    if (next.matches("h2")) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  };
}

/**
 * A button that runs something and shows its refusal beside it.
 * @param {string} text
 * @param {() => Promise<any>} run
 * @param {string} [kind]
 */
export function action(text, run, kind = "") {
  const button = make("button", { type: "button", class: kind, onclick: async () => {
    const refocus = keepFocus(button);
    button.disabled = true;
    button.parentElement?.querySelector(".refusal")?.remove();
    try {
      await run();
    } catch (refusal) {
      button.after(refused(refusal));
    }
    button.disabled = false;
    refocus();
  } }, text);
  return button;
}
