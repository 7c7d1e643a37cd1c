// The keys of the page: of its places, of the sheet behind the pill, of the message that is shown, and those that
// features give.

import { table } from "../core/extensions.js";
import { go } from "../core/router.js";
import { toMessage } from "../components/message.js";
import { openShown } from "./menu.js";
import { places } from "./places.js";

/**
 * Does what a key is for; nothing with a modifier, or while something is typed.
 * @param {KeyboardEvent} event
 */
export function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey
    || /** @type {HTMLElement} */ (event.target).closest("input, textarea, select, dialog")) return;
  const place = places().find(({ key }) => key === event.key);
  const keys = /** @type {Record<string, () => unknown>} */ ({ ...table("keys"), g: openShown, m: toMessage });
  const act = place ? () => go(place.name) : Object.hasOwn(keys, event.key) && keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}
