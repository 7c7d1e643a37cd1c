// The frame of the page: menu, the pill with sub-realm and connection, short messages.

import { bus, client, isCutOff, isSignedIn, on, selected, unread } from "../core/app.js";
import { at, fill, icon, make, write } from "../core/page.js";
import { PLACES, go, route } from "../core/router.js";
import { span, t } from "../core/texts.js";
import { words } from "../core/refusals.js";

/** @type {{sink: () => void, add: () => void}} */
let actions = { sink() {}, add() {} };

/**
 * Builds menu and pill. `add` opens the choice of what to place, `sink` the choice of the sub-realm.
 * @param {{sink: () => void, add: () => void}} given
 */
export function startShell(given) {
  actions = given;
  at("pill").addEventListener("click", () => actions.sink());
  on("language unread welcomed", build);
  on("route", mark);
  on("realms welcomed state language", pill);
  build();
}

function build() {
  write(at("skip"), t("skip"));
  const menu = at("menu");
  menu.setAttribute("aria-label", t("menu"));
  const link = (/** @type {typeof PLACES[number]} */ place) => make("a", { href: `#/${place}`, "data-place": place },
    icon(place), make("span", {}, t(`place.${place}`)),
    place === "profile" && unread.count > 0
      && make("span", { class: "badge" }, String(Math.min(99, unread.count)),
        make("span", { class: "unseen" }, ` ${t("notifications.unread")}`)));
  const add = make("button", { type: "button", id: "add", onclick: () => actions.add() }, icon("plus"),
    make("span", { class: "unseen" }, t("add")));
  fill(menu, link("realm"), link("map"), add, link("tours"), link("profile"));
  mark();
  pill();
}

function mark() {
  const { place } = route();
  for (const link of document.querySelectorAll("#menu a")) {
    if (/** @type {HTMLElement} */ (link).dataset.place === place) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.body.dataset.place = place;
  write(at("heading"), t(`place.${place}`));
  document.title = `${t(`place.${place}`)} – Cairn`;
}

/** The pill: which sub-realm is shown, and how the connection stands. */
function pill() {
  const state = client?.state ?? "offline";
  const element = at("pill");
  const name = selected.id ? selected.name || t("realm.some") : t("realm.public");
  element.dataset.state = state;
  fill(element, make("span", { class: "dot", "aria-hidden": "true" }),
    make("bdi", { class: "pill-name" }, isSignedIn() || state !== "live" ? name : t("guest")),
    make("span", { class: state === "live" ? "unseen" : "quiet" }, t(`state.${state}`)));
  element.title = `${t("realm.selected")}: ${name}. ${t(`state.${state}`)}`;
}

/**
 * Shows a short message, and has a screen reader read it. It stays for as long as it is pointed at or has the focus.
 * @param {string} text
 * @param {{kind?: string, action?: {text: string, run: () => void}, seconds?: number}} options
 */
export function toast(text, { kind = "", action, seconds = 6 } = {}) {
  const element = make("div", { class: `toast ${kind}`, role: kind === "bad" ? "alert" : "status" },
    make("span", {}, text),
    action && make("button", { type: "button", class: "plain", onclick: () => { element.remove(); action.run(); } },
      action.text),
    make("button", { type: "button", class: "round plain", "aria-label": t("close"), onclick: () => element.remove() },
      icon("close")));
  const toasts = at("toasts");
  while (toasts.children.length >= 3) toasts.firstElementChild.remove();
  toasts.append(element);
  const end = () => {
    if (element.matches(":hover, :focus-within")) setTimeout(end, 1000);
    else element.remove();
  };
  setTimeout(end, seconds * 1000);
  return element;
}

/**
 * Copies a text and says so. Where the browser does not allow that, the text is shown, to be copied by hand.
 * @param {string} text
 * @param {string} done
 */
export async function copied(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(t("copy.refused", { text }), { seconds: 30 });
  }
}

/**
 * Shows a refusal with its remedy.
 * @param {any} refusal
 * @param {{text: string, run: () => void}} [wayOn] what may mend it
 */
export function refuse(refusal, wayOn) {
  const { text, remedy } = words(refusal);
  const action = refusal?.code === "not_signed_in" ? { text: t("signIn"), run: () => go("profile", "signin") } : wayOn;
  toast([text, remedy].filter(Boolean).join(" "), { kind: "bad", action, seconds: wayOn ? 30 : 10 });
}

/**
 * Has a screen reader read a text.
 * @param {string} text
 */
export function say(text) {
  write(at("said"), text);
}

/** How long something waits for the network before that is said: most cuts are shorter. */
const PATIENCE_MS = 1500;
let isPatient = false;

/** What is asked for without a network waits; once for each outage that is said. */
function needed() {
  if (isPatient || !isCutOff()) return;
  isPatient = true;
  const ended = new AbortController();
  const timer = setTimeout(() => { if (client.unansweredCount > 0) toast(t("offline.needs"), { seconds: 15 }); },
    PATIENCE_MS);
  on("state", () => {
    if (client.state !== "live") return;
    clearTimeout(timer);
    ended.abort();
    isPatient = false;
  }, ended.signal);
}

/**
 * Listens to the client for the shell.
 * @param {any} client
 */
export function followClient(client) {
  client.on("queued", needed);
  client.on("state", () => bus.dispatchEvent(new CustomEvent("state")));
  client.on("notice", (/** @type {any} */ notice) => toast(`${t("notice")}: ${notice.text}`, { seconds: 30 }));
  client.on("answered", (/** @type {any} */ { refusal: no }) => (no ? refuse(no) : toast(t("answered"))));
  // That the server is not reached is told as the end of the connection.
  const again = () => client.connect().catch((/** @type {any} */ no) => { if (no.code !== "unreachable") refuse(no); });
  /** @type {any} why the server did not greet when the page came back by itself */
  let refusal = null;
  client.on("refused", (/** @type {any} */ one) => { if (!client.isLive) refusal = one; });
  client.on("disconnected", (/** @type {any} */ { after, reason, code }) => {
    const why = refusal && words(refusal);
    refusal = null;
    if (after == null) toast(why ? `${why.text} ${why.remedy}` : t("disconnected", { reason: reason || code }),
      { kind: "bad", seconds: 30, action: { text: t("retry"), run: again } });
    else if (after > 3000) say(t("disconnected.after", { time: span(after) }));
  });
}
