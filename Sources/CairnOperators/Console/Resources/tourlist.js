// The tours of all organisations, page by page, when an operator asks for them.

import { Table, make, wide, write } from "./page.js";
import { count, number, sentence } from "./words.js";
import { link } from "./ids.js";

/** Tours of a page. */
const rows = 25;
/** Tours of an answer, as the server bounds it. */
const listedMax = 1_000;

/** The lower part of the card of tours. It asks when it is told to: the server reads every organisation's tours. */
export class TourList {
  #link;
  #actions;
  #tours = [];
  #page = 0;
  #words = make("p", { class: "quiet", role: "status" });
  #ask = make("button", { type: "button", class: "small", hidden: true, onclick: () => this.#look() },
    "List the tours");
  #back = make("button", { type: "button", onclick: () => this.#turn(-1) }, "Previous");
  #on = make("button", { type: "button", onclick: () => this.#turn(1) }, "Next");
  #pages = make("nav", { class: "pages", "aria-label": "Pages of the tours", hidden: true }, this.#back, this.#on);
  #table = new Table("All tours", [{ name: "Tour", isProse: true }, { name: "State" }, { name: "Organisation" }]);

  constructor(link, actions) {
    this.#link = link;
    this.#actions = actions;
    this.#table.show([]);
    document.getElementById("tours").append(
      make("div", { class: "naming" }, this.#ask), this.#words, wide("All tours", this.#table.element), this.#pages);
  }

  /** The connection is there: offers what the server lets this operator do. */
  begin() {
    this.#ask.hidden = !this.#actions.has("tours");
  }

  async #look() {
    try {
      this.#tours = (await this.#link.ask("tours")).tours;
      this.#page = 0;
      this.#show();
    } catch (error) {
      write(this.#words, sentence(error.message));
    }
  }

  #turn(by) {
    this.#page += by;
    this.#show();
  }

  #show() {
    const [all, from] = [this.#tours.length, this.#page * rows];
    const shown = this.#tours.slice(from, from + rows);
    const rest = all === listedMax ? ", and there may be more: cairn stats tours ORGANISATION lists those of one" : "";
    write(this.#words, all === 0 ? "There is none." : all <= rows ? `${count(all, "tour")}, drafts as well.`
      : `${number(from + 1)} to ${number(from + shown.length)} of ${count(all, "tour")}, by organisation${rest}.`);
    this.#pages.hidden = all <= rows;
    this.#back.disabled = this.#page === 0;
    this.#on.disabled = from + rows >= all;
    this.#table.show(shown.map(({ tour, name, state, organisation }) => ({
      // A row whose tour has changed is another row.
      key: `${tour} ${name} ${state}`,
      cells: [() => link("tour", tour, name || tour), state, () => link("organisation", organisation)],
    })));
  }
}
