// What all parts of the page share: the client, the own place, and what is selected. One for each page load.

import { CairnClient } from "../../cairn/client.js";
import { IndexedStore, MemoryStore } from "../../cairn/store.js";
import { language } from "./texts.js";

/**
 * Events of the page itself: `place`, `settings`, `draft`, `selected`, `view`, `realms`, `unread`, `standing`, `group`,
 * `arrived` (a guest has become a person on this page).
 */
export const bus = new EventTarget();

/**
 * Tells the other parts that something has changed.
 * @param {string} name
 * @param {any} [detail]
 */
export function tell(name, detail) {
  bus.dispatchEvent(new CustomEvent(name, { detail }));
}

/**
 * Listens until the page ends, or until the signal aborts.
 * @param {string} names one or several, with spaces between
 * @param {(detail: any) => void} listener
 * @param {AbortSignal} [signal]
 */
export function on(names, listener, signal) {
  for (const name of names.split(" ")) {
    bus.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail), { signal });
  }
}

/** Whether the device is a weak one: fewer things, simpler pictures. */
export const isLow = (navigator.hardwareConcurrency ?? 4) <= 2
  || (/** @type {any} */ (navigator).deviceMemory ?? 8) <= 2;

/** @type {any} */
export let client;

/** The selected sub-realm: id, name, and whether it is the person's own; an empty id is the public realm. */
export const selected = { id: "", name: "", isOwn: false };

/** Whether the account is being deleted: that its sign-ins end is no news then. */
export const leaving = { is: false };

/** Notifications that are not read. */
export const unread = { count: 0 };

/** Whether the browser refuses to keep anything, by the person's choice: all is kept until the page is left. */
export let keepsNothing = false;

async function openStore() {
  const store = new IndexedStore("cairn-play");
  try {
    await store.load();
    return store;
  } catch {
    keepsNothing = true;
    return new MemoryStore();
  }
}

/**
 * The client of this page. It connects when told so, first over a socket that is open already or about to be.
 * @param {WebSocket | null} socket
 */
export async function makeClient(socket) {
  client = new CairnClient({
    url: location.origin,
    store: await openStore(),
    socket: (/** @type {string} */ url, /** @type {string} */ protocol) => {
      const first = socket;
      socket = null;
      return first && first.readyState <= WebSocket.OPEN ? first : new WebSocket(url, protocol);
    },
    profile: {
      frontEnd: "realm", language, deviceClass: isLow ? "DEVICE_CLASS_LOW" : "DEVICE_CLASS_NORMAL",
    },
  });
  return client;
}

/** Whether somebody is signed in. */
export function isSignedIn() {
  return Boolean(client?.isSignedIn);
}

/** Whether the page is a person's whom the server has not welcomed yet: it is connecting, or there is no network. */
export function isExpected() {
  return Boolean(client?.core.profile.token) && !client.welcome;
}

/** Whether there is no connection, nor one that is being opened. */
export function isCutOff() {
  return client?.state === "offline" || client?.state === "pausing";
}

/**
 * The limits of the session, or an empty object before the first welcome.
 * @returns {any}
 */
export function limits() {
  return client?.welcome?.limits ?? {};
}
