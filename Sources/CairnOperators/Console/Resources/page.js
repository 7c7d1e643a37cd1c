// Making and changing what is on the page. Everything becomes text: nothing here reads HTML.

/** An element with attributes, listeners (`onclick`) and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Sets a text where it is another one: what has not changed costs nothing. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Makes a parent's children one per item, in order, and keeps the element of an item that stays: focus stays with it.
 * Items have a `key`; `create(item)` makes an element and `update(element, item)` writes into it.
 */
export function arrange(parent, items, create, update) {
  const before = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let place = parent.firstElementChild;
  for (const item of items) {
    let element = before.get(item.key);
    before.delete(item.key);
    if (!element) {
      element = create(item);
      element.dataset.key = item.key;
    }
    update(element, item);
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  }
  for (const element of before.values()) element.remove();
}

/** Terms and what they are, as a list of pairs that is filled again and again. */
export class Facts {
  element = make("dl", { class: "facts" });

  /** Pairs of term and text; a third says how grave it is (warn, bad), or that it needs the whole width (wide). */
  show(pairs) {
    const items = pairs.map(([term, value, tone]) => ({ key: term, value, tone }));
    arrange(this.element, items, (item) => make("div", {}, make("dt", {}, item.key), make("dd")), (div, item) => {
      write(div.lastElementChild, item.value);
      div.dataset.tone = item.tone ?? "";
      div.toggleAttribute("data-wide", item.tone === "wide");
    });
  }
}

/**
 * A table whose rows are filled again and again. Columns: { name, isNumber, isProse }. Rows: { key, cells: [text or a
 * function that makes an element] }.
 */
export class Table {
  #body = make("tbody");

  constructor(caption, columns) {
    this.columns = columns;
    const heads = columns.map((column) => (
      make("th", { scope: "col", class: look(column) }, column.name)));
    this.element = make(
      "table", {}, make("caption", { class: "unseen" }, caption), make("thead", {}, make("tr", {}, ...heads)),
      this.#body);
  }

  show(rows) {
    this.element.hidden = rows.length === 0;
    arrange(this.#body, rows, (row) => this.#row(row), (element, row) => {
      row.cells.forEach((text, index) => {
        if (typeof text === "string") write(element.children[index], text);
      });
    });
  }

  #row(row) {
    return make("tr", {}, ...this.columns.map((column, index) => {
      const content = row.cells[index];
      const name = index === 0 ? "th" : "td";
      // For narrow windows, where each row is a block of its own.
      const label = typeof column.name === "string" && column.name;
      const attributes = { class: look(column), scope: index === 0 && "row", "data-label": label };
      return make(name, attributes, typeof content === "function" ? content() : content);
    }));
  }
}

function look({ isNumber, isProse }) {
  return isNumber ? "number" : isProse && "prose";
}

/** What is wider than its card scrolls by itself, by keyboard too, and shows on which side there is more. */
export function wide(name, ...content) {
  const frame = make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": name }, ...content);
  showMore(frame);
  return frame;
}

/** Notes at an element that scrolls on which sides there is more of it, for the style sheet: `data-more`. */
export function showMore(element) {
  const look = () => {
    const { scrollLeft: left, scrollTop: top } = element;
    const more = [
      left > 1 && "left", left + element.clientWidth < element.scrollWidth - 1 && "right",
      top > 1 && "top", top + element.clientHeight < element.scrollHeight - 1 && "bottom",
    ].filter(Boolean).join(" ");
    if (element.dataset.more !== more) element.dataset.more = more;
  };
  element.addEventListener("scroll", look, { passive: true });
  const observer = new ResizeObserver(look);
  for (const one of [element, ...element.children]) observer.observe(one);
}

/** Scrolls to the beginning of a card, unless it is in sight: then the window stays where it is. */
export function bring(card) {
  const { top } = card.getBoundingClientRect();
  if (top < 0 || top > innerHeight - 160) card.scrollIntoView({ block: "start" });
}

/** Tells the operator something, for a while. */
export function say(text, tone = "good") {
  const line = make("p", { "data-tone": tone }, make("span", {}, text),
    make("button", { type: "button", class: "small", "aria-label": "Close", onclick: () => line.remove() }, "×"));
  document.getElementById("said").append(line);
  setTimeout(() => line.remove(), 8_000);
}

/**
 * Asks back before something is done. Fields: { label, hint, isOptional, isWord, type }; a word has no spaces. `also`
 * is an element below the text; a link in it ends the question with no. Gives what was written into the fields, in one
 * line each, when the operator agrees; else null.
 */
export function confirm({ title, text, also, fields = [], action, isGrave }) {
  const dialog = make("dialog", { "aria-labelledby": "dialog-title", "aria-describedby": "dialog-text" });
  const inputs = fields.map((field, index) => make("input", {
    id: `dialog-field-${index}`, autofocus: index === 0, type: field.type, autocomplete: "off",
    maxlength: field.isWord ? 40 : 500, required: !field.isOptional,
    spellcheck: field.isWord && "false", pattern: field.isWord && "\\s*\\S+\\s*",
    title: field.isWord && "One word, without spaces", "aria-describedby": field.hint && `dialog-hint-${index}`,
  }));
  const form = make(
    "form", { method: "dialog" }, make("h2", { id: "dialog-title" }, title), make("p", { id: "dialog-text" }, text),
    ...(also ? [also] : []),
    ...fields.flatMap(({ label, hint }, index) => [
      make("label", { for: `dialog-field-${index}` }, label), inputs[index],
      ...(hint ? [make("p", { id: `dialog-hint-${index}`, class: "quiet" }, hint)] : []),
    ]),
    make(
      "div", { class: "choices" },
      make("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      make("button", { type: "submit", class: isGrave ? "grave" : "main", value: "yes" }, action)));
  also?.querySelector("a")?.addEventListener("click", () => dialog.close());
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  if (inputs.length === 0) form.querySelector("button").focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      // A line break would begin another command.
      const written = inputs.map((input) => input.value.replace(/\s+/g, " ").trim());
      resolve(dialog.returnValue === "yes" ? written : null);
      dialog.remove();
    });
  });
}
