// The sheet: one panel over the stage, for what is selected and what is being made. Escape, "close" and the browser's
// Back end it.

import { opened } from "../core/history.js";
import { at, icon, isFocusLost, isSeen, make, toHeading } from "../core/page.js";
import { moveCount } from "../core/router.js";
import { t } from "../core/texts.js";

/** On a narrow page the stage ends where the sheet begins, so that nothing of what is shown is behind it. */
const follower = new ResizeObserver(() => {
  const sheet = at("sheet");
  document.documentElement.style.setProperty("--sheet", `${sheet.hidden ? 0 : sheet.offsetHeight}px`);
});

/**
 * What is open: what it came from, and what Back closes of it, the list below it first.
 * @type {{onclose?: () => void, over?: () => void, before: Element | null, layers: (() => void)[]} | null}
 */
let open = null;

/** Each time that the person opens or closes the sheet, or does what will open it, a generation begins. */
let generation = 0;

/**
 * For what opens the sheet by itself after an answer.
 * @returns {() => boolean} whether the ticket is current: since then the person has not opened or closed the sheet,
 *   done what will open it, or gone elsewhere
 */
export function ticket() {
  const mine = generation, from = moveCount();
  return () => generation === mine && moveCount() === from;
}

/** The same where the person has done what opens the sheet later: what they waited for before is opened no more. */
export function newTicket() {
  generation += 1;
  return ticket();
}

/**
 * Opens the sheet with a title and content, in place of what it showed before. `over` opens that again when the person
 * closes this one. One that opens by itself leaves the focus where it is, and does not keep away what the person waits
 * for.
 * @param {string} title
 * @param {(Node | false | null | undefined)[]} content
 * @param {{onclose?: () => void, over?: () => void, kind?: string, focus?: boolean}} options
 */
export function openSheet(title, content, { onclose, over, kind = "", focus = true } = {}) {
  const before = open?.before ?? document.activeElement;
  const earlier = open;
  if (focus) generation += 1;
  open = null;
  earlier?.onclose?.();
  open = { onclose, over, before, layers: layered(earlier, Boolean(over)) };
  const sheet = at("sheet");
  const heading = make("h2", { id: "sheet-title", tabindex: "-1" }, title);
  const close = make("button", { type: "button", class: "round plain", "aria-label": t("close"), onclick: leaveSheet },
    icon("close"));
  const hadFocus = sheet.contains(document.activeElement);
  sheet.replaceChildren(make("header", {}, heading, close), make("div", { class: "sheet-body" }, ...content));
  sheet.dataset.kind = kind;
  sheet.setAttribute("aria-labelledby", "sheet-title");
  sheet.setAttribute("role", "region");
  sheet.hidden = false;
  follower.observe(sheet);
  document.body.classList.add("with-sheet");
  if (focus || hadFocus) heading.focus();
  return sheet;
}

/**
 * What Back closes of a sheet that comes after another one.
 * @param {typeof open} earlier
 * @param {boolean} isOver whether the other one comes back
 */
function layered(earlier, isOver) {
  const layers = earlier?.layers ?? [];
  const count = isOver ? 2 : 1;
  while (layers.length > count) layers.pop()?.();
  while (layers.length < count) layers.push(opened(leaveSheet));
  return layers;
}

/** The person closes the sheet: what it lay over is there again. */
function leaveSheet() {
  generation += 1;
  if (!open?.over) {
    closeSheet();
    return;
  }
  const { over, layers } = open;
  layers.pop()?.();
  over();
}

/** Closes the sheet; the focus goes back to where it was, else to the heading of what is shown. */
export function closeSheet() {
  if (!open) return;
  const { onclose, before, layers } = open;
  open = null;
  for (const closed of layers) closed();
  const sheet = at("sheet");
  const hadFocus = sheet.contains(document.activeElement) || isFocusLost();
  sheet.hidden = true;
  sheet.replaceChildren();
  document.body.classList.remove("with-sheet");
  if (hadFocus && before instanceof HTMLElement && isSeen(before)) before.focus();
  else if (hadFocus) toHeading();
  onclose?.();
}

/**
 * Closes the sheet where it shows this part still: when an answer comes, it may show something else.
 * @param {Node} part
 */
export function closeSheetOf(part) {
  if (at("sheet").contains(part)) closeSheet();
}

/** What the sheet is for at present; empty while it is closed. */
export function sheetKind() {
  return open ? at("sheet").dataset.kind : "";
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && open && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    leaveSheet();
  }
});
