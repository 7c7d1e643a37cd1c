// The welcome (WEB-12): what this is and what to do first, in three cards at most, out of the way; again in the help.

import { isSignedIn, on, tell } from "../core/app.js";
import { icon, make, write } from "../core/page.js";
import { language, t } from "../core/texts.js";
import { people } from "../core/view.js";
import { entering } from "../components/entering.js";
import { openSheet } from "../components/sheet.js";

/** How many cards there are: `welcome.1` and so on. */
const CARDS = 3;

let card = 1;
/** @type {{node: HTMLElement, language: string} | null} */
let made = null;

/** What the cards say, for the help. */
export function welcomeTexts() {
  return Array.from({ length: CARDS }, (_, n) => textOf(n + 1));
}

/**
 * What a card says. A guest sees those who walk for the demo, and nobody else.
 * @param {number} n
 */
function textOf(n) {
  return t(n === 1 && !isSignedIn() && people().length > 0 ? "welcome.1.walkers" : `welcome.${n}`);
}

/**
 * The card that is shown: always the same element in one language, so that the focus stays in it.
 * @param {() => void} read remembers that the welcome was read or closed
 */
export function welcomeCard(read) {
  if (made?.language === language) return made.node;
  const text = make("p", {}), count = make("span", { class: "quiet" });
  const next = make("button", { type: "button", class: "accent", onclick: () => (card < CARDS ? turn() : join(read)) });
  const node = make("section", { class: "welcome", "aria-label": t("hello.title") }, text,
    make("div", { class: "row" }, next, count, make("button", { type: "button", class: "round plain",
      "aria-label": t("close"), onclick: () => end(read) }, icon("close"))));
  const show = () => {
    write(text, textOf(card));
    count.textContent = t("welcome.of", { n: card, all: CARDS });
    next.textContent = t(card < CARDS ? "welcome.next" : "welcome.join");
  };
  const turn = () => {
    card += 1;
    show();
  };
  text.setAttribute("role", "status");
  show();
  made = { node, language };
  // The demo's walkers come after the ground.
  on("people", () => { if (made?.node === node && node.isConnected) write(text, textOf(card)); });
  return node;
}

/** @param {() => void} read */
function end(read) {
  read();
  tell("banner");
}

/** @param {() => void} read */
function join(read) {
  end(read);
  openSheet(t("welcome.join"), [entering({ isFocused: true })], { kind: "hello", focus: false });
}
