// Names that the server has told this page. They are looked up when the operator asks, and each look is in the record.

/** Ids in one question for names; the server takes no more. */
const askedMax = 50;
/** Names that are kept; beyond them the first that were told are forgotten. */
const keptMax = 2_000;

/** Event `named` (detail: an id) when the name of an account, or of the account of a session, is known. */
export class Names extends EventTarget {
  /** Id to name; null = there is none. */
  #names = new Map();
  /** Ids that are being asked for. */
  #asked = new Set();

  /** Whether it was told which name an id has, or that it has none. */
  has(id) {
    return this.#names.has(id);
  }

  /** The name of an id; null = it has none, or it was not told. */
  of(id) {
    return this.#names.get(id) ?? null;
  }

  /** An id as operators know it: with its name, where that was told. */
  called(id) {
    return this.of(id) ? `${this.of(id)} (${id})` : id;
  }

  learn(id, name) {
    if (this.#names.get(id) === name) return;
    this.#names.delete(id);
    this.#names.set(id, name);
    if (this.#names.size > keptMax) this.#names.delete(this.#names.keys().next().value);
    this.dispatchEvent(new CustomEvent("named", { detail: id }));
  }

  /** Learns what the page of a person tells. */
  learnPerson({ account, name = null, sessions = [] }) {
    for (const id of [account, ...sessions.map(({ session }) => session)]) this.learn(id, name);
  }

  /**
   * Asks for the names of ids that were not told yet and are not being asked for: who presses a button twice has looked
   * once. `ask` sends a command and gives the answer.
   */
  async look(ids, ask) {
    const wanted = [...new Set(ids)].filter((id) => !this.has(id) && !this.#asked.has(id));
    for (const id of wanted) this.#asked.add(id);
    try {
      for (let at = 0; at < wanted.length; at += askedMax) {
        const { names } = await ask(`names ${wanted.slice(at, at + askedMax).join(" ")}`);
        for (const { id, account, name } of names) {
          this.learn(id, name);
          if (account) this.learn(account, name);
        }
      }
    } finally {
      for (const id of wanted) this.#asked.delete(id);
    }
  }
}

/** Those of this page. */
export const people = new Names();
