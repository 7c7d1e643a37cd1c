// The person's settings, applied to the page at once: here, and when another device saves them (PRF-6, PRF-7, PRF-9).

import { client, isSignedIn, tell } from "./app.js";
import { LANGUAGES, fitting, language, speak } from "./texts.js";

/** The settings that the page offers, with their values; the first is what counts when nothing was saved. */
export const OFFERED = {
  "display.theme": ["system", "dark", "light"],
  "accessibility.language": ["", ...Object.keys(LANGUAGES)],
  "accessibility.textSize": ["medium", "small", "large", "largest"],
  "accessibility.contrast": ["normal", "high"],
  "accessibility.reducedMotion": ["off", "on"],
  "accessibility.colourTheme": ["standard", "protanopia", "deuteranopia", "tritanopia"],
  "accessibility.objectNames": ["on", "off"],
  "display.objects": ["on", "off"],
  "privacy.sharePosition": ["off", "on"],
  "privacy.accuracy": ["10", "exact", "100", "1000"],
};

const GUESTS = "cairn-play-look";

/**
 * What a guest has chosen, for this browser alone.
 * @returns {Record<string, string>}
 */
function guests() {
  try {
    return JSON.parse(localStorage.getItem(GUESTS) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * A setting as it counts now.
 * @param {string} key
 */
export function setting(key) {
  const saved = isSignedIn() ? client.settings.get(key) : guests()[key];
  return saved ?? /** @type {any} */ (OFFERED)[key]?.[0] ?? "";
}

/**
 * Saves a setting: for all devices of the person, for a guest in this browser.
 * @param {string} key
 * @param {string} value
 */
export async function save(key, value) {
  if (isSignedIn()) await client.saveSettings({ [key]: value });
  else localStorage.setItem(GUESTS, JSON.stringify({ ...guests(), [key]: value }));
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
  const scale = Number(isSignedIn() && client.settings.get("accessibility.fontScale"));
  root.style.setProperty("--font-scale", String(scale >= 0.5 && scale <= 3 ? scale : 1));
  const brightness = Number(isSignedIn() && client.settings.get("display.brightness"));
  root.style.setProperty("--brightness", String(brightness > 0 && brightness <= 1 ? 0.4 + brightness * 0.6 : 1));
  const wanted = setting("accessibility.language") || fitting(navigator.languages);
  if (wanted !== language) {
    await speak(wanted);
    tell("language");
  }
  tell("settings");
}

/** Whether nothing should move by itself. */
export function isStill() {
  return setting("accessibility.reducedMotion") === "on" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether the theme of the page is dark now. */
export function isDark() {
  return document.documentElement.dataset.theme === "dark";
}
