// Shows the help of the server, which its script asks for as any client does.

import { ask, words } from "/account/pages.js";

const { language: first, speak, written } = await words();
const element = (selector) => document.querySelector(selector);
const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
const paragraphs = (text) => (text ?? "").split("\n").filter((line) => line.trim()).map((line) => make("p", line));

/** Shows a place with its children, or hides it where there are none. */
function fill(section, place, children) {
  element(place).replaceChildren(...children);
  element(section).hidden = children.length === 0;
}

/** Shows a link, or hides its place where there is none. */
function link(place, scheme, target) {
  element(place).hidden = !target;
  const anchor = element(`${place} a`);
  anchor.textContent = target ?? "";
  anchor.href = scheme + (target ?? "").replaceAll(" ", "");
}

function question({ question, answer }) {
  const details = document.createElement("details");
  details.append(make("summary", question), ...paragraphs(answer));
  return details;
}

function show(help, texts) {
  fill("#questions", "#questions .list", (help.questions ?? []).map(question));
  fill("#further", "#further .text", paragraphs(help.further));
  link("#phone", "tel:", help.phone);
  if (help.phone) element("#further").hidden = false;
  const fields = help.form?.fields ?? [];
  fill("#form", "#form .fields", fields.map(({ label, required }) =>
    make("li", required ? `${label} (${texts["help.required"]})` : label)));
  element("#form .text").replaceChildren(...paragraphs(help.form?.text));
  link("#address", "mailto:", help.form?.address);
}

let loads = 0;

async function load(language) {
  const number = ++loads;
  const texts = speak(language);
  const { refusal, help } = await ask({ getHelp: {} }, language).catch(() => ({ refusal: { message: texts.failed } }));
  // Another language has been chosen meanwhile: its answer may have come sooner.
  if (number !== loads) return;
  if (help) show(help, texts);
  element("#result").textContent = refusal ? refusal.message : "";
}

const names = (tag) => new Intl.DisplayNames([tag], { type: "language" }).of(tag);
element("#language").append(...written.map((tag) =>
  Object.assign(make("option", names(tag)), { value: tag, lang: tag, selected: tag === first })));
element("#language").addEventListener("change", (event) => load(event.target.value));
element("#choice").hidden = written.length < 2;
await load(first);
