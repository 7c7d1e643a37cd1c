// All settings, applied at once, here and on every device of the person.

import { client, isSignedIn, on } from "../core/app.js";
import { table } from "../core/extensions.js";
import { at, make, write } from "../core/page.js";
import { OFFERED, save, setting } from "../core/settings.js";
import { LANGUAGES, t } from "../core/texts.js";
import { act } from "../components/button.js";
import { section } from "../components/card.js";
import { labelled, range, select } from "../components/form.js";
import { withProof } from "../account/proof.js";
import { counting, share } from "./sharing.js";

/** Ends when the page of settings is made anew. */
let shown = new AbortController();

/**
 * Has a choice count when it is made. Keys that go from one value to the next pass others on the way: what they come to
 * counts with Enter, or when the field is left.
 * @param {HTMLSelectElement} input
 * @param {Element} state says that Enter is waited for
 * @param {() => void} choose
 * @returns {() => boolean} whether something is chosen that does not count yet
 */
function whenChosen(input, state, choose) {
  let isByKeys = false, isDue = false;
  const take = () => {
    isByKeys = false;
    if (!isDue) return;
    isDue = false;
    choose();
  };
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") isByKeys = true;
    else {
      if (isDue) event.preventDefault();
      take();
    }
  });
  input.addEventListener("pointerdown", () => { isByKeys = false; });
  input.addEventListener("blur", take);
  input.addEventListener("change", () => {
    isDue = true;
    if (!isByKeys) take();
    else state.replaceChildren(make("span", { class: "quiet waiting", role: "status" }, t("settings.enter")));
  });
  return () => isDue;
}

/**
 * Holds a field where it is on the screen, though the page around it becomes larger or smaller.
 * @param {HTMLElement} input
 * @returns {() => void} lets it go
 */
function held(input) {
  const { top } = input.getBoundingClientRect(), ended = new AbortController();
  on("settings", () => {
    if (input.isConnected) at("page").scrollTop += input.getBoundingClientRect().top - top;
  }, ended.signal);
  return () => ended.abort();
}

/** What says who sees the own place follows whatever changes that, here or on another device. */
const SAYS = /** @type {Record<string, () => string>} */ (
  { "privacy.sharePosition": counting, "privacy.accuracy": counting });

/**
 * A setting as a choice. What is said of a change goes when the setting is changed elsewhere.
 * @param {string} key
 * @param {string[]} values
 * @param {string} label
 * @param {(value: string) => string} words
 * @param {(box: Element, value: string, save: () => Promise<any>) => Promise<any>} saving
 */
function choice(key, values, label, words, saving = (box, value, save) => save()) {
  const state = make("div");
  const choices = values.map((value) => /** @type {[string, string]} */ ([value, words(value)]));
  const input = select(choices, { "data-key": key });
  const show = () => { input.value = setting(key) || values[0]; };
  const isDue = whenChosen(input, state, async () => {
    const { value } = input, end = held(input);
    await act(input, () => saving(state, value, () => save(key, value)), { place: state });
    end();
    show();
  });
  // It may be saved elsewhere: in the sheet behind the pill, or on another device.
  on("settings", () => {
    const { value } = input, said = state.querySelector(".done");
    if (!isDue() && !input.hasAttribute("aria-busy")) show();
    if (said && SAYS[key]) write(said, SAYS[key]());
    else if (input.value !== value) said?.remove();
  }, shown.signal);
  show();
  return labelled(label, input, { isInline: true }, state);
}

/** Whether a person gets each kind of notifications that one can choose. */
function notices() {
  return Object.entries(table("notices")).filter(([, { usual }]) => usual)
    .sort(([, a], [, b]) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(([kind, { usual, isWarning }]) => choice(
      `notifications.${kind}`, usual === "on" ? ["on", "off"] : ["off", "on"], t(`kind.${kind}`),
      (value) => t(`value.${value}`),
      (box, value, save) => isWarning && value === "off" ? withProof(box, save) : save()));
}

/** @param {string[]} keys */
function choices(keys) {
  return keys.map((key) => choice(key, /** @type {any} */ (OFFERED)[key], t(`setting.${key}`), (value) =>
    key === "accessibility.language" ? /** @type {any} */ (LANGUAGES)[value] ?? t("language.device")
      : t(`value.${value}`), key === "privacy.sharePosition" ? (box, value) => share(value === "on")
        : key === "privacy.accuracy" ? (box, value, save) => save().then(counting) : undefined));
}

/**
 * A number between two bounds as a slider.
 * @param {string} key
 * @param {number} min
 * @param {number} max
 * @param {number} usual
 */
function number(key, min, max, usual) {
  const input = range({ min, max, step: 0.1 }, { "data-key": key });
  input.value = client.settings.get(key) ?? String(usual);
  return saved(input, key);
}

/**
 * A setting that is saved when its field has changed.
 * @param {HTMLInputElement} input
 * @param {string} key
 */
function saved(input, key) {
  const state = make("div");
  input.addEventListener("change", () => {
    const { value } = input, end = held(input);
    act(input, () => save(key, value), { place: state }).then(end);
  });
  return labelled(t(`setting.${key}`), input, { isInline: true }, state);
}

/** The page of settings. A guest has those of the look, in this browser alone. */
export function settingsPage() {
  shown.abort();
  shown = new AbortController();
  const look = ["display.theme", "accessibility.language", "accessibility.textSize", "accessibility.contrast",
    "accessibility.reducedMotion", "accessibility.colourTheme", "accessibility.objectNames", "display.objects"];
  const background = make("input", { type: "color", "data-key": "display.inventoryBackground" });
  background.value = (isSignedIn() && client.settings.get("display.inventoryBackground")) || "#0b5c4a";
  return make("div", { class: "stack" },
    section(t("settings.look"), ...choices(look),
      ...(isSignedIn() ? [number("accessibility.fontScale", 0.5, 3, 1), number("display.brightness", 0, 1, 1),
        saved(background, "display.inventoryBackground")] : [])),
    isSignedIn() && section(t("settings.privacy"), make("p", { class: "quiet" }, t("settings.privacy.about")),
      ...choices(["privacy.sharePosition", "privacy.accuracy"])),
    isSignedIn() && section(t("profile.notifications"), ...notices()),
    isSignedIn() ? null : make("p", { class: "quiet" }, t("settings.guest")));
}
