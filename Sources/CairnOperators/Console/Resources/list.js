// The list of cells: the map in words. It holds every cell; one page of it is in the document.

import { arrange, make, write } from "./page.js";
import { columnMeanings, meanings } from "./meanings.js";
import { count, figure, number } from "./words.js";

const rowsPerPage = 50;

export class CellList {
  #world;
  /** What the server shows of a cell where there is little room; the first column names the cell. */
  #columns = [];
  #order = "people";
  #page = 0;
  /** Tokens of the page while somebody is in it: what one is about to press does not jump. */
  #held = null;
  #body = document.querySelector("#list tbody");
  #filter = document.getElementById("filter");
  #occupied = document.getElementById("occupied");

  constructor(world) {
    this.#world = world;
    document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
    for (const field of [this.#filter, this.#occupied]) field.addEventListener("input", () => this.#begin());
    document.getElementById("page-back").addEventListener("click", () => this.#turn(-1));
    document.getElementById("page-on").addEventListener("click", () => this.#turn(1));
    this.#body.addEventListener("keydown", (event) => this.#step(event));
    this.#body.addEventListener("focusin", () => this.#hold());
    this.#body.addEventListener("focusout", () => this.#release());
    world.addEventListener("changed", () => this.#show());
  }

  /** Makes the columns, as the server describes them. */
  begin(columns) {
    const brief = columns.filter((column) => column.brief);
    if (brief.map(({ name }) => name).join() === this.#columns.map(({ name }) => name).join()) return;
    this.#columns = brief;
    const heads = brief.map((column, index) => {
      const button = make("button", { type: "button", onclick: () => this.#sort(column.name) }, column.title);
      return make("th", { scope: "col", class: index > 0 && "number", "data-column": column.name }, button);
    });
    document.querySelector("#list thead tr").replaceChildren(...heads);
    document.getElementById("list-meanings").replaceChildren(meanings(columnMeanings(brief)));
    this.#body.replaceChildren();
    this.#mark();
    this.#begin();
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
    const byName = (a, b) => (a.cell < b.cell ? -1 : 1);
    // Of equals the first by name, so that lists do not jump.
    return rows.sort(this.#order === "cell" ? byName
      : (a, b) => b[this.#order] - a[this.#order] || byName(a, b));
  }

  #show() {
    if (this.#columns.length === 0) return;
    const all = this.#chosen();
    const pages = Math.max(1, Math.ceil(all.length / rowsPerPage));
    this.#page = Math.max(0, Math.min(this.#page, pages - 1));
    const start = this.#page * rowsPerPage;
    const fresh = all.slice(start, start + rowsPerPage);
    const rows = this.#held ? this.#held.map((token) => this.#world.cells.get(token)).filter(Boolean) : fresh;
    arrange(
      this.#body, rows.map((row) => ({ key: row.cell, row })), ({ row }) => this.#create(row),
      (element, { row }) => {
        this.#columns.forEach(({ name, unit }, index) => {
          if (index > 0) write(element.children[index], figure(row[name], unit));
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
    return make("tr", {}, ...this.#columns.map((column, index) => (
      index === 0 ? make("th", { scope: "row" }, make("a", { href: `#cell/${row.cell}` }, row.cell))
        : make("td", { class: "number" }))));
  }
}
