// The person's settings, applied to the page at once: here, and when another device saves them (PRF-6, PRF-7, PRF-9).

import { client, isExpected, isSignedIn, tell } from "./app.js";
import { local } from "./storage.js";
import { fitting, language, LANGUAGES, speak } from "./texts.js";

/** The settings that the page offers, with their values in order; keys that go through them end at the most exact. */
export const OFFERED = {
  "display.theme": ["system", "dark", "light"],
  "accessibility.language": ["", ...Object.keys(LANGUAGES)],
  "accessibility.textSize": ["small", "medium", "large", "largest"],
  "accessibility.contrast": ["normal", "high"],
  "accessibility.reducedMotion": ["off", "on"],
  "accessibility.colourTheme": ["standard", "protanopia", "deuteranopia", "tritanopia"],
  "accessibility.objectNames": ["on", "off"],
  "display.objects": ["on", "off"],
  "privacy.sharePosition": ["off", "on"],
  "privacy.accuracy": ["1000", "100", "10", "exact"],
};

/** What counts when nothing was saved, where that is not the first value. */
const USUAL = { "accessibility.textSize": "medium", "privacy.accuracy": "10" };

const GUESTS = "cairn-play-look";

/**
 * What a guest has chosen, for this browser alone.
 * @returns {Record<string, string>}
 */
function guests() {
  try {
    return JSON.parse(local.get(GUESTS) ?? "{}");
  } catch {
    return {};
  }
}

/** Where this device keeps what the person has chosen; a sign-out empties it. */
const LOOK = "look";

/**
 * What the person had chosen when the server last said it.
 * @type {Record<string, string>}
 */
let recalled = {};

/** Reads what the person had chosen, so that the page looks as they want it before the server answers (SYN-1). */
export async function recall() {
  try {
    await client.load();
    recalled = (await client.store.get(LOOK)) ?? {};
  } catch {
    // Then it looks so when the server has said it.
  }
}

/** Keeps what the person has chosen for the next opening of the page. */
function remember() {
  if (!isSignedIn()) return;
  recalled = Object.fromEntries(client.settings);
  client.store.put(LOOK, recalled).catch(() => {});
}

/**
 * A setting as it was saved; undefined if it never was.
 * @param {string} key
 * @returns {string | undefined}
 */
function saved(key) {
  if (isSignedIn()) return client.settings.get(key);
  return isExpected() ? client.settings.get(key) ?? recalled[key] : guests()[key];
}

/**
 * A setting as it counts now.
 * @param {string} key
 */
export function setting(key) {
  return saved(key) ?? /** @type {any} */ (USUAL)[key] ?? /** @type {any} */ (OFFERED)[key]?.[0] ?? "";
}

/**
 * Saves a setting: for all devices of the person, for a guest in this browser.
 * @param {string} key
 * @param {string} value
 */
export async function save(key, value) {
  if (isSignedIn() || isExpected()) await client.saveSettings({ [key]: value });
  else local.set(GUESTS, JSON.stringify({ ...guests(), [key]: value }));
  await apply();
}

/** Writes the settings into the page. */
export async function apply() {
  const root = document.documentElement;
  const theme = setting("display.theme");
  root.dataset.theme = theme === "system" ? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")
    : theme;
  root.dataset.contrast = setting("accessibility.contrast");
  root.dataset.size = setting("accessibility.textSize");
  root.dataset.colours = setting("accessibility.colourTheme");
  root.dataset.motion = isStill() ? "still" : "moving";
  const scale = Number(saved("accessibility.fontScale"));
  root.style.setProperty("--font-scale", String(scale >= 0.5 && scale <= 3 ? scale : 1));
  // The darkest, 0, can still be read.
  const brightness = Number(saved("display.brightness") ?? 1);
  root.style.setProperty("--brightness", String(brightness >= 0 && brightness <= 1 ? 0.4 + brightness * 0.6 : 1));
  const wanted = setting("accessibility.language") || fitting(navigator.languages);
  if (wanted !== language && (await canSpeak(wanted))) tell("language");
  remember();
  tell("settings");
}

/**
 * Speaks the language from here on. Without the network the page may lack its texts, and keeps the language it has.
 * @param {string} wanted
 */
async function canSpeak(wanted) {
  try {
    await speak(wanted);
    return true;
  } catch {
    return false;
  }
}

/** Whether nothing should move by itself. */
export function isStill() {
  return setting("accessibility.reducedMotion") === "on" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether the theme of the page is dark now. */
export function isDark() {
  return document.documentElement.dataset.theme === "dark";
}
