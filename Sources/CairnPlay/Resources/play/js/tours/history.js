// What a stop has to tell, to read and, after a tap, to hear.

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { paragraphs, section } from "../components/card.js";
import { voice, words } from "./content.js";

/**
 * The history of a stop.
 * @param {any} stop
 * @param {string} tour
 */
export function history(stop, tour) {
  const text = words(stop.history);
  const { audio } = voice(stop.history);
  const pressed = () => (listen.dataset.on ? quiet() : hear(stop, tour, listen));
  const listen = make("button", { type: "button", onclick: pressed }, t("run.listen"));
  return section(words(stop.name), make("p", { class: "quiet", dir: "auto" }, words(stop.alternative)),
    ...paragraphs(text), (audio || "speechSynthesis" in window) && text && make("div", { class: "row" }, listen));
}

/** @type {HTMLAudioElement | null} */
let player = null;

/**
 * Plays the recording, else has the browser speak.
 * @param {any} stop
 * @param {string} tour
 * @param {any} button
 */
async function hear(stop, tour, button) {
  quiet();
  const { audio, language } = voice(stop.history);
  button.dataset.on = "yes";
  button.textContent = t("run.quiet");
  const ended = () => {
    delete button.dataset.on;
    button.textContent = t("run.listen");
  };
  button.addEventListener("quiet", ended, { once: true });
  if (audio) {
    player = new Audio(await client.assetURL(audio, "", tour));
    player.addEventListener("ended", ended);
    await player.play();
    return;
  }
  const speech = new SpeechSynthesisUtterance(words(stop.history));
  speech.lang = language;
  speech.addEventListener("end", ended);
  speechSynthesis.speak(speech);
}

/** Ends what is heard. */
export function quiet() {
  player?.pause();
  player = null;
  if ("speechSynthesis" in window) speechSynthesis.cancel();
  for (const button of document.querySelectorAll("[data-on]")) button.dispatchEvent(new Event("quiet"));
}
