// The bar of a run: that one is on a tour, how far, what comes next, and the way out of it; wherever one is on the
// page (TRT-8, TRT-11).

import { client, on, tell } from "../core/app.js";
import { compass } from "../core/geo.js";
import { make, write } from "../core/page.js";
import { route } from "../core/router.js";
import { metres, span, t } from "../core/texts.js";
import { action } from "../components/button.js";
import { say } from "../components/message.js";
import { words } from "./content.js";
import { timeOf } from "./ending.js";
import { leave } from "./leave.js";
import { content, goal, isWalking, run, title, wayTo } from "./run.js";
import { sketch } from "./sketch.js";
import { AFTER_MS, isDue } from "./spoken.js";

/** How often the time is written anew. */
const CLOCK_MS = 10_000;

/** @type {Record<string, any> | null} */
let parts = null;

/** The bar, drawn again while the run changes. */
export function bar() {
  if (!parts) {
    on("run place group clock", draw);
    // Its buttons and labels are made anew.
    on("language", () => tell("bar"));
    on("undrawn", () => {
      sketched = "";
      drawOnMap();
    });
    on("run group route", drawOnMap);
    // The page of the run says the same at the same moment.
    setInterval(() => tell("clock"), CLOCK_MS);
  }
  const name = make("strong", { dir: "auto" }), way = make("span", { class: "quiet" });
  const progress = make("progress", { max: "1", value: "0", "aria-hidden": "true" });
  const link = make("a", { href: "#/tours/run", class: "touring-to" }, name, way, progress);
  const out = make("div", { class: "touring-out" }, action(t("run.leave.short"), leave, "quiet-danger"));
  drawOnMap();
  const element = make("section", { class: "touring", "aria-label": t("run.title") }, link, out);
  parts = { name, way, progress, element, link };
  draw();
  return parts.element;
}

/** What is drawn on the map: the run, and where it leads. */
let sketched = "";

/** Draws the tour on the map when that is shown, once for each stop that comes next. */
function drawOnMap() {
  const now = run && content ? `${run.id} ${goal()?.id}` : "";
  if (route().place !== "map" || now === sketched) return;
  sketched = now;
  if (now) sketch(content, { target: goal()?.id, lasts: isWalking });
}

function draw() {
  if (!run || !parts) return;
  const { state, reached = 0, stops = 0, metres: walked = 0 } = run;
  const to = goal(), there = to && wayTo(to);
  write(parts.name, [t(state === "RUN_STATE_PAUSED" ? "run.paused.short" : "run.title"), title()].filter(Boolean)
    .join(": "));
  // Where to go comes first: the end is cut off where there is no room.
  write(parts.way, [to && [t("run.to", { name: words(to.name) }),
    there && t("run.ahead", { distance: metres(there.metres), direction: compass(there.bearing) })]
    .filter(Boolean).join(", "), t("run.progress", { reached, stops }),
    t("run.totals", { distance: metres(walked), time: span(timeOf(run, client.serverNow())) })]
    .filter(Boolean).join(" · "));
  Object.assign(parts.progress, { max: Math.max(1, stops), value: reached });
  // The time goes on: what a screen reader calls the link stays.
  const label = [parts.name.textContent, t("run.progress", { reached, stops }), to && t("run.to",
    { name: words(to.name) })].filter(Boolean).join(". ");
  if (parts.link.getAttribute("aria-label") !== label) parts.link.setAttribute("aria-label", label);
  if (state === "RUN_STATE_WALKING" && to && there) speak(to, there);
}

/** @type {import("./spoken.js").Way | null} what was said of the way last */
let said = null;
/** The stop that comes next, and since when. */
let next = { stop: "", since: 0 };

/**
 * Says the way to the next stop where that is due.
 * @param {any} to
 * @param {{metres: number, bearing: number}} way
 */
function speak(to, way) {
  const at = performance.now(), now = { ...way, stop: `${run.id} ${to.id}`, at };
  if (next.stop !== now.stop) {
    next = { stop: now.stop, since: at };
    setTimeout(draw, AFTER_MS);
  }
  if (!isDue(said, now, next.since)) return;
  said = now;
  say(`${t("run.to", { name: words(to.name) })}. ${t("run.ahead", { distance: metres(way.metres),
    direction: compass(way.bearing) })}`);
}
