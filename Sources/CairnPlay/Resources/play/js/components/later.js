// What is not needed to open the page is loaded when it is first used, or when the page has nothing else to do.

import { t } from "../core/texts.js";
import { toast } from "./message.js";

/** @type {Set<() => Promise<any>>} */
const waiting = new Set();

/**
 * A function of a module that is loaded when it is first called. Where the module does not arrive, a message says so.
 * @template {(...given: any[]) => any} Run
 * @param {() => Promise<Run>} load
 * @returns {(...given: Parameters<Run>) => Promise<Awaited<ReturnType<Run>> | undefined>}
 */
export function later(load) {
  waiting.add(load);
  return async (...given) => {
    let run;
    try {
      run = await load();
    } catch (error) {
      console.warn(error);
      toast(t("offline.part"), { kind: "bad" });
      return undefined;
    }
    return run(...given);
  };
}

/** Loads all of it. */
export function loadAll() {
  for (const load of waiting) load().catch(() => {});
}
