// What stands in the audit log about what a page shows.

import { Table, make } from "./page.js";
import { link } from "./ids.js";
import { moment, plain } from "./words.js";

/** The heading and the table, or a sentence where nothing stands there. */
export function record(entries) {
  if (entries.length === 0) return [make("h3", {}, "Record"), make("p", { class: "quiet" }, "Nothing stands there.")];
  const table = new Table("Record", [
    { name: "When" }, { name: "What" }, { name: "By" }, { name: "About" }, { name: "Reason", isProse: true },
  ]);
  table.show(entries.map((entry, index) => ({
    key: String(index),
    cells: [moment(entry.at), plain(entry.what) + change(entry), () => author(entry), () => subject(entry),
      entry.reason || "none given"],
  })));
  return [make("h3", {}, "Record"), make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Record" },
    table.element)];
}

function change({ from, to }) {
  return from ? `: ${from} to ${to}` : "";
}

function author({ operator, admin, member }) {
  if (operator) return make("span", {}, `operator ${operator}`);
  return make("span", {}, admin ? "admin " : "member ", link("account", admin ?? member));
}

function subject({ account, organisation }) {
  return make("span", {}, ...[account && link("account", account), organisation && link("organisation", organisation)]
    .filter(Boolean).flatMap((one, index) => (index > 0 ? [", ", one] : [one])));
}
