// Open requests for an organisation account, and the organisations there are (ORG-2, ORG-3).

import { Table, make, wide, write } from "./page.js";
import { NameButton } from "./who.js";
import { link } from "./ids.js";
import { count, moment } from "./words.js";

/** Requests and organisations in the tables; `cairn admin organisation list` names more. */
const rowsMax = 50;

/** The card. It is there for operators whom the server lets decide, and for no other. */
export class Organisations {
  #link;
  #actions;
  #card = document.getElementById("organisations-card");
  #heading = document.getElementById("organisations-heading");
  #names;
  #waiting = make("p", { class: "quiet" });
  #words = make("p", { class: "quiet" });
  #requests = new Table("Open requests", [
    { name: "Account" }, { name: "Organisation" }, { name: "Justification" }, { name: "Asked" },
    { name: make("span", { class: "unseen" }, "Actions") },
  ]);
  #organisations = new Table("Organisations", [
    { name: "Organisation" }, { name: "Name" }, { name: "Members" }, { name: "State" },
    { name: make("span", { class: "unseen" }, "Actions") },
  ]);

  constructor(link, actions) {
    this.#link = link;
    this.#actions = actions;
    this.#names = new NameButton(link, actions, this.#requests.element);
    document.getElementById("organisations").append(
      make("h3", {}, "Open requests"), this.#waiting, make("div", { class: "naming" }, this.#names.element),
      wide("Open requests", this.#requests.element),
      make("h3", {}, "All organisations"), this.#words, wide("Organisations", this.#organisations.element));
    for (const event of ["organisations", "roles"]) actions.addEventListener(event, () => this.refresh());
  }

  /** The connection is there: offers what the server lets this operator do. */
  begin() {
    this.#card.hidden = !this.#actions.has("organisations");
    this.refresh();
  }

  /** Asks what there is. Another operator may have decided meanwhile. */
  async refresh() {
    if (!this.#actions.has("organisations")) return;
    try {
      this.#show(await this.#link.ask("organisations"));
    } catch {
      // The connection is gone; what is shown stays.
    }
  }

  #show({ open, requests, organisations }) {
    write(this.#waiting, open === 0 ? "Nobody asks for an account." : `${count(open, "request")} for an account.`);
    this.#requests.show(requests.slice(0, rowsMax).map(({ request, account, name, justification, at, known }) => ({
      key: `${request} ${known}`,
      cells: [
        () => link("account", account),
        known ? () => make("span", {}, `${name} (there is `, link("organisation", known), ")") : name, justification,
        moment(at),
        () => this.#buttons(request, [
          ["organisation-accept", "Accept", () => this.#actions.acceptOrganisation(request, name)],
          ["organisation-deny", "Deny", () => this.#actions.denyOrganisation(request, name)],
        ]),
      ],
    })));
    this.#names.update();
    write(this.#words, organisations.length === 0 ? "There is none." : count(organisations.length, "organisation"));
    this.#organisations.show(organisations.slice(0, rowsMax).map(({ organisation, name, members, suspended }) => ({
      key: `${organisation} ${suspended} ${members.length}`,
      cells: [
        () => link("organisation", organisation), name, String(members.length), suspended ? "suspended" : "active",
        () => this.#buttons(organisation, [suspended
          ? ["organisation-reinstate", "Reinstate", () => this.#actions.reinstateOrganisation(organisation)]
          : ["organisation-suspend", "Suspend", () => this.#actions.suspendOrganisation(organisation)]]),
      ],
    })));
  }

  #buttons(of, offers) {
    const back = (done) => {
      // The row may have gone, and the focus with it.
      if (done) this.#heading.focus();
    };
    return make("div", { class: "choice" }, ...offers.filter(([name]) => this.#actions.has(name)).map(
      ([, text, act]) => make("button", {
        type: "button", class: "small", "aria-label": `${text} ${of}`, onclick: async () => back(await act()),
      }, text)));
  }
}
