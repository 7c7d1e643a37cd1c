// The backups that there are, to download, and a button that makes one (DAT-5).

import { Table, make, wide, write } from "./page.js";
import { bytes, count, moment } from "./words.js";

/** Backups in the table, the newest first. */
const rowsMax = 10;

export class Backups {
  #actions;
  #words = make("p", { class: "quiet" });
  #button = make("button", { type: "button", class: "small", onclick: () => this.#make() }, "Make one now");
  #table = new Table("Backups", [
    { name: "Taken" }, { name: "Size", isNumber: true }, { name: "State" }, { name: "File" },
  ]);

  constructor(actions) {
    this.#actions = actions;
    document.getElementById("backups").append(this.#words, make("div", { class: "choice" }, this.#button),
      wide("Backups", this.#table.element));
    actions.addEventListener("backups", () => this.refresh());
  }

  /** The connection is there; `backups` is what the server says of them. */
  begin({ isOn, hours, why }) {
    this.why = isOn ? "" : `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
    this.#words.dataset.tone = isOn && hours > 0 ? "" : "warn";
    write(this.#words, !isOn ? this.why : hours > 0 ? `One every ${count(hours, "hour")}, and whenever you make one.`
      : "None is made by itself: set backup.hours.");
    this.#button.hidden = !isOn;
    this.#table.show([]);
    if (isOn) this.refresh();
  }

  async #make() {
    this.#button.disabled = true;
    await this.#actions.backup();
    this.#button.disabled = false;
  }

  async refresh() {
    if (this.#button.hidden) return;
    try {
      const answer = await fetch("/v1/operator/backups", { cache: "no-store" });
      if (!answer.ok) return;
      const { backups } = await answer.json();
      const newest = backups.toSorted((a, b) => b.takenAt - a.takenAt).slice(0, rowsMax);
      this.#table.show(newest.map(({ name, takenAt, bytes: size, sound }) => ({
        key: name,
        cells: [moment(takenAt), bytes(size), sound ? "sound" : "rows are damaged",
          () => make("a", { href: `/v1/operator/backups/${encodeURIComponent(name)}`, download: name,
            "aria-label": `Download the backup of ${moment(takenAt)}` }, "Download")],
      })));
    } catch {
      // The server is gone; what is shown stays.
    }
  }
}
