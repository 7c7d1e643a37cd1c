// Signing in by a name alone, where the operator lets anybody in: on this machine, for trying things out (ACC-5).

import { CairnClient } from "../../cairn/client.js";
import { client, isSignedIn } from "./app.js";
import { signingIn } from "./place.js";

/** A name that no account can have. */
const NOBODY = "!";
/** Hosts of this machine: the server opens itself on no other address. */
const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @type {Promise<boolean> | null} */
let asking = null;

/**
 * Whether a name alone signs in here. Asked once, by a hello of its own with a name that no account can have: a server
 * that takes names refuses this one, others greet a guest.
 * @returns {Promise<boolean>}
 */
export function opensByName() {
  asking ??= LOCAL.test(location.hostname) ? ask() : Promise.resolve(false);
  return asking;
}

async function ask() {
  const other = new CairnClient({ url: location.origin, profile: { ...client.core.profile, token: "", name: NOBODY } });
  try {
    await other.connect();
    return false;
  } catch (refusal) {
    if (/** @type {any} */ (refusal).code === "invalid_username") return true;
    // It was not answered: whoever asks next asks again.
    asking = null;
    return false;
  } finally {
    other.disconnect();
  }
}

/**
 * Signs in by a name alone. Where the server takes none, the page is a guest's again and this is refused.
 * @param {string} name
 */
export async function signInByName(name) {
  const { profile } = client.core;
  profile.name = name;
  client.disconnect();
  try {
    await signingIn(() => client.connect());
  } catch (refusal) {
    delete profile.name;
    client.connect().catch(() => {});
    throw refusal;
  }
  if (isSignedIn()) return;
  delete profile.name;
  asking = Promise.resolve(false);
  throw Object.assign(new Error("a name alone does not sign in here"), { code: "name_alone" });
}
