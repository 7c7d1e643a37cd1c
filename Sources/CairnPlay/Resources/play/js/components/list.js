// Lists: lines that lead somewhere, entries with what one may do, people, and lists that the server gives in pages.

import { client } from "../core/app.js";
import { make, newId } from "../core/page.js";
import { t } from "../core/texts.js";
import { action } from "./button.js";
import { refused } from "./message.js";
import { arrive } from "./showpage.js";

/** @typedef {Node | string | null | undefined | false} Content */

/**
 * A list; a quiet sentence in its place where it is empty.
 * @param {Node[]} items of `li`, else they are put into one
 * @param {string} [none]
 * @param {{isOrdered?: boolean, kind?: string}} options
 */
export function list(items, none = "", { isOrdered = false, kind = "" } = {}) {
  if (items.length === 0 && none) return make("p", { class: "quiet" }, none);
  return make(isOrdered ? "ol" : "ul", { class: `plain-list ${kind}`.trim() },
    ...items.map((one) => (one instanceof HTMLLIElement ? one : make("li", {}, one))));
}

/**
 * A line with a title and a quiet note: a link, a button, or neither.
 * @param {{title: string, note?: string, href?: string, onclick?: (event: Event) => unknown, mark?: string,
 *   data?: object}} content
 *   `mark` is the kind of an item, whose sign stands before the title; `data` are further attributes
 */
export function line({ title, note, href, onclick, mark, data = {} }) {
  const [name, attributes] = href ? ["a", { href }] : onclick ? ["button", { type: "button", onclick }] : ["span", {}];
  return make(/** @type {string} */ (name), { class: "line", ...attributes, ...data },
    mark && make("span", { class: `line-mark ${mark}`, "aria-hidden": "true" }),
    make("span", { class: "line-title", dir: "auto" }, title), note != null && make("span", { class: "quiet" }, note));
}

/**
 * What one may do with an entry, described by whom or what it is about: "Accept" alone does not say whose.
 * @param {HTMLElement} name
 * @param {Content[]} actions
 */
function doings(name, actions) {
  name.id = newId();
  for (const one of actions) if (one instanceof HTMLElement) one.setAttribute("aria-describedby", name.id);
  return make("span", { class: "row" }, ...actions);
}

/**
 * An entry with a title, a quiet note below it, and what one may do.
 * @param {{title: string, note?: string, data?: object}} content
 * @param {...Content} actions
 */
export function entry({ title, note, data = {} }, ...actions) {
  const name = make("strong", { dir: "auto" }, title);
  return make("li", { class: "person", ...data },
    make("span", { class: "grow" }, name, note != null && make("span", { class: "quiet block", dir: "auto" }, note)),
    doings(name, actions));
}

/**
 * A person with what one may do.
 * @param {{account: string, name: string, picture?: string}} user
 * @param {...Content} actions
 */
export function person(user, ...actions) {
  const name = make("span", { class: "grow", dir: "auto" }, user.name);
  return make("li", { class: "person", "data-account": user.account },
    portrait(user.name, user.picture ?? "", user.account), name, doings(name, actions));
}

/**
 * A picture of a profile; a letter where there is none.
 * @param {string} name
 * @param {string} asset
 * @param {string} account
 */
export function portrait(name, asset, account) {
  const box = make("span", { class: "portrait", "aria-hidden": "true" }, [...name][0]?.toUpperCase() ?? "?");
  if (asset) {
    client.assetURL(asset, account).then((/** @type {string} */ url) =>
      box.replaceChildren(make("img", { src: url, alt: "" })), () => {});
  }
  return box;
}

/**
 * A list that the server gives in pages.
 * @param {(after: string) => Promise<{items: any[], next?: string}>} ask for the page after a cursor; the first is ""
 * @param {(one: any) => Node} draw an item of `li`, else it is put into one
 * @param {string} none
 * @returns {{element: HTMLElement, list: HTMLElement, ready: Promise<void>}} `ready` when the first page is there
 */
export function pages(ask, draw, none) {
  const found = list([]);
  const word = make("p", { class: "quiet", role: "status" }, t("loading")), trouble = make("div", {}, word);
  let next = "";
  const load = async () => {
    const page = await ask(next);
    arrive(element, () => {
      for (const one of page.items) {
        const drawn = draw(one);
        found.append(drawn instanceof HTMLLIElement ? drawn : make("li", {}, drawn));
      }
      word.remove();
      next = page.next ?? "";
      more.hidden = !next;
      if (found.children.length === 0) found.append(make("li", { class: "quiet" }, none));
    });
  };
  const more = action(t("more"), load, "", { place: trouble });
  more.hidden = true;
  const element = make("div", { class: "stack", "aria-busy": "true" }, found, trouble, more);
  const ready = load().catch((refusal) => arrive(element, () => trouble.replaceChildren(refused(refusal))))
    .finally(() => element.removeAttribute("aria-busy"));
  return { element, list: found, ready };
}

/**
 * Buttons of which one is pressed, for what a list shows.
 * @param {string} label
 * @param {[string, string][]} names with their texts; the first is chosen at the beginning
 * @param {(name: string) => void} choose
 * @param {string} [first]
 */
export function tabs(label, names, choose, first = names[0][0]) {
  const pressed = (/** @type {string} */ name) => {
    for (const button of box.children) button.setAttribute("aria-pressed", String(button.dataset.tab === name));
    choose(name);
  };
  const box = make("div", { class: "tabs", role: "group", "aria-label": label }, ...names.map(([name, text]) =>
    make("button", { type: "button", "data-tab": name, onclick: () => pressed(name) }, text)));
  return { element: box, start: () => pressed(first) };
}
