// Walking a tour: where to go, what was reached and its history to read and hear, popups, and what it came to
// (TRT-5 to TRT-12).

import { action, arriving } from "../components/form.js";
import { client, on, tell } from "../core/app.js";
import { bearing, compass, distance } from "../core/geo.js";
import { confirmed } from "../components/sheet.js";
import { go, goIfStayed, route } from "../core/router.js";
import { followGroup, forgetGroup, groupPanel, led, ledTo } from "./group.js";
import { make, write } from "../core/page.js";
import { metres, span, t } from "../core/texts.js";
import { own, ownHeading, sendPlace } from "../core/place.js";
import { paragraphs } from "../help/help.js";
import { readRun, voice, words } from "./content.js";
import { say, toast } from "../frame/shell.js";
import { sketch, unsketch } from "./sketch.js";

/**
 * After so long a walker who has come to a stand says once more where they are, and so often. A stop is reached by
 * staying at it, and the group is told the newest place when it was told an older one some seconds ago. Not for ever:
 * the person may go on with another device.
 */
const STANDING_MS = 2000, STANDING_TIMES = 3;

/** @type {any} the run as the server told it last */
let run = null;
/** @type {any} where the target is: metres and bearing */
let guidance = null;
/** The stop to which the guide led when guidance came. */
let aimed = "";
/** @type {any} */
let content = null;
let others = 0;
/** @type {any[]} popups that were shown, newest last */
let popups = [];

/**
 * Follows what the server says of runs and of tours near by.
 * @param {any} client
 */
export function followRuns(client) {
  const take = (/** @type {any} */ next) => {
    if (run && next.id !== run.id) {
      popups = [];
      content = null;
    }
    run = next;
    tell("run");
  };
  client.on("run", take);
  client.on("runChanged", (/** @type {any} */ { run: next }) => take(next));
  client.on("stopReached", (/** @type {any} */ { run: next }) => {
    take(next);
    guidance = null;
    if (navigator.vibrate) navigator.vibrate(200);
    const words_ = t("run.arrived", { name: words(next.last?.name) });
    toast(next.state === "RUN_STATE_COMPLETED" ? `${words_} ${t("run.done")}` : words_,
      { seconds: 20, action: { text: t("open"), run: () => go("tours", "run") } });
  });
  client.on("popupShown", (/** @type {any} */ { popup }) => {
    popups.push(popup);
    toast(words(popup.text), { seconds: 30 });
    tell("run");
  });
  client.on("guidance", (/** @type {any} */ next) => {
    guidance = next;
    tell("run");
  });
  client.on("fellowWalkers", (/** @type {any} */ { reached = [] }) => {
    others = reached.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0);
    tell("run");
  });
  client.on("nearbyTours", (/** @type {any} */ { tours = [] }) => {
    if (tours[0]) toast(t("tours.nearby", { name: words(tours[0].name) }),
      { action: { text: t("open"), run: () => go("tours", tours[0].id) } });
  });
  client.on("emptied", () => {
    run = guidance = content = null;
    tell("run");
  });
  followGroup(client);
  let timesLeft = 0;
  on("place", () => { timesLeft = STANDING_TIMES; });
  setInterval(() => {
    if (!run || run.state === "RUN_STATE_PAUSED" || !client.isLive || timesLeft === 0) return;
    timesLeft -= 1;
    sendPlace();
  }, STANDING_MS);
  on("run group route", () => read().catch(() => {}));
  on("run place heading group", () => draw());
}

/** @type {Record<string, any>} the parts of the page that change */
let parts = {};

/** The page of the run. */
export function runPage() {
  return arriving(async () => {
    try {
      run = await client.request("getRun");
    } catch (refusal) {
      if (/** @type {any} */ (refusal).code !== "not_found") throw refusal;
      return make("div", { class: "card" }, make("p", {}, t("run.none")));
    }
    let tour;
    ({ content, tour } = await readRun());
    parts = {
      state: make("p", { class: "run-state", role: "status" }), next: make("h2", { dir: "auto" }),
        arrow: make("span", { class: "arrow-to", "aria-hidden": "true" }, "➤"),
      way: make("p", {}), progress: make("p", { class: "quiet" }), history: make("div", { class: "stack" }),
        popups: make("div", { class: "stack" }),
      last: "", buttons: make("div", { class: "row" }),
    };
    draw();
    return make("div", { class: "stack" },
      make("div", { class: "card" }, parts.state, parts.next, make("div", { class: "row" }, parts.arrow, parts.way),
        parts.progress, parts.buttons),
      parts.history, parts.popups, groupPanel(tour, content.stops));
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
      run = await client.request(isPaused ? "resumeRun" : "pauseRun");
      // Where the walker went meanwhile counts from now on.
      if (isPaused) sendPlace();
      draw();
    }),
    action(t("run.leave"), async () => {
      if (!isDone && !(await confirmed(t("run.leave.ask"), t("run.leave")))) return;
      quiet();
      const go = goIfStayed();
      const { metres: walked = 0, milliseconds = 0 } = await client.request("leaveRun");
      run = guidance = content = null;
      forgetGroup();
      await unsketch();
      toast(t("run.totals", { distance: metres(walked), time: span(Number(milliseconds)) }), { seconds: 20 });
      go("tours");
    }, isDone ? "" : "quiet-danger"),
  ].filter(Boolean);
}

/**
 * Where the target is: as the server says it with each position, before the first one as the own place says.
 * @param {any} target
 */
function wayTo(target) {
  if (guidance) return { metres: guidance.metres ?? 0, bearing: guidance.bearing ?? 0 };
  const here = own(), there = target.pose?.geopose?.position;
  return here && there ? { metres: distance(here, there), bearing: bearing(here, there) } : null;
}

/** The stop that the walker goes to: their own next one, or that to which the guide leads all. */
function goal() {
  return led(content?.stops ?? []) ?? run.target;
}

/**
 * Where the walker goes, for the picture of the Realm; null without a run, and at its end.
 * @returns {{name: string, metres: number, bearing: number} | null}
 */
export function aim() {
  const to = run && goal(), way = to && wayTo(to);
  return way ? { name: words(to.name), ...way } : null;
}

/**
 * The stops of the tour that is walked, as far as they are known; which one comes next.
 * @returns {any[]}
 */
export function stops() {
  if (!run || !content) return [];
  const next = goal()?.id;
  return content.stops.map((/** @type {any} */ stop) => ({ ...stop, isTarget: stop.id === next }));
}

/** The run whose stops are being read. */
let reading = "";

/** Reads the stops where they are needed and not known: the guide leads to one of them, or Realm and list show them. */
async function read() {
  // Guidance of before is to another stop.
  if (aimed !== ledTo()) guidance = null;
  aimed = ledTo();
  if (!run || content || reading === run.id || !(aimed || ["realm", "map"].includes(route().place))) return;
  reading = run.id;
  try {
    const { content: found } = await readRun();
    if (run?.id === reading) content = found;
  } finally {
    reading = "";
  }
  tell("run");
}

function draw() {
  if (!run || !parts.state?.isConnected && parts.drawn) return;
  parts.drawn = Boolean(parts.state);
  if (!parts.state) return;
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
    parts.popups.replaceChildren(...popups.map(({ text }) => make("div", { class: "card", dir: "auto" }, words(text))));
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
  return make("section", { class: "card" }, make("h3", { dir: "auto" }, words(stop.name)),
    make("p", { class: "quiet", dir: "auto" }, words(stop.alternative)),
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
