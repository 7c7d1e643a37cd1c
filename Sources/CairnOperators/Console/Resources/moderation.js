// What operators do about people and what they leave, and who is suspended.

import { Table, make, wide, write } from "./page.js";
import { NameButton } from "./who.js";
import { link } from "./ids.js";
import { count, moment, noReason } from "./words.js";

/** Suspended accounts in the table, the newest first; `cairn stats bans` names more. */
const rowsMax = 100;

/** The card. It is there for operators whom the server lets do these things, and for no other. */
export class Moderation {
  #link;
  #actions;
  #card = document.getElementById("moderation-card");
  #heading = document.getElementById("moderation-heading");
  #buttons = make("div", { class: "choice", role: "group", "aria-label": "People and instances" });
  #words = make("p", { class: "quiet" });
  #table = new Table("Suspended accounts", [
    { name: "Account" }, { name: "Since" }, { name: "Until" }, { name: "Reason", isProse: true },
    { name: make("span", { class: "unseen" }, "Action") },
  ]);

  #names;

  constructor(link, actions) {
    this.#link = link;
    this.#actions = actions;
    this.#names = new NameButton(link, actions, this.#table.element);
    document.getElementById("moderation").append(
      this.#buttons, make("h3", {}, "Suspended accounts"), this.#words,
      make("div", { class: "naming" }, this.#names.element), wide("Suspended accounts", this.#table.element));
    actions.addEventListener("suspensions", () => this.refresh());
  }

  /** The connection is there: offers what the server lets this operator do. */
  begin() {
    const offers = [
      ["kick", "Kick", () => this.#actions.kick()], ["ban", "Suspend", () => this.#actions.suspend()],
      ["remove", "Remove instance", () => this.#actions.remove()],
    ].filter(([name]) => this.#actions.has(name));
    this.#card.hidden = offers.length === 0;
    // The same buttons stay: the focus may be on one of them.
    if (this.#buttons.childElementCount !== offers.length) {
      this.#buttons.replaceChildren(...offers.map(([name, text, onclick]) => (
        make("button", { type: "button", "data-action": name, class: "grave", onclick }, text))));
    }
    this.refresh();
  }

  /** Asks who is suspended. Another operator may have acted meanwhile. */
  async refresh() {
    if (!this.#actions.has("bans")) return;
    try {
      this.#show(await this.#link.ask("bans"));
    } catch {
      // The connection is gone; what is shown stays.
    }
  }

  #show({ count: total, suspended }) {
    const shown = suspended.slice(0, rowsMax);
    const rest = total > shown.length ? `; the ${shown.length} newest are here, cairn stats bans names more` : "";
    write(this.#words, total === 0 ? "No account is suspended." : count(total, "account") + rest);
    this.#table.show(shown.map(({ account, since, until, reason }) => ({
      key: account,
      cells: [
        () => link("account", account), since > 0 ? moment(since) : "unknown", until ? moment(until) : "reinstated",
        reason || noReason,
        () => this.#button(account),
      ],
    })));
    this.#names.update();
  }

  #button(account) {
    const onclick = async () => {
      // The row goes, and the focus with it.
      if (await this.#actions.reinstate(account)) this.#heading.focus();
    };
    return make("button", { type: "button", class: "small", "aria-label": `Reinstate ${account}`, onclick },
      "Reinstate");
  }
}
