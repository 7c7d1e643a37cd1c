// The list: it says the same as map and Realm and does the same, for the keyboard and for screen readers (ACS-2).

import { cellAt } from "../../cairn/geo.js";
import { limits, on } from "../core/app.js";
import { arrange, make, paced, write } from "../core/page.js";
import { crowdTotal, isThinned, items, objectName, people, postItem, title, total, whereabouts } from "../core/view.js";
import { company, openCompany } from "../tours/company.js";
import { isWithoutNetwork, openKept } from "../kept/kept.js";
import { openSheet, sheetKind } from "../components/sheet.js";
import { own } from "../core/place.js";
import { pick } from "../things/details.js";
import { postPages, removePost } from "../posts/posts.js";
import { letSwipe } from "../components/swipe.js";
import { t } from "../core/texts.js";

const TABS = /** @type {const} */ (["all", "things", "posts", "people", "trending", "mine"]);
/** @type {typeof TABS[number]} */
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
  const tabs = make("div", { class: "tabs", role: "group", "aria-label": t("list.show") });
  const body = make("div", { id: "list-body" });
  const choose = (/** @type {typeof TABS[number]} */ one) => {
    tab = one;
    for (const button of tabs.children) button.setAttribute("aria-pressed", String(button.dataset.tab === one));
    draw(body);
  };
  for (const one of TABS) {
    tabs.append(make("button", { type: "button", "data-tab": one, onclick: () => choose(one) }, t(`list.${one}`)));
  }
  openSheet(t("list"), [tabs, body], { kind: "list", onclose: () => ended.abort() });
  choose(tab);
  if (key) body.querySelector(`[data-key="${CSS.escape(key)}"] button`)?.focus();
  const redraw = () => {
    if (sheetKind() === "list" && tab !== "trending" && tab !== "mine") lines(body);
  };
  on("view", paced(50, redraw), ended.signal);
  // People walk all the time; nobody reads distances that fast.
  on("people place run group language", paced(300, redraw), ended.signal);
}

/** @param {HTMLElement} body */
function draw(body) {
  body.replaceChildren();
  if (tab === "mine") body.append(postPages("listOwnPosts", {}, (post) => found({ ...postItem(post), isOwn: true })));
  else if (tab === "trending") {
    const cell = ownCell();
    body.append(cell ? postPages("listTrendingPosts", { cell }, (post) => found(postItem(post)))
      : make("p", { class: "quiet" }, t("where.unknown")));
  } else {
    body.append(make("p", { class: "quiet", role: "status" }), make("ul", { class: "plain-list cards" }));
    lines(body);
  }
}

/** The cell that the user is in. */
function ownCell() {
  const here = own();
  return here ? cellAt(here, limits().cellLevel ?? 16) : null;
}

/**
 * A post of a page: the one in view is shown with its votes, others as the page has them.
 * @param {import("../core/view.js").Item} item
 */
function found(item) {
  pick(item.key, { item, over: openList });
}

/** @param {HTMLElement} body */
function lines(body) {
  const [status, list] = /** @type {any} */ (body.children);
  if (!list) return;
  const ofRun = company().filter(({ kind }) => tab === "all" || kind === "fellow");
  const shown = tab === "people" || tab === "all"
    ? [...ofRun, ...(tab === "all" ? items() : []), ...people()].sort((a, b) => a.distance - b.distance)
    : items().filter(({ kind }) => kind === (tab === "things" ? "thing" : "post"));
  const most = 200;
  const all = tab === "people" ? ofRun.length + crowdTotal : tab === "all" ? ofRun.length + total + crowdTotal
    : Math.max(total, shown.length);
  write(status, shown.length === 0 ? t(own() ? "list.nothing" : "where.unknown")
    : shown.length > most || isThinned() ? t("list.nearest", { n: Math.min(most, shown.length), total: all })
      : t("list.count", { n: shown.length }));
  arrange(list, shown.slice(0, most), (item) => {
    const line = make("li", {}, make("button", { type: "button", class: "line", onclick: () => {
      if (!openCompany(item.key)) pick(item.key, { over: () => openList(item.key) });
    } }, make("span", { class: `line-mark ${item.kind}`, "aria-hidden": "true" }),
      make("span", { class: "line-title", dir: "auto" }), make("span", { class: "quiet" })));
    if (item.kind === "post" && item.isOwn) letSwipe(line, () => removePost(item.instance));
    return line;
  }, (element, item) => {
    const [, name, where] = /** @type {any} */ (element.firstElementChild).children;
    const kind = item.kind === "thing" ? objectName(item.instance.object) : t(item.kind);
    write(name, item.kind === "thing" ? title(item) : `${kind}: ${title(item)}`);
    const reactions = (item.instance.reactions ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ one) =>
      sum + one.count, 0);
    write(where, [whereabouts(item), item.isOwn ? t("by.you") : "", reactions > 0
      ? t("list.reactions", { n: reactions }) : "",
      item.kind === "post" ? `${t("score")} ${item.instance.post.score ?? 0}` : ""].filter(Boolean).join(" · "));
  });
}

/** The list is open beside the stage, or the whole page without WebGL. */
export function isListOpen() {
  return sheetKind() === "list";
}
