// The button that names those whom a part of the page shows by id.

import { make, say } from "./page.js";
import { people } from "./names.js";

/** It is there while somebody in its part has no name yet. */
export class NameButton {
  #link;
  #actions;
  #part;
  element = make("button", { type: "button", class: "small", hidden: true, onclick: () => this.#look() },
    "Look up names (it is recorded)");

  /** `part` = the element whose people are named: links with `data-person`. */
  constructor(link, actions, part) {
    this.#link = link;
    this.#actions = actions;
    this.#part = part;
    people.addEventListener("named", () => this.update());
  }

  /** What the part shows has changed. */
  update() {
    this.element.hidden = !this.#actions.has("names") || this.#ids().length === 0;
  }

  #ids() {
    const links = [...this.#part.querySelectorAll("[data-person]")];
    return links.map(({ dataset }) => dataset.person).filter((id) => !people.has(id));
  }

  async #look() {
    const isFocused = this.element === document.activeElement;
    try {
      await people.look(this.#ids(), (command) => this.#link.ask(command));
      // The button is gone, and the focus with it.
      if (isFocused && this.element.hidden) this.#part.querySelector("[data-person]")?.focus();
    } catch (error) {
      say(error.message, "bad");
    }
  }
}
