// What operators do. A button is there for a command that the server's help lists, and for no other.

import { confirm, make, say } from "./page.js";
import { people } from "./names.js";
import { count, midnight } from "./words.js";

const recorded = { label: "Reason", hint: "It stands in the audit log. It may stay empty.", isOptional: true };

function ending(runs) {
  return runs > 0 ? `Runs under way end with notice: ${runs}.` : "Nobody walks it now.";
}

/** What a suspension does not do, with the way to it. */
function staying(session) {
  const words = "What they left";
  const left = session ? make("a", { href: `#account/${session}`, onclick: () => setTimeout(showLeft) }, words) : words;
  return make("p", {}, left, " stays where it is: remove it thing by thing.");
}

/** On the page of whoever left it, the link leads further down: once the question is closed. */
function showLeft() {
  document.getElementById("left-heading")?.focus();
}

const whom = { label: "Session or account", hint: "Its id: a cell's page lists sessions.", isWord: true };

/** Events: `suspensions` after an account was suspended or reinstated here, `roles` after it got another role,
 * `backups` after one was made. */
export class Actions extends EventTarget {
  #link;
  #names = new Set();
  #bar = document.getElementById("actions");
  /** Why no backup can be made; empty = one can. */
  noBackups = "";

  constructor(link) {
    super();
    this.#link = link;
  }

  has(name) {
    return this.#names.has(name);
  }

  /** Offers what the server lets this operator do. */
  async learn() {
    const { commands } = await this.#link.ask("help");
    this.#names = new Set(commands.map(({ command }) => command));
    const buttons = [
      ["notice", "Notice", () => this.notice()], ["backup", "Back up", () => this.backup()],
      ["reload", "Reload", () => this.#reload()], ["drain", "Drain", () => this.#drain()],
    ];
    const focused = this.#bar.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    // A server that makes no backups says why.
    const isOffered = (name) => this.has(name) || (name === "backup" && this.has("drain"));
    this.#bar.replaceChildren(...buttons.filter(([name]) => isOffered(name)).map(([name, text, onclick]) => (
      make("button", { type: "button", "data-action": name, class: name === "drain" && "grave", onclick }, text))));
    if (focused) this.#bar.querySelector(`[data-action="${focused}"]`)?.focus();
  }

  /** Asks back and for a reason, then closes the connections of a session or an account, or of what is asked for. Gives
   * whether it was done. */
  async kick(session) {
    const written = await confirm({
      title: session ? "Kick?" : "Kick a session or an account", action: "Kick", isGrave: true,
      fields: session ? [recorded] : [whom, recorded],
      text: `${session ? people.called(session) : "It"} loses its connection at once and is signed out. \
Signing in again is possible.`,
    });
    if (!written) return false;
    const answer = await this.#try(`kick ${(session ? [session, ...written] : written).join(" ")}`);
    if (answer) say(`${count(answer.closed, "connection")} closed.`);
    return answer !== null;
  }

  /** Asks back and for a reason, then suspends an account or that of a session, or what is asked for (ROL-5). */
  async suspend(session) {
    const last = { label: "Last day", hint: "It gets in again the day after. Empty = until it is reinstated.",
      isOptional: true, type: "date" };
    const reason = { label: "Reason", hint: "The account is told. It may stay empty.", isOptional: true };
    const written = await confirm({
      title: session ? "Suspend this account?" : "Suspend an account", action: "Suspend", isGrave: true,
      fields: session ? [reason, last] : [whom, reason, last],
      also: staying(session),
      text: `${session ? `The account of ${people.called(session)}` : "The account"} loses its connections at once. \
It does not get in again until then, or until it is reinstated.`,
    });
    if (!written) return false;
    const [why, day] = written.slice(-2);
    const account = session ?? written[0];
    const until = day && `until=${midnight(day, 1)}`;
    const answer = await this.#try(["ban", account, until, why].filter(Boolean).join(" "));
    if (!answer) return false;
    say(`${people.called(answer.account)} is suspended; ${count(answer.closed, "connection")} closed.`);
    this.dispatchEvent(new Event("suspensions"));
    return true;
  }

  /** Asks back and for a reason, then lets an account in again. */
  async reinstate(account) {
    const written = await confirm({
      title: "Reinstate this account?", action: "Reinstate", fields: [recorded],
      text: `${people.called(account)} may sign in again.`,
    });
    if (!written) return false;
    const answer = await this.#try(`unban ${account} ${written[0]}`);
    if (answer) say(`${people.called(answer.reinstated)} may sign in again.`);
    this.dispatchEvent(new Event("suspensions"));
    return answer !== null;
  }

  /** Asks which role an account has from now on, and why (ROL-4). Gives whether it was changed. */
  async setRole(account, before) {
    const written = await confirm({
      title: "Change the role of an account", action: "Change", isGrave: true,
      fields: [
        { label: "Role", hint: `general or admin; it is ${before} now.`, isWord: true }, recorded,
      ],
      text: `The connections of ${people.called(account)} go by the new role at once.`,
    });
    const answer = written && await this.#try(`role ${account} ${written.join(" ")}`);
    if (!answer) return false;
    say(`${people.called(answer.account)} is ${answer.role}.`);
    this.dispatchEvent(new Event("roles"));
    return true;
  }

  /** Asks for a name, then makes an account a user of that organisation. Gives whether it was done. */
  async joinOrganisation(account) {
    const written = await confirm({
      title: "Make an account an organisation's", action: "Add",
      fields: [{ label: "Organisation", hint: "Its name; it is made if there is none of this name." }],
      text: `The connections of ${people.called(account)} go by it at once.`,
    });
    const answer = written && await this.#try(`organisation-add ${account} ${written[0]}`);
    if (!answer) return false;
    say(`${people.called(answer.account)} belongs to ${answer.organisation}.`);
    this.dispatchEvent(new Event("roles"));
    return true;
  }

  /** Asks back, then accepts a request for an organisation account (ORG-2). Gives whether it was done. */
  async acceptOrganisation(request, name) {
    const isSure = await confirm({
      title: "Accept this request?", action: "Accept", text: `The person may act for ${name} from then on.`,
    });
    const answer = isSure && await this.#try(`organisation-accept ${request}`);
    if (!answer) return false;
    say(`${people.called(answer.account)} belongs to ${answer.organisation}.`);
    this.dispatchEvent(new Event("roles"));
    return true;
  }

  /** Asks for a reason, then denies a request for an organisation account (ORG-3). Gives whether it was done. */
  async denyOrganisation(request, name) {
    const written = await confirm({
      title: "Deny this request", action: "Deny", isGrave: true,
      fields: [{ label: "Reason", hint: "The person is told." }], text: `The request for ${name} goes.`,
    });
    const answer = written && await this.#try(`organisation-deny ${request} ${written[0]}`);
    if (!answer) return false;
    say(`The request of ${people.called(answer.account)} is denied.`);
    this.dispatchEvent(new Event("organisations"));
    return true;
  }

  /** Asks for a reason, then suspends an organisation. Gives whether it was done. */
  async suspendOrganisation(organisation) {
    const written = await confirm({
      title: "Suspend this organisation?", action: "Suspend", isGrave: true,
      fields: [{ label: "Reason", hint: "The members are told. It may stay empty.", isOptional: true }],
      text: "Nobody is accepted into it until it is reinstated.",
    });
    const answer = written && await this.#try(`organisation-suspend ${organisation} ${written.join(" ")}`);
    if (!answer) return false;
    say(`${answer.organisation} is suspended.`);
    this.dispatchEvent(new Event("organisations"));
    return true;
  }

  /** Asks back and for a reason, then ends the suspension of an organisation. Gives whether it was done. */
  async reinstateOrganisation(organisation) {
    const written = await confirm({
      title: "Reinstate this organisation?", action: "Reinstate", fields: [recorded],
      text: "People may be accepted into it again.",
    });
    const answer = written && await this.#try(`organisation-reinstate ${organisation} ${written[0]}`);
    if (!answer) return false;
    say(`${answer.organisation} is no longer suspended.`);
    this.dispatchEvent(new Event("organisations"));
    return true;
  }

  /** Asks back and for a reason, then ends all sign-ins of an account. Gives whether it was done. */
  async signOut(account) {
    const written = await confirm({
      title: "Sign this account out everywhere?", action: "Sign out", isGrave: true, fields: [recorded],
      text: `All devices of ${people.called(account)} have to sign in again. Their connections stay, as guests'.`,
    });
    const answer = written && await this.#try(`sign-out ${account} ${written[0]}`);
    if (answer) say(`${people.called(answer.account)} is signed out.`);
    return Boolean(answer);
  }

  /** Asks why, and without an instance which, and takes it away (MOD-4). Gives whether it was done. */
  async remove(instance) {
    const which = { label: "Instance", hint: "Its id, as clients are told it.", isWord: true };
    const written = await confirm({
      title: instance ? "Remove this instance?" : "Remove an instance", action: "Remove", isGrave: true,
      fields: instance ? [recorded] : [which, recorded],
      text: `${instance ?? "It"} is gone for good, and whoever sees it is told so. There is no way back.`,
    });
    const answer = written && await this.#try(`remove ${(instance ? [instance, ...written] : written).join(" ")}`);
    if (answer) say(`${answer.removed} is removed.`);
    return Boolean(answer);
  }

  /** Asks why, and makes a draft of a published tour: runs on it end. Gives whether it was done. */
  async withdrawTour(tour, runs) {
    const written = await confirm({
      title: "Withdraw this tour?", action: "Withdraw", isGrave: true, fields: [recorded],
      text: `It becomes a draft, which its organisation may publish again. ${ending(runs)}`,
    });
    const answer = written && await this.#try(`tour-withdraw ${tour} ${written[0]}`);
    if (answer) say(`${answer.tour} is withdrawn.`);
    return Boolean(answer);
  }

  /** Asks why, and deletes a tour with its draft. Gives whether it was done. */
  async deleteTour(tour, runs) {
    const written = await confirm({
      title: "Delete this tour?", action: "Delete", isGrave: true, fields: [recorded],
      text: `It is gone with its draft, and there is no way back. ${ending(runs)}`,
    });
    const answer = written && await this.#try(`tour-delete ${tour} ${written[0]}`);
    if (answer) say(`${answer.tour} is deleted.`);
    return Boolean(answer);
  }

  /** Marks feedback as handled, or as open again. Gives whether it was done. */
  async handle(entry, isHandled) {
    const answer = await this.#try(`handle ${entry}${isHandled ? "" : " open"}`);
    if (answer) say(answer.handled ? "It is marked as handled." : "It is open again.");
    return Boolean(answer);
  }

  /** Asks for a text and tells it to everybody, or to those in a cell. */
  async notice(cell) {
    const written = await confirm({
      title: cell ? `Send a notice to cell ${cell}` : "Send a notice", fields: [{ label: "Text" }], action: "Send",
      text: cell ? "Everybody whose position is in the cell gets it." : "Everybody who is connected gets it.",
    });
    if (!written?.[0]) return;
    const answer = await this.#try(`notice ${cell ? `cell=${cell} ` : ""}${written[0]}`);
    if (answer) say(`${count(answer.told, "connection")} told.`);
  }

  async backup() {
    if (this.noBackups) return say(this.noBackups, "bad");
    say("Making a backup.", "plain");
    const answer = await this.#try("backup");
    if (!answer) return;
    say(answer.done);
    this.dispatchEvent(new Event("backups"));
  }

  /** Says what would change, asks back, and then has the settings read again. */
  async #reload() {
    const changes = await this.#try("reload check");
    if (!changes) return;
    const { applied, waiting } = changes;
    if (applied.length + waiting.length === 0) {
      return say("The settings are as they are in force: nothing would change.", "plain");
    }
    const isSure = await confirm({
      title: "Read the settings again?", action: "Reload",
      text: [applied.length > 0 && `At once: ${applied.join("; ")}.`,
        waiting.length > 0 && `Only at a restart: ${waiting.join("; ")}.`].filter(Boolean).join(" "),
    });
    const answer = isSure && await this.#try("reload");
    if (answer) say(answer.done);
  }

  async #drain() {
    const isSure = await confirm({
      title: "Drain and stop the server?", action: "Drain and stop", isGrave: true,
      text: "It accepts nobody any more, stores everything, says goodbye to everybody and ends.",
    });
    if (isSure && await this.#try("drain")) say("The server is stopping.", "plain");
  }

  async #try(command) {
    try {
      return await this.#link.ask(command);
    } catch (error) {
      say(error.message, "bad");
      return null;
    }
  }
}
