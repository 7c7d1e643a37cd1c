// People: one's own profile, and another person's with what one may do.

import { client, limits } from "../core/app.js";
import { action, arriving, form } from "../components/form.js";
import { make } from "../core/page.js";
import { moment, t } from "../core/texts.js";
import { cropped } from "./crop.js";
import { withProof } from "../account/proof.js";
import { confirmed } from "../components/sheet.js";
import { toast } from "../frame/shell.js";

const CIRCLES = /** @type {const} */ (["everyone", "friends", "nobody"]);

/**
 * A picture of a profile; a letter where there is none.
 * @param {string} name
 * @param {string} asset
 * @param {string} account
 */
export function portrait(name, asset, account) {
  const box = make("span", { class: "portrait", "aria-hidden": "true" }, [...name][0]?.toUpperCase() ?? "?");
  if (asset) {
    client.assetURL(asset, account).then((/** @type {string} */ url) =>
      box.replaceChildren(make("img", { src: url, alt: "" })), () => {});
  }
  return box;
}

/** One's own profile. */
export function ownPage() {
  return arriving(async () => {
    const own = await client.request("getProfile"), proof = make("div");
    const circle = (/** @type {string} */ name, /** @type {string} */ value) => ({
      name, label: t(`field.${name}`), type: "select", value: value || "friends", required: true,
      choices: CIRCLES.map((one) => /** @type {[string, string]} */ ([one, t(`circle.${one}`)])),
    });
    return make("div", { class: "stack" },
      make("div", { class: "card" }, make("div", { class: "row" }, portrait(own.username ?? "", own.picture, ""),
        pictureField(own)),
        make("p", { class: "quiet" }, [own.email, own.created ? t("since", { time: moment(own.created) })
          : ""].filter(Boolean).join(" · "))),
      make("div", { class: "card" }, proof, form([
        { name: "username", label: t("field.username"), value: own.username, required: true },
        { name: "status", label: t("field.status"), value: own.status, most: 140 },
        { name: "bio", label: t("field.bio"), type: "area", value: own.bio, most: 500 },
        { name: "firstName", label: t("field.firstName"), value: own.firstName, complete: "given-name" },
        { name: "lastName", label: t("field.lastName"), value: own.lastName, complete: "family-name" },
        circle("visibleTo", own.visibleTo), circle("friendsVisibleTo", own.friendsVisibleTo),
        circle("interactionsVisibleTo", own.interactionsVisibleTo),
      ], t("save"), async (values) => {
        if (values.username === own.username) delete values.username;
        const save = async () => {
          own.username = (await client.request("editProfile", values)).username;
          return t("saved");
        };
        // By a name and a password one gets in: another name needs a proof.
        return own.hasPassword && values.username !== undefined ? withProof(proof, save) : save();
      })));
  });
}

/** @param {any} own */
function pictureField(own) {
  const state = make("span", { class: "quiet", role: "status" });
  const file = make("input", { type: "file", accept: "image/png,image/jpeg", id: "picture", onchange: async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    try {
      const bytes = await cropped(chosen, Number(limits().pictureBytes ?? 0));
      file.value = "";
      if (!bytes) return;
      const picture = await client.upload(bytes,
        (/** @type {number} */ done) => { state.textContent = `${Math.round((100 * done) / bytes.length)} %`; });
      await client.request("editProfile", { picture });
      own.picture = picture;
      state.textContent = t("saved");
    } catch (refusal) {
      state.textContent = refusal instanceof DOMException ? t("crop.none") : /** @type {any} */ (refusal).message;
    }
  } });
  return make("div", { class: "field" }, make("label", { for: "picture" },
    t("picture", { kb: Math.round(Number(limits().pictureBytes ?? 0) / 1024) })), file, state);
}

/**
 * Another person: the profile as far as it is shown, and what one may do.
 * @param {string} account
 * @param {string} name
 */
export async function personCard(account, name) {
  let profile = { username: name, status: "", bio: "", picture: "" };
  let hidden = false;
  try {
    if (client.isSignedIn) profile = { ...profile, ...(await client.request("readProfile", { account })) };
  } catch {
    hidden = true;
  }
  const isMe = account === client.welcome?.account;
  return make("div", { class: "stack", "data-account": account },
    make("div", { class: "row" }, portrait(name, profile.picture, account), make("strong", { dir: "auto" }, name)),
    profile.status && make("p", { dir: "auto" }, profile.status), profile.bio
      && make("p", { dir: "auto", class: "quiet" }, profile.bio),
    hidden && make("p", { class: "quiet" }, t("profile.hidden")),
    !isMe && client.isSignedIn && make("div", { class: "row" },
      action(t("friend.ask"), async () => {
        const { friends } = await client.request("requestFriend", { account });
        toast(t(friends ? "friend.now" : "friend.asked", { name }));
      }),
      action(t("block"), async () => {
        if (!(await confirmed(t("block.ask", { name }), t("block")))) return;
        await client.request("block", { account });
        toast(t("blocked", { name }));
      }, "quiet-danger")));
}
