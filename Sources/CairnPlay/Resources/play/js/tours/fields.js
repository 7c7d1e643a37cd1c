// The forms of the editor: what is typed is a draft at once, and each says how it stands with that.

import { make, write } from "../core/page.js";
import { t } from "../core/texts.js";
import { action } from "../components/button.js";
import { form } from "../components/form.js";
import { refused } from "../components/message.js";
import { fieldOf } from "./faults.js";

/** @typedef {import("./saving.js").Standing} Standing */

/** After so long a field that was left is sent. */
const LEFT_MS = 400;

/** How it stands with a part, in words: also for screen readers, when it changes by a person's own doing. */
export function standingLine() {
  const element = make("p", { class: "quiet draft-state", role: "status" });
  return { element, show: (/** @type {Standing} */ standing) => {
    element.dataset.standing = standing;
    write(element, t(`draft.${standing}`));
  } };
}

/**
 * Asks what counts where somebody else has changed the same part.
 * @param {(isMine: boolean) => Promise<any>} resolve what it throws is said behind the button
 */
export function conflict(resolve) {
  const box = refused({ code: "form", message: t("draft.conflict.about") });
  box.append(make("p", { class: "row" },
    action(t("draft.mine"), () => resolve(true)), action(t("draft.theirs"), () => resolve(false))));
  return box;
}

/**
 * A form whose values are a part of the draft.
 * @param {import("../components/form.js").Field[]} fields
 * @param {{read: (values: any) => any, enter: (value: any) => void, send: () => Promise<void>,
 *   resolve: (isMine: boolean) => Promise<any>, done?: (form: HTMLElement) => void}} part `read` makes
 *   the part of the values of the fields, `enter` keeps it, `send` sends it at once, `resolve` ends a conflict, and
 *   `done` is called when the person themselves has saved it
 */
export function draftForm(fields, { read, enter, send, resolve, done = () => {} }) {
  const line = standingLine();
  const element = form(fields, t("save"), async (values) => {
    enter(read(values));
    await send();
    done(element);
  });
  const trouble = element.querySelector(".trouble");
  const values = () => Object.fromEntries(fields.map(({ name }) => [name, element.elements.namedItem(name).value]));
  const changed = () => {
    for (const one of element.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    enter(read(values()));
  };
  let said = "";
  element.addEventListener("input", changed);
  // Whoever leaves a field has finished with it for now. A tap on a button that has left it goes first: what is refused
  // would move the button away from below the finger.
  element.addEventListener("change", () => setTimeout(() => send().catch(() => {}), LEFT_MS));
  element.querySelector("[type=submit]").after(line.element);

  /**
   * Shows how it stands, and why.
   * @param {Standing} standing
   * @param {any} [refusal]
   */
  const show = (standing, refusal) => {
    line.show(standing);
    if (standing === "conflict") {
      trouble.replaceChildren(conflict(resolve));
      return;
    }
    if (standing === "saved") {
      trouble.replaceChildren();
      said = "";
    }
    if (standing !== "refused") return;
    const field = element.elements.namedItem(fieldOf(refusal));
    field?.setAttribute?.("aria-invalid", "true");
    const now = `${refusal?.code} ${refusal?.message}`;
    // The same again is not said again.
    if (now === said && trouble.children.length > 0) return;
    said = now;
    trouble.replaceChildren(refused(refusal));
  };

  return { element, show, changed, values };
}
