// What a guest has begun that needs an account: a reaction, a vote, something to place, a post, a tour. It is kept for
// this tab, also over a reload, and goes on once somebody has signed in here.

import { client } from "./app.js";
import { table } from "./extensions.js";
import { tab } from "./storage.js";

const BEGUN = "cairn-play-begun";
/** How the names of guests' topics end: the view of before. */
const GUESTS = "/v0000000000000";
/** How long after a sign-in what was begun waits for the cell that it is in. */
const VIEW_MS = 8_000;

/** @type {(() => unknown) | null} shows again where it was begun; gone with the page */
let back = null;

/**
 * Keeps what a guest has begun, in place of what was begun before.
 * @param {string} name as a feature gives it (`begun`)
 * @param {any} data that `JSON` can write
 * @param {() => unknown} [reopen] shows again where it was begun
 */
export function begin(name, data, reopen) {
  tab.set(BEGUN, JSON.stringify({ name, data }));
  back = reopen ?? null;
}

/** The guest has come back without signing in: it is shown where it was begun, and does not go on by itself later. */
export async function comeBack() {
  const reopen = back;
  forgetBegun();
  await reopen?.();
}

/** Nothing is begun. */
export function forgetBegun() {
  tab.set(BEGUN, null);
  back = null;
}

/**
 * Somebody has signed in: what was begun goes on, once.
 * @returns {Promise<boolean>} whether something was begun
 */
export async function goOn() {
  const kept = tab.get(BEGUN);
  forgetBegun();
  let begun = null;
  try {
    begun = JSON.parse(kept ?? "null");
  } catch {
    // What is no JSON was written by nobody here.
  }
  const run = begun && Object.hasOwn(table("begun"), begun.name) && table("begun")[begun.name];
  if (!run) return false;
  await run(begun.data);
  return true;
}

/**
 * Waits until a cell is in view, as the server wants it for what is done to something in it; not for ever.
 * @param {string} cell its token
 * @returns {Promise<void>}
 */
export function inView(cell) {
  return new Promise((resolve) => {
    const isThere = () => [...client.view.topics.values()].some((/** @type {any} */ { name, isComplete }) =>
      isComplete && name.split("/")[0] === cell && !name.endsWith(GUESTS));
    const done = () => {
      clearTimeout(timer);
      end();
      resolve();
    };
    const timer = setTimeout(() => done(), VIEW_MS);
    const end = client.on("followed", () => { if (isThere()) done(); });
    if (isThere()) done();
  });
}
