// One's own profile.

import { client, limits } from "../core/app.js";
import { make } from "../core/page.js";
import { moment, t } from "../core/texts.js";
import { withProof } from "../account/proof.js";
import { arriving } from "../components/arriving.js";
import { act } from "../components/button.js";
import { card } from "../components/card.js";
import { form, labelled } from "../components/form.js";
import { portrait } from "../components/list.js";
import { cropped } from "./crop.js";

const CIRCLES = /** @type {const} */ (["everyone", "friends", "nobody"]);

/** One's own profile. */
export function ownPage() {
  return arriving(async () => {
    const own = await client.request("getProfile"), proof = make("div");
    const circle = (/** @type {string} */ name, /** @type {string} */ value) => ({
      name, label: t(`field.${name}`), type: "select", value: value || "friends", required: true,
      choices: CIRCLES.map((one) => /** @type {[string, string]} */ ([one, t(`circle.${one}`)])),
    });
    return make("div", { class: "stack" },
      card(make("div", { class: "row" }, portrait(own.username ?? "", own.picture, ""),
        pictureField(own)),
        make("p", { class: "quiet" }, [own.email, own.created ? t("since", { time: moment(own.created) })
          : ""].filter(Boolean).join(" · "))),
      card(proof, form([
        { name: "username", label: t("field.username"), value: own.username, required: true },
        { name: "status", label: t("field.status"), value: own.status, most: 140 },
        { name: "bio", label: t("field.bio"), type: "area", value: own.bio, most: 500 },
        { name: "firstName", label: t("field.firstName"), value: own.firstName, complete: "given-name" },
        { name: "lastName", label: t("field.lastName"), value: own.lastName, complete: "family-name" },
        circle("visibleTo", own.visibleTo), circle("friendsVisibleTo", own.friendsVisibleTo),
        circle("interactionsVisibleTo", own.interactionsVisibleTo),
        ...(limits().guestsLook ? [{ name: "guestsSee", label: t("field.guestsSee"), type: "check",
          checked: Boolean(own.guestsSee) }] : []),
      ], t("save"), async (values) => {
        if (values.username === own.username) delete values.username;
        // How often it changes has a limit.
        if (values.guestsSee === Boolean(own.guestsSee)) delete values.guestsSee;
        const save = async () => {
          own.username = (await client.request("editProfile", values)).username;
          own.guestsSee = values.guestsSee ?? own.guestsSee;
          return t("saved");
        };
        // By a name and a password one gets in: another name needs a proof.
        return own.hasPassword && values.username !== undefined ? withProof(proof, save) : save();
      })));
  });
}

/** @param {any} own */
function pictureField(own) {
  const state = make("span", { class: "quiet", role: "status" }), answer = make("div");
  const take = async (/** @type {File} */ chosen) => {
    const bytes = await cropped(chosen, Number(limits().pictureBytes ?? 0));
    file.value = "";
    if (!bytes) return "";
    const picture = await client.upload(bytes,
      (/** @type {number} */ done) => { state.textContent = `${Math.round((100 * done) / bytes.length)} %`; });
    await client.request("editProfile", { picture });
    own.picture = picture;
    return t("saved");
  };
  const why = (/** @type {any} */ refusal) => refusal instanceof DOMException
    ? { code: "form", message: t("crop.none") } : refusal;
  const file = make("input", { type: "file", accept: "image/png,image/jpeg", id: "picture", onchange: async () => {
    const [chosen] = file.files;
    if (chosen) await act(file, () => take(chosen), { place: answer, why });
    state.textContent = "";
  } });
  return labelled(t("picture", { kb: Math.round(Number(limits().pictureBytes ?? 0) / 1024) }), file, {}, state, answer);
}
