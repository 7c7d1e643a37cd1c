// The Profile: who one is, and everything about the account, in sections that the browser's history knows.

import { client, isExpected, isSignedIn, limits, unread } from "../core/app.js";
import { table } from "../core/extensions.js";
import { at, icon, make } from "../core/page.js";
import { route } from "../core/router.js";
import { t } from "../core/texts.js";
import { action } from "../components/button.js";
import { cardOf } from "../components/card.js";
import { entering, followEntering } from "../components/entering.js";
import { list } from "../components/list.js";
import { showPage } from "../components/showpage.js";

/** @typedef {import("../core/extensions.js").Section} Section */

/**
 * What makes each section, as far as it is loaded.
 * @type {Map<string, (rest: string[]) => Node>}
 */
const pages = new Map();

/** Loads the sections that features give. */
export async function loadSections() {
  await Promise.all(Object.entries(table("sections")).map(async ([name, { load }]) => pages.set(name, await load())));
}

/**
 * Whether the person at hand may see a section.
 * @param {Section["who"]} who
 */
function isFor(who) {
  const role = client.welcome?.role;
  if (who === "provided") return isSignedIn() && limits().providers?.length > 0;
  return who === "all"
    || (who === "guest" ? !isSignedIn() && !isExpected() : who === "person" ? isSignedIn() : role === "admin");
}

/** Shows the section that the address names. */
export function showProfile() {
  const { rest } = route();
  const name = rest[0] ?? "";
  const section = table("sections")[name], made = pages.get(name);
  const content = make("div", { class: "page-body" });
  if (made && isFor(section.who)) {
    content.append(make("a", { class: "back", href: "#/profile" }, icon("back"), t("back")),
      make("h2", {}, t(`profile.${name}`)), made(rest.slice(1)));
  } else content.append(...overview());
  showPage(content);
}

/** The menu of all sections, with the most likely next step first. */
function overview() {
  const name = client.welcome?.name;
  const link = (/** @type {string} */ one) => make("a", { href: `#/profile/${one}` }, t(`profile.${one}`),
    one === "notifications" && unread.count > 0 && make("span", { class: "badge" }, String(unread.count)));
  const names = Object.entries(table("sections")).filter(([, { who }]) => isFor(who))
    .sort(([, a], [, b]) => a.rank - b.rank).map(([one]) => one);
  const welcome = isSignedIn() || isExpected()
    ? cardOf(make("div", {}, name && make("h2", {}, name),
      make("p", { class: "quiet" },
        t(isExpected() ? "signedIn.expected" : `role.${client.welcome?.role ?? "general"}`)),
      action(t("signOut"), async () => {
        await client.signOut();
        return t("signOut.done");
      })), "hello")
    : cardOf(make("div", {}, make("h2", {}, t("hello.title")), make("p", {}, t("hello.text")),
      entering({ why: t("signIn.first") })), "hello");
  return [welcome, cardOf(make("nav", { "aria-label": t("place.profile") },
    list(names.filter((one) => !["signin", "signup"].includes(one)).map(link), "", { kind: "menu-list" })))];
}

/** Shows the section anew where what it shows has changed. */
export function followProfile() {
  followEntering("profile", () => {
    if (!at("page").hidden) showProfile();
  });
}
