// Which item is selected. Its kind says how its details are shown.

import { tell } from "./app.js";
import { table } from "./extensions.js";
import { itemOf } from "./view.js";

/**
 * How details are opened. Where the item is not in view, they are of the one that the caller has. `over` opens the list
 * again that it was selected in.
 * @typedef {{focus?: boolean, item?: import("./view.js").Item, over?: () => void}} Options
 */

/**
 * Key of the selected item; null = nothing.
 * @type {string | null}
 */
export let picked = null;

/**
 * The item with this key is selected; null = none is.
 * @param {string | null} key
 */
export function setPicked(key) {
  if (picked === key) return;
  picked = key;
  tell("selectedItem");
}

/**
 * Selects an item and shows its details.
 * @param {string} key
 * @param {Options} [options]
 */
export async function pick(key, options = {}) {
  const item = itemOf(key) ?? options.item;
  if (item) await table("kinds")[item.kind].open(item, options);
}
