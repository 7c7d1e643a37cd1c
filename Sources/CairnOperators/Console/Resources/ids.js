// Ids that lead to the page of what they name.

import { make } from "./page.js";
import { people } from "./names.js";

/** The pages there are, by the first part of their address. */
export const kinds = ["cell", "account", "thing", "tour", "organisation", "feedback"];

/** A link to the page of an id: `#account/0abc...`. A person's has the name before the id, from when it was told. */
export function link(kind, id, text = id) {
  if (kind !== "account" || text !== id) {
    return make("a", { href: `#${kind}/${id}`, class: text === id && "id" }, text);
  }
  const element = make("a", { href: `#account/${id}`, "data-person": id });
  fill(element);
  return element;
}

function fill(element) {
  const id = element.dataset.person;
  const words = people.of(id) ?? (people.has(id) ? "no name" : "");
  element.replaceChildren(...(words ? [words, " "] : []), make("span", { class: "id" }, id));
}

people.addEventListener("named", ({ detail }) => {
  for (const element of document.querySelectorAll(`[data-person="${CSS.escape(detail)}"]`)) fill(element);
});

/** Which page the address names; null = none. */
export function named(hash) {
  const [, kind, id] = /^#([a-z]+)\/([0-9a-z]{1,40})$/i.exec(hash) ?? [];
  return kinds.includes(kind) ? { kind, id } : null;
}

/** The page that a command shows, as answers to `find` name it: `person 0abc...` is `account/0abc...`. */
export function pageOf(show) {
  const [command, id] = show.split(" ");
  if (command === "feedback") return { kind: "feedback", id: id.replace(/^id=/, "") };
  const kind = command === "person" ? "account" : command;
  return kinds.includes(kind) ? { kind, id } : null;
}
