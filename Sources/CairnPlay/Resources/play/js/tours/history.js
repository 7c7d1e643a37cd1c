// What a stop has to tell, to read and, after a tap, to hear.

import { client } from "../core/app.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { paragraphs, section } from "../components/card.js";
import { refused } from "../components/message.js";
import { voice, words } from "./content.js";

/**
 * The history of a stop.
 * @param {any} stop
 * @param {string} tour
 */
export function history(stop, tour) {
  const text = words(stop.history);
  const { audio } = voice(stop.history);
  const trouble = make("div", { class: "trouble" });
  const pressed = async () => {
    trouble.replaceChildren();
    if (listen.dataset.on) quiet();
    else await hear(stop, tour, listen).catch((refusal) => trouble.replaceChildren(refused(refusal)));
  };
  const listen = make("button", { type: "button", onclick: pressed }, t("run.listen"));
  return section(words(stop.name), make("p", { class: "quiet", dir: "auto" }, words(stop.alternative)),
    ...paragraphs(text), (audio || "speechSynthesis" in window) && text && make("div", { class: "row" }, listen),
    trouble);
}

/** @type {HTMLAudioElement | null} */
let player = null;
/** What is heard, or is about to be: another one for each tap. @type {symbol | null} */
let heard = null;

/**
 * Plays the recording, else has the browser speak, until it ends or is ended; what cannot be played is thrown.
 * @param {any} stop
 * @param {string} tour
 * @param {any} button
 */
export async function hear(stop, tour, button) {
  quiet();
  const mine = Symbol("heard");
  heard = mine;
  const { audio, language } = voice(stop.history);
  button.dataset.on = "yes";
  button.textContent = t("run.quiet");
  const ended = () => {
    delete button.dataset.on;
    button.textContent = t("run.listen");
  };
  button.addEventListener("quiet", ended, { once: true });
  if (audio) {
    try {
      const address = await client.assetURL(audio, "", tour);
      // It was ended while the address was awaited.
      if (heard !== mine) return;
      player = new Audio(address);
      player.addEventListener("ended", ended);
      await player.play();
    } catch (refusal) {
      if (heard !== mine) return;
      quiet();
      throw refusal;
    }
    return;
  }
  const speech = new SpeechSynthesisUtterance(words(stop.history));
  speech.lang = language;
  speech.addEventListener("end", ended);
  speechSynthesis.speak(speech);
}

/** Ends what is heard. */
export function quiet() {
  heard = null;
  player?.pause();
  player = null;
  if ("speechSynthesis" in window) speechSynthesis.cancel();
  for (const button of document.querySelectorAll("[data-on]")) button.dispatchEvent(new Event("quiet"));
}
