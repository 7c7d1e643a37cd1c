// The page of a run: where to go, what was reached and its history to read and hear, popups, and what it came to.

import { client, on } from "../core/app.js";
import { compass } from "../core/geo.js";
import { make, write } from "../core/page.js";
import { ownHeading, sendPlace } from "../core/place.js";
import { go } from "../core/router.js";
import { metres, span, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { card } from "../components/card.js";
import { readRun, words } from "./content.js";
import { timeOf } from "./ending.js";
import { groupPanel } from "./grouppanel.js";
import { history, quiet } from "./history.js";
import { leave } from "./leave.js";
import { content, goal, isWalking, others, popups, run, takeContent, takeRun, wayTo } from "./run.js";
import { sketch } from "./sketch.js";

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
    takeContent(found.content, found.tour);
    if (!parts.state) on("run place heading group clock", draw);
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
      await sketch(content, { fit: true, target: goal()?.id, lasts: isWalking });
    }, "accent"),
    make("a", { class: "button", href: "#/realm" }, t("run.view")),
    !isDone && action(t(isPaused ? "run.resume" : "run.pause"), async () => {
      takeRun(await client.request(isPaused ? "resumeRun" : "pauseRun"));
      // Where the walker went meanwhile counts from now on.
      if (isPaused) sendPlace();
    }),
    action(t("run.leave"), async () => {
      quiet();
      await leave();
    }, isDone ? "" : "quiet-danger"),
  ].filter(Boolean);
}

/** The run has ended elsewhere: by the tour's organisation, an operator, or another device. */
function showEnd() {
  write(parts.state, t("run.none"));
  for (const part of [parts.next, parts.way, parts.progress]) write(part, "");
  parts.arrow.hidden = true;
  delete parts.buttons.dataset.state;
  parts.buttons.replaceChildren(make("a", { class: "button", href: "#/tours" }, t("place.tours")));
  for (const part of [parts.history, parts.popups]) part.replaceChildren();
}

function draw() {
  if (!parts.state || !parts.state.isConnected && parts.drawn) return;
  if (!run) {
    showEnd();
    return;
  }
  parts.drawn = true;
  const { state, target, last, reached = 0, stops = 0, metres: walked = 0 } = run;
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
    t("run.totals", { distance: metres(walked), time: span(timeOf(run, client.serverNow())) }),
    others > 0 ? t("run.others", { n: others }) : ""].filter(Boolean).join(" · "));
  const button = `${state} ${target?.id}`;
  if (parts.buttons.dataset.state !== button) {
    parts.buttons.dataset.state = button;
    parts.buttons.replaceChildren(...buttons());
  }
  if (last && parts.last !== last.id) {
    parts.last = last.id;
    parts.history.replaceChildren(history(last, run.tour));
  }
  if (parts.popups.children.length !== popups.length) {
    parts.popups.replaceChildren(...popups.map(({ text }) => card(make("p", { dir: "auto" }, words(text)))));
  }
}
