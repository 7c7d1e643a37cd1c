// The page of one person, thing, tour, organisation or entry of feedback: what it is, what can be done, what was done.

import { Facts, Table, bring, make, wide, write } from "./page.js";
import { NameButton } from "./who.js";
import { link } from "./ids.js";
import { count, moment, noReason, place, plain, seconds, sentence } from "./words.js";
import { people } from "./names.js";
import { record } from "./record.js";
import { wayBack } from "./trail.js";

/** What each kind of page asks, is called, and shows. */
const makers = {
  account: { ask: (id) => `person ${id}`, name: "Person", show: person },
  thing: { ask: (id) => `thing ${id}`, name: "Thing", show: thing },
  tour: { ask: (id) => `tour ${id}`, name: "Tour", show: tour },
  organisation: { ask: (id) => `organisation ${id}`, name: "Organisation", show: organisation },
  feedback: { ask: (id) => `feedback id=${id}`, name: "Feedback", show: feedback },
};

/** What harms nobody. */
const mild = new Set(["unban", "organisation-reinstate", "organisation-add", "role", "handle"]);
/** Milliseconds in which a second press is of the button of before. */
const settleMs = 700;

/** The card beside the map. It asks when it is opened and after what is done on it, and not by itself: each look at a
 * person stands in the record. */
export class Pages {
  #link;
  #actions;
  #card = document.getElementById("page-card");
  #status = make("p", { class: "nothing", role: "status", hidden: true });
  #content = make("div", { class: "cell-content" });
  #names;
  #open = null;
  #hasActed = false;
  heading = make("h2", { id: "page-heading", tabindex: "-1" });

  constructor(link, actions, onback) {
    this.#link = link;
    this.#actions = actions;
    this.#names = new NameButton(link, actions, this.#content);
    this.#card.append(
      make("div", { class: "card-head" }, make("button", { type: "button", onclick: onback }, "All cells"),
        this.heading, make("button", { type: "button", onclick: () => this.refresh() }, "Look again")),
      wayBack(),
      make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "The page" }, this.#status,
        make("div", { class: "naming" }, this.#names.element), this.#content));
  }

  /** The page that is open, for the way back; null = none. */
  get here() {
    return this.#open && { hash: `#${this.#open.kind}/${this.#open.id}`, title: this.heading.textContent };
  }

  /** Opens the page of an id; of a kind that is shown elsewhere, and of nothing, closes. Gives whether it is open. */
  open(page) {
    this.#open = page && makers[page.kind] ? page : null;
    this.#card.hidden = this.#open === null;
    if (this.#open) {
      this.#content.replaceChildren();
      this.#names.update();
      this.#name(page.id);
      this.heading.focus({ preventScroll: true });
      bring(this.#card);
      this.refresh();
    }
    return this.#open !== null;
  }

  async refresh() {
    const page = this.#open;
    if (!page) return;
    this.#tell("Asking the server");
    try {
      const answer = await this.#link.ask(makers[page.kind].ask(page.id));
      if (page !== this.#open) return;
      this.#status.hidden = true;
      if (page.kind === "account") {
        people.learnPerson(answer);
        // A session ends, and its person stays.
        page.id = answer.account;
        history.replaceState(history.state, "", `#account/${page.id}`);
      }
      this.#name(answer.name ? `${page.id} · ${answer.name}` : page.id);
      const ask = (command) => this.#link.ask(command);
      this.#content.replaceChildren(...makers[page.kind].show(answer, this.#tools(), page.id, ask));
      this.#names.update();
    } catch (error) {
      if (page !== this.#open) return;
      // What there is no more cannot be acted upon.
      if (error.code === "not_found") this.#content.replaceChildren();
      this.#tell(sentence(error.message));
    }
  }

  #name(words) {
    write(this.heading, `${makers[this.#open.kind].name} ${words}`);
  }

  #tell(text) {
    this.#status.hidden = false;
    write(this.#status, text);
  }

  /** Buttons for what the server offers: [command, text, act]. After an act the page is asked for anew, and other
   * buttons stand where the pointer is: they can be pressed a moment later. */
  #tools() {
    const isSettling = this.#hasActed;
    this.#hasActed = false;
    return (...offers) => {
      const known = offers.filter((offer) => offer && this.#actions.has(offer[0]));
      const buttons = known.map(([name, text, act]) => make("button", {
        type: "button", "data-action": name, class: mild.has(name) ? "" : "grave", disabled: isSettling,
        onclick: async () => {
          if (!await act(this.#actions)) return;
          this.#hasActed = true;
          this.heading.focus({ preventScroll: true });
          this.refresh();
        },
      }, text));
      if (isSettling) setTimeout(() => buttons.forEach((button) => { button.disabled = false; }), settleMs);
      return make("div", { class: "choice", role: "group", "aria-label": "What can be done" }, ...buttons);
    };
  }
}

function facts(...pairs) {
  const list = new Facts();
  list.show(pairs.filter(Boolean));
  return list.element;
}

/** A table under its heading, or a sentence. */
function listed(name, columns, rows, nothing) {
  const table = new Table(name, columns);
  table.show(rows.map((cells, index) => ({ key: String(index), cells })));
  return [make("h3", {}, name), rows.length > 0 ? wide(name, table.element) : make("p", { class: "quiet" }, nothing)];
}

/** What somebody has left, a page at a time: each is asked for by its button, as it stands in the record. What is
 * damaged in any of them is counted. */
export function left({ tours, ...first }, holds, older) {
  const columns = [{ name: "Thing" }, { name: "What", isProse: true }, { name: "Cell" }, { name: "Since" },
    { name: "Seen by" }];
  const table = new Table("What they left", columns);
  const [words, button] = [make("p", { class: "quiet", role: "status" }), make("button", { type: "button",
    class: "small" }, "Older")];
  const damage = make("p", { "data-tone": "bad", role: "status", hidden: true });
  let [shown, from, damaged] = [[], null, 0];
  const show = (page) => {
    [shown, from, damaged] = [[...shown, ...page.things], page.next, damaged + page.damagedCount];
    damage.hidden = damaged === 0;
    write(damage, `${count(damaged, "row is", "rows are")} damaged and left out.`);
    table.show(shown.map(({ thing: id, kind, what, text, cell, created, audience }) => ({
      key: id,
      cells: [() => link("thing", id), [plain(kind), what, text].filter(Boolean).join(": "), () => link("cell", cell),
        moment(created), audience === "realms" ? "sub-realms" : audience],
    })));
    const all = Object.values(holds).reduce((sum, one) => sum + one, 0);
    const { length } = shown, isWhole = damaged === 0;
    write(words, from !== null ? `The newest ${length} of ${all}.`
      : length === 0 ? isWhole ? "Nothing." : "Nothing that can be read."
        : isWhole ? `All ${length}, newest first.` : `The ${length} that can be read, newest first.`);
    button.hidden = from === null;
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      show(await older(from));
    } catch (error) {
      write(words, sentence(error.message));
    }
    button.disabled = false;
  });
  show(first);
  return [
    make("h3", { id: "left-heading", tabindex: "-1" }, "What they left"), words, wide("What they left", table.element),
    make("div", { class: "choice" }, button), damage,
    ...(tours.length > 0 ? listed("Tours of their organisation", tourColumns, tours.map(tourCells), "") : []),
  ];
}

const tourColumns = [{ name: "Tour" }, { name: "Name", isProse: true }, { name: "State" }];

function tourCells({ tour: id, name, state }) {
  return [() => link("tour", id), name, state];
}

function person(answer, tools, id, ask) {
  const { account, name, role, created, suspended, sessions, holds, organisation: one, walks } = answer;
  return [
    tools(
      sessions.length > 0 && ["kick", "Kick", (actions) => actions.kick(account)],
      suspended ? ["unban", "Reinstate", (actions) => actions.reinstate(account)]
        : ["ban", "Suspend", (actions) => actions.suspend(account)],
      ["sign-out", "Sign out everywhere", (actions) => actions.signOut(account)],
      role && ["role", "Role", (actions) => actions.setRole(account, role)],
      role && role !== "admin" && ["organisation-add", "Organisation", (actions) => actions.joinOrganisation(account)]),
    facts(
      ["Name", answer.isDamaged ? "unknown: its row is damaged, nobody signs in to it" : name, "wide"],
      ["Account", account], role && ["Role", role], created && ["Since", moment(created)],
      ["State", suspended ? `suspended ${suspended.since > 0 ? moment(suspended.since) : ""}` : "active",
        suspended && "bad"],
      suspended && ["Until", suspended.until ? moment(suspended.until) : "somebody reinstates it"],
      suspended && ["Why", suspended.reason || noReason, "wide"],
      ...Object.entries(holds).map(([kind, number]) => [plural(kind), String(number)])),
    ...(one ? [make("p", {}, "Belongs to ", link("organisation", one.organisation, one.name), ".")] : []),
    ...(walks ? [make("p", {}, "Walks the tour ", link("tour", walks), ".")] : []),
    ...listed(
      "Sessions now", [{ name: "Session" }, { name: "Client" }, { name: "Cell" }, { name: "For", isNumber: true }],
      sessions.map((one) => [
        one.session, one.isCut ? "link cut" : one.frontEnd || "unnamed",
        one.cell ? () => link("cell", one.cell) : one.inSpace ? "on a tour" : "no position", seconds(one.seconds),
      ]), "Not connected."),
    ...left(answer.left, holds, (from) => ask(`left ${account} before=${from}`)),
    ...record(answer.audit),
  ];
}

function thing(answer, tools) {
  const { thing: id, kind, what, text, owner, cell, at, audience, realms = [], created, ends, counts = {} } = answer;
  if (answer.isGone) {
    const proof = answer.isOwnerProven ? "."
      : ", says the log of posts. It proves nothing: whoever can write the database's file can change that log.";
    const whose = owner ? make("p", {}, "It was left by ", link("account", owner), proof)
      : make("p", {}, "Nothing says any more whose it was.");
    const why = answer.audit.length > 0 ? "It is gone. The record says what was done about it."
      : "It is gone: it has ended, or its owner has removed it.";
    return [make("p", {}, why), whose, ...record(answer.audit)];
  }
  if (answer.isDamaged) {
    return [
      make("p", {}, `The row of this ${kind} is damaged: its cell leaves it out, and nobody sees it. cairn verify `
        + "names it; a backup may have it."), ...record(answer.audit),
    ];
  }
  const seen = { everyone: "everyone", owner: "its owner alone", realms: `${realms.length} sub-realms` }[audience];
  return [
    tools(["remove", "Remove", (actions) => actions.remove(id)]),
    make("p", {}, "Left by ", link("account", owner), " in cell ", link("cell", cell), "."),
    facts(
      ["What", [plain(kind), what].filter(Boolean).join(": "), "wide"],
      ["Text", text === null ? "not shown: it is not for everyone" : text || "none", "wide"],
      ["Since", moment(created)], ["Until", ends ? moment(ends) : "it is removed"],
      ["Seen by", answer.isHidden ? "its owner alone, because of its score" : seen, answer.isHidden && "warn"],
      at && ["Where", place([at]), "wide"],
      ...Object.entries(counts).map(([name, number]) => [plural(name), String(number)])),
    ...record(answer.audit),
  ];
}

function tour(answer, tools) {
  const { tour: id, organisation: of, organisationName, name, state, version, url, at, stops, runs } = answer;
  return [
    tools(
      version > 0 && ["tour-withdraw", "Withdraw", (actions) => actions.withdrawTour(id, runs)],
      ["tour-delete", "Delete", (actions) => actions.deleteTour(id, runs)]),
    make("p", {}, "By ", link("organisation", of, organisationName || of), "."),
    facts(
      ["Name", name, "wide"], ["State", state, state === "draft" && "warn"], ["Version", String(version)],
      ["Walking it now", String(runs)], ["Stops", String(answer.stopCount)],
      answer.metres > 0 && ["Way", `${Math.round(answer.metres)} m`],
      answer.seconds > 0 && ["Time", seconds(answer.seconds)],
      ["Price", answer.cents > 0 ? `${(answer.cents / 100).toFixed(2)}` : "free"], ["Code", answer.code],
      url && ["Link", url, "wide"], at && ["Begins", place([at]), "wide"]),
    make("h3", {}, "Stops"), make("ol", {}, ...stops.map((stop) => make("li", {}, stop || "without a name"))),
    ...record(answer.audit),
  ];
}

function organisation(answer, tools) {
  const { organisation: id, name, created, suspended, reason, members, tours } = answer;
  return [
    tools(suspended
      ? ["organisation-reinstate", "Reinstate", (actions) => actions.reinstateOrganisation(id)]
      : ["organisation-suspend", "Suspend", (actions) => actions.suspendOrganisation(id)]),
    facts(
      ["Name", name, "wide"], ["Since", moment(created)], ["State", suspended ? "suspended" : "active",
        suspended && "bad"], suspended && ["Why", reason || noReason, "wide"]),
    ...listed("Members", [{ name: "Account" }], members.map(({ account }) => [() => link("account", account)]),
      "Nobody belongs to it."),
    ...listed("Tours", tourColumns, tours.map(tourCells), "It has no tour."),
    ...record(answer.audit),
  ];
}

function feedback({ feedback: [entry] }, tools, id) {
  if (!entry) return [make("p", {}, "There is no such entry, or its time is over.")];
  const isOpen = entry.handledAt === null;
  return [
    tools(["handle", isOpen ? "Mark as handled" : "Open again", (actions) => actions.handle(id, isOpen)]),
    facts(
      ["Text", entry.text || "none", "wide"], ["Category", plain(entry.category)], ["At", moment(entry.at)],
      ["State", isOpen ? "open" : `handled ${moment(entry.handledAt)}`], ["App", entry.appVersion || "not said"],
      ...["rating", "intuitive", "satisfying", "undistracting"].filter((name) => entry[name] !== null).map(
        (name) => [plural(name), `${entry[name]} of 5`])),
  ];
}

/** object: Objects. */
function plural(word) {
  const words = plain(word);
  const many = { object: "things", post: "posts" }[word] ?? words;
  return many.charAt(0).toUpperCase() + many.slice(1);
}
