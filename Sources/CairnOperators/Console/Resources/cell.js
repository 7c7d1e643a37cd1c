// The page of one cell: who is there by session, what lies there, what waits, what was refused.

import { CellThings } from "./things.js";
import { Facts, Table, bring, make, wide, write } from "./page.js";
import { NameButton } from "./who.js";
import { columnMeanings, meanings } from "./meanings.js";
import { link as linkTo } from "./ids.js";
import { bytes, figure, place, plain, seconds, sentence } from "./words.js";
import { wayBack } from "./trail.js";

/** Shows a cell while it is open, anew every second. */
export class CellPage {
  #link;
  #actions;
  #card = document.getElementById("cell-card");
  #facts = new Facts();
  /** What the server shows of a cell; the first column names it. */
  #columns = [];
  #sessions = new Table("Sessions in the cell", [
    { name: "Session" }, { name: "Client" }, { name: "Connected", isNumber: true },
    { name: "Queued", isNumber: true },
    { name: make("span", { class: "unseen" }, "Action") },
  ]);
  #refusals = new Table("Last refusals in the cell", [
    { name: "Refusal" }, { name: "By" }, { name: "Ago", isNumber: true },
  ]);
  #status = make("p", { class: "nothing", hidden: true });
  #noSessions = make("p", { class: "quiet" }, "Nobody is in this cell.");
  #noRefusals = make("p", { class: "quiet" }, "Nothing was refused here lately.");
  #notice = make(
    "button",
    { type: "button", "aria-label": "Notice to this cell", onclick: () => this.#actions.notice(this.token) }, "Notice");
  #content;
  #names;
  #meanings = make("div", {});
  #things;
  #asking = null;
  token = null;

  constructor(link, actions, onback, onshow) {
    this.#link = link;
    this.#actions = actions;
    this.#names = new NameButton(link, actions, this.#sessions.element);
    this.#content = make(
      "div", { class: "cell-content" }, this.#facts.element, this.#meanings,
      make("h3", {}, "Sessions"), this.#noSessions, make("div", { class: "naming" }, this.#names.element),
      wide("Sessions", this.#sessions.element),
      make("h3", {}, "Last refusals"), this.#noRefusals, wide("Last refusals", this.#refusals.element));
    this.#things = new CellThings(link, actions);
    this.heading = make("h2", { id: "cell-heading", tabindex: "-1" });
    this.#card.append(
      make(
        "div", { class: "card-head" },
        make("button", { type: "button", id: "cell-back", onclick: onback }, "All cells"), this.heading,
        this.#notice,
        make("button", { type: "button", "aria-label": "Show on map", onclick: () => onshow(this.token) }, "Show")),
      wayBack(),
      make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "The cell" }, this.#status,
        this.#content, this.#things.element));
  }

  /** Takes the columns, as the server describes them. */
  begin(columns) {
    this.#columns = columns;
    this.#meanings.replaceChildren(meanings(columnMeanings(columns)));
    this.#things.refresh();
  }

  /** The page that is open, for the way back; null = none. */
  get here() {
    return this.token ? { hash: `#cell/${this.token}`, title: this.heading.textContent } : null;
  }

  open(token) {
    const isOther = token !== this.token;
    this.token = token;
    if (isOther) this.#things.open(token);
    this.#card.hidden = false;
    write(this.heading, `Cell ${token}`);
    this.heading.focus({ preventScroll: true });
    bring(this.#card);
    if (isOther) {
      this.#content.hidden = true;
      this.#tell("Asking the server");
    }
    this.refresh();
  }

  close() {
    this.token = null;
    this.#things.open(null);
    this.#card.hidden = true;
  }

  async refresh() {
    const token = this.token;
    // What is slow is not asked twice.
    if (!token || token === this.#asking) return;
    this.#asking = token;
    try {
      const cell = await this.#link.ask(`cell ${token}`);
      if (token === this.token) this.#show(cell);
    } catch (error) {
      if (token !== this.token) return;
      this.#content.hidden = true;
      const isAsleep = error.code === "not_found";
      this.#tell(isAsleep ? "This cell is asleep: nobody is near it. What lies there is below."
        : sentence(error.message));
    } finally {
      if (this.#asking === token) this.#asking = null;
    }
  }

  #tell(text) {
    this.#status.hidden = false;
    write(this.#status, text);
  }

  #show(cell) {
    this.#status.hidden = true;
    this.#content.hidden = false;
    this.#notice.hidden = !this.#actions.has("notice");
    this.#facts.show([
      ...this.#columns.slice(1).map(({ name, title, unit }) => [title, figure(cell[name], unit)]),
      ["S2 level", String(cell.ground.properties.level)],
      ["Middle", place(cell.ground.geometry.coordinates[0].slice(0, 4)), "wide"],
    ]);
    const sessions = cell.sessions ?? [];
    this.#noSessions.hidden = sessions.length > 0;
    write(this.#noSessions, cell.sessions ? "Nobody is in this cell." : "Only admins see sessions.");
    this.#sessions.show(sessions.map((session) => ({
      key: session.session,
      cells: [
        () => this.#nameOf(session), session.frontEnd || "unnamed", seconds(session.connectedSeconds),
        bytes(session.queuedBytes) + (session.behind ? ", behind" : ""), () => this.#sessionButtons(session),
      ],
    })));
    this.#names.update();
    const refusals = cell.refusals ?? [];
    this.#noRefusals.hidden = refusals.length > 0;
    this.#refusals.show(refusals.map((refusal, index) => ({
      key: String(index), cells: [plain(refusal.code), refusal.component, seconds(refusal.secondsAgo)],
    })));
  }

  /** A session leads to its person, for whoever may look people up. */
  #nameOf({ session }) {
    return this.#actions.has("person") ? linkTo("account", session) : make("span", {}, session);
  }

  /** What can be done about a session: one button for each command that there is. */
  #sessionButtons({ session }) {
    const offers = [["kick", "Kick", () => this.#actions.kick(session)],
      ["ban", "Suspend", () => this.#actions.suspend(session)]];
    return make("span", { class: "choice" }, ...offers.filter(([name]) => this.#actions.has(name)).map(
      ([, text, act]) => {
        const onclick = async () => {
          if (!await act()) return;
          this.heading.focus();
          this.refresh();
        };
        return make("button", { type: "button", class: "small", "aria-label": `${text} ${session}`, onclick }, text);
      }));
  }
}
