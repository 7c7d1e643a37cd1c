// Forms: labelled fields, a button that waits for the answer, and refusals with their remedy.

import { client, isCutOff, on } from "../core/app.js";
import { card } from "../core/refusals.js";
import { make, newId, write } from "../core/page.js";
import { characters, t } from "../core/texts.js";

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {string} [type] as of an input; "area" is a text of several lines, "check" a check box, "select" a choice
 * @property {string} [value]
 * @property {boolean} [checked]
 * @property {boolean} [required]
 * @property {string} [complete] as `autocomplete`
 * @property {string} [hint]
 * @property {[string, string][]} [choices] value and words
 * @property {number} [most] characters as readers count them, which `maxlength` does not
 * @property {boolean} [isWhole] a number without a fraction
 */

/** @param {Field} field */
function control(field) {
  const id = newId(), hintId = field.hint ? newId() : null;
  const common = { id, name: field.name, required: field.required, autocomplete: field.complete,
    "aria-describedby": hintId };
  let input;
  if (field.type === "area") input = make("textarea", { ...common, rows: "3", dir: "auto" });
  else if (field.type === "select") {
    input = make("select", common, ...(field.choices ?? []).map(([value, text]) => make("option", { value }, text)));
  } else if (field.type === "check") {
    input = make("input", { ...common, type: "checkbox", checked: field.checked });
    return make("div", { class: "field" }, make("label", { class: "check", for: id }, input, field.label));
  } else input = make("input", { ...common, type: field.type ?? "text" });
  if (field.value != null) input.value = field.value;
  return make("div", { class: "field" }, make("label", { for: id }, field.label, field.required ? ""
    : make("span", { class: "quiet" }, ` (${t("optional")})`)), input,
    field.hint && make("span", { id: hintId, class: "quiet" }, field.hint));
}

/** @param {string | boolean} value */
function isEmpty(value) {
  return typeof value === "string" ? value.trim() === "" : !value;
}

/**
 * What the server would say of empty fields, without asking it.
 * @param {string[]} names
 */
function missing(names) {
  return { code: "missing_field", details: { field: names.join(",") } };
}

/** The code of what the form itself refuses, in words that name the field already. */
const OWN = "form";

/**
 * What the server would say of the text of a field, without asking it; null = nothing.
 * @param {Field} field
 * @param {HTMLInputElement} input
 */
function wrong({ name, label, most, isWhole }, input) {
  const n = typeof input.value === "string" ? characters(input.value) : 0;
  const message = most && n > most ? t("form.long", { field: label, n, most })
    // The browser takes what is no number for an empty field.
    : isWhole && (input.validity.badInput || !/^\d*$/.test(input.value.trim()))
      ? t("form.whole", { field: label }) : "";
  return message && { code: OWN, message, details: { field: name } };
}

/**
 * The fields that a refusal names, as the forms call them.
 * @param {any} refusal
 * @returns {string[]}
 */
function fieldsOf(refusal) {
  const details = refusal?.details ?? {};
  return String(details.fields ?? details.field ?? "").split(/[ ,]+/).filter(Boolean).map((name) =>
    name.replace(/_(\w)/g, (_all, one) => one.toUpperCase()));
}

/**
 * A refusal that calls the fields as the form does, not as the protocol does.
 * @param {any} refusal
 * @param {Field[]} fields
 */
function named(refusal, fields) {
  const names = fieldsOf(refusal);
  const labels = fields.filter(({ name }) => names.includes(name)).map(({ label }) => label);
  if (labels.length === 0 || refusal.code === OWN) return refusal;
  const { code, message = "", retryAfter, details } = refusal;
  if (code === "missing_field") return { code, message: t("form.missing", { fields: labels.join(", ") }) };
  const [, ofField = ""] = /^[a-zA-Z_, ]+ ?[:\uFF1A] ?(.*)$/s.exec(message) ?? [];
  return ofField ? { code, message: `${labels.join(", ")}: ${ofField}`, retryAfter, details } : refusal;
}

/**
 * A form. `send` gets the values by name; what it throws is shown as a refusal. What it returns, a text, is shown as
 * done.
 * @param {Field[]} fields
 * @param {string} button
 * @param {(values: any, form: HTMLFormElement) => Promise<string | void | null>} send
 * @param {{danger?: boolean, cancel?: () => void}} options
 */
export function form(fields, button, send, { danger = false, cancel } = {}) {
  const trouble = make("div", { class: "trouble" });
  const done = make("p", { class: "done", role: "status" });
  const submit = make("button", { type: "submit", class: danger ? "danger" : "accent" }, button);
  const element = make("form", {
    class: "stack", novalidate: true, oninput: () => { element.dataset.typed = ""; },
    onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      trouble.replaceChildren();
      done.textContent = "";
      const refocus = keepFocus(submit);
      submit.disabled = true;
      const values = /** @type {any} */ ({});
      /** @type {Field[]} */
      const empty = [];
      /** @type {any} */
      let refused = null;
      for (const field of fields) {
        const input = element.elements.namedItem(field.name);
        values[field.name] = field.type === "check" ? input.checked : input.value;
        // What is not asked for now is not missing.
        if (field.required && isEmpty(values[field.name]) && !input.closest("[hidden]")) empty.push(field);
        refused ||= wrong(field, input);
      }
      try {
        if (empty.length > 0) throw missing(empty.map(({ name }) => name));
        if (refused) throw refused;
        done.textContent = (await send(values, element)) ?? "";
        delete element.dataset.typed;
      } catch (refusal) {
        trouble.replaceChildren(card(named(refusal, fields)));
        const [wrong] = fieldsOf(refusal);
        if (wrong) element.elements.namedItem(wrong)?.focus?.();
      }
      submit.disabled = false;
      refocus();
    },
  }, ...fields.map(control), trouble, done,
    make("div", { class: "row" }, cancel && make("button", { type: "button", onclick: cancel }, t("cancel")), submit));
  return element;
}

/**
 * Has the focus stay where something is done, though the part of the page is drawn anew and the button with it: with
 * the button, else in the line of the same person or sub-realm, else at the heading.
 * @param {HTMLElement} button
 * @returns {() => void} call it when it is done
 */
function keepFocus(button) {
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
 * A section of a page: heading and content.
 * @param {string} title
 * @param {...(Node | string | null | undefined | false)} content
 */
export function section(title, ...content) {
  const id = newId();
  return make("section", { class: "card", "aria-labelledby": id }, make("h3", { id }, title), ...content);
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
      button.after(card(refusal));
    }
    button.disabled = false;
    refocus();
  } }, text);
  return button;
}

/**
 * Content that is asked for: a word while it comes, also that it needs the network; a refusal if it does not come.
 * @param {() => Promise<Node>} ask
 */
export function arriving(ask) {
  const word = make("p", { class: "quiet", role: "status" }), ended = new AbortController();
  const box = make("div", { class: "stack", "aria-busy": "true" }, word);
  const say = () => write(word, t(isCutOff() ? "offline.needs" : "loading"));
  on("state", say, ended.signal);
  say();
  ask().then((content) => box.replaceChildren(content), (refusal) => box.replaceChildren(card(refusal)))
    .finally(() => {
      ended.abort();
      box.removeAttribute("aria-busy");
    });
  return box;
}

/**
 * Draws a part of the page again at events of the client, for as long as it is there and nobody types in it, nor has
 * typed what is not sent.
 * @param {string[]} names
 * @param {HTMLElement} part
 * @param {() => Promise<any>} draw
 */
export function follow(names, part, draw) {
  let wasThere = false;
  // Also when a change of an earlier page load is made, which nothing here waits for.
  for (const name of [...names, "answered"]) {
    const end = client.on(name, () => {
      wasThere ||= part.isConnected;
      if (wasThere && !part.isConnected) end();
      else if (!part.querySelector("form :focus, form[data-typed]")) draw().catch(() => {});
    });
  }
}
