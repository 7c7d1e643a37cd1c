// The page: starts the client, shows the place that the address names, and follows what happens. Begun by opening.js.

import { bus, client, isSignedIn, keepsNothing, makeClient, on, tell, unread } from "./core/app.js";
import { at, make } from "./core/page.js";
import { apply, recall } from "./core/settings.js";
import { asked, locate, own, ownHeading, recallPlace, sendPlace, setPlace, shiftSending, turn } from "./core/place.js";
import { fitting, speak, t } from "./core/texts.js";
import { followClient, refuse, startShell, toast } from "./frame/shell.js";
import { followDetails } from "./things/details.js";
import { followKept, showKept } from "./kept/kept.js";
import { followNotifications } from "./notifications/notifications.js";
import { followSignIn } from "./account/signin.js";
import { followView } from "./core/view.js";
import { followRealms, forgetRealm, openShown, resumeRealm } from "./realms/selection.js";
import { cameBack } from "./account/provider.js";
import { askPlace } from "./where/locate.js";
import { followHistory } from "./core/history.js";
import { closeSheet, openSheet, sheetKind } from "./components/sheet.js";
import { openList } from "./around/list.js";
import { loadOthers, showPlace } from "./frame/places.js";
import { hideRealm } from "./realm/realm.js";
import { go, route, startRouter } from "./core/router.js";
import { followPurchases } from "./tours/buying.js";
import { followRuns } from "./tours/run.js";
import { startAdding } from "./things/editor.js";
import { tab } from "./core/storage.js";

/** After how long the service worker is told the files of the page a second time. */
const SHELL_AGAIN_MS = 10_000;

/** Shows the place that the address names. */
async function show() {
  const { place } = route();
  const isStage = place === "realm" || place === "map";
  at("stage").hidden = !isStage;
  at("page").hidden = isStage;
  at("realm").hidden = place !== "realm";
  at("map").hidden = place !== "map";
  if (!isStage && sheetKind()) closeSheet();
  if (place !== "realm") hideRealm();
  findPlace();
  await showPlace();
}

/**
 * The keys of the page; none without a modifier while something is typed.
 * @param {KeyboardEvent} event
 */
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey
    || /** @type {HTMLElement} */ (event.target).closest("input, textarea, select, dialog")) return;
  const act = /** @type {Record<string, () => void>} */ ({
    1: () => go("realm"), 2: () => go("map"), 3: () => go("tours"), 4: () => go("profile"),
    l: () => { if (route().place !== "realm") go("map"); openList(); }, n: () => startAdding(), g: () => openShown(),
      "?": () => go("profile", "help"),
  })[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** Connects, and tries again while there is no network. */
async function connect() {
  try {
    await client.connect();
  } catch (refusal) {
    const code = /** @type {any} */ (refusal).code;
    if (code !== "unreachable") refuse(refusal, { text: t("retry"), run: connect });
    else {
      await showKept();
      setTimeout(connect, 3000 + Math.random() * 2000);
    }
  }
}

/** Everything of a person is gone from the page. */
function emptied() {
  unread.count = 0;
  forgetRealm();
  tell("unread");
  tab.clear();
  if (sheetKind()) closeSheet();
}

/** Builds the page. It is there when this resolves, and shows its place and connects after that. */
export async function start() {
  await speak(fitting(navigator.languages));
  if (cameBack()) return;
  await makeClient();
  const place = asked();
  if (place) setPlace(place);
  else recallPlace();
  startRouter();
  startShell({ sink: openShown, add: startAdding });
  followClient(client);
  followView(client);
  followDetails(client);
  followNotifications(client);
  followSignIn();
  followRealms(client);
  followKept(client);
  followRuns(client);
  followPurchases();
  on("route", show);
  followHistory();
  addEventListener("keydown", key);
  addEventListener("online", () => client.hurry());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  client.on("welcomed", async (/** @type {any} */ welcome) => {
    if (own()) turn(ownHeading());
    sendPlace();
    await apply();
    bus.dispatchEvent(new CustomEvent("welcomed"));
    if (!welcome.resumed) await resumeRealm();
    await findPlace();
    warn();
    if (welcome.tokenExpired) toast(t("signedOut.expired"), { kind: "bad" });
    if (welcome.ageAdvisory) toast(t("age.advisory"), { seconds: 20 });
  });
  client.on("settings", apply);
  client.on("positionsShifted", ({ milliseconds = 0 }) => shiftSending(milliseconds));
  client.on("standing", () => bus.dispatchEvent(new CustomEvent("standing")));
  client.on("signedOut", (/** @type {any} */ { message }) =>
    toast(message || t("signedOut"), { kind: "bad", seconds: 20 }));
  client.on("emptied", () => { emptied(); apply(); bus.dispatchEvent(new CustomEvent("welcomed")); });
  client.on("replaced", () => toast(t("replaced"),
    { seconds: 60, action: { text: t("reload"), run: () => location.reload() } }));
  client.on("selectionReset", () => { forgetRealm(); toast(t("realm.reset")); });
  client.on("refused", (/** @type {any} */ refusal) => { if (client.isLive) refuse(refusal); });
  await recall();
  await apply();
  enter();
}

/** Shows the place that the address names, and connects meanwhile. */
async function enter() {
  const shown = show();
  await connect();
  if (!isSignedIn() && client.isLive) greet();
  await shown;
  loadOthers();
  keepShell();
}

/** Has the service worker keep the shell: the files of the page, and the ground as this visit has seen it. */
async function keepShell() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/play/sw.js", { scope: "/play" });
    const { active } = await navigator.serviceWorker.ready;
    const keep = () => {
      const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
      active?.postMessage({ shell: files.filter((path) => path.startsWith("/play/")) });
    };
    keep();
    // What is asked for before the worker has taken the page over does not pass through it, and what the server refuses
    // in a busy moment is asked for again.
    setTimeout(keep, SHELL_AGAIN_MS);
  } catch {
    // Without it the page needs the network to open, and nothing else changes.
  }
}

let isWarned = false;

/** Says to a person once what does not work where the browser keeps nothing. */
function warn() {
  if (isWarned || !keepsNothing || !isSignedIn()) return;
  isWarned = true;
  toast(t("keepsNothing"), { kind: "bad", seconds: 60 });
}

/** Greets a guest on the stage: what this is, and how to begin. */
function greet() {
  if (at("stage").hidden || sheetKind()) return;
  openSheet(t("hello.title"), [make("p", {}, t("hello.text")), make("div", { class: "row" },
    make("a", { class: "button accent", href: "#/profile/signin" }, t("signIn")),
    make("a", { class: "button", href: "#/profile/signup" }, t("signUp")))], { kind: "hello", focus: false });
}

/** Finds the place of who has signed in: without a word where the browser allows it, else by asking. */
async function findPlace() {
  if (hasAsked || own() || asked() || !isSignedIn() || at("stage").hidden) return;
  hasAsked = true;
  if (await isAllowed()) locate().catch(() => {});
  else if (!sheetKind() && route().rest[0] !== "choose") askPlace();
}

/** Whether the person was asked for their place since the page was loaded. */
let hasAsked = false;

/** Whether the browser gives the place without asking. */
async function isAllowed() {
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
  } catch {
    return false;
  }
}
