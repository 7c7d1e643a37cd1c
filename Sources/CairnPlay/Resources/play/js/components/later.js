// What is not needed to open the page is loaded when it is first used, or when the page has nothing else to do.

import { t } from "../core/texts.js";
import { toast } from "./message.js";
import { asking } from "./sheet.js";

/** @type {Set<() => Promise<any>>} */
const waiting = new Set();

/**
 * A function of a module that is loaded when it is first called. Where the module does not arrive, a message says so.
 * @template {(...given: any[]) => any} Run
 * @param {() => Promise<Run>} load
 * @returns {(...given: Parameters<Run>) => Promise<Awaited<ReturnType<Run>> | undefined>}
 */
export function later(load) {
  return whenLoaded(load, () => () => true);
}

/**
 * The same of what opens the sheet at once. It does nothing where the person has done something else before it arrives:
 * opened or closed the sheet, or gone elsewhere.
 * @template {(...given: any[]) => any} Run
 * @param {() => Promise<Run>} load
 * @returns {(...given: Parameters<Run>) => Promise<Awaited<ReturnType<Run>> | undefined>}
 */
export function opener(load) {
  return whenLoaded(load, asking);
}

/**
 * @template {(...given: any[]) => any} Run
 * @param {() => Promise<Run>} load
 * @param {() => () => boolean} ask is asked at each call, and gives whether that is wanted still
 * @returns {(...given: Parameters<Run>) => Promise<Awaited<ReturnType<Run>> | undefined>}
 */
function whenLoaded(load, ask) {
  waiting.add(load);
  return async (...given) => {
    const isWanted = ask();
    let run;
    try {
      run = await load();
    } catch (error) {
      console.warn(error);
      toast(t("offline.part"), { kind: "bad" });
      return undefined;
    }
    return isWanted() ? run(...given) : undefined;
  };
}

/** Loads all of it. */
export function loadAll() {
  for (const load of waiting) load().catch(() => {});
}
