// Another person: the profile as far as it is shown, and what one may do.

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { go } from "../core/router.js";
import { t } from "../core/texts.js";
import { blocking } from "../components/blocking.js";
import { once } from "../components/button.js";
import { openDetails } from "../components/details.js";
import { portrait } from "../components/list.js";
import { nameOnly } from "../components/nameonly.js";

/**
 * Opens the details of a person.
 * @param {import("../core/view.js").Item} item
 * @param {import("../core/picked.js").Options} options
 */
export function openPerson(item, options) {
  return openDetails(item, options, t("person"), async (body) =>
    body.replaceChildren(await personCard(item.instance.id, item.instance.name)));
}

/**
 * @param {string} account
 * @param {string} name
 */
async function personCard(account, name) {
  let profile = { username: name, status: "", bio: "", picture: "" };
  let hidden = false, isFriend = false;
  if (client.isSignedIn) {
    const [read, circle] = await Promise.allSettled([
      client.request("readProfile", { account }), client.request("listFriends")]);
    if (read.status === "fulfilled") profile = { ...profile, ...read.value };
    else hidden = true;
    isFriend = circle.status === "fulfilled"
      && (circle.value.friends ?? []).some((/** @type {any} */ friend) => friend.account === account);
  }
  const isMe = account === client.welcome?.account;
  return make("div", { class: "stack", "data-account": account },
    make("div", { class: "row" }, portrait(name, profile.picture, account), make("strong", { dir: "auto" }, name)),
    profile.status && make("p", { dir: "auto" }, profile.status), profile.bio
      && make("p", { dir: "auto", class: "quiet" }, profile.bio),
    hidden && make("p", { class: "quiet" }, t("profile.hidden")),
    !isMe && client.isSignedIn && make("div", { class: "row" },
      isFriend ? make("span", { class: "quiet" }, t("friend.are", { name })) : once(t("friend.ask"), async () => {
        const { friends } = await client.request("requestFriend", { account });
        return { words: t(friends ? "friend.now" : "friend.asked", { name }),
          lead: { text: t("profile.friends"), run: () => go("profile", "friends") } };
      }),
      blocking(t("block"), name, account)), !isMe && client.isSignedIn && nameOnly(),
    // Guests are shown nobody else.
    !client.isSignedIn && make("p", { class: "quiet" }, t("person.walker")));
}
