// Forms: labelled fields, a button that waits for the answer, and refusals with their remedy.

import { make, newId, write } from "../core/page.js";
import { characters, t } from "../core/texts.js";
import { act, action } from "./button.js";


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

/**
 * A control with its label before it, and a hint below it.
 * @param {string} label
 * @param {HTMLElement} input
 * @param {{isOptional?: boolean, isInline?: boolean, hint?: string, kind?: string}} options
 * @param {...(Node | false)} more what follows
 */
export function labelled(label, input, { isOptional = false, isInline = false, hint = "", kind = "" } = {}, ...more) {
  input.id ||= newId();
  const about = hint && make("span", { id: newId(), class: "quiet" }, hint);
  if (about) input.setAttribute("aria-describedby", about.id);
  return make("div", { class: ["field", isInline && "inline", kind].filter(Boolean).join(" ") },
    make("label", { for: input.id }, label, isOptional && make("span", { class: "quiet" }, ` (${t("optional")})`)),
    input, about, ...more);
}

/**
 * A check box, or a radio button, with its label behind it.
 * @param {string} label
 * @param {Record<string, any>} attributes of the box
 * @returns {{box: HTMLInputElement, element: HTMLElement}}
 */
export function check(label, attributes = {}) {
  const box = make("input", { type: "checkbox", ...attributes });
  return { box, element: make("label", { class: "check" }, box, label) };
}

/**
 * A number between two bounds, chosen by a slider.
 * @param {{min: number, max: number, step: number}} bounds
 * @param {Record<string, any>} attributes
 */
export function range(bounds, attributes) {
  return make("input", { type: "range", ...bounds, ...attributes });
}

/**
 * A choice of some values.
 * @param {[string, string][]} choices value and words
 * @param {Record<string, any>} attributes
 */
export function select(choices, attributes = {}) {
  return make("select", attributes, ...choices.map(([value, text]) => make("option", { value }, text)));
}

/** @param {Field} field */
function control({ name, label, type = "text", value, checked, required, complete, hint, choices = [] }) {
  const common = { id: newId(), name, required, autocomplete: complete };
  if (type === "check") return make("div", { class: "field" }, check(label, { ...common, checked }).element);
  const input = type === "area" ? make("textarea", { ...common, rows: "3", dir: "auto" })
    : type === "select" ? select(choices, common) : make("input", { ...common, type });
  if (value != null) input.value = value;
  return labelled(label, input, { isOptional: !required, hint });
}

/**
 * A field for a text with a running count.
 * @param {string} label
 * @param {number} most
 * @param {string} [text]
 */
export function textField(label, most, text = "") {
  const counter = newId();
  const field = make("textarea", { rows: "3", dir: "auto", "aria-describedby": counter });
  field.value = text;
  const count = make("span", { id: counter, class: "quiet count-of" });
  const show = () => {
    const n = characters(field.value);
    write(count, t("characters", { n, most }));
    count.classList.toggle("over", n > most);
  };
  field.addEventListener("input", show);
  show();
  return { field, element: labelled(label, field, {}, count) };
}

/**
 * A slider with its value in words. `show` reads the value again.
 * @param {string} label
 * @param {{min: number, max: number, step: number}} bounds
 * @param {() => number} read
 * @param {(value: number) => void} put
 * @param {(value: number) => string} say
 */
export function slider(label, bounds, read, put, say) {
  const id = newId();
  const value = make("output", { for: id, "aria-live": "off" });
  const input = range(bounds, { id, oninput: () => { put(Number(input.value)); show(); } });
  const show = () => {
    const n = read();
    if (document.activeElement !== input || Number(input.value) !== n) input.value = String(n);
    write(value, say(n));
    input.setAttribute("aria-valuetext", say(n));
  };
  show();
  return { element: make("div", { class: "slider" }, make("label", { for: id }, label), input, value), show };
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
 * @param {{danger?: boolean, cancel?: () => unknown}} options
 */
export function form(fields, button, send, { danger = false, cancel } = {}) {
  const trouble = make("div", { class: "trouble" });
  const submit = make("button", { type: "submit", class: danger ? "danger" : "accent" }, button);
  const element = make("form", {
    class: "stack", novalidate: true, oninput: () => { element.dataset.typed = ""; },
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const values = /** @type {any} */ ({});
      /** @type {Field[]} */
      const empty = [];
      /** @type {any} */
      let own = null;
      for (const field of fields) {
        const input = element.elements.namedItem(field.name);
        input.removeAttribute?.("aria-invalid");
        values[field.name] = field.type === "check" ? input.checked : input.value;
        // What is not asked for now is not missing.
        if (field.required && isEmpty(values[field.name]) && !input.closest("[hidden]")) empty.push(field);
        own ||= wrong(field, input);
      }
      act(submit, async () => {
        if (empty.length > 0) throw missing(empty.map(({ name }) => name));
        if (own) throw own;
        const done = await send(values, element);
        delete element.dataset.typed;
        return done;
      }, { place: trouble, why: (refusal) => {
        const wrongs = fieldsOf(refusal).map((name) => element.elements.namedItem(name)).filter(Boolean);
        for (const input of wrongs) input.setAttribute?.("aria-invalid", "true");
        wrongs[0]?.focus?.();
        return named(refusal, fields);
      } });
    },
  }, ...fields.map(control), trouble,
    make("div", { class: "row" }, cancel && action(t("cancel"), async () => cancel(), "", { place: trouble }),
      submit));
  return element;
}
