// What the server has told: every cell's figures, the totals, and where the cells lie.

const groundsAtOnce = 500;
const groundsMax = 50_000;

/** Events: `changed` after every whole look, `ground` when outlines have arrived. */
export class World extends EventTarget {
  /** Token to row. */
  cells = new Map();
  /** Token to the four corners, [longitude, latitude] each. */
  grounds = new Map();
  totals = null;
  /** Of the figures; milliseconds since 1970. */
  at = 0;
  #link;
  #pending = null;
  #isFetching = false;

  constructor(link) {
    super();
    this.#link = link;
    link.addEventListener("told", ({ detail }) => this.#take(detail));
  }

  /** Lines of one look come together; nobody sees half of one. */
  #take(line) {
    if (line.type !== "rows") this.#pending = { head: line, rows: [] };
    const pending = this.#pending;
    if (!pending) return;
    pending.rows.push(...line.cells);
    if (line.more) return;
    this.#pending = null;
    if (pending.head.type === "snapshot") this.cells.clear();
    for (const token of pending.head.gone ?? []) this.cells.delete(token);
    for (const row of pending.rows) this.cells.set(row.cell, row);
    this.totals = pending.head.totals;
    this.at = pending.head.at;
    this.dispatchEvent(new Event("changed"));
    this.#fetchGrounds();
  }

  async #fetchGrounds() {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      if (this.grounds.size > groundsMax) {
        for (const token of this.grounds.keys()) if (!this.cells.has(token)) this.grounds.delete(token);
      }
      for (let wanted = this.#wanted(); wanted.length > 0; wanted = this.#wanted()) {
        const { features } = await this.#link.ask(`ground ${wanted.join(" ")}`);
        for (const { id, geometry } of features) this.grounds.set(id, geometry.coordinates[0].slice(0, 4));
        this.dispatchEvent(new Event("ground"));
      }
    } catch {
      // The connection was lost; the next look asks again.
    } finally {
      this.#isFetching = false;
    }
  }

  #wanted() {
    const wanted = [];
    for (const token of this.cells.keys()) {
      if (!this.grounds.has(token)) wanted.push(token);
      if (wanted.length === groundsAtOnce) break;
    }
    return wanted;
  }
}
