// The list of cells: the map in words. It holds every cell; one page of it is in the document.

import { arrange, make, write } from "./page.js";
import { count, number } from "./words.js";

const rowsPerPage = 50;
const columns = [
  { key: "cell", name: "Cell", value: (row) => row.cell, text: (row) => row.cell },
  { key: "people", name: "People", value: (row) => row.people },
  { key: "instances", name: "Instances", value: (row) => row.instances },
  { key: "subscribers", name: "Viewers", value: (row) => row.subscribers },
  { key: "events", name: "Events/s", value: (row) => row.eventsPerSecond },
  { key: "unsaved", name: "Waiting", value: (row) => row.unsaved + row.waiting },
];

export class CellList {
  #world;
  #order = "people";
  #page = 0;
  /** Tokens of the page while somebody is in it: what one is about to press does not jump. */
  #held = null;
  #body = document.querySelector("#list tbody");
  #filter = document.getElementById("filter");
  #occupied = document.getElementById("occupied");

  constructor(world) {
    this.#world = world;
    const heads = columns.map((column) => {
      const button = make("button", { type: "button", onclick: () => this.#sort(column.key) }, column.name);
      const isNumber = column.key !== "cell";
      return make("th", { scope: "col", class: isNumber && "number", "data-column": column.key }, button);
    });
    document.querySelector("#list thead tr").append(...heads);
    document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
    for (const field of [this.#filter, this.#occupied]) field.addEventListener("input", () => this.#begin());
    document.getElementById("page-back").addEventListener("click", () => this.#turn(-1));
    document.getElementById("page-on").addEventListener("click", () => this.#turn(1));
    this.#body.addEventListener("keydown", (event) => this.#step(event));
    this.#body.addEventListener("focusin", () => this.#hold());
    this.#body.addEventListener("focusout", () => this.#release());
    world.addEventListener("changed", () => this.#show());
    this.#mark();
  }

  /** Puts the focus on a cell's row, or on the list when it is not on the page. */
  focus(token) {
    const link = this.#body.querySelector(`tr[data-key="${CSS.escape(token)}"] a`);
    (link ?? document.getElementById("cells-heading")).focus();
  }

  #sort(key) {
    this.#order = key;
    this.#mark();
    this.#begin();
  }

  #mark() {
    for (const head of document.querySelectorAll("#list th[data-column]")) {
      const isOrder = head.dataset.column === this.#order;
      if (isOrder) head.setAttribute("aria-sort", this.#order === "cell" ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
  }

  #begin() {
    this.#page = 0;
    this.#held = null;
    this.#show();
  }

  #turn(by) {
    this.#page += by;
    this.#held = null;
    this.#show();
    document.getElementById("list-scroll").scrollTop = 0;
  }

  /** Arrow keys go from row to row. */
  #step(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest("tr");
    if (!by || !row) return;
    const next = by > 0 ? row.nextElementSibling : row.previousElementSibling;
    if (!next) return;
    event.preventDefault();
    next.querySelector("a").focus();
  }

  #hold() {
    this.#held ??= [...this.#body.children].map((row) => row.dataset.key);
  }

  #release() {
    setTimeout(() => {
      if (this.#body.contains(document.activeElement)) return;
      this.#held = null;
      this.#show();
    });
  }

  #chosen() {
    const part = this.#filter.value.trim().toLowerCase();
    const rows = [];
    for (const row of this.#world.cells.values()) {
      if (this.#occupied.checked && row.people === 0) continue;
      if (part && !row.cell.includes(part)) continue;
      rows.push(row);
    }
    const { value } = columns.find(({ key }) => key === this.#order);
    const byName = (a, b) => (a.cell < b.cell ? -1 : 1);
    // Of equals the first by name, so that lists do not jump.
    return rows.sort(this.#order === "cell" ? byName : (a, b) => value(b) - value(a) || byName(a, b));
  }

  #show() {
    const all = this.#chosen();
    const pages = Math.max(1, Math.ceil(all.length / rowsPerPage));
    this.#page = Math.max(0, Math.min(this.#page, pages - 1));
    const start = this.#page * rowsPerPage;
    const fresh = all.slice(start, start + rowsPerPage);
    const rows = this.#held ? this.#held.map((token) => this.#world.cells.get(token)).filter(Boolean) : fresh;
    arrange(
      this.#body, rows.map((row) => ({ key: row.cell, row })), ({ row }) => this.#create(row),
      (element, { row }) => {
        columns.forEach((column, index) => {
          if (index > 0) write(element.children[index], number(column.value(row)));
        });
        element.dataset.people = row.people > 0 ? "some" : "none";
      });
    write(document.getElementById("list-words"), count(this.#world.cells.size, "cell is awake", "cells are awake"));
    const nothing = document.getElementById("list-nothing");
    nothing.hidden = all.length > 0;
    write(
      nothing, this.#world.cells.size === 0 ? "No cell is awake: nobody is connected with a position."
        : "No cell matches the filter.");
    const end = Math.min(start + rowsPerPage, all.length);
    const held = this.#held ? "; order held while you are in it" : "";
    write(
      document.getElementById("page-words"), all.length === 0 ? "0 of 0"
        : `${number(start + 1)} to ${number(end)} of ${number(all.length)}${held}`);
    document.getElementById("page-back").disabled = this.#page === 0;
    document.getElementById("page-on").disabled = this.#page >= pages - 1;
  }

  #create(row) {
    return make("tr", {}, ...columns.map((column, index) => (
      index === 0 ? make("th", { scope: "row" }, make("a", { href: `#cell/${row.cell}` }, row.cell))
        : make("td", { class: "number" }))));
  }
}
