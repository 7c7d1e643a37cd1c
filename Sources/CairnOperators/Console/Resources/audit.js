// The audit log: who did what to whom, when and why, page by page (ROL-5).

import { make, write } from "./page.js";
import { NameButton } from "./who.js";
import { count, midnight, plain, sentence } from "./words.js";
import { entries } from "./record.js";

/** Entries of a page. */
const rows = 50;

/** The card. It is there for operators whom the server lets read the log. It asks when it is told to, and not by
 * itself: what is read stays while it is read. */
export class Audit {
  #link;
  #actions;
  #card = document.getElementById("audit-card");
  #what = make("select", { onchange: () => this.#begin() },
    make("option", { value: "-look_up" }, "what was done"), make("option", { value: "" }, "everything"));
  #by = field("part of a name, address or id");
  #about = field("name, email or id");
  #from = make("input", { type: "date", onchange: () => this.#begin() });
  #to = make("input", { type: "date", onchange: () => this.#begin() });
  #words = make("p", { class: "quiet", role: "status" });
  #table = make("div", {});
  #names;
  #newer = make("button", { type: "button", onclick: () => this.#turn(-1) }, "Newer");
  #older = make("button", { type: "button", onclick: () => this.#turn(1) }, "Older");
  /** Where each page begins; null = at the newest entry. */
  #begins = [null];
  #page = 0;
  #isAsked = false;
  /** The question whose answer is awaited: another one takes its place. */
  #question = null;

  constructor(link, actions) {
    this.#link = link;
    this.#actions = actions;
    const form = make(
      "form", { class: "filters", onsubmit: (event) => { event.preventDefault(); this.#begin(); } },
      make("label", {}, "What ", this.#what), make("label", {}, "About ", this.#about),
      make("label", {}, "By ", this.#by), make("label", {}, "From ", this.#from), make("label", {}, "to ", this.#to),
      make("button", { type: "submit" }, "Show"));
    this.#names = new NameButton(link, actions, this.#table);
    document.getElementById("audit").append(
      form, this.#words, make("div", { class: "naming" }, this.#names.element), this.#table,
      make("nav", { class: "pages", "aria-label": "Pages of the audit log" }, this.#newer, this.#older));
  }

  /** The connection is there. */
  begin() {
    this.#card.hidden = !this.#actions.has("audit");
    if (!this.#card.hidden && !this.#isAsked) this.#look();
  }

  #begin() {
    [this.#begins, this.#page] = [[null], 0];
    this.#look();
  }

  #turn(by) {
    // Where the next page begins stands in the answer.
    if (this.#question) return;
    this.#page += by;
    this.#look();
  }

  #command() {
    const begin = this.#begins[this.#page];
    // A line break would begin another command, and a blank another word.
    const words = (input) => input.value.trim().split(/\s+/).filter(Boolean);
    return ["audit", `top=${rows}`, this.#what.value && `what=${this.#what.value}`,
      ...words(this.#by).map((part) => `by=${part}`), begin && `before=${begin}`,
      this.#from.value && `from=${midnight(this.#from.value)}`, this.#to.value && `to=${midnight(this.#to.value, 1)}`,
      ...words(this.#about)].filter(Boolean).join(" ");
  }

  async #look() {
    this.#isAsked = true;
    const question = this.#question = Symbol("question"), [begins, page] = [this.#begins, this.#page];
    try {
      const { audit, next, actions } = await this.#link.ask(this.#command());
      if (question !== this.#question) return;
      this.#offer(actions);
      begins[page + 1] = next;
      this.#table.replaceChildren(...(audit.length > 0 ? [entries("Audit log", audit)] : []));
      // What one question reads is bounded, so that there may be more behind an empty page.
      write(this.#words, audit.length === 0 ? next ? "None among the entries that were read; older ones may have some."
        : "No entry." : `Page ${page + 1}: ${count(audit.length, "entry", "entries")}`);
    } catch (error) {
      if (question !== this.#question) return;
      this.#table.replaceChildren();
      begins[page + 1] = null;
      write(this.#words, sentence(error.message));
    }
    this.#question = null;
    this.#names.update();
    this.#newer.disabled = page === 0;
    this.#older.disabled = !begins[page + 1];
  }

  /** What was done, as the server names it. */
  #offer(actions) {
    if (this.#what.options.length > 2) return;
    this.#what.append(...actions.map((value) => make("option", { value }, plain(value))));
  }
}

function field(placeholder) {
  return make("input", { type: "search", placeholder, autocomplete: "off", spellcheck: "false", maxlength: "100" });
}
