// Entries of the audit log, as a table: about what a page shows, or in the card of the log.

import { Table, make, wide } from "./page.js";
import { link } from "./ids.js";
import { moment, noReason, plain } from "./words.js";

/** The heading and the table, or a sentence where nothing stands there. */
export function record(all) {
  const done = all.filter(({ what }) => what !== "look_up"), looks = all.filter((one) => !done.includes(one));
  return [
    make("h3", {}, "Record"),
    done.length > 0 ? entries("Record", done)
      : make("p", { class: "quiet" }, "Operators and admins have done nothing about this."),
    ...(looks.length > 0 ? [make("details", {}, make("summary", {}, `Looked up: ${looks.length}`),
      entries("Looked up", looks))] : []),
  ];
}

/** What was done and why comes first: the table may be wider than its card. */
export function entries(name, rows) {
  const table = new Table(name, [
    { name: "When" }, { name: "What" }, { name: "Reason", isProse: true }, { name: "About" }, { name: "By" },
  ]);
  table.show(rows.map((entry, index) => ({
    key: String(index),
    cells: [moment(entry.at), plain(entry.what) + change(entry), entry.reason || noReason,
      () => subject(entry), () => author(entry)],
  })));
  return wide(name, table.element);
}

function change({ from, to }) {
  return from ? `: ${from} to ${to}` : "";
}

function author({ operator, admin, member }) {
  if (operator) return make("span", {}, `operator ${operator}`);
  return make("span", {}, admin ? "admin " : "member ", link("account", admin ?? member));
}

function subject({ account, organisation, thing, tour, purchase }) {
  const all = [thing && link("thing", thing), tour && link("tour", tour), account && link("account", account),
    organisation && link("organisation", organisation), purchase && make("span", { class: "id" }, purchase)];
  return make("span", {}, ...all.filter(Boolean).flatMap((one, index) => (index > 0 ? [", ", one] : [one])));
}
