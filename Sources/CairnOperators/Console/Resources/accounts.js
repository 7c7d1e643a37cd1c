// Who has a role beyond the usual one, and the accounts whose names begin as the operator writes (ROL-5).

import { Table, make, wide, write } from "./page.js";
import { link } from "./ids.js";
import { count, moment } from "./words.js";
import { people } from "./names.js";

/** Accounts in the table; `cairn stats accounts` names more. */
const rowsMax = 50;
const roles = ["admin", "organisation"];

/** The card. It is there for operators whom the server lets list accounts, and for no other. */
export class Accounts {
  #link;
  #actions;
  #card = document.getElementById("accounts-card");
  #heading = document.getElementById("accounts-heading");
  #words = make("p", { class: "quiet" });
  #prefix = make("input", {
    id: "accounts-prefix", type: "search", placeholder: "beginning of a name", autocomplete: "off",
    spellcheck: "false", maxlength: "40",
  });
  #table = new Table("Accounts", [
    { name: "Account" }, { name: "Role" }, { name: "Since" }, { name: "State" },
    { name: make("span", { class: "unseen" }, "Actions") },
  ]);

  constructor(link, actions) {
    this.#link = link;
    this.#actions = actions;
    const search = make(
      "form", { class: "filters", onsubmit: (event) => { event.preventDefault(); this.refresh(); } },
      make("label", {}, "Find ", this.#prefix), make("button", { type: "submit" }, "Find"));
    document.getElementById("accounts").append(
      search, this.#words, wide("Accounts", this.#table.element));
    actions.addEventListener("suspensions", () => this.refresh());
    actions.addEventListener("roles", () => this.refresh());
  }

  /** The connection is there: offers what the server lets this operator do. */
  begin() {
    this.#card.hidden = !this.#actions.has("accounts");
    this.refresh();
  }

  /** Asks who is there. Another operator may have acted meanwhile. */
  async refresh() {
    if (!this.#actions.has("accounts")) return;
    const prefix = this.#prefix.value.trim();
    try {
      if (prefix) {
        this.#show((await this.#link.ask(`accounts ${prefix.replace(/\s+/g, "_")}`)).accounts, prefix);
      } else {
        const answers = await Promise.all(roles.map((role) => this.#link.ask(`accounts role=${role}`)));
        this.#show(answers.flatMap(({ accounts }) => accounts), "");
      }
    } catch {
      // The connection is gone; what is shown stays.
    }
  }

  #show(accounts, prefix) {
    const shown = accounts.slice(0, rowsMax);
    const rest = accounts.length > shown.length ? `; ${shown.length} are here, cairn stats accounts names more` : "";
    const nobody = prefix ? "No name begins so." : "Nobody is an admin or belongs to an organisation.";
    const which = prefix ? "" : " of admins and organisations; the others are found by name";
    write(this.#words, accounts.length === 0 ? nobody : count(accounts.length, "account") + which + rest);
    for (const account of shown) people.learnPerson(account);
    this.#table.show(shown.map(({ account, role, created, suspended }) => ({
      // A row whose account has changed is another row: its buttons are made anew.
      key: `${account} ${role} ${suspended}`,
      cells: [
        () => link("account", account), role, moment(created), suspended ? "suspended" : "active",
        () => this.#buttons(account, role, suspended),
      ],
    })));
  }

  #buttons(account, role, isSuspended) {
    const back = (done) => {
      // The row may have gone, and the focus with it.
      if (done) this.#heading.focus();
    };
    const offers = [
      ["role", "Role", () => this.#actions.setRole(account, role)],
      ["organisation-add", "Organisation", () => this.#actions.joinOrganisation(account)],
      ["sign-out", "Sign out", () => this.#actions.signOut(account)],
      isSuspended
        ? ["unban", "Reinstate", () => this.#actions.reinstate(account)]
        : ["ban", "Suspend", () => this.#actions.suspend(account)],
    ].filter(([name]) => this.#actions.has(name));
    return make("div", { class: "choice" }, ...offers.map(([, text, act]) => (
      make("button", {
        type: "button", class: "small", "aria-label": `${text} ${account}`, onclick: async () => back(await act()),
      }, text))));
  }
}
