// Ids that lead to the page of what they name.

import { make } from "./page.js";

/** The pages there are, by the first part of their address. */
export const kinds = ["cell", "account", "thing", "tour", "organisation", "feedback"];

/** A link to the page of an id: `#account/0abc...`. */
export function link(kind, id, text = id) {
  return make("a", { href: `#${kind}/${id}`, class: text === id && "id" }, text);
}

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
