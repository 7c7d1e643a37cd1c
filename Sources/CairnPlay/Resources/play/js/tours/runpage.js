// The page of a run: where to go, what was reached and its history to read and hear, popups, and what it came to.


import { client, on } from "../core/app.js";
import { compass } from "../core/geo.js";
import { make, write } from "../core/page.js";
import { ownHeading, sendPlace } from "../core/place.js";
import { go, goIfStayed, route } from "../core/router.js";
import { metres, span, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { card, paragraphs, section } from "../components/card.js";
import { confirmed } from "../components/dialog.js";
import { say, toast } from "../components/message.js";
import { readRun, voice, words } from "./content.js";
import { forgetGroup } from "./group.js";
import { groupPanel } from "./grouppanel.js";
import { content, endRun, goal, others, popups, run, takeContent, takeRun, wayTo } from "./run.js";
import { sketch, unsketch } from "./sketch.js";

/** @type {Record<string, any>} the parts of the page that change */
let parts = {};

/** The page of the run. */
export function runPage() {
  return arriving(async () => {
    try {
      takeRun(await client.request("getRun"));
    } catch (refusal) {
      if (/** @type {any} */ (refusal).code !== "not_found") throw refusal;
      return card(make("p", {}, t("run.none")));
    }
    const found = await readRun();
    takeContent(found.content);
    if (!parts.state) on("run place heading group", draw);
    parts = {
      state: make("p", { class: "run-state", role: "status" }), next: make("h2", { dir: "auto" }),
        arrow: make("span", { class: "arrow-to", "aria-hidden": "true" }, "➤"),
      way: make("p", {}), progress: make("p", { class: "quiet" }), history: make("div", { class: "stack" }),
        popups: make("div", { class: "stack" }),
      last: "", buttons: make("div", { class: "row" }),
    };
    draw();
    return make("div", { class: "stack" },
      card(parts.state, parts.next, make("div", { class: "row" }, parts.arrow, parts.way),
        parts.progress, parts.buttons),
      parts.history, parts.popups, groupPanel(found.tour, content.stops));
  });
}

/** Buttons that fit the state of the run. */
function buttons() {
  const isPaused = run.state === "RUN_STATE_PAUSED", isDone = run.state === "RUN_STATE_COMPLETED";
  return [
    action(t("tours.onMap"), async () => {
      go("map");
      await sketch(content, { fit: true, target: goal()?.id });
    }, "accent"),
    make("a", { class: "button", href: "#/realm" }, t("run.view")),
    !isDone && action(t(isPaused ? "run.resume" : "run.pause"), async () => {
      takeRun(await client.request(isPaused ? "resumeRun" : "pauseRun"));
      // Where the walker went meanwhile counts from now on.
      if (isPaused) sendPlace();
    }),
    action(t("run.leave"), async () => {
      if (!isDone && !(await confirmed(t("run.leave.ask"), t("run.leave")))) return;
      quiet();
      const go = goIfStayed();
      const { metres: walked = 0, milliseconds = 0 } = await client.request("leaveRun");
      endRun();
      forgetGroup();
      await unsketch();
      toast(t("run.totals", { distance: metres(walked), time: span(Number(milliseconds)) }), { seconds: 20 });
      go("tours");
    }, isDone ? "" : "quiet-danger"),
  ].filter(Boolean);
}

function draw() {
  if (!run || !parts.state || !parts.state.isConnected && parts.drawn) return;
  parts.drawn = true;
  const { state, target, last, reached = 0, stops = 0, metres: walked = 0, milliseconds = 0, at = 0 } = run;
  const running = state === "RUN_STATE_WALKING" ? Math.max(0, client.serverNow() - Number(at)) : 0;
  write(parts.state, state === "RUN_STATE_PAUSED" ? t("run.paused") : state === "RUN_STATE_COMPLETED" ? t("run.done")
    : t("run.title"));
  const to = goal(), way = to ? wayTo(to) : null;
  write(parts.next, to ? t("run.to", { name: words(to.name) }) : t("run.title"));
  parts.arrow.hidden = !way;
  if (way) {
    write(parts.way, t("run.ahead", { distance: metres(way.metres), direction: compass(way.bearing) }));
    parts.arrow.style.transform = `rotate(${way.bearing - ownHeading() - 90}deg)`;
  } else write(parts.way, "");
  write(parts.progress, [t("run.progress", { reached, stops }),
    t("run.totals", { distance: metres(walked), time: span(Number(milliseconds) + running) }),
    others > 0 ? t("run.others", { n: others }) : ""].filter(Boolean).join(" · "));
  const button = `${state} ${target?.id}`;
  if (parts.buttons.dataset.state !== button) {
    parts.buttons.dataset.state = button;
    parts.buttons.replaceChildren(...buttons());
  }
  if (last && parts.last !== last.id) {
    parts.last = last.id;
    parts.history.replaceChildren(history(last));
    if (route().rest[0] === "run") say(t("run.arrived", { name: words(last.name) }));
  }
  if (parts.popups.children.length !== popups.length) {
    parts.popups.replaceChildren(...popups.map(({ text }) => card(make("p", { dir: "auto" }, words(text)))));
  }
}

/**
 * What a stop has to tell, to read and, after a tap, to hear.
 * @param {any} stop
 */
function history(stop) {
  const text = words(stop.history);
  const { audio } = voice(stop.history);
  const listen = make("button", { type: "button", onclick: () => (listen.dataset.on ? quiet() : hear(stop, listen)) },
    t("run.listen"));
  return section(words(stop.name), make("p", { class: "quiet", dir: "auto" }, words(stop.alternative)),
    ...paragraphs(text), (audio || "speechSynthesis" in window) && text && make("div", { class: "row" }, listen));
}

/** @type {HTMLAudioElement | null} */
let player = null;

/**
 * Plays the recording, else has the browser speak.
 * @param {any} stop
 * @param {any} button
 */
async function hear(stop, button) {
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
    player = new Audio(await client.assetURL(audio, "", run?.tour ?? ""));
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
function quiet() {
  player?.pause();
  player = null;
  if ("speechSynthesis" in window) speechSynthesis.cancel();
  for (const button of document.querySelectorAll("[data-on]")) button.dispatchEvent(new Event("quiet"));
}
