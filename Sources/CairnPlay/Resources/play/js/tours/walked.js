// The walk that has ended last: kept on this device until a sign-out, and shown when the last stop is reached.

import { client, tell } from "../core/app.js";
import { go, route } from "../core/router.js";
import { t } from "../core/texts.js";
import { toast } from "../components/message.js";
import { sheetKind } from "../components/sheet.js";
import { readRun, words } from "./content.js";
import { walkOf } from "./ending.js";
import { group } from "./group.js";
import { keepWalk, lastWalk } from "./walk.js";

/** Whether the person is in the middle of something that going elsewhere would end. */
function isBusy() {
  return Boolean(document.querySelector("dialog[open], form[data-typed]") || sheetKind() === "drawing"
    || document.body.classList.contains("in-xr") || document.activeElement?.matches("input, textarea, select"));
}

/** The run whose end was shown last. */
let shown = "";

/** Shows the walk that has ended last, unless that was done; the page may have been left before. */
export async function showWalk() {
  const { account } = client.core, walk = await lastWalk(client);
  if (!walk || walk.isShown || walk.run === shown || client.core.account !== account) return;
  shown = walk.run;
  if (route().place === "tours" && route().rest[0] === "run" || !isBusy()) go("tours", "done");
  else {
    toast(t("run.done"),
      { seconds: 60, isNews: true, action: { text: t("done.show"), run: () => go("tours", "done") } });
  }
  await keepWalk(client, { ...walk, isShown: true });
}

/**
 * All stops are reached: the walk is kept and shown, and the run is over, unless the person still walks in a group. The
 * walk is shown also where the run could not be left, which is thrown.
 * @param {any} run
 * @param {any} tour its summary, where it was read already
 * @param {() => void} end ends the run on this page
 */
export async function finish(run, tour, end) {
  const { account } = client.core;
  // In a group the run lasts, and comes again with each page load.
  const before = await lastWalk(client);
  const known = tour ?? (await readRun().catch(() => ({ tour: {} }))).tour;
  // Somebody else may be here by now.
  const isGone = () => !account || client.core.account !== account;
  if (isGone()) return;
  if (before?.run !== run.id) {
    await keepWalk(client, walkOf(run, { name: words(known?.name), code: known?.code }));
  }
  try {
    if (!group) {
      await client.request("leaveRun").catch((/** @type {any} */ no) => {
        // Another device may have left it already.
        if (no.code !== "not_found") throw no;
      });
      if (!isGone()) end();
    }
  } finally {
    if (!isGone()) {
      tell("walked");
      await showWalk();
    }
  }
}
