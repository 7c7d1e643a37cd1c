// One search field for everything: a name, an id, a cell, a place or a link.

import { arrange, make, write } from "./page.js";
import { count, plain, sentence } from "./words.js";
import { pageOf } from "./ids.js";

/** What a search has come to, in a sentence or two. `texts` is null where they were to be read, and were not. */
export function outcome({ hits, cut, texts }) {
  const isUnread = texts === null;
  if (hits.length === 0) {
    const looked = `beginnings of names, ${isUnread ? "" : "words in texts, "}ids, cells, places and links`;
    return `Nothing found: it looks for ${looked}.${readSoFar(texts)}`;
  }
  const more = cut ? "; there are more: write more of it" : "";
  return `${count(hits.length, "hit")}${more}.${readSoFar(texts)}`;
}

const unread = "Texts were not read: another search in them was under way, which a moment ends, or no word has two \
letters, or there are more than eight words.";

function readSoFar(texts) {
  if (texts === null) return ` ${unread}`;
  return texts?.next ? ` Of texts, the ${count(texts.read, "newest row was", "newest rows were")} read.` : "";
}

/** The field in the bar and what it has found. `/` goes to it from wherever nothing is being written. */
export class Finder {
  #link;
  #field = make("input", {
    id: "seek-text", type: "search", placeholder: "Name, words, id, cell, place or link", autocomplete: "off",
    spellcheck: "false", maxlength: "500", "aria-describedby": "seek-hint", "aria-keyshortcuts": "/",
  });
  #words = make("p", { class: "quiet", role: "status" });
  #list = make("ul", { "aria-label": "Found" });
  #further = make("button", { type: "button", class: "small", hidden: true, onclick: () => this.#goOn() },
    "Search older texts");
  #found;
  /** The text whose hits are shown. */
  #shown = "";
  /** Where a search in older texts begins. */
  #next = null;

  constructor(link) {
    this.#link = link;
    this.#found = make("div", { class: "found", id: "seek-found", hidden: true }, this.#words, this.#list,
      this.#further);
    const form = make(
      "form", { role: "search", onsubmit: (event) => { event.preventDefault(); this.#seek(); } },
      make("label", { for: "seek-text" }, "Find"), this.#field,
      make("span", { class: "unseen", id: "seek-hint" }, "Enter searches; the slash key comes here."), this.#found);
    document.getElementById("seek").append(form);
    form.addEventListener("keydown", (event) => this.#step(event));
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (!form.contains(relatedTarget)) this.#found.hidden = true;
    });
    this.#field.addEventListener("focus", () => {
      this.#found.hidden = this.#shown === "" || this.#shown !== this.#text();
    });
    addEventListener("keydown", (event) => this.#come(event));
    addEventListener("hashchange", () => { this.#found.hidden = true; });
  }

  #text() {
    // A line break would begin another command.
    return this.#field.value.replace(/\s+/g, " ").trim();
  }

  #come(event) {
    const isWriting = event.target.closest("input, select, textarea, dialog, [contenteditable]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isWriting) return;
    event.preventDefault();
    this.#field.focus();
    this.#field.select();
  }

  async #seek() {
    const text = this.#text();
    if (!text) return;
    this.#shown = text;
    this.#tell("Searching");
    let answer;
    try {
      answer = await this.#link.ask(`find ${text}`);
    } catch (error) {
      return this.#tell(sentence(error.message));
    }
    if (text !== this.#shown) return;
    const [only, ...others] = answer.hits;
    // Texts that were not read to their end may have the words, too: one hit is not all that was looked for then.
    const isWhole = answer.texts !== null && !answer.texts?.next;
    const page = only && others.length === 0 && isWhole && pageOf(only.show);
    if (page) {
      this.#tell("1 found: it is open");
      this.#found.hidden = true;
      location.hash = `${page.kind}/${page.id}`;
      return;
    }
    this.#show(answer);
  }

  /** Reads on in the texts of posts and things, from where the last search ended. */
  async #goOn() {
    const text = this.#shown;
    write(this.#words, "Searching");
    this.#further.disabled = true;
    try {
      const answer = await this.#link.ask(`texts before=${this.#next} ${text}`);
      if (text === this.#shown) this.#show(answer);
    } catch (error) {
      // What was found stands, and it goes on from the same place.
      if (text === this.#shown) write(this.#words, sentence(error.message));
    }
    this.#further.disabled = false;
    this.#field.focus();
  }

  #tell(text) {
    this.#found.hidden = false;
    this.#list.replaceChildren();
    this.#further.hidden = true;
    write(this.#words, text);
  }

  #show({ hits, cut, texts }) {
    this.#found.hidden = false;
    this.#next = texts?.next ?? null;
    this.#further.hidden = this.#next === null;
    write(this.#words, outcome({ hits, cut, texts }));
    this.#list.replaceChildren();
    arrange(this.#list, hits.map((hit) => ({ key: `${hit.kind} ${hit.id}`, hit })), ({ hit }) => {
      const page = pageOf(hit.show);
      const words = [
        make("span", { class: "kind" }, plain(hit.kind)), make("span", { class: "title" }, hit.title || hit.id),
        make("span", { class: "quiet" }, hit.where || hit.id)];
      return make("li", {}, page ? make("a", { href: `#${page.kind}/${page.id}` }, ...words)
        : make("p", {}, ...words, make("code", {}, `cairn stats ${hit.show}`)));
    }, () => {});
  }

  /** Arrow keys go from the field to the hits and among them, Escape closes them. */
  #step(event) {
    const links = [...this.#list.querySelectorAll("a")];
    const place = links.indexOf(document.activeElement);
    if (event.key === "Escape" && !this.#found.hidden) {
      this.#found.hidden = true;
      this.#field.focus();
      this.#found.hidden = true;
    } else if (event.key === "ArrowDown" && !this.#found.hidden) {
      links[Math.min(place + 1, links.length - 1)]?.focus();
    } else if (event.key === "ArrowUp" && place >= 0) {
      (links[place - 1] ?? this.#field).focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
