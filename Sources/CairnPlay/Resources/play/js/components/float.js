// The bubble of a post that has just been made floats up to its place (PST-1): once, and not for people who want the
// page still.

import { client } from "../core/app.js";
import { isStill } from "../core/settings.js";

/** A post is just made for so long; what is older was only not in view before. */
const NEW_MS = 5_000;

/**
 * Has a bubble float, if its post is new.
 * @param {HTMLElement} bubble
 * @param {import("../core/view.js").Item} item
 */
export function float(bubble, item) {
  if (item.kind !== "post" || isStill() || client.serverNow() - item.instance.post.created > NEW_MS) return bubble;
  bubble.classList.add("new");
  // Else it would float again whenever the view that it is in is hidden and shown.
  bubble.addEventListener("animationend", () => bubble.classList.remove("new"), { once: true });
  return bubble;
}
