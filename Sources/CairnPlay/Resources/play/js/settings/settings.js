// All settings, applied at once, here and on every device of the person.

import { client, isSignedIn } from "../core/app.js";
import { make } from "../core/page.js";
import { OFFERED, save, setting } from "../core/settings.js";
import { LANGUAGES, t } from "../core/texts.js";
import { section } from "../components/card.js";
import { labelled, range, select } from "../components/form.js";
import { refused } from "../components/message.js";

const KINDS = [
  "friend_request", "friend_accepted", "friend_rejected", "realm_invitation", "realm_join_request", "realm_approved",
  "realm_refused", "realm_added", "realm_removed", "realm_deleted", "instance_taken_out", "tour_ended",
  "purchase_refunded", "new_device", "sign_in_changed",
];
/** Those that a person gets only after having switched them on (PRX-1). */
const OPT_IN = ["tour_nearby"];

/**
 * A setting as a choice.
 * @param {string} key
 * @param {string[]} values
 * @param {string} label
 * @param {(value: string) => string} words
 */
function choice(key, values, label, words) {
  const state = make("div");
  const choices = values.map((value) => /** @type {[string, string]} */ ([value, words(value)]));
  const input = select(choices, { "data-key": key, onchange: async () => {
    try {
      await save(key, input.value);
      state.replaceChildren();
    } catch (refusal) {
      state.replaceChildren(refused(refusal));
    }
  } });
  input.value = setting(key);
  if (!input.value) input.value = values[0];
  return labelled(label, input, { isInline: true }, state);
}

/**
 * Whether a person gets a kind of notifications.
 * @param {string} kind
 * @param {string[]} values the first one is what the server begins with
 */
function notice(kind, values) {
  return choice(`notifications.${kind}`, values, t(`kind.${kind}`), (value) => t(`value.${value}`));
}

/** @param {string[]} keys */
function choices(keys) {
  return keys.map((key) => choice(key, /** @type {any} */ (OFFERED)[key], t(`setting.${key}`), (value) =>
    key === "accessibility.language" ? /** @type {any} */ (LANGUAGES)[value] ?? t("language.device")
      : t(`value.${value}`)));
}

/**
 * A number between two bounds as a slider.
 * @param {string} key
 * @param {number} min
 * @param {number} max
 * @param {number} usual
 */
function number(key, min, max, usual) {
  const input = range({ min, max, step: 0.1 }, { "data-key": key, onchange: () => save(key, input.value) });
  input.value = client.settings.get(key) ?? String(usual);
  return labelled(t(`setting.${key}`), input, { isInline: true });
}

/** The page of settings. A guest has those of the look, in this browser alone. */
export function settingsPage() {
  const look = ["display.theme", "accessibility.language", "accessibility.textSize", "accessibility.contrast",
    "accessibility.reducedMotion", "accessibility.colourTheme", "accessibility.objectNames", "display.objects"];
  const background = make("input", { type: "color", "data-key": "display.inventoryBackground",
    onchange: () => save("display.inventoryBackground", background.value) });
  background.value = (isSignedIn() && client.settings.get("display.inventoryBackground")) || "#0b5c4a";
  return make("div", { class: "stack" },
    section(t("settings.look"), ...choices(look),
      ...(isSignedIn() ? [number("accessibility.fontScale", 0.5, 3, 1), number("display.brightness", 0, 1, 1),
        labelled(t("setting.display.inventoryBackground"), background, { isInline: true })] : [])),
    isSignedIn() && section(t("settings.privacy"), make("p", { class: "quiet" }, t("settings.privacy.about")),
      ...choices(["privacy.sharePosition", "privacy.accuracy"])),
    isSignedIn() && section(t("profile.notifications"), ...OPT_IN.map((kind) => notice(kind, ["off", "on"])),
      ...KINDS.map((kind) => notice(kind, ["on", "off"]))),
    isSignedIn() ? null : make("p", { class: "quiet" }, t("settings.guest")));
}
