// The stats protocol (cairn.stats.v1) over its WebSocket: a line out, lines of JSON back.

const firstPause = 500;
const longestPause = 8_000;
/** Answers that may be outstanding; the server reads no more than this ahead. */
const askedMax = 32;

/** The server's coded "no" to a command. */
export class Refused extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/**
 * A connection to the stats room that comes back by itself. Events: `state` (detail: joining, live, away), `told`
 * (detail: a line of watch).
 */
export class StatsLink extends EventTarget {
  #socket = null;
  #asked = [];
  #pause = firstPause;
  state = "joining";

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v1/stats`, "cairn.stats.v1");
    let wasOpen = false;
    socket.addEventListener("open", () => {
      wasOpen = true;
      this.#socket = socket;
      this.#pause = firstPause;
      this.#turn("live");
    });
    socket.addEventListener("message", (event) => {
      for (const line of event.data.split("\n")) this.#take(JSON.parse(line));
    });
    socket.addEventListener("close", () => this.#closed(wasOpen));
  }

  /** Asks one command; gives the answer with its pages put together, or throws `Refused`. */
  ask(command) {
    if (!this.#socket) return Promise.reject(new Error("the server is not connected"));
    if (this.#asked.length >= askedMax) return Promise.reject(new Error("too much is being asked"));
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject, answer: null });
      this.#socket.send(command);
    });
  }

  /** Has the server tell what changes, every second. */
  watch() {
    this.#socket?.send("watch 1");
  }

  #take(line) {
    if (["snapshot", "rows", "update"].includes(line.type)) {
      this.dispatchEvent(new CustomEvent("told", { detail: line }));
      return;
    }
    const first = this.#asked[0];
    if (!first) return;
    if (first.answer) first.answer.cells.push(...line.cells);
    else first.answer = line;
    if (line.more) return;
    this.#asked.shift();
    if (line.error) first.reject(new Refused(line.error));
    else first.resolve(first.answer);
  }

  async #closed(wasOpen) {
    this.#socket = null;
    const asked = this.#asked;
    this.#asked = [];
    for (const { reject } of asked) reject(new Error("the connection to the server is lost"));
    this.#turn("away");
    // A browser does not say why a WebSocket was refused; a page does. Without a cookie there is the form.
    if (!wasOpen && await isLockedOut()) return location.reload();
    setTimeout(() => this.open(), this.#pause);
    this.#pause = Math.min(longestPause, this.#pause * 2);
  }

  #turn(state) {
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }
}

async function isLockedOut() {
  try {
    return (await fetch("/v1/operator", { cache: "no-store" })).status === 403;
  } catch {
    return false;
  }
}
