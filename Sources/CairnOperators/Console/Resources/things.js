// What lies in a cell, page by page, and how many people are in the squares around it.

import { Table, make, wide, write } from "./page.js";
import { NameButton } from "./who.js";
import { count, moment, plain, sentence } from "./words.js";
import { link } from "./ids.js";
import { squaresPlan, thingsPlan } from "./plan.js";

/** Things of a page. */
const rows = 50;
const orders = { newest: "newest first", oldest: "oldest first", kind: "by kind", owner: "by owner" };

/** The part of a cell's page that is there whether the cell is awake or not. It asks when the page is opened and when
 * it is told to. */
export class CellThings {
  #link;
  #actions;
  #token = null;
  #from = 0;
  #next = null;
  #plan = make("div", {});
  #squares = make("div", {});
  #squareWords = make("p", { class: "quiet" });
  #words = make("p", { class: "quiet", role: "status" });
  #damaged = make("p", { class: "quiet", "data-tone": "bad", hidden: true });
  #order = make("select", { "aria-label": "Order of the things", onchange: () => this.#turn(0) },
    ...Object.entries(orders).map(([value, text]) => make("option", { value }, text)));
  #back = make("button", { type: "button", class: "small", onclick: () => this.#turn(this.#from - rows) }, "Before");
  #on = make("button", { type: "button", class: "small", onclick: () => this.#turn(this.#next) }, "Further");
  #table = new Table("Things in the cell", [
    { name: "Thing" }, { name: "What", isProse: true }, { name: "Owner" }, { name: "Since" }, { name: "Seen by" },
  ]);
  #things;
  #names;
  element;

  constructor(link, actions) {
    this.#link = link;
    this.#actions = actions;
    this.#names = new NameButton(link, actions, this.#table.element);
    this.#things = make(
      "div", { class: "cell-content", hidden: true }, make("h3", {}, "Things"),
      make("div", { class: "choice" }, this.#order, this.#back, this.#on,
        make("button", { type: "button", class: "small", onclick: () => this.#look() }, "Look again"),
        this.#names.element),
      this.#words, this.#damaged, wide("Things", this.#table.element), this.#plan);
    this.element = make("div", {}, this.#things, make(
      "div", { class: "cell-content" }, make("h3", {}, "People around"), this.#squareWords, this.#squares));
  }

  /** Shows the things of a cell; null = of none. */
  open(token) {
    this.#token = token;
    this.#plan.replaceChildren();
    this.#squares.replaceChildren();
    this.#table.show([]);
    this.#from = 0;
    if (token) this.#look();
  }

  /** Asks anew, as after a new connection. */
  refresh() {
    if (this.#token) this.#look();
  }

  #turn(from) {
    this.#from = Math.max(0, from ?? 0);
    this.#look();
  }

  async #look() {
    const token = this.#token;
    try {
      const { features: [{ geometry }] } = await this.#link.ask(`ground ${token}`);
      const ground = geometry.coordinates[0].slice(0, 4);
      const squares = await this.#link.ask(`squares ${token}`);
      if (token !== this.#token) return;
      this.#showSquares(squares, ground);
      this.#things.hidden = !this.#actions.has("things");
      if (this.#things.hidden) return;
      const page = await this.#link.ask(`things ${token} ${this.#order.value} from=${this.#from} top=${rows}`);
      if (token === this.#token) this.#show(page, ground);
    } catch (error) {
      if (token !== this.#token) return;
      this.#things.hidden = false;
      write(this.#words, sentence(error.message));
    }
  }

  #showSquares({ metres, people, squares }, ground) {
    const many = squares.length > 1 ? `the ${squares.length} squares` : "the square";
    write(this.#squareWords, `${count(people, "person", "people")} in ${many} of ${count(metres, "metre")} that it \
touches, the coarsest that anybody is seen by.`);
    this.#squares.replaceChildren(squaresPlan(ground, squares));
  }

  #show({ of, things, damaged, damagedCount, next }, ground) {
    this.#next = next;
    this.#back.disabled = this.#from === 0;
    this.#on.disabled = next === null;
    write(this.#words, of === 0 ? "Nothing lies here." : things.length === of ? count(of, "thing")
      : `${this.#from + 1} to ${this.#from + things.length} of ${count(of, "thing")}`);
    this.#damaged.hidden = damagedCount === 0;
    write(this.#damaged, `${count(damagedCount, "row is damaged and left out", "rows are damaged and left out")}: \
${damaged.join(", ")}`);
    this.#plan.replaceChildren(...(things.length > 0 ? [thingsPlan(ground, things)] : []));
    this.#table.show(things.map(({ thing, kind, what, text, owner, created, audience }) => ({
      key: thing,
      cells: [
        () => link("thing", thing), [plain(kind), what, text].filter(Boolean).join(": "), () => link("account", owner),
        moment(created), audience === "realms" ? "sub-realms" : audience,
      ],
    })));
    this.#names.update();
  }
}
