// The page: starts the client, shows the place that the address names, and follows what happens. Begun by opening.js.
// It knows no feature by name: features.js has them all.

import { client, isSignedIn, makeClient, on, tell, unread } from "./core/app.js";
import { given, register } from "./core/extensions.js";
import { followHistory } from "./core/history.js";
import { asked, own, ownHeading, recallPlace, sendPlace, setPlace, shiftSending, turn } from "./core/place.js";
import { startRouter } from "./core/router.js";
import { apply, recall } from "./core/settings.js";
import { local, tab } from "./core/storage.js";
import { fitting, speak, t } from "./core/texts.js";
import { followView } from "./core/view.js";
import { later } from "./components/later.js";
import { noteInput, toast } from "./components/message.js";
import { closeSheet, sheetKind } from "./components/sheet.js";
import { showBanner } from "./frame/banner.js";
import { connect, followConnection, warn } from "./frame/connection.js";
import { press } from "./frame/keys.js";
import { startMenu } from "./frame/menu.js";
import { loadOthers, showPlace, startPlaces } from "./frame/places.js";
import { keepShell } from "./frame/worker.js";
import * as features from "./features.js";

/** Everything of a person is gone from the page. */
function emptied() {
  unread.count = 0;
  for (const forget of given("forget")) forget();
  tell("unread");
  local.forget();
  tab.clear();
  if (sheetKind()) closeSheet();
  apply();
  tell("welcomed");
  // Who has signed out looks on as a guest.
  sendPlace();
}

/** @param {any} welcome */
async function welcomed(welcome) {
  if (own()) turn(ownHeading());
  sendPlace();
  await apply();
  tell("welcomed");
  for (const follow of given("welcomed")) await follow(welcome);
  warn();
  if (welcome.tokenExpired) toast(t("signedOut.expired"), { kind: "bad" });
  if (welcome.ageAdvisory) toast(t("age.advisory"), { seconds: 20, once: `age:${welcome.account}` });
}

const showBar = later(async () => (await import("./frame/bar.js")).showBar);

/**
 * Builds the page. It is there when this resolves, and shows its place and connects after that.
 * @param {WebSocket} socket that opening.js has opened
 */
export async function start(socket) {
  register(Object.values(features));
  await speak(fitting(navigator.languages));
  if (given("intercept").some((intercept) => intercept())) {
    socket.close();
    return;
  }
  await makeClient(socket);
  const place = asked();
  if (place) setPlace(place);
  else recallPlace();
  startPlaces();
  startRouter();
  startMenu();
  followConnection();
  followView(client);
  for (const follow of given("follow")) follow(client);
  on("route", showPlace);
  on("bar", () => showBar());
  followHistory();
  for (const type of ["keydown", "pointerdown"]) addEventListener(type, noteInput, true);
  addEventListener("keydown", press);
  addEventListener("online", () => client.hurry());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  client.on("welcomed", welcomed);
  client.on("settings", apply);
  client.on("positionsShifted", ({ milliseconds = 0 }) => shiftSending(milliseconds));
  client.on("standing", () => tell("standing"));
  client.on("emptied", emptied);
  await recall();
  await apply();
  enter();
}

/** Shows the place that the address names, and connects meanwhile. */
async function enter() {
  const shown = showPlace();
  // What greets somebody, and whatever else is loaded, comes after what there is to see.
  shown.then(showBanner);
  await connect();
  await shown;
  if (!isSignedIn() && client.isLive) for (const greet of given("guest")) greet();
  loadOthers();
  keepShell();
}
