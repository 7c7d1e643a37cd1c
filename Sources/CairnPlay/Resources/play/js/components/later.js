// What is not needed to open the page is loaded when it is first used, or when the page has nothing else to do.

import { t } from "../core/texts.js";
import { toast } from "./message.js";
import { newTicket } from "./sheet.js";

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
  return whenLoaded(load, newTicket);
}

/**
 * @template {(...given: any[]) => any} Run
 * @param {() => Promise<Run>} load
 * @param {() => () => boolean} ticket is taken at each call, and says whether that is wanted still
 * @returns {(...given: Parameters<Run>) => Promise<Awaited<ReturnType<Run>> | undefined>}
 */
function whenLoaded(load, ticket) {
  waiting.add(load);
  return async (...given) => {
    const isCurrent = ticket();
    let run;
    try {
      run = await load();
    } catch (error) {
      console.warn(error);
      toast(t("offline.part"), { kind: "bad" });
      return undefined;
    }
    return isCurrent() ? run(...given) : undefined;
  };
}

/** Loads all of it. */
export function loadAll() {
  for (const load of waiting) load().catch(() => {});
}
