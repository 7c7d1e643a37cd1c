// What operators do. A button is there for a command that the server's help lists, and for no other.

import { confirm, make, say } from "./page.js";
import { count } from "./words.js";

export class Actions {
  #link;
  #names = new Set();
  #bar = document.getElementById("actions");

  constructor(link) {
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
      ["notice", "Notice", () => this.notice()], ["backup", "Back up", () => this.#backup()],
      ["reload", "Reload", () => this.#reload()], ["drain", "Drain", () => this.#drain()],
    ];
    const focused = this.#bar.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.#bar.replaceChildren(...buttons.filter(([name]) => this.has(name)).map(([name, text, onclick]) => (
      make("button", { type: "button", "data-action": name, class: name === "drain" && "grave", onclick }, text))));
    if (focused) this.#bar.querySelector(`[data-action="${focused}"]`)?.focus();
  }

  /** Asks back, then closes a session's connections. Gives how many; null when nothing was done. */
  async kick(session) {
    const isSure = await confirm({
      title: "Kick this session?", action: "Kick", isGrave: true,
      text: `${session} loses its connection at once. Whoever it is may come back.`,
    });
    if (!isSure) return null;
    return (await this.#try(`kick ${session}`))?.closed ?? null;
  }

  /** Asks for a text and tells it to everybody, or to those in a cell. */
  async notice(cell) {
    const text = await confirm({
      title: cell ? `Send a notice to cell ${cell}` : "Send a notice", field: "Text", action: "Send",
      text: cell ? "Everybody whose position is in the cell gets it." : "Everybody who is connected gets it.",
    });
    // A line break would begin another command.
    const line = text?.replace(/\s+/g, " ").trim();
    if (!line) return;
    const answer = await this.#try(`notice ${cell ? `cell=${cell} ` : ""}${line}`);
    if (answer) say(`${count(answer.told, "connection")} told.`);
  }

  async #backup() {
    say("Making a backup.", "plain");
    const answer = await this.#try("backup");
    if (answer) say(answer.done);
  }

  async #reload() {
    const answer = await this.#try("reload");
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
