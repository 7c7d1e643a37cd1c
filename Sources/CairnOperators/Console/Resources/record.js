// What stands in the audit log about what a page shows.

import { Table, make } from "./page.js";
import { link } from "./ids.js";
import { moment, plain } from "./words.js";

/** The heading and the table, or a sentence where nothing stands there. */
export function record(entries) {
  const done = entries.filter(({ what }) => what !== "look_up"), looks = entries.filter((one) => !done.includes(one));
  return [
    make("h3", {}, "Record"),
    done.length > 0 ? rows("Record", done) : make("p", { class: "quiet" }, "Nothing was done."),
    ...(looks.length > 0 ? [make("details", {}, make("summary", {}, `Looked up: ${looks.length}`),
      rows("Looked up", looks))] : []),
  ];
}

/** What was done and why comes first: the table may be wider than its card. */
function rows(name, entries) {
  const table = new Table(name, [
    { name: "When" }, { name: "What" }, { name: "Reason", isProse: true }, { name: "About" }, { name: "By" },
  ]);
  table.show(entries.map((entry, index) => ({
    key: String(index),
    cells: [moment(entry.at), plain(entry.what) + change(entry), entry.reason || "none given", () => subject(entry),
      () => author(entry)],
  })));
  return make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": name }, table.element);
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
