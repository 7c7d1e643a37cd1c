// The Profile: who one is, and everything about the account, in sections that the browser's history knows.

import { client, isExpected, isSignedIn, limits, on, unread } from "../core/app.js";
import { at, icon, make } from "../core/page.js";
import { route } from "../core/router.js";
import { language, t } from "../core/texts.js";
import { adminPage } from "../admin/admin.js";
import { codesPage, devicesPage, emailPage, passwordPage, providersPage } from "../account/account.js";
import { feedbackPage, helpPage } from "../help/help.js";
import { friendsPage } from "../people/friends.js";
import { notificationsPage } from "../notifications/notifications.js";
import { organisationPage } from "../organisation/organisation.js";
import { ownPage } from "../people/person.js";
import { purchasesPage } from "../tours/purchases.js";
import { deletePage, exportPage, policyPage } from "../account/privacy.js";
import { realmsPage } from "../realms/page.js";
import { settingsPage } from "../settings/settings.js";
import { recoverPage, signInPage, signUpPage } from "../account/signin.js";

/** @typedef {{page: (rest: string[]) => Node, who: "all" | "guest" | "person" | "provided" | "admin"}} Section */

/**
 * The sections, in the order of the menu.
 * @type {Record<string, Section>}
 */
const SECTIONS = {
  signin: { page: signInPage, who: "guest" },
  signup: { page: signUpPage, who: "guest" },
  recover: { page: recoverPage, who: "guest" },
  me: { page: ownPage, who: "person" },
  notifications: { page: notificationsPage, who: "person" },
  friends: { page: friendsPage, who: "person" },
  realms: { page: realmsPage, who: "person" },
  purchases: { page: purchasesPage, who: "person" },
  settings: { page: settingsPage, who: "all" },
  password: { page: passwordPage, who: "person" },
  email: { page: emailPage, who: "person" },
  codes: { page: codesPage, who: "person" },
  providers: { page: providersPage, who: "provided" },
  devices: { page: devicesPage, who: "person" },
  organisation: { page: organisationPage, who: "person" },
  admin: { page: adminPage, who: "admin" },
  help: { page: helpPage, who: "all" },
  feedback: { page: feedbackPage, who: "person" },
  policy: { page: policyPage, who: "all" },
  export: { page: exportPage, who: "person" },
  delete: { page: deletePage, who: "person" },
};

/**
 * Whether the person at hand may see a section.
 * @param {Section["who"]} who
 */
function isFor(who) {
  const role = client.welcome?.role;
  if (who === "provided") return isSignedIn() && limits().providers?.length > 0;
  return who === "all" || (who === "guest" ? !isSignedIn() && !isExpected() : who === "person" ? isSignedIn() : role === "admin");
}

/** Shows the section that the address names. */
export function showProfile() {
  const { rest } = route();
  const name = rest[0] ?? "";
  const page = at("page");
  const section = SECTIONS[name];
  const content = make("div", { class: "page-body" });
  if (section && isFor(section.who)) {
    const heading = make("h2", { tabindex: "-1" }, t(`profile.${name}`));
    content.append(make("a", { class: "back", href: "#/profile" }, icon("back"), t("back")), heading,
      section.page(rest.slice(1)));
    page.replaceChildren(content);
    if (document.activeElement === document.body
      || page.contains(document.activeElement)) heading.focus({ preventScroll: true });
  } else {
    content.append(...overview());
    page.replaceChildren(content);
  }
  page.scrollTop = 0;
}

/** The menu of all sections, with the most likely next step first. */
function overview() {
  const name = client.welcome?.name;
  const link = (/** @type {string} */ one) => make("li", {},
    make("a", { href: `#/profile/${one}` }, t(`profile.${one}`),
    one === "notifications" && unread.count > 0 && make("span", { class: "badge" }, String(unread.count))));
  const names = Object.keys(SECTIONS).filter((one) => isFor(SECTIONS[one].who));
  const welcome = isSignedIn() || isExpected()
    ? make("div", { class: "card hello" }, name && make("h2", {}, name),
      make("p", { class: "quiet" }, t(isExpected() ? "signedIn.expected" : `role.${client.welcome?.role ?? "general"}`)),
      make("button", { type: "button", onclick: () => client.signOut() }, t("signOut")))
    : make("div", { class: "card hello" }, make("h2", {}, t("hello.title")), make("p", {}, t("hello.text")),
      make("div", { class: "row" }, make("a", { class: "button accent", href: "#/profile/signin" }, t("signIn")),
        make("a", { class: "button", href: "#/profile/signup" }, t("signUp"))));
  return [welcome, make("nav", { class: "card", "aria-label": t("place.profile") },
    make("ul", { class: "menu-list" }, ...names.filter((one) => !["signin", "signup"].includes(one)).map(link)))];
}

/** Shows the section anew where what it shows has changed. */
export function followProfile() {
  const seen = () => (client.welcome ? `${client.welcome.account} ${client.welcome.role} ${language}`
    : `${isExpected()} ${language}`);
  let before = seen();
  on("welcomed language standing", () => {
    const now = seen();
    if (now === before) return;
    before = now;
    if (route().place === "profile" && !at("page").hidden && !at("page").querySelector("form :focus")) showProfile();
  });
}
