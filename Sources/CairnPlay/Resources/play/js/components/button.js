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

/**
 * A button that is not left standing when it has done its work: what it has done takes its place, and its focus.
 * @param {string} text
 * @param {() => Promise<string | null>} run gives what is done, in words; null leaves the button
 * @param {string} [kind]
 */
export function once(text, run, kind = "") {
  const button = action(text, async () => {
    const done = await run();
    if (done === null) return;
    const said = make("span", { class: "done", role: "status", tabindex: "-1" }, done);
    button.replaceWith(said);
    if (document.activeElement === document.body) said.focus({ preventScroll: true });
  }, kind);
  return button;
}
