// The answer of a provider, in the window that it has sent back to this page.

import { fill, make } from "../core/page.js";
import { t } from "../core/texts.js";

/** By which the window passes the answer on. */
export const CHANNEL = "cairn-play-provider";

/**
 * In the window that a provider has sent back: passes the answer on.
 * @returns {boolean} whether this is such a window
 */
export function cameBack() {
  const answer = new URLSearchParams(location.hash.slice(1));
  const state = answer.get("state"), idToken = answer.get("id_token"), error = answer.get("error");
  if (!state || !(idToken || error)) return false;
  // Neither a reload nor the history shall have the token.
  history.replaceState(null, "", "/play");
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ state, idToken, error });
  fill(document.body, make("main", { class: "page-body" }, make("h1", {}, "Cairn"), make("p", {}, t("provider.done"))));
  setTimeout(() => close(), 200);
  return true;
}
