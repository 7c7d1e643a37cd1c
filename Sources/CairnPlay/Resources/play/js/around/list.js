// The list: it says the same as map and Realm and does the same, for the keyboard and for screen readers (ACS-2).

import { client, isSignedIn, on } from "../core/app.js";
import { given } from "../core/extensions.js";
import { arrange, make, paced, write } from "../core/page.js";
import { pick } from "../core/picked.js";
import { eye, own } from "../core/place.js";
import { t } from "../core/texts.js";
import { added, crowdTotal, fullTitle, items, kindOf, people, total, whereabouts } from "../core/view.js";
import { entering } from "../components/entering.js";
import { line, list, tabs } from "../components/list.js";
import { say } from "../components/message.js";
import { openSheet, sheetKind } from "../components/sheet.js";
import { letSwipe } from "../components/swipe.js";
import { isWithoutNetwork, openKept } from "../kept/kept.js";

/** Tabs of what is in view; features give more. */
const TABS = ["all", "things", "posts", "people"];
/** Most lines. */
const MOST = 200;

let tab = "all";

/**
 * Opens the list of what is around; before the server has greeted, of what was there last.
 * @param {string} [key] of what was selected in it, whose line has the focus then
 */
export function openList(key) {
  if (isWithoutNetwork()) {
    openKept();
    return;
  }
  const ended = new AbortController();
  const body = make("div", { id: "list-body" });
  const names = [...TABS, ...given("tabs").filter(({ needsAccount }) => isSignedIn() || !needsAccount)
    .map(({ name }) => name)];
  if (!names.includes(tab)) tab = "all";
  const chosen = tabs(t("list.show"), names.map((one) => /** @type {[string, string]} */ ([one, t(`list.${one}`)])),
    (one) => { tab = one; draw(body); }, tab);
  openSheet(t("list"), [chosen.element, body], { kind: "list", onclose: () => ended.abort() });
  chosen.start();
  if (key) body.querySelector(`[data-key="${CSS.escape(key)}"] button`)?.focus();
  const redraw = () => {
    if (sheetKind() === "list" && TABS.includes(tab)) lines(body);
  };
  on("view", paced(50, redraw), ended.signal);
  // People walk all the time; nobody reads distances that fast.
  on("people place run group language", paced(300, redraw), ended.signal);
}

/** @param {HTMLElement} body */
function draw(body) {
  body.replaceChildren();
  const more = given("tabs").find(({ name }) => name === tab);
  if (more) {
    more.draw((item) => pick(item.key, { item, over: openList })).then((content) => {
      if (content && tab === more.name) body.replaceChildren(content);
    });
  } else {
    const status = make("p", { class: "quiet" });
    body.append(status, list([]));
    lines(body);
    // What a guest reads there wants a name: it is asked for where they read it.
    if (tab === "people" && !isSignedIn()) body.append(entering({ then: () => openList() }));
    // Who comes and goes meanwhile is counted without a word.
    say(status.textContent ?? "");
  }
}

/** @param {HTMLElement} body */
function lines(body) {
  const [status, found] = /** @type {any} */ (body.children);
  if (!found) return;
  const more = added().filter((item) => tab === "all" || kindOf(item).isSomebody);
  const shown = tab === "people" || tab === "all"
    ? [...more, ...(tab === "all" ? items() : []), ...people()].sort((a, b) => a.distance - b.distance)
    : items().filter(({ kind }) => kind === (tab === "things" ? "thing" : "post"));
  // What is counted is of the kind that is shown; what may be far away is not around.
  const isNear = (/** @type {import("../core/view.js").Item} */ item) => !kindOf(item).isAfar;
  const near = more.filter(isNear).length, drawn = shown.slice(0, MOST).filter(isNear).length;
  const all = tab === "people" ? near + crowdTotal : tab === "all" ? near + total + crowdTotal
    : (tab === "things" ? client.thingsAround() : client.postsAround()).length;
  write(status, tab === "people" && !isSignedIn() ? t(drawn > 0 ? "list.people.walkers" : "list.people.guest")
    : drawn === 0 ? t(eye() ? `list.nothing.${tab}` : "where.unknown")
    : drawn < all ? t("list.nearest", { n: drawn, total: all })
      : t(own() ? "list.count" : "list.count.looked", { n: drawn }));
  arrange(found, shown.slice(0, MOST), (item) => {
    const element = make("li", {}, line({ title: "", note: "", mark: item.kind, onclick: () =>
      pick(item.key, { over: () => openList(item.key) }) }));
    const swipe = kindOf(item).swipe?.(item);
    if (swipe) letSwipe(element, swipe);
    return element;
  }, (element, item) => {
    const [, name, note] = /** @type {any} */ (element.firstElementChild).children;
    write(name, fullTitle(item));
    const reactions = (item.instance.reactions ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ one) =>
      sum + one.count, 0);
    write(note, [whereabouts(item), item.isOwn ? t("by.you") : "", reactions > 0
      ? t("list.reactions", { n: reactions }) : "", kindOf(item).note?.(item) ?? ""].filter(Boolean).join(" · "));
  });
}
