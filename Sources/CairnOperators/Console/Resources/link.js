// The stats protocol (cairn.stats.v1) over its WebSocket: a line out, lines of JSON back.

const firstPause = 500;
const longestPause = 8_000;
/** Without a line for this long the figures on the page are old news, in milliseconds. */
const silenceMax = 3_000;
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
 * (detail: a line of watch), `silence` (detail: seconds without a line from a server that is connected and silent; 0
 * when it speaks again).
 */
export class StatsLink extends EventTarget {
  #socket = null;
  #asked = [];
  #pause = firstPause;
  #heard = 0;
  #isSilent = false;
  state = "joining";

  constructor() {
    super();
    setInterval(() => this.#listen(), 1_000);
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v1/stats`, "cairn.stats.v1");
    let wasOpen = false;
    socket.addEventListener("open", () => {
      wasOpen = true;
      this.#socket = socket;
      this.#pause = firstPause;
      this.#heard = performance.now();
      this.#turn("live");
    });
    socket.addEventListener("message", (event) => {
      this.#heard = performance.now();
      if (this.#isSilent) this.#tellSilence(0);
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

  /** A server that is stopped or cut off closes nothing: only the lack of its lines tells. */
  #listen() {
    if (!this.#socket) return;
    const silence = performance.now() - this.#heard;
    if (silence >= silenceMax) this.#tellSilence(Math.floor(silence / 1_000));
  }

  #tellSilence(seconds) {
    this.#isSilent = seconds > 0;
    this.dispatchEvent(new CustomEvent("silence", { detail: seconds }));
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
    if (this.#isSilent) this.#tellSilence(0);
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
