// Puts the console together.

import { Accounts } from "./accounts.js";
import { Organisations } from "./organisations.js";
import { Actions } from "./actions.js";
import { Audit } from "./audit.js";
import { Backups } from "./backups.js";
import { CellList } from "./list.js";
import { CellPage } from "./cell.js";
import { Finder } from "./find.js";
import { Disk, Process, Requests, Services, Tours } from "./figures.js";
import { Health } from "./health.js";
import { Moderation } from "./moderation.js";
import { Pages } from "./pagecard.js";
import { Refusals } from "./refusals.js";
import { StatsLink } from "./link.js";
import { Totals } from "./totals.js";
import { TourList } from "./tourlist.js";
import { Trail } from "./trail.js";
import { World } from "./world.js";
import { openMap } from "./map.js";
import { named } from "./ids.js";
import { say, showMore, write } from "./page.js";
import { seconds } from "./words.js";

const states = { joining: "Connecting", live: "Live", away: "Server not reached; trying again" };
/** Seconds between two looks at what changes slowly. */
const slowly = 3;
/** Seconds between two looks at what only operators change. */
const rarely = 30;

const link = new StatsLink();
const world = new World(link);
const actions = new Actions(link);
const refusals = new Refusals(link);
const totals = new Totals(link, (begin, end) => refusals.pick(begin, end));
const health = new Health(link, actions);
const [disk, requests, process] = [new Disk(), new Requests(), new Process()];
const [services, tours, tourList] = [new Services(), new Tours(), new TourList(link, actions)];
const moderation = new Moderation(link, actions);
const accounts = new Accounts(link, actions);
const organisations = new Organisations(link, actions);
const audit = new Audit(link, actions);
const backups = new Backups(actions);
const list = new CellList(world);
const map = openMap(world, (token) => { location.hash = `cell/${token}`; });
const page = new CellPage(link, actions, () => { location.hash = ""; }, (token) => map?.select(token, true));
const pages = new Pages(link, actions, () => { location.hash = ""; });
const trail = new Trail();
new Finder(link);
let startedAt = null;
let version = "";
let looks = 0;
/** Whether a look at what changes slowly is under way. */
let isLooking = false;

// The seconds are not announced: a screen reader would speak without end.
link.addEventListener("silence", ({ detail }) => {
  const state = document.getElementById("state");
  const silence = document.getElementById("silence");
  silence.hidden = detail === 0;
  write(silence, `for ${seconds(detail)}`);
  state.dataset.state = detail > 0 ? "silent" : link.state;
  write(state, detail > 0 ? "No news" : states[link.state]);
});

link.addEventListener("state", async ({ detail }) => {
  const state = document.getElementById("state");
  state.dataset.state = detail;
  write(state, states[detail]);
  if (detail !== "live") return;
  try {
    link.watch();
    const [info, { columns }] = await Promise.all([link.ask("info"), link.ask("columns"), actions.learn()]);
    [startedAt, version] = [info.startedAt, info.version];
    totals.begin(startedAt);
    health.begin();
    list.begin(columns);
    page.begin(columns);
    looks = 0;
    tourList.begin();
    moderation.begin();
    accounts.begin();
    organisations.begin();
    audit.begin();
    backups.begin(info.backups);
    actions.noBackups = backups.why;
    page.refresh();
    pages.refresh();
  } catch {
    // The connection is gone again; the next one begins anew.
  }
});

world.addEventListener("changed", () => {
  totals.show(world.totals, world.at);
  health.show(world.totals);
  disk.show(world.totals, world.at);
  process.show(world.totals);
  services.show(world.totals);
  tours.show(world.totals);
  if (startedAt) {
    const up = seconds((world.at - startedAt) / 1_000);
    write(document.getElementById("server"), `${location.host} · version ${version} · up ${up}`);
  }
  page.refresh();
  if (looks % slowly === 0) lookAround();
  looks += 1;
  if (looks % rarely !== 0) return;
  moderation.refresh();
  accounts.refresh();
  organisations.refresh();
  backups.refresh();
});

// A cell that was asked for by its address may lie on ground that is told only now.
world.addEventListener("ground", () => map?.select(page.token, false));

async function lookAround() {
  if (isLooking) return;
  isLooking = true;
  try {
    await refusals.look();
    requests.show(await link.ask("latency"));
  } catch {
    // The connection is gone; what is shown stays.
  } finally {
    isLooking = false;
  }
}

// The address says what is open, so that going back, forward and sharing a link work.
function route() {
  const before = page.token;
  const shown = named(location.hash);
  trail.show(shown ? location.hash : "", page.here ?? pages.here);
  const token = shown?.kind === "cell" ? shown.id : null;
  document.getElementById("list-card").hidden = shown !== null;
  document.title = token ? `Cell ${token} · Cairn console` : "Cairn console";
  if (pages.open(shown)) document.title = `${pages.heading.textContent} · Cairn console`;
  if (token) {
    page.open(token);
  } else {
    page.close();
    if (before) list.focus(before);
  }
  map?.select(token, true);
}
addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && named(location.hash) && !document.querySelector("dialog[open]")) location.hash = "";
});

const theme = document.getElementById("theme");
theme.value = localStorage.getItem("cairn-theme") ?? "";
theme.addEventListener("change", () => {
  localStorage.setItem("cairn-theme", theme.value);
  if (theme.value) document.documentElement.dataset.theme = theme.value;
  else delete document.documentElement.dataset.theme;
  map?.recolour();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map?.recolour());

document.getElementById("leave").addEventListener("click", async () => {
  try {
    const answer = await fetch("/v1/operator/end", { method: "POST" });
    if (answer.ok || answer.status === 403) location.reload();
    else say("The server did not sign you out.", "bad");
  } catch {
    say("The server does not answer.", "bad");
  }
});

for (const one of document.querySelectorAll(".inside, .scroll")) showMore(one);
if (location.hash) route();
link.open();
// What the page says where its scripts do not come.
document.getElementById("unloaded").remove();
write(document.getElementById("state"), states.joining);
