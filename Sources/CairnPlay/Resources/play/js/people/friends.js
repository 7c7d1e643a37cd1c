// Friends, requests in both directions, blocked people, and finding people by name (FRD).

import { action, arriving, follow, form, section } from "../components/form.js";
import { client } from "../core/app.js";
import { confirmed } from "../components/sheet.js";
import { make } from "../core/page.js";
import { portrait } from "./person.js";
import { t } from "../core/texts.js";

/**
 * A person with what one may do.
 * @param {any} user
 * @param {...(Node | false | null)} actions
 */
export function personLine(user, ...actions) {
  return make("li", { class: "person", "data-account": user.account },
    portrait(user.name, user.picture ?? "", user.account),
    make("span", { class: "grow", dir: "auto" }, user.name), make("span", { class: "row" }, ...actions));
}

/**
 * @param {Node[]} lines
 * @param {string} none
 */
export function people(lines, none) {
  return lines.length > 0 ? make("ul", { class: "plain-list" }, ...lines) : make("p", { class: "quiet" }, none);
}

/** The page of friends. */
export function friendsPage() {
  const box = make("div", { class: "stack" });
  const draw = async () => {
    /** @type {any[]} */
    const [{ friends = [], received = [], sent = [] },
      { users: blocked = [] }] = await Promise.all([client.request("listFriends"), client.request("listBlocks")]);
    const then = (/** @type {string} */ kind, /** @type {any} */ body) => async () => {
      await client.request(kind, body);
      await draw();
    };
    lists.replaceChildren(
      section(t("friends.received"), people(received.map((/** @type {any} */ { user }) => personLine(user,
        action(t("accept"), then("answerFriendRequest", { account: user.account, accept: true }), "accent"),
        action(t("decline"), then("answerFriendRequest", { account: user.account, accept: false })))),
          t("friends.received.none"))),
      section(t("profile.friends"), people(friends.map((/** @type {any} */ user) => personLine(user,
        action(t("unfriend"), async () => {
          if (await confirmed(t("unfriend.ask", { name: user.name }), t("unfriend"))) await then("unfriend",
            { account: user.account })();
        }), action(t("block"), async () => {
          if (await confirmed(t("block.ask", { name: user.name }), t("block"))) await then("block",
            { account: user.account })();
        }, "quiet-danger"))), t("friends.none"))),
      section(t("friends.sent"), people(sent.map((/** @type {any} */ { user }) => personLine(user,
        action(t("withdraw"), then("withdrawFriendRequest", { account: user.account })))), t("friends.sent.none"))),
      section(t("friends.blocked"), people(blocked.map((/** @type {any} */ user) => personLine(user,
        action(t("unblock"), then("unblock", { account: user.account })))), t("friends.blocked.none"))));
  };
  const lists = make("div", { class: "stack" });
  const found = make("div");
  box.append(
    section(t("find.people"), form([{ name: "prefix", label: t("find.name"), required: true, most: 30 }], t("find"),
      async ({ prefix }) => {
      const { users = [] } = await client.request("findUsers", { prefix: prefix.trim() });
      const others = users.filter((/** @type {any} */ user) => user.account !== client.welcome?.account);
      found.replaceChildren(people(others.map((/** @type {any} */ user) =>
        personLine(user, action(t("friend.ask"), async () => {
        await client.request("requestFriend", { account: user.account });
        await draw();
      }, "accent"))), t("find.none")));
    }), found),
    arriving(async () => {
      await draw();
      return lists;
    }));
  follow(["notified"], lists, draw);
  return box;
}
