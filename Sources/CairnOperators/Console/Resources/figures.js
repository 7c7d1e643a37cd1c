// Totals with curves, and the cards below the map.

import { Facts, Table, make, write } from "./page.js";
import { Spark } from "./spark.js";
import { bytes, count, micros, number, plain, seconds } from "./words.js";

const tiles = [
  {
    name: "People", series: "people", value: (totals) => totals.people,
    words: (totals) => `${count(totals.users, "user")}, ${count(totals.guests, "guest")}`,
  },
  {
    name: "Connections", series: "connections", value: (totals) => totals.connections,
    words: (totals) => `${totals.behind} behind, ${totals.detached} cut`,
  },
  {
    name: "Messages out/s", series: "messagesOutPerSecond", value: (totals) => totals.rates.messagesOut,
    words: (totals) => `${bytes(totals.rates.bytesOut)}/s`,
  },
  {
    name: "Events/s", series: "eventsPerSecond", value: (totals) => totals.rates.events,
    words: (totals) => `${number(totals.rates.changes)} changes/s to disk`,
  },
  {
    name: "Refusals/s", series: "refusalsPerSecond", value: (totals) => totals.rates.refusals,
    words: (totals) => `${number(totals.refusals)} since the start`,
  },
  {
    name: "Waiting for disk", series: "backlogChanges", value: (totals) => totals.queues.backlogChanges,
    words: (totals) => (totals.queues.backlogChanges > 0
      ? `oldest ${micros(totals.queues.oldestUnsavedMilliseconds * 1_000)}` : "nothing waits"),
  },
];

/** The row of totals. */
export class Totals {
  #tiles = tiles.map((tile) => {
    const spark = new Spark(tile.name);
    const value = make("p", { class: "value" }, "–");
    const words = make("p", { class: "quiet" });
    const element = make("div", { class: "tile" }, make("h3", {}, tile.name), value, spark.element, words);
    return { ...tile, spark, value: value, read: tile.value, say: tile.words, words, element };
  });

  constructor() {
    document.getElementById("totals").append(...this.#tiles.map(({ element }) => element));
  }

  begin(history) {
    for (const { spark, series } of this.#tiles) spark.begin(history[series]);
  }

  show(totals) {
    for (const { spark, value, read, say, words } of this.#tiles) {
      spark.add(read(totals));
      write(value, number(read(totals)));
      write(words, say(totals));
    }
  }
}

/** What was refused, dropped, closed and turned away, by reason. */
export class Noes {
  #groups = {
    refusals: "Refused", drops: "Dropped", closures: "Closed", transport: "Rejected", operators: "Operators",
  };
  #table = new Table("Refusals, drops and closures by reason", [
    { name: "Reason" }, { name: "What" }, { name: "Last minute", isNumber: true },
    { name: "Since start", isNumber: true },
  ]);
  #nothing = make("p", { class: "quiet" }, "Nothing since the start.");
  /** Looks of the last minute, oldest first. */
  #looks = [];

  constructor() {
    document.getElementById("noes").append(this.#nothing, this.#table.element);
  }

  forget() {
    this.#looks = [];
  }

  show(answer) {
    this.#looks.push(answer);
    while (answer.at - this.#looks[0].at > 60_000) this.#looks.shift();
    const rows = [];
    for (const [group, what] of Object.entries(this.#groups)) {
      for (const [reason, value] of Object.entries(answer[group])) {
        if (value === 0) continue;
        const lately = value - (this.#looks[0][group][reason] ?? 0);
        const cells = [plain(reason), what, number(lately), number(value)];
        rows.push({ key: `${group}.${reason}`, lately, value, cells });
      }
    }
    rows.sort((a, b) => b.lately - a.lately || b.value - a.value);
    this.#nothing.hidden = rows.length > 0;
    this.#table.show(rows);
  }
}

/** How the disk keeps up, and when the last copy was made. */
export class Disk {
  #state = make("p", { class: "verdict" });
  #facts = new Facts();

  constructor() {
    document.getElementById("disk").append(this.#state, this.#facts.element);
  }

  show({ store, queues, alarms }, at) {
    // The worst first, and all alarms are of the disk so far: the server says what each means.
    this.#state.dataset.tone = alarms[0]?.severity ?? "good";
    write(this.#state, alarms.length > 0 ? alarms.map(({ text }) => text).join(". ") : "Everything is on disk");
    const last = store.lastBackup;
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
    document.getElementById("services").append(this.#state, this.#facts.element);
  }

  show({ queues }) {
    const down = queues.adaptorsDown;
    this.#state.dataset.tone = down > 0 ? "bad" : "good";
    write(this.#state, down > 0 ? `${count(down, "adaptor")} down for a minute or more` : "Every adaptor is up");
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
    { name: "Kind" }, { name: "Answered", isNumber: true }, { name: "Refused", isNumber: true },
    { name: "Half within", isNumber: true }, { name: "99 of 100", isNumber: true },
  ]);
  #nothing = make("p", { class: "quiet" }, "None since the start.");

  constructor() {
    document.getElementById("requests").append(this.#nothing, this.#table.element);
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
  #facts = new Facts();
  #table = new Table("Loops", [
    { name: "Loop" }, { name: "Connections", isNumber: true }, { name: "Busy", isNumber: true },
    { name: "Late by", isNumber: true }, { name: "Ever", isNumber: true },
  ]);

  constructor() {
    document.getElementById("process").append(this.#facts.element, this.#table.element);
  }

  show({ process, loops, queues, byFrontEnd }) {
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
