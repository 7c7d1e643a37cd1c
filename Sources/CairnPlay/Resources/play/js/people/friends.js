// Friends, requests in both directions, blocked people, and finding people by name (FRD).

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { arriving, follow } from "../components/arriving.js";
import { action, once } from "../components/button.js";
import { section } from "../components/card.js";
import { confirmed } from "../components/dialog.js";
import { form } from "../components/form.js";
import { list, person } from "../components/list.js";
import { nameOnly } from "../components/nameonly.js";
import { anew } from "../components/showpage.js";

/** The page of friends. */
export function friendsPage() {
  const box = make("div", { class: "stack" });
  const draw = async () => {
    /** @type {any[]} */
    const [{ friends = [], received = [], sent = [] },
      { users: blocked = [] }] = await Promise.all([client.request("listFriends"), client.request("listBlocks")]);
    /** Does it to somebody, draws what is then, and says it. */
    const then = (/** @type {any} */ { account, name }, /** @type {string} */ kind, /** @type {string} */ done,
      more = {}) => async () => {
      await client.request(kind, { account, ...more });
      await draw();
      return t(done, { name });
    };
    anew(lists, () => lists.replaceChildren(
      section(t("friends.received"), list(received.map((/** @type {any} */ { user }) => person(user,
        action(t("accept"), then(user, "answerFriendRequest", "friend.now", { accept: true }), "accent"),
        action(t("decline"), then(user, "answerFriendRequest", "friend.declined", { accept: false })))),
          t("friends.received.none"))),
      section(t("profile.friends"), list(friends.map((/** @type {any} */ user) => person(user,
        action(t("unfriend"), async () => {
          if (!(await confirmed(t("unfriend.ask", { name: user.name }), t("unfriend")))) return null;
          return then(user, "unfriend", "friend.ended")();
        }), action(t("block"), async () => {
          if (!(await confirmed(t("block.ask", { name: user.name }), t("block")))) return null;
          return then(user, "block", "blocked")();
        }, "quiet-danger"))), t("friends.none"))),
      section(t("friends.sent"), list(sent.map((/** @type {any} */ { user }) => person(user,
        action(t("withdraw"), then(user, "withdrawFriendRequest", "friend.withdrawn")))), t("friends.sent.none"))),
      section(t("friends.blocked"), list(blocked.map((/** @type {any} */ user) => person(user,
        action(t("unblock"), then(user, "unblock", "unblocked")))), t("friends.blocked.none")))));
  };
  const lists = make("div", { class: "stack" });
  const found = make("div");
  box.append(nameOnly(),
    section(t("find.people"), form([{ name: "prefix", label: t("find.name"), required: true, most: 30 }], t("find"),
      async ({ prefix }) => {
      const { users = [] } = await client.request("findUsers", { prefix: prefix.trim() });
      const others = users.filter((/** @type {any} */ user) => user.account !== client.welcome?.account);
      found.replaceChildren(list(others.map((/** @type {any} */ user) =>
        person(user, once(t("friend.ask"), async () => {
        const { friends } = await client.request("requestFriend", { account: user.account });
        await draw();
        return t(friends ? "friend.now" : "friend.asked", { name: user.name });
      }, "accent")))));
      return others.length > 0 ? t("find.found", { n: others.length }) : t("find.none");
    }), found),
    arriving(async () => {
      await draw();
      return lists;
    }));
  follow(["notified"], lists, draw);
  return box;
}
