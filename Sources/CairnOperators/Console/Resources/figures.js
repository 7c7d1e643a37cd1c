// The cards of figures below the map.

import { Facts, Table, make, write } from "./page.js";
import { bytes, count, micros, number, plain, seconds } from "./words.js";
import { diskMeanings, meanings, processMeanings, requestMeanings, serviceMeanings } from "./meanings.js";

/** Says what is wrong with one section of the server, as the server puts it; `fine` = nothing is. */
function judge(element, alarms, section, fine) {
  const own = alarms.filter((alarm) => alarm.section === section);
  // The worst first.
  element.dataset.tone = own[0]?.severity ?? "good";
  write(element, own.length > 0 ? own.map(({ text }) => text).join(". ") : fine);
}

/** Seconds in which a disk that fills is soon full: a week. */
const soon = 604_800;

/** How the disk keeps up, and when the last copy was made. */
export class Disk {
  #state = make("p", { class: "verdict" });
  #facts = new Facts();

  constructor() {
    document.getElementById("disk").append(this.#state, this.#facts.element, meanings(diskMeanings));
  }

  show({ store, queues, alarms }, at) {
    judge(this.#state, alarms, "store", "All changes are on disk");
    const { lastBackup: last, diskBytes, diskFreeBytes, diskFullSeconds } = store;
    this.#facts.show([
      ["Changes waiting", number(queues.backlogChanges)],
      ["Oldest of them", queues.backlogChanges > 0 ? micros(queues.oldestUnsavedMilliseconds * 1_000) : "none"],
      ["Half of all commits within", micros(store.commitP50Microseconds)],
      ["99 of 100 within", micros(store.commitP99Microseconds)],
      ["Changes since the start", number(store.changes)],
      ["Failed writes", number(store.failures), store.failures > 0 ? "warn" : ""],
      ["Damaged rows", damage(store), store.damagedRows > 0 ? "bad" : ""],
      ["Damaged indexes", store.damagedIndexes.join(", ") || "none", store.damagedIndexes.length > 0 ? "bad" : ""],
      ["Indexes built anew", store.rebuiltIndexes.join(", ") || "none", store.rebuiltIndexes.length > 0 ? "warn" : ""],
      ["Write-ahead log", `${number(store.walPages)} pages`],
      ["Free on the disk", diskBytes > 0 ? `${bytes(diskFreeBytes)} of ${bytes(diskBytes)}` : "unknown",
        alarms.find(({ figure }) => figure === "diskFree")?.severity ?? ""],
      ["Full, as it fills now", diskFullSeconds === null ? "not in sight" : `in ${seconds(diskFullSeconds)}`,
        diskFullSeconds !== null && diskFullSeconds < soon ? "warn" : ""],
      ["Last backup", last ? `${seconds(Math.max(0, (at - last.at) / 1_000))} ago` : "none since the start",
        store.backupFailing ? "bad" : ""],
      ["Its size", last ? `${bytes(last.bytes)} in ${micros(last.microseconds)}` : "none"],
    ]);
  }
}

/** How many rows are damaged, and of which tables. */
function damage({ damagedRows, damagedTables }) {
  if (damagedRows === 0) return "none";
  const tables = Object.entries(damagedTables).map(([name, rows]) => `${plain(name)} ${number(rows)}`);
  return `${number(damagedRows)}: ${tables.sort().join(", ")}`;
}

/** Services outside, and what waits for them. */
export class Services {
  #state = make("p", { class: "verdict" });
  #facts = new Facts();

  constructor() {
    document.getElementById("services").append(this.#state, this.#facts.element, meanings(serviceMeanings));
  }

  show({ queues, alarms }) {
    judge(this.#state, alarms, "queues", "Every adaptor is up");
    this.#facts.show([
      ["Calls waiting", number(queues.adaptorCalls)],
      ["Mails waiting", number(queues.mails)],
      ["Pushes waiting", number(queues.pushes)],
      ["Passwords waiting", number(queues.passwords)],
      ["Accounts being deleted", number(queues.deletions)],
      ["Uploads under way", number(queues.uploads)],
    ]);
  }
}

/** Tours: who is on one, what became of the runs, and at which stop they were left. Without names. */
export class Tours {
  #facts = new Facts();
  #table = new Table("Stops of tours that were reached, and runs that ended there", [
    { name: "Stop" }, { name: "Reached", isNumber: true }, { name: "Left before the next", isNumber: true },
  ]);

  constructor() {
    document.getElementById("tours").append(this.#facts.element, this.#table.element);
  }

  show({ inSpaces, toursStarted, toursCompleted, tourStops, toursAbandoned }) {
    const left = Object.values(toursAbandoned).reduce((sum, runs) => sum + runs, 0);
    this.#facts.show([
      ["People on tours", number(inSpaces)],
      ["Runs since the start", number(toursStarted)],
      ["Completed", number(toursCompleted)],
      ["Left early", number(left)],
    ]);
    // Stop 0 is the beginning: whoever left there has reached none.
    const stops = [...new Set([...Object.keys(tourStops), ...Object.keys(toursAbandoned)])];
    this.#table.show(stops.sort((a, b) => a - b).map((stop) => ({
      key: stop,
      cells: [
        stop === "0" ? "none" : stop, stop === "0" ? "" : number(tourStops[stop] ?? 0),
        number(toursAbandoned[stop] ?? 0),
      ],
    })));
  }
}

/** How long requests take, by kind. */
export class Requests {
  #table = new Table("Requests by kind", [
    { name: "Kind" }, { name: "Asked", isNumber: true }, { name: "Of these refused", isNumber: true },
    { name: "Half within", isNumber: true }, { name: "99 of 100", isNumber: true },
  ]);
  #nothing = make("p", { class: "quiet" }, "None since the start.");

  constructor() {
    document.getElementById("requests").append(this.#nothing, this.#table.element, meanings(requestMeanings));
  }

  show({ requests }) {
    const asked = Object.entries(requests).filter(([, kind]) => kind.count > 0);
    const rows = asked.sort(([, a], [, b]) => b.count - a.count);
    this.#nothing.hidden = rows.length > 0;
    this.#table.show(rows.map(([name, kind]) => ({
      key: name,
      cells: [
        plain(name), number(kind.count), number(kind.refused), micros(kind.p50Microseconds),
        micros(kind.p99Microseconds),
      ],
    })));
  }
}

/** The loops and what the process takes. */
export class Process {
  #state = make("p", { class: "verdict" });
  #facts = new Facts();
  #table = new Table("Loops", [
    { name: "Loop" }, { name: "Connections", isNumber: true }, { name: "Busy", isNumber: true },
    { name: "Late by", isNumber: true }, { name: "Ever", isNumber: true },
  ]);

  constructor() {
    document.getElementById("process").append(
      this.#state, this.#facts.element, this.#table.element, meanings(processMeanings));
  }

  show({ process, loops, queues, byFrontEnd, alarms }) {
    judge(this.#state, alarms, "process", "Every loop keeps up");
    const clients = Object.entries(byFrontEnd).map(([name, many]) => `${name} ${number(many)}`).join(", ");
    this.#facts.show([
      ["Memory", bytes(process.residentBytes)],
      ["Open files", `${number(process.openFiles)} of ${number(process.openFilesMax)}`,
        process.openFiles > process.openFilesMax * 0.8 ? "warn" : ""],
      ["Waiting to be sent", bytes(queues.outboxBytes)],
      ["Clients", clients || "none"],
    ]);
    this.#table.show(loops.map((loop, index) => ({
      key: String(index),
      cells: [
        String(index + 1), number(loop.connections), `${Math.round(loop.busy * 100)} %`, micros(loop.delayMicroseconds),
        micros(loop.delayMaxMicroseconds),
      ],
    })));
  }
}
