// The walk that has ended last: kept on this device until a sign-out, and shown when the last stop is reached.

import { client, tell } from "../core/app.js";
import { go, route } from "../core/router.js";
import { t } from "../core/texts.js";
import { toast } from "../components/message.js";
import { sheetKind } from "../components/sheet.js";
import { readRun, words } from "./content.js";
import { walkOf } from "./ending.js";
import { group } from "./group.js";
import { unsketch } from "./sketch.js";

const KEY = "walk";

/**
 * The walk that has ended last; undefined without one.
 * @returns {Promise<import("./ending.js").Walk | undefined>}
 */
export async function lastWalk() {
  return await client.store.get(KEY);
}

/** Whether the person is in the middle of something that going elsewhere would end. */
function isBusy() {
  return Boolean(document.querySelector("dialog[open], form[data-typed]") || sheetKind() === "drawing"
    || document.body.classList.contains("in-xr") || document.activeElement?.matches("input, textarea, select"));
}

/**
 * All stops are reached: the walk is kept and shown, and the run is over, unless the person still walks in a group.
 * @param {any} run
 * @param {any} tour its summary, where it was read already
 * @param {() => void} end ends the run on this page
 */
export async function finish(run, tour, end) {
  // In a group the run lasts, and comes again with each page load.
  const isShown = (await lastWalk())?.run === run.id;
  const known = tour ?? (await readRun().catch(() => ({ tour: {} }))).tour;
  await client.store.put(KEY, walkOf(run, { name: words(known?.name), code: known?.code }));
  if (!group) {
    // Another device may have left it already.
    await client.request("leaveRun").catch((/** @type {any} */ no) => { if (no.code !== "not_found") throw no; });
    end();
    await unsketch();
  }
  tell("walked");
  if (isShown) return;
  if (route().place === "tours" && route().rest[0] === "run" || !isBusy()) go("tours", "done");
  else {
    toast(t("run.done"),
      { seconds: 60, isNews: true, action: { text: t("done.show"), run: () => go("tours", "done") } });
  }
}
